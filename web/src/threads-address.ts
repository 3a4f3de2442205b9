// The address of the build with threads, for posenc/inline, which must not contain addresses: its CommonJS form has no
// import.meta.
import { located } from "./init.js";

export const threadsAddress = (): URL => located(() => new URL("./posenc.threads.wasm", import.meta.url));
