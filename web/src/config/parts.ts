// The parts of a config, and the model types of those that do not name theirs.
import { invalid } from "../base/errors.js";
import { asObject, type Json } from "../base/json.js";
import { factsOf } from "./model-types/table.js";
import { contradiction } from "./read.js";

/** Kinds of parts of a config. */
export type Modality = "text" | "vision" | "audio";

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
const textOf = (outer: Json): Json | undefined =>
  textNames.map((name) => asObject(outer[name])).find((inner) => inner !== undefined);

/** Returns the config of a part, with its model type. */
export function withType(outer: Json, inner: Json, modality: Modality): Json {
  const facts = factsOf(outer);
  const typed = { ...inner, model_type: inner["model_type"] ?? facts[modality] ?? outer["model_type"] ?? "" };
  const fallback = modality === "text" ? facts.outerSections : undefined;
  return fallback ? { ...typed, mrope_section: sectionsFor(outer, inner) ?? fallback } : typed;
}

/** Returns M-RoPE's sections of a text part, which may be at the top level of the config, too. */
function sectionsFor(outer: Json, inner: Json): unknown {
  const given = [outer, inner, asObject(inner["rope_parameters"]), asObject(inner["rope_scaling"])];
  const [first, ...others] = given.map((fields) => fields?.["mrope_section"] ?? undefined).filter(Boolean);
  for (const other of others)
    if (String(other) !== String(first)) throw contradiction("mrope_section", String(first), String(other));
  return first;
}

/** Returns the language model inside a config, which may be a part of a part (Qwen 2.5 Omni's thinker). */
export function textIn(outer: Json): Json | undefined {
  let model: Json | undefined;
  for (let inner = textOf(outer); inner; inner = textOf(model)) model = withType(model ?? outer, inner, "text");
  return model;
}

/** Returns the requested part of a multimodal config. */
export function partOf(outer: Json, vision: boolean): Json {
  if (!vision) return textIn(outer) ?? outer;
  const inner = asObject(outer["vision_config"]);
  if (!inner) throw invalid("vision_config", "is missing from the config");
  return withType(outer, inner, "vision");
}
