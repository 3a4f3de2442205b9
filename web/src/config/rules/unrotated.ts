// Which models or layers have no positions, and the temperature of those that have none.
import { asObject, type Json } from "../../base/json.js";
import type { Temperature } from "../../base/call-options.js";
import { flag, number, text } from "../read.js";

export const always = (): boolean => true;
export const withoutRopeType = (model: Json): boolean => text(model, "position_embedding_type") !== "rope";
/** Zamba 2 has no positions unless its config says so. */
export const withoutMemoryRope = (model: Json): boolean => flag(model, "use_mem_rope") !== true;
/** OLMo Hybrid: a base of null means no positions; a missing base, the class's default. */
export const withNullBase = (model: Json): boolean =>
  [asObject(model["rope_parameters"]) ?? {}, model].find((fields) => "rope_theta" in fields)?.["rope_theta"] === null;
/** EXAONE: without a window, all layers rotate. */
export const fullWithWindow = (model: Json): boolean => Boolean(model["sliding_window"] ?? false);

/** Inkling: in layers with full attention, if the config has a position from which it grows. */
export function inklingTemperature(model: Json, layerType?: string): Temperature | undefined {
  const length = number(model, "log_scaling_n_floor");
  if (length === undefined || layerType === "hybrid_sliding") return undefined;
  return { rule: "log", factor: number(model, "log_scaling_alpha") ?? 0.1, length };
}

/** Llama 4: on unless the config turns it off. */
export function llama4Temperature(model: Json): Temperature | undefined {
  if (!(model["attn_temperature_tuning"] ?? true)) return undefined;
  return { factor: number(model, "attn_scale") ?? 0.1, length: number(model, "floor_scale") ?? 8192, offset: 1 };
}
