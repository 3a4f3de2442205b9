// Files that are damaged, or made to hurt: the library's own error. How work grows: tests/js/node/onnx-growth.test.ts.
import { describe, expect, it } from "vitest";
import { fixtureBytes, openModel, PosencError } from "../helpers/onnx-models";
import {
  bytes,
  floats,
  frequencies,
  graphAttribute,
  graphOf,
  integer,
  ints,
  join,
  modelOf,
} from "../helpers/onnx-proto";
import { node, opset, raw, rotating, rotation, smallest, tensor, varint } from "../helpers/onnx-proto";
import { pe } from "../helpers/library";
import { caught, expectError } from "../helpers/refusals";

/** In memory, and asked for in parts: two ways through the reader. */
const ways = (file: Uint8Array) => [
  file,
  { size: file.length, read: (at: number, length: number) => file.slice(at, at + length) },
];

async function refused(file: Uint8Array, message: RegExp = /\S{3}/) {
  for (const source of ways(file)) {
    const error = await caught(() => openModel(source));
    expect(error, "nothing was thrown").toBeDefined();
    expect(error, String((error as Error).stack)).toBeInstanceOf(PosencError);
    const expected = { code: "load-failed", field: "source", message: expect.stringMatching(message) };
    expect(error).toMatchObject(expected);
  }
}
/** Opens, whatever is found. */
async function opened(file: Uint8Array) {
  for (const source of ways(file)) {
    const { positions } = await openModel(source);
    expect(Array.isArray(positions)).toBe(true);
  }
}

it("a model that is cut off at any byte", async () => {
  for (let length = 0; length < smallest.length; length++) await refused(smallest.subarray(0, length));
  await opened(smallest);
});

it("any byte that is another: opens, or is refused", async () => {
  for (let at = 0; at < smallest.length; at++)
    for (const bit of [1, 8, 128]) {
      const file = smallest.slice();
      file[at]! ^= bit;
      for (const source of ways(file)) {
        const error = await caught(() => openModel(source));
        if (error) expect(error, `byte ${at}: ${(error as Error).stack}`).toBeInstanceOf(PosencError);
      }
    }
  expect(smallest.length).toBeGreaterThan(100);
});

it.each([
  ["version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 123\n", "a Git LFS pointer; run git lfs pull"],
  ['<!DOCTYPE html>\n<html lang="en">', 'a text that begins with "<!DOCTYPE html>\\n<html la"; check the address'],
  ["\n<html>", 'a text that begins with "\\n<html>"; check the address'],
  ["Entry not found", 'a text that begins with "Entry not found"; check the address'],
  ['{"error":"Repository not found"}', "a text that begins with"],
])("text instead of a model: %j", async (text, got) => {
  await refused(
    new TextEncoder().encode(text),
    new RegExp(`^source: must be an ONNX model, got ${got.replaceAll("\\", "\\\\")}`),
  );
});

it("a Git LFS pointer instead of external data", async () => {
  const pointer = new TextEncoder().encode("version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 123\n");
  const model = await fixtureBytes("llama-ext/model.onnx");
  await expect(openModel(model, { externalData: { "model.onnx_data": pointer } })).rejects.toMatchObject({
    ...{ code: "load-failed", message: "source: model.onnx_data is a Git LFS pointer; run git lfs pull" },
  });
});

it("errors of read are passed on, also for text", async () => {
  const failed = new Error("network");
  const read = () => Promise.reject(failed);
  await expect(openModel({ size: 99, read })).rejects.toBe(failed);
});

const inGraph = (...fields: Uint8Array[]) => join(opset, bytes(7, join(graphOf({ nodes: rotation }), ...fields)));

describe("wire format", () => {
  const cases: [string, Uint8Array, RegExp][] = [
    ["nothing", new Uint8Array(), /the graph is missing/],
    ["zeros", new Uint8Array(64), /field/],
    ["text", new TextEncoder().encode("<!doctype html><title>404</title>"), /source: /],
    ["a zip file", Uint8Array.of(0x50, 0x4b, 3, 4, 20, 0, 0, 0), /source: /],
    ["no opset", bytes(7, graphOf({ nodes: rotation })), /the graph is missing/],
    ["a graph and nothing after its length", Uint8Array.of(58, 5), /longer/],
    ["a length beyond the end", join(opset, Uint8Array.of(58, 200, 1)), /longer/],
    ["a length of 2^62", join(opset, [58], varint(2n ** 62n)), /longer/],
    ["a length of 2^64 - 1", join(opset, [58], varint(-1)), /longer|invalid varint/],
    ["a tag of 11 bytes", join(opset, new Uint8Array(10).fill(255), [1]), /invalid varint/],
    ["a number of 11 bytes", join(opset, [8], new Uint8Array(10).fill(255), [1]), /invalid varint/],
    ["a number without an end in the graph", inGraph(join([10 * 8], new Uint8Array(12).fill(128))), /invalid varint/],
    ["a group that begins", join(opset, [7 * 8 + 3]), /wire type 3/],
    ["a group that ends", join(opset, [7 * 8 + 4]), /wire type 4/],
    ["wire type 6", join(opset, [7 * 8 + 6]), /wire type 6/],
    ["wire type 7 in a node", inGraph(bytes(1, [7 * 8 + 7])), /wire type 7/],
    ["field 0", join(opset, [2, 0], bytes(7, graphOf({}))), /field/],
    ["a node that is longer than its graph", join(opset, bytes(7, [10, 100, 1])), /longer/],
    ["four bytes where none are", join(opset, bytes(7, [13])), /longer|ends|bytes/],
    ["eight bytes where three are", join(opset, bytes(7, [9, 1, 2, 3])), /longer|ends|bytes/],
  ];
  it.each(cases)("%s", (_, file, message) => refused(file, message));
});

describe("tensors that cannot be", () => {
  const inv = (dims: readonly (number | bigint)[], ...more: Uint8Array[]) => rotating(tensor("inv", 1, dims, ...more));
  const four = Float32Array.from(frequencies);
  const cases: [string, Uint8Array, RegExp][] = [
    ["negative dims", inv([-4], raw(four)), /dims \[-4\]/],
    ["two negative dims", inv([-2, -2], raw(four)), /dims \[-2,-2\]/],
    ["raw data too short", inv([5], raw(four)), /inv has 16 bytes/],
    ["raw data too long", inv([3], raw(four)), /inv has 16 bytes/],
    ["numbers too few", inv([5], bytes(4, new Uint8Array(16))), /fewer values/],
    ["numbers too many", inv([3], bytes(4, new Uint8Array(16))), /more values/],
    [
      "a number in the numbers without an end",
      rotating(tensor("inv", 10, [4], bytes(5, [128, 128]))),
      /invalid varint/,
    ],
  ];
  it.each(cases)("%s", (_, file, message) => refused(file, message));

  // What they claim to hold is nothing that could be read: no component, no memory.
  it.each([
    ["a product of dims beyond 2^53", inv([2 ** 31, 2 ** 31, 2 ** 31], raw(four))],
    ["a dim of 2^63 - 1", inv([2n ** 63n - 1n], raw(four))],
    ["2^40 numbers that are listed", inv([2 ** 40], bytes(4, new Uint8Array(16)))],
    ["dims that come to nothing", inv([0, 4], raw(new Float32Array()))],
    ["a type nobody knows", rotating(tensor("inv", 99, [4], raw(four)))],
    ["strings", rotating(tensor("inv", 8, [4], bytes(6, "a")))],
    ["no numbers at all", inv([4])],
    ["numbers that are none", rotating(floats("inv", [4], [NaN, Infinity, -1, 0]))],
    ["frequencies that are all the same", rotating(floats("inv", [4], [1, 1, 1, 1]))],
    ["frequencies beyond float32", rotating(floats("inv", [4], [3e38, 1e38, 1e-38, 1e-45]))],
  ])("%s: nothing is made of it", (_, file) => opened(file));

  it("gathered numbers for which no memory is taken", () =>
    // Thousands of numbers, of which none is there.
    refused(inv([2 ** 13], bytes(4, new Uint8Array(0)), bytes(4, new Uint8Array(16))), /fewer values/));
});

describe("graphs in graphs", () => {
  const nested = (depth: number) => {
    let graph = graphOf({ nodes: rotation });
    for (let i = 0; i < depth; i++)
      graph = graphOf({ nodes: [node("If", "cond", `out${i}`, graphAttribute("then_branch", graph))] });
    return join(opset, bytes(7, graph));
  };
  it("8 deep", () => opened(nested(8)));
  it.each([100, 1000])("%i deep", (depth) => refused(nested(depth), /nested more than \d+ deep/));
});

describe("nodes in a circle", () => {
  const inv = floats("inv", [4], frequencies);
  const circle = (...nodes: Uint8Array[]) =>
    modelOf({ nodes: [...nodes, ...rotation], constants: [inv], inputs: ["x"] });
  it.each([
    ["a node of itself", circle(node("Cast", "position_ids", "position_ids"))],
    [
      "two nodes of each other",
      circle(node("Cast", "b", "a"), node("Unsqueeze", "a", "b"), node("Cast", "a", "position_ids")),
    ],
    ["products", circle(node("Mul", "position_ids x", "position_ids"))],
    ["the cosine", circle(node("Cast", "angle", "angle"))],
    ["what follows the cosine", circle(node("Reshape", "cos cos", "cos"), node("Transpose", "sin", "sin"))],
    ["the frequencies", circle(node("Cast", "inv", "inv"))],
    [
      "a logarithm",
      circle(node("Log", "a", "b"), node("Cast", "b", "c"), node("Cast", "c", "b"), node("Div", "b d", "a")),
    ],
    [
      "a softmax",
      circle(node("Softmax", "s", "p"), node("MatMul", "p v", "w"), node("Cast", "w", "s"), node("Add", "p w", "v")),
    ],
    ["a gathered table", circle(node("Gather", "inv g", "g"), node("Add", "g x", "x"))],
    [
      "an If of itself",
      circle(node("If", "c", "c", graphAttribute("then_branch", graphOf({ nodes: [node("Cast", "c", "c")] })))),
    ],
  ])("%s", async (_, file) => {
    for (const source of ways(file)) {
      const error = await caught(() => openModel(source));
      if (error) expect(error, String((error as Error).stack)).toBeInstanceOf(PosencError);
    }
  });
});

it("nodes may stand in any order, and make each value once", async () => {
  const parts = { constants: [floats("inv", [4], frequencies)], inputs: ["position_ids", "x"] };
  const { positions } = await openModel(modelOf({ ...parts, nodes: [...rotation].reverse() }));
  expect(positions).toHaveLength(1);
  await refused(modelOf({ ...parts, nodes: [...rotation, rotation[1]!] }), /"cos" is defined twice/);
});

describe("much of everything is read", () => {
  const many = (count: number, make: (i: number) => Uint8Array) => Array.from({ length: count }, (_, i) => make(i));
  const inv = floats("inv", [4], frequencies);
  const count = 20000;
  const of = (nodes: Uint8Array[], constants: Uint8Array[] = [inv]) => modelOf({ nodes, constants, inputs: ["x"] });
  it.each([
    [
      "a chain of casts",
      of([...many(count, (i) => node("Cast", `v${i}`, `v${i + 1}`)), node("Cos", `v${count}`, "c")]),
    ],
    ["cosines", of(many(count, (i) => node("Cos", "x", `c${i}`)))],
    [
      "cosines and sines of products",
      of([
        ...rotation,
        ...many(5000, (i) => node("Cos", "angle", `c${i}`)),
        ...many(5000, (i) => node("Sin", "angle", `s${i}`)),
      ]),
    ],
    ["softmaxes", of(many(count, (i) => node("Softmax", `v${i}`, `v${i + 1}`)))],
    ["uses of one value", of(many(count, (i) => node("Add", "x inv", `v${i}`)))],
    ["a node of many inputs", of([node("Concat", Array.from({ length: count }, (_, i) => `v${i}`).join(" "), "c")])],
    ["initializers", of(rotation, [inv, ...many(count, (i) => floats(`w${i}`, [4], frequencies))])],
    [
      "numbers in a field",
      of([node("Constant", "", "c", join(bytes(1, "value_ints"), ...many(count, (i) => integer(8, i))))]),
    ],
    ["empty fields", join(opset, bytes(7, graphOf({ nodes: rotation })), ...many(count, () => bytes(14, "")))],
  ])("%s", (_, file) => opened(file));
});

it("a table without numbers cannot be made longer", async () => {
  const model = await openModel(
    modelOf({
      nodes: [node("Gather", "t position_ids", "rows"), node("Add", "x rows", "y")],
      constants: [tensor("t", 1, [4, 8])],
      inputs: ["position_ids", "x"],
    }),
  );
  expect(model.positions).toMatchObject([{ family: "table", rows: 4 }]);
  expectError(await caught(() => model.rewrite(pe, { length: 8, resize: "linear" })), "unsupported", "model");
});

describe("graphs that leave out what others have", () => {
  const rotated = (nodes: Uint8Array[], constants: Uint8Array[]) =>
    modelOf({ nodes, constants, inputs: ["position_ids", "x"] });
  const bounds = [ints("zero", [0]), ints("two", [2]), ints("four", [4]), ints("last", [-1])];
  const [mul, cos, sin] = rotation;

  it("a Transpose without an order before features are taken", async () => {
    const halves = [node("Slice", "t zero two last", "a"), node("Slice", "t two four last", "b")];
    const nodes = [
      mul!,
      cos!,
      sin!,
      node("Transpose", "x", "t"),
      ...halves,
      node("Mul", "a cos", "y"),
      node("Mul", "b sin", "z"),
    ];
    const { positions } = await openModel(rotated(nodes, [floats("inv", [4], frequencies), ...bounds]));
    expect(positions).toHaveLength(1);
  });
});
