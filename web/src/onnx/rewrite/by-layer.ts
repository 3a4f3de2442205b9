// An option of a rewrite that layers may differ in.
import { PosencError } from "../../base/errors.js";
import { asObject } from "../../base/json.js";
import { attentionLayers } from "../audit/config-facts.js";
import { attendsElsewhere } from "./attention-crossing.js";
import { sitesOf } from "../find/sites.js";
import type { LibraryLayerSpec } from "../options.js";
import type { Step } from "../read/flow.js";
import type { Work } from "./work.js";

/** Options that layers may differ in; a config.json has them as properties of its layers. */
export type LayerOption = "window" | "remap" | "temperature";

/** The self-attention of a layer, with the value of an option for it. */
export interface Chosen<T> {
  readonly step: Step;
  readonly layer: number;
  readonly value: T;
}

/** Returns a function that reads the value of an option for a layer; undefined: no change. */
function chooser<T>(
  { pe }: Work,
  option: LayerOption,
  choice: unknown,
  read: (value: unknown) => T,
  layers: number,
): (layer: number) => T | undefined {
  const readMaybe = (value: unknown): T | undefined => (value === undefined ? undefined : read(value));
  if (typeof choice === "function") return (layer) => readMaybe((choice as (layer: number) => unknown)(layer));
  const config = asObject(choice);
  if (!config || !("model_type" in config)) {
    const value = read(choice);
    return () => value;
  }
  const specs: readonly LibraryLayerSpec[] | undefined = attentionLayers(pe.layerSpecs, config);
  if (!specs) throw refusedFor(option, "the config's layers cannot be read");
  if (specs.length !== layers)
    throw refusedFor(option, `the graph has ${layers} layers with attention, the config ${specs.length}`);
  const none = option === "window" ? Infinity : undefined;
  return (layer) => readMaybe(specs[layer]![option] ?? none);
}

export const refusedFor = (option: string, why: string): PosencError =>
  new PosencError("unsupported", `${option}: ${why}`, option);

/** Returns the self-attention of all layers for which an option has a value. */
export function chosenLayers<T>(
  work: Work,
  option: LayerOption,
  choice: unknown,
  read: (value: unknown) => T,
): Chosen<T>[] {
  const sites = sitesOf(work.flow);
  const valueAt = chooser(work, option, choice, read, sites.all.length);
  return work.flow.steps.flatMap((step) => {
    const layer = sites.layerOf(step);
    if (layer === undefined || attendsElsewhere(step)) return [];
    work.used.add(option);
    const value = valueAt(layer);
    return value === undefined ? [] : [{ step, layer, value }];
  });
}
