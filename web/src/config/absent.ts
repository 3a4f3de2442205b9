// What a single encoding cannot express: layers without positions, windows, temperatures, a second encoding.
import { PosencError } from "../base/errors.js";
import { asObject, type Json } from "../base/json.js";
import { factsOf } from "./model-types/table.js";
import { ownFields } from "./of-layers.js";
import { flag, modelType, number } from "./read.js";

const isGiven = (value: unknown): boolean => value !== undefined && value !== null && value !== false;

/** Whether the model's code leaves layers of this kind without positions. `no_rope_layers` is not considered. */
export function hasNoPositions(model: Json, layerType?: string): boolean {
  const { isUnrotated, rotatesLocally } = factsOf(model);
  if (isUnrotated?.(model)) return true;
  if (flag(model, "use_rope") === false || layerType === "cross_attention") return true;
  // Layers whose parameters are null have no positions.
  if (layerType !== undefined && asObject(model["rope_parameters"])?.[layerType] === null) return true;
  return layerType === "full_attention" && rotatesLocally?.(model) === true;
}

/** Throws for layers without positions. */
export function checkHasPositions(model: Json, layerType?: string): void {
  if (!hasNoPositions(model, layerType)) return;
  const [field, what] = hasNoPositions(model)
    ? ["model_type", `attention of ${modelType(model)} has`]
    : ["layerType", `${layerType} layers have`];
  throw new PosencError("unsupported", `${field}: ${what} no positions`, field);
}

/** Fields of a schedule of layers that `ignoredBy` lists under one name, "sliding_window" or "layer_types". */
export const partOfSchedule =
  /^(layer_types|layers_block_type|no_rope_layer_interval|use_sliding_window|_?sliding_window(_pattern)?)$/;

/** Whether `sliding_window` is in use. Qwen's is off by default, in new types, too. */
export const usesWindow = (model: Json): boolean =>
  flag(model, "use_sliding_window") ?? !(factsOf(model).windowOff ?? modelType(model).startsWith("qwen"));

/** Returns names of config fields about positions that the encoding does not express; `layers` returns their values. */
export function ignoredBy(model: Json): string[] {
  const { unexpressed, rotatesByList, unrotatedTemperature, temperature, temperatureField } = factsOf(model);
  const types = model["layer_types"];
  const differ = hasNoPositions(model, "full_attention") || (Array.isArray(types) && new Set(types).size > 1);
  const rope = asObject(model["rope_parameters"]) ?? {};
  const isBiased = flag(model, "relative_attention") === true && flag(model, "position_biased_input") !== false;
  const names = [
    ...ownFields.filter((name) => isGiven(model[name])),
    usesWindow(model) && isGiven(model["sliding_window"]) && "sliding_window",
    differ && "layer_types",
    unexpressed,
    rotatesByList && "no_rope_layer_interval",
    (unrotatedTemperature?.(model) ?? isGiven(model["attn_temperature_tuning"])) && "attn_temperature_tuning",
    temperature?.(model) && temperatureField,
    number(rope, "llama_4_scaling_beta") !== undefined && "llama_4_scaling_beta",
    isBiased && "position_biased_input",
  ];
  return [...new Set(names.filter((name): name is string => typeof name === "string"))];
}
