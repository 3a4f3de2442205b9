// The package with the wasm inside: for Node, bundlers that leave files behind, extensions and CDNs.
import { makeInit } from "./init.js";
import { Posenc } from "./posenc.js";
import { unpack } from "./wasm/embedded.js";
import * as packed from "./wasm/wasm-bytes.js";

export * from "./exports.js";

/** As `init` of the main entry, without any file to fetch, but for those of several threads. Throws: load-failed. */
export const init = makeInit((variant) => unpack(packed[variant]), Posenc, {
  source: async () => (await import("./threads-address.js")).threadsAddress(),
  starter: () => import("./wasm/threads.js"),
});
