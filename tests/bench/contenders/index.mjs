// Who takes part. Where things are differs between Node and the page, hence an `environment` that knows:
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
export async function startContenders(names, main, environment) {
  const instances = await builds(environment, main, names.includes("limits"));
  const contenders = [posenc(instances)];
  if (names.includes("plain")) contenders.push(plain());
  if (names.includes("onnx")) contenders.push(onnx(await environment.ort()));
  if (names.includes("tfjs")) contenders.push(await environment.tfjs());
  return contenders;
}

const anyNumbers = { data: new Float32Array(4), dims: [4] };
const smallestModel = onnxModel({
  inputs: { x: anyNumbers },
  outputs: { y: [4] },
  nodes: [{ op: "Neg", inputs: ["x"], outputs: ["y"] }],
});

const starts = {
  posenc: (environment) => environment.init(),
  async onnx(environment) {
    const { InferenceSession, env } = await environment.ort();
    env.wasm.numThreads = 1;
    // Only now is the wasm fetched.
    await InferenceSession.create(smallestModel, { executionProviders: ["wasm"] });
  },
  tfjs: (environment) => environment.tfjs(),
};

/** Milliseconds from nothing to ready, in an engine that has not loaded the contender yet. */
export async function startUp(name, environment) {
  const begin = performance.now();
  await starts[name](environment);
  return performance.now() - begin;
}
