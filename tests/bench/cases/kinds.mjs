// What attention can carry inside: a spec of each kind, its learned numbers and its formula in float64, as published.
// `bias(spec, parameters)` gives (head, i, j) => what is added to the scaled score; `scores` gives
// (head, i, { q, k }) => what takes the place of q·k, as a row of all keys; `values` what joins the value of key j.
import { wave } from "../numbers.mjs";
import { relativeKinds } from "./relative.mjs";

/** { name: dims } -> { name: numbers }; [dims, low, high] bounds them. */
export const filled = (parameters) =>
  Object.fromEntries(
    Object.entries(parameters).map(([name, [count, low = -0.5, high = 0.5]], i) => [
      name,
      wave(count, 0.31 + 0.1 * i).map((x) => low + ((high - low) * (x + 1)) / 2),
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
      const rates = Array.from({ length: dim / 2 }, (_, wave) => base ** ((-2 * (wave + 1)) / dim));
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
    spec: ({ length }) => ({ windowHeight: Math.sqrt(length), windowWidth: Math.sqrt(length) }),
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
};

/** Every kind by its name in specs. `isFull`: without a causal mask. */
export const kinds = { ...biasKinds, ...relativeKinds };

/** The spec of a kind for these sizes. */
export function specOf(kind, { heads, dim, length }, own = {}) {
  const { spec = {}, hasDim, isShared } = kinds[kind];
  const standard = typeof spec === "function" ? spec({ length }) : spec;
  return { kind, ...(isShared ? {} : { heads }), ...(hasDim ? { dim } : {}), ...standard, ...own };
}
