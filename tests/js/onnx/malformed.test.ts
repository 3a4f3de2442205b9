// Graphs that no exporter writes: each is refused as it is read, or what follows it copes; what is written can be read.
import { describe, expect, it } from "vitest";
import { openModel, PosencError } from "../helpers/onnx-models";
import {
  bytes,
  external,
  floats,
  frequencies,
  graphAttribute,
  graphOf,
  integer,
  join,
  modelOf,
} from "../helpers/onnx-proto";
import { node, opset, raw, rotating, rotatingBy, rotation, smallest, tensor, varint } from "../helpers/onnx-proto";
import { sized } from "../helpers/onnx-graphs";
import { pe } from "../helpers/library";
import { caught, expectError } from "../helpers/refusals";
import type { RewriteOptions } from "posenc/onnx";

const inParts = (file: Uint8Array) => ({
  size: file.length,
  read: (at: number, length: number) => file.slice(at, at + length),
});
const inv = floats("inv", [4], frequencies);
const given = ["position_ids", "x"];
const of = (nodes: Uint8Array[], constants: Uint8Array[] = [inv], inputs = given) =>
  modelOf({ nodes, constants, inputs });
const sinusoids = (of: (angle: number) => number) =>
  Array.from({ length: 32 }, (_, i) => of((i >> 2) * frequencies[i % 4]!));
const cached = (c: Uint8Array, s: Uint8Array, inputs = given) =>
  of([node("RotaryEmbedding", "x position_ids c s", "y")], [c, s], inputs);
const cos = floats("c", [8, 4], sinusoids(Math.cos));
const sin = floats("s", [8, 4], sinusoids(Math.sin));

const everything: RewriteOptions[] = [
  { attention: true },
  { rotary: { kind: "rope-yarn", factor: 4, originalLength: 64 } },
  { rotary: { kind: "rope-linear", factor: 4 }, length: 16, resize: "linear", angles: "float32" },
  { bias: { kind: "alibi" }, length: 12 },
  { tables: "inputs" },
  { grid: [3, 3] },
];
/** Opens and does all of it; what is refused is refused with an error of the library, what is written can be read. */
async function copes(file: Uint8Array<ArrayBuffer>) {
  for (const source of [file, inParts(file)]) {
    const error = await caught(async () => {
      const model = await openModel(source);
      model.audit(pe, { model_type: "llama", hidden_size: 64, num_attention_heads: 8, rope_theta: 500 });
      for (const options of everything) {
        const refused = await caught(async () => {
          const changed = await model.rewrite(pe, options);
          const again = await caught(async () => openModel(await changed.bytes()));
          expect(again, `${JSON.stringify(options)}: ${(again as Error | undefined)?.stack}`).toBeUndefined();
        });
        if (refused) expect(refused, String((refused as Error).stack)).toBeInstanceOf(PosencError);
      }
    });
    if (error) expect(error, String((error as Error).stack)).toBeInstanceOf(PosencError);
  }
}
async function refused(file: Uint8Array<ArrayBuffer>, message: RegExp) {
  for (const source of [file, inParts(file)])
    expect(await caught(() => openModel(source))).toMatchObject({
      name: "PosencError",
      code: "load-failed",
      field: "source",
      message: expect.stringMatching(message),
    });
}

const packed = (count: number) => bytes(1, new Uint8Array(count).fill(1));
const text = (number: number, content: number[]) => bytes(number, content);

describe("is refused as it is read", () => {
  it.each([
    ["65 dims", rotating(join(packed(65), integer(2, 1), bytes(8, "inv"))), /"inv" has 65 dims/],
    ["65 dims, one by one", rotating(tensor("inv", 1, Array<number>(65).fill(1))), /"inv" has 65 dims/],
    ["a cosine of nothing", of([node("Cos", "", "c")]), /Cos "" cannot have 0 inputs and 1 outputs/],
    ["a cosine of two", of([node("Cos", "x x", "c")]), /Cos "" cannot have 2 inputs/],
    ["a cosine that is left out", of([join(bytes(1, ""), bytes(2, "c"), bytes(4, "Cos"))]), /Cos "" cannot have/],
    [
      "a softmax that gives nothing",
      of([join(bytes(1, "x"), bytes(4, "Softmax"))]),
      /Softmax "" cannot have no output/,
    ],
    ["any node that gives nothing", of([join(bytes(1, "x"), bytes(3, "n"), bytes(4, "Relu"))]), /Relu "n" cannot have/],
    ["a product of one", of([node("MatMul", "x", "y")]), /MatMul "" cannot have 1 inputs/],
    ["a gather without indices", of([node("Gather", "inv", "y")]), /Gather "" cannot have 1 inputs/],
    ["a Constant of two values", of([node("Constant", "", "a b")]), /Constant "" cannot have 0 inputs and 2 outputs/],
    ["an input that is made", of([node("Cast", "y", "x")]), /"x" is defined twice/],
    ["an initializer that is made", of([node("Cast", "x", "inv")]), /"inv" is defined twice/],
    ["a name that is not UTF-8", of([join(text(1, [255]), bytes(2, "y"), bytes(4, "Cast"))]), /not valid UTF-8/],
    ["a name without an end", of([node("Cast", "n".repeat(9000), "y")]), /cannot have more than 8192 bytes/],
    ["a node that is a number", join(opset, bytes(7, integer(1, 5))), /field 1 cannot have wire type 0/],
    ["a graph that is a number", join(opset, bytes(7, graphOf({})), bytes(25, integer(7, 1))), /field 7 cannot/],
    ["a type that is bytes", rotating(join(bytes(2, [1, 1]), bytes(8, "inv"))), /field 2 cannot have wire type 2/],
    ["a float that is a number", rotatingBy(join(bytes(1, "value_float"), integer(2, 5))), /field 2 cannot have/],
  ])("%s", (_, file, message) => refused(file, message));

  it("300,000 dims", () =>
    refused(rotating(join(packed(300_000), bytes(8, "inv"))), /300000 dims|a message is cut off/));
  it("a circle through a branch", () => {
    const inner = join(graphOf({ nodes: [node("Cast", "out", "t")] }), bytes(12, bytes(1, "t")));
    return refused(of([node("If", "x", "out", graphAttribute("then_branch", inner))]), /the graph has a cycle/);
  });
});

describe("copes with", () => {
  const typed = (dims: number[]) => tensor("c", 1, dims, bytes(4, new Uint8Array(16)));
  it.each([
    ["a table of 2^40 rows that lists 4 numbers", cached(typed([2 ** 40, 4]), sin)],
    ["a table of 2^40 columns", cached(typed([4, 2 ** 40]), sin)],
    ["raw data of 2^40 rows", cached(tensor("c", 1, [2 ** 40, 4], raw(Float32Array.from(frequencies))), sin)],
    ["tables without numbers", cached(tensor("c", 1, [8, 4]), tensor("s", 1, [8, 4]))],
    ["external data of a length that is none", cached(tensor("c", 1, [8, 4], external({ length: "-1" })), sin)],
    ["rows of nothing", cached(floats("c", [0, 4], []), floats("s", [8, 0], []))],
    ["tables in a graph without inputs", cached(cos, sin, [])],
    ["rotations in a graph without inputs", of(rotation, [inv], [])],
    ["two initializers of one name", cached(cos, join(sin, new Uint8Array(0)))],
    ["an initializer without a name", of(rotation, [inv, floats("", [4], frequencies)])],
    [
      "operators of somebody's own",
      of([...rotation, join(node("Softmax", "", "p"), bytes(7, "mine")), join(bytes(4, "Cos"), bytes(7, "mine"))]),
    ],
    ["fused attention without inputs", of([node("MultiHeadAttention", "", "a"), node("GroupQueryAttention", "", "b")])],
    ["an If without branches", of([node("If", "x", "y"), ...rotation])],
    [
      "a Transpose without a perm",
      of([
        node("MatMul", "x x", "q"),
        node("Transpose", "q", "t"),
        node("Softmax", "t", "p"),
        node("MatMul", "p x", "o"),
      ]),
    ],
    ["nothing at all", of([], [], [])],
  ])("%s", async (_, file) => {
    await copes(file);
    expect(file.length).toBeGreaterThan(0);
  });

  it("attention in a graph that gives nothing back, and in one that takes nothing", async () => {
    for (const inputs of [given, []]) {
      const nodes = [node("MatMul", "x x", "q"), node("Softmax", "q", "p"), node("MatMul", "p x", "o")];
      const changed = await (await openModel(of(nodes, [], inputs))).rewrite(pe, { attention: true });
      expect(changed.changes.map(({ name }) => name)).toEqual(["attentions.0"]);
      expect(new TextDecoder().decode(await changed.bytes())).toContain("attentions.0");
      await openModel(await changed.bytes());
    }
  });
  it("a fused operator that leaves out its fourth output, and more", async () => {
    const fused = (outputs: string[]) =>
      join(
        bytes(1, "x"),
        ...outputs.map((name) => bytes(2, name)),
        bytes(4, "MultiHeadAttention"),
        bytes(7, "com.microsoft"),
      );
    for (const outputs of [["a"], ["a", "b", "c", ""], ["a", "", "", "", "e"]]) {
      const changed = await (await openModel(of([fused(outputs)]))).rewrite(pe, { attention: true });
      const again = await openModel(await changed.bytes());
      expect((await again.rewrite(pe, { attention: true })).changes).toEqual([]);
    }
  });
});

describe("what is written can be read", () => {
  const yarn = { rotary: { kind: "rope-yarn", factor: 4, originalLength: 64 } } as const;
  const factorOf = (position: { attentionFactor?: number } | undefined) => position?.attentionFactor;
  it.each([
    ["cosines and a sine of one angle", [node("Cos", "angle", "cos2"), node("Mul", "x cos2", "w")]],
    [
      "cosines and sines of one angle",
      [node("Cos", "angle", "cos2"), node("Sin", "angle", "sin2"), node("Mul", "cos2 sin2", "w")],
    ],
  ])("%s", async (_, more) => {
    const changed = await (await openModel(of([...rotation, ...more]))).rewrite(pe, yarn);
    const again = await openModel(await changed.bytes());
    expect(again.positions.length).toBe(2);
    for (const position of again.positions) expect(factorOf(position)).toBeCloseTo(0.1 * Math.log(4) + 1, 5);
  });
  it("each sine of one angle is multiplied", async () => {
    const more = [node("Cos", "angle", "cos2"), node("Sin", "angle", "sin2"), node("Mul", "cos2 sin2", "w")];
    const changed = await (await openModel(of([...rotation, ...more]))).rewrite(pe, yarn);
    const names = changed.changes.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(["cos", "sin", "cos2", "sin2"]));
  });
  it("when it is changed again and again", async () => {
    let file: Uint8Array<ArrayBuffer> = smallest;
    for (const factor of [2, 4, 8]) {
      const rotary = { kind: "rope-yarn", factor, originalLength: 64 } as const;
      file = await (await (await openModel(file)).rewrite(pe, { rotary, tables: undefined })).bytes();
    }
    const [position] = (await openModel(file)).positions;
    expect(factorOf(position)).toBeCloseTo(0.1 * Math.log(8) + 1, 5);
  });
  it("names with a byte order mark stay what they are", async () => {
    const file = of([...rotation, node("Cast", "\ufeffinv", "z2")], [inv, floats("\ufeffinv", [4], frequencies)]);
    expect((await openModel(file)).positions).toHaveLength(1);
  });
  it("an initializer that is an input, too, is no input once its table is one", async () => {
    const changed = await (await openModel(cached(cos, sin, [...given, "c", "s"]))).rewrite(pe, { tables: "inputs" });
    await openModel(await changed.bytes());
    expect(changed.changes).toHaveLength(2);
  });
});

describe("options that cannot be done", () => {
  const open = () => openModel(cached(cos, sin));
  it("a table of more numbers than fit", async () => {
    const error = await caught(async () => (await open()).rewrite(pe, { length: 2 ** 31 - 1 }));
    expectError(error, "out-of-range", "length");
  });
  it.each([[{ family: "rotary" }], [{ family: "bias", slopes: [1] }], [{ family: 5 }]])("%j", async (rotary) => {
    const error = await caught(async () => (await open()).rewrite(pe, { rotary: rotary as never }));
    expectError(error, "invalid-argument", "rotary");
  });
  it("slopes of other heads", async () => {
    const model = await openModel(
      of(
        [node("Mul", "x w", "b"), node("Add", "b x", "s")],
        [floats("w", [4, 1, 1], [0.25, 0.0625, 0.015625, 0.00390625])],
      ),
    );
    expect(model.positions).toHaveLength(1);
    const error = await caught(() => model.rewrite(pe, { bias: { kind: "alibi", heads: 8 } }));
    expect(error).toBeInstanceOf(PosencError);
  });
});

it("numbers of an attribute are read alike from memory and in parts", async () => {
  const count = 3000;
  const many = Float32Array.from({ length: count }, (_, i) => 10 ** (-i / count));
  const file = rotatingBy(join(bytes(1, "value_floats"), bytes(7, new Uint8Array(many.buffer))));
  const lengths = await Promise.all([file, inParts(file)].map(async (one) => (await openModel(one)).positions[0]!.dim));
  expect(lengths).toEqual([2 * count, 2 * count]);
  expect(varint(1)).toEqual([1]);
});

it("graphs of graphs are as deep in parts as in memory", async () => {
  let inner = graphOf({ nodes: rotation, constants: [floats("w", [4, 1024], Array<number>(4096).fill(1))] });
  for (let i = 0; i < 20; i++)
    inner = graphOf({ nodes: [node("If", "x", `o${i}`, graphAttribute("then_branch", inner))] });
  const file = join(opset, bytes(7, join(inner, bytes(5, inv))));
  for (const source of [file, inParts(file)]) expect((await openModel(source)).positions).toHaveLength(1);
  expect(sized({ nodes: [] }).length).toBeGreaterThan(0);
});
