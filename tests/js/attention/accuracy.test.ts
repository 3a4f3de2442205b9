// Logits as large as real ones, of ±40 and more: attention and its gradients are nearer to the truth than float32 sums
// and a float32 softmax are. A score of 40 has roundings of 2e-6 there, which the softmax makes errors of its weights.
import { describe, expect, it } from "vitest";
import { createRelative, pe } from "../helpers/library";
import { maxDifference, normalNumbers } from "../helpers/numbers";
import { arithmetics, normalInputs, plainAttention } from "../helpers/plain-attention";
import type { Arithmetic, Given, Numbers } from "../helpers/plain-attention";

const names = ["out", "weights", "q", "k", "v"] as const;

function computed({ queries, keys, dim, scale, q, k, v, gradOut }: Given): Record<keyof Numbers, Float32Array> {
  const tensor = (data: Float32Array, rows: number) => ({ data, dims: [1, 1, rows, dim] });
  const heads = [tensor(q, queries), tensor(k, keys), tensor(v, keys)] as const;
  const gradients = pe.attentionBackward(...heads, tensor(gradOut, queries), { scale });
  return {
    out: pe.attention(...heads, { scale }).data,
    weights: pe.attentionWeights(heads[0], heads[1], { scale }).data,
    q: gradients.q.data,
    k: gradients.k.data,
    v: gradients.v.data,
  };
}

/** The largest errors of several draws: of one draw of a few keys they are a matter of luck. */
function errorsOf(queries: number, keys: number, dim: number, draws: number) {
  const most = { ours: {} as Record<string, number>, plain: {} as Record<string, number> };
  for (let seed = 1; seed <= draws; seed++) {
    const given = normalInputs(queries, keys, dim, seed);
    const truth = plainAttention(given, arithmetics.float64);
    const plain = plainAttention(given, arithmetics.float32);
    const ours = computed(given);
    for (const name of names) {
      most.ours[name] = Math.max(most.ours[name] ?? 0, maxDifference(ours[name], truth[name]));
      most.plain[name] = Math.max(most.plain[name] ?? 0, maxDifference(plain[name], truth[name]));
    }
  }
  return most;
}

describe("large logits", () => {
  it.each([
    { queries: 9, keys: 9, dim: 80, draws: 8 },
    { queries: 9, keys: 9, dim: 128, draws: 8 },
    { queries: 1, keys: 130, dim: 80, draws: 12 },
    { queries: 3, keys: 33, dim: 128, draws: 8 },
    { queries: 70, keys: 70, dim: 64, draws: 1 },
    { queries: 40, keys: 160, dim: 80, draws: 1 },
    { queries: 128, keys: 128, dim: 128, draws: 1 },
  ])("$queries queries, $keys keys, dim $dim", ({ queries, keys, dim, draws }) => {
    const { ours, plain } = errorsOf(queries, keys, dim, draws);
    for (const name of names) expect(ours[name], name).toBeLessThan(plain[name]!);
  });
});

/** Transformer-XL, causal. For one query it is attention of [q + u, q + v] over [k, r], r being the projected sinusoids. */
function transformerXlErrors(queries: number, dim: number, seed: number) {
  const given = normalInputs(queries, queries, dim, seed);
  const [u, v, projection] = [dim, dim, dim * dim].map((size, i) => normalNumbers(size, 100 * seed + i));
  // Of projected sinusoids of squares 1/2 on average: N(0, 1), as real ones have.
  projection!.forEach((x, i) => (projection![i] = x * Math.sqrt(2 / dim)));
  const rowsIn = ({ round, dot }: Arithmetic) =>
    Array.from({ length: queries }, (_, distance) => {
      // As its code has it: inv_freq = 1 / 10000 ** (n / d_model), angles = outer(positions, inv_freq).
      const angles = Array.from({ length: dim / 2 }, (__, n) =>
        round(distance * round(1 / round(10000 ** ((2 * n) / dim)))),
      );
      const cosSin = [...angles.map(Math.sin), ...angles.map(Math.cos)].map(round);
      return cosSin.map((__, d) =>
        dot({ data: cosSin, start: 0, step: 1 }, { data: projection!, start: d * dim, step: 1 }, dim),
      );
    });
  const slopeOfV = (use: Arithmetic) => {
    const rows = rowsIn(use);
    const sum = new Float64Array(dim);
    for (let i = 0; i < queries; i++) {
      const part = (data: ArrayLike<number>, row: number) =>
        Array.from({ length: dim }, (_, d) => data[row * dim + d]!);
      const query = part(given.q, i);
      const keys = Array.from({ length: i + 1 }, (_, j) => [...part(given.k, j), ...rows[i - j]!]);
      const values = Array.from({ length: i + 1 }, (_, j) => [...part(given.v, j), ...new Array<number>(dim).fill(0)]);
      const slopes = plainAttention(
        {
          ...{ queries: 1, keys: i + 1, dim: 2 * dim, scale: 1 },
          q: Float64Array.from([
            ...query.map((x, d) => use.round(x + u![d]!)),
            ...query.map((x, d) => use.round(x + v![d]!)),
          ]),
          k: Float64Array.from(keys.flat()),
          v: Float64Array.from(values.flat()),
          gradOut: Float64Array.from([...part(given.gradOut, i), ...new Array<number>(dim).fill(0)]),
        } as unknown as Given,
        use,
      );
      sum.forEach((x, d) => (sum[d] = use.round(x + slopes.q[dim + d]!)));
    }
    return sum;
  };
  const tensor = (data: Float32Array) => ({ data, dims: [1, 1, queries, dim] });
  using encoding = createRelative({ kind: "transformer-xl", dim, heads: 1 });
  encoding.load({ u: u!, v: v!, projection: projection! });
  const inputs = [given.q, given.k, given.v, given.gradOut].map(tensor) as [any, any, any, any];
  pe.attentionBackward(...inputs, { encoding, causal: true, scale: 1 });
  const truth = slopeOfV(arithmetics.float64);
  return {
    ours: maxDifference(encoding.gradients["v"]!.data, truth),
    plain: maxDifference(slopeOfV(arithmetics.float32), truth),
  };
}

describe("large logits of Transformer-XL", () => {
  it.each([
    { queries: 9, dim: 80, seeds: [1, 2, 3, 4] },
    { queries: 25, dim: 32, seeds: [1, 2, 3, 4] },
    { queries: 40, dim: 64, seeds: [1, 3, 6, 7] },
    // With a top score near 0: no score's rounding is that of its size.
    { queries: 40, dim: 64, seeds: [2, 4, 5] },
    { queries: 70, dim: 128, seeds: [1, 2, 3, 4] },
  ])("the gradient of v is nearer to the truth, $queries queries, dim $dim, $seeds", ({ queries, dim, seeds }) => {
    const draws = seeds.map((seed) => transformerXlErrors(queries, dim, seed));
    const most = (who: "ours" | "plain") => Math.max(...draws.map((errors) => errors[who]));
    expect(most("ours")).toBeLessThan(most("plain"));
  });
});
