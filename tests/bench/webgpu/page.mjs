// The bench of posenc/webgpu in a page: all ways are compared with the CPU, and timed where there is a GPU.
// ?tiny&effort=quick&peer; `globalThis.finished` promises the result.
import { findAdapter } from "../../../web/site/src/lib/adapter.ts";
import { check, efforts, race } from "../measure.mjs";
import { waysOf } from "./works.mjs";

const query = new URLSearchParams(location.search);
const here = (path) => new URL(path, location.href).href;

/** The device that onnxruntime makes, where it takes part: its tensors are on that. */
async function deviceOf(adapter, ort) {
  if (!ort) {
    const { maxBufferSize, maxStorageBufferBindingSize } = adapter.limits;
    return adapter.requestDevice({ requiredLimits: { maxBufferSize, maxStorageBufferBindingSize } });
  }
  const { onnxModel } = await import("../../../examples/transformers/models/onnx.js");
  const nodes = [{ op: "Neg", inputs: ["x"], outputs: ["y"] }];
  const smallest = onnxModel({ inputs: { x: { type: "float32", dims: [4] } }, outputs: { y: [4] }, nodes });
  ort.env.wasm.numThreads = 1;
  ort.env.logLevel = "error";
  await ort.InferenceSession.create(smallest, { executionProviders: ["webgpu"] });
  return ort.env.webgpu.device;
}

const tolerance = 1e-6;

/** `error` of each that computes anything, and `fault` where it is too large. */
async function checkAll(ways) {
  for (const way of ways.filter(({ first }) => first)) {
    const truth = Object.entries(way.truth()).map(([name, values]) => [name, { values }]);
    check(way, await way.first(), Object.fromEntries(truth), tolerance);
  }
}

async function bench() {
  const found = await findAdapter();
  if (!found) return { adapter: "none" };
  const ort = query.has("peer") ? await import(here("./peer/ort.webgpu.bundle.min.mjs")) : undefined;
  const [{ init }, { webgpu }] = await Promise.all([
    import(here("./posenc/index.js")),
    import(here("./posenc/webgpu.js")),
  ]);
  const pe = await init({ parts: "all" });
  const device = await deviceOf(found.adapter, ort);
  const gpu = await webgpu(pe, device);
  const ways = await waysOf({ pe, gpu, device, ort }, query.has("tiny") || found.isSoftware);
  await checkAll(ways);
  const right = ways.filter(({ fault }) => !fault);
  const effort = efforts[query.get("effort") ?? "full"];
  for (const way of right) way.settle = () => device.queue.onSubmittedWorkDone();
  if (!found.isSoftware) await race(right, effort);
  await gpu.settled();
  return {
    adapter: found.name,
    isSoftware: found.isSoftware,
    rounds: effort.rounds,
    ways: ways.map(({ label, bytes, ms, spread, error, fault }) => ({ label, bytes, ms, spread, error, fault })),
  };
}

globalThis.finished = bench();
