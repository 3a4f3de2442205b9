// What attention can carry inside: a spec of each kind, its learned numbers and its formula in float64, as published.
// `bias(spec, parameters)` gives (head, i, j) => what is added to the scaled score; `scores` gives
// (head, i, { q, k }) => what takes the place of q·k, as a row of all keys; `values` what joins the value of key j.
import { sinusoid } from "../numbers.mjs";
import { mapKinds } from "./kinds-of-maps.mjs";
import { tokenKinds } from "./kinds-of-tokens.mjs";
import { relativeKinds } from "./relative.mjs";

/** { name: dims } -> { name: numbers }; [dims, low, high] bounds them. */
export const filled = (parameters) =>
  Object.fromEntries(
    Object.entries(parameters).map(([name, [count, low = -0.5, high = 0.5]], i) => [
      name,
      sinusoid(count, 0.31 + 0.1 * i).map((x) => low + ((high - low) * (x + 1)) / 2),
    ]),
  );

const slope = (heads, h) => 2 ** ((-8 * (h + 1)) / heads);

/** T5: few distances of their own, then ever wider ranges. */
export function t5Bucket(relative, { buckets, maxDistance, bidirectional }) {
  const side = bidirectional ? buckets / 2 : buckets;
  const before = bidirectional && relative > 0 ? side : 0;
  const distance = bidirectional ? Math.abs(relative) : Math.max(0, -relative);
  const exact = side / 2;
  if (distance < exact) return before + distance;
  const wide =
    exact + Math.floor(((side - exact) * Math.log(distance / exact)) / Math.log(maxDistance / exact) + 1e-12);
  return before + Math.min(wide, side - 1);
}

function fireBias(
  { heads, width, length, epsilon },
  { inputWeights, inputBias, outputWeights, outputBias, c, lengthFactor },
) {
  const spread = (y) => Math.log1p(Math.abs(c[0] * y));
  return (h, i, j) => {
    const x = spread(Math.max(0, i - j)) / (spread(Math.max(i, Math.abs(lengthFactor[0] * length))) + epsilon);
    let sum = outputBias[h];
    for (let u = 0; u < width; u++)
      sum += outputWeights[h * width + u] * Math.max(0, inputWeights[u] * x + inputBias[u]);
    return sum;
  };
}

/** What is worked out once for each head and place. */
function remembered(work) {
  const known = new Map();
  return (...of) => {
    const key = of.join();
    if (!known.has(key)) known.set(key, work(...of));
    return known.get(key);
  };
}

/** 16 σ of a network of the logarithms of the displacement. */
function swinV2Bias({ windowHeight, windowWidth }, { inputWeights, inputBias, outputWeights }) {
  const spread = (away, side) => (Math.sign(away) * Math.log2(Math.abs((8 * away) / (side - 1)) + 1)) / 3;
  const of = remembered((h, down, across) => {
    let sum = 0;
    inputBias.forEach((from, unit) => {
      const hidden =
        inputWeights[2 * unit] * spread(down, windowHeight) + inputWeights[2 * unit + 1] * spread(across, windowWidth);
      sum += outputWeights[h * inputBias.length + unit] * Math.max(0, hidden + from);
    });
    return 16 / (1 + Math.exp(-sum));
  });
  const row = (cell) => Math.floor(cell / windowWidth);
  return (h, i, j) => of(h, row(i) - row(j), (i % windowWidth) - (j % windowWidth));
}

const windowOf = ({ length }) => ({ windowHeight: Math.sqrt(length), windowWidth: Math.sqrt(length) });

const biasKinds = {
  alibi: {
    title: "ALiBi",
    bias:
      ({ heads }) =>
      (h, i, j) =>
        -slope(heads, h) * Math.abs(i - j),
  },
  t5: {
    title: "T5",
    spec: { buckets: 32, maxDistance: 128, bidirectional: false },
    parameters: ({ heads, buckets }) => ({ weights: [buckets * heads] }),
    bias:
      (spec, { weights }) =>
      (h, i, j) =>
        weights[t5Bucket(j - i, spec) * spec.heads + h],
  },
  kerple: {
    title: "KERPLE",
    spec: { form: "log" },
    parameters: ({ heads }) => ({ amplitude: [heads, 0.1, 2], rate: [heads, 0.1, 1] }),
    bias:
      (spec, { amplitude, rate }) =>
      (h, i, j) =>
        -amplitude[h] * Math.log1p(rate[h] * Math.max(0, i - j)),
  },
  sandwich: {
    title: "Sandwich",
    spec: { dim: 64, base: 10000 },
    bias: ({ heads, dim, base }) => {
      const rates = Array.from({ length: dim / 2 }, (_, pair) => base ** ((-2 * (pair + 1)) / dim));
      return (h, i, j) => {
        const sum = rates.reduce((total, rate) => total + Math.cos(Math.max(0, i - j) * rate) - 1, 0);
        return (sum * heads) / (8 * (h + 1));
      };
    },
  },
  fire: {
    title: "FIRE",
    spec: { width: 32, length: 512, epsilon: 1e-6 },
    parameters: ({ heads, width }) => ({
      inputWeights: [width],
      inputBias: [width],
      outputWeights: [heads * width],
      outputBias: [heads],
      c: [1, 0.1, 0.1],
      lengthFactor: [1, 1, 1],
    }),
    bias: fireBias,
  },
  mask: {
    title: "mask (window of 256)",
    isShared: true,
    spec: { causal: true, windowLeft: 255 },
    bias:
      ({ windowLeft }) =>
      (h, i, j) =>
        i - j > windowLeft || j > i ? -Infinity : 0,
  },
  swin: {
    title: "Swin",
    isFull: true,
    spec: windowOf,
    parameters: ({ heads, windowHeight, windowWidth }) => ({
      weights: [(2 * windowHeight - 1) * (2 * windowWidth - 1) * heads],
    }),
    bias:
      ({ heads, windowHeight, windowWidth }, { weights }) =>
      (h, i, j) => {
        const down = Math.floor(i / windowWidth) - Math.floor(j / windowWidth) + windowHeight - 1;
        const across = (i % windowWidth) - (j % windowWidth) + windowWidth - 1;
        return weights[(down * (2 * windowWidth - 1) + across) * heads + h];
      },
  },
  "swin-v2": {
    title: "Swin V2",
    isFull: true,
    spec: windowOf,
    parameters: ({ heads }) => ({
      inputWeights: [2 * 512],
      inputBias: [512],
      outputWeights: [heads * 512, -0.05, 0.05],
    }),
    bias: swinV2Bias,
  },
};

/** Every kind by its name in specs. `isFull`: without a causal mask. */
export const kinds = { ...biasKinds, ...relativeKinds, ...tokenKinds, ...mapKinds };

/** The spec of a kind for these sizes. */
export function specOf(kind, { heads, dim, length }, own = {}) {
  const { spec = {}, hasDim, isShared } = kinds[kind];
  const standard = typeof spec === "function" ? spec({ length }) : spec;
  return { kind, ...(isShared ? {} : { heads }), ...(hasDim ? { dim } : {}), ...standard, ...own };
}
