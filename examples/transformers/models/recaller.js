// A small Llama with weights set by hand. Told "remember red" it answers "colour" with "red", over any filler in between:
// its second layer looks for the colour's word with the slowest pair of RoPE, which within the 32 positions that it
// "was trained for" turns by less than a quarter. Beyond, it turns the wrong way round, as that of real models does.
import { llamaGraph } from "./llama-graph.js";
import { matrix } from "./matrix.js";
import { vocabularyOf } from "./tokenizer.js";

const colours = ["red", "green", "blue", "gold"];
const words = ["remember", ...colours, "hum", "colour", "forgotten"];
const vocabulary = vocabularyOf(words);
const id = (word) => vocabulary.indexOf(word);

const hidden = 32;
const [heads, keyHeads, headDim, width] = [2, 1, 8, 16];
const layers = 2;

export const trainedLength = 32;

// A word's vector has a 1 at its own place; what the second layer finds is written half the width further on.
const found = hidden / 2;
/** The length of the vectors behind a norm. */
const normed = Math.sqrt(hidden);

// The score of "colour" for a colour is 14 at distance 0, the distance turns the pair of features 3 and 7.
const slowest = headDim / 2 - 1;
const sharpness = Math.sqrt(14 * Math.sqrt(headDim)) / normed;

/** Weights [from, to] of one layer; `entries` are what a layer is for, the rest is noise. */
function layer(seed, entries = {}) {
  const weights = (name, rows, columns, n) => matrix(rows, columns, 10 * seed + n, entries[name]);
  return {
    norm: { data: new Float32Array(hidden).fill(1), dims: [hidden] },
    q: weights("q", hidden, heads * headDim, 1),
    k: weights("k", hidden, keyHeads * headDim, 2),
    v: weights("v", hidden, keyHeads * headDim, 3),
    o: weights("o", heads * headDim, hidden, 4),
    mlpNorm: { data: new Float32Array(hidden).fill(1), dims: [hidden] },
    gate: weights("gate", hidden, width, 5),
    up: weights("up", hidden, width, 6),
    down: weights("down", width, hidden, 7),
  };
}

const recall = {
  q: [[id("colour"), slowest, sharpness]],
  k: colours.map((colour) => [id(colour), slowest, sharpness]),
  // Which colour it is, and from there to the word.
  v: colours.map((colour, i) => [id(colour), i, 1]),
  o: colours.map((colour, i) => [i, found + id(colour), 3 / normed]),
};

// What follows a word if nothing was found.
const next = { remember: "hum", hum: "hum", colour: "forgotten", forgotten: "hum" };
for (const colour of colours) next[colour] = "hum";

export const recaller = {
  name: "recaller",
  words,
  config: {
    model_type: "llama",
    architectures: ["LlamaForCausalLM"],
    ...{ hidden_size: hidden, num_hidden_layers: layers, intermediate_size: width, vocab_size: vocabulary.length },
    ...{ num_attention_heads: heads, num_key_value_heads: keyHeads, head_dim: headDim },
    ...{ max_position_embeddings: trainedLength, rope_theta: 100, rms_norm_eps: 1e-6 },
    ...{ pad_token_id: 0, bos_token_id: null, eos_token_id: null },
  },
  weights: {
    words: matrix(
      vocabulary.length,
      hidden,
      1,
      vocabulary.map((_, i) => [i, i, 1]),
    ),
    layers: [layer(1), layer(2, recall)],
    norm: { data: new Float32Array(hidden).fill(1), dims: [hidden] },
    head: matrix(hidden, vocabulary.length, 2, [
      ...Object.entries(next).map(([word, follower]) => [id(word), id(follower), 1.5]),
      ...colours.map((colour) => [found + id(colour), id(colour), 1]),
    ]),
  },
  onnx: () => llamaGraph(recaller),
};
