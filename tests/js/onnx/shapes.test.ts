// What follows a table that has other rows, and what cannot: sizes in graphs that are fixed. What onnxruntime makes of it:
// tests/transformers/onnx-shapes.test.ts.
import { describe, expect, it } from "vitest";
import { openModel, PosencError } from "../helpers/onnx-models";
import { bytes, floats, integer, join, node, opset, raw, rawOf, tensor } from "../helpers/onnx-proto";
import { pe } from "../helpers/library";

type Dims = readonly (number | string)[];
interface Parts {
  nodes: Uint8Array[];
  constants?: Uint8Array[];
  inputs: Record<string, Dims>;
  outputs?: Record<string, Dims>;
  values?: Record<string, Dims>;
}
const info = (name: string, dims: Dims) => {
  const shape = join(...dims.map((dim) => bytes(1, typeof dim === "string" ? bytes(2, dim) : integer(1, dim))));
  return join(bytes(1, name), bytes(2, bytes(1, join(integer(1, 1), bytes(2, shape)))));
};
const all = (number: number, infos: Record<string, Dims> = {}) =>
  Object.entries(infos).map(([name, dims]) => bytes(number, info(name, dims)));
const graph = ({ nodes, constants = [], inputs, outputs, values }: Parts) =>
  join(
    integer(1, 8),
    opset,
    bytes(
      7,
      join(
        ...nodes.map((one) => bytes(1, one)),
        ...constants.map((one) => bytes(5, one)),
        ...[...all(11, inputs), ...all(12, outputs), ...all(13, values)],
      ),
    ),
  );
const whole = (name: string, numbers: number[], dims = [numbers.length]) =>
  tensor(name, 7, dims, raw(BigInt64Array.from(numbers, BigInt)));
const count = (name: string, value: number) => join(bytes(1, name), integer(3, value), integer(20, 2));
const list = (name: string, values: number[]) =>
  join(bytes(1, name), ...values.map((value) => integer(8, value)), integer(20, 7));
const table = (rows: number) => floats("table", [1, rows, 8], Array(rows * 8).fill(0.5));

const grid = async (parts: Parts, grid: [number, number]) =>
  (await (await openModel(graph(parts))).rewrite(pe, { grid })).changes.map(({ name, what }) => `${name} ${what}`);
const refused = async (parts: Parts, size: [number, number] = [4, 4]) => {
  const error = await grid(parts, size).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(PosencError);
  expect(error).toMatchObject({ code: "unsupported", field: "grid" });
  return (error as Error).message;
};

/** Nine patches of an image of 6 × 6 pixels, and what is made of them. */
const patches = (nodes: Uint8Array[], constants: Uint8Array[] = [], more: Partial<Parts> = {}): Parts => ({
  inputs: { pixels: [1, 3, 6, 6] },
  nodes: [
    node("Conv", "pixels kernel", "conv", list("strides", [2, 2])),
    node("Reshape", "conv flat", "rows"),
    node("Transpose", "rows", "tokens", list("perm", [0, 2, 1])),
    node("Add", "tokens table", "x"),
    ...nodes,
  ],
  constants: [floats("kernel", [8, 3, 2, 2], Array(96).fill(1)), whole("flat", [0, 0, -1]), table(9), ...constants],
  ...more,
});
const resized = "table has 20 rows now, by bicubic interpolation";
const image = "pixels is [1, 3, 8, 10] now";

describe("of a graph with a fixed image size", () => {
  it("the image follows the table", async () => {
    expect(await grid(patches([]), [4, 5])).toEqual([resized, image]);
  });
  it("a table with as many rows changes nothing else", async () => {
    expect(await grid(patches([node("Reshape", "x shape", "y")], [whole("shape", [9, 8])]), [3, 3])).toHaveLength(1);
  });
  it.each([
    ["tokens", [1, 9, 2, 4], "9 is 20 now"],
    ["features and tokens", [9, 8], "9 is 20 now"],
    ["all elements", [72], "72 is 160 now"],
    ["height and width", [1, 3, 3, 8], "3 is 4 now, 3 is 5 now"],
    ["the rest", [1, -1, 4], undefined],
    ["tokens and the rest", [-1, 9, 8], "9 is 20 now"],
    ["height and the rest", [3, -1, 8], "3 is 4 now"],
  ])("a Reshape to %s", async (_, dims, what) => {
    const changes = await grid(patches([node("Reshape", "x shape", "y")], [whole("shape", dims)]), [4, 5]);
    expect(changes).toEqual([resized, ...(what ? [`shape ${what}`] : []), image]);
  });
  it("a number behind Gather, Unsqueeze and Concat", async () => {
    const nodes = [
      node("Shape", "x", "dims"),
      node("Gather", "dims zero", "batch"),
      node("Unsqueeze", "batch axes", "first"),
      node("Concat", "first nine rest", "shape", count("axis", 0)),
      node("Reshape", "x shape", "y"),
    ];
    const constants = [whole("zero", [0], []), whole("axes", [0]), whole("nine", [9]), whole("rest", [2, -1])];
    expect(await grid(patches(nodes, constants), [4, 5])).toEqual([resized, "nine 9 is 20 now", image]);
  });
  it("bounds of a Slice and sizes of a Split", async () => {
    const nodes = [
      node("Slice", "x zero nine one", "all"),
      node("Slice", "x zero one one", "some"),
      node("Concat", "some x", "more", count("axis", 1)),
      node("Split", "more sizes", "first others", count("axis", 1)),
    ];
    const constants = [whole("zero", [0]), whole("one", [1]), whole("nine", [9]), whole("sizes", [1, 9])];
    const changes = await grid(patches(nodes, constants), [4, 5]);
    expect(changes).toEqual([resized, "nine 9 is 20 now", "sizes 9 is 20 now", image]);
  });
  it("an Expand that meets the tokens later", async () => {
    const nodes = [node("Expand", "small shape", "large"), node("Mul", "x large", "y")];
    const constants = [floats("small", [1, 1, 8], Array(8).fill(1)), whole("shape", [1, 9, 8])];
    expect(await grid(patches(nodes, constants), [4, 5])).toEqual([resized, "shape 9 is 20 now", image]);
  });
  it("another input", async () => {
    const parts = patches([node("Mul", "x mask", "y")], [], { inputs: { pixels: [1, 3, 6, 6], mask: ["b", 9, 1] } });
    expect(await grid(parts, [4, 5])).toEqual([resized, image, "mask is [b, 20, 1] now"]);
  });
  it("what it declares of its output, and of nothing in between", async () => {
    const parts = patches([node("Neg", "x", "y"), node("Shape", "table", "size")], [], {
      outputs: { y: [1, 9, 8] },
      values: { tokens: [1, 9, 8], conv: [1, 8, 3, 3], size: [3] },
    });
    const model = await openModel(graph(parts));
    const text = async (size: [number, number]) =>
      new TextDecoder("latin1").decode(await (await model.rewrite(pe, { grid: size })).bytes());
    const declares = (name: string, dims: Dims) => new TextDecoder("latin1").decode(info(name, dims));
    const changed = await text([4, 5]);
    expect(changed).toContain(declares("y", [1, 20, 8]));
    expect(changed).toContain(declares("pixels", [1, 3, 8, 10]));
    expect(changed).toContain(declares("size", [3]));
    for (const name of ["tokens", "conv"]) expect(changed).not.toContain(declares(name, parts.values![name]!));
  });
});

describe("is refused by its node", () => {
  const constants = [
    floats("nine", [9, 8], Array(72).fill(1)),
    floats("square", [9, 9], Array(81).fill(1)),
    floats("more", [1, 9, 8], Array(72).fill(1)),
    whole("order", [8, 7, 6, 5, 4, 3, 2, 1, 0]),
    whole("wide", [1, 9, 2, 4]),
    whole("whole", [9, 8]),
    whole("zero", [0]),
    whole("scales", [1, 27, 8]),
    whole("cube", [9, 2, 2, 2]),
  ];
  it.each([
    [
      "a constant of tokens",
      node("Mul", "x nine", "y"),
      /^grid: Mul "y" cannot combine \[1, 16, 8\] with \[9, 8\]; sizes/,
    ],
    [
      "a product over tokens",
      node("MatMul", "square x", "y"),
      /^grid: MatMul "y" cannot combine \[9, 9\] with \[1, 16, 8\]/,
    ],
    [
      "rows by fixed indices",
      node("Gather", "x order", "y", count("axis", 1)),
      /^grid: Gather "y" has 9 indices fixed/,
    ],
    [
      "other features",
      node("Concat", "x more", "y", count("axis", 2)),
      /^grid: Concat "y" cannot combine \[1, 16, 8\] with/,
    ],
    [
      "parts in an attribute",
      node("Split", "x", "y z", count("axis", 1), list("split", [4, 5])),
      /^grid: Split "y" cannot/,
    ],
  ])("%s", async (_, one, words) => {
    expect(await refused(patches([one], constants))).toMatch(words);
  });
  it("windows of patches, of which there would be others", async () => {
    const parts = patches([node("Reshape", "x windows", "y")], [whole("windows", [2, 2, 2, 2, 8])]);
    const four = [floats("kernel", [8, 3, 2, 2], Array(96).fill(1)), whole("flat", [0, 0, -1]), table(16)];
    const model = { ...parts, inputs: { pixels: [1, 3, 8, 8] }, constants: [...four, parts.constants!.at(-1)!] };
    expect(await refused(model, [5, 6])).toMatch(/^grid: Reshape "y" cannot make \[2, 2, 2, 2, 8\] of \[1, 30, 8\]/);
  });
  it("a constant that has to follow and to stay", async () => {
    const nodes = [node("Reshape", "x whole", "y"), node("Reshape", "nine whole", "z")];
    expect(await refused(patches(nodes, constants))).toMatch(/^grid: Reshape "z" cannot make \[16, 8\] of \[9, 8\]/);
  });
  it("a longer text behind a mask that is fixed", async () => {
    const parts: Parts = {
      inputs: { position_ids: [1, 4] },
      nodes: [
        node("Gather", "words position_ids", "rows"),
        node("Add", "x rows", "y"),
        node("MatMul", "y turned", "scores"),
        node("Shape", "words", "size"),
        node("Reshape", "flat size", "z"),
      ],
      constants: [
        floats("words", [4, 8], Array(32).fill(1)),
        floats("turned", [8, 4], Array(32).fill(1)),
        floats("flat", [32], Array(32).fill(1)),
      ],
    };
    const model = await openModel(graph({ ...parts, inputs: { ...parts.inputs, x: [1, 4, 8] } }));
    const options = { length: 6, resize: "linear" as const };
    await expect(model.rewrite(pe, options)).rejects.toThrow(/^length: Reshape "z" cannot make \[6, 8\] of \[32\]/);
  });
});

describe("is no fault of the rewrite:", () => {
  it("what does not fit in the file itself", async () => {
    const parts = patches([node("Reshape", "x odd", "y")], [whole("odd", [1, 9, 4])]);
    expect(await grid(parts, [4, 5])).toEqual([resized, image]);
  });
  it("what has names in place of numbers", async () => {
    const parts = patches([node("Mul", "x other", "y")], [], {
      inputs: { pixels: ["b", 3, "h", "w"], other: ["b", "n", 8] },
    });
    expect(await grid(parts, [4, 5])).toEqual([resized]);
  });
  it("operators that nobody knows", async () => {
    const nodes = [node("Unknown", "x", "u"), node("Mul", "u nine", "y"), node("Reshape", "u shape", "z")];
    const constants = [floats("nine", [9, 8], Array(72).fill(1)), whole("shape", [1, 9, 8])];
    expect(await grid(patches(nodes, constants), [4, 5])).toEqual([resized, "shape 9 is 20 now", image]);
  });
});

it("axes that are fractions, in the field of another type, are none", async () => {
  const fractions = tensor("axes", 7, [3], bytes(4, rawOf(Float32Array.of(1e-34, 1e-42, 0))));
  const nodes = [node("Unsqueeze", "one axes", "u"), node("Concat", "u u", "c", count("axis", 0))];
  expect(await grid(patches(nodes, [fractions, whole("one", [1], [])]), [4, 5])).toEqual([resized, image]);
});

it("large graphs, and sizes beyond all bounds", async () => {
  const chain = (n: number, make: (i: number) => Uint8Array[]) => Array.from({ length: n }, (_, i) => make(i)).flat();
  const nodes = [
    ...chain(5000, (i) => [node("Unsqueeze", i ? `u${i - 1}` : "x", `u${i}`, list("axes", [0]))]),
    ...chain(5000, (i) => [node("Concat", i ? `c${i - 1} c${i - 1}` : "x x", `c${i}`, count("axis", 1))]),
    ...chain(5000, (i) => [node("Reshape", i ? `r${i - 1}` : "x", `r${i}`), node("Mul", `r${i} far`, `m${i}`)]),
    ...chain(5000, (i) => [node("Reshape", "x shape", `s${i}`)]),
    node("Tile", "x huge", "t"),
    node("Expand", "x huge", "e"),
  ];
  const constants = [whole("huge", [2 ** 40, 2 ** 40, 2 ** 40]), whole("far", [-1]), whole("shape", [9, -1])];
  const model = await openModel(graph(patches(nodes, constants)));
  const { changes } = await model.rewrite(pe, { grid: [4, 5] });
  expect(changes.map(({ name }) => name)).toEqual(["table", "shape", "pixels"]);
});
