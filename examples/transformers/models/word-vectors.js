// A model that knows words and no order: one vector for each word, whatever stands around it.
import { matrix } from "./matrix.js";
import { node, onnxModel } from "./onnx.js";
import { vocabularyOf } from "./tokenizer.js";

const words = ["dog", "bites", "man", "the", "feeds"];
const dim = 32;

export const wordVectors = {
  name: "word-vectors",
  words,
  config: { model_type: "bert", architectures: ["BertModel"], hidden_size: dim },
  onnx: () =>
    onnxModel({
      inputs: { input_ids: { type: "int64", dims: ["batch_size", "tokens"] } },
      constants: { vectors: matrix(vocabularyOf(words).length, dim, 1, [], 0.3) },
      outputs: { last_hidden_state: ["batch_size", "tokens", dim] },
      nodes: [node("Gather", "vectors input_ids", "last_hidden_state", { axis: 0 })],
    }),
};
