// Scores that need q and k: Shaw, Transformer-XL, DeBERTa, CoPE, PoPE. Around them what their modules do.
import { joinBlocks, pickRows, reshape, toNumbers, vector } from "../arrays.mjs";
import { ruleAndMask } from "../masks.mjs";
import { needKind, Unsupported } from "../needs.mjs";
import { batched, float32, joinHeads, layerNorm, linear, permute, splitHeads, sum } from "../plumbing.mjs";

const tensorOf = ({ data, dims }) => ({ type: "float32", data, dims });

/** key - query of every query (row) and key, as [queries, keys]. */
const distances = (count) =>
  Array.from({ length: count * count }, (_, index) => (index % count) - Math.floor(index / count));

// tensor2tensor scales q beforehand.
function runShaw(pe, { params, inputs }) {
  needKind(pe, "shaw");
  const { head_dim: dim, max_relative_position: maxDistance, n } = params;
  const { table_k: keys, table_v: values } = inputs;
  const encoding = pe.create({ kind: "shaw", dim, maxDistance, keys: tensorOf(keys), values: tensorOf(values) });
  const [q, k, v] = [inputs.q, inputs.k, inputs.v].map(tensorOf);
  return {
    relative_index: () => ({ data: encoding.bucketOf(distances(n)), dims: [n, n] }),
    logits: () => encoding.logits(q, k),
    output: () => pe.attention(q, k, v, { encoding, scale: 1 }),
  };
}

/** q, k, v of a module [1, T, hidden], each projected by `names` and split into heads. */
const projectedHeads = ({ inputs }, names, heads) =>
  names.map((name) =>
    splitHeads(linear(inputs.hidden_states, inputs[`${name}.weight`], inputs[`${name}.bias`]), heads),
  );

function runShawKeys(pe, parsed) {
  needKind(pe, "shaw");
  const { num_heads: heads, head_dim: dim, left_max: maxLeft, right_max: maxRight } = parsed.params;
  const [q, k, v] = projectedHeads(parsed, ["linear_q", "linear_k", "linear_v"], heads);
  const keys = tensorOf(parsed.inputs["distance_embedding.weight"]);
  const encoding = pe.create({ kind: "shaw", dim, maxLeft, maxRight, withValues: false, keys });
  const out = () => joinHeads(pe.attention(q, k, v, { encoding }));
  return {
    probs: () => pe.attentionWeights(q, k, { encoding }),
    output: () => linear(out(), parsed.inputs["linear_out.weight"], parsed.inputs["linear_out.bias"]),
  };
}

function runShift(pe, { params, inputs }) {
  const x = tensorOf(inputs.x);
  if (params.qlen === undefined) return { shifted: () => pe.relativeShift(x, { keys: params.klen }) };
  return { shifted: () => pe.relativeShift(x), shifted_zero_triu: () => pe.relativeShift(x, { zeroWrapped: true }) };
}

// Sinusoids of falling distances, the shift inside the library. Tensors are [T, B, …]; the memory comes first.
function runTransformerXl(pe, { params, inputs }) {
  needKind(pe, "transformer-xl");
  const { n_head: heads, d_head: dim, d_model: modelDim, pre_lnorm: normFirst, pos_seq: positions } = params;
  const [u, v, projection] = [inputs.r_w_bias, inputs.r_r_bias, inputs["r_net.weight"]].map(tensorOf);
  const encoding = pe.create({ kind: "transformer-xl", dim, heads, modelDim, u, v, projection });
  const all = inputs.mems ? joinBlocks([inputs.mems, inputs.w]) : inputs.w;
  const norm = (x) => layerNorm(x, inputs["layer_norm.weight"], inputs["layer_norm.bias"]);
  const projected = linear(normFirst ? norm(all) : all, inputs["qkv_net.weight"]);
  const [q, k, v_] = [0, 1, 2].map((part) => headsOfPart(projected, part, heads, dim));
  const queries = lastRows(q, inputs.w.dims[0]);
  const scale = 1 / Math.sqrt(dim);
  const score = () => {
    const { data, dims } = encoding.logits(queries, k, { causal: true });
    return { data: data.map((value) => (value === -Infinity ? 0 : value * scale)), dims };
  };
  const output = () => {
    const out = joinHeads(pe.attention(queries, k, v_, { encoding, causal: true }));
    const added = sum(linear(permute(out, [1, 0, 2]), inputs["o_net.weight"]), inputs.w);
    return normFirst ? added : norm(added);
  };
  return {
    r: () => pe.create({ kind: "sinusoidal", dim: modelDim, pairing: "concat" }).table({ positions }),
    score_masked_to_zero: () => permute(score(), [2, 3, 0, 1]),
    prob: () => permute(pe.attentionWeights(queries, k, { encoding, causal: true }), [2, 3, 0, 1]),
    output,
  };
}

/** Part 0, 1 or 2 of q, k, v [T, B, 3 · heads · D] as [B, heads, T, D]. */
export function headsOfPart({ data, dims: [count, batch] }, part, heads, dim) {
  const parts = permute({ data, dims: [count, batch, 3, heads, dim] }, [2, 1, 3, 0, 4]);
  const size = parts.data.length / 3;
  return float32({ data: parts.data.subarray(part * size, (part + 1) * size), dims: parts.dims.slice(1) });
}

/** The last positions of [B, heads, T, D]. */
export function lastRows({ data, dims: [batch, heads, count, dim] }, rows) {
  const blocks = Array.from({ length: batch * heads }, (_, block) =>
    Array.from(data.subarray(((block + 1) * count - rows) * dim, (block + 1) * count * dim)),
  );
  return float32({ data: blocks.flat(), dims: [batch, heads, rows, dim] });
}

// The reference counts query - key, the library key - query; Microsoft's code ends distances first.
function runDebertaBuckets(pe, { params, inputs }) {
  const { bucket_size: buckets, max_position: maxDistance } = params;
  const keys = toNumbers(inputs.relative_position.data).map((distance) => -distance);
  const bucket = (clampDistance) => () =>
    vector(pe.create({ kind: "deberta", dim: 1, heads: 1, buckets, maxDistance, clampDistance }).bucketOf(keys));
  return { bucket_hf: bucket(false), bucket_microsoft: bucket(true), bucket_exact: bucket(false) };
}

function runDeberta(pe, parsed) {
  const { params, inputs } = parsed;
  const { num_heads: heads, pos_att_type: types, share_att_key: shared } = params;
  const others = types.filter((type) => !["c2p", "p2c"].includes(type));
  if (others.length > 0) throw new Unsupported(`scores ${others.join(", ")} are not available`);
  const [q, k, v] = projectedHeads(parsed, ["query_proj", "key_proj", "value_proj"], heads);
  const [buckets, span] = [Math.max(0, params.position_buckets), params.max_relative_positions];
  const table = (name) => {
    const rows = pickRows(inputs.rel_embeddings, [...Array(2 * (buckets || span)).keys()]);
    const { data, dims } = splitHeads(batched(linear(rows, inputs[`${name}.weight`], inputs[`${name}.bias`])), heads);
    return { type: "float32", data, dims: dims.slice(1) };
  };
  const [contentToPosition, positionToContent] = ["c2p", "p2c"].map((type) => types.includes(type));
  const tables = {
    ...(contentToPosition && { positionKeys: table(shared ? "key_proj" : "pos_key_proj") }),
    ...(positionToContent && { positionQueries: table(shared ? "query_proj" : "pos_query_proj") }),
  };
  const spec = {
    kind: "deberta",
    dim: q.dims[3],
    heads,
    buckets,
    maxDistance: span,
    contentToPosition,
    positionToContent,
  };
  const encoding = pe.create({ ...spec, ...tables });
  const scale = 1 / Math.sqrt(q.dims[3] * (1 + types.length));
  return {
    // What positions add, scaled: the logits less those of zeros.
    relative_bias: () => {
      const without = pe.create({ ...spec, std: 0 }).logits(q, k).data;
      const { data, dims } = encoding.logits(q, k);
      const [batch, , ...sizes] = dims;
      return { data: data.map((value, i) => (value - without[i]) * scale), dims: [batch * heads, ...sizes] };
    },
    probs: () => pe.attentionWeights(q, k, { encoding }),
    output: () => joinHeads(pe.attention(q, k, v, { encoding })),
  };
}

// One head, [B, T, D]; gates see key_cope.
function runCope(pe, { params, inputs }) {
  needKind(pe, "cope");
  const { head_dim: dim, npos: maxPosition, cope_nodiv: unscaled } = params;
  const head = ({ data, dims: [batch, ...rest] }) => ({ type: "float32", data, dims: [batch, 1, ...rest] });
  const noHead = ({ data, dims: [batch, , ...rest] }) => ({ data, dims: [batch, ...rest] });
  const embedding = reshape(tensorOf(inputs.pos_emb), [dim, maxPosition]);
  const encoding = pe.create({ kind: "cope", dim, maxPosition, scaledPosition: !unscaled, embedding });
  const [q, k, v, gateKeys] = [inputs.query, inputs.key, inputs.val, inputs.key_cope].map(head);
  const options = params.cope_sep_key ? { causal: true, gateKeys } : { causal: true };
  const ways = ruleAndMask({ encoding, ...options }, inputs.mask && head(inputs.mask));
  return {
    attn: ways.map((way) => () => noHead(pe.attentionWeights(q, k, way))),
    output: ways.map((way) => () => noHead(pe.attention(q, k, v, way))),
    positions_float64: () => noHead(encoding.contextPositions(q, k, options)),
  };
}

function runPope(pe, { params, inputs }) {
  needKind(pe, "pope");
  const { dim: rotaryDim, heads, head_dim: dim, theta: base, q_len: queries, k_len: keys } = params;
  const encoding = pe.create({ kind: "pope", dim, heads, rotaryDim, base, bias: tensorOf(inputs.bias) });
  return {
    q_out: () => encoding.expand(tensorOf(inputs.q), { role: "query", offset: keys - queries }),
    k_out: () => encoding.expand(tensorOf(inputs.k), { role: "key" }),
  };
}

export const RELATIVE = [
  {
    matches: ({ params }) => "max_relative_position" in params,
    shapes: { q: "batch heads n head_dim", k: "batch heads n head_dim" },
    run: runShaw,
  },
  {
    matches: ({ params }) => "left_max" in params,
    shapes: { hidden_states: "batch n hidden_size", "distance_embedding.weight": "distances head_dim" },
    run: runShawKeys,
  },
  {
    matches: ({ params }) => "mlen" in params,
    shapes: { w: "qlen bsz d_model", mems: "mlen bsz d_model", r_w_bias: "n_head d_head" },
    run: runTransformerXl,
  },
  { matches: ({ params }) => "bucket_size" in params, run: runDebertaBuckets },
  {
    matches: ({ params }) => "pos_att_type" in params,
    shapes: { hidden_states: "batch n hidden_size" },
    run: runDeberta,
  },
  { matches: ({ params }) => "npos" in params, shapes: { pos_emb: "one head_dim npos" }, run: runCope },
  { matches: ({ params }) => "q_len" in params && "k_len" in params && "theta" in params, run: runPope },
  {
    matches: ({ inputs, targets }) => "x" in inputs && "shifted" in targets,
    shapes: { x: "qlen klen" },
    run: runShift,
  },
];
