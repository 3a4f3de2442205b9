// The first example in a page: transformers.js, onnxruntime's wasm and the model all come from this server.
import { env, pipeline } from "@huggingface/transformers";
import { init } from "posenc/inline";
import { compareOrders } from "../order-of-words.js";

const here = (path) => new URL(path, document.baseURI).href;

env.allowRemoteModels = false;
env.allowLocalModels = true; // off by default in pages
env.localModelPath = "models/"; // a path: with a whole address, 4.3 finds no tokenizer
// Before the first model; otherwise onnxruntime comes from a CDN.
const runtime = "ort-wasm-simd-threaded.asyncify";
env.backends.onnx.wasm.wasmPaths = { mjs: here(`${runtime}.mjs`), wasm: here(`${runtime}.wasm`) };
env.useWasmCache = false; // it would need scripts from blob: addresses
env.backends.onnx.wasm.numThreads = 1;

async function run() {
  const pe = await init();
  const extractor = await pipeline("feature-extraction", "word-vectors", { dtype: "fp32", device: "wasm" });
  const results = await compareOrders(pe, extractor, ["dog bites man", "man bites dog"]);
  document.querySelector("pre").textContent = results
    .map(([what, likeness]) => `${what}: likeness ${likeness.toFixed(6)}`)
    .join("\n");
  return results;
}

globalThis.finished = run();
