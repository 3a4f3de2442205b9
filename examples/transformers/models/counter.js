// A GPT-2 that counts: it says the number of the position where a word stands, whatever the word is. Its positions are a
// learned table inside the graph, so that all hangs on right position_ids.
import { matrix } from "./matrix.js";
import { int64, node, onnxModel } from "./onnx.js";
import { vocabularyOf } from "./tokenizer.js";

const numbers = "one two three four five six seven eight".split(" ");
const words = ["clap", ...numbers];
const vocabulary = vocabularyOf(words);
const dim = vocabulary.length;
const headDim = 1;

export const counter = {
  name: "counter",
  words,
  config: {
    model_type: "gpt2",
    architectures: ["GPT2LMHeadModel"],
    ...{ n_layer: 1, n_head: 1, n_embd: headDim, n_positions: numbers.length, vocab_size: dim },
    ...{ pad_token_id: 0, eos_token_id: null, bos_token_id: null },
  },
  onnx: () =>
    onnxModel({
      inputs: {
        input_ids: { type: "int64", dims: ["batch_size", "tokens"] },
        attention_mask: { type: "int64", dims: ["batch_size", "total"] },
        position_ids: { type: "int64", dims: ["batch_size", "tokens"] },
        "past_key_values.0.key": { type: "float32", dims: ["batch_size", 1, "past", headDim] },
        "past_key_values.0.value": { type: "float32", dims: ["batch_size", 1, "past", headDim] },
      },
      constants: {
        wordTable: matrix(dim, dim, 1),
        // Position p looks like the word for p + 1.
        positionTable: matrix(
          numbers.length,
          dim,
          2,
          numbers.map((number, p) => [p, vocabulary.indexOf(number), 1]),
        ),
        one: int64([1]),
        first: int64([0]),
        end: int64([headDim]),
        last: int64([-1]),
      },
      outputs: {
        logits: ["batch_size", "tokens", dim],
        "present.0.key": ["batch_size", 1, "total", headDim],
        "present.0.value": ["batch_size", 1, "total", headDim],
      },
      nodes: [
        node("Gather", "wordTable input_ids", "fromWords", { axis: 0 }),
        node("Gather", "positionTable position_ids", "fromPositions", { axis: 0 }),
        node("Add", "fromWords fromPositions", "logits"),
        // It needs no attention; the cache is kept as any decoder must.
        node("Slice", "logits first end last", "narrow"),
        node("Unsqueeze", "narrow one", "heads"),
        node("Concat", "past_key_values.0.key heads", "present.0.key", { axis: 2 }),
        node("Concat", "past_key_values.0.value heads", "present.0.value", { axis: 2 }),
      ],
    }),
};
