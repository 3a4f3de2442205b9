// What pages with local models set up: transformers.js reads its models and onnxruntime from the page's own server.
const here = (path: string): string => new URL(path, document.baseURI).href;

export function useServed(env: any, { mjs, wasm }: { mjs: string; wasm: string }): void {
  const runtime = env.backends.onnx.wasm;
  runtime.wasmPaths = { mjs: here(mjs), wasm: here(wasm) };
  runtime.numThreads = 1;
  Object.assign(env, { allowRemoteModels: false, allowLocalModels: true, localModelPath: "/models/" });
  Object.assign(env, { useBrowserCache: false });
}
