// Inkling's relative logits in calls of attention: temperature, caches, layouts, and what is refused.
import { describe, expect, it } from "vitest";
import { createRelative, loosely, pe } from "../helpers/library";
import { maxDifference, randomTensor, range, swapMiddle } from "../helpers/numbers";
import { caught, expectError } from "../helpers/refusals";

const [heads, tokens, dim, width, extent] = [2, 70, 6, 3, 40];
const profiles = randomTensor([width, extent], 1);
const encoding = createRelative({ kind: "inkling", relativeDim: width, extent, profiles: Array.from(profiles.data) });
const [q, k, v] = [2, 3, 4].map((seed) => randomTensor([1, heads, tokens, dim], seed)) as [any, any, any];
const relativeStates = randomTensor([1, heads, tokens, width], 5);
const temperature = { rule: "log", factor: 0.5, length: 9 } as const;

/** Scores by the definition, in float64. */
function scoresOf(scale: number, growth: (position: number) => number) {
  const out = new Float64Array(heads * tokens * tokens).fill(-Infinity);
  for (let h = 0; h < heads; h++)
    for (let i = 0; i < tokens; i++)
      for (let j = 0; j <= i; j++) {
        let sum = 0;
        for (let d = 0; d < dim; d++) sum += q.data[(h * tokens + i) * dim + d] * k.data[(h * tokens + j) * dim + d];
        sum *= scale;
        for (let c = 0; i - j < extent && c < width; c++)
          sum += relativeStates.data[(h * tokens + i) * width + c]! * profiles.data[c * extent + i - j]!;
        out[(h * tokens + i) * tokens + j] = growth(i) * sum;
      }
  return out;
}

const weightsOf = (scores: Float64Array) =>
  range(heads * tokens).flatMap((row) => {
    const exponentials = Array.from(scores.subarray(row * tokens, (row + 1) * tokens), Math.exp);
    const total = exponentials.reduce((sum, value) => sum + value, 0);
    return exponentials.map((value) => value / total);
  });

const rowsOf = (x: any, from: number, to: number) => ({
  data: Float32Array.from(
    range(heads).flatMap((h) => [...x.data.subarray((h * tokens + from) * x.dims[3], (h * tokens + to) * x.dims[3])]),
  ),
  dims: [1, heads, to - from, x.dims[3]],
});

describe("inkling", () => {
  it("multiplies products and bias by the temperature, and scales only the products", () => {
    const growth = (position: number) => 1 + 0.5 * Math.log(Math.max(1, (position + 1) / 9));
    const wanted = weightsOf(scoresOf(1 / dim, growth));
    const options = { encoding, relativeStates, temperature, scale: 1 / dim, causal: true };
    expect(maxDifference(pe.attentionWeights(q, k, options).data, wanted)).toBeLessThan(1e-6);
    const plain = weightsOf(scoresOf(1 / Math.sqrt(dim), () => 1));
    const without = pe.attentionWeights(q, k, { encoding, relativeStates, causal: true });
    expect(maxDifference(without.data, plain)).toBeLessThan(1e-6);
    const factors = pe.queryTemperature({ length: tokens, temperature }).data;
    expect(maxDifference(factors, range(tokens).map(growth))).toBeLessThan(1e-6);
  });

  it("takes the states of new queries only, with a cache", () => {
    const whole = pe.attention(q, k, v, { encoding, relativeStates, temperature, causal: true });
    using cache = pe.cache({ heads, dim, capacity: tokens });
    cache.append(rowsOf(k, 0, 66), rowsOf(v, 0, 66));
    cache.append(rowsOf(k, 66, tokens), rowsOf(v, 66, tokens));
    const states = rowsOf(relativeStates, 66, tokens);
    const last = cache.attend(rowsOf(q, 66, tokens), { encoding, relativeStates: states, temperature });
    expect(maxDifference(last.data, rowsOf(whole, 66, tokens).data)).toBeLessThan(1e-6);
  });

  it("attends to sinks and a window of a cache, each query with its own state", () => {
    using cache = pe.cache({ heads, dim, policy: { window: 5, sinks: 2 } });
    cache.append(k, v);
    const got = cache.attend(rowsOf(q, 68, tokens), { encoding, relativeStates: rowsOf(relativeStates, 68, tokens) });
    for (const i of [68, 69]) {
      const visible = [0, 1, ...range(5, i - 4)];
      const pick = (x: any) => {
        const parts = visible.map((t) => rowsOf(x, t, t + 1));
        const data = range(heads).flatMap((h) =>
          parts.flatMap((part) => [...part.data.subarray(h * dim, (h + 1) * dim)]),
        );
        return { data: Float32Array.from(data), dims: [1, heads, visible.length, dim] };
      };
      const wanted = pe.attention(rowsOf(q, i, i + 1), pick(k), pick(v), {
        encoding,
        relativeStates: rowsOf(relativeStates, i, i + 1),
      });
      const own = range(heads).flatMap((h) => [...got.data.subarray((2 * h + i - 68) * dim, (2 * h + i - 67) * dim)]);
      expect(maxDifference(Float32Array.from(own), wanted.data)).toBeLessThan(1e-6);
    }
  });

  it("takes both layouts, and keys that are before the queries", () => {
    const options = { keys: tokens, causal: true, temperature };
    const whole = encoding.relativeLogits(relativeStates, options);
    const bthd = encoding.relativeLogits(swapMiddle(relativeStates), { ...options, layout: "bthd" });
    expect(bthd.data).toEqual(whole.data);
    const last = encoding.relativeLogits(rowsOf(relativeStates, 60, tokens), options);
    expect(last.dims).toEqual([1, heads, 10, tokens]);
    expect(last.data.subarray(0, 10 * tokens)).toEqual(whole.data.subarray(60 * tokens, tokens * tokens));
  });

  it("refuses states that do not fit, and those of other kinds", async () => {
    const refused = async (options: object, code: string, field: string) =>
      expectError(await caught(() => pe.attention(q, k, v, { ...options } as never)), code, field);
    await refused({ encoding }, "invalid-argument", "relativeStates");
    await refused(
      { encoding, relativeStates: randomTensor([1, heads, tokens, 4], 1) },
      "shape-mismatch",
      "relativeStates",
    );
    await refused(
      { encoding, relativeStates: randomTensor([1, heads, 3, width], 1) },
      "shape-mismatch",
      "relativeStates",
    );
    const shaw = createRelative({ kind: "shaw", dim });
    await refused({ encoding: shaw, relativeStates }, "unsupported", "relativeStates");
    const other = await caught(() => loosely(shaw).relativeLogits(relativeStates));
    expectError(other, "unsupported", "relativeLogits");
  });
});
