// The parts of a config: a language model, encoders of images and audio, the two halves of a translator.
import { asObject, type Json } from "../base/json.js";

// Models whose parts need not name their type.
const pairs = new Set(["clip", "siglip", "clipseg", "chinese_clip", "owlvit", "owlv2", "groupvit", "clap"]);
/** Returns the model type of a part that does not name it. */
export const typeOfPart = (type: string, modality: string): string =>
  pairs.has(type) ? `${type}_${modality}_model` : type;

const textNames = [
  "text_config",
  "language_config",
  "phi_config",
  "global_config",
  "thinker_config",
  "vlm_config",
  "llm_config",
];
/** Returns the language model inside a multimodal config. */
export const textOf = (outer: Json): Json | undefined =>
  textNames.map((name) => asObject(outer[name])).find((inner) => inner !== undefined);
