// Is attention the formula? Against a loop in float64, over sizes that end in the middle of vectors and blocks.
import { describe, expect, it } from "vitest";
import { referenceAttention, referenceWeights } from "../helpers/attention";
import type { ReferenceOptions } from "../helpers/attention";
import { createBias, createRotary, loosely, pe } from "../helpers/library";
import {
  copyOf,
  expectSameBits,
  expectSameObject,
  maxDifference,
  randomTensor,
  range,
  swapMiddle,
} from "../helpers/numbers";

type Dims = [
  batch: number,
  heads: number,
  keyHeads: number,
  queries: number,
  keys: number,
  dim: number,
  width?: number,
];

function tensors([batch, heads, keyHeads, queries, keys, dim, width = dim]: Dims) {
  return {
    q: randomTensor([batch, heads, queries, dim], 21),
    k: randomTensor([batch, keyHeads, keys, dim], 22),
    v: randomTensor([batch, keyHeads, keys, width], 23),
  };
}

// Values lie in ±0.5; sums of a few hundred float32 products stay far below this.
const TOLERANCE = 6e-7;

function compare(dims: Dims, options: object = {}, reference: ReferenceOptions = options) {
  const { q, k, v } = tensors(dims);
  const inputs = [q, k, v].map(copyOf);
  const out = pe.attention(q, k, v, loosely(options));
  expect(out.dims).toEqual([dims[0], dims[1], dims[3], v.dims[3]]);
  expect(maxDifference(out.data, referenceAttention(q, k, v, reference))).toBeLessThan(TOLERANCE);
  const weights = pe.attentionWeights(q, k, loosely(options));
  expect(weights.dims).toEqual([dims[0], dims[1], dims[3], dims[4]]);
  expect(maxDifference(weights.data, referenceWeights(q, k, reference))).toBeLessThan(TOLERANCE);
  [q, k, v].forEach((tensor, index) => expectSameBits(tensor.data, inputs[index]!.data, "an input"));
}

describe("sizes", () => {
  const sizes: Dims[] = [
    ...[1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 33, 64, 65].map((dim): Dims => [1, 1, 1, 3, 5, dim]),
    ...[1, 2, 3, 4, 5, 8, 9, 31, 32, 33, 64, 65, 130].map((keys): Dims => [1, 2, 2, 2, keys, 6]),
    ...[1, 2, 4, 5, 8, 9, 33, 65].map((queries): Dims => [1, 1, 1, queries, 9, 6]),
    [3, 2, 2, 4, 4, 6],
    [1, 2, 2, 4, 6, 8, 5],
    [1, 2, 2, 4, 6, 5, 8],
    [1, 1, 1, 4, 6, 8, 1],
    // More queries than are at hand at once.
    [1, 1, 1, 600, 20, 64],
    [1, 3, 1, 200, 20, 64],
  ];
  it.each(sizes)("batch %i, heads %i/%i, %i × %i, dim %i", (...dims) => {
    compare(dims as Dims);
    compare(dims as Dims, { causal: true });
  });

  it.each<Dims>([
    [0, 2, 2, 3, 4, 6],
    [2, 0, 0, 3, 4, 6],
    [2, 2, 2, 0, 4, 6],
    [2, 2, 2, 3, 0, 6],
  ])("empty: batch %i, heads %i/%i, %i × %i, dim %i", (...dims) => compare(dims as Dims));
});

describe("grouped heads", () => {
  it.each([
    [8, 1],
    [8, 2],
    [6, 3],
    [3, 1],
  ] as const)("%i query heads on %i", (heads, keyHeads) => {
    compare([2, heads, keyHeads, 5, 7, 10]);
    compare([1, heads, keyHeads, 1, 9, 10], { causal: true });
  });
});

describe("causal and window", () => {
  it.each([
    [4, 4],
    [3, 6],
    [1, 9],
    [6, 3],
    [40, 70],
  ] as const)("%i queries, %i keys", (queries, keys) => {
    const dims: Dims = [1, 2, 2, queries, keys, 6];
    compare(dims, { causal: true });
    for (const window of [1, 2, 5, 100]) {
      compare(dims, { window });
      compare(dims, { window, causal: true });
    }
    for (const window of [
      [0, 0],
      [2, 0],
      [0, 3],
      [1, 2],
      [100, 100],
    ] as const)
      compare(dims, { window });
  });

  it("with more queries than keys the first ones attend to nothing", () => {
    const { q, k, v } = tensors([1, 2, 2, 5, 3, 6]);
    const { data } = pe.attentionWeights(q, k, { causal: true });
    expect([...data.subarray(0, 6)]).toEqual(Array(6).fill(0));
    expect([...data.subarray(6, 9)]).toEqual([1, 0, 0]);
    const first = pe.attention(q, k, v, { causal: true }).data.subarray(0, 12);
    expect(first.every((value) => value === 0)).toBe(true);
  });
});

describe("masks", () => {
  const [batch, heads, queries, keys] = [2, 3, 4, 5];
  const dims: Dims = [batch, heads, heads, queries, keys, 6];
  const isVisible = (index: number) => (index * 7) % 3 !== 0;
  const maskOf = (shape: number[]) => ({
    data: Uint8Array.from({ length: shape.reduce((a, b) => a * b, 1) }, (_, index) => (isVisible(index) ? 1 : 0)),
    dims: shape,
  });

  it.each<[number[], (b: number, h: number, i: number, j: number) => number]>([
    [[keys], (_b, _h, _i, j) => j],
    [[queries, keys], (_b, _h, i, j) => i * keys + j],
    [[queries, 1], (_b, _h, i) => i],
    [[heads, queries, keys], (_b, h, i, j) => (h * queries + i) * keys + j],
    [[heads, 1, 1], (_b, h) => h],
    [[1, queries, keys], (_b, _h, i, j) => i * keys + j],
    [[batch, 1, queries, keys], (b, _h, i, j) => (b * queries + i) * keys + j],
    [[batch, 1, 1, keys], (b, _h, _i, j) => b * keys + j],
    [[1, heads, 1, keys], (_b, h, _i, j) => h * keys + j],
    [[batch, heads, queries, keys], (b, h, i, j) => ((b * heads + h) * queries + i) * keys + j],
  ])("%j", (shape, index) => {
    const visible = (b: number, h: number, i: number, j: number) => isVisible(index(b, h, i, j));
    compare(dims, { mask: maskOf(shape) }, { visible });
    compare(dims, { mask: maskOf(shape), causal: true }, { visible, causal: true });
  });

  it("of two dims is [queries, keys], an attentionMask [batch, keys], also where these are as many", () => {
    const square: Dims = [2, heads, heads, 2, keys, 6];
    const mask = maskOf([2, keys]);
    compare(square, { mask }, { visible: (_b, _h, i, j) => isVisible(i * keys + j) });
    compare(square, { attentionMask: mask }, { visible: (b, _h, _i, j) => isVisible(b * keys + j) });
    const both = { mask, attentionMask: mask.data.slice(0, keys), causal: true };
    compare(square, both, { causal: true, visible: (_b, _h, i, j) => isVisible(i * keys + j) && isVisible(j) });
  });

  it("attentionMask may be a bare list for all rows, or for each", () => {
    compare(dims, { attentionMask: [1, 1, 0, 1, 0] }, { visible: (_b, _h, _i, j) => j !== 2 && j !== 4 });
    const each = [1, 1, 1, 1, 1, 0, 1, 1, 0, 1];
    compare(dims, { attentionMask: each }, { visible: (b, _h, _i, j) => each[b * keys + j] === 1 });
  });

  it("may be a bare list, one value per key", () => {
    compare(dims, { mask: [0, 1, 1, 0, 1] }, { visible: (_b, _h, _i, j) => [0, 1, 1, 0, 1][j] === 1 });
  });

  it("takes the int64 masks of tokenizers", () => {
    const mask = { data: BigInt64Array.from([0n, 1n, 1n, 1n, 1n, 1n, 1n, 1n, 1n, 1n]), dims: [batch, keys] };
    compare(dims, { attentionMask: mask }, { visible: (b, _h, _i, j) => b > 0 || j > 0 });
  });

  it("gives 0 to a query that sees no key", () => {
    const { q, k, v } = tensors(dims);
    const mask = new Uint8Array(keys);
    expect(pe.attention(q, k, v, { mask }).data.every((value) => value === 0)).toBe(true);
    expect(pe.attentionWeights(q, k, { mask }).data.every((value) => value === 0)).toBe(true);
  });
});

describe("biases, scale, softcap, sinks", () => {
  const [batch, heads, queries, keys] = [2, 3, 4, 5];
  const dims: Dims = [batch, heads, heads, queries, keys, 6];

  it.each<[number[], (b: number, h: number, i: number, j: number) => number]>([
    [[queries, keys], (_b, _h, i, j) => i * keys + j],
    [[heads, queries, keys], (_b, h, i, j) => (h * queries + i) * keys + j],
    [[1, heads, queries, keys], (_b, h, i, j) => (h * queries + i) * keys + j],
    [[batch, 1, queries, keys], (b, _h, i, j) => (b * queries + i) * keys + j],
    [[batch, heads, queries, keys], (b, h, i, j) => ((b * heads + h) * queries + i) * keys + j],
    [[1, 1, queries, keys], (_b, _h, i, j) => i * keys + j],
  ])("bias %j", (shape, index) => {
    const bias = randomTensor(shape, 31);
    compare(dims, { bias }, { bias: (b, h, i, j) => bias.data[index(b, h, i, j)]! });
  });

  it.each([1, 0.125, 0, 3])("scale %f", (scale) => compare(dims, { scale }));
  it.each([0.5, 2, 50])("softcap %f", (softcap) => compare(dims, { softcap, scale: 4, causal: true }));
  it("sinks", () => {
    const sinks = Float32Array.of(2, -3, 0.25);
    compare(dims, { sinks });
    compare(dims, { sinks, causal: true, window: 2 });
    compare(dims, { sinks, mask: new Uint8Array(keys) }, { sinks, visible: () => false });
  });

  it("keeps its head with scores as large as float32 allows", () => {
    const { q, k, v } = tensors(dims);
    for (const tensor of [q, k]) tensor.data.forEach((value, index) => (tensor.data[index] = value * 1e4));
    const out = pe.attention(q, k, v);
    expect(out.data.every(Number.isFinite)).toBe(true);
    expect(maxDifference(out.data, referenceAttention(q, k, v))).toBeLessThan(TOLERANCE);
  });
});

describe("encodings inside", () => {
  const dims: Dims = [2, 4, 2, 3, 7, 8];

  it("rotary: queries are the last of the keys", () => {
    const { q, k, v } = tensors(dims);
    const encoding = createRotary({ kind: "rope", dim: 8, pairing: "interleaved" });
    const rotatedQ = encoding.apply(copyOf(q), { offset: 4 });
    const rotatedK = encoding.apply(copyOf(k));
    const out = pe.attention(q, k, v, { encoding, causal: true });
    expect(maxDifference(out.data, referenceAttention(rotatedQ, rotatedK, v, { causal: true }))).toBeLessThan(
      TOLERANCE,
    );
  });

  it("rotary: positions of their own for keys and queries, per batch row too", () => {
    const { q, k, v } = tensors(dims);
    const encoding = createRotary({ kind: "rope-yarn", dim: 8, factor: 8, originalLength: 16 });
    const at = { positions: [...range(7, 100), ...range(7, 3).map((p) => p / 2)] };
    const queryAt = { positions: [1, 50, 120, 0, -4, 2.5] };
    const rotatedQ = encoding.apply(copyOf(q), queryAt);
    const rotatedK = encoding.apply(copyOf(k), at);
    const out = pe.attention(q, k, v, { encoding, at, queryAt });
    expect(maxDifference(out.data, referenceAttention(rotatedQ, rotatedK, v))).toBeLessThan(2 * TOLERANCE);
  });

  it("rotary: positions shared by the batch put the queries at the last of them", () => {
    const { q, k, v } = tensors(dims);
    const encoding = createRotary({ kind: "rope", dim: 8 });
    const positions = [3, 4, 5, 9, 10, 11, 12];
    const direct = pe.attention(q, k, v, { encoding, at: { positions }, queryAt: { positions: positions.slice(4) } });
    expectSameBits(pe.attention(q, k, v, { encoding, at: { positions } }).data, direct.data);
  });

  it.each(["relative", "key", "key-absolute"])("alibi %s is its own bias, added", (form) => {
    const { q, k, v } = tensors(dims);
    const encoding = createBias({ kind: "alibi", heads: 4, form });
    const bias = encoding.bias({ queries: 3, keys: 7 });
    const reference: ReferenceOptions = { causal: true, bias: (_b, h, i, j) => bias.data[(h * 3 + i) * 7 + j]! };
    const out = pe.attention(q, k, v, { encoding, causal: true });
    expect(maxDifference(out.data, referenceAttention(q, k, v, reference))).toBeLessThan(TOLERANCE);
  });
});

describe("layout, memory, out", () => {
  const dims: Dims = [2, 4, 2, 3, 7, 8, 5];
  const { q, k, v } = tensors(dims);
  const encoding = createRotary({ kind: "rope", dim: 8 });
  const options = { encoding, causal: true } as const;
  const plain = pe.attention(q, k, v, options);

  it("bthd gives the same numbers in its own order", () => {
    const out = pe.attention(swapMiddle(q), swapMiddle(k), swapMiddle(v), { ...options, layout: "bthd" });
    expect(out.dims).toEqual([2, 3, 4, 5]);
    expect(maxDifference(swapMiddle(out).data, plain.data)).toBeLessThan(TOLERANCE);
  });

  it("takes tensors in wasm memory", () => {
    using qi = pe.tensor(q.data, q.dims);
    using ki = pe.tensor(k.data, k.dims);
    using vi = pe.tensor(v.data, v.dims);
    expectSameBits(pe.attention(qi, ki, vi, options).data, plain.data);
    expectSameBits(qi.data, q.data, "q");
  });

  it("writes into `out`", () => {
    const out = randomTensor(plain.dims, 41);
    expectSameObject(pe.attention(q, k, v, { ...options, out }), out);
    expectSameBits(out.data, plain.data);
    const weights = randomTensor([2, 4, 3, 7], 42);
    expectSameObject(pe.attentionWeights(q, k, { ...options, out: weights }), weights);
    expectSameBits(weights.data, pe.attentionWeights(q, k, options).data);
  });

  it("gives the same bits when asked again", () => {
    expectSameBits(pe.attention(q, k, v, options).data, plain.data);
  });
});
