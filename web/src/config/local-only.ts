// Models that rotate only in layers with a window, and have no positions in layers with full attention. Accepts any
// values without throwing: `posenc/onnx` passes unchecked configs.
import type { Json } from "../base/json.js";

const types = new Set("afmoe cohere2 cohere2_moe exaone4 exaone4_5 exaone4_5_text exaone_moe".split(" "));

/**
 * Whether layers of such a model with full attention have no positions. EXAONE without a window rotates in all layers.
 */
export function rotatesOnlyLocally(type: string, model: Json): boolean {
  if (!types.has(type)) return false;
  return !type.startsWith("exaone") || Boolean(model["sliding_window"] ?? false);
}

const countAt = (model: Json, name: string, fallback: number): number => {
  const value = model[name];
  return Number.isSafeInteger(value) && (value as number) > 0 ? (value as number) : fallback;
};
const densePattern = (model: Json): number => countAt(model, "prefix_dense_sliding_window_pattern", 1);

/** Whether this is one of the layers without experts, with which `cohere2_moe` begins. */
function isDense(model: Json, layer: number): boolean {
  const { mlp_layer_types: given } = model;
  return Array.isArray(given) ? given[layer] === "dense" : layer < countAt(model, "first_k_dense_replace", 0);
}

/** Layers of `cohere2_moe` without experts rotate with any window, unless they have a separate pattern. */
export const rotatesDespiteLayerType = (type: string, model: Json, layer: number): boolean =>
  type === "cohere2_moe" && densePattern(model) === 1 && isDense(model, layer);

/** Whether a layer of `cohere2_moe` has a window: layers with experts are counted from the first of them. */
export function isLocalAmongExperts(model: Json, layer: number): boolean {
  const dense = countAt(model, "first_k_dense_replace", 0);
  return layer < dense
    ? (layer + 1) % densePattern(model) !== 0
    : (layer - dense + 1) % countAt(model, "sliding_window_pattern", 4) !== 0;
}
