// Kinds that map queries and keys by learned numbers and their places, as cases/kinds.mjs describes kinds.
import { frequencies } from "../numbers.mjs";
import { dot, rotatedScores, rows } from "./relative.mjs";

const share = (list, h, count) => list.subarray(h * count, (h + 1) * count);

/** ⟨M_i q, M_j k⟩: rows are mapped once for each head. `mapOf(spec, parameters)`: (row, h, place) => row. */
const mappedScores = (mapOf) => (spec, parameters) => {
  const map = mapOf(spec, parameters);
  const known = new Map();
  const mapped = (name, data, h, length, dim) => {
    const key = `${name} ${h}`;
    if (!known.has(key)) {
      const from = (t) => (h * length + t) * dim;
      const all = Array.from({ length }, (_, t) => [...map(data.subarray(from(t), from(t) + dim), h, t)]);
      known.set(key, Float64Array.from(all.flat()));
    }
    return known.get(key);
  };
  return (h, i, { q, k, length, dim }) => {
    const [queries, keys] = [mapped("q", q, h, length, dim), mapped("k", k, h, length, dim)];
    return Float64Array.from({ length }, (_, j) => dot(queries, i * dim, keys, j * dim, dim));
  };
};

/** Pairs turn by sums of waves that are as long as training was at most. */
function fopeMap({ dim, length, base }, { cosine, sine }) {
  const rates = frequencies(dim, base).filter((rate) => rate >= (2 * Math.PI) / length);
  const pairs = dim / 2;
  const outputs = cosine.length / rates.length;
  return (row, _, t) => {
    const out = Float64Array.from(row);
    for (let o = 0; o < Math.min(outputs, pairs); o++) {
      let [c, s] = [0, 0];
      rates.forEach((rate, i) => {
        c += Math.cos(t * rate) * cosine[i * outputs + o];
        s += Math.sin(t * rate) * sine[i * outputs + o];
      });
      out[o] = row[o] * c - row[o + pairs] * s;
      out[o + pairs] = row[o] * s + row[o + pairs] * c;
    }
    return out;
  };
}

const square = (size, at) => Array.from({ length: size }, (_, i) => Array.from({ length: size }, (_, j) => at(i, j)));
const skew = (size, at) => square(size, (i, j) => (i < j ? at(i, j) : i > j ? -at(j, i) : 0));
const times = (a, b) => square(a.length, (i, j) => a[i].reduce((sum, x, k) => sum + x * b[k][j], 0));

/** By its series, of a matrix that is halved until it is small. */
function exponential(matrix) {
  const size = matrix.length;
  let term = square(size, (i, j) => Number(i === j));
  let sum = term;
  for (let k = 1; k <= 14; k++) {
    const next = times(term, matrix);
    term = square(size, (i, j) => next[i][j] / 1024 / k);
    const before = sum;
    sum = square(size, (i, j) => before[i][j] + term[i][j]);
  }
  for (let n = 0; n < 10; n++) sum = times(sum, sum);
  return sum;
}

function liereMap({ dim, blockDim }, { generators }) {
  const rotations = new Map();
  const rotationsAt = (t) => {
    if (!rotations.has(t))
      rotations.set(
        t,
        Array.from({ length: dim / blockDim }, (_, block) =>
          exponential(skew(blockDim, (i, j) => t * generators[(block * blockDim + i) * blockDim + j])),
        ),
      );
    return rotations.get(t);
  };
  return (row, _, t) =>
    rotationsAt(t).flatMap((rotation, block) =>
      rotation.map((line) => line.reduce((sum, x, j) => sum + x * row[block * blockDim + j], 0)),
    );
}

/** (I + S)⁻¹ (I - S) row, by elimination: the pivots of I + S are never 0. */
function cayley(s, row) {
  const size = s.length;
  const lines = s.map((line, i) => [
    ...line.map((x, j) => Number(i === j) + x),
    line.reduce((sum, x, j) => sum + (Number(i === j) - x) * row[j], 0),
  ]);
  for (let k = 0; k < size; k++)
    for (let i = k + 1; i < size; i++) {
      const factor = lines[i][k] / lines[k][k];
      for (let j = k; j <= size; j++) lines[i][j] -= factor * lines[k][j];
    }
  const out = new Float64Array(size);
  for (let i = size - 1; i >= 0; i--) {
    let rest = lines[i][size];
    for (let j = i + 1; j < size; j++) rest -= lines[i][j] * out[j];
    out[i] = rest / lines[i][i];
  }
  return out;
}

/** A learned basis, then neighbours turn by learned frequencies. */
function stringMap({ dim }, { generators, frequencies: rates }) {
  const s = skew(dim, (i, j) => generators[i * dim + j]);
  return (row, _, t) => {
    const out = cayley(s, row);
    for (let pair = 0; pair < dim / 2; pair++) {
      const [a, b, angle] = [out[2 * pair], out[2 * pair + 1], t * rates[pair]];
      out[2 * pair] = a * Math.cos(angle) - b * Math.sin(angle);
      out[2 * pair + 1] = a * Math.sin(angle) + b * Math.cos(angle);
    }
    return out;
  };
}

const frequencyCount = ({ dim, length, base }) =>
  frequencies(dim, base).filter((rate) => rate >= (2 * Math.PI) / length).length;

export const mapKinds = {
  "rope-mixed": {
    title: "RoPE-Mixed",
    hasDim: true,
    spec: { axes: 1 },
    parameters: ({ heads, dim }) => ({ frequencies: [(heads * dim) / 2, -1, 1] }),
    scores: ({ dim }, { frequencies: rates }) => rotatedScores(dim, "interleaved", (h) => share(rates, h, dim / 2)),
  },
  "grape-m": {
    title: "GRAPE-M",
    hasDim: true,
    parameters: ({ heads, dim }) => ({ logFrequencies: [(heads * dim) / 2, -6, 0] }),
    scores: ({ dim }, { logFrequencies }) =>
      rotatedScores(dim, "half", (h) => Float64Array.from(share(logFrequencies, h, dim / 2), (x) => -Math.exp(x))),
  },
  fope: {
    title: "FoPE",
    hasDim: true,
    isShared: true,
    spec: { base: 10000, length: 512 },
    parameters: (spec) => ({
      cosine: [frequencyCount(spec) ** 2, -0.3, 0.3],
      sine: [frequencyCount(spec) ** 2, -0.3, 0.3],
    }),
    scores: mappedScores(fopeMap),
  },
  liere: {
    title: "LieRE",
    hasDim: true,
    isShared: true,
    spec: { blockDim: 8, axes: 1 },
    parameters: ({ dim, blockDim }) => ({ generators: [dim * blockDim, -0.05, 0.05] }),
    scores: mappedScores(liereMap),
  },
  string: {
    title: "STRING",
    hasDim: true,
    isShared: true,
    spec: { form: "cayley", axes: 1 },
    parameters: ({ dim }) => ({ generators: [dim * dim, -0.1, 0.1], frequencies: [dim / 2, -1, 1] }),
    scores: mappedScores(stringMap),
  },
};
