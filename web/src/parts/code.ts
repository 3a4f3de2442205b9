// The JavaScript of each part.
import type { LibraryPart } from "../base/types.js";
import type { Core } from "../wasm/core.js";
import type { attentionPart } from "./attention.js";
import type { cachePart } from "./cache.js";
import type { configPart } from "./config.js";
import type { idsPart } from "./ids.js";
import type { relativePart } from "./relative.js";
import type { resizePart } from "./resize.js";
import type { trainingPart } from "./training.js";

export interface Code {
  attention: typeof attentionPart;
  relative: typeof relativePart;
  training: typeof trainingPart;
  cache: typeof cachePart;
  resize: typeof resizePart;
  config: typeof configPart;
  ids: typeof idsPart;
}

/** Returns a part's JavaScript. Throws `not-loaded`. */
export const part = <Name extends LibraryPart>(core: Core, name: Name): Code[Name] => core.parts.use(name);
