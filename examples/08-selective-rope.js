// Selective RoPE (Movahedi et al. 2025, arXiv:2511.17388): what a token says decides how far its features turn. Pair i of
// head h stands at the angle τ_i Σ_(s≤t) σ(w_h · x_s + b_h) φ_shi, where φ is W x through a causal convolution of each
// feature, and τ_i = 500000^(-2i/D). Angles like these, of any origin, turn rows through a rope of two features: it turns by
// its position, so that each pair is a row of its own.
import { init } from "posenc";

const pe = await init({ parts: ["attention"] });
const [tokens, heads, dim, taps] = [10, 2, 8, 4];
const [pairs, width] = [dim / 2, heads * dim];
const features = heads * pairs;
const temperatures = Float64Array.from({ length: pairs }, (_, i) => 500000 ** ((-2 * i) / dim));

let seed = 1;
const random = (count) => Float32Array.from({ length: count }, () => Math.sin(seed++ * 12.9898));
const layer = {
  phases: random(features * width),
  taps: random(features * taps),
  gates: random(heads * width),
  bias: [1, 2],
};
const x = random(tokens * width); // of length 1 for each head, as the authors take it
for (let row = 0; row < x.length; row += dim) {
  const length = Math.hypot(...x.subarray(row, row + dim));
  for (let c = 0; c < dim; c++) x[row + c] /= length;
}

/** rows [n, width] times a row of the matrix */
const product = (rows, n, matrix, row) => {
  let sum = 0;
  for (let c = 0; c < width; c++) sum += rows[n * width + c] * matrix[row * width + c];
  return sum;
};
/** Angles [tokens, heads, pairs] of rows; `state` has what a cache keeps: the last inputs of the convolution, the sums. */
function anglesOf(rows, state) {
  const count = rows.length / width;
  const angles = new Float64Array(count * features);
  for (let t = 0; t < count; t++) {
    state.inputs.push(Float64Array.from({ length: features }, (_, f) => product(rows, t, layer.phases, f)));
    state.inputs.shift();
    for (let h = 0; h < heads; h++) {
      const gate = 1 / (1 + Math.exp(-product(rows, t, layer.gates, h) - layer.bias[h]));
      for (let i = 0; i < pairs; i++) {
        const f = h * pairs + i;
        state.sums[f] +=
          gate * state.inputs.reduce((sum, input, tap) => sum + input[f] * layer.taps[f * taps + tap], 0);
        angles[t * features + f] = temperatures[i] * state.sums[f];
      }
    }
  }
  return angles;
}
const begin = () => ({
  inputs: Array.from({ length: taps }, () => new Float64Array(features)),
  sums: new Float64Array(features),
});

// Queries and keys [1, tokens, heads, dim], neighbours pair: pe.permuteWeights makes that of the halves of others.
const pair = pe.create({ kind: "rope", dim: 2 });
const rotate = (rows, positions) => pair.apply({ data: rows, dims: [1, 1, positions.length, 2] }, { positions }).data;
const shaped = (data) => ({ data, dims: [1, tokens, heads, dim] });
const [q, k, v] = [0, 1, 2].map(() => random(tokens * width));
const attend = (q, k, more = {}) =>
  pe.attention(shaped(q), shaped(k), shaped(v), { causal: true, layout: "bthd", ...more });

const angles = anglesOf(x, begin());
const rotated = { q: rotate(q.slice(), angles), k: rotate(k.slice(), angles) };
const out = attend(rotated.q, rotated.k);
const nearest = angles.every((angle, n) => {
  const [a, b, c, s] = [q[2 * n], q[2 * n + 1], Math.cos(angle), Math.sin(angle)];
  return Math.abs(rotated.q[2 * n] - (a * c - b * s)) + Math.abs(rotated.q[2 * n + 1] - (a * s + b * c)) < 3e-7;
});
console.log("turned as defined:", nearest, "attention:", out.dims.join(" × "));
console.log(
  "angles of the first pair:",
  Array.from({ length: 5 }, (_, t) => angles[t * features].toFixed(2)).join(" "),
);

// Where tokens come one by one, only the new one is turned: sums and the last inputs of the convolution are kept.
const state = begin();
const later = k.slice();
for (let t = 0; t < tokens; t++) {
  const [from, to] = [t * width, (t + 1) * width];
  later.set(rotate(k.slice(from, to), anglesOf(x.subarray(from, to), state)), from);
}
console.log(
  "one by one, the same keys:",
  later.every((value, n) => value === rotated.k[n]),
);

// RoPE is the case where all tokens say 1: only differences of angles count.
const steps = Float64Array.from(angles, (_, n) => (Math.floor(n / features) + 1) * temperatures[n % pairs]);
const rope = pe.create({ kind: "rope", dim, base: 500000, pairing: "interleaved" });
const plain = attend(q, k, { encoding: rope });
const same = attend(rotate(q.slice(), steps), rotate(k.slice(), steps));
console.log(
  "even steps are RoPE:",
  plain.data.every((value, n) => Math.abs(value - same.data[n]) < 2e-6),
);
