// Qwen 1: a base that grows in steps, and queries that are scaled by the logarithm of their position.
import { Malformed, toNumbers } from "../arrays.mjs";
import { attentionMaskOf } from "../masks.mjs";
import { needKind, Unsupported } from "../needs.mjs";
import { float32, joinHeads, linear, permute, splitHeads } from "../plumbing.mjs";
import { checkFact } from "../restated.mjs";
import { pairingOf, rotaryDimOf } from "../specs.mjs";
import { rotaryOutputs, specIn } from "./rotary.mjs";

/** How many times the base is made for, which is how much slower the slowest of the frequencies is. */
function alphaAt(pe, originalLength, length, shape = { dim: 64, base: 10000 }) {
  needKind(pe, "rope-qwen");
  const plain = pe.create({ kind: "rope", ...shape }).inverseFrequencies;
  const scaled = pe.create({ kind: "rope-qwen", ...shape, originalLength }).frequenciesAt(length);
  return Math.round(plain.at(-1) / scaled.at(-1));
}

function runAlpha(pe, { params, inputs }) {
  const lengths = toNumbers(inputs.true_seq_len.data);
  const alpha = () => lengths.map((length) => alphaAt(pe, params.seq_length, length));
  return { ntk_alpha: () => ({ data: alpha(), dims: [lengths.length] }) };
}

// Their tables have the columns of both halves.
const doubled = ({ data, dims: [rows, pairs] }) => ({
  data: Float64Array.from({ length: 2 * rows * pairs }, (_, i) => {
    const [row, column] = [Math.floor(i / (2 * pairs)), i % pairs];
    return data[row * pairs + column];
  }),
  dims: [rows, 2 * pairs],
});

function runRotation(pe, parsed) {
  const {
    rotary_dim: rotaryDim,
    head_dim: dim,
    rope_theta: base,
    ntk_alpha: factor,
    offset,
    T,
    layout,
  } = parsed.params;
  for (const name of ["q", "k"])
    if (parsed.inputs[name].dims[1] !== T || parsed.inputs[name].dims[3] !== dim)
      throw new Malformed(`inputs.${name} is not [batch, ${T}, heads, ${dim}]`);
  const spec = { kind: "rope-ntk", dim, rotaryDim, base, factor, pairing: pairingOf(layout) };
  const outputs = rotaryOutputs(parsed, specIn(pe, spec), { at: { offset }, count: T, fallback: "bthd" });
  const wide = (name) => () => doubled(outputs[name]());
  return { ...outputs, cos: wide("cos"), sin: wide("sin") };
}

/** The length that sets the base, and the alpha of it: the prompt's without padding, which later tokens keep. */
function promptOf(pe, { params, inputs }, shape, attentionMask) {
  const { seq_length: originalLength, T: count, past = 0 } = params;
  const given = inputs.true_seq_len ? toNumbers(inputs.true_seq_len.data) : params.true_seq_len;
  const padding = attentionMask ? paddingOf(attentionMask) : [0];
  const lengths = given ? [given].flat() : padding.map((missing) => (past || count) - missing);
  if (!params.use_dynamic_ntk) return { sequenceLength: past || count, alpha: 1 };
  const alphas = lengths.map((length) => alphaAt(pe, originalLength, length, shape));
  if (alphas.some((alpha) => alpha !== alphas[0]))
    throw new Unsupported("attention_mask: an unequal true_seq_len within a batch is not available");
  return { sequenceLength: lengths[0], alpha: alphas[0] };
}

/** How many keys of each batch element are masked. */
function paddingOf({ data, dims: [batch, keys] }) {
  const rows = Array.from({ length: batch }, (_, b) => data.subarray(b * keys, (b + 1) * keys));
  return rows.map((row) => row.filter((visible) => visible === 0).length);
}

/** Which keys are visible: as options of a call, each way that the case has, and as a function. */
function visibilityOf({ params: { past = 0 }, inputs }) {
  const { attentionMask, mask } = attentionMaskOf(inputs.attention_mask, inputs.x.dims[0]);
  if (mask) throw new Unsupported("an attention_mask for each query is not mapped");
  const stored = inputs.mask && { data: inputs.mask.data, dims: inputs.mask.dims };
  const ways = [{ causal: true, attentionMask }, ...(stored ? [{ mask: stored, attentionMask }] : [])];
  const count = inputs.x.dims[1];
  const isVisible = (b, i, j) =>
    (stored ? stored.data[i * count + j] !== 0 : j <= i + past) && attentionMask?.data[b * count + j] !== 0;
  return { attentionMask, ways, isVisible };
}

function headsOf({ params: { num_heads: heads, head_dim: dim }, inputs }) {
  const projected = linear(inputs.x, inputs["c_attn.weight"], inputs["c_attn.bias"]);
  const width = heads * dim;
  return [0, 1, 2].map((part) => splitHeads(columnsOf(projected, part * width, width), heads));
}

function runAttention(pe, parsed) {
  const { params, inputs } = parsed;
  const { seq_length: originalLength, head_dim: dim, T: count, past = 0, rope_theta: base, layout } = params;
  checkFact(parsed, "T", inputs.x.dims[1]);
  const shape = { dim, rotaryDim: rotaryDimOf(params, dim), base, pairing: pairingOf(layout) };
  const { attentionMask, ways, isVisible } = visibilityOf(parsed);
  const { sequenceLength, alpha } = promptOf(pe, parsed, shape, attentionMask);
  checkFact(parsed, "ntk_alpha", alpha);
  const encoding = pe.create(
    params.use_dynamic_ntk ? { kind: "rope-qwen", ...shape, originalLength } : { kind: "rope", ...shape },
  );
  const temperature = params.use_logn_attn ? { rule: "log-n", length: originalLength } : undefined;
  const [q, k, v] = headsOf(parsed);
  const newest = rowsFrom(q, past);
  const at = { sequenceLength };
  const output = (way) => () => {
    const out = joinHeads(pe.attention(newest, k, v, { encoding, temperature, at, ...way }));
    return linear(out, inputs["c_proj.weight"], inputs["c_proj.bias"]);
  };
  const queries = count - past;
  const factors = () =>
    temperature
      ? pe.queryTemperature({ length: queries, offset: past, temperature })
      : { data: new Float32Array(queries).fill(1), dims: [queries] };
  const rotated = (x, first) => encoding.apply(float32(x), { offset: first, ...at });
  const logits = () => scoresOf(rotated(newest, past), rotated(k, 0), factors().data, isVisible);
  return { logn: factors, logits, output: ways.map(output) };
}

/** Some of the last axis. */
function columnsOf({ data, dims }, first, width) {
  const all = dims.at(-1);
  const out = new Float64Array((data.length / all) * width);
  for (let i = 0; i < out.length; i++) out[i] = data[Math.floor(i / width) * all + first + (i % width)];
  return { data: out, dims: [...dims.slice(0, -1), width] };
}

/** The positions from `first` on, of [batch, heads, positions, dim]. */
function rowsFrom(x, first) {
  const [batch, heads, count, dim] = x.dims;
  const ahead = permute(x, [2, 0, 1, 3]);
  const kept = { data: ahead.data.slice(first * batch * heads * dim), dims: [count - first, batch, heads, dim] };
  return permute(kept, [1, 2, 0, 3]);
}

/** q · k / √dim times the factor of each query; 0 for masked keys. */
function scoresOf(q, k, factors, isVisible) {
  const [batch, heads, queries, dim] = q.dims;
  const keys = k.dims[2];
  const data = new Float64Array(batch * heads * queries * keys);
  for (let at = 0; at < data.length; at++) {
    const [row, j] = [Math.floor(at / keys), at % keys];
    if (!isVisible(Math.floor(row / (heads * queries)), row % queries, j)) continue;
    const key = Math.floor(row / queries) * keys + j;
    for (let c = 0; c < dim; c++) data[at] += q.data[row * dim + c] * k.data[key * dim + c];
    data[at] *= factors[row % queries] / Math.sqrt(dim);
  }
  return { data, dims: [batch, heads, queries, keys] };
}

export const LOGN = [
  { matches: ({ params }) => "use_logn_attn" in params, run: runAttention },
  { matches: ({ inputs }) => "true_seq_len" in inputs, run: runAlpha },
  { matches: ({ params }) => "ntk_alpha" in params && "rotary_dim" in params, run: runRotation },
];
