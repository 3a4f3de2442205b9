// Who takes part. Where things are differs between Node and the page, hence a `place` that knows:
// { init, limits(variant), ort(), tfjs() }.
import { onnxModel } from "../../../examples/transformers/models/onnx.js";
import { onnx } from "./onnx.mjs";
import { plain } from "./plain.mjs";
import { posenc, startPosenc } from "./posenc.mjs";

export const contenderNames = ["posenc", "limits", "plain", "onnx", "tfjs"];

/** Every build that this engine runs, the main one first. */
async function builds({ init, limits }, main, withLimits) {
  const instances = [];
  for (const variant of new Set([main, "simd", "relaxed", "scalar"])) {
    const limitsOf = withLimits && variant !== "scalar" ? limits : undefined;
    try {
      instances.push(await startPosenc(init, variant, variant === main, limitsOf));
    } catch (error) {
      if (error.code !== "load-failed") throw error;
    }
  }
  return instances;
}

/** The contenders of these names; posenc is always among them. `main`: the build that targets are about. */
export async function startContenders(names, main, place) {
  const instances = await builds(place, main, names.includes("limits"));
  const contenders = [posenc(instances)];
  if (names.includes("plain")) contenders.push(plain());
  if (names.includes("onnx")) contenders.push(onnx(await place.ort()));
  if (names.includes("tfjs")) contenders.push(await place.tfjs());
  return contenders;
}

const anyNumbers = { data: new Float32Array(4), dims: [4] };
const smallestModel = onnxModel({
  inputs: { x: anyNumbers },
  outputs: { y: [4] },
  nodes: [{ op: "Neg", inputs: ["x"], outputs: ["y"] }],
});

const starts = {
  posenc: (place) => place.init(),
  async onnx(place) {
    const { InferenceSession, env } = await place.ort();
    env.wasm.numThreads = 1;
    // Only now is the wasm fetched.
    await InferenceSession.create(smallestModel, { executionProviders: ["wasm"] });
  },
  tfjs: (place) => place.tfjs(),
};

/** Milliseconds from nothing to ready, in an engine that has not loaded the contender yet. */
export async function startUp(name, place) {
  const begin = performance.now();
  await starts[name](place);
  return performance.now() - begin;
}
