// A Llama as an ONNX graph with a KV cache, whose RoPE tables are inputs: rope_cos and rope_sin [rows, head_dim / 2].
// Ordinary exports have them inside, as constants.
import { float, int64, node, onnxModel } from "./onnx.js";

// What hidden places get: finite, for the rows of padding see nothing at all.
const lowest = -1e30;

/** mask [batch, 1, tokens, total]: 0 where a query may look, else `lowest`. */
const maskNodes = [
  node("Shape", "attention_mask", "total", { start: 1 }),
  node("Shape", "input_ids", "tokens", { start: 1 }),
  node("Sub", "total tokens", "past"),
  node("Squeeze", "total", "totalCount"),
  node("Squeeze", "past", "pastCount"),
  node("Range", "zero totalCount one", "keys"),
  node("Range", "pastCount totalCount one", "queryRow"),
  node("Unsqueeze", "queryRow axis1", "queries"),
  node("LessOrEqual", "keys queries", "notLater"),
  node("Unsqueeze", "attention_mask axes12", "maskRow"),
  node("Greater", "maskRow zero", "notPadding"),
  node("And", "notLater notPadding", "visible"),
  node("Where", "visible shown hidden", "mask"),
];

/** x + attention(norm(x)), then x + MLP(norm(x)). */
function layerNodes(i, { num_attention_heads: heads, num_key_value_heads: keyHeads, rms_norm_eps: epsilon }) {
  const at = (names) => names.replaceAll("#", `layer${i}.`);
  const norm = { axis: -1, epsilon: { float: epsilon } };
  const rotate = (name, count) =>
    node("RotaryEmbedding", at(`#${name} rope_cos rope_sin position_ids`), at(`#${name}Turned`), { num_heads: count });
  const [pastKey, pastValue] = ["key", "value"].map((part) => `past_key_values.${i}.${part}`);
  const [key, value] = ["key", "value"].map((part) => `present.${i}.${part}`);
  return [
    node("RMSNormalization", at(`x${i} #norm`), at("#normed"), norm),
    ...["q", "k", "v"].map((name) => node("MatMul", at(`#normed #${name}.weight`), at(`#${name}`))),
    rotate("q", heads),
    rotate("k", keyHeads),
    node("Attention", at(`#qTurned #kTurned #v mask ${pastKey} ${pastValue}`), at(`#mixed ${key} ${value}`), {
      q_num_heads: heads,
      kv_num_heads: keyHeads,
    }),
    node("MatMul", at("#mixed #o.weight"), at("#attended")),
    node("Add", at(`x${i} #attended`), at("#middle")),
    node("RMSNormalization", at("#middle #mlpNorm"), at("#mlpNormed"), norm),
    node("MatMul", at("#mlpNormed #gate.weight"), at("#gate")),
    node("Sigmoid", at("#gate"), at("#opening")),
    node("Mul", at("#gate #opening"), at("#open")),
    node("MatMul", at("#mlpNormed #up.weight"), at("#up")),
    node("Mul", at("#open #up"), at("#wide")),
    node("MatMul", at("#wide #down.weight"), at("#narrow")),
    node("Add", at("#middle #narrow"), `x${i + 1}`),
  ];
}

function constantsOf({ words, layers, norm, head }) {
  const ofLayers = layers.flatMap((layer, i) =>
    Object.entries(layer).map(([name, weights]) => [
      `layer${i}.${name}${name.toLowerCase().endsWith("norm") ? "" : ".weight"}`,
      weights,
    ]),
  );
  return {
    words,
    ...Object.fromEntries(ofLayers),
    finalNorm: norm,
    head,
    zero: int64([0], []),
    one: int64([1], []),
    axis1: int64([1]),
    axes12: int64([1, 2]),
    shown: float([0], []),
    hidden: float([lowest], []),
  };
}

/** The model's bytes; `config` as in config.json. */
export function llamaGraph({ config, weights }) {
  const { num_hidden_layers: layers, num_key_value_heads: keyHeads, head_dim: headDim, vocab_size: words } = config;
  const caches = (name, length) =>
    Array.from({ length: 2 * layers }, (_, i) => [
      `${name}.${i >> 1}.${i % 2 ? "value" : "key"}`,
      { type: "float32", dims: ["batch_size", keyHeads, length, headDim] },
    ]);
  const ids = (length) => ({ type: "int64", dims: ["batch_size", length] });
  const table = { type: "float32", dims: ["rows", headDim / 2] };
  return onnxModel({
    inputs: {
      input_ids: ids("tokens"),
      attention_mask: ids("total"),
      position_ids: ids("tokens"),
      rope_cos: table,
      rope_sin: table,
      ...Object.fromEntries(caches("past_key_values", "past")),
    },
    constants: constantsOf(weights),
    outputs: { logits: ["batch_size", "tokens", words], ...Object.fromEntries(caches("present", "total")) },
    nodes: [
      node("Gather", "words input_ids", "x0", { axis: 0 }),
      ...maskNodes,
      ...Array.from({ length: layers }, (_, i) => layerNodes(i, config)).flat(),
      node("RMSNormalization", `x${layers} finalNorm`, "last", { axis: -1, epsilon: { float: config.rms_norm_eps } }),
      node("MatMul", "last head", "logits"),
    ],
  });
}
