/**
 * The package for browsers and bundlers: the wasm files are next to this file.
 * @module posenc
 */
import { located, makeInit } from "./init.js";
import { Posenc } from "./posenc.js";

export * from "./exports.js";

/**
 * Starts the library with the fastest build that this engine runs correctly, or with the given one.
 *
 * Equal requests return the same instance, and a failed request can be repeated. Nothing is loaded before the call.
 * @param source The build: its address, a `Response`, its bytes or a `WebAssembly.Module`. Or { source, variant, threads }.
 * Default: the .wasm file next to this module.
 * @returns The instance.
 * @throws {PosencError} `load-failed` with the address and the remedy if no build can be loaded; `invalid-argument` if the source
 * or an option is invalid.
 * @example
 * const pe = await init();
 */
export const init = makeInit(
  (variant) => {
    // Each address is a literal: bundlers look for exactly this form. Bundled scripts and workers may have no address.
    if (variant === "simd") return located(() => new URL("./posenc.simd.wasm", import.meta.url));
    return located(() => new URL("./posenc.scalar.wasm", import.meta.url));
  },
  Posenc,
  {
    source: () => located(() => new URL("./posenc.threads.wasm", import.meta.url)),
    starter: () => import("./wasm/threads.js"),
  },
);
