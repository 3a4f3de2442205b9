// The package with the wasm inside: for Node, bundlers that do not copy files, extensions and CDNs.
import { makeInit } from "./init.js";
import { included } from "./parts/included.js";
import { unpack } from "./wasm/embedded.js";
import * as packed from "./wasm/wasm-bytes.js";

export * from "./exports.js";

/**
 * Starts the library with a build that is inside this module, as `init` of the main entry does.
 *
 * It has all parts of the library. Only several `threads` need another file.
 * @param source The build: its address, a `Response`, its bytes or a `WebAssembly.Module`. Or { source, variant, threads,
 * parts }.
 * Default: the build inside this module.
 * @returns The instance.
 * @throws {PosencError} `load-failed` with the address and the remedy if no build can be loaded; `invalid-argument` if the source
 * or an option is invalid.
 * @example
 * const pe = await init();
 */
export const init = /* @__PURE__ */ makeInit({
  code: included,
  whole: (variant) => unpack(packed[variant]),
  threads: {
    source: async () => (await import("./threads-address.js")).threadsAddress(),
    starter: () => import("./wasm/threads.js"),
  },
});
