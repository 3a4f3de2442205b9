// A library that nobody else uses.
import { init } from "posenc";
import { moduleBytes } from "./wasm";

type Library = Awaited<ReturnType<typeof init>>;

/** A library of its own, so that nobody else's memory counts; `memory` is its WebAssembly memory. */
export async function fresh(): Promise<{ pe: Library; memory: () => number }> {
  const instantiate = WebAssembly.instantiate.bind(WebAssembly);
  let instance: WebAssembly.Instance | undefined;
  const module = await WebAssembly.compile((await moduleBytes("simd")) as BufferSource);
  Object.assign(WebAssembly, {
    instantiate: async (given: WebAssembly.Module, imports: WebAssembly.Imports) =>
      (instance = await instantiate(given, imports)),
  });
  try {
    const pe = await init(module);
    const memory = Object.values(instance!.exports).find((item) => item instanceof WebAssembly.Memory)!;
    return { pe, memory: () => (memory as WebAssembly.Memory).buffer.byteLength };
  } finally {
    Object.assign(WebAssembly, { instantiate });
  }
}
