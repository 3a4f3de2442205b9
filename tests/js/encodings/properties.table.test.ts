// Is it that family? What every table must do, for every kind that the library lists.
import { describe, expect, it } from "vitest";
import { createTable, exampleSpec, ofFamily, pe } from "../helpers/library";
import type { Spec } from "../helpers/library";
import { copyOf, expectSameBits, expectSameObject, maxDifference, randomTensor, range, row } from "../helpers/numbers";

const LENGTH = 7;

/** A position's row may depend on the whole call only here. */
const DEPENDS_ON_THE_CALL = new Map([["normalized", "its numbers are shares of the call's length"]]);

// Variants matter: the wider, odd, shifted and padded forms run other code.
const VARIANTS: Record<string, Record<string, unknown>[]> = {
  sinusoidal: [
    { dim: 7 },
    { dim: 6, pairing: "concat" },
    { dim: 33, pairing: "concat", oddDim: "pad", frequencyShift: 1 },
    { dim: 9, oddDim: "round-up" },
    { dim: 10, order: "cos-sin", scale: 1000, start: 3 },
    { dim: 8, paddingIndex: 2 },
    { dim: 12, precision: "float32" },
  ],
  "sinusoidal-2d": [
    { dim: 7 },
    { dim: 10, unevenDim: "pad", pairing: "grouped" },
    { dim: 12, pairing: "concat", axisOrder: "xy", order: "cos-sin", start: 1, frequencyShift: 1 },
  ],
  "sinusoidal-3d": [{ dim: 11 }, { dim: 16, temporalDim: 4, temporalScale: 0.25, axisOrder: "txy" }],
  fourier: [
    { inputs: 3 },
    { dim: 12, inputs: 2, form: "linear", maxFrequency: 4, includeInput: false },
    { dim: 10, inputs: 2, form: "geometric", pairing: "banded", includeInput: true, axisOrder: "xy" },
  ],
  learned: [{ length: 9, dim: 3, std: 1 }],
  normalized: [{ dim: 3 }, { dim: 2, length: 12 }],
  integer: [{ dim: 5 }],
};

/** Places in a text, or in a grid of three columns. */
function positionsOf(axes: number, indices: number[]) {
  if (axes === 1) return indices;
  return range(axes).map((axis) =>
    indices.map((i) => (axis === axes - 1 ? i % 3 : axis === axes - 2 ? Math.floor(i / 3) : 0)),
  );
}

const specs: [string, Spec][] = ofFamily("table").flatMap((description) =>
  [{}, ...(VARIANTS[description.kind] ?? [])].map((changes): [string, Spec] => [
    `${description.kind} ${JSON.stringify(changes)}`,
    exampleSpec(description, changes),
  ]),
);

describe.each(specs)("%s", (_, spec) => {
  const encoding = createTable(spec);
  const { axes } = encoding;
  const at = (count: number) => (axes === 1 ? { length: count } : { positions: positionsOf(axes, range(count)) });
  const whole = encoding.table(at(LENGTH));
  const opensOut = spec.length === undefined && DEPENDS_ON_THE_CALL.has(spec.kind);

  it("gives [positions, dim]", () => {
    expect(whole.dims).toEqual([LENGTH, encoding.dim]);
    expect(whole.data).toBeInstanceOf(Float32Array);
    expect(whole.data.every(Number.isFinite)).toBe(true);
    expect(encoding.table(at(0)).dims).toEqual([0, encoding.dim]);
  });

  it.skipIf(opensOut)("extends a shorter table without changing it", () => {
    expectSameBits(encoding.table(at(3)).data, whole.data.subarray(0, 3 * encoding.dim));
  });

  it("gives the same bits for the same positions, however they are asked for", () => {
    expectSameBits(encoding.table({ positions: positionsOf(axes, range(LENGTH)) }).data, whole.data, "positions");
    if (axes === 1) {
      const positions = BigInt64Array.from(range(LENGTH), BigInt);
      expectSameBits(encoding.table({ positions }).data, whole.data, "int64");
    } else {
      const grid = [...range(axes - 2).map(() => 1), 2, 3];
      expectSameBits(encoding.table({ grid }).data, whole.data.subarray(0, 6 * encoding.dim), "grid");
    }
    if (opensOut) return;
    if (axes === 1) {
      const later = encoding.table({ length: 4, offset: 3 });
      expectSameBits(later.data, whole.data.subarray(3 * encoding.dim), "offset");
    }
    const rotated = encoding.table({ positions: positionsOf(axes, range(LENGTH).reverse()) });
    for (let t = 0; t < LENGTH; t++) expectSameBits(row(rotated, LENGTH - 1 - t), row(whole, t), `row ${t}`);
  });

  it("writes into `out`, the same bits, and returns that object", () => {
    const plain = randomTensor([LENGTH, encoding.dim]);
    expectSameObject(encoding.table({ ...at(LENGTH), out: plain }), plain);
    expectSameBits(plain.data, whole.data);
    using inside = pe.tensor([LENGTH, encoding.dim]);
    expectSameObject(encoding.table({ ...at(LENGTH), out: inside }), inside);
    expectSameBits(inside.data, whole.data);
  });

  it("adds to x in place and returns x", () => {
    const x = randomTensor([2, LENGTH, encoding.dim], 3);
    const before = copyOf(x);
    expectSameObject(encoding.addTo(x, at(LENGTH)), x);
    const expected = before.data.map((value, index) => Math.fround(value + whole.data[index % whole.data.length]!));
    expectSameBits(x.data, expected);
  });

  it("adds the same to a tensor in wasm memory", () => {
    const x = randomTensor([2, LENGTH, encoding.dim], 3);
    using inside = pe.tensor(x.data, x.dims);
    expectSameObject(encoding.addTo(inside, at(LENGTH)), inside);
    expectSameBits(inside.data, encoding.addTo(x, at(LENGTH)).data);
  });

  it.skipIf(opensOut)("takes positions per batch row", () => {
    const x = randomTensor([2, 3, 2], 4);
    const joined = encoding.concatTo(x, { positions: positionsOf(axes, [0, 1, 2, 4, 3, 6]) });
    expect(joined.dims).toEqual([2, 3, 2 + encoding.dim]);
    [0, 1, 2, 4, 3, 6].forEach((position, index) => {
      expectSameBits(row(joined, index).subarray(2), row(whole, position), `place ${index}`);
      expectSameBits(row(joined, index).subarray(0, 2), row(x, index), `features ${index}`);
    });
  });

  it("leaves x as it is when it concatenates", () => {
    const x = randomTensor([LENGTH, 3], 5);
    const before = copyOf(x);
    const joined = encoding.concatTo(x, at(LENGTH));
    expect(joined.dims).toEqual([LENGTH, 3 + encoding.dim]);
    expectSameBits(x.data, before.data);
    const out = randomTensor(joined.dims, 6);
    expectSameObject(encoding.concatTo(x, { ...at(LENGTH), out }), out);
    expectSameBits(out.data, joined.data);
  });
});

describe("the kinds that open out with the call", () => {
  it.each([...DEPENDS_ON_THE_CALL.keys()])("%s really does", (kind) => {
    const description = ofFamily("table").find((entry) => entry.kind === kind)!;
    const encoding = createTable(exampleSpec(description));
    const short = encoding.table({ length: 3 });
    const long = encoding.table({ length: LENGTH });
    expect(maxDifference(short.data, long.data.subarray(0, short.data.length))).toBeGreaterThan(0);
  });
});

describe("what the simple tables hold", () => {
  const tableOf = (spec: Spec, at: object) => Array.from(createTable(spec).table(at).data);

  it("one-hot", () => {
    expect(tableOf({ kind: "one-hot", dim: 3 }, { length: 3 })).toEqual([1, 0, 0, 0, 1, 0, 0, 0, 1]);
  });
  it("integer", () => {
    expect(tableOf({ kind: "integer" }, { positions: [0, 2.5, -3] })).toEqual([0, 2.5, -3]);
  });
  it("normalized", () => {
    expect(tableOf({ kind: "normalized" }, { length: 5 })).toEqual([0, 0.25, 0.5, 0.75, 1]);
    expect(tableOf({ kind: "normalized" }, { length: 1 })).toEqual([0]);
    expect(tableOf({ kind: "normalized", length: 9 }, { length: 3 })).toEqual([0, 0.125, 0.25]);
  });
  it("binary, the most significant digit first", () => {
    expect(tableOf({ kind: "binary", dim: 3 }, { positions: [1, 6] })).toEqual([0, 0, 1, 1, 1, 0]);
  });
  it("periodic: dimension i first reaches 1 at position 2^i", () => {
    const data = tableOf({ kind: "periodic", dim: 4 }, { positions: [1, 2, 4, 8] });
    for (let i = 0; i < 4; i++) expect(data[i * 4 + i]).toBe(1);
  });
  it("sinusoidal", () => {
    const data = tableOf({ kind: "sinusoidal", dim: 4 }, { positions: [0, 1] });
    const expected = [0, 1, 0, 1, Math.sin(1), Math.cos(1), Math.sin(0.01), Math.cos(0.01)];
    expect(maxDifference(data, expected)).toBeLessThan(6e-8);
  });
});

describe("the sinusoidal fields that move positions", () => {
  const rows = (fields: object, at: object) => createTable({ kind: "sinusoidal", dim: 8, ...fields }).table(at).data;

  it("start is an offset", () => {
    expectSameBits(rows({ start: 2.5 }, { length: 4 }), rows({}, { length: 4, offset: 2.5 }));
  });
  it("scale multiplies the position, the start included", () => {
    expectSameBits(rows({ scale: 4 }, { positions: [3] }), rows({}, { positions: [12] }));
    expectSameBits(rows({ scale: 4, start: 1 }, { positions: [3] }), rows({}, { positions: [16] }));
  });
  it("paddingIndex empties that row, and no other", () => {
    const [padded, plain] = [rows({ paddingIndex: 2 }, { length: 4 }), rows({}, { length: 4 })];
    expect([...padded.subarray(16, 24)]).toEqual([0, 0, 0, 0, 0, 0, 0, 0]);
    expectSameBits(padded.subarray(24), plain.subarray(24));
    expectSameBits(padded.subarray(0, 16), plain.subarray(0, 16));
  });
});

describe("the shift operator PE(m + k) = T_k PE(m)", () => {
  const arrangements = ["interleaved", "concat"].flatMap((pairing) =>
    ["sin-cos", "cos-sin"].flatMap((order) => [0, 1].map((frequencyShift) => ({ pairing, order, frequencyShift }))),
  );

  it.each(arrangements)("%j", (arrangement) => {
    const dim = 14;
    const encoding = createTable({ kind: "sinusoidal", dim, ...arrangement });
    const k = 5.5;
    const shift = encoding.shift(k);
    expect(shift.dims).toEqual([dim / 2, 2, 2]);
    const from = encoding.table({ positions: [3] }).data;
    const to = encoding.table({ positions: [3 + k] }).data;
    for (let i = 0; i < dim / 2; i++) {
      const [first, second] = arrangement.pairing === "interleaved" ? [2 * i, 2 * i + 1] : [i, i + dim / 2];
      const m = shift.data.subarray(4 * i, 4 * i + 4);
      expect(m[0]! * from[first!]! + m[1]! * from[second!]!).toBeCloseTo(to[first!]!, 6);
      expect(m[2]! * from[first!]! + m[3]! * from[second!]!).toBeCloseTo(to[second!]!, 6);
    }
    const out = randomTensor([dim / 2, 2, 2]);
    expectSameObject(encoding.shift(k, { out }), out);
    expectSameBits(out.data, shift.data);
  });
});
