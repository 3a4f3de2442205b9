// What a single encoding cannot express: layers without positions, windows, temperatures, a second encoding.
import { PosencError } from "../base/errors.js";
import { asObject, type Json } from "../base/json.js";
import { rotatesOnlyLocally } from "./local-only.js";
import { ownFields } from "./of-layers.js";
import { flag, modelType, number, text } from "./read.js";

// Their attention never has positions.
const withoutRotation = new Set(["nemotron_h", "jamba"]);

const isGiven = (value: unknown): boolean => value !== undefined && value !== null && value !== false;

/** Whether the model's code leaves layers of this kind without positions. `no_rope_layers` is not considered. */
export function hasNoPositions(model: Json, layerType?: string): boolean {
  const type = modelType(model);
  if (type === "granitemoehybrid") return text(model, "position_embedding_type") !== "rope";
  // A base of null means no positions; a missing base, the class's default.
  if (type === "olmo_hybrid")
    return (
      [asObject(model["rope_parameters"]) ?? {}, model].find((fields) => "rope_theta" in fields)?.["rope_theta"] ===
      null
    );
  if (withoutRotation.has(type) || flag(model, "use_rope") === false || layerType === "cross_attention") return true;
  // Zamba 2 has no positions unless its config says so; layers whose parameters are null have none.
  if (type === "zamba2" && flag(model, "use_mem_rope") !== true) return true;
  if (layerType !== undefined && asObject(model["rope_parameters"])?.[layerType] === null) return true;
  return layerType === "full_attention" && rotatesOnlyLocally(type, model);
}

/** Throws for layers without positions. */
export function checkHasPositions(model: Json, layerType?: string): void {
  if (!hasNoPositions(model, layerType)) return;
  const [field, what] = hasNoPositions(model)
    ? ["model_type", `attention of ${modelType(model)} has`]
    : ["layerType", `${layerType} layers have`];
  throw new PosencError("unsupported", `${field}: ${what} no positions`, field);
}

/** Types whose layers differ even if no field of their configs shows it. */
const schedules: Record<string, string> = {
  smollm3: "no_rope_layer_interval",
  llama4_text: "no_rope_layer_interval",
  mpnet: "relative_attention_num_buckets",
};
/** Fields of a schedule of layers that `ignoredBy` lists under one name, "sliding_window" or "layer_types". */
export const partOfSchedule =
  /^(layer_types|layers_block_type|no_rope_layer_interval|use_sliding_window|_?sliding_window(_pattern)?)$/;

/** Whether `sliding_window` is in use. Qwen's are off by default. */
export const usesWindow = (model: Json): boolean =>
  flag(model, "use_sliding_window") ?? !modelType(model).startsWith("qwen");

/** Returns names of config fields about positions that the encoding does not express; `layers` returns their values. */
export function ignoredBy(model: Json): string[] {
  const type = modelType(model);
  const types = model["layer_types"];
  const differ = hasNoPositions(model, "full_attention") || (Array.isArray(types) && new Set(types).size > 1);
  const rope = asObject(model["rope_parameters"]) ?? {};
  const isBiased = flag(model, "relative_attention") === true && flag(model, "position_biased_input") !== false;
  const names = [
    ...ownFields.filter((name) => isGiven(model[name])),
    usesWindow(model) && isGiven(model["sliding_window"]) && "sliding_window",
    differ && "layer_types",
    Object.hasOwn(schedules, type) && schedules[type],
    // On for Llama 4 unless the config disables it.
    (type === "llama4_text" ? model["attn_temperature_tuning"] !== false : isGiven(model["attn_temperature_tuning"])) &&
      "attn_temperature_tuning",
    number(rope, "llama_4_scaling_beta") !== undefined && "llama_4_scaling_beta",
    isBiased && "position_biased_input",
  ];
  return [...new Set(names.filter((name): name is string => typeof name === "string"))];
}
