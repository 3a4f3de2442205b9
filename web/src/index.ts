/**
 * The package for browsers and bundlers: the wasm files lie beside this file.
 * @module posenc
 */
import { located, makeInit } from "./init.js";
import { Posenc } from "./posenc.js";

export * from "./exports.js";

/**
 * Starts the library: the fastest build that this engine runs correctly, or the given source. The same request gives the
 * same instance; a failed one can be repeated. Nothing happens before the call.
 * Throws: load-failed with the address and the remedy.
 */
export const init = makeInit(
  (variant) => {
    // Each address is written out: bundlers look for exactly this form. Scripts and workers made of modules may have none.
    if (variant === "simd") return located(() => new URL("./posenc.simd.wasm", import.meta.url));
    return located(() => new URL("./posenc.scalar.wasm", import.meta.url));
  },
  Posenc,
  {
    source: () => located(() => new URL("./posenc.threads.wasm", import.meta.url)),
    starter: () => import("./wasm/threads.js"),
  },
);
