// From a Hugging Face config.json (Transformers v4 or v5) to the spec of the encoding that the model uses.
import { notRotary } from "./config/others.js";
import { asObject, modelType, type Json } from "./config/read.js";
import { rotary, type Pairing } from "./config/rope.js";
import { checkOptions, invalid, show } from "./errors.js";
import type { Spec } from "./specs.gen.js";

export interface ConfigOptions {
  /**
   * Which part or kind of layer, where they differ: "full_attention", "sliding_attention" (two bases), "vision" (the image
   * encoder), "decoder" (T5, Whisper), "stage1" … (Swin).
   */
  layerType?: string;
  /** Overrules the pair layout that the model type implies. */
  pairing?: Pairing;
}

/** The part of a multimodal config that is asked for. */
function partOf(outer: Json, vision: boolean): Json {
  const inner = asObject(outer[vision ? "vision_config" : "text_config"]);
  if (vision && !inner) throw invalid("vision_config", "is missing from the config");
  if (!inner) return outer;
  const type = modelType(outer);
  // CLIP's parts need not repeat what they are.
  const implied = type === "clip" || type === "siglip" ? `${type}_${vision ? "vision" : "text"}_model` : type;
  return { ...inner, model_type: inner["model_type"] ?? implied };
}

/**
 * The spec of a model's positional encoding. Learned tables come as { length, dim }: load the weights into them.
 * RoBERTa's, OPT's and BART's tables have 2 rows more than tokens fit: their positions start at 2.
 * Throws: invalid-argument (what is missing or contradicts itself), unsupported.
 */
export function specFromConfig(config: unknown, options: ConfigOptions = {}): Spec {
  checkOptions(options, "layerType pairing");
  const outer = asObject(config);
  if (!outer) throw invalid("config", `must be the object of a config.json, got ${show(config)}`);
  const { layerType, pairing } = options;
  const model = partOf(outer, layerType === "vision");
  return (notRotary(model, { layerType }) ?? rotary(model, layerType, pairing)) as unknown as Spec;
}
