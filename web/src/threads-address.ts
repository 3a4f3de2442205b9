// Where the build with threads lies, for posenc/inline, which must know no address itself: where it is made CommonJS, there
// is no import.meta.
import { located } from "./init.js";

export const threadsAddress = (): URL => located(() => new URL("./posenc.threads.wasm", import.meta.url));
