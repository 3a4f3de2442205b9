// Parts that come with the entry.
import { attentionPart } from "./attention.js";
import { cachePart } from "./cache.js";
import { configPart } from "./config.js";
import { idsPart } from "./ids.js";
import { relativePart } from "./relative.js";
import { resizePart } from "./resize.js";
import { trainingPart } from "./training.js";
import type { CodeOf } from "../wasm/parts.js";

export const included: CodeOf = {
  attention: () => attentionPart,
  relative: () => relativePart,
  training: () => trainingPart,
  cache: () => cachePart,
  resize: () => resizePart,
  config: () => configPart,
  ids: () => idsPart,
};
