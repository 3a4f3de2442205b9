// Components that share a constant: each gets what was chosen for it, the others compute what they did.
import { init } from "posenc";
import { openModel, type PositionalComponent } from "posenc/onnx";
import { describe, expect, it } from "vitest";
import { float, int64, node, onnxModel } from "../../examples/transformers/models/onnx.js";
import { maxDifference, randomTensor } from "../js/helpers/numbers";
import { runtimes } from "./runtimes";

const pe = await init();
const [, ort] = runtimes[0]!;
const [length, dim] = [40, 16];
const pairs = dim / 2;
const x = randomTensor([length, dim], 5);
const frequencies = Array.from({ length: pairs }, (_, k) => 10000 ** (-k / pairs));

type Outputs = Record<string, { dims: number[]; data: Float32Array }>;
async function run(model: Uint8Array): Promise<Outputs> {
  const session = await ort.InferenceSession.create(model, { logSeverityLevel: 3 });
  try {
    return await session.run({ x: new ort.Tensor("float32", x.data, x.dims) });
  } finally {
    await session.release();
  }
}

/** A layer that attends by rotated features. */
const attends = (layer: number) => [
  node("Mul", `x cos${layer}`, `a${layer}`),
  node("Mul", `x sin${layer}`, `b${layer}`),
  node("Add", `a${layer} b${layer}`, `q${layer}`),
  node("Transpose", `q${layer}`, `k${layer}`, { perm: [1, 0] }),
  node("MatMul", `q${layer} k${layer}`, `scores${layer}`),
  node("Softmax", `scores${layer}`, `weights${layer}`, { axis: -1 }),
  node("MatMul", `weights${layer} x`, `y${layer}`),
];
/** Cosines and sines of positions times frequencies. */
const sinusoids = (layer: number, input: string) => [
  node("MatMul", `column ${input}`, `angles${layer}`),
  node("Concat", `angles${layer} angles${layer}`, `both${layer}`, { axis: -1 }),
  node("Cos", `both${layer}`, `cos${layer}`),
  node("Sin", `both${layer}`, `sin${layer}`),
];
const outputs = Object.fromEntries(
  ["cos0", "cos1", "sin0", "sin1"].map((name) => [name, [length, dim]] as const).concat([["y0", [length, dim]]]),
);
const positions = [node("Range", "zero count one", "places"), node("Unsqueeze", "places last", "column")];
const constants = {
  ...{ zero: float([0], []), count: float([length], []), one: float([1], []), last: int64([1]), front: int64([0]) },
  f: float(frequencies, [pairs]),
};
const modelWith = (nodes: object[], more: object = {}) =>
  onnxModel({
    inputs: { x: { type: "float32", dims: [length, dim] } },
    constants: { ...constants, ...more },
    outputs: { ...outputs, y1: [length, dim] },
    nodes: [...positions, ...nodes, ...attends(0), ...attends(1)],
  });

const ways: Record<string, Uint8Array> = {
  "the same tensor": modelWith([...sinusoids(0, "f2"), ...sinusoids(1, "f2")], { f2: float(frequencies, [1, pairs]) }),
  "a node that changes its form": modelWith([
    node("Unsqueeze", "f front", "row"),
    ...sinusoids(0, "row"),
    ...sinusoids(1, "row"),
  ]),
  "a tensor, one of them through an Identity": modelWith([
    node("Unsqueeze", "f front", "row"),
    node("Identity", "f", "same"),
    node("Cast", "same", "cast", { to: 1 }),
    node("Unsqueeze", "cast front", "row1"),
    ...sinusoids(0, "row"),
    ...sinusoids(1, "row1"),
  ]),
};

const cosines = (base: number) =>
  Float32Array.from({ length: length * dim }, (_, i) => Math.cos(Math.floor(i / dim) * base ** -((i % pairs) / pairs)));

describe.each(Object.entries(ways))("rotations that share %s", (_, bytes) => {
  it.each([0, 1])("are told apart: %i changes, the other stays", async (layer) => {
    const model = await openModel(bytes);
    expect(model.positions.map(({ layers }) => layers)).toEqual([[0], [1]]);
    const changed = await model.rewrite(pe, {
      rotary: (component) => (component === model.positions[layer] ? { kind: "rope", base: 500000 } : undefined),
    });
    expect(changed.changes).toHaveLength(1);
    expect(changed.changes[0]!.what).toMatch(new RegExp(`a copy of f2? for layer ${layer}$`));
    const written = await changed.bytes();
    const [before, after] = [await run(bytes), await run(written)];
    for (const name of ["cos", "sin", "y"]) {
      const other = `${name}${1 - layer}`;
      expect(maxDifference(before[other]!.data, after[other]!.data), other).toBe(0);
      const own = `${name}${layer}`;
      expect(maxDifference(before[own]!.data, after[own]!.data), own).toBeGreaterThan(0.1);
    }
    expect(maxDifference(after[`cos${layer}`]!.data, cosines(500000))).toBeLessThan(1e-5);
    const again = await openModel(written);
    expect(again.positions.map(({ spec }) => (spec as { base: number }).base)[layer]).toBe(500000);
  });
  it("get two rotations at once", async () => {
    const model = await openModel(bytes);
    const bases = [20000, 30000];
    const changed = await model.rewrite(pe, {
      rotary: (component) => ({ kind: "rope", base: bases[model.positions.indexOf(component)]! }),
    });
    const after = await run(await changed.bytes());
    bases.forEach((base, layer) => expect(maxDifference(after[`cos${layer}`]!.data, cosines(base))).toBeLessThan(1e-5));
  });
  it("are written once when both get the same", async () => {
    const changed = await (await openModel(bytes)).rewrite(pe, { rotary: { kind: "rope", base: 500000 } });
    expect(changed.changes.map(({ name }) => name)).toHaveLength(1);
    expect(changed.changes[0]!.what).not.toMatch(/copy/);
    const after = await run(await changed.bytes());
    for (const name of ["cos0", "cos1"]) expect(maxDifference(after[name]!.data, cosines(500000))).toBeLessThan(1e-5);
  });
});

const onlyFirst = (positions: readonly PositionalComponent[]) => (component: PositionalComponent) =>
  component === positions[0] ? ({ kind: "rope", base: 500000 } as const) : undefined;

describe("what cannot be copied is refused by the names of both", () => {
  it("angles that two rotations share", async () => {
    const nodes = [
      ...sinusoids(0, "row"),
      node("Cos", "both0", "cos1"),
      node("Sin", "both0", "sin1"),
      node("Unsqueeze", "f front", "row"),
    ];
    const model = await openModel(modelWith(nodes));
    expect(model.positions).toHaveLength(2);
    await expect(model.rewrite(pe, { rotary: onlyFirst(model.positions) })).rejects.toMatchObject({
      code: "unsupported",
      field: "rotary",
      message: expect.stringMatching(
        /^rotary: rotary frequencies of layer 0 and rotary frequencies of layer 1 share angles0, which cannot be copied/,
      ),
    });
    expect((await model.rewrite(pe, { rotary: { kind: "rope", base: 500000 } })).changes).toHaveLength(1);
  });
});

describe("tables of cosines that share one of sines", () => {
  it("are one component, and all change", async () => {
    const rows = (of: (angle: number) => number) =>
      float(
        Array.from({ length: length * dim }, (_, i) => of(Math.floor(i / dim) * frequencies[i % pairs]!)),
        [length, dim],
      );
    const nodes = [
      node("Range", "from to by", "ids"),
      node("Gather", "c0 ids", "cos0", { axis: 0 }),
      node("Gather", "c1 ids", "cos1", { axis: 0 }),
      node("Gather", "s ids", "sin0", { axis: 0 }),
      node("Identity", "sin0", "sin1"),
    ];
    const whole = { from: int64([0], []), to: int64([length], []), by: int64([1], []) };
    const model = await openModel(
      modelWith(nodes, { ...whole, c0: rows(Math.cos), c1: rows(Math.cos), s: rows(Math.sin) }),
    );
    expect(model.positions).toHaveLength(1);
    const changed = await model.rewrite(pe, { rotary: onlyFirst(model.positions) });
    expect(changed.changes.map(({ name }) => name).sort()).toEqual(["c0", "c1", "s"]);
    const after = await run(await changed.bytes());
    for (const name of ["cos0", "cos1"]) expect(maxDifference(after[name]!.data, cosines(500000))).toBeLessThan(1e-5);
  });
});

describe("a constant of buckets", () => {
  const heads = 2;
  const buckets = (layer: number) => [
    node("Div", "distance exact", `n${layer}`),
    node("Log", `n${layer}`, `log${layer}`),
    node("Div", `log${layer} spread`, `share${layer}`),
    node("Mul", `share${layer} more`, `part${layer}`),
    node("Cast", `part${layer}`, `whole${layer}`, { to: 7 }),
    node("Add", `whole${layer} sixteen`, `beyond${layer}`),
    node("Min", `beyond${layer} most`, `bucket${layer}`),
    node("Gather", `table${layer} bucket${layer}`, `bias${layer}`, { axis: 0 }),
  ];
  const table = randomTensor([32, heads], 3);
  const bytes = onnxModel({
    inputs: { x: { type: "float32", dims: [length, dim] } },
    constants: {
      ...{
        distance: float(
          Array.from({ length: 400 }, (_, i) => 16 + i),
          [400],
        ),
        exact: float([16], []),
      },
      ...{ spread: float([Math.log(8)], []), more: float([16], []), sixteen: int64([16], []), most: int64([31], []) },
      ...{ table0: float(table.data, [32, heads]), table1: float(table.data, [32, heads]) },
    },
    outputs: {
      bucket0: { type: "int64", dims: [400] },
      bucket1: { type: "int64", dims: [400] },
      bias0: [400, heads],
      bias1: [400, heads],
    },
    nodes: [...buckets(0), ...buckets(1)],
  });
  it("is copied for the one that gets another distance", async () => {
    const model = await openModel(bytes);
    expect(model.positions).toHaveLength(2);
    const changed = await model.rewrite(pe, {
      bias: (component) => (component === model.positions[1] ? { kind: "t5", maxDistance: 300 } : undefined),
    });
    const again = await openModel(await changed.bytes());
    expect(again.positions.map(({ spec }) => (spec as { maxDistance: number }).maxDistance)).toEqual([128, 300]);
  });
});

describe("a learned table", () => {
  it("that is read from two rows on gets the rows of each reader", async () => {
    const rows = 12;
    const table = randomTensor([rows, dim], 9);
    const bytes = onnxModel({
      inputs: { x: { type: "float32", dims: ["tokens", dim] } },
      constants: {
        ...{ zero: int64([0], []), one: int64([1], []), two: int64([2], []), first: int64([0], []) },
        table: float(table.data, [rows, dim]),
      },
      outputs: { y0: ["tokens", dim], y1: ["tokens", dim] },
      nodes: [
        node("Shape", "x", "shape"),
        node("Gather", "shape first", "tokens", { axis: 0 }),
        node("Range", "zero tokens one", "ids0"),
        node("Add", "ids0 two", "ids1"),
        ...[0, 1].flatMap((i) => [
          node("Gather", `table ids${i}`, `rows${i}`, { axis: 0 }),
          node("Add", `x rows${i}`, `y${i}`),
        ]),
      ],
    });
    const model = await openModel(bytes);
    expect(model.positions.map(({ maxLength }) => maxLength)).toEqual([12, 10]);
    const changed = await model.rewrite(pe, { length: length, resize: "linear" });
    const again = await openModel(await changed.bytes());
    expect(again.positions.map(({ maxLength }) => maxLength)).toEqual([length, length]);
    const { y0, y1 } = await run(await changed.bytes());
    const wanted = (prefix: number) => {
      const given = { type: "float32" as const, data: Float32Array.from(table.data), dims: [rows, dim] };
      const made = pe.resizeTable(given, { length: length + prefix, prefix, mode: "linear", alignCorners: false });
      const own = made.data.slice(prefix * dim) as Float32Array;
      return own.map((value, i) => value + x.data[i]!);
    };
    expect(maxDifference(y0!.data, wanted(0))).toBeLessThan(1e-6);
    expect(maxDifference(y1!.data, wanted(2))).toBeLessThan(1e-6);
  });
});
