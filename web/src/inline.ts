// The package with the wasm inside: for Node, CDNs, extensions and pages opened from disk.
import { wasmBase64 } from "./wasm-bytes.js";
import { makeInit } from "./posenc.js";

export * from "./exports.js";

/** As `init` of the main entry, without any file to fetch. */
export const init = makeInit((variant) =>
  Uint8Array.from(atob(wasmBase64[variant]), (character) => character.charCodeAt(0)),
);
