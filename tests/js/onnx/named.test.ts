// Positions that can be named and not changed: found by structure and values, left alone by rewrites, and none where there are none.
import { describe, expect, it } from "vitest";
import { loosely, pe } from "../helpers/library";
import { openModel, type PositionalComponent } from "../helpers/onnx-models";
import { attributes, floats, int, ints, modelOf, node, raw, tensor } from "../helpers/onnx-proto";

type Bytes = Uint8Array<ArrayBuffer>;
const { integer, integers } = attributes;
const [heads, dim, tokens] = [2, 4, 4];
const numbers = (count: number, seed = 1) => Array.from({ length: count }, (_, i) => Math.sin(7 * seed + 3 * i));
const table = (name: string, ...dims: number[]) => floats(name, dims, numbers(dims.reduce((a, b) => a * b, 1)));
const pairs = (of: (i: number, j: number) => number, count = tokens) =>
  Array.from({ length: count * count }, (_, at) => of(Math.floor(at / count), at % count));
const shapes = [int("zero", 0), int("one", 1), ints("column", [-1, 1]), ints("row", [1, -1])];

interface Layer {
  nodes: Bytes[];
  constants?: Bytes[];
  inputs?: string[];
}
/** An attention whose scores are `content` and what the nodes before make as `more`. */
const attending = ({ nodes, constants = [], inputs = [] }: Layer): Bytes =>
  modelOf({
    inputs: ["x", ...inputs],
    nodes: [
      node("MatMul", "x wq", "q"),
      node("MatMul", "x wk", "k"),
      node("MatMul", "q k", "content"),
      ...nodes,
      node("Add", "content more", "scores"),
      node("Softmax", "scores", "weights"),
      node("MatMul", "weights x", "out"),
    ],
    constants: [table("wq", 8, 8), table("wk", 8, 8), ...shapes, ...constants],
  });
/** Positions 0, 1, … of the queries, and their differences from those of the keys. */
const differences = [
  node("Shape", "x", "shape"),
  node("Gather", "shape one", "length"),
  node("Range", "zero length one", "positions"),
  node("Reshape", "positions column", "queries"),
  node("Reshape", "positions row", "keys"),
];
const opened = async (file: Bytes) => [...(await openModel(file)).positions] as Partial<PositionalComponent>[];
const named = { changeable: false, layers: [0], type: "float32" };

describe("vectors of distances", () => {
  const read = (...index: Bytes[]) => [
    ...differences,
    ...index,
    node("Gather", "rows index", "vectors"),
    node("Einsum", "q vectors", "more"),
  ];
  it.each<[string, Bytes[], object]>([
    ["BERT's", [node("Sub", "queries keys", "d"), node("Add", "d eight", "index")], { maxDistance: 8 }],
    [
      "cut to a window that is longer to the left",
      [node("Sub", "keys queries", "d"), node("Clip", "d low high", "cut"), node("Add", "cut twelve", "index")],
      { maxLeft: 12, maxRight: 4 },
    ],
    [
      "the same the other way round",
      [node("Sub", "queries keys", "d"), node("Add", "d twelve", "far"), node("Clip", "far zero most", "index")],
      { maxLeft: 4, maxRight: 12 },
    ],
  ])("%s", async (_, index, ends) => {
    const limits = [int("eight", 8), int("twelve", 12), int("low", -12), int("high", 4), int("most", 16)];
    const file = attending({ nodes: read(...index), constants: [table("rows", 17, dim), ...limits] });
    const spec = { kind: "shaw", dim, ...ends, withValues: false };
    const where = { tensors: ["rows"], nodes: ["vectors", "more"] };
    expect(await opened(file)).toEqual([{ ...named, family: "relative", form: "shaw", rows: 17, dim, spec, where }]);
  });
  it("whose indices, or rows, are constants", async () => {
    const index = tensor("index", 7, [tokens, tokens], raw(BigInt64Array.from(pairs((i, j) => i - j + 3).map(BigInt))));
    const nodes = [node("Gather", "rows index", "vectors"), node("Einsum", "q vectors", "more")];
    const spec = { kind: "shaw", dim, maxDistance: 3, withValues: false };
    const facts = { ...named, family: "relative", form: "shaw", rows: 7, dim };
    const file = attending({ nodes, constants: [table("rows", 7, dim), index] });
    expect(await opened(file)).toMatchObject([{ ...facts, spec }]);
    const vectors = pairs((i, j) => i - j).flatMap((distance) => numbers(dim, distance));
    const folded = (values: number[]) =>
      attending({
        nodes: [node("Einsum", "q vectors", "more")],
        constants: [floats("vectors", [tokens, tokens, dim], values)],
      });
    expect(await opened(folded(vectors))).toMatchObject([facts]);
    expect(await opened(folded(vectors.with(-dim - 1, 9)))).toEqual([]);
  });
  it("of rows and of columns", async () => {
    const index = (name: string) =>
      tensor(name, 7, [tokens, tokens], raw(BigInt64Array.from(pairs((i, j) => i - j + 3).map(BigInt))));
    const nodes = [
      node("Gather", "down a", "u"),
      node("Gather", "right b", "v"),
      node("Einsum", "q u", "m"),
      node("Einsum", "q v", "n"),
      node("Add", "m n", "more"),
    ];
    const file = attending({
      nodes,
      constants: [table("down", 7, dim), table("right", 7, dim), index("a"), index("b")],
    });
    const where = { tensors: ["down", "right"], nodes: ["u", "m", "v", "n"] };
    expect(await opened(file)).toEqual([{ ...named, family: "relative", form: "decomposed", rows: 7, dim, where }]);
  });
  it("that are padded and cut to the length, as in VITS", async () => {
    const nodes = [
      ...differences,
      node("Pad", "rows amount", "padded"),
      node("Slice", "padded length length one", "some"),
      node("Transpose", "some", "turned"),
      node("MatMul", "q turned", "relative"),
      node("Pad", "relative amount", "wide"),
      node("Slice", "wide zero length one", "more"),
    ];
    const file = attending({ nodes, inputs: ["amount"], constants: [table("rows", 1, 9, dim)] });
    expect(await opened(file)).toMatchObject([{ ...named, family: "relative", form: "shaw", rows: 9, dim }]);
  });
});

describe("sinusoids of distances", () => {
  const shifted = [
    node("Add", "q v", "biased"),
    node("MatMul", "biased turned", "relative"),
    node("Pad", "relative amount", "wide"),
    node("Slice", "wide one length one", "more"),
  ];
  const computed = [
    node("Mul", "positions inv", "angles"),
    node("Sin", "angles", "sine"),
    node("Cos", "angles", "cosine"),
    node("Concat", "sine cosine", "waves"),
  ];
  const facts = { ...named, family: "relative", form: "transformer-xl", heads, dim };
  const spec = { kind: "transformer-xl", heads, dim, base: 10000 };
  const projected = [node("MatMul", "waves wr", "keysOf"), node("Transpose", "keysOf", "turned")];
  it("that the graph computes", async () => {
    const file = attending({
      nodes: [...differences, ...computed, ...projected, ...shifted],
      inputs: ["amount"],
      constants: [floats("inv", [4], [1, 0.1, 0.01, 0.001]), table("wr", 8, 8), table("v", heads, dim)],
    });
    expect(await opened(file)).toMatchObject([{ ...facts, spec, where: { tensors: ["inv", "v"] } }]);
  });
  it("in a table", async () => {
    const rows = Array.from({ length: 9 }, (_, t) => t - 4);
    const sinusoids = rows.flatMap((t) => [1, 0.1, 0.01, 0.001].flatMap((f) => [Math.sin(t * f), Math.cos(t * f)]));
    const of = (values: number[]) =>
      attending({
        nodes: [...differences, node("Slice", "rows zero length one", "waves"), ...projected, ...shifted],
        inputs: ["amount"],
        constants: [floats("rows", [1, 9, 8], values), table("wr", 8, 8), table("v", heads, dim)],
      });
    expect(await opened(of(sinusoids))).toMatchObject([{ ...facts, spec, where: { tensors: ["rows", "v"] } }]);
    expect((await opened(of(numbers(72)))).filter(({ form }) => form === "transformer-xl")).toEqual([]);
  });
});

describe("biases by offset", () => {
  // As LeViT numbers them: distances down and right, without their signs, on a grid of 2 × 2.
  const offsets = pairs((i, j) => 2 * Math.abs((i >> 1) - (j >> 1)) + Math.abs((i & 1) - (j & 1)));
  const index = tensor("index", 7, [tokens, tokens], raw(BigInt64Array.from(offsets.map(BigInt))));
  it("that constant indices read from a table", async () => {
    const file = attending({
      nodes: [node("Gather", "rows index", "more", integer("axis", 1))],
      constants: [table("rows", heads, 4), index],
    });
    const where = { tensors: ["rows"], nodes: ["more"] };
    expect(await opened(file)).toEqual([{ ...named, family: "bias", form: "offsets", heads, rows: 4, where }]);
  });
  const spaced = (offset: number) => (Math.sign(offset) * Math.log2(1 + 8 * Math.abs(offset))) / 3;
  const cells = [-1, 0, 1].flatMap((down) => [-1, 0, 1].flatMap((right) => [spaced(down), spaced(right)]));
  const network = [
    node("MatMul", "coordinates first", "hidden"),
    node("Add", "hidden shift", "moved"),
    node("Relu", "moved", "bent"),
    node("MatMul", "bent second", "logits"),
    node("Gather", "logits index", "picked"),
    node("Transpose", "picked", "turned"),
    node("Sigmoid", "turned", "gate"),
    node("Mul", "gate sixteen", "more"),
  ];
  const weights = [table("first", 2, 6), table("shift", 6), table("second", 6, heads), floats("sixteen", [], [16])];
  it.each([
    ["spaced by logarithms", cells, { spec: { kind: "swin-v2", heads, windowHeight: 2, windowWidth: 2, width: 6 } }],
    ["others", numbers(18), {}],
  ])("that a network computes of coordinates: %s", async (_, coordinates, facts) => {
    const file = attending({
      nodes: network,
      constants: [floats("coordinates", [1, 3, 3, 2], coordinates), index, ...weights],
    });
    const [found, ...more] = await opened(file);
    expect(more).toEqual([]);
    expect(found).toMatchObject({ ...named, family: "bias", form: "network", heads, rows: 9, ...facts });
    expect("spec" in found!).toBe("spec" in facts);
  });
  it("that are none: a mask of constants, weights of talking heads", async () => {
    const mask = pairs((i, j) => (i < j ? -1e4 : 0));
    const masked = attending({
      nodes: [node("Identity", "mask", "more")],
      constants: [floats("mask", [1, 1, tokens, tokens], mask)],
    });
    expect(await opened(masked)).toEqual([]);
    const talking = attending({
      nodes: [node("MatMul", "content mix", "more")],
      constants: [table("mix", heads, heads)],
    });
    expect(await opened(talking)).toEqual([]);
  });
});

describe("sinusoids by position", () => {
  const counted = (axis: string, angle: string) => [
    node("CumSum", `mask ${axis}`, `sum${axis}`),
    node("Slice", `sum${axis} last far ${axis}`, `end${axis}`),
    node("Div", `sum${axis} end${axis}`, `share${axis}`),
    node("Div", `share${axis} periods`, angle),
    node("Sin", angle, `sin${angle}`),
    node("Cos", angle, `cos${angle}`),
  ];
  const constants = [
    ...["column", "row"].map((name, i) => int(`${name}Axis`, i + 1)),
    ...[int("last", -1), int("far", 1e6), floats("periods", [4], [1, 10, 100, 1000])],
  ];
  const used = (names: string[]) => [
    node("Concat", names.join(" "), "places"),
    node("Add", "x places", "placed"),
    node("MatMul", "placed content", "more"),
  ];
  it("computed from a mask", async () => {
    const names = ["sina", "cosa", "sinb", "cosb"];
    const nodes = [...counted("columnAxis", "a"), ...counted("rowAxis", "b"), ...used(names)];
    const [found, ...more] = await opened(attending({ nodes, inputs: ["mask"], constants }));
    expect(more).toEqual([]);
    expect(found).toMatchObject({ ...named, family: "table", form: "computed-from-mask", dim: 8 });
  });
  it.each([
    ["positions", ["position_ids"], /unknown cosine and sine of positions: nodes s, c\.$/],
    ["time steps", ["timestep"], undefined],
  ])("of a form that is unknown: %s", async (_, [input], message) => {
    const nodes = [
      node("Pow", `${input} powers`, "angle"),
      node("Sin", "angle", "s"),
      node("Cos", "angle", "c"),
      ...used(["s", "c"]),
    ];
    const powers = floats("powers", [4], [0, -0.25, -0.5, -0.75]);
    const model = await openModel(attending({ nodes, inputs: [input!], constants: [powers] }));
    expect(model.positions).toEqual([]);
    const notes = model.audit(pe).filter(({ code }) => code === "unexplained");
    expect(notes).toEqual(
      message ? [{ ...{ severity: "note", code: "unexplained" }, message: expect.stringMatching(message) }] : [],
    );
  });
});

describe("convolutions", () => {
  const convolving = (groups: number, kernel: number[], sum = "x") =>
    modelOf({
      inputs: ["x"],
      nodes: [
        node("Transpose", "x", "features"),
        node("Conv", "features kernel", "mixed", integer("group", groups), integers("kernel_shape", [kernel[2]!])),
        node("Relu", "mixed", "bent"),
        node("Transpose", "bent", "back"),
        node("Add", `${sum} back`, "placed"),
        node("MatMul", "placed placed", "scores"),
        node("Softmax", "scores", "weights"),
        node("MatMul", "weights placed", "out"),
      ],
      constants: [table("kernel", ...kernel), table("other", 1, 8)],
    });
  it("that are wide and added to their own input", async () => {
    const where = { tensors: ["kernel"], nodes: ["mixed", "placed"] };
    expect(await opened(convolving(2, [8, 4, 16]))).toEqual([
      { ...named, family: "relative", form: "convolution", dim: 8, rows: 16, where },
    ]);
  });
  it.each([
    ["narrow", convolving(2, [8, 4, 3])],
    ["of one group", convolving(1, [8, 8, 16])],
    ["of a channel for each group", convolving(8, [8, 1, 16])],
    ["added to something else", convolving(2, [8, 4, 16], "other")],
  ])("that are none: %s", async (_, file) => {
    expect((await opened(file)).filter(({ form }) => form === "convolution")).toEqual([]);
  });
});

describe("what cannot be changed", () => {
  const file = attending({
    nodes: [
      ...differences,
      node("Sub", "queries keys", "d"),
      node("Add", "d eight", "index"),
      node("Gather", "rows index", "vectors"),
      node("Einsum", "q vectors", "more"),
    ],
    constants: [table("rows", 17, dim), int("eight", 8)],
  });
  it.each([{ rotary: { kind: "rope" } }, { bias: { kind: "alibi" } }, { bias: () => undefined }, { length: 64 }])(
    "is named where %o finds nothing else",
    async (options) => {
      const model = await openModel(file);
      const [option] = Object.keys(options);
      await expect(model.rewrite(pe, loosely(options))).rejects.toMatchObject({
        ...{ code: "unsupported", field: option },
        message: expect.stringMatching(/this model has relative \(shaw, 17 rows, dim 4\), which cannot be changed$/),
      });
      const changed = await model.rewrite(pe, { ...(loosely(options) as object), partial: true });
      expect(changed.bytes && (await changed.bytes())).toEqual(file);
    },
  );
  it("has a note", async () => {
    const model = await openModel(file);
    const notes = model.audit(pe);
    expect(notes).toMatchObject([{ severity: "note", code: "not-changeable", component: model.positions[0] }]);
    expect(notes[0]!.message).toMatch(/^layer 0: Shaw's relative positions, .*; posenc cannot change them\.$/);
  });
});
