// The encodings of a config.json, with layers that have the same positions in one group.
import { PosencError } from "../base/errors.js";
import { asObject } from "../base/json.js";
import { cacheOf } from "../cli/cache-size.js";
import { readConfig } from "../config/config.js";
import { layerSpecs, type LayerSpec } from "../config/layers.js";
import type { ConfigReport, LayerGroup } from "./report.js";

/** Formats facts as text: arrays count with all of their values. */
const keyOf = (facts: object): string =>
  JSON.stringify(facts, (_, value: unknown) => (ArrayBuffer.isView(value) ? [...(value as Float32Array)] : value));

function grouped(layers: readonly LayerSpec[]): LayerGroup[] {
  const groups = new Map<string, { layers: number[]; facts: Omit<LayerGroup, "layers"> }>();
  for (const { layer, ...facts } of layers) {
    const key = keyOf(facts);
    const group = groups.get(key) ?? { layers: [], facts };
    group.layers.push(layer);
    groups.set(key, group);
  }
  return [...groups.values()].map(({ layers, facts }) => ({ ...facts, layers }));
}

/** Returns the groups of layers. A config without its number of layers has one group, unless its layers differ. */
function groupsOf(config: unknown): LayerGroup[] {
  try {
    return grouped(layerSpecs(config));
  } catch (error) {
    try {
      const { spec, assumed, ignored } = readConfig(config);
      return [{ part: "text", type: "", spec, assumed, ignored, layers: [] }];
    } catch (other) {
      throw other instanceof PosencError ? error : other;
    }
  }
}

const union = (lists: readonly (readonly string[])[]): string[] => [...new Set(lists.flat())];

function notesOn(groups: readonly LayerGroup[], config: unknown): ConfigReport["findings"] {
  const [assumed, ignored] = [union(groups.map((one) => one.assumed)), union(groups.map((one) => one.ignored))];
  const type = asObject(config)?.["model_type"];
  const unknown = type === undefined ? "The config has no model_type" : `model_type ${JSON.stringify(type)} is unknown`;
  const notes: [fields: string[], code: "config-assumed" | "config-ignored", message: string][] = [
    [assumed, "config-assumed", `${unknown}: assumed as in Llama: ${assumed.join(", ")}.`],
    [ignored, "config-ignored", `Config fields without effect: ${ignored.join(", ")}.`],
  ];
  return notes.flatMap(([fields, code, message]) =>
    fields.length > 0 ? [{ severity: "note" as const, code, message }] : [],
  );
}

export function configReport(config: unknown): Omit<ConfigReport, "file" | "bytes"> {
  const layers = groupsOf(config);
  return { format: "config", layers, findings: notesOn(layers, config), ...cacheOf(config) };
}
