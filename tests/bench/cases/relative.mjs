// Kinds whose scores need the queries and keys themselves, as cases/kinds.mjs describes kinds.
import { frequencies } from "../numbers.mjs";

export const clamp = (x, low, high) => Math.min(Math.max(x, low), high);

export function dot(a, atA, b, atB, count) {
  let sum = 0;
  for (let d = 0; d < count; d++) sum += a[atA + d] * b[atB + d];
  return sum;
}

/** Rows of scores, from (head, i, j, inputs, addresses of q_i and k_j) => score. */
export const rows =
  (score) =>
  (h, i, { q, k, length, dim }) =>
    Float64Array.from({ length }, (_, j) =>
      score(h, i, j, { q, k, dim }, (h * length + i) * dim, (h * length + j) * dim),
    );

/** q·k */
export const products = rows((h, i, j, { q, k, dim }, qi, kj) => dot(q, qi, k, kj, dim));

/** ⟨R_i q, R_j k⟩: each pair by the angle between the two positions, or whatever becomes of their distance. */
export function rotatedScores(dim, pairing, ratesOf, distance = (i, j) => i - j) {
  const [step, apart] = pairing === "half" ? [1, dim / 2] : [2, 1];
  return rows((h, i, j, { q, k }, qi, kj) => {
    let sum = 0;
    for (let pair = 0; pair < dim / 2; pair++) {
      const [a, b] = [pair * step, pair * step + apart];
      const angle = distance(i, j) * ratesOf(h)[pair];
      sum += (q[qi + a] * k[kj + a] + q[qi + b] * k[kj + b]) * Math.cos(angle);
      sum -= (q[qi + b] * k[kj + a] - q[qi + a] * k[kj + b]) * Math.sin(angle);
    }
    return sum;
  });
}

function ropeScores({ dim, base, pairing }, parameters, distance) {
  const rates = frequencies(dim, base);
  return rotatedScores(dim, pairing, () => rates, distance);
}

const shawRow = (i, j, { dim, maxDistance }) => dim * (clamp(j - i, -maxDistance, maxDistance) + maxDistance);

function shawScores(spec, { keys }) {
  const { dim } = spec;
  return rows((h, i, j, { q, k }, qi, kj) => dot(q, qi, k, kj, dim) + dot(q, qi, keys, shawRow(i, j, spec), dim));
}

/** Sinusoids of the clipped distance, counted from the farthest key before the query. */
function nezhaTable({ dim, maxDistance, base }) {
  const rates = frequencies(dim, base);
  return Float64Array.from({ length: (2 * maxDistance + 1) * dim }, (_, at) => {
    const angle = Math.floor(at / dim) * rates[(at % dim) >> 1];
    return at % 2 ? Math.cos(angle) : Math.sin(angle);
  });
}

function nezhaScores(spec) {
  const table = nezhaTable(spec);
  return rows(
    (h, i, j, { q, k }, qi, kj) => dot(q, qi, k, kj, spec.dim) + dot(q, qi, table, shawRow(i, j, spec), spec.dim),
  );
}

/** (q_i + u)·k_j + (q_i + v)·W R_(i-j); Wᵀ (q_i + v) is made once for each row. */
function transformerXlScores({ dim, heads, base }, { u, v, projection }) {
  const width = dim * heads;
  const rates = frequencies(width, base);
  const knownSinusoids = new Map();
  const sinusoidsOf = (distance) => {
    const angles = rates.map((rate) => distance * rate);
    if (!knownSinusoids.has(distance)) knownSinusoids.set(distance, [...angles.map(Math.sin), ...angles.map(Math.cos)]);
    return knownSinusoids.get(distance);
  };
  return (h, i, { q, k, length }) => {
    const query = Float64Array.from({ length: dim }, (_, d) => q[(h * length + i) * dim + d]);
    const projected = new Float64Array(width);
    for (let d = 0; d < dim; d++)
      for (let n = 0; n < width; n++)
        projected[n] += (query[d] + v[h * dim + d]) * projection[(h * dim + d) * width + n];
    const content = query.map((x, d) => x + u[h * dim + d]);
    return Float64Array.from(
      { length },
      (_, j) => dot(content, 0, k, (h * length + j) * dim, dim) + dot(projected, 0, sinusoidsOf(i - j), 0, width),
    );
  };
}

function debertaScores({ dim, maxDistance }, { positionKeys, positionQueries }) {
  return rows((h, i, j, { q, k }, qi, kj) => {
    const row = (h * 2 * maxDistance + clamp(i - j + maxDistance, 0, 2 * maxDistance - 1)) * dim;
    return dot(q, qi, k, kj, dim) + dot(q, qi, positionKeys, row, dim) + dot(k, kj, positionQueries, row, dim);
  });
}

/** Positions counted by gates, from the query back to the key; causal. */
function copeScores({ dim, maxPosition }, { embedding }) {
  return (h, i, { q, k, length }) => {
    const qi = (h * length + i) * dim;
    const scores = new Float64Array(length).fill(-Infinity);
    const logitAt = (p) => {
      let sum = 0;
      for (let d = 0; d < dim; d++) sum += q[qi + d] * embedding[d * maxPosition + p];
      return sum;
    };
    const logits = Float64Array.from({ length: maxPosition }, (_, p) => logitAt(p));
    let gates = 0;
    for (let j = i; j >= 0; j--) {
      const content = dot(q, qi, k, (h * length + j) * dim, dim);
      gates += 1 / (1 + Math.exp(-content / Math.sqrt(dim)));
      const p = Math.min(gates, maxPosition - 1);
      const low = Math.floor(p);
      const high = Math.ceil(p);
      scores[j] = content + logits[low] * (1 - (p - low)) + logits[high] * (p - low);
    }
    return scores;
  };
}

export const softplus = (x) => Math.log1p(Math.exp(x));

function popeScores({ dim, base }, { bias }) {
  const rates = Float64Array.from({ length: dim }, (_, c) => base ** (-c / dim));
  return rows((h, i, j, { q, k }, qi, kj) => {
    let sum = 0;
    for (let c = 0; c < dim; c++)
      sum += softplus(q[qi + c]) * softplus(k[kj + c]) * Math.cos((i - j) * rates[c] - bias[h * dim + c]);
    return sum;
  });
}

/** `hasDim`: the spec names the width of a head; `isShared`: it does not name the number of heads. */
export const relativeKinds = {
  rope: {
    title: "RoPE",
    hasDim: true,
    isShared: true,
    spec: { base: 10000, pairing: "half" },
    scores: ropeScores,
  },
  shaw: {
    title: "Shaw",
    hasDim: true,
    isShared: true,
    spec: { maxDistance: 16 },
    parameters: ({ dim, maxDistance }) => ({
      keys: [(2 * maxDistance + 1) * dim],
      values: [(2 * maxDistance + 1) * dim],
    }),
    scores: shawScores,
    values: (spec, { values }) => ({ table: values, row: (i, j) => shawRow(i, j, spec) }),
  },
  nezha: {
    title: "NEZHA",
    hasDim: true,
    isShared: true,
    spec: { maxDistance: 64, base: 10000 },
    scores: nezhaScores,
    values: (spec) => ({ table: nezhaTable(spec), row: (i, j) => shawRow(i, j, spec) }),
  },
  "transformer-xl": {
    title: "Transformer-XL",
    hasDim: true,
    spec: { base: 10000 },
    parameters: ({ dim, heads }) => ({
      u: [heads * dim],
      v: [heads * dim],
      projection: [(heads * dim) ** 2, -0.05, 0.05],
    }),
    scores: transformerXlScores,
  },
  deberta: {
    title: "DeBERTa",
    hasDim: true,
    spec: { maxDistance: 512 },
    terms: 3,
    parameters: ({ dim, heads, maxDistance }) => ({
      positionKeys: [heads * 2 * maxDistance * dim],
      positionQueries: [heads * 2 * maxDistance * dim],
    }),
    scores: debertaScores,
  },
  cope: {
    title: "CoPE",
    hasDim: true,
    isShared: true,
    spec: { maxPosition: 64 },
    parameters: ({ dim, maxPosition }) => ({ embedding: [dim * maxPosition] }),
    scores: copeScores,
  },
  pope: {
    title: "PoPE",
    hasDim: true,
    spec: { base: 10000 },
    parameters: ({ dim, heads }) => ({ bias: [heads * dim, -6.2, 0] }),
    scores: popeScores,
  },
};
