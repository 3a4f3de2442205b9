// The package for <script>: one file, from any address, also from disk. Only engines without SIMD fetch another build.
import { located, makeInit } from "./init.js";
import { included } from "./parts/included.js";
import { unpack } from "./wasm/embedded.js";
import { simd } from "./wasm/wasm-bytes.js";

export * from "./exports.js";

// Known only while the script runs. Workers have no document.
const script = typeof document === "undefined" ? undefined : (document.currentScript as HTMLScriptElement | null);
const address = script?.src || globalThis.location?.href;

/** Starts the library, as `init` of the main entry does. */
export const init = makeInit({
  code: included,
  whole: (variant) => (variant === "scalar" ? located(() => new URL("./posenc.scalar.wasm", address)) : unpack(simd)),
});
