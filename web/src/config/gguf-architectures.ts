// What llama.cpp does with each architecture, as in its src/llama-model.cpp: one row per architecture.
import { lookUp } from "./read.js";

/** Facts that the header of a GGUF file does not have. */
export interface Architecture {
  /** Pairs of rotated features. If conversion permuted the weights of halves (llama), neighbours are rotated. */
  readonly pairing?: "half" | "interleaved";
  /** M-RoPE's axes alternate. */
  readonly interleavedSections?: boolean;
  /** Base of layers with a window. */
  readonly localBase?: number;
  /** A learned table, unless the header has ALiBi's largest bias. */
  readonly table?: boolean;
  /** T5's buckets. */
  readonly buckets?: boolean;
  /** ALiBi's largest bias, if the header has none. */
  readonly maxBias?: number;
  /** The same, for models with this number of layers. */
  readonly maxBiasAtLayers?: readonly [maxBias: number, layers: number];
  readonly isUnrotated?: boolean;
  /** Rotates only if `rope.scaling.finetuned` is true. */
  readonly needsFinetuned?: boolean;
  /** `mscale` equals `mscale_all_dim`; it is 1 otherwise. */
  readonly isOwnMscale?: boolean;
}

const [halves, neighbours] = [{ pairing: "half" }, { pairing: "interleaved" }] as const;
const rows = (): Record<string, Architecture> => ({
  afmoe: halves,
  apertus: halves,
  arcee: neighbours,
  arctic: neighbours,
  arwkv7: { isUnrotated: true },
  baichuan: { ...neighbours, maxBiasAtLayers: [8, 40] },
  bailingmoe: neighbours,
  bailingmoe2: halves,
  bert: { table: true },
  bitnet: halves,
  bloom: { maxBias: 8 },
  chameleon: neighbours,
  chatglm: neighbours,
  clip: { isUnrotated: true },
  codeshell: halves,
  cogvlm: halves,
  cohere2: neighbours,
  cohere2moe: neighbours,
  "command-r": neighbours,
  dbrx: halves,
  deci: neighbours,
  deepseek: neighbours,
  deepseek2: { ...neighbours, isOwnMscale: true },
  "deepseek2-ocr": neighbours,
  deepseek32: neighbours,
  deepseek4: neighbours,
  dots1: halves,
  dream: halves,
  ernie4_5: neighbours,
  "ernie4_5-moe": neighbours,
  eurobert: halves,
  exaone: halves,
  "exaone-moe": halves,
  exaone4: halves,
  falcon: halves,
  "falcon-h1": halves,
  gemma: halves,
  "gemma-embedding": { ...halves, localBase: 10000 },
  gemma2: halves,
  gemma3: { ...halves, localBase: 10000 },
  gemma3n: { ...halves, localBase: 10000 },
  gemma4: halves,
  "glm-dsa": neighbours,
  glm4: neighbours,
  glm4moe: halves,
  "gpt-oss": halves,
  gpt2: { table: true },
  gptneox: halves,
  granite: neighbours,
  granitehybrid: { ...neighbours, needsFinetuned: true },
  granitemoe: neighbours,
  grok: halves,
  grovemoe: halves,
  "hunyuan-dense": halves,
  "hunyuan-moe": halves,
  hunyuan_vl: halves,
  internlm2: neighbours,
  jais: { maxBias: 8 },
  jamba: { isUnrotated: true },
  "jina-bert-v2": { maxBias: 8 },
  "jina-bert-v3": halves,
  "kimi-linear": { isUnrotated: true },
  laguna: halves,
  lfm2: halves,
  lfm2moe: halves,
  llada: neighbours,
  "llada-moe": halves,
  llama: neighbours,
  "llama-embed": neighbours,
  llama4: neighbours,
  maincoder: neighbours,
  mamba: { isUnrotated: true },
  mamba2: { isUnrotated: true },
  mimo2: halves,
  minicpm: neighbours,
  minicpm3: halves,
  "minimax-m2": halves,
  mistral3: neighbours,
  mistral4: neighbours,
  "modern-bert": { ...halves, localBase: 10000 },
  mpt: { table: true },
  nanbeige: neighbours,
  nemotron: halves,
  nemotron_h: { isUnrotated: true },
  nemotron_h_moe: { isUnrotated: true },
  "neo-bert": neighbours,
  "nomic-bert": halves,
  "nomic-bert-moe": halves,
  olmo: neighbours,
  olmo2: halves,
  olmoe: halves,
  openelm: halves,
  orion: halves,
  paddleocr: halves,
  "pangu-embedded": halves,
  phi2: halves,
  phi3: halves,
  phimoe: halves,
  plamo: halves,
  plamo2: halves,
  plamo3: halves,
  plm: neighbours,
  qwen: halves,
  qwen2: halves,
  qwen2moe: halves,
  qwen2vl: halves,
  qwen3: halves,
  qwen35: { ...halves, interleavedSections: true },
  qwen35moe: { ...halves, interleavedSections: true },
  qwen3moe: halves,
  qwen3next: halves,
  qwen3vl: { ...halves, interleavedSections: true },
  qwen3vlmoe: { ...halves, interleavedSections: true },
  refact: { maxBias: 8 },
  rnd1: halves,
  rwkv6: { isUnrotated: true },
  rwkv6qwen2: { isUnrotated: true },
  rwkv7: { isUnrotated: true },
  seed_oss: halves,
  smallthinker: halves,
  smollm3: neighbours,
  stablelm: halves,
  starcoder: { table: true },
  starcoder2: halves,
  step35: halves,
  t5: { buckets: true },
  t5encoder: { buckets: true },
  "wavtokenizer-dec": { isUnrotated: true },
  xverse: neighbours,
});

let table: Record<string, Architecture> | undefined;
const unknown: Architecture = {};
/** Returns the facts of an architecture; empty for unknown ones. */
export const architectureFacts = (name: string): Architecture => lookUp((table ??= rows()), name) ?? unknown;
