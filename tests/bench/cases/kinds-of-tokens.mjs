// Kinds that go by what a call says of each token, or by what queries and keys say of the distance, as cases/kinds.mjs
// describes kinds. `tokens(sizes)`: attention's options, { name: { data, dims } }; `scores` has them as its last argument.
import { sinusoid } from "../numbers.mjs";
import { dot, products, rows, softplus } from "./relative.mjs";

/** Of each token, for the heads: what `bias` is added to scores that are scaled. */
const withBias = (biasOf) => (spec, parameters, _, tokens) => (h, i, given) => {
  const bias = biasOf(spec, parameters, tokens, h, i, given);
  return products(h, i, given).map((product, j) => product + bias(j) * Math.sqrt(given.dim));
};

/** The logarithms of a sigmoid, near 0: each gate closes a little. */
const logGates = ({ heads, length }) => ({
  logGates: { data: sinusoid(heads * length, 0.83).map((x) => -0.01 * (1 + x)), dims: [1, heads, length] },
});

/** Σ of the gates of tokens j < t <= i; causal. */
const gatesBetween = (_, __, { logGates: { data } }, h, i, { length }) => {
  const closed = new Float64Array(length);
  for (let t = i; t > 0; t--) closed[t - 1] = closed[t] + data[h * length + t];
  return (j) => (j <= i ? closed[j] : 0);
};

const unitRows = (count, dim) => {
  const data = sinusoid(count * dim, 0.53);
  for (let row = 0; row < count; row++) {
    const one = data.subarray(row * dim, (row + 1) * dim);
    const length = Math.hypot(...one);
    one.forEach((x, d) => (one[d] = x / length));
  }
  return data;
};

/** k_j · (I - β_(j+1) w wᵀ) … (I - β_i w wᵀ) q_i; causal. */
function pathScores(spec, parameters, _, { directions, strengths }) {
  return (h, i, { q, k, length, dim }) => {
    const query = Float64Array.from(q.subarray((h * length + i) * dim, (h * length + i + 1) * dim));
    const scores = new Float64Array(length);
    for (let j = i; j >= 0; j--) {
      const at = (h * length + j) * dim;
      scores[j] = dot(query, 0, k, at, dim);
      const along = strengths.data[h * length + j] * dot(query, 0, directions.data, at, dim);
      for (let d = 0; d < dim; d++) query[d] -= along * directions.data[at + d];
    }
    return scores;
  };
}

/** -(i - j) slope softplus(ω) softplus(u · k_j / |u| √d) */
function grapeAdditive({ heads, dim }, { omega, u }, _, h, i, { k, length }) {
  const slope = 2 ** ((-8 * (h + 1)) / heads) * softplus(omega[h]);
  const norm = Math.sqrt(dot(u, h * dim, u, h * dim, dim) * dim);
  return (j) => -Math.max(0, i - j) * slope * softplus(dot(u, h * dim, k, (h * length + j) * dim, dim) / norm);
}

const gateWidth = 64;

/** Σ over j < t <= i of slope · ln σ(row_i · R_t row_t / width), rows of length √width. */
function grapePath({ heads }, _, { gateRows: { data } }, h, i, { length }) {
  const half = gateWidth / 2;
  const slope = 2 ** ((-8 * (h + 1)) / heads);
  const row = (t) => (h * length + t) * gateWidth;
  const query = data.subarray(row(i), row(i) + gateWidth);
  const sums = new Float64Array(length);
  for (let t = i; t > 0; t--) {
    const one = data.subarray(row(t), row(t) + gateWidth);
    const size = Math.sqrt(dot(one, 0, one, 0, gateWidth) / gateWidth + 2 ** -23);
    const [c, s] = [Math.cos(t), Math.sin(t)];
    let sum = 0;
    for (let x = 0; x < half; x++)
      sum += query[x] * (one[x] * c + one[x + half] * s) + query[x + half] * (one[x + half] * c - one[x] * s);
    sums[t - 1] = sums[t] - slope * softplus(-sum / size / gateWidth);
  }
  return (j) => (j <= i ? sums[j] : 0);
}

export const tokenKinds = {
  forget: { title: "FoX", tokens: logGates, scores: withBias(gatesBetween) },
  "data-dependent-alibi": {
    title: "data-dependent ALiBi",
    hasDim: true,
    tokens: logGates,
    scores: withBias(gatesBetween),
  },
  path: {
    title: "PaTH",
    hasDim: true,
    isShared: true,
    tokens: ({ heads, length, dim }) => ({
      directions: { data: unitRows(heads * length, dim), dims: [1, heads, length, dim] },
      strengths: { data: sinusoid(heads * length, 0.47).map((x) => 1 + x), dims: [1, heads, length] },
    }),
    scores: pathScores,
  },
  "grape-a": {
    title: "GRAPE-A",
    hasDim: true,
    parameters: ({ heads, dim }) => ({ omega: [heads], u: [heads * dim] }),
    scores: withBias(grapeAdditive),
  },
  "grape-ap": {
    title: "GRAPE-AP",
    tokens: ({ heads, length }) => ({
      gateRows: { data: sinusoid(heads * length * gateWidth, 0.37), dims: [1, heads, length, gateWidth] },
    }),
    scores: withBias(grapePath),
  },
};
