// Fields of configs for single layers: a list of bases, a list of shares, overrides by layer index.
import { invalid, show } from "../base/errors.js";
import { asObject, type Json } from "../base/json.js";

/** Reads the list with this name, and returns its entry for a layer. */
function listed(model: Json, name: string, layer: number): unknown {
  const list = model[name];
  if (!Array.isArray(list)) return undefined;
  if (layer >= list.length)
    throw invalid(name, `must have a value for each layer, got ${list.length} values and layer ${layer}`);
  const value: unknown = list[layer];
  if (value !== null && typeof value !== "number")
    throw invalid(name, `must be a list of numbers, got ${show(value)} for layer ${layer}`);
  return value ?? 0;
}

const lists = ["layer_rope_theta", "rope_theta", "partial_rotary_factors"];

/** Whether a config overrides fields of single layers. */
export function hasLayerOverrides(model: Json): boolean {
  for (const name of ["layer_rope_theta", "partial_rotary_factors"])
    if ((model[name] ?? undefined) !== undefined && !Array.isArray(model[name]))
      throw invalid(name, `must be a list with a value for each layer, got ${show(model[name])}`);
  const own = asObject(model["per_layer_config"]) ?? {};
  return lists.some((name) => Array.isArray(model[name])) || Object.keys(own).length > 0;
}

/** Returns the fields in which this layer differs from the rest of the config, by their names in the config. */
export function overridesOf(model: Json, layer: number): Json {
  const base = listed(model, "layer_rope_theta", layer) ?? listed(model, "rope_theta", layer);
  const share = listed(model, "partial_rotary_factors", layer);
  const own = asObject(model["per_layer_config"])?.[layer];
  return {
    ...asObject(own),
    ...(base !== undefined && { rope_theta: base }),
    ...(share !== undefined && { partial_rotary_factor: share }),
  };
}

function withOwn(rope: Json, overrides: Json): Json {
  const names = ["rope_theta", "partial_rotary_factor"].filter((name) => name in rope && name in overrides);
  return { ...rope, ...Object.fromEntries(names.map((name) => [name, overrides[name]])) };
}

/**
 * Returns the config of one layer. It is built on top of the watched config, which records the fields that are read.
 */
export function asLayerHas(model: Json, overrides: Json): Json {
  const names = Object.keys(overrides);
  if (names.length === 0) return model;
  // A layer's own base replaces that of `rope_parameters`, too.
  const rope = Object.fromEntries(
    ["rope_parameters", "rope_scaling"].flatMap((name) => {
      const given = asObject(model[name]);
      return given ? [[name, withOwn(given, overrides)]] : [];
    }),
  );
  return Object.assign(Object.create(model) as Json, rope, overrides);
}

/** A layer whose base is 0 or null does not rotate. */
export const hasNoBase = (model: Json, layer: number): boolean =>
  ["layer_rope_theta", "rope_theta"].some((name) => listed(model, name, layer) === 0);

/** Returns each set of overrides of single layers of this type, or of all layers that rotate, once. */
export function overridesIn(model: Json, layerType: string | undefined): Json[] {
  const types = model["layer_types"];
  if (!Array.isArray(types) && layerType !== undefined)
    throw invalid("layer_types", "is missing from the config, which overrides single layers");
  const list = lists.map((name) => model[name]).find(Array.isArray);
  const all: readonly unknown[] = Array.isArray(types) ? types : (list ?? [undefined]);
  const found = all.flatMap((type, layer) =>
    (layerType ?? type) === type && !hasNoBase(model, layer) ? [JSON.stringify(overridesOf(model, layer))] : [],
  );
  return [...new Set(found)].map((overrides) => JSON.parse(overrides) as Json);
}
