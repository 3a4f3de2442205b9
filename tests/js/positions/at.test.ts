// Positions in every form they come in: numbers, tensors of them, what the id functions give; up to ±2^48; given away.
import { describe, expect, it } from "vitest";
import { addPositional, rotaryInputs } from "posenc/transformers";
import { createBias, createRelative, createRotary, createTable, loosely, pe } from "../helpers/library";
import { expectSameBits, randomTensor } from "../helpers/numbers";
import { caught, expectError } from "../helpers/refusals";

const [B, T] = [2, 3];
const rows = [5, 6, 7, 0, 1, 2];
const tensorOf = (data: number[], dims: number[]) => ({ data: Int32Array.from(data), dims });
const forms: [string, object][] = [
  ["positionIds", pe.positionIds({ data: [0, 1, 1, 1, 1, 0], dims: [B, T] }, { padding: 1 })],
  ["int64 ids", pe.positionIds({ data: [0, 1, 1, 1, 1, 0], dims: [B, T] }, { padding: 1, type: "int64" })],
  ["a tensor [B, T]", tensorOf(rows, [B, T])],
  ["a tensor [1, B, T]", tensorOf(rows, [1, B, T])],
  ["floats", { data: Float32Array.from(rows, (row) => row + 0.5), dims: [B, T] }],
];
const rope = createRotary({ kind: "rope", dim: 8 });
const table = createTable({ kind: "sinusoidal", dim: 8 });
const alibi = createBias({ kind: "alibi", heads: 2 });
const shaw = createRelative({ kind: "shaw", dim: 8, maxDistance: 4 });
const pope = createRelative({ kind: "pope", dim: 8, heads: 2 });
const x = () => randomTensor([B, 2, T, 8], 7);
const rowsOf = () => randomTensor([B, T, 8], 7);
const all = { from: 0, to: 0 };

/** Each call that takes positions, by what makes its result of them. */
const calls: [string, (positions: any) => { data: Float32Array | Float64Array }][] = [
  ["table", (positions) => table.table({ positions })],
  ["addTo", (positions) => table.addTo(rowsOf(), { positions })],
  ["concatTo", (positions) => table.concatTo(rowsOf(), { positions })],
  ["tables", (positions) => rope.tables({ positions }).cos],
  ["angles", (positions) => ({ data: rope.angles({ positions }) })],
  ["apply", (positions) => rope.apply(x(), { positions })],
  ["backward", (positions) => rope.backward(x(), x(), { positions })],
  ["rerotate from", (positions) => rope.rerotate(x(), { ...all, from: positions })],
  ["rerotate to", (positions) => rope.rerotate(x(), { ...all, to: positions })],
  [
    "rerotate at",
    (positions) => rope.rerotate(x(), { from: rope, to: createRotary({ kind: "rope", dim: 8, base: 9 }), positions }),
  ],
  ["attention at", (positions) => pe.attention(x(), x(), x(), { encoding: rope, at: { positions } })],
  ["attention queryAt", (positions) => pe.attention(x(), x(), x(), { encoding: rope, queryAt: { positions } })],
  ["logits", (positions) => shaw.logits(x(), x(), { positions })],
  ["expand", (positions) => pope.expand(x(), { role: "key", positions })],
  ["queryTemperature", (positions) => pe.queryTemperature({ positions, temperature: { factor: 1, length: 2 } })],
  ["bias keyPositions", (keyPositions) => alibi.applyTo(randomTensor([B, 2, T, T], 3), { offset: 0, keyPositions })],
  ["addPositional", (positions) => addPositional(rowsOf(), table, { positions })],
  ["rotaryInputs", (positions) => rotaryInputs(rope, { positions }).cos as never],
];

describe.each(calls)("%s", (name, call) => {
  it.each(forms)("takes positions as %s", (_, form) => {
    const plain = Array.from(loosely(form).data as number[], Number);
    expectSameBits(loosely(call(form)).data, loosely(call(plain)).data);
  });

  it("refuses a tensor that is none of positions, and one that was given away", async () => {
    const field =
      { "bias keyPositions": "keyPositions", "rerotate from": "from", "rerotate to": "to" }[name] ?? "positions";
    for (const wrong of [{}, { data: 5, dims: [1] }, { data: rows.map(String), dims: [B, T] }, new Map()])
      expectError(await caught(() => call(wrong)), "invalid-argument", field);
    // No axis at all.
    for (const wrong of [tensorOf([], [0, B, T]), { ...tensorOf([], [0]), axes: [] }])
      expectError(await caught(() => call(wrong)), "invalid-argument", field);
    expectError(await caught(() => call(tensorOf(rows, [B, T + 1]))), "shape-mismatch", field);
    const given = Float64Array.from(rows);
    structuredClone(given, { transfer: [given.buffer] });
    expectError(await caught(() => call(given)), "invalid-argument", field);
    expectError(await caught(() => call([given])), "invalid-argument", field);
  });
});

describe("rows of positions", () => {
  it("must be as long as those of x, also where there are as many numbers", async () => {
    expectError(
      await caught(() => rope.apply(x(), { positions: tensorOf(rows, [T, B]) })),
      "shape-mismatch",
      "positions",
    );
  });
});

describe("positions of several axes", () => {
  const image = createRotary({ kind: "rope-axial", dim: 8 });
  const mrope = createRotary({ kind: "rope-mrope", dim: 8, sections: [2, 1, 1] });
  const q = () => randomTensor([1, 2, 6, 8], 9);

  it("as gridPositionIds gives them", () => {
    const ids = pe.gridPositionIds([2, 3]);
    const plain = image.apply(q(), { positions: ids.axes }).data;
    expectSameBits(image.apply(q(), { positions: ids }).data, plain);
    expectSameBits(image.apply(q(), { positions: pe.gridPositionIds([2, 3], { type: "int64" }) }).data, plain);
    expectSameBits(image.apply(q(), { positions: { data: ids.data, dims: [2, 1, 6] } }).data, plain);
    expectSameBits(
      pe.attention(q(), q(), q(), { encoding: image, at: { positions: ids } }).data,
      pe.attention(q(), q(), q(), { encoding: image, at: { positions: ids.axes } }).data,
    );
  });

  it("as mropePositionIds gives them", () => {
    const ids = pe.mropePositionIds([{ text: 2 }, { image: [1, 2, 2] }]);
    const plain = mrope.apply(q(), { positions: ids.positions.axes }).data;
    expectSameBits(mrope.apply(q(), { positions: ids }).data, plain);
    expectSameBits(mrope.apply(q(), { positions: ids.positions }).data, plain);
    expectSameBits(
      loosely(rotaryInputs(mrope, { positions: ids.positions })).cos.data,
      mrope.tables({ positions: ids }).cos.data,
    );
  });
});

describe("the ends, ±2^48,", () => {
  const end = 2 ** 48;
  const one = () => randomTensor([1, 1, 2, 8], 4);
  it.each([
    ["table", (at: object) => table.table(loosely({ length: 2, ...at }))],
    ["addTo", (at: object) => table.addTo(randomTensor([2, 8], 4), at)],
    ["tables", (at: object) => rope.tables(loosely({ length: 2, ...at }))],
    ["apply", (at: object) => rope.apply(one(), at)],
    [
      "apply of a dynamic rule",
      (at: object) => createRotary({ kind: "rope-dynamic", dim: 8, factor: 2, originalLength: 4 }).apply(one(), at),
    ],
    ["attention", (at: object) => pe.attention(one(), one(), one(), { encoding: rope, at })],
    ["logits", (at: object) => shaw.logits(one(), one(), at)],
    ["bias", (at: object) => alibi.bias({ queries: 2, keys: 2, ...at })],
    [
      "queryTemperature",
      (at: object) => pe.queryTemperature({ length: 2, temperature: { factor: 1, length: 2 }, ...at }),
    ],
  ])("are positions: %s", async (name, call) => {
    for (const offset of [-end, end - 1]) call({ offset });
    for (const offset of [-end - 2, end, NaN])
      expect(await caught(() => call({ offset })), `${offset}`).toMatchObject({ field: "offset" });
    if (name === "bias") return;
    for (const positions of [
      [-end, end],
      [end, 0],
    ])
      call({ positions });
    for (const positions of [
      [0, end + 2],
      [-end - 2, 0],
    ])
      expectError(await caught(() => call({ positions })), "out-of-range", "positions");
  });

  it("are the same place, whether run or given", () => {
    expectSameBits(table.table({ length: 2, offset: end - 1 }).data, table.table({ positions: [end - 1, end] }).data);
    expectSameBits(table.table({ length: 2, offset: -end }).data, table.table({ positions: [-end, 1 - end] }).data);
  });
});

describe("arrays that were given away", () => {
  const gone = (...dims: number[]) => {
    const tensor = randomTensor(dims, 1);
    structuredClone(tensor.data, { transfer: [tensor.data.buffer as ArrayBuffer] });
    return tensor;
  };
  const q = () => randomTensor([1, 1, 2, 8], 1);
  it.each([
    ["attention", "k", () => pe.attention(q(), gone(1, 1, 2, 8), q())],
    ["attention's bias", "bias", () => pe.attention(q(), q(), q(), { bias: gone(2, 2) })],
    ["attention's sinks", "sinks", () => pe.attention(q(), q(), q(), { sinks: gone(1).data })],
    ["an empty one", "q", () => pe.attention(gone(1, 1, 0, 8), gone(1, 1, 0, 8), gone(1, 1, 0, 8))],
    ["logits", "k", () => shaw.logits(q(), gone(1, 1, 2, 8))],
    ["concatTo", "x", () => table.concatTo(gone(2, 8))],
    ["concatTo's out", "out", () => table.concatTo(randomTensor([2, 8]), { out: gone(2, 16) })],
    ["apply", "x", () => rope.apply(gone(1, 1, 2, 8))],
    ["load", "weights", () => createTable({ kind: "learned", length: 2, dim: 4 }).load(gone(2, 4))],
    ["tensor", "data", () => pe.tensor(gone(2, 4).data, [2, 4])],
    ["positionIds", "attentionMask", () => pe.positionIds(gone(2, 4).data)],
    ["positionIds of rows", "attentionMask", () => pe.positionIds([gone(4).data, [1, 1, 1, 1]])],
    ["cuSeqlens", "cuSeqlens", () => pe.positionIds({ cuSeqlens: gone(4).data })],
    ["gridPositionIds", "grid", () => pe.gridPositionIds(gone(2).data)],
    ["bucketOf", "distances", () => shaw.bucketOf(gone(2).data)],
    ["toFloat16", "x", () => pe.toFloat16(gone(2))],
    ["permuteWeights", "weights", () => pe.permuteWeights(gone(8, 2), { heads: 1, from: "half", to: "interleaved" })],
    ["a spec's list", /frequencies|spec/, () => pe.create({ kind: "rope", dim: 8, frequencies: gone(4).data })],
  ])("%s", async (_, field, call) => {
    expectError(await caught(call), "invalid-argument", field);
  });
});
