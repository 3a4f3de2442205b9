// Gradients of attention with everything that can be added, hidden and scaled, against differences in float64.
import { describe, expect, it } from "vitest";
import { referenceAttention } from "../helpers/attention";
import type { ReferenceOptions } from "../helpers/attention";
import { expectGradients, float32, random64, tensor64 } from "../helpers/gradients";
import type { Inputs, Tensor64 } from "../helpers/gradients";
import { fresh } from "../helpers/fresh";
import { loosely, pe } from "../helpers/library";
import { copyOf, expectSameBits, expectSameObject, maxDifference, randomTensor, swapMiddle } from "../helpers/numbers";
import { refusal } from "../helpers/refusals";

interface Sizes {
  batch?: number;
  heads?: number;
  keyHeads?: number;
  queries: number;
  keys: number;
  dim: number;
  width?: number;
}

function inputsOf({ batch = 1, heads = 2, keyHeads = heads, queries, keys, dim, width = dim }: Sizes): Inputs {
  const strong = (x: Tensor64): Tensor64 =>
    tensor64({ data: x.data.map((value) => Math.fround(3 * value)), dims: x.dims });
  return {
    q: strong(random64([batch, heads, queries, dim], 51)),
    k: strong(random64([batch, keyHeads, keys, dim], 52)),
    v: random64([batch, keyHeads, keys, width], 53),
  };
}

const gradOutOf = ({ q, v }: Inputs) => randomTensor([...q!.dims.slice(0, 3), v!.dims[3]!], 54);

type Build = (inputs: Inputs) => ReferenceOptions;

/** `more` are inputs besides q, k and v that `build` reads; options are the library's. */
function check(sizes: Sizes, options: object = {}, build: Build = () => options, more: Inputs = {}, most?: number) {
  const inputs: Inputs = { ...inputsOf(sizes), ...more };
  const gradOut = gradOutOf(inputs);
  const heads = [inputs.q!, inputs.k!, inputs.v!].map(float32) as [never, never, never];
  const before = [...heads, gradOut].map(copyOf);
  const actual = pe.attentionBackward(...heads, gradOut, loosely(options));
  [...heads, gradOut].forEach((x, i) => expectSameBits(loosely(x).data, before[i]!.data, "an input"));
  expect(Object.keys(actual).sort()).toEqual(Object.keys(inputs).sort());
  const forward = (x: Inputs) => referenceAttention(x.q!, x.k!, x.v!, build(x));
  expectGradients(forward, inputs, gradOut.data, loosely(actual), most === undefined ? {} : { most });
}

describe("sizes", () => {
  it.each([1, 2, 3, 5, 8, 17, 33, 64])("dim %i", (dim) => check({ queries: 3, keys: 5, dim }));
  it.each([1, 4, 63, 64, 65, 130])("%i keys", (keys) =>
    check({ queries: 2, keys, dim: 6, heads: 1 }, {}, undefined, {}, 12),
  );
  it.each([1, 4, 5, 63, 64, 65, 129])("%i queries", (queries) =>
    check({ queries, keys: 7, dim: 4, heads: 1 }, {}, undefined, {}, 12),
  );
  it("values wider and narrower than keys", () => {
    check({ queries: 4, keys: 6, dim: 5, width: 9 });
    check({ queries: 4, keys: 6, dim: 8, width: 1 });
  });
  it.each([
    [4, 1],
    [4, 2],
    [3, 1],
  ])("%i query heads on %i", (heads, keyHeads) =>
    check({ batch: 2, heads, keyHeads, queries: 3, keys: 4, dim: 6 }, { causal: true }),
  );
  it.each([
    { batch: 0, queries: 2, keys: 2, dim: 4 },
    { queries: 0, keys: 2, dim: 4 },
    { queries: 2, keys: 0, dim: 4 },
  ])("empty: %j", (sizes) => check(sizes));
});

describe("options", () => {
  const sizes: Sizes = { batch: 2, heads: 3, queries: 4, keys: 6, dim: 5 };
  it("causality and windows, also over several tiles", () => {
    for (const window of [undefined, 1, 3, [2, 1], [0, 3]] as const)
      for (const causal of [true, false]) check(sizes, { causal, ...(window && { window }) });
    check({ heads: 1, queries: 70, keys: 150, dim: 4 }, { causal: true }, undefined, {}, 10);
    check({ heads: 1, queries: 150, keys: 70, dim: 4 }, { causal: true, window: 33 }, undefined, {}, 10);
  });
  it.each([0, 0.3, 2])("scale %f", (scale) => check(sizes, { scale }));
  it.each([0.5, 2, 30])("softcap %f", (softcap) => check(sizes, { softcap, scale: 1, causal: true }));
  it("temperature", () => {
    const temperature = { factor: 0.4, length: 2 };
    const factorOf = (i: number) => 1 + 0.4 * Math.log(1 + Math.floor((i + 2) / 2));
    check(sizes, { temperature }, () => ({ temperature: factorOf }));
  });
  it("sinks have a gradient of their own", () => {
    const sinks = tensor64({ data: [0.5, -1, 2], dims: [3] });
    const options = { sinks: Float32Array.from(sinks.data), causal: true };
    check(sizes, options, (x) => ({ causal: true, sinks: x["sinks"]!.data }), { sinks });
  });
  it("masks; a query that sees nothing has no gradient", () => {
    const visible = (b: number, _h: number, i: number, j: number) => (b + 2 * i + j) % 3 > 0 && !(b === 0 && i === 1);
    const data = Uint8Array.from({ length: 2 * 4 * 6 }, (_, n) =>
      visible(Math.floor(n / 24), 0, Math.floor(n / 6) % 4, n % 6) ? 1 : 0,
    );
    check(sizes, { mask: { data, dims: [2, 1, 4, 6] } }, () => ({ visible }));
    const q = randomTensor([1, 1, 2, 4], 1);
    const { q: none } = pe.attentionBackward(q, q, q, q, { mask: [0, 0] });
    expect(none.data.every((value) => value === 0)).toBe(true);
  });

  const [B, H, I, J] = [2, 3, 4, 6];
  it.each<[number[], (b: number, h: number, i: number, j: number) => number]>([
    [[I, J], (_b, _h, i, j) => i * J + j],
    [[H, I, J], (_b, h, i, j) => (h * I + i) * J + j],
    [[1, H, 1, J], (_b, h, _i, j) => h * J + j],
    [[B, 1, I, J], (b, _h, i, j) => (b * I + i) * J + j],
    [[B, H, I, J], (b, h, i, j) => ((b * H + h) * I + i) * J + j],
  ])("a dense bias %j sums over what shares it", (dims, index) => {
    const bias = random64(dims, 55);
    const build: Build = (x) => ({ causal: true, bias: (...at) => x["bias"]!.data[index(...at)]! });
    check(sizes, { bias: float32(bias), causal: true }, build, { bias });
  });
});

describe("sums", () => {
  const sizes: Sizes = { batch: 3, heads: 2, queries: 5, keys: 7, dim: 6 };
  const { q, k, v } = inputsOf(sizes);
  const heads = [q!, k!, v!].map(float32) as [never, never, never];
  const gradOut = gradOutOf({ q: q!, v: v! });
  const encoding = pe.create({ kind: "t5", heads: 2, std: 1 });

  it("a batch's gradient of what it shares is the sum of its rows'", () => {
    const bias = randomTensor([2, 5, 7], 3);
    encoding.zeroGradients();
    const whole = pe.attentionBackward(...heads, gradOut, { bias, encoding });
    const wholeTable = encoding.gradients["weights"]!.data.slice();
    encoding.zeroGradients();
    const sum = new Float64Array(bias.data.length);
    for (let b = 0; b < 3; b++) {
      const row = (x: { data: Float32Array; dims: number[] }) => {
        const size = x.data.length / 3;
        return { data: x.data.slice(b * size, (b + 1) * size), dims: [1, ...x.dims.slice(1)] };
      };
      const one = pe.attentionBackward(row(heads[0]), row(heads[1]), row(heads[2]), row(gradOut), { bias, encoding });
      expect(maxDifference(one.q.data, row(whole.q).data)).toBe(0);
      expect(maxDifference(one.v.data, row(whole.v).data)).toBe(0);
      one.bias!.data.forEach((value, i) => (sum[i]! += value));
    }
    expect(maxDifference(whole.bias!.data, sum)).toBeLessThan(1e-6);
    expect(maxDifference(encoding.gradients["weights"]!.data, wholeTable)).toBeLessThan(1e-6);
  });

  it("is linear in gradOut", () => {
    const double = { ...gradOut, data: gradOut.data.map((value) => 2 * value) };
    const [one, two] = [gradOut, double].map((g) => pe.attentionBackward(...heads, g));
    for (const name of ["q", "k", "v"] as const)
      expectSameBits(
        two![name].data,
        one![name].data.map((value) => 2 * value),
        name,
      );
  });

  it("weights sum to 1: the gradients of v sum to those of the result", () => {
    const { v: slopes } = pe.attentionBackward(...heads, gradOut);
    // Weights of a query sum to 1.
    const total = (x: ArrayLike<number>) => Array.from(x).reduce((sum, value) => sum + value, 0);
    expect(Math.abs(total(slopes.data) - total(gradOut.data))).toBeLessThan(1e-4);
  });
});

describe("layout, memory, out", () => {
  const sizes: Sizes = { batch: 2, heads: 4, keyHeads: 2, queries: 3, keys: 7, dim: 8, width: 5 };
  const { q, k, v } = inputsOf(sizes);
  const heads = [q!, k!, v!].map(float32) as [never, never, never];
  const gradOut = gradOutOf({ q: q!, v: v! });
  const encoding = pe.create({ kind: "rope", dim: 8 });
  const options = { encoding, causal: true } as const;
  const plain = pe.attentionBackward(...heads, gradOut, options);
  const names = ["q", "k", "v"] as const;

  it("bthd gives the same numbers in its own order", () => {
    const swapped = heads.map(swapMiddle) as unknown as [never, never, never];
    const out = pe.attentionBackward(...swapped, swapMiddle(gradOut), { ...options, layout: "bthd" });
    for (const name of names) expectSameBits(swapMiddle(out[name]).data, plain[name].data, name);
  });

  it("takes tensors in wasm memory, and writes into `out`", () => {
    const resident = [...heads, gradOut].map((x) => pe.tensor(loosely(x).data, loosely(x).dims));
    const out = { q: randomTensor(plain.q.dims, 1), k: pe.tensor(plain.k.dims), v: randomTensor(plain.v.dims, 2) };
    const [qi, ki, vi, gi] = resident as [never, never, never, never];
    const result = pe.attentionBackward(qi, ki, vi, gi, { ...options, out });
    for (const name of names) {
      expectSameObject(result[name], out[name]);
      expectSameBits(out[name].data, plain[name].data, name);
    }
    for (const x of [...resident, out.k]) x.dispose();
  });

  it("works on large memory without growing with the square of positions", async () => {
    const { pe, memory } = await fresh();
    const dims = [1, 1, 6000, 8];
    const [x, g] = [randomTensor(dims, 1), randomTensor(dims, 2)];
    pe.attentionBackward(x, x, x, g, { causal: true, window: 100 });
    // Copies of q, k, v and gradOut, three results: 1.3 MB. A square would be 144 MB.
    expect(memory()).toBeLessThan(64 * 2 ** 20);
  });

  it.each<[string, string, string, () => unknown]>([
    [
      "gradOut of other dims",
      "shape-mismatch",
      "gradOut",
      () => pe.attentionBackward(...heads, randomTensor([1, 4, 3, 5])),
    ],
    ["no gradOut", "invalid-argument", "gradOut", () => pe.attentionBackward(...heads, loosely(undefined))],
    [
      "a result of other dims",
      "shape-mismatch",
      "out.q",
      () => pe.attentionBackward(...heads, gradOut, { out: { q: randomTensor([1]) } }),
    ],
    [
      "other sinks than there are",
      "shape-mismatch",
      "out.sinks",
      () => pe.attentionBackward(...heads, gradOut, { sinks: [1, 2, 3, 4], out: { sinks: randomTensor([3]) } }),
    ],
    [
      "an unknown result",
      "invalid-argument",
      "weights",
      () => pe.attentionBackward(...heads, gradOut, { out: loosely({ weights: randomTensor([1]) }) }),
    ],
    [
      "an unknown option",
      "invalid-argument",
      "casual",
      () => pe.attentionBackward(...heads, gradOut, loosely({ casual: true })),
    ],
    [
      "a table",
      "invalid-argument",
      "encoding",
      () => pe.attentionBackward(...heads, gradOut, loosely({ encoding: pe.create({ kind: "sinusoidal", dim: 8 }) })),
    ],
  ])("refuses %s", (_, code, field, call) => expect(refusal(call)).toMatchObject({ code, field }));

  it("refuses to write over an input, and leaves it alone", () => {
    const x = pe.tensor(plain.q.data, plain.q.dims);
    const small = randomTensor([2, 4, 7, 8], 1);
    const call = () => pe.attentionBackward(x, small, small, randomTensor(plain.q.dims), { out: { q: x } });
    expect(refusal(call)).toMatchObject({ code: "invalid-argument", field: "out.q" });
    expectSameBits(x.data, plain.q.data);
    x.dispose();
  });
});
