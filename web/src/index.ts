/**
 * The package for browsers and bundlers: the wasm files are next to this file.
 * @module posenc
 */
import { located, makeInit } from "./init.js";
import { onDemand } from "./parts/on-demand.js";
import { addresses } from "./wasm/addresses.js";

export * from "./exports.js";

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
