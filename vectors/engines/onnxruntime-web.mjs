// onnxruntime-web: its operators RotaryEmbedding and GroupQueryAttention, each in a graph of one node. They take tables of
// cosines and sines: those hold exactly the rows of the positions, in float32, so that only the rotation is judged.
import * as ort from "onnxruntime-web";
import { float, int32, int64, microsoft, node, onnxModel } from "../../examples/transformers/models/onnx.js";
import { NotOffered } from "../javascript/runner.mjs";

ort.env.wasm.numThreads = 1;
ort.env.logLevel = "error";

const interleaved = (pairing) => Number(pairing === "interleaved");

/** Runs a graph of constants; returns its outputs as arrays. */
async function outputsOf(nodes, constants, outputs) {
  const session = await ort.InferenceSession.create(onnxModel({ constants, outputs, nodes }));
  try {
    const results = await session.run({});
    return Object.fromEntries(
      Object.entries(results).map(([name, { data, dims }]) => [name, { data: data.slice(), dims: [...dims] }]),
    );
  } finally {
    await session.release();
  }
}

/** Tables with one row for each distinct position, and the row of each token. */
function tables({ positions, frequencies }, sign = 1) {
  const distinct = [...new Set(positions.data)];
  // The operator wants at least as many rows as tokens.
  const rows = [...distinct, ...Array(positions.data.length - distinct.length).fill(0)];
  const dims = [rows.length, frequencies.data.length];
  const of = (wave) =>
    float(
      rows.flatMap((p) => Array.from(frequencies.data, (f) => wave(sign * p * f))),
      dims,
    );
  return { cos: of(Math.cos), sin: of(Math.sin), ids: Array.from(positions.data, (p) => distinct.indexOf(p)) };
}

/** ai.onnx RotaryEmbedding, of opset 23. */
async function rotated(x, inputs, pairing, sign) {
  const [batch, , tokens, dim] = x.dims;
  const { cos, sin, ids } = tables(inputs, sign);
  const all = ids.length === tokens ? Array(batch).fill(ids).flat() : ids;
  const pairs = inputs.frequencies.data.length;
  const attributes = { interleaved: interleaved(pairing), rotary_embedding_dim: 2 * pairs === dim ? 0 : 2 * pairs };
  const constants = { x: float(x.data, x.dims), cos, sin, ids: int64(all, [batch, tokens]) };
  return (await outputsOf([node("RotaryEmbedding", "x cos sin ids", "y", attributes)], constants, { y: x.dims })).y;
}

/** [1, heads, T, dim] to [1, T, heads · dim], and back. */
function swapped({ data, dims: [, heads, tokens, dim] }) {
  const out = new Float32Array(data.length);
  for (let h = 0; h < heads; h++)
    for (let t = 0; t < tokens; t++) {
      const from = (h * tokens + t) * dim;
      out.set(data.subarray(from, from + dim), (t * heads + h) * dim);
    }
  return out;
}

/** Some tokens of [1, heads, T, dim]. */
function tokensOf({ data, dims: [, heads, tokens, dim] }, from, to) {
  const parts = Array.from({ length: heads }, (_, h) =>
    Array.from(data.subarray((h * tokens + from) * dim, (h * tokens + to) * dim)),
  );
  return { data: Float32Array.from(parts.flat()), dims: [1, heads, to - from, dim] };
}

/** com.microsoft GroupQueryAttention: keys before the first query are its cache, rotated as they were appended. */
async function grouped({ q, k, v, frequencies }, { causal, window, scale, rotary, alibi }) {
  if (!causal) throw new NotOffered("GroupQueryAttention is causal");
  if (alibi) throw new NotOffered("GroupQueryAttention has no linear biases");
  const [[, heads, queries, dim], [, keyHeads, keys]] = [q.dims, k.dims];
  const past = keys - queries;
  const positions = { data: Float64Array.from({ length: keys }, (_, i) => i), dims: [keys] };
  const attributes = { num_heads: heads, kv_num_heads: keyHeads };
  if (window) attributes.local_window_size = window;
  if (scale) attributes.scale = { float: scale };
  if (rotary) Object.assign(attributes, { do_rotary: 1, rotary_interleaved: interleaved(rotary) });
  const cached = async (x, turned) => {
    const { data, dims } = tokensOf(x, 0, past);
    if (!turned || past === 0) return float(data, dims);
    const ids = { data: positions.data.subarray(0, past), dims: [past] };
    const result = await rotated({ data, dims }, { positions: ids, frequencies }, rotary);
    return float(result.data, dims);
  };
  const packed = (x, from) => {
    const tokens = tokensOf(x, from, x.dims[2]);
    return float(swapped(tokens), [1, tokens.dims[2], tokens.dims[1] * dim]);
  };
  const constants = {
    q: packed(q, 0),
    k: packed(k, past),
    v: packed(v, past),
    pastK: await cached(k, rotary),
    pastV: await cached(v, false),
    lengths: int32([keys - 1], [1]),
    total: int32([keys], [1]),
    ...(rotary ? pick(tables({ positions, frequencies })) : {}),
  };
  const inputs = `q k v pastK pastV lengths total${rotary ? " cos sin" : ""}`;
  const outputs = {
    packed: [1, queries, heads * dim],
    keys: [1, keyHeads, keys, dim],
    values: [1, keyHeads, keys, dim],
  };
  const found = await outputsOf(
    [microsoft("GroupQueryAttention", inputs, "packed keys values", attributes)],
    constants,
    outputs,
  );
  return { data: swapped({ data: found.packed.data, dims: [1, queries, heads, dim] }), dims: q.dims };
}

const pick = ({ cos, sin }) => ({ cos, sin });

export default {
  rotate: async (inputs, { pairing }) => ({ y: await rotated(inputs.x, inputs, pairing, 1) }),
  "rotate-backward": async (inputs, { pairing }) => ({ dx: await rotated(inputs.dy, inputs, pairing, -1) }),
  attention: async (inputs, parameters) => ({ y: await grouped(inputs, parameters) }),
};
