// Attention over remapped distances: SelfExtend, ReRoPE, dual chunk attention.
import { toNumbers } from "../arrays.mjs";
import { attentionMaskOf, lengthsOf } from "../masks.mjs";
import { missing } from "../needs.mjs";
import { checkFact } from "../restated.mjs";
import { pairingOf, rotaryDimOf } from "../specs.mjs";
import { headsOf, optionsOf } from "./attention.mjs";

const logN = (length) => ({ temperature: { rule: "log-n", length } });

function selfExtend(parsed) {
  const { group_size_1: group, group_size_2: window, scale_base: base } = parsed.params;
  checkFact(parsed, "neighbor_window", window);
  return { remap: { kind: "self-extend", group, window }, ...(base > 0 && logN(base)) };
}

function reRope({ params }) {
  const { window, training_length: length, scaling_factor: factor } = params;
  const leak = typeof factor === "number" ? { leak: 1 / factor } : {};
  return { remap: { kind: "rerope", window, ...leak }, ...logN(length) };
}

function dualChunk(parsed) {
  const { chunk_size: chunk, local_window: local } = parsed.params;
  checkFact(parsed, "chunk_len", chunk - local);
  return { remap: { kind: "dual-chunk", chunk, local } };
}

/** The factor that ChunkLlama divides positions by. */
const linearFactorOf = ({ chunk_size: chunk, scaling_factor: factor }) =>
  chunk !== undefined && typeof factor === "number" ? factor : 1;

function encodingOf(pe, { params }) {
  const { head_dim: dim, rope_theta: base, layout } = params;
  const factor = linearFactorOf(params);
  const kind = factor === 1 ? { kind: "rope" } : { kind: "rope-linear", factor };
  return pe.create({ ...kind, dim, rotaryDim: rotaryDimOf(params, dim), base, pairing: pairingOf(layout) });
}

/** Scores are linear in q: with d their gradients by it, q · d is what they are; a column of keys at a time. */
function gradientsOfScores(pe, q, k, options) {
  const [batch, heads, queries, dim] = q.dims;
  const keys = k.dims[2];
  const dims = [batch, heads, queries, keys];
  const rows = batch * heads * queries;
  return Array.from({ length: keys }, (_, key) => {
    const gradOut = { data: new Float32Array(rows * keys).fill(0), dims };
    for (let row = 0; row < rows; row++) gradOut.data[row * keys + key] = 1;
    const { data } = pe.attentionBackward(q, k, undefined, gradOut, options).q;
    return (row) => data.subarray(row * dim, (row + 1) * dim);
  });
}

function logitsOf(pe, [q, k], options) {
  const [batch, heads, queries, dim] = q.dims;
  const columns = gradientsOfScores(pe, q, k, options);
  const data = new Float64Array(batch * heads * queries * columns.length);
  for (let at = 0; at < data.length; at++) {
    const row = Math.floor(at / columns.length);
    const slopes = columns[at % columns.length](row);
    for (let i = 0; i < dim; i++) data[at] += q.data[row * dim + i] * slopes[i];
  }
  return { data, dims: [batch, heads, queries, columns.length] };
}

/** A mask of one batch element, for all. */
const shared = (mask) => (mask?.dims[0] === 1 ? mask : undefined);

/** How far apart a single slow pair is turned. */
function distancesOf(pe, parsed, { remap, causal, mask, attentionMask, at, queryAt }) {
  const { queries, keys } = lengthsOf(parsed);
  const frequency = Math.PI / 2 / keys;
  const encoding = pe.create({ kind: "rope", dim: 2, frequencies: [frequency / linearFactorOf(parsed.params)] });
  const ones = (length) => ({
    data: Float32Array.from({ length: 2 * length }, (_, i) => 1 - (i % 2)),
    dims: [1, 1, length, 2],
  });
  const masks = { causal, mask: shared(mask), attentionMask: shared(attentionMask) };
  const options = { ...masks, encoding, remap, at, queryAt, scale: 1 };
  const columns = gradientsOfScores(pe, ones(queries), ones(keys), options);
  const isWhole = parsed.targets.relative_position.array.dtype !== "float64";
  const data = Float64Array.from({ length: queries * keys }, (_, at) => {
    const [cosine, sine] = columns[at % keys](Math.floor(at / keys));
    const distance = -Math.atan2(sine, cosine) / frequency;
    return isWhole ? Math.round(distance) + 0 : distance;
  });
  return { data, dims: parsed.targets.relative_position.array.dims };
}

const run = (rule) => (pe, parsed) => {
  const { params, inputs } = parsed;
  const { queries, keys } = lengthsOf(parsed);
  checkFact(parsed, "T", keys);
  checkFact(parsed, "query_position", keys - 1);
  const encoding = encodingOf(pe, parsed);
  const given = inputs.position_ids ?? inputs.position_k;
  const at = given && { positions: toNumbers(given.data) };
  const queryAt = at && queries === keys ? at : undefined;
  const unmasked = { ...optionsOf(parsed), ...rule(parsed), at, queryAt, encoding };
  const options = { ...unmasked, ...attentionMaskOf(inputs.attention_mask, inputs.q.dims[0]) };
  const [q, k, v] = headsOf(parsed);
  const attend = () => pe.attention(q, k, v, options);
  const weights = (way) => pe.attentionWeights(q, k, way);
  return {
    logits: () => logitsOf(pe, [q, k], options),
    probs: () => weights(options),
    out: attend,
    prefill_out_bf16merge: attend,
    relative_position: () => distancesOf(pe, parsed, options),
    causal_mask: () => ({
      data: weights(unmasked)
        .data.subarray(0, queries * keys)
        .map((weight) => (weight > 0 ? 1 : 0)),
      dims: [queries, keys],
    }),
  };
};

const shapes = { q: "batch heads Tq head_dim", k: "batch kv_heads Tk head_dim", v: "batch kv_heads Tk head_dim" };

export const REMAP = [
  missing(
    "beyond max_position_embeddings ChunkLlama multiplies cos and sin",
    ({ params }) => "chunk_size" in params && params.T > params.max_position_embeddings,
  ),
  { matches: ({ params }) => "group_size_1" in params, run: run(selfExtend), shapes },
  { matches: ({ params }) => "training_length" in params, run: run(reRope), shapes },
  { matches: ({ params }) => "chunk_size" in params, run: run(dualChunk), shapes },
];
