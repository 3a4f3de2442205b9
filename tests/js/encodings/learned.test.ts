// Learned tables: rows that can be read, written and loaded, the positions they have, and tables for other grids.
import { init } from "posenc";
import { describe, expect, it } from "vitest";
import { createTable, loosely, pe } from "../helpers/library";
import { expectSameBits, maxDifference, randomNumbers, randomTensor, row } from "../helpers/numbers";
import { caught, describeRefusals, expectError } from "../helpers/refusals";
import { moduleBytes } from "../helpers/wasm";
import type { Refusal } from "../helpers/refusals";

const create = (fields: object = {}) => createTable({ kind: "learned", length: 6, dim: 4, ...fields });

describe("the weights", () => {
  it("are the rows, in wasm memory, as they are at each call", () => {
    const emb = create({ seed: 3 });
    expect(emb.weights.dims).toEqual([6, 4]);
    expectSameBits(emb.table({ length: 6 }).data, emb.weights.data);
    emb.weights.data[5] = 42;
    expect(row(emb.table({ positions: [1] }), 0)[1]).toBe(42);
    expect(emb.parameters.weights).toBe(emb.weights);
  });

  it("begin normally distributed, by std and seed", () => {
    const values = (fields: object) => create({ length: 200, dim: 50, ...fields }).weights.data.slice();
    expectSameBits(values({ seed: 5 }), values({ seed: 5 }));
    expect([...values({ seed: 6 }).subarray(0, 4)]).not.toEqual([...values({ seed: 5 }).subarray(0, 4)]);
    const data = values({ std: 0.5 });
    const mean = data.reduce((sum, value) => sum + value, 0) / data.length;
    const deviation = Math.sqrt(data.reduce((sum, value) => sum + value * value, 0) / data.length);
    expect(Math.abs(mean)).toBeLessThan(0.02);
    expect(Math.abs(deviation - 0.5)).toBeLessThan(0.015);
    expect(values({ std: 0 }).every((value) => value === 0)).toBe(true);
  });

  it("are loaded from numbers or tensors, also with dims of 1", () => {
    const data = randomNumbers(24, 8);
    expectSameBits(create().load(data).weights.data, data);
    expectSameBits(create().load({ data, dims: [1, 6, 4] }).weights.data, data);
    expectSameBits(create({ weights: [...data] }).weights.data, data);
  });

  it("are added like those of any table", () => {
    const emb = create();
    const x = randomTensor([2, 3, 4]);
    const expected = x.data.map((value, i) => Math.fround(value + emb.weights.data[8 + (i % 12)]!));
    expectSameBits(emb.addTo(x, { offset: 2 }).data, expected);
  });
});

describeRefusals("positions without a row", [
  ["too many", "out-of-range", "positions", () => create().table({ length: 7 })],
  [
    "beyond the end",
    "out-of-range",
    "positions",
    (watch) => create().addTo(watch(randomTensor([3, 4])), { offset: 4 }),
  ],
  ["negative", "out-of-range", "positions", () => create().table({ positions: [-1] })],
  ["fractions", "out-of-range", "positions", () => create().table({ positions: [0, 0.5] })],
  ["a shift", "unsupported", "shift", () => create().shift(1)],
] satisfies Refusal[]);

it("says how many rows there are", () => {
  expect(() => create().table({ positions: [9] })).toThrow(
    /must be whole numbers from 0 to 5 \(learned has 6 rows\), got 9/,
  );
});

describe("memory", () => {
  it.each([
    { length: 2 ** 20, dim: 2 ** 12 },
    { length: 2 ** 31 - 1, dim: 2 ** 20 },
    { length: 2 ** 31 - 1, dim: 1 },
  ])("that cannot be had is an error: %j", async (size) => {
    expectError(await caught(() => create(size)), "out-of-memory", "weights");
    expect(create().table({ length: 1 }).dims).toEqual([1, 4]);
  });

  it("is an error also where there is some left, but not enough", async () => {
    const fresh = await init((await moduleBytes("scalar")) as BufferSource);
    // Memory that nobody touches costs nothing.
    const { core } = loosely(fresh);
    const taken = [1000, 1000, 1000, 640].map((megabytes) => core.allocate(megabytes * 2 ** 20));
    const tooLarge = await caught(() => fresh.create({ kind: "learned", length: 2 ** 16, dim: 1000 }));
    expectError(tooLarge, "out-of-memory", "weights");
    expect(fresh.create({ kind: "learned", length: 600, dim: 1000 }).table({ length: 6 }).dims).toEqual([6, 1000]);
    taken.forEach((address) => core.module.release(address));
  });
});

describe("resize", () => {
  const emb = create({ length: 10, dim: 3, seed: 4 });

  it("makes a new encoding and leaves the old one alone", () => {
    const before = emb.weights.data.slice();
    const larger = emb.resize({ grid: [5, 4], prefix: 1 });
    expect(larger.weights.dims).toEqual([21, 3]);
    expect(larger.spec).toEqual({ ...emb.spec, length: 21 });
    expectSameBits(larger.weights.data.subarray(0, 3), before.subarray(0, 3));
    expectSameBits(emb.weights.data, before);
    larger.weights.data.fill(0);
    expectSameBits(emb.weights.data, before);
    expectSameBits(emb.resize({ grid: [3, 3], prefix: 1 }).weights.data, before);
  });

  it("goes along one axis, linearly", () => {
    const line = create({ length: 4, dim: 1, weights: [0, 1, 2, 3] });
    expect([...line.resize({ length: 8 }).weights.data]).toEqual([0, 0.25, 0.75, 1.25, 1.75, 2.25, 2.75, 3]);
    expect([...line.resize({ length: 7, alignCorners: true }).weights.data]).toEqual([0, 0.5, 1, 1.5, 2, 2.5, 3]);
    expect([...line.resize({ length: 2, mode: "nearest" }).weights.data]).toEqual([0, 2]);
    expect([...line.resize({ length: 9, prefix: 1 }).weights.data.subarray(0, 2)]).toEqual([0, 1]);
  });

  it("is the same for plain tensors, with leading dims and `out`", () => {
    const options = { grid: [2, 5], from: [3, 3], prefix: 1, mode: "bilinear" } as const;
    const wanted = emb.resize(options).weights.data;
    const plain = pe.resizeTable({ data: emb.weights.data.slice(), dims: [1, 10, 3] }, options);
    expect(plain.dims).toEqual([1, 11, 3]);
    expectSameBits(plain.data, wanted);
    const out = randomTensor([11, 3]);
    expect(pe.resizeTable(emb.weights, { ...options, out })).toBe(out);
    expectSameBits(out.data, wanted);
  });

  it("keeps rows behind the grid (BEiT) and knows grids of three axes", () => {
    const table = randomTensor([2 * 3 * 4 + 2, 2], 9);
    const resized = pe.resizeTable(table, { from: [2, 3, 4], grid: [2, 3, 8], suffix: 2, mode: "linear" });
    expect(resized.dims).toEqual([50, 2]);
    expectSameBits(resized.data.subarray(96), table.data.subarray(48));
    const line = { data: table.data.subarray(0, 8), dims: [4, 2] };
    expect(maxDifference(resized.data.subarray(0, 16), pe.resizeTable(line, { length: 8 }).data)).toBeLessThan(1e-7);
  });
});

describeRefusals("resizing that makes no sense", [
  ["no size", "invalid-argument", "grid", () => create().resize({})],
  ["two sizes", "invalid-argument", "grid", () => create().resize({ grid: [2, 3], length: 6 })],
  ["rows that are no square", "invalid-argument", "from", () => create().resize({ grid: [4, 4] })],
  ["another grid than there is", "shape-mismatch", "table", () => create().resize({ grid: [4, 4], from: [2, 2] })],
  ["axes that do not match", "shape-mismatch", "grid", () => create().resize({ grid: [4], from: [2, 3] })],
  ["an empty grid", "invalid-argument", "grid", () => create({ length: 4 }).resize({ grid: [0, 3] })],
  ["nothing but prefix", "invalid-argument", "length", () => create().resize({ length: 2, prefix: 2 })],
  ["an unknown mode", "invalid-argument", "mode", () => create().resize({ length: 2, mode: loosely("cubic") })],
  ["an unknown option", "invalid-argument", "size", () => create().resize(loosely({ size: [2, 2] }))],
  [
    "antialias and corners",
    "invalid-argument",
    "antialias",
    () => create().resize({ length: 2, antialias: true, alignCorners: true }),
  ],
  ["an offset of 1", "invalid-argument", "scaleOffset", () => create().resize({ length: 2, scaleOffset: 1 })],
  [
    "a table of sines",
    "unsupported",
    "weights",
    () => createTable({ kind: "sinusoidal", dim: 4 }).resize({ length: 2 }),
  ],
] satisfies Refusal[]);
