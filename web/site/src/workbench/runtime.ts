// onnxruntime in the page's worker: fetched when the reader asks for a run, and kept by the browser.
import { env, InferenceSession } from "onnxruntime-web/wasm";
import { download } from "../lab/download.ts";

export interface RuntimeFile {
  address: string;
  /** Of the download. */
  bytes: number;
}

/** Gzipped on the server, whatever the server does about it. */
async function unpacked(bytes: ArrayBuffer): Promise<ArrayBuffer> {
  const [first, second] = new Uint8Array(bytes, 0, 2);
  if (first !== 0x1f || second !== 0x8b) return bytes;
  return new Response(new Response(bytes).body!.pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
}

export async function startRuntime(file: RuntimeFile, progress: (fraction: number) => void): Promise<void> {
  const bytes = await download(file.address, (count) => progress(count / file.bytes));
  env.wasm.wasmBinary = await unpacked(bytes);
  // Threads would need headers that static hosts do not send.
  env.wasm.numThreads = 1;
  // What goes wrong is shown by the page.
  env.logLevel = "fatal";
}

export interface ExternalFile {
  /** As the model names it. */
  path: string;
  data: Uint8Array;
}

export const openSession = (model: Uint8Array, externalData: ExternalFile[]): Promise<InferenceSession> =>
  InferenceSession.create(model, { executionProviders: ["wasm"], externalData, logSeverityLevel: 4 });
