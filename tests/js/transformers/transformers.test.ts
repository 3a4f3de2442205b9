// posenc/transformers against the library's own calls, with a tensor class like those of the runtimes. The real ones:
// tests/transformers.
import {
  addPositional,
  attentionBias,
  interpolatePositionEmbeddings,
  positionIds,
  rotaryInputs,
} from "posenc/transformers";
import { describe, expect, it } from "vitest";
import { alibiSlopes } from "../helpers/formulas";
import { createBias, createRotary, createTable, loosely, pe } from "../helpers/library";
import { expectSameBits, randomNumbers, range, sizeOf } from "../helpers/numbers";
import { expectError, refusal } from "../helpers/refusals";
import { RuntimeTensor } from "../helpers/runtime-tensor";

class OtherTensor extends RuntimeTensor {}

const random = (dims: number[], seed = 1) => new RuntimeTensor("float32", randomNumbers(sizeOf(dims), seed), dims);
const ids = (rows: number[][]) =>
  new RuntimeTensor("int64", BigInt64Array.from(rows.flat(), BigInt), [rows.length, rows[0]!.length]);
const float16Of = (x: RuntimeTensor) => {
  const { data, dims } = pe.toFloat16({ data: x.data, dims: x.dims });
  return new RuntimeTensor("float16", data, [...dims]);
};
const floatsOf = (x: { type: string; data: unknown; dims: readonly number[] }) =>
  pe.toFloat32(loosely({ type: x.type, data: x.data, dims: x.dims })).data;
const onGpu = () => ({
  type: "float32",
  dims: [1, 2, 8],
  location: "gpu-buffer",
  get data(): never {
    throw new Error("the data is not on the CPU");
  },
});

const sinusoidal = createTable({ kind: "sinusoidal", dim: 8 });
const rope = createRotary({ kind: "rope", dim: 8 });
const alibi = createBias({ kind: "alibi", heads: 2 });

describe("addPositional", () => {
  const x = random([2, 3, 8]);

  it("is addTo on a copy, of the input's class", () => {
    const before = x.data.slice();
    const sum = addPositional(x, sinusoidal);
    expectSameBits(sum.data, sinusoidal.addTo({ data: before.slice(), dims: [2, 3, 8] }).data);
    expectSameBits(x.data, before);
    expect([sum.constructor, sum.type, sum.dims]).toEqual([RuntimeTensor, "float32", [2, 3, 8]]);
  });

  it("makes results with an injected class, and plain ones of plain ones", () => {
    expect(addPositional(x, sinusoidal, { Tensor: OtherTensor }).constructor).toBe(OtherTensor);
    const plain = addPositional({ type: "float32", data: x.data, dims: x.dims }, sinusoidal);
    expect([plain.constructor, plain.dims]).toEqual([Object, [2, 3, 8]]);
    const resident = pe.tensor(x.data, x.dims);
    expectSameBits(addPositional(resident, sinusoidal).data, addPositional(x, sinusoidal).data);
    resident.dispose();
  });

  it("counts from the first visible token and leaves padding alone", () => {
    const mask = ids([
      [0, 1, 1],
      [1, 1, 0],
    ]);
    const { data } = addPositional(x, sinusoidal, { mask });
    const table = sinusoidal.table({ length: 2 }).data;
    const added = (row: number, i: number) => data[8 * row + i] - x.data[8 * row + i];
    for (const [row, position] of [
      [1, 0],
      [2, 1],
      [3, 0],
      [4, 1],
    ] as const)
      for (const i of range(8)) expect(added(row, i)).toBeCloseTo(table[8 * position + i]!, 6);
    for (const row of [0, 5]) for (const i of range(8)) expect(added(row, i)).toBe(0);
  });

  it("takes the last columns of a mask that covers a cache", () => {
    const one = random([1, 1, 8]);
    const sum = addPositional(one, sinusoidal, { mask: ids([[0, 1, 1, 1]]) });
    expectSameBits(sum.data, addPositional(one, sinusoidal, { offset: 2 }).data);
  });

  it("works on float16, bits or not", () => {
    const float16 = float16Of(x);
    const sum = addPositional(float16, sinusoidal);
    expect([sum.type, sum.constructor, sum.data.constructor]).toEqual([
      "float16",
      RuntimeTensor,
      float16.data.constructor,
    ]);
    const wanted = sinusoidal.addTo({ data: floatsOf(float16).slice(), dims: [2, 3, 8] });
    const bits = new Uint16Array(float16.data.buffer.slice(0));
    const sumOfBits = addPositional(new RuntimeTensor("float16", bits, x.dims), sinusoidal);
    expect(sumOfBits.data).toBeInstanceOf(Uint16Array);
    for (const one of [sum, sumOfBits]) expectSameBits(floatsOf(one), floatsOf(float16Of(loosely(wanted))));
  });

  it.each([
    ["a tensor on the GPU", "unsupported", "x", () => addPositional(onGpu(), sinusoidal)],
    ["ids", "unsupported", "x", () => addPositional(ids([[1, 2]]), sinusoidal)],
    ["a rotary encoding", "unsupported", "encoding", () => addPositional(x, loosely(rope))],
    ["no encoding", "invalid-argument", "encoding", () => addPositional(x, loosely(undefined))],
    ["a mask of other rows", "shape-mismatch", "mask", () => addPositional(x, sinusoidal, { mask: ids([[1, 1, 1]]) })],
    [
      "a mask that is too short",
      "shape-mismatch",
      "mask",
      () => addPositional(random([1, 3, 8]), sinusoidal, { mask: ids([[1]]) }),
    ],
    [
      "mask and offset",
      "invalid-argument",
      "offset",
      () => addPositional(x, sinusoidal, { mask: ids([[1]]), offset: 1 }),
    ],
    ["another width", "shape-mismatch", "x", () => addPositional(random([1, 2, 6]), sinusoidal)],
  ])("refuses %s", (_, code, field, call) => expectError(refusal(call), code, field));
});

describe("rotaryInputs", () => {
  it("gives the caches of ONNX", () => {
    const { cos, sin } = rotaryInputs(rope, { length: 5, Tensor: RuntimeTensor });
    const tables = rope.tables({ length: 5 });
    expect([cos.constructor, cos.type, cos.dims, sin.dims]).toEqual([RuntimeTensor, "float32", [5, 4], [5, 4]]);
    expectSameBits(cos.data, tables.cos.data);
    expectSameBits(sin.data, tables.sin.data);
  });

  it("gives rows for position ids, of their class", () => {
    const positions = ids([
      [0, 0, 1],
      [4, 5, 6],
    ]);
    const { cos } = rotaryInputs<RuntimeTensor>(rope, { positions });
    expect([cos.constructor, cos.dims]).toEqual([RuntimeTensor, [2, 3, 4]]);
    expectSameBits(cos.data, rope.tables({ positions: [0, 0, 1, 4, 5, 6] }).cos.data);
  });

  it.each([
    ["half", [0, 1, 2, 3, 0, 1, 2, 3]],
    ["interleaved", [0, 0, 1, 1, 2, 2, 3, 3]],
  ])("gives Hugging Face's [B, T, D]: %s", (pairing, order) => {
    const encoding = createRotary({ kind: "rope", dim: 8, pairing });
    const { sin } = rotaryInputs<RuntimeTensor>(encoding, { positions: ids([[3, 4]]), layout: "hf" });
    const { data } = encoding.tables({ positions: [3, 4] }).sin;
    expect(sin.dims).toEqual([1, 2, 8]);
    expect([...sin.data]).toEqual([0, 4].flatMap((row) => order.map((pair) => data[row + pair])));
    expect(rotaryInputs<RuntimeTensor>(encoding, { length: 2, layout: "hf" }).cos.dims).toEqual([1, 2, 8]);
  });

  it("gives the axes of M-RoPE", () => {
    const mrope = createRotary({ kind: "rope-mrope", dim: 8, sections: [2, 1, 1] });
    const positions = new RuntimeTensor("int64", BigInt64Array.from(range(6), BigInt), [3, 1, 2]);
    const { cos } = rotaryInputs<RuntimeTensor>(mrope, { positions });
    const axes = [
      [0, 1],
      [2, 3],
      [4, 5],
    ];
    expect(cos.dims).toEqual([1, 2, 4]);
    expectSameBits(cos.data, mrope.tables({ positions: axes }).cos.data);
  });

  it("gives float16", () => {
    const { cos } = rotaryInputs(rope, { length: 9, type: "float16", Tensor: RuntimeTensor });
    expect([cos.type, cos.dims]).toEqual(["float16", [9, 4]]);
    expectSameBits(floatsOf(cos), floatsOf(float16Of(loosely(rope.tables({ length: 9 }).cos))));
  });

  it.each([
    ["a table", "unsupported", "encoding", () => rotaryInputs(loosely(sinusoidal), { length: 1 })],
    [
      "an unknown layout",
      "invalid-argument",
      "layout",
      () => rotaryInputs(rope, { length: 1, layout: loosely("bth") }),
    ],
    ["an unknown type", "invalid-argument", "type", () => rotaryInputs(rope, { length: 1, type: loosely("int8") })],
    ["ids on the GPU", "unsupported", "positions", () => rotaryInputs(rope, { positions: loosely(onGpu()) })],
    ["no length", "invalid-argument", "length", () => rotaryInputs(rope, {})],
  ])("refuses %s", (_, code, field, call) => expectError(refusal(call), code, field));
});

describe("attentionBias", () => {
  const lowest = new Float32Array([-3.4028234663852886e38])[0]!;

  it("is the bias with a batch in front", () => {
    const bias = attentionBias(alibi, { queries: 2, keys: 3, Tensor: RuntimeTensor });
    expect([bias.constructor, bias.dims]).toEqual([RuntimeTensor, [1, 2, 2, 3]]);
    expectSameBits(bias.data, alibi.bias({ queries: 2, keys: 3 }).data);
  });

  it("hides padding, and what is to come, with numbers that softmax can bear", () => {
    const mask = ids([
      [0, 1, 1],
      [1, 1, 1],
    ]);
    const { data, dims, constructor } = attentionBias<RuntimeTensor>(alibi, { mask, causal: true });
    expect([constructor, dims]).toEqual([RuntimeTensor, [2, 2, 3, 3]]);
    const hidden = Array.from(data as Float32Array, (x) => Number(x === lowest));
    const [padded, whole] = [
      [1, 1, 1, 1, 0, 1, 1, 0, 0],
      [0, 1, 1, 0, 0, 1, 0, 0, 0],
    ];
    expect(hidden).toEqual([padded, padded, whole, whole].flat());
    expect(data[9 + 7]).toBe(-alibiSlopes(loosely(alibi.spec))[1]!);
  });

  it("has the lowest float16 in float16", () => {
    const bias = attentionBias<RuntimeTensor>(alibi, { mask: ids([[0, 1]]), type: "float16" });
    expect([bias.type, [...floatsOf(bias)].filter((x) => x === -65504).length]).toEqual(["float16", 4]);
  });

  it("goes by keys that stand elsewhere", () => {
    const keyPositions = [5, 7];
    const bias = attentionBias<RuntimeTensor>(alibi, { queries: 1, keys: 2, offset: 7, keyPositions });
    expect([...bias.data]).toEqual([...alibi.bias({ queries: 1, keys: 2, offset: 7, keyPositions }).data]);
  });

  it.each([
    ["a rotation", "unsupported", "encoding", () => attentionBias(loosely(rope), { keys: 1 })],
    [
      "a relative encoding",
      "unsupported",
      "encoding",
      () => attentionBias(loosely(pe.create({ kind: "shaw", dim: 8 })), { keys: 1 }),
    ],
    ["a mask on the GPU", "unsupported", "mask", () => attentionBias(alibi, { mask: loosely(onGpu()) })],
    ["nothing to go by", "invalid-argument", "queries", () => attentionBias(alibi, {})],
  ])("refuses %s", (_, code, field, call) => expectError(refusal(call), code, field));
});

describe("positionIds", () => {
  const mask = ids([
    [0, 0, 1, 1],
    [1, 1, 1, 1],
  ]);

  it("are int64, of the mask's class", () => {
    const { type, data, dims, constructor } = positionIds<RuntimeTensor>(mask);
    expect([type, dims, constructor]).toEqual(["int64", [2, 4], RuntimeTensor]);
    expect(data).toEqual(BigInt64Array.from([0, 0, 0, 1, 0, 1, 2, 3], BigInt));
  });

  it("take pe.positionIds' options", () => {
    expect([...positionIds<RuntimeTensor>(mask, { pastLength: 3, padding: 1 }).data]).toEqual([1n, 3n]);
    expect([...positionIds<RuntimeTensor>(mask, { padding: 1, type: "int32" }).data].slice(0, 3)).toEqual([1, 1, 0]);
  });

  it("refuse a mask on the GPU", () => {
    expectError(
      refusal(() => positionIds(loosely(onGpu()))),
      "unsupported",
      "attentionMask",
    );
  });
});

describe("interpolatePositionEmbeddings", () => {
  const x = random([1, 5, 4]);
  const options = { grid: [3, 4], prefix: 1 };

  it("is resizeTable, of the input's class", () => {
    const { data, dims, constructor } = interpolatePositionEmbeddings(x, pe, options);
    expect([dims, constructor]).toEqual([[1, 13, 4], RuntimeTensor]);
    expectSameBits(data, pe.resizeTable({ data: x.data, dims: x.dims }, options).data);
  });

  it("works on float16", () => {
    const float16 = float16Of(x);
    const wanted = pe.resizeTable({ data: floatsOf(float16), dims: x.dims }, options);
    const resized = interpolatePositionEmbeddings(float16, pe, options);
    expect(resized.type).toBe("float16");
    expectSameBits(floatsOf(resized), floatsOf(float16Of(loosely(wanted))));
  });

  it("refuses a tensor on the GPU", () => {
    expectError(
      refusal(() => interpolatePositionEmbeddings(onGpu(), pe, options)),
      "unsupported",
      "x",
    );
  });
});
