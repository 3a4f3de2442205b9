// Which kind of attention each layer has, as the code of a model type computes it. Names of kinds are those of Transformers.
import { invalid, show } from "../../base/errors.js";
import * as read from "../read.js";
import type { Json } from "../../base/json.js";
import { interval, layerCount, number } from "../read.js";

/** Returns the kind of each layer, from 0, of a model with `count` layers. */
export type Pattern = (model: Json, count: number) => (layer: number) => string;

export const [full, sliding] = ["full_attention", "sliding_attention"] as const;
const linear = "linear_attention";
const includes = (list: unknown, layer: number): boolean => Array.isArray(list) && list.includes(layer);

/** Every `n`th layer has full attention, counted from 1. */
export const everyNth =
  (n: number, other: string = sliding, ...names: string[]): Pattern =>
  (model) => {
    const every = interval(model, n, ...names);
    return (layer) => ((layer + 1) % every === 0 ? full : other);
  };
/** The same, if the config may have another number. */
export const everyNthOrGiven = (n: number): Pattern =>
  everyNth(n, sliding, "sliding_window_pattern", "_sliding_window_pattern");

/** Qwen: windows begin at `max_window_layers`. */
export const qwen: Pattern = (model) => {
  const from = windowed(model) ? (number(model, "max_window_layers") ?? 28) : Infinity;
  return (layer) => (layer >= from ? sliding : full);
};
/** Qwen 2 with experts: even layers before `max_window_layers`. */
export const qwenExperts: Pattern = (model) => (layer) =>
  windowed(model) && layer % 2 === 0 && layer < (number(model, "max_window_layers") ?? 28) ? sliding : full;
export const qwenWhole: Pattern = (model) => () => (windowed(model) ? sliding : full);
const windowed = (model: Json): boolean =>
  read.flag(model, "use_sliding_window") === true && number(model, "sliding_window") !== undefined;

/** ModernBERT: layers are counted from 0. */
export const modernbert: Pattern = (model) => {
  const every = interval(model, 3, "global_attn_every_n_layers");
  return (layer) => (layer % every === 0 ? full : sliding);
};

/** Bailing: the last layer of each group has full attention, and so have layers after the last whole group. */
export const bailing: Pattern = (model, count) => {
  const size = interval(model, 5, "layer_group_size");
  return (layer) => ((layer + 1) % size === 0 || layer >= count - (count % size) ? full : linear);
};

/** EXAONE from 4 on: a number, or a word such as LLLG. */
export const exaone: Pattern = (model, count) => {
  const given = model["sliding_window_pattern"];
  if (number(model, "sliding_window") === undefined) return () => full;
  const isWord = typeof given === "string" && given !== "";
  const every = isWord ? given.length : interval(model, 4, "sliding_window_pattern");
  return everyNth(every, sliding)(model, count);
};

/** GPT-Neo: [[["global", "local"], 12]]. */
export const gptNeo: Pattern = (model) => {
  const given = model["attention_layers"] ?? model["attention_types"] ?? [[["global", "local"], 12]];
  const one = (item: unknown): unknown[] =>
    Array.isArray(item) ? Array.from({ length: layerCount(item[1], "attention_types") }, () => item[0]).flat() : [item];
  const types = Array.isArray(given) ? given.flatMap(one) : [];
  return (layer) => (types[layer] === "local" ? sliding : full);
};

const deepseekKinds: Record<string, string> = {
  0: sliding,
  4: "compressed_sparse_attention",
  128: "heavily_compressed_attention",
};
export const deepseekV4: Pattern = (model) => {
  const ratios = model["compress_ratios"];
  if (Array.isArray(ratios)) return (layer) => read.lookUp(deepseekKinds, String(ratios[layer])) ?? "unknown";
  return (layer) => deepseekKinds[layer >= 2 && layer % 2 === 1 ? 4 : 128]!;
};

const nemotronKinds: Record<string, string> = { M: "mamba", E: "moe", "*": "attention", "-": "mlp" };
export const nemotron: Pattern = (model) => {
  const word = read.text(model, "hybrid_override_pattern") ?? "";
  return (layer) => read.lookUp(nemotronKinds, word[layer] ?? "") ?? "unknown";
};

export const lfm2: Pattern = (model) => {
  const given = model["full_attn_idxs"];
  return (layer) => (!Array.isArray(given) || given.includes(layer) ? full : "conv");
};

export const jamba: Pattern = (model) => {
  const [period, offset] = [interval(model, 8, "attn_layer_period"), number(model, "attn_layer_offset") ?? 4];
  return (layer) => (layer % period === offset ? "attention" : "mamba");
};

/** OLMo Hybrid: at least one layer has attention. */
export const olmoHybrid: Pattern = (_, count) => (layer) =>
  layer % 4 === 3 || (count < 4 && layer === count - 1) ? full : linear;

export const gemma4: Pattern = (model, count) => (layer) =>
  layer === count - 1 ? full : everyNth(6, sliding)(model, count)(layer);

export const llama4: Pattern = (model) => (layer) => (rotatesByList(model, layer) ? "chunked_attention" : full);
export const smollm3: Pattern = (model) => (layer) =>
  windowed(model) && !rotatesByList(model, layer) ? sliding : full;

/** The first of each four layers has full attention. */
export const firstOfFour: Pattern = () => (layer) => (layer % 4 === 0 ? full : sliding);
export const muse: Pattern = (_, count) => (layer) => ((count - 1 - layer) % 4 === 0 ? full : sliding);
export const mimo: Pattern = () => (layer) => (layer === 0 || (layer + 1) % 6 === 0 ? full : sliding);
export const minimax: Pattern = () => (layer) => (layer % 2 === 0 ? full : linear);
export const bamba: Pattern = (model) => (layer) => (includes(model["attn_layer_indices"], layer) ? full : linear);
export const zamba2: Pattern = (model) => (layer) =>
  includes(model["hybrid_layer_ids"] ?? [6, 12, 18, 24, 30, 36, 42, 47, 51], layer) ? "hybrid" : linear;
export const mllama: Pattern = (model) => (layer) =>
  includes(model["cross_attention_layers"] ?? [3, 8, 13, 18, 23, 28, 33, 38], layer) ? "cross_attention" : full;
/** Inkling: layers with a window are listed, or all except every sixth. */
export const inkling: Pattern = (model) => {
  const local = model["local_layer_ids"] ?? undefined;
  return (layer) =>
    (local === undefined ? (layer + 1) % 6 !== 0 : includes(local, layer)) ? "hybrid_sliding" : "hybrid";
};
const recurrentKinds: Record<string, string> = { attention: sliding, recurrent: "recurrent" };
export const recurrentGemma: Pattern = (model) => {
  const given = model["block_types"] ?? ["recurrent", "recurrent", "attention"];
  if (!Array.isArray(given) || given.length === 0)
    throw invalid("block_types", `must be a list of strings, got ${show(given)}`);
  return (layer) => read.lookUp(recurrentKinds, String(given[layer % given.length])) ?? "unknown";
};

export const always =
  (type: string): Pattern =>
  () =>
  () =>
    type;

export const qwenHybrid = everyNth(4, linear, "full_attention_interval");
export const sparse = always("deepseek_sparse_attention");

/** Reads `no_rope_layers`, whose meaning is the opposite of its name: 1 means that a layer rotates. */
export function rotatesByList(model: Json, layer: number): boolean {
  const given = model["no_rope_layers"];
  // Llama 4 writes an empty list if the interval applies.
  if (Array.isArray(given) && given.length > 0) return Boolean(given[layer]);
  return (layer + 1) % interval(model, 4, "no_rope_layer_interval") !== 0;
}

const countAt = (model: Json, name: string, fallback: number): number => number(model, name) || fallback;
const densePattern = (model: Json): number => countAt(model, "prefix_dense_sliding_window_pattern", 1);

/** Whether this is one of the layers without experts, with which `cohere2_moe` begins. */
function isDense(model: Json, layer: number): boolean {
  const { mlp_layer_types: given } = model;
  return Array.isArray(given) ? given[layer] === "dense" : layer < countAt(model, "first_k_dense_replace", 0);
}

/** Layers of `cohere2_moe` without experts rotate with any window, unless they have a separate pattern. */
export const rotatesAsDense = (model: Json, layer: number): boolean =>
  densePattern(model) === 1 && isDense(model, layer);

/** `cohere2_moe`: layers with experts are counted from the first of them. */
export const cohereExperts: Pattern = (model) => {
  const dense = countAt(model, "first_k_dense_replace", 0);
  const [before, after] = [densePattern(model), countAt(model, "sliding_window_pattern", 4)];
  return (layer) => ((layer < dense ? (layer + 1) % before : (layer - dense + 1) % after) === 0 ? full : sliding);
};
