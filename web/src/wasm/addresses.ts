// The addresses of the wasm files, next to the file that has this code.

/** Each address is a literal: bundlers look for exactly this form. Bundled scripts and workers may have no address. */
export const addresses = {
  base: () => new URL("./posenc.base.wasm", import.meta.url),
  attention: () => new URL("./posenc.attention.wasm", import.meta.url),
  relative: () => new URL("./posenc.relative.wasm", import.meta.url),
  training: () => new URL("./posenc.training.wasm", import.meta.url),
  cache: () => new URL("./posenc.cache.wasm", import.meta.url),
  resize: () => new URL("./posenc.resize.wasm", import.meta.url),
  simd: () => new URL("./posenc.simd.wasm", import.meta.url),
  scalar: () => new URL("./posenc.scalar.wasm", import.meta.url),
  threads: () => new URL("./posenc.threads.wasm", import.meta.url),
};
