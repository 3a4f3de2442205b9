// What a run takes, before anything heavy begins: memory and time, from the size of the files and what the config says of the model.

export interface Facts {
  /** Bytes of the model with its external data. */
  bytes: number;
  /** The object of the config.json, if there is one. */
  config: unknown;
  tokens: number;
  /** How many tokens each model goes on for. */
  more: number;
  /** Models that run: the original may have run before. */
  models: 1 | 2;
}

export interface Sizes {
  layers: number;
  heads: number;
  keyHeads: number;
  headDim: number;
  vocabulary: number;
  /** Weights that a token passes through; tables of tokens are only looked up. */
  parameters: number;
}

type Json = Record<string, unknown>;

/** Of the first name that has a number. */
function numberOf(config: Json, names: readonly string[]): number | undefined {
  for (const name of names) if (typeof config[name] === "number") return config[name];
  return undefined;
}

/** Without a config: as if all weights were stored in 16 bits, with layers as most small models have them. */
export function sizesOf(config: unknown, bytes: number): Sizes {
  const whole = (config ?? {}) as Json;
  const own = (whole["text_config"] ?? whole) as Json;
  const hidden = numberOf(own, ["hidden_size", "n_embd", "d_model"]);
  const layers = numberOf(own, ["num_hidden_layers", "n_layer", "num_layers"]) ?? 24;
  const heads = numberOf(own, ["num_attention_heads", "n_head", "num_heads"]) ?? 16;
  const keyHeads = numberOf(own, ["num_key_value_heads"]) ?? heads;
  const headDim = numberOf(own, ["head_dim"]) ?? (hidden ? hidden / heads : 64);
  const vocabulary = numberOf(own, ["vocab_size"]) ?? 50_000;
  const inner = numberOf(own, ["intermediate_size", "n_inner", "ffn_dim"]) ?? 4 * (hidden ?? 0);
  const layer = hidden && 2 * hidden * headDim * (heads + keyHeads) + 3 * hidden * inner;
  const parameters = hidden && layer ? layers * layer + hidden * vocabulary : bytes / 2;
  return { layers, heads, keyHeads, headDim, vocabulary, parameters };
}

/** What is read at once may make so many numbers of logits and attention weights. */
const mostNumbers = 32e6;

/** How many tokens are read at once. */
export function chunkOf({ layers, heads, vocabulary }: Sizes, tokens: number): number {
  const each = vocabulary + layers * heads * tokens;
  return Math.max(8, Math.min(256, Math.floor(mostNumbers / each)));
}

/** WebAssembly addresses 4 GB, and some of it is lost between what is allocated. */
export const mostHeap = 3.5e9;
/** A model in one file of more is none that protobuf can read. */
export const mostFile = 2 ** 31;

export interface Estimate {
  /** Of WebAssembly, with one of the two models in it. */
  heap: number;
  /** Of all that the page takes. */
  memory: number;
  /** For all models, one after the other. */
  seconds: number;
}

/** Bytes that onnxruntime itself takes. */
const runtime = 60e6;
/** Seconds, as measured with small models: until onnxruntime has started, to open a model, and for a token that follows. */
const overhead = { start: 2, open: 0.5, step: 0.01 };
/** Bytes a second at which models are loaded. */
const loadingRate = 250e6;

/** @param rate multiplications and additions a second, as measured on this machine */
export function estimate({ bytes, config, tokens, more, models }: Facts, rate: number): Estimate {
  const sizes = sizesOf(config, bytes);
  const chunk = chunkOf(sizes, tokens);
  const all = tokens + more;
  const cache = 2 * sizes.layers * sizes.keyHeads * sizes.headDim * all;
  const made = chunk * (sizes.vocabulary + (sizes.layers + 2) * sizes.heads * all);
  // A model is read as a file, then its weights are laid out for the kernels. Caches are there before and after a step.
  const heap = runtime + 2 * bytes + 4 * (2 * cache + made);
  const attention = 2 * sizes.layers * sizes.heads * sizes.headDim * all;
  const work = 2 * all * (sizes.parameters + attention / 2);
  const each = overhead.open + overhead.step * more + bytes / loadingRate + work / rate;
  const seconds = overhead.start + models * each;
  return { heap, memory: heap + 2 * bytes + 4 * made, seconds };
}

/** Nobody waits longer for a first look. */
const patience = 60;

/** How many tokens to propose: past the trained length, so that something is to be seen, but no more than a minute's work. */
export function usualTokens(factsFor: (tokens: number) => Facts, rate: number, trainedLength = 256): number {
  let tokens = Math.min(4 * trainedLength, 1024);
  while (tokens > 64 && estimate(factsFor(tokens), rate).seconds > patience) tokens = Math.floor(tokens / 2);
  return tokens;
}
