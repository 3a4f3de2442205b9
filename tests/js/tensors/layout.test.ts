// Does a model with permuted weights, turned in the other layout, give the same scores?
import { describe, expect, it } from "vitest";
import { createRotary, loosely, pe } from "../helpers/library";
import { randomTensor } from "../helpers/numbers";

type Matrix = { data: Float32Array; dims: number[] };

/** x [T, in] times weights [heads * dim, in], as [1, heads, T, dim]. */
function project(x: Matrix, weights: Matrix, heads: number): Matrix {
  const [length, width] = x.dims as [number, number];
  const dim = weights.dims[0]! / heads;
  const data = new Float32Array(heads * length * dim);
  for (let row = 0; row < heads * dim; row++)
    for (let t = 0; t < length; t++) {
      let sum = 0;
      for (let i = 0; i < width; i++) sum += x.data[t * width + i]! * weights.data[row * width + i]!;
      data[(Math.floor(row / dim) * length + t) * dim + (row % dim)] = sum;
    }
  return { data, dims: [1, heads, length, dim] };
}

function scores(x: Matrix, weights: Record<"q" | "k", Matrix>, rope: ReturnType<typeof createRotary>): number[] {
  const q = rope.apply(project(x, weights.q, 4), { offset: 3 });
  const k = rope.apply(project(x, weights.k, 2), { offset: 3 });
  return [...pe.attentionWeights(q, k).data];
}

describe("permuteWeights", () => {
  const x = randomTensor([5, 6], 1);
  const weights = { q: randomTensor([4 * 12, 6], 2), k: randomTensor([2 * 12, 6], 3) };

  it.each([
    ["interleaved", "half", {}],
    ["half", "interleaved", {}],
    ["interleaved", "half", { rotaryDim: 8 }],
    ["half", "interleaved", { rotaryDim: 4 }],
  ] as const)("%s -> %s %j: the scores stay", (from, to, part) => {
    const permuted = {
      q: pe.permuteWeights(weights.q, { heads: 4, from, to, ...part }) as Matrix,
      k: pe.permuteWeights(weights.k, { heads: 2, from, to, ...part }) as Matrix,
    };
    const before = scores(x, weights, createRotary({ kind: "rope", dim: 12, pairing: from, ...part }));
    const after = scores(x, permuted, createRotary({ kind: "rope", dim: 12, pairing: to, ...part }));
    after.forEach((score, i) => expect(score).toBeCloseTo(before[i]!, 6));
    const unpermuted = scores(x, weights, createRotary({ kind: "rope", dim: 12, pairing: to, ...part }));
    expect(Math.max(...unpermuted.map((score, i) => Math.abs(score - before[i]!)))).toBeGreaterThan(1e-3);
  });

  it("moves the rows as published: W.view(H, d/2, 2, in).transpose(1, 2)", () => {
    const bias = { data: Float32Array.of(0, 1, 2, 3, 10, 11, 12, 13), dims: [8] };
    expect([...pe.permuteWeights(bias, { heads: 2, from: "interleaved", to: "half" }).data]).toEqual([
      0, 2, 1, 3, 10, 12, 11, 13,
    ]);
    const options = { heads: 1, dim: 8, rotaryStart: 2, rotaryDim: 4, from: "half", to: "interleaved" } as const;
    expect([...pe.permuteWeights(bias, options).data]).toEqual([0, 1, 2, 10, 3, 11, 12, 13]);
  });

  it("there and back is exact, and the input is untouched", () => {
    const before = weights.q.data.slice();
    const there = pe.permuteWeights(weights.q, { heads: 4, from: "interleaved", to: "half" });
    const back = pe.permuteWeights(there, { heads: 4, from: "half", to: "interleaved" });
    expect(back.data).toEqual(before);
    expect(back.dims).toEqual([48, 6]);
    expect(weights.q.data).toEqual(before);
    expect(pe.permuteWeights(weights.q, { heads: 4, from: "half", to: "half" }).data).toEqual(before);
  });

  it("any number type; in place", () => {
    const float16 = { type: "float16", data: Uint16Array.of(0, 1, 2, 3), dims: [4, 1] };
    const result = pe.permuteWeights(float16, { heads: 1, from: "interleaved", to: "half" });
    expect(result).toEqual({ type: "float16", data: Uint16Array.of(0, 2, 1, 3), dims: [4, 1] });
    expect(pe.permuteWeights(float16, { heads: 1, from: "interleaved", to: "half", out: float16 })).toBe(float16);
    expect([...float16.data]).toEqual([0, 2, 1, 3]);
    using resident = pe.tensor([0, 1, 2, 3], [4]);
    expect([...pe.permuteWeights(resident, { heads: 1, from: "interleaved", to: "half" }).data]).toEqual([0, 2, 1, 3]);
  });

  const good = { heads: 2, from: "half", to: "interleaved" };
  it.each([
    ["invalid-argument", "heads", [8, 2], { from: "half", to: "interleaved" }],
    ["invalid-argument", "heads", [8, 2], { ...good, heads: 0 }],
    ["shape-mismatch", "weights", [9, 2], good],
    ["invalid-argument", "dim", [8, 2], { ...good, dim: 0.5 }],
    ["shape-mismatch", "weights", [8, 2], { ...good, dim: 8 }],
    ["shape-mismatch", "weights", [2, 2, 2], good],
    ["invalid-argument", "rotaryDim", [8, 2], { ...good, rotaryDim: 3 }],
    ["invalid-argument", "rotaryDim", [8, 2], { ...good, rotaryDim: 6 }],
    ["invalid-argument", "from", [8, 2], { ...good, from: "neox" }],
    ["invalid-argument", "to", [8, 2], { heads: 2, from: "half" }],
    ["invalid-argument", "head", [8, 2], { ...good, head: 2 }],
    ["shape-mismatch", "out", [8, 2], { ...good, out: randomTensor([4, 2], 1) }],
  ])("refuses (%s) %s: %j %j", (code, field, dims, options) => {
    expect(() => pe.permuteWeights(randomTensor(dims, 1), loosely(options))).toThrow(
      expect.objectContaining({ code, field }),
    );
  });
  it("refuses what is no tensor", () => {
    const error = expect.objectContaining({ code: "invalid-argument", field: "weights" });
    expect(() => pe.permuteWeights(loosely([1, 2]), loosely(good))).toThrow(error);
    expect(() => pe.permuteWeights(loosely({ data: [1, 2], dims: [2] }), loosely(good))).toThrow(error);
  });
});
