// Attention of many queries, with nothing and with each kind of encoding inside.
import { product, sinusoid } from "../numbers.mjs";
import { filled, kinds, specOf } from "./kinds.mjs";
import { products } from "./relative.mjs";

const flops = ({ heads, length, dim }, isCausal) =>
  4 * heads * dim * (isCausal ? (length * (length + 1)) / 2 : length ** 2);

const attention = (id, title, size, options, targets) => ({
  id,
  group: "attention",
  work: "attention",
  title: ({ heads, length, dim }) => `attention, ${heads} × ${length} × ${dim}, ${title}`,
  size,
  tiny: { heads: 2, length: 16, dim: 16 },
  tolerance: 1e-5,
  rate: { unit: "GFLOP/s", amount: (sizes) => flops(sizes, options.isCausal) },
  ...options,
  targets,
});

const causalSize = { heads: 8, length: 1024, dim: 64 };
const causalTargets = (others) => [
  { of: "tensor", against: "onnx", faster: 2.6, relaxed: 3.1 },
  { of: "tensor", against: "plain", faster: 20 },
  ...others,
];
const againstGqa = { of: "tensor", against: "onnx gqa", faster: 20 };

export const attentionCases = [
  attention("attention-full", "full", { heads: 12, length: 512, dim: 64 }, { isCausal: false }, [
    { of: "tensor", against: "onnx", faster: 1.4, relaxed: 1.65 },
  ]),
  attention("attention-causal", "causal", causalSize, { isCausal: true }, causalTargets([againstGqa])),
  attention(
    "attention-rope",
    "causal, RoPE inside",
    causalSize,
    { isCausal: true, kind: "rope" },
    causalTargets([againstGqa]),
  ),
  attention(
    "attention-alibi",
    "causal, ALiBi inside",
    causalSize,
    { isCausal: true, kind: "alibi" },
    causalTargets([]),
  ),
  {
    ...attention("attention-inside", "causal, each kind inside", causalSize, { isCausal: true, work: "inside" }, [
      { of: "inside rope", against: "inside none", atMost: 1.06 },
      { of: "inside alibi", against: "inside none", atMost: 1.06 },
    ]),
    rate: undefined,
  },
];

/** Some rows of each head, others in each: the first two, the last, and others spread between. */
function sampledRows(h, rows) {
  const between = Array.from({ length: 24 }, (_, n) => (h * 7 + n * 43) % rows);
  return [...new Set([0, 1, rows - 1, ...between])].filter((i) => i < rows);
}

/** softmax in place; -Infinity gives 0. */
export function softmax(row) {
  const most = Math.max(...row);
  let sum = 0;
  for (let j = 0; j < row.length; j++) sum += row[j] = Math.exp(row[j] - most);
  for (let j = 0; j < row.length; j++) row[j] /= sum;
}

/** One row of the result in float64. `i` is the query's position. */
function truthRow(h, i, given) {
  const { length, dim, v, scale, scores, bias, values, isCausal } = given;
  const row = scores(h, i, given);
  for (let j = 0; j < length; j++) row[j] = isCausal && j > i ? -Infinity : row[j] * scale + (bias ? bias(h, i, j) : 0);
  softmax(row);
  const out = new Float64Array(dim);
  for (let j = 0; j < length; j++) {
    const joined = values?.row(i, j);
    for (let d = 0; d < dim; d++)
      out[d] += row[j] * (v[(h * length + j) * dim + d] + (values ? values.table[joined + d] : 0));
  }
  return out;
}

function truthOf(given, { heads, length, dim, queries = length }) {
  const at = [];
  const values = [];
  for (let h = 0; h < heads; h++)
    for (const i of sampledRows(h, queries)) {
      const row = truthRow(h, i + length - queries, given);
      for (let d = 0; d < dim; d++) {
        at.push((h * queries + i) * dim + d);
        values.push(row[d]);
      }
    }
  return { y: { at: Uint32Array.from(at), values: Float64Array.from(values), length: heads * queries * dim } };
}

/** Queries, keys and values of [1, heads, positions, dim]; scores that softmax neither flattens nor picks one of. */
function vectors({ heads, length, dim, queries = length }) {
  const dims = [1, heads, length, dim];
  const count = product(dims);
  const [q, k, v] = [sinusoid(count, 0.7, 1.5), sinusoid(count, 0.31, 1.5), sinusoid(count, 0.57)];
  return { dims, queryDims: [1, heads, queries, dim], allQueries: q, k, v };
}

/** Only the last queries, where there are fewer than keys. */
function lastQueries(all, { heads, length, dim, queries = length }) {
  const out = new Float32Array(heads * queries * dim);
  for (let h = 0; h < heads; h++)
    out.set(all.subarray(((h + 1) * length - queries) * dim, (h + 1) * length * dim), h * queries * dim);
  return out;
}

/** `remap`: { option, distance(i, j) }, of a rotation. */
export function prepareAttention({ size, kind, isCausal = false, remap }) {
  const { allQueries, ...given } = vectors(size);
  const about = kind === undefined ? {} : kinds[kind];
  const spec = kind === undefined ? undefined : specOf(kind, size);
  const parameters = filled(about.parameters?.(spec) ?? {});
  const scale = 1 / Math.sqrt(size.dim * (about.terms ?? 1));
  const tokens = about.tokens?.(size) ?? {};
  const scores = about.scores?.(spec, parameters, remap?.distance, tokens) ?? products;
  const bias = about.bias?.(spec, parameters);
  const truth = truthOf(
    { ...given, ...size, q: allQueries, scale, scores, bias, values: about.values?.(spec, parameters), isCausal },
    size,
  );
  return {
    ...given,
    q: lastQueries(allQueries, size),
    kind,
    spec,
    parameters,
    tokens,
    scale,
    bias,
    isCausal,
    remap: remap?.option,
    truth,
  };
}

/** What the mask does, by attention's own option. */
const windowOf = ({ spec, ...given }) => ({
  ...given,
  window: [spec.windowLeft, 0],
  label: "window of 256, as an option",
  role: "inside window",
});

/** The same vectors for every kind; those that need it without a causal mask, and nothing, too. `kinds`: for these. */
export function prepareInside(one) {
  const prepared = (kind, isCausal) => ({
    ...prepareAttention({ ...one, kind, isCausal }),
    label: (kind === undefined ? "nothing" : kinds[kind].title) + (isCausal ? "" : ", not causal"),
    role: `inside ${kind ?? "none"}${isCausal ? "" : " full"}`,
  });
  if (one.kinds) return { inside: [undefined, ...one.kinds].map((kind) => prepared(kind, true)) };
  const inside = Object.keys(kinds).map((kind) => prepared(kind, !kinds[kind].isFull));
  return {
    inside: [prepared(undefined, true), ...inside, windowOf(prepared("mask", true)), prepared(undefined, false)],
  };
}

/** The bias and what a causal mask hides, ready: [1, heads or 1, queries, keys]; nothing where there is neither. */
export function readyMask({ size, bias, isCausal }) {
  const { heads, length } = size;
  if (!bias && !isCausal) return undefined;
  const rows = bias ? heads : 1;
  const data = new Float32Array(rows * length * length);
  for (let h = 0, p = 0; h < rows; h++)
    for (let i = 0; i < length; i++)
      for (let j = 0; j < length; j++, p++) data[p] = isCausal && j > i ? -1e9 : (bias?.(h, i, j) ?? 0);
  return { data, dims: [1, rows, length, length] };
}
