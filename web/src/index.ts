/**
 * The package for browsers and bundlers: the wasm files are next to this file.
 * @module posenc
 */
import { located, makeInit } from "./init.js";
import { onDemand } from "./parts/on-demand.js";

export * from "./exports.js";

// Each address is a literal: bundlers look for exactly this form. Bundled scripts and workers may have no address.
const addresses = {
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

/**
 * Starts the library with the fastest build that this engine runs correctly, or with the given one.
 *
 * Tables, rotations and biases load first; name the other parts in `parts`, or load them later with `pe.load`. Equal
 * requests return the same instance, and a failed request can be repeated. Nothing is loaded before the call.
 * @param source The build: its address, a `Response`, its bytes or a `WebAssembly.Module`. Or { source, variant, threads,
 * parts }. Default: the .wasm files next to this module.
 * @returns The instance.
 * @throws {PosencError} `load-failed` with the address and the remedy if no build can be loaded; `invalid-argument` if the source
 * or an option is invalid.
 * @example
 * const pe = await init({ parts: ["attention"] });
 */
export const init = /* @__PURE__ */ makeInit({
  code: onDemand,
  whole: (variant) => located(addresses[variant]),
  part: (file) => located(addresses[file]),
  threads: { source: () => located(addresses.threads), starter: () => import("./wasm/threads.js") },
});
