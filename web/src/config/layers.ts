// The encoding, window and temperature of each layer, from a config.json.
import type { Remap, Temperature } from "../base/call-options.js";
import { invalid, show } from "../base/errors.js";
import { maybe, oneOf, readOptions } from "../base/options.js";
import type { Spec } from "../base/specs.gen.js";
import { configOptions, type ConfigOptions } from "./config.js";
import type { Choice } from "./rules/text.js";
import { partOfSchedule, usesWindow } from "./absent.js";
import type { Json } from "../base/json.js";
import * as read from "./read.js";
import { asLayerHas, overridesOf, hasLayerOverrides } from "./per-layer.js";
import type { ConfigReading } from "./reading.js";
import { rotary, type Pairing } from "./rope.js";
import { factsOf, rotaryFacts } from "./model-types/table.js";
import { attends } from "./attends.js";
import { layerTypes, layerRotates } from "./schedules.js";
import type { Part, Stack } from "./stack.js";
import { stacksOf } from "./stacks.js";
import { notRotary, reasonOf } from "./not-rotary.js";
import { withoutReader } from "./unread.js";
import { watch } from "./watched.js";
import { chunkOf, remapOf, temperatureOf, windowOf } from "./windows.js";

export type { Part } from "./stack.js";

/** Options of `layerSpecs`. */
export interface LayerOptions extends Pick<ConfigOptions, "pairing"> {
  /** Only layers of this part. Default: all parts one after another, the language model or the encoder first. */
  part?: Part;
}

/** Properties of a layer, except its encoding. */
export interface LayerFacts {
  /** Part of the model that the layer belongs to. */
  readonly part: Part;
  /** Index of the layer in that part, from 0. */
  readonly layer: number;
  /**
   * Kind of layer, as `layer_types` of Transformers names it: "full_attention", "sliding_attention", "chunked_attention", …;
   * without attention "mamba", "conv", "linear_attention", "moe". Stages of image encoders are "stage1", …
   */
  readonly type: string;
  /** Attention window, as `attention` takes it: a causal layer attends to keys at a distance below it; or [left, right]. */
  readonly window?: number | readonly [number, number];
  /**
   * Chunk size in tokens: queries attend only to keys in the same chunk (Llama 4). Pass ⌊position / chunk⌋ as
   * `segments`.
   */
  readonly chunk?: number;
  /** Temperature of the queries, as `attention` takes it. */
  readonly temperature?: Temperature;
  /** Remapping of distances, as `attention` takes it (dual chunk attention of Qwen2.5-1M). */
  readonly remap?: Remap;
  /** Fields that have Llama's values, as in `readConfig`; "type" means that all layers are assumed to be alike. */
  readonly assumed: readonly string[];
  /** Names of config fields about positions that no layer uses. */
  readonly ignored: readonly string[];
  /**
   * A property of the layer that the other fields do not express, or the reason why the encoding is null although the layer has
   * positions.
   */
  readonly note?: string;
}

/** A layer of a model with the spec of its encoding. */
export interface LayerSpec extends LayerFacts {
  /** Spec of the encoding. null: the layer has no positions or, if there is a `note`, posenc has no kind for them. */
  readonly spec: Spec | null;
  /** Table that is added before the first layer, in addition to the encoding of attention (MPNet, DeBERTa). */
  readonly input?: Spec;
}

const layerOptions = {
  part: maybe(oneOf("text", "vision", "audio", "encoder", "decoder")),
  pairing: configOptions.pairing,
};

/**
 * Returns the encoding, window and kind of each layer of a model, from its Hugging Face config.json.
 *
 * Use it instead of `specFromConfig` if layers differ; `pe.layers` creates the encodings, too. A table that is added before the
 * first layer is the spec of every layer that has no other positions.
 * @param config The object of a config.json, of Transformers v4 or v5.
 * @param options Part of the model and pair layout. Default: all parts, and the pair layout that the model type implies.
 * @returns One entry per layer, part after part; [] for models without attention.
 * @throws {PosencError} `invalid-argument` if a field is missing, has the wrong type or contradicts another one, or the config
 * lacks the `part`; `unsupported` if the config does not describe its layers, or has an unknown scaling rule.
 * @example
 * for (const { layer, type, spec, window } of layerSpecs(config)) console.log(layer, type, spec?.kind, window);
 */
export function layerSpecs(config: unknown, options: LayerOptions = {}): LayerSpec[] {
  const { part, pairing } = readOptions(options, layerOptions);
  const outer = read.configObject(config);
  const stacks = stacksOf(outer);
  const chosen = stacks.filter((stack) => part === undefined || stack.part === part);
  if (part !== undefined && chosen.length === 0)
    throw invalid(
      "part",
      `must be a part of the config (${[...new Set(stacks.map((stack) => stack.part))].join(", ")}), got ${show(part)}`,
    );
  return chosen.flatMap((stack) => layersOf(stack, pairing));
}

/** The spec of a layer, with assumed and ignored fields. */
interface LayerReading extends Omit<ConfigReading, "spec"> {
  readonly spec: Spec | null;
}
const none: readonly string[] = Object.freeze([]);
const nothing: LayerReading = { spec: null, assumed: none, ignored: none };

/** Returns a reader of specs. Layers of one kind have the same spec, unless the config overrides single layers. */
function specReader({ model, part, side }: Stack, pairing: Pairing | undefined) {
  const found = new Map<string, LayerReading>();
  const hasOverrides = hasLayerOverrides(model);
  return (type: string, layer: number): LayerReading => {
    const choice: Choice = { layerType: side ?? type, vision: part === "vision" };
    const overrides = hasOverrides ? overridesOf(model, layer) : {};
    const key = type + JSON.stringify(overrides);
    const known = found.get(key);
    if (known) return known;
    const other = notRotary(model, choice);
    const reading = other ? { ...nothing, spec: other } : rotation(asLayerHas(model, overrides), choice, pairing);
    found.set(key, reading);
    return reading;
  };
}

/** Reads a rotation. Layers of an unknown type are assumed to be alike unless the config lists their types. */
function rotation(model: Json, choice: Choice, pairing: Pairing | undefined): LayerReading {
  const { assumed, ...reading } = rotary(model, choice, pairing);
  const isListed = rotaryFacts(read.modelType(model)) !== undefined || Array.isArray(model["layer_types"]);
  return { ...reading, assumed: Object.freeze(isListed ? assumed : [...assumed, "type"]) };
}

/** Returns the layers of one stack. */
export function layersOf(whole: Stack, pairing?: Pairing): LayerSpec[] {
  const { json: model, unread } = watch(whole.model);
  const layers = layersWith({ ...whole, model }, pairing);
  // Without positions, no ignored field is reported.
  if (layers.every(({ spec }) => spec === null)) return layers;
  const rotates = layers.some(({ spec }) => spec !== null && "base" in spec);
  // A list of layer types replaces all other fields of the schedule.
  const isSettled = Array.isArray(model["layer_types"]) || !usesWindow(model);
  const others = withoutReader(whole.model, unread(), rotates).filter(
    (name) => !isSettled || !partOfSchedule.test(name),
  );
  return layers.map(({ ignored, ...layer }) => ({ ...layer, ignored: Object.freeze([...ignored, ...others]) }));
}

function layersWith(stack: Stack, pairing: Pairing | undefined): LayerSpec[] {
  const { model, part } = stack;
  const reason = reasonOf(read.modelType(model)) ?? stack.note;
  if (reason !== undefined && stack.count === undefined && !stack.types)
    return [{ part, layer: 0, type: "unknown", ...nothing, note: reason }];
  const types = stack.types ?? layerTypes(model, stack.count);
  const specOf = specReader(stack, pairing);
  return types.map((kind, layer) => {
    const facts = { part, layer, type: kind };
    if (!attends(kind)) return { ...facts, ...nothing };
    const visible = { ...windowOf(stack, kind), ...chunkOf(model, kind) };
    if (reason !== undefined) return { ...facts, ...nothing, ...visible, note: reason };
    const isRotated = layerRotates(model, layer, kind);
    const reading = isRotated ? specOf(kind, layer) : nothing;
    const { spec } = reading;
    const scores = { ...temperatureOf(model, isRotated, kind), ...remapOf(model, isRotated) };
    return { ...facts, ...reading, ...visible, ...scores, ...(spec && factsOf(model).second?.(stack, spec, kind)) };
  });
}
