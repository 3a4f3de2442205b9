// The kind of each layer of a model, as its config lists it or as its code computes it.
import { invalid, show } from "../base/errors.js";
import { hasNoPositions, usesWindow } from "./absent.js";
import { factsOf } from "./model-types/table.js";
import { hasNoBase } from "./per-layer.js";
import * as read from "./read.js";
import type { Json } from "../base/json.js";
import { number } from "./read.js";
import { always, full, rotatesByList, sliding } from "./rules/schedules.js";

/** Returns the kind of each layer, by the names of Transformers. */
export function layerTypes(model: Json, count: number | undefined): string[] {
  const given = model["layer_types"] ?? model["layers_block_type"] ?? undefined;
  if (given !== undefined) return listed(given, count);
  const word = read.text(model, "hybrid_override_pattern");
  const length = read.need(count ?? word?.length, "num_hidden_layers");
  const isWindowed = number(model, "sliding_window") !== undefined && usesWindow(model);
  const make = factsOf(model).schedule ?? always(isWindowed ? sliding : full);
  return Array.from({ length }, (_, layer) => make(model, length)(layer));
}

function listed(given: unknown, count: number | undefined): string[] {
  if (!Array.isArray(given) || !given.every((type) => typeof type === "string"))
    throw invalid("layer_types", `must be a list of strings, got ${show(given)}`);
  if (count !== undefined && count !== given.length) throw read.contradiction("layer_types", given.length, count);
  return given as string[];
}

/** Whether a layer has positions, by the model's code and the lists of its config. */
export function layerRotates(model: Json, layer: number, layerType: string): boolean {
  const { rotatesAnyway, rotatesByList: isKnown } = factsOf(model);
  if (hasNoBase(model, layer)) return false;
  if (rotatesAnyway?.(model, layer)) return true;
  if (hasNoPositions(model, layerType)) return false;
  const isListed =
    isKnown || Array.isArray(model["no_rope_layers"]) || number(model, "no_rope_layer_interval") !== undefined;
  return !isListed || rotatesByList(model, layer);
}
