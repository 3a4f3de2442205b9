// The parts of a config: a language model, encoders of images and sound, the two halves of a translator.
import { invalid } from "../base/errors.js";
import { asObject, type Json } from "../base/json.js";
import { modelType } from "./read.js";

// Their parts need not repeat what they are.
const pairs = new Set(["clip", "siglip", "clipseg", "chinese_clip", "owlvit", "owlv2", "groupvit", "clap"]);
/** What a part is that does not say it. */
export const typeOfPart = (type: string, place: string): string => (pairs.has(type) ? `${type}_${place}_model` : type);

const textNames = ["text_config", "language_config", "phi_config"];
/** The language model inside a multimodal config. */
export const textOf = (outer: Json): Json | undefined =>
  textNames.map((name) => asObject(outer[name])).find((inner) => inner !== undefined);

/** The part of a multimodal config that is asked for. */
export function partOf(outer: Json, vision: boolean): Json {
  const inner = vision ? asObject(outer["vision_config"]) : textOf(outer);
  if (vision && !inner) throw invalid("vision_config", "is missing from the config");
  if (!inner) return outer;
  return { ...inner, model_type: inner["model_type"] ?? typeOfPart(modelType(outer), vision ? "vision" : "text") };
}
