// The JavaScript of each part.
import type { LibraryPart } from "../base/types.js";

export interface Code {
  attention: typeof import("./attention.js");
  relative: typeof import("./relative.js");
  training: typeof import("./training.js");
  cache: typeof import("./cache.js");
  config: typeof import("./config.js");
  ids: typeof import("./ids.js");
}

/** Loads the JavaScript of each part. */
export type CodeOf = { readonly [Part in LibraryPart]: () => Code[Part] | Promise<Code[Part]> };
