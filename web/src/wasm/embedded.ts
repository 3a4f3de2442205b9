// Builds embedded in JavaScript: gzip as base64, which every engine with WebAssembly SIMD can unpack by itself.
import { PosencError } from "../base/errors.js";
import { decodeBase64 } from "./base64.js";
import { builtInModule } from "./node.js";

/** Unpacks a build. Throws `load-failed` if the engine cannot unpack. */
export async function unpack(base64: string): Promise<Uint8Array> {
  // Node unpacks synchronously: setting up its streams takes longer than everything else.
  const { Buffer } = globalThis as { Buffer?: { from(text: string, encoding: "base64"): Uint8Array } };
  const zlib = builtInModule("node:zlib");
  if (zlib && Buffer) return zlib.gunzipSync(Buffer.from(base64, "base64"));
  if (typeof DecompressionStream === "undefined")
    throw new PosencError(
      "load-failed",
      "source: this engine has no DecompressionStream; pass the address of posenc.simd.wasm to init()",
      "source",
    );
  const { readable, writable } = new DecompressionStream("gzip");
  const writer = writable.getWriter();
  // Errors are thrown by the reader.
  writer.write(decodeBase64(base64)).catch(() => {});
  writer.close().catch(() => {});
  return collect(readable.getReader());
}

/** Collects all bytes of a stream. A Response would do the same, but costs Node 50 ms. */
async function collect(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for (let part = await reader.read(); !part.done; part = await reader.read()) parts.push(part.value);
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
