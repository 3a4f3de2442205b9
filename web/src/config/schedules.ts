// The kind of each layer of a model, as its config lists it or as its code computes it.
import { invalid, show } from "../base/errors.js";
import { hasNoPositions } from "./absent.js";
import { isLocalAmongExperts, rotatesDespiteLayerType } from "./local-only.js";
import { hasNoBase } from "./per-layer.js";
import * as read from "./read.js";
import type { Json } from "../base/json.js";
import { number } from "./read.js";

type Pattern = (model: Json, count: number) => (layer: number) => string;

const [full, sliding, linear] = ["full_attention", "sliding_attention", "linear_attention"] as const;
const includes = (list: unknown, layer: number): boolean => Array.isArray(list) && list.includes(layer);

/** Every `n`th layer has full attention, counted from 1. */
const everyNth =
  (n: number, other: string, ...names: string[]): Pattern =>
  (model) => {
    const every = number(model, ...names) ?? n;
    return (layer) => ((layer + 1) % every === 0 ? full : other);
  };
const pattern = ["sliding_window_pattern", "_sliding_window_pattern"];

/** Reads a number of layers. Numbers larger than any model has are rejected, as they would only take memory. */
export function layerCount(count: unknown, name: string): number {
  if (Number.isInteger(count) && (count as number) >= 0 && (count as number) <= 4096) return count as number;
  throw invalid(name, `must be a number of layers, got ${show(count)}`);
}

/** Qwen: windows begin at `max_window_layers`. */
const qwen: Pattern = (model) => {
  const from = windowed(model) ? (number(model, "max_window_layers") ?? 28) : Infinity;
  return (layer) => (layer >= from ? sliding : full);
};
const windowed = (model: Json): boolean =>
  read.flag(model, "use_sliding_window") === true && number(model, "sliding_window") !== undefined;

/** ModernBERT: layers are counted from 0. */
const modernbert: Pattern = (model) => {
  const every = number(model, "global_attn_every_n_layers") ?? 3;
  return (layer) => (layer % every === 0 ? full : sliding);
};

/** EXAONE from 4 on: a number, or a word such as LLLG. */
const exaone: Pattern = (model, count) => {
  const given = model["sliding_window_pattern"];
  if (number(model, "sliding_window") === undefined) return () => full;
  const every = typeof given === "string" ? given.length : (number(model, "sliding_window_pattern") ?? 4);
  return everyNth(every, sliding)(model, count);
};

/** GPT-Neo: [[["global", "local"], 12]]. */
const gptNeo: Pattern = (model) => {
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
const deepseekV4: Pattern = (model) => {
  const ratios = model["compress_ratios"];
  if (Array.isArray(ratios)) return (layer) => read.lookUp(deepseekKinds, String(ratios[layer])) ?? "unknown";
  return (layer) => deepseekKinds[layer >= 2 && layer % 2 === 1 ? 4 : 128]!;
};

const nemotronKinds: Record<string, string> = { M: "mamba", E: "moe", "*": "attention", "-": "mlp" };
const nemotron: Pattern = (model) => {
  const word = read.text(model, "hybrid_override_pattern") ?? "";
  return (layer) => read.lookUp(nemotronKinds, word[layer] ?? "") ?? "unknown";
};

const lfm2: Pattern = (model) => {
  const given = model["full_attn_idxs"];
  return (layer) => (!Array.isArray(given) || given.includes(layer) ? full : "conv");
};

const jamba: Pattern = (model) => {
  const [period, offset] = [number(model, "attn_layer_period") ?? 8, number(model, "attn_layer_offset") ?? 4];
  return (layer) => (layer % period === offset ? "attention" : "mamba");
};

/** OLMo Hybrid: at least one layer has attention. */
const olmoHybrid: Pattern = (_, count) => (layer) =>
  layer % 4 === 3 || (count < 4 && layer === count - 1) ? full : "linear_attention";

const gemma4: Pattern = (model, count) => (layer) =>
  layer === count - 1 ? full : everyNth(6, sliding)(model, count)(layer);

const llama4: Pattern = (model) => (layer) => (rotatesByList(model, layer) ? "chunked_attention" : full);
const smollm3: Pattern = (model) => (layer) => (windowed(model) && !rotatesByList(model, layer) ? sliding : full);

/** The first of each four layers has full attention. */
const firstOfFour: Pattern = () => (layer) => (layer % 4 === 0 ? full : sliding);
const muse: Pattern = (_, count) => (layer) => ((count - 1 - layer) % 4 === 0 ? full : sliding);
const mimo: Pattern = () => (layer) => (layer === 0 || (layer + 1) % 6 === 0 ? full : sliding);
const minimax: Pattern = () => (layer) => (layer % 2 === 0 ? full : linear);
const bamba: Pattern = (model) => (layer) => (includes(model["attn_layer_indices"], layer) ? full : linear);
const zamba2: Pattern = (model) => (layer) =>
  includes(model["hybrid_layer_ids"] ?? [6, 12, 18, 24, 30, 36, 42, 47, 51], layer) ? "hybrid" : linear;
const mllama: Pattern = (model) => (layer) =>
  includes(model["cross_attention_layers"] ?? [3, 8, 13, 18, 23, 28, 33, 38], layer) ? "cross_attention" : full;
const recurrentKinds: Record<string, string> = { attention: sliding, recurrent: "recurrent" };
const recurrentGemma: Pattern = (model) => {
  const given = model["block_types"] ?? ["recurrent", "recurrent", "attention"];
  if (!Array.isArray(given) || given.length === 0)
    throw invalid("block_types", `must be a list of strings, got ${show(given)}`);
  return (layer) => read.lookUp(recurrentKinds, String(given[layer % given.length])) ?? "unknown";
};

const always =
  (type: string): Pattern =>
  () =>
  () =>
    type;

const hybrid = everyNth(4, "linear_attention", "full_attention_interval");
const sparse = always("deepseek_sparse_attention");
const patterns: Record<string, Pattern> = {
  axk2: sparse,
  bamba,
  cwm: firstOfFour,
  deepseek_v32: sparse,
  diffusion_gemma_text: gemma4,
  gemma4_unified_text: gemma4,
  glm_moe_dsa: sparse,
  granite_swa: firstOfFour,
  granitemoe_swa: firstOfFour,
  laguna: always(full),
  mellum: always(full),
  mimo_v2_flash: mimo,
  minimax,
  mllama_text_model: mllama,
  muse_glimmer_text: muse,
  qwen2_5_omni_text: qwen,
  qwen2_5_omni_talker: qwen,
  dots1: qwen,
  qwen3_omni_moe_talker_code_predictor: qwen,
  deepseek_ocr2_encoder: qwen,
  recurrent_gemma: recurrentGemma,
  step3p5: always(full),
  t5_gemma_module: everyNth(2, sliding),
  t5gemma2_decoder: everyNth(6, sliding),
  t5gemma2_text: everyNth(6, sliding),
  zamba2,
  afmoe: everyNth(4, sliding, "global_attn_every_n_layers"),
  cohere2: everyNth(4, sliding, ...pattern),
  cohere2_moe: (model) => (layer) => (isLocalAmongExperts(model, layer) ? sliding : full),
  deepseek_v4: deepseekV4,
  embedding_gemma2_text: gemma4,
  exaone4: exaone,
  exaone4_5: exaone,
  exaone4_5_text: exaone,
  exaone_moe: exaone,
  falcon_h1: always("hybrid"),
  gemma2: everyNth(2, sliding),
  gemma3_text: everyNth(6, sliding, ...pattern),
  gemma3n_text: everyNth(5, sliding),
  gemma4_text: gemma4,
  gpt_neo: gptNeo,
  gpt_oss: everyNth(2, sliding),
  granitemoehybrid: always("mamba"),
  jamba,
  lfm2,
  lfm2_moe: lfm2,
  llama4_text: llama4,
  modernbert,
  "modernbert-decoder": modernbert,
  nemotron_h: nemotron,
  olmo3: everyNth(4, sliding),
  olmo_hybrid: olmoHybrid,
  qwen2: qwen,
  qwen2_vl_text: qwen,
  qwen2_5_vl_text: qwen,
  qwen2_vl: qwen,
  qwen2_5_vl: qwen,
  qwen2_moe: (model) => (layer) =>
    windowed(model) && layer % 2 === 0 && layer < (number(model, "max_window_layers") ?? 28) ? sliding : full,
  qwen3: qwen,
  qwen3_moe: (model) => () => (windowed(model) ? sliding : full),
  qwen3_next: hybrid,
  qwen3_5_text: hybrid,
  qwen3_5_moe_text: hybrid,
  smollm3,
  vaultgemma: everyNth(2, sliding),
  zaya: always("hybrid"),
};

/** Returns the kind of each layer, by the names of Transformers. */
export function layerTypes(model: Json, count: number | undefined): string[] {
  const given = model["layer_types"] ?? model["layers_block_type"] ?? undefined;
  if (given !== undefined) return listed(given, count);
  const word = read.text(model, "hybrid_override_pattern");
  const length = read.need(count ?? word?.length, "num_hidden_layers");
  const isWindowed = number(model, "sliding_window") !== undefined && model["use_sliding_window"] !== false;
  const make = read.lookUp(patterns, read.modelType(model)) ?? always(isWindowed ? sliding : full);
  return Array.from({ length }, (_, layer) => make(model, length)(layer));
}

function listed(given: unknown, count: number | undefined): string[] {
  if (!Array.isArray(given) || !given.every((type) => typeof type === "string"))
    throw invalid("layer_types", `must be a list of strings, got ${show(given)}`);
  if (count !== undefined && count !== given.length) throw read.contradiction("layer_types", given.length, count);
  return given as string[];
}

/** Reads `no_rope_layers`, whose meaning is the opposite of its name: 1 means that a layer rotates. */
function rotatesByList(model: Json, layer: number): boolean {
  const given = model["no_rope_layers"];
  // Llama 4 writes an empty list if the interval applies.
  if (Array.isArray(given) && given.length > 0) return Boolean(given[layer]);
  return (layer + 1) % (number(model, "no_rope_layer_interval") ?? 4) !== 0;
}

const typesWithLists = new Set(["smollm3", "llama4_text"]);

/** Whether a layer has positions, by the model's code and the lists of its config. */
export function layerRotates(model: Json, layer: number, layerType: string): boolean {
  const type = read.modelType(model);
  if (hasNoBase(model, layer)) return false;
  if (rotatesDespiteLayerType(type, model, layer)) return true;
  if (hasNoPositions(model, layerType)) return false;
  const isListed =
    typesWithLists.has(type) ||
    Array.isArray(model["no_rope_layers"]) ||
    number(model, "no_rope_layer_interval") !== undefined;
  return !isListed || rotatesByList(model, layer);
}
