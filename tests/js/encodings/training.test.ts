// Steps of the optimizers, against their formulas in float64; and small tasks that are learned.
import { describe, expect, it } from "vitest";
import { createAny, createTable, loosely, pe } from "../helpers/library";
import { maxDifference, randomNumbers, randomTensor } from "../helpers/numbers";
import { describeRefusals } from "../helpers/refusals";
import type { Refusal } from "../helpers/refusals";

const learned = (fields: object = {}) => createTable({ kind: "learned", length: 5, dim: 4, std: 1, ...fields });

interface State {
  m: number;
  v: number;
  t: number;
}
type Update = (w: number, g: number, state: State) => number;

// torch.optim's, number by number.
const sgd =
  ({ learningRate = 0, momentum = 0, nesterov = false, weightDecay = 0 }): Update =>
  (w, gradient, state) => {
    const g = gradient + weightDecay * w;
    state.m = momentum * state.m + g;
    return w - learningRate * (nesterov ? g + momentum * state.m : state.m);
  };
const adam =
  ({ learningRate = 0, betas = [0.9, 0.999], epsilon = 1e-8, weightDecay = 0 }, decoupled: boolean): Update =>
  (w, gradient, state) => {
    const [first, second] = betas as [number, number];
    const g = decoupled ? gradient : gradient + weightDecay * w;
    const shrunk = decoupled ? w * (1 - learningRate * weightDecay) : w;
    state.t += 1;
    state.m = first * state.m + (1 - first) * g;
    state.v = second * state.v + (1 - second) * g * g;
    const [m, v] = [state.m / (1 - first ** state.t), state.v / (1 - second ** state.t)];
    return shrunk - (learningRate * m) / (Math.sqrt(v) + epsilon);
  };

const optimizers: [object, Update][] = [
  [{ optimizer: "sgd", learningRate: 0.1 }, sgd({ learningRate: 0.1 })],
  ...[
    { learningRate: 0.05, momentum: 0.9 },
    { learningRate: 0.05, momentum: 0.8, nesterov: true, weightDecay: 0.1 },
    { learningRate: 0 },
  ].map((options): [object, Update] => [{ optimizer: "sgd", ...options }, sgd(options)]),
  ...[
    { learningRate: 0.01 },
    { learningRate: 0.02, betas: [0.5, 0.9], epsilon: 0.1, weightDecay: 0.3 },
    { learningRate: 0.02, betas: [0, 0] },
  ].map((options): [object, Update] => [{ optimizer: "adam", ...options }, adam(options, false)]),
  [{ optimizer: "adamw", learningRate: 0.01 }, adam({ learningRate: 0.01, weightDecay: 0.01 }, true)],
  [{ optimizer: "adamw", learningRate: 0.1, weightDecay: 0.5 }, adam({ learningRate: 0.1, weightDecay: 0.5 }, true)],
];

describe("steps", () => {
  it.each(optimizers)("%j", (options, update) => {
    const emb = learned({ seed: 3 });
    const expected = Float64Array.from(emb.weights.data);
    const states = Array.from(expected, () => ({ m: 0, v: 0, t: 0 }));
    for (let step = 0; step < 12; step++) {
      const g = randomTensor([5, 4], 20 + step);
      emb.backward(g);
      expect(emb.step(loosely(options))).toBe(emb);
      expected.forEach((w, i) => (expected[i] = update(w, g.data[i]!, states[i]!)));
      expect(maxDifference(emb.weights.data, expected), `step ${step}`).toBeLessThan(2e-6);
    }
  });

  it("reach every parameter of an encoding", () => {
    const shaw = pe.create({ kind: "shaw", dim: 4, maxDistance: 2 });
    const before = Object.values(shaw.parameters).map(({ data }) => data.slice());
    const q = randomTensor([1, 1, 5, 4], 1);
    pe.attentionBackward(q, q, q, q, { encoding: shaw });
    const slopes = Object.values(shaw.gradients).map(({ data }) => data.slice());
    shaw.step({ optimizer: "sgd", learningRate: 0.5 });
    Object.values(shaw.parameters).forEach(({ data }, n) =>
      expect(
        maxDifference(
          data,
          before[n]!.map((w, i) => w - 0.5 * slopes[n]![i]!),
        ),
      ).toBeLessThan(1e-6),
    );
  });

  it("use the gradients up: they can be read and used again, the next backward call begins anew", () => {
    const emb = learned();
    const g = randomTensor([5, 4], 1);
    emb.backward(g);
    emb.backward(g);
    emb.step({ optimizer: "sgd", learningRate: 0.1 });
    expect(
      maxDifference(
        emb.gradient.data,
        g.data.map((x) => 2 * x),
      ),
    ).toBe(0);
    const before = emb.weights.data.slice();
    emb.step({ optimizer: "sgd", learningRate: 0.1 });
    expect(
      maxDifference(
        emb.weights.data,
        before.map((w, i) => w - 0.2 * g.data[i]!),
      ),
    ).toBeLessThan(1e-6);
    emb.backward(g);
    expect(maxDifference(emb.gradient.data, g.data)).toBe(0);
  });

  it("begin anew with another optimizer", () => {
    const [one, other] = [learned(), learned()];
    const g = randomTensor([5, 4], 1);
    one.backward(g);
    one.step({ optimizer: "sgd", learningRate: 0, momentum: 0.9 });
    for (const emb of [one, other]) {
      emb.backward(g);
      emb.step({ optimizer: "adam", learningRate: 0.1 });
    }
    expect(maxDifference(one.weights.data, other.weights.data)).toBe(0);
  });
});

describe("learning", () => {
  it("a table finds the rows that were added to the features", () => {
    const target = randomTensor([12, 8], 5);
    const emb = createTable({ kind: "learned", length: 12, dim: 8, seed: 1 });
    const lossOf = (step: number): number => {
      const x = randomTensor([4, 12, 8], 100 + step);
      const wanted = x.data.map((value, i) => value + target.data[i % 96]!);
      const made = emb.addTo({ data: x.data.slice(), dims: x.dims });
      const slopes = made.data.map((value, i) => (2 * (value - wanted[i]!)) / made.data.length);
      emb.backward({ data: slopes, dims: x.dims });
      emb.step({ optimizer: "adam", learningRate: 0.02 });
      return made.data.reduce((sum, value, i) => sum + (value - wanted[i]!) ** 2, 0) / made.data.length;
    };
    const losses = Array.from({ length: 300 }, (_, step) => lossOf(step));
    expect(losses[0]).toBeGreaterThan(0.05);
    expect(losses.at(-1)).toBeLessThan(1e-5);
    expect(maxDifference(emb.weights.data, target.data)).toBeLessThan(0.01);
  });

  /** Attention with the encoding is to become attention with another one of the same kind. */
  function imitate(spec: object, teacher: object, options: object, steps: number) {
    const [student, other] = [createAny(spec), createAny(teacher)].map(loosely);
    const dims = [2, 2, 10, 6];
    let first = 0;
    let last = 0;
    for (let step = 0; step < steps; step++) {
      const [q, k, v] = [0, 1, 2].map((n) => {
        const data = randomNumbers(240, 1000 + 3 * step + n);
        return { data: data.map((x) => 3 * x), dims };
      }) as [never, never, never];
      const wanted = pe.attention(q, k, v, { causal: true, encoding: other }).data;
      const made = pe.attention(q, k, v, { causal: true, encoding: student });
      const slopes = made.data.map((value, i) => (2 * (value - wanted[i]!)) / wanted.length);
      last = made.data.reduce((sum, value, i) => sum + (value - wanted[i]!) ** 2, 0) / wanted.length;
      if (step === 0) first = last;
      pe.attentionBackward(q, k, v, { data: slopes, dims }, { causal: true, encoding: student });
      student.step({ optimizer: "adam", ...options });
    }
    return { first, last };
  }

  it.each<[string, object, object, object]>([
    ["t5", { heads: 2, buckets: 8, maxDistance: 16, std: 0 }, { std: 1, seed: 4 }, { learningRate: 0.05 }],
    ["alibi", { heads: 2, slopes: [0, 0] }, { slopes: [0.5, 0.1] }, { learningRate: 0.02 }],
    ["kerple", { heads: 2, seed: 1 }, { seed: 2 }, { learningRate: 0.03 }],
    ["rope", { dim: 6, frequencies: [0.9, 0.3, 0.1] }, { frequencies: [0.8, 0.4, 0.05] }, { learningRate: 0.004 }],
    ["shaw", { dim: 6, maxDistance: 3, std: 0 }, { std: 0.5 }, { learningRate: 0.03 }],
    ["transformer-xl", { dim: 6, heads: 2, std: 0.02, seed: 1 }, { std: 0.3 }, { learningRate: 0.02 }],
    ["cope", { dim: 6, maxPosition: 6 }, { std: 0.5, seed: 2 }, { learningRate: 0.03 }],
    ["pope", { dim: 6, heads: 2, bias: Array(12).fill(-1.5) }, { bias: Array(12).fill(-0.7) }, { learningRate: 0.03 }],
  ])("%s comes to do what another one does", (kind, fields, changes, options) => {
    const { first, last } = imitate({ kind, ...fields }, { kind, ...fields, ...changes }, options, 300);
    expect(first).toBeGreaterThan(1e-4);
    expect(last).toBeLessThan(first / 50);
  });
});

const emb = learned();
const step = (options: object) => () => emb.step(loosely({ optimizer: "adam", learningRate: 0.1, ...options }));
const momentum = (options: object) => step({ optimizer: "sgd", ...options });

describeRefusals("steps that make no sense", [
  ["no options", "invalid-argument", "options", () => emb.step(loosely(undefined))],
  ["no optimizer", "invalid-argument", "optimizer", step({ optimizer: undefined })],
  ["an unknown optimizer", "invalid-argument", "optimizer", step({ optimizer: "lion" })],
  ["no learning rate", "invalid-argument", "learningRate", step({ learningRate: undefined })],
  ["a negative learning rate", "invalid-argument", "learningRate", step({ learningRate: -1 })],
  ["a learning rate that is no number", "invalid-argument", "learningRate", step({ learningRate: NaN })],
  ["an infinite learning rate", "invalid-argument", "learningRate", step({ learningRate: Infinity })],
  ["betas of 1", "invalid-argument", "betas", step({ betas: [0.9, 1] })],
  ["negative betas", "invalid-argument", "betas", step({ betas: [-0.1, 0.9] })],
  ["one beta", "invalid-argument", "betas", step({ betas: [0.9] })],
  ["a negative epsilon", "invalid-argument", "epsilon", step({ epsilon: -1e-8 })],
  ["a negative decay", "invalid-argument", "weightDecay", step({ weightDecay: -1 })],
  ["momentum with Adam", "invalid-argument", "momentum", step({ momentum: 0.9 })],
  ["betas with SGD", "invalid-argument", "betas", momentum({ betas: [0.9, 0.99] })],
  ["momentum of 1", "invalid-argument", "momentum", momentum({ momentum: 1 })],
  ["a look ahead without momentum", "invalid-argument", "nesterov", momentum({ nesterov: true })],
  ["a look ahead that is no flag", "invalid-argument", "nesterov", momentum({ momentum: 0.9, nesterov: 1 })],
  [
    "nothing to learn",
    "unsupported",
    "step",
    () => pe.create({ kind: "sinusoidal", dim: 4 }).step({ optimizer: "sgd", learningRate: 1 }),
  ],
] satisfies Refusal[]);

it("refused steps change nothing", () => {
  const fresh = learned();
  const before = fresh.weights.data.slice();
  fresh.backward(randomTensor([5, 4], 1));
  expect(() => fresh.step({ optimizer: "adam", learningRate: -1 })).toThrow(/learningRate: must be ≥ 0/);
  expect(maxDifference(fresh.weights.data, before)).toBe(0);
});
