// Every tensor type that positions come in, in every way that a file holds numbers.
import { describe, expect, it } from "vitest";
import { openModel } from "../helpers/onnx-models";
import { bytes, external, floats, frequencies, integer, join, modelOf, node, raw } from "../helpers/onnx-proto";
import { rawOf, rotating, rotatingBy, tensor, tensorAttribute, varint } from "../helpers/onnx-proto";

/** Bits of [1, 0.1, 0.01, 0.001], each to the nearest. */
const float16 = Uint16Array.of(0x3c00, 0x2e66, 0x211f, 0x1419);
const bfloat16 = Uint16Array.of(0x3f80, 0x3dcd, 0x3c24, 0x3a83);
const float32 = Float32Array.from(frequencies);
const float64 = Float64Array.from(frequencies);

const packed = (field: number, values: ArrayLike<number>) => bytes(field, join(...Array.from(values, varint)));
const single = (field: number, values: ArrayLike<number>) => join(...Array.from(values, (one) => integer(field, one)));

const halfway = float32.subarray(0, 2);
const ways: [string, string, number, number, Uint8Array][] = [
  ["raw float32", "float32", 1, 6e-8, raw(float32)],
  ["float_data", "float32", 1, 6e-8, bytes(4, rawOf(float32))],
  ["float_data in two parts", "float32", 1, 6e-8, join(bytes(4, rawOf(halfway)), bytes(4, rawOf(float32.subarray(2))))],
  [
    "float_data one by one",
    "float32",
    1,
    6e-8,
    join(...Array.from(float32, (x) => join([4 * 8 + 5], rawOf(Float32Array.of(x))))),
  ],
  ["raw float64", "float64", 11, 1e-15, raw(float64)],
  ["double_data", "float64", 11, 1e-15, bytes(10, rawOf(float64))],
  ["raw float16", "float16", 10, 5e-4, raw(float16)],
  ["float16 as int32_data", "float16", 10, 5e-4, packed(5, float16)],
  ["float16 as int32_data one by one", "float16", 10, 5e-4, single(5, float16)],
  ["raw bfloat16", "bfloat16", 16, 4e-3, raw(bfloat16)],
  ["bfloat16 as int32_data", "bfloat16", 16, 4e-3, packed(5, bfloat16)],
];
const expectBase = (model: Awaited<ReturnType<typeof openModel>>, type: string, tolerance: number) => {
  expect(model.positions).toHaveLength(1);
  const [component] = model.positions;
  expect(component).toMatchObject({ family: "rotary", form: "frequencies", dim: 8, type });
  expect(component!.spec).toEqual({ kind: "rope", dim: 8, base: 10000 });
  frequencies.forEach((f, k) => expect(Math.abs(component!.frequencies![k]! / f - 1), `${k}`).toBeLessThan(tolerance));
  expect(component!.error).toBeLessThan(tolerance);
};

describe.each(ways)("%s", (_, type, number, tolerance, numbers) => {
  const inv = tensor("inv", number, [4], numbers);
  it("of an initializer", async () => expectBase(await openModel(rotating(inv)), type, tolerance));
  it("of a Constant", async () =>
    expectBase(await openModel(rotatingBy(tensorAttribute("value", inv))), type, tolerance));
});

it.each([
  ["float32", 1, float32, 6e-8],
  ["float64", 11, float64, 1e-15],
  ["float16", 10, float16, 5e-4],
  ["bfloat16", 16, bfloat16, 4e-3],
] as const)("external %s, of an initializer and of a Constant", async (type, number, data, tolerance) => {
  const inv = tensor("inv", number, [4], external({ location: "a/b.bin", offset: "3" }));
  const externalData = { "a/b.bin": join([1, 2, 3], rawOf(data)) };
  expectBase(await openModel(rotating(inv), { externalData }), type, tolerance);
  expectBase(await openModel(rotatingBy(tensorAttribute("value", inv)), { externalData }), type, tolerance);
});

it("a Constant that lists its numbers", async () => {
  const list = join(bytes(1, "value_floats"), bytes(7, rawOf(float32)), integer(20, 6));
  expectBase(await openModel(rotatingBy(list)), "float32", 6e-8);
});

describe("rows that are read by a buffer of position ids", () => {
  const ids = [0, 1, 2, 3];
  const buffers: [string, number, Uint8Array][] = [
    ["raw int64", 7, raw(BigInt64Array.from(ids, BigInt))],
    ["int64_data", 7, packed(7, ids)],
    ["int64_data one by one", 7, single(7, ids)],
    ["raw int32", 6, raw(Int32Array.from(ids))],
    ["int32_data", 6, packed(5, ids)],
    ["raw uint8", 2, raw(Uint8Array.from(ids))],
    ["raw int16", 5, raw(Int16Array.from(ids))],
  ];
  const features = Float32Array.from({ length: 32 }, (_, i) => Math.sin(i * i));
  const model = (ids: Uint8Array, ...constants: Uint8Array[]) =>
    modelOf({
      nodes: [
        node("Slice", "ids first last", "some"),
        node("Gather", "table some", "rows"),
        node("Add", "x rows", "y"),
      ],
      constants: [ids, ...constants],
      inputs: ["x", "first", "last"],
    });

  it.each(buffers)("of %s", async (_, type, numbers) => {
    const table = floats("table", [4, 8], Array.from(features));
    const { positions } = await openModel(model(tensor("ids", type, [1, 4], numbers), table));
    expect(positions).toHaveLength(1);
    expect(positions[0]).toMatchObject({ family: "table", form: "gathered", rows: 4, dim: 8, type: "float32" });
    expect(positions[0]!.maxLength).toBe(4);
  });
  it("whose numbers do not count up are none of positions", async () => {
    const table = floats("table", [4, 8], Array.from(features));
    const { positions } = await openModel(model(tensor("ids", 7, [1, 4], packed(7, [0, 1, 1, 0])), table));
    expect(positions).toEqual([]);
  });
  it.each([
    ["uint8", 2, Uint8Array.from(features, (x) => 128 + 127 * x)],
    ["int8", 3, Int8Array.from(features, (x) => 127 * x)],
  ])("of a table that is quantised as %s", async (type, number, data) => {
    const nodes = [
      node("Gather", "table position_ids", "small"),
      node("DequantizeLinear", "small scale zero", "rows"),
      node("Add", "x rows", "y"),
    ];
    const constants = [
      tensor("table", number, [4, 8], raw(data)),
      floats("scale", [], [1 / 127]),
      tensor("zero", number, [], raw(data.slice(0, 1))),
    ];
    const { positions } = await openModel(modelOf({ nodes, constants, inputs: ["position_ids", "x"] }));
    expect(positions).toHaveLength(1);
    expect(positions[0]).toMatchObject({
      family: "table",
      rows: 4,
      dim: 8,
      type,
      spec: { kind: "learned", length: 4 },
    });
  });
});
