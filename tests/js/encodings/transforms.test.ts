// Learned maps of places by themselves: grids and class tokens, heads that share or have their own, undoing, gradients.
import type { TransformRelative } from "posenc";
import { describe, expect, it } from "vitest";
import { expectGradients, float32, random64, tensor64 } from "../helpers/gradients";
import type { Inputs } from "../helpers/gradients";
import { createRelative, ofFamily, pe, type Spec } from "../helpers/library";
import { copyOf, dot, expectSameBits, maxDifference, randomNumbers, randomTensor, range } from "../helpers/numbers";
import { referenceOf } from "../helpers/reference-encodings";
import { caught, expectError } from "../helpers/refusals";

const dim = 12;
const specs: Spec[] = [
  { kind: "rope-mixed", dim, heads: 2 },
  { kind: "rope-mixed", dim, heads: 2, axes: 3, rotaryDim: 10, pairing: "half" },
  { kind: "grape-m", dim, heads: 2 },
  { kind: "fope", dim, heads: 2, length: 100 },
  { kind: "fope", dim, length: 30, floor: "keep", outputDim: 2 },
  { kind: "fope", dim, length: 30, floor: "clamp", oneBasis: true, outputDim: 5, sinePad: 1 },
  { kind: "liere", dim, heads: 2, blockDim: 5 },
  { kind: "liere", dim, axes: 3, blockDim: 4 },
  { kind: "string", dim, heads: 2 },
  { kind: "string", dim, axes: 1, form: "circulant" },
];
const create = (spec: Spec): TransformRelative => {
  const encoding = createRelative(spec) as unknown as TransformRelative;
  let seed = 9;
  for (const { data, size } of Object.values(encoding.parameters)) data.set(randomNumbers(size, seed++));
  return encoding;
};
const axesOf = (encoding: TransformRelative) => (encoding.spec as unknown as { axes?: number }).axes ?? 1;
/** A place for each of 6 rows, within ±4. */
const positionsOf = (encoding: TransformRelative) =>
  range(axesOf(encoding)).map((axis) => Array.from(randomNumbers(6, 30 + axis), (x) => 8 * x));

it("every kind that turns rows is here", () => {
  const transforming = ofFamily("relative").filter(({ calls }) => calls[0] === "apply");
  expect([...new Set(specs.map(({ kind }) => kind))].sort()).toEqual(transforming.map(({ kind }) => kind).sort());
});

describe.each(specs.map((spec): [string, Spec] => [JSON.stringify(spec), spec]))("%s", (_, spec) => {
  const encoding = create(spec);
  const positions = positionsOf(encoding);
  const at = { positions };
  const x = randomTensor([2, 4, 6, dim], 1);

  it("turns by its formula, and its gradients are those", () => {
    const inputs: Inputs = { x: random64(x.dims, 3) };
    for (const [name, { data, dims }] of Object.entries(encoding.parameters)) inputs[name] = tensor64({ data, dims });
    inputs["x"]!.data.forEach((value, i, data) => (data[i] = Math.fround(value)));
    const forward = (numbers: Inputs) =>
      referenceOf({ ...numbers, q: numbers["x"]!, k: numbers["x"]! }, spec, {
        ...{ queries: [], keys: [] },
        axes: { queries: positions, keys: positions },
      }).q.data;
    const given = float32(inputs["x"]!);
    expect(maxDifference(encoding.apply(copyOf(given), at).data, forward(inputs))).toBeLessThan(1e-6);
    const gradOut = randomTensor(x.dims, 4);
    encoding.zeroGradients();
    const slopes = encoding.applyBackward(given, gradOut, at);
    expectGradients(forward, inputs, gradOut.data, { x: slopes, ...encoding.gradients }, { most: 12, tolerance: 1e-5 });
    expectSameBits(encoding.apply(copyOf(gradOut), { ...at, transpose: true }).data, slopes.data);
  });

  it("is undone, but for mixtures of waves", async () => {
    const rotated = encoding.apply(copyOf(x), at);
    if (spec.kind === "fope") {
      expectError(await caught(() => encoding.apply(copyOf(x), { ...at, inverse: true })), "unsupported", "inverse");
      return;
    }
    expect(maxDifference(encoding.apply(rotated, { ...at, inverse: true }).data, x.data)).toBeLessThan(1e-6);
  });

  it("gives the scores of rows that were turned before", () => {
    const [q, k] = [copyOf(x), randomTensor([2, 2, 6, dim], 2)];
    const logits = encoding.logits(q, k, at);
    const [rotatedQ, rotatedK] = [q, k].map((tensor) => encoding.apply(copyOf(tensor), at));
    const rows = (tensor: { data: Float32Array }, row: number) => tensor.data.subarray(row * dim, (row + 1) * dim);
    const wanted = Array.from(logits.data, (_, n) => {
      const [j, i, h, b] = [n % 6, Math.floor(n / 6) % 6, Math.floor(n / 36) % 4, Math.floor(n / 144)];
      return dot(rows(rotatedQ!, (b * 4 + h) * 6 + i), rows(rotatedK!, (b * 2 + (h >> 1)) * 6 + j));
    });
    expect(maxDifference(logits.data, wanted)).toBeLessThan(2e-6);
    const inside = pe.attention(q, k, k, { encoding, at });
    expect(maxDifference(inside.data, pe.attention(rotatedQ!, rotatedK!, k).data)).toBeLessThan(1e-6);
  });

  it("stands in batch rows and heads at places of their own", () => {
    const own = range(axesOf(encoding)).map((axis) => Array.from(randomNumbers(48, 50 + axis), (value) => 8 * value));
    const whole = encoding.apply(copyOf(x), { positions: own });
    const k = randomTensor([2, 2, 6, dim], 2);
    const keyPositions = own.map((axis) => axis.slice(0, 24));
    const logits = encoding.logits(x, k, { positions: keyPositions, queryAt: { positions: own } }).data;
    const [rotatedQ, rotatedK] = [whole, encoding.apply(copyOf(k), { positions: keyPositions })];
    const last = (data: Float32Array) => data.subarray(data.length - dim);
    expect(logits.at(-1)).toBeCloseTo(dot(last(rotatedQ.data), last(rotatedK.data)), 5);
    // Queries that are not told of are the last of the keys, in groups.
    const derived = encoding.logits(x, k, { positions: keyPositions }).data;
    const spread = own.map((_, axis) =>
      range(8).flatMap((row) => keyPositions[axis]!.slice((row >> 1) * 6, (row >> 1) * 6 + 6)),
    );
    expectSameBits(derived, encoding.logits(x, k, { positions: keyPositions, queryAt: { positions: spread } }).data);
    for (const [b, h] of [
      [0, 3],
      [1, 1],
    ] as const) {
      const row = (b * 4 + h) * 6;
      const single = copyOf(x);
      encoding.apply(single, { positions: own.map((axis) => axis.slice(row, row + 6)) });
      const part = (data: Float32Array) => data.slice(row * dim, (row + 6) * dim);
      expectSameBits(part(whole.data), part(single.data), `batch ${b}, head ${h}`);
    }
    const byRow = own.map((axis) => axis.slice(0, 12));
    const second = { positions: byRow.map((axis) => axis.slice(6)) };
    const size = 4 * 6 * dim;
    expectSameBits(
      encoding.apply(copyOf(x), { positions: byRow }).data.slice(size),
      encoding.apply(copyOf(x), second).data.slice(size),
    );
  });

  it("names what does not fit", async () => {
    const refused = async (call: () => unknown, code: string, field: string) =>
      expectError(await caught(call), code, field);
    const before = x.data.slice();
    await refused(() => encoding.apply(randomTensor([1, 2, 6, dim + 2]), at), "shape-mismatch", "x");
    await refused(() => encoding.apply(randomTensor([6, dim]), at), "shape-mismatch", "x");
    await refused(() => encoding.apply(x, { positions: positions.map(() => [1, 2]) }), "shape-mismatch", "positions");
    await refused(() => encoding.apply(x, { ...at, inverse: true, transpose: true }), "invalid-argument", "transpose");
    await refused(() => encoding.applyBackward(x, randomTensor([2, 4, 5, dim]), at), "shape-mismatch", "gradOut");
    if (spec["heads"]) await refused(() => encoding.apply(randomTensor([1, 3, 6, dim]), at), "shape-mismatch", "x");
    if (axesOf(encoding) > 1) await refused(() => encoding.apply(x), "shape-mismatch", "positions");
    else await refused(() => encoding.apply(x, { grid: [2, 3] }), "shape-mismatch", "positions");
    expectSameBits(x.data, before);
  });
});

describe("grids", () => {
  const spec = { kind: "rope-mixed", dim, heads: 2 };
  const x = randomTensor([1, 2, 7, dim], 5);
  const tail = (data: Float32Array) => Array.from(data).filter((_, i) => i % (7 * dim) >= dim);

  it.each<[string, Spec]>([
    ["rope-mixed", spec],
    ["liere", { kind: "liere", dim, blockDim: 4 }],
  ])("%s leaves a class token as it is, the others stand row by row", (_, given) => {
    const encoding = create(given);
    const rotated = encoding.apply(copyOf(x), { grid: [2, 3], prefix: 1 });
    const positions = [
      [0, 0, 0, 0, 1, 1, 1],
      [0, 0, 1, 2, 0, 1, 2],
    ];
    expectSameBits(rotated.data, encoding.apply(copyOf(x), { positions }).data);
    expectSameBits(rotated.data.slice(0, dim), x.data.slice(0, dim));
    const options = { encoding, at: { grid: [2, 3], prefix: 1 } };
    const inside = pe.attention(x, x, x, options);
    expect(maxDifference(inside.data, pe.attention(rotated, rotated, x).data)).toBeLessThan(1e-6);
    expect(tail(rotated.data)).not.toEqual(tail(x.data));
  });

  it("rows of frequencies are for axes in another order, x first", () => {
    const [first, swapped] = [create(spec), create({ ...spec, axisOrder: [1, 0] })];
    const rows = randomTensor([1, 2, 4, dim], 6);
    const [y, column] = [
      [0, 1, 2, 3],
      [4, 0, 2, 1],
    ];
    expectSameBits(
      first.apply(copyOf(rows), { positions: [y!, column!] }).data,
      swapped.apply(copyOf(rows), { positions: [column!, y!] }).data,
    );
  });

  it("of a model's images span 0 to 1 in LieRE, larger ones more", () => {
    const [plain, scaled] = [{}, { modelGrid: [2, 4] }].map((more) =>
      create({ kind: "liere", dim, blockDim: 4, ...more }),
    );
    const rows = randomTensor([1, 1, 12, dim], 7);
    const positions = [
      range(12).map((n) => Math.floor(n / 4) * (3 / 2 / 2)),
      range(12).map((n) => (n % 4) * (4 / 4 / 3)),
    ];
    const wanted = plain!.apply(copyOf(rows), { positions }).data;
    expect(maxDifference(scaled!.apply(copyOf(rows), { grid: [3, 4] }).data, wanted)).toBeLessThan(1e-6);
    // A single place is where its axis begins.
    expectSameBits(
      scaled!.apply(copyOf(rows), { positions: [Array(12).fill(0), range(12)], grid: [1, 12] }).data,
      scaled!.apply(copyOf(rows), { grid: [1, 12] }).data,
    );
  });

  it("positions beyond what a kind knows exactly are refused", async () => {
    const far = create({ kind: "liere", dim, axes: 1, blockDim: 4 });
    expectError(await caught(() => far.apply(copyOf(x), { offset: 65531 })), "out-of-range", "positions");
    expect(far.apply(copyOf(x), { offset: 65530 }).data.every(Number.isFinite)).toBe(true);
  });
});

describe("cumulativePhases", () => {
  it("are exclusive sums of gates, of each head", () => {
    const gates = { data: Float32Array.from([0, 2, 1, -3, -40, 40]), dims: [1, 3, 2] };
    const sigmoid = (value: number) => 1 / (1 + Math.exp(-value / 2));
    const softplus = (value: number) => Math.log1p(Math.exp(value / 2));
    for (const [form, gate] of [["sigmoid", sigmoid] as const, ["softplus", softplus] as const]) {
      const wanted = [0, gate(0), gate(0) + gate(1), 0, gate(2), gate(2) + gate(-3)];
      expect(maxDifference(pe.cumulativePhases(gates, { form, scale: 2 }), wanted)).toBeLessThan(1e-14);
    }
  });
  it("names what does not fit", async () => {
    const refused = async (call: () => unknown, field: string, code = "invalid-argument") =>
      expectError(await caught(call), code, field);
    await refused(() => pe.cumulativePhases(randomTensor([3, 2])), "gates", "shape-mismatch");
    await refused(() => pe.cumulativePhases(randomTensor([1, 3, 2]), { scale: 0 }), "scale");
    const nothing = { data: Float32Array.from([NaN]), dims: [1, 1, 1] };
    await refused(() => pe.cumulativePhases(nothing), "gates");
  });
});
