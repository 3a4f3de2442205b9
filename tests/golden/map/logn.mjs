// Qwen 1: a base that grows in steps, and queries that are scaled by the logarithm of their position.
import { Malformed, toNumbers } from "../arrays.mjs";
import { needKind } from "../needs.mjs";
import { float32, joinHeads, linear, permute, splitHeads } from "../plumbing.mjs";
import { checkFact } from "../restated.mjs";
import { pairingOf } from "../specs.mjs";
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

function runAttention(pe, parsed) {
  const { params, inputs } = parsed;
  const { seq_length: originalLength, num_heads: heads, head_dim: dim, T: count, past, rope_theta: base } = params;
  checkFact(parsed, "T", inputs.x.dims[1]);
  // Written tokens keep what the prompt was turned by.
  const prompt = past || count;
  const alpha = params.use_dynamic_ntk ? alphaAt(pe, originalLength, prompt, { dim, base }) : 1;
  checkFact(parsed, "ntk_alpha", alpha);
  const shape = { dim, base, pairing: pairingOf(params.layout) };
  const encoding = pe.create(
    params.use_dynamic_ntk ? { kind: "rope-qwen", ...shape, originalLength } : { kind: "rope", ...shape },
  );
  const temperature = params.use_logn_attn ? { rule: "log-n", length: originalLength } : undefined;
  const projected = linear(inputs.x, inputs["c_attn.weight"], inputs["c_attn.bias"]);
  const width = heads * dim;
  const [q, k, v] = [0, 1, 2].map((part) => splitHeads(columnsOf(projected, part * width, width), heads));
  const newest = rowsFrom(q, past);
  const rule = { causal: true };
  const stored = { mask: { data: inputs.mask.data, dims: inputs.mask.dims } };
  const at = { sequenceLength: prompt };
  const options = { encoding, temperature, at };
  const attend = (seen) => () => joinHeads(pe.attention(newest, k, v, { ...options, ...seen }));
  const project = (seen) => () => linear(attend(seen)(), inputs["c_proj.weight"]);
  const queries = count - past;
  const factors = () =>
    temperature
      ? pe.queryTemperature({ length: queries, offset: past, temperature })
      : { data: new Float32Array(queries).fill(1), dims: [queries] };
  const logits = () => {
    const turned = (x, first) => encoding.apply(float32(x), { offset: first, ...at });
    const hidden = inputs.mask.data;
    return scoresOf(turned(newest, past), turned(k, 0), factors().data, (i, j) => hidden[i * count + j] !== 0);
  };
  return { logn: factors, logits, output: [rule, stored].map(project) };
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

/** q · k / √dim times what each query is scaled by; 0 where nothing is seen. */
function scoresOf(q, k, factors, sees) {
  const [batch, heads, queries, dim] = q.dims;
  const keys = k.dims[2];
  const data = new Float64Array(batch * heads * queries * keys);
  for (let at = 0; at < data.length; at++) {
    const [row, j] = [Math.floor(at / keys), at % keys];
    if (!sees(row % queries, j)) continue;
    const key = Math.floor(row / queries) * keys + j;
    for (let c = 0; c < dim; c++) data[at] += q.data[row * dim + c] * k.data[key * dim + c];
    data[at] *= factors[row % queries] / Math.sqrt(dim);
  }
  return { data, dims: [batch, heads, queries, keys] };
}

export const LOGN = [
  { matches: ({ inputs }) => "true_seq_len" in inputs, run: runAlpha },
  { matches: ({ params }) => "use_logn_attn" in params, run: runAttention },
  { matches: ({ params }) => "ntk_alpha" in params && "rotary_dim" in params, run: runRotation },
];
