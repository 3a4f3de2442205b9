// Gradients outside attention: learned tables, Fourier features, rotations, resized tables; their lifetime and errors.
import { init, type ResizeTableOptions } from "posenc";
import { describe, expect, it } from "vitest";
import { expectGradients, random64 } from "../helpers/gradients";
import type { Inputs } from "../helpers/gradients";
import {
  createAny,
  createBias,
  createRotary,
  createTable,
  descriptions,
  exampleSpec,
  loosely,
  pe,
} from "../helpers/library";
import { dot, expectSameBits, expectSameObject, maxDifference, randomTensor, range, sizeOf } from "../helpers/numbers";
import { describeRefusals, refusal } from "../helpers/refusals";
import type { Refusal } from "../helpers/refusals";

const learned = (fields: object = {}) => createTable({ kind: "learned", length: 6, dim: 3, ...fields });

describe("a learned table", () => {
  it("sums the gradients of rows that are read several times, over batch rows and calls", () => {
    const emb = learned();
    const g = randomTensor([2, 4, 3], 1);
    const positions = [5, 1, 1, 0];
    expectSameObject(emb.backward(g, { positions }), g);
    const expected = new Float64Array(18);
    for (let b = 0; b < 2; b++)
      positions.forEach((p, t) => range(3).forEach((d) => (expected[3 * p + d]! += g.data[(b * 4 + t) * 3 + d]!)));
    expect(maxDifference(emb.gradient.data, expected)).toBeLessThan(1e-6);
    expect(emb.gradient.dims).toEqual([6, 3]);
    expectSameObject(emb.gradient, emb.gradients["weights"]);
    emb.backward(g, { positions });
    expect(
      maxDifference(
        emb.gradient.data,
        expected.map((x) => 2 * x),
      ),
    ).toBeLessThan(2e-6);
    expectSameObject(emb.zeroGradients(), emb);
    expect(emb.gradient.data.every((x) => x === 0)).toBe(true);
  });

  it("goes by the positions that addTo takes: runs, offsets, one list for each batch row", () => {
    const g = randomTensor([2, 2, 3], 2);
    const at = (options: object) => {
      const emb = learned();
      emb.backward(g, options);
      return emb.gradient.data.slice();
    };
    expectSameBits(at({ offset: 2 }), at({ positions: [2, 3] }));
    expectSameBits(at({ positions: [2, 3, 4, 5] }).subarray(6), g.data);
    expectSameBits(at({}), at({ length: 2 }));
    const emb = learned();
    emb.backward({ data: g.data.slice(0, 3), dims: [1, 3] }, { offset: 5 });
    expectSameBits(emb.gradient.data.slice(15), g.data.slice(0, 3));
  });

  it("leaves padding alone, and can go by how often a row is read", () => {
    const emb = learned();
    const g = randomTensor([4, 3], 3);
    emb.backward(g, { positions: [2, 0, 2, 2], paddingIndex: 0, scaleByFrequency: true });
    const mean = range(3).map((d) => (g.data[d]! + g.data[6 + d]! + g.data[9 + d]!) / 3);
    expect(maxDifference(emb.gradient.data, [...Array(6).fill(0), ...mean, ...Array(9).fill(0)])).toBeLessThan(1e-7);
  });

  it("drops out what addTo dropped out", () => {
    const emb = learned({ std: 0 });
    const dropout = { dropout: 0.4, seed: 9 };
    const ones = () => ({ data: new Float32Array(36).fill(1), dims: [2, 6, 3] });
    const mask = emb.addTo(ones(), dropout);
    const g = randomTensor([2, 6, 3], 4);
    const before = g.data.slice();
    const slopes = emb.backward(g, dropout);
    expectSameBits(g.data, before, "gradOfX");
    expect(
      maxDifference(
        slopes.data,
        g.data.map((x, i) => x * mask.data[i]!),
      ),
    ).toBeLessThan(1e-7);
    const sums = slopes.data.slice(0, 18).map((x, i) => x + slopes.data[18 + i]!);
    expect(maxDifference(emb.gradient.data, sums)).toBeLessThan(1e-7);
    expectSameObject(emb.backward(g, { ...dropout, training: false }), g);
  });
});

describe("Fourier features", () => {
  const specs = [
    { kind: "fourier", dim: 8 },
    { kind: "fourier", dim: 10, inputs: 2, includeInput: true, pairing: "interleaved", axisOrder: "xy" },
    { kind: "fourier", dim: 12, inputs: 3, form: "geometric", pairing: "banded", order: "cos-sin", scale: 0.3 },
    { kind: "fourier", dim: 8, inputs: 2, form: "linear", coordinates: "endpoints" },
  ];
  it.each(specs)("%j: frequencies", (spec) => {
    const table = createTable(spec);
    const { form = "gaussian", inputs = 1, scale = 1 } = loosely(spec);
    const frequencies = random64([...table.parameters["frequencies"]!.dims], 5);
    table.load([...frequencies.data]);
    const axes = range(inputs).map((axis) => [0.3, 1.5, 2].map((x) => x + 0.4 * axis));
    const grid = inputs > 1 ? { grid: Array(inputs).fill(4) } : {};
    const at = { positions: inputs > 1 ? axes : axes[0]!, ...grid };
    const g = randomTensor([3, table.dim], 6);
    table.backward(g, at);
    // Which wave a feature is: found by its own difference, in the library's exact waves.
    const coordinates = axes.map((axis) =>
      axis.map((x) => (loosely(spec).coordinates === "endpoints" ? (2 * x) / 3 - 1 : x) * scale),
    );
    if (loosely(spec).axisOrder === "xy") coordinates.reverse();
    const rows = table.table(at).data;
    const first = frequencies.data.slice();
    const [, count] = frequencies.dims as [number, number];
    const forward = (x: Inputs) => {
      const out = Float64Array.from(rows);
      const f = x["frequencies"]!.data;
      for (let t = 0; t < 3; t++)
        for (let b = 0; b < (form === "gaussian" ? 1 : inputs); b++)
          for (let k = 0; k < count; k++) {
            const phase = (numbers: ArrayLike<number>) =>
              range(inputs)
                .filter((i) => form === "gaussian" || i === b)
                .reduce((sum, i) => sum + 2 * Math.PI * coordinates[i]![t]! * numbers[i * count + k]!, 0);
            for (const sinusoid of [Math.sin, Math.cos])
              for (let d = spec.includeInput ? inputs : 0; d < table.dim; d++)
                if (Math.abs(rows[t * table.dim + d]! - sinusoid(phase(first))) < 1e-6)
                  out[t * table.dim + d] = sinusoid(phase(f));
          }
      return out;
    };
    expect(maxDifference(forward({ frequencies }), rows)).toBeLessThan(2e-6);
    expectGradients(forward, { frequencies }, g.data, { frequencies: table.gradients["frequencies"] });
  });
});

describe("resized tables", () => {
  it.each([
    { from: [3, 4], grid: [5, 2], mode: "bicubic" },
    { from: [3, 4], grid: [5, 6], mode: "bilinear", alignCorners: true },
    { from: [5, 4], grid: [2, 3], mode: "bicubic", antialias: true },
    { from: [6], grid: [4], mode: "nearest" },
    { from: [2, 3, 2], grid: [3, 2, 4], mode: "linear", prefix: 1, suffix: 2 },
    { from: [9], length: 8, prefix: 1 },
  ])("%j: transpose is the gradient", (given) => {
    const options = given as ResizeTableOptions;
    const rows = sizeOf(options.from!) + (options.prefix ?? 0) + (options.suffix ?? 0);
    const table = randomTensor([rows, 5], 7);
    const g = randomTensor([...pe.resizeTable(table, options).dims], 8);
    const slopes = pe.resizeTable(g, { ...options, transpose: true });
    // <R x, g> = <x, transposed R g>
    for (let seed = 10; seed < 20; seed++) {
      const x = randomTensor(table.dims, seed);
      expect(dot(pe.resizeTable(x, options).data, g.data)).toBeCloseTo(dot(x.data, slopes.data), 5);
    }
    expect(slopes.dims).toEqual(table.dims);
  });
});

describe("gradients of any kind", () => {
  const trainable = descriptions.filter(({ parameters }) => parameters.length > 0);
  it.each(trainable.map((description) => [description.kind, description] as const))("%s", (_, description) => {
    const encoding = loosely(createAny(exampleSpec(description)));
    expect(Object.keys(encoding.gradients)).toEqual(Object.keys(encoding.parameters));
    const before = Object.values(encoding.parameters).map((x) => loosely(x).data.slice());
    for (const [name, gradient] of Object.entries(encoding.gradients)) {
      const { dims, data } = loosely(gradient);
      expect(dims).toEqual(encoding.parameters[name].dims);
      expect(data.every((x: number) => x === 0)).toBe(true);
      data.fill(1);
    }
    encoding.step({ optimizer: "sgd", learningRate: 0.25 });
    Object.values(encoding.parameters).forEach((x, i) =>
      expectSameBits(
        loosely(x).data,
        before[i].map((value: number) => value - 0.25),
      ),
    );
    encoding.dispose();
    expect(refusal(() => encoding.gradients)).toMatchObject({ code: "disposed" });
    expect(refusal(() => encoding.step({ optimizer: "sgd", learningRate: 1 }))).toMatchObject({ code: "disposed" });
  });

  it("live and end with the encoding", async () => {
    const fresh = await init({ variant: "scalar" });
    const memory = () => loosely(fresh).core.module.HEAPU8.length;
    const train = () => {
      const emb = fresh.create({ kind: "learned", length: 1000, dim: 1000 });
      emb.gradient.data[0] = 1;
      emb.step({ optimizer: "adam", learningRate: 0.1 });
      emb.dispose();
    };
    train();
    const grown = memory();
    for (let i = 0; i < 20; i++) train();
    expect(memory()).toBe(grown);
  });

  it("that find no memory are an error, and nothing else has changed", async () => {
    const fresh = await init({ variant: "scalar" });
    const { core } = loosely(fresh);
    const emb = fresh.create({ kind: "learned", length: 2 ** 16, dim: 1000, std: 0 });
    const taken = [1000, 1000, 1000, 400].map((megabytes) => core.allocate(megabytes * 2 ** 20));
    expect(refusal(() => emb.gradient)).toMatchObject({ code: "out-of-memory", field: "gradients" });
    const x = { data: new Float32Array(1000).fill(1), dims: [1, 1000] };
    expect(refusal(() => emb.backward(x))).toMatchObject({ code: "out-of-memory" });
    expect(emb.table({ length: 1 }).data[0]).toBe(0);
    taken.forEach((address) => core.module.release(address));
  });
});

const emb = learned();
const alibi = createBias({ kind: "alibi", heads: 2 });
const weighted = createBias({ kind: "kerple", heads: 2, form: "weighted" });
const rope = createRotary({ kind: "rope", dim: 4, frequencies: [1, 2] });
const x = randomTensor([1, 1, 2, 4], 1);

describeRefusals("backward calls that make no sense", [
  ["rows of another width", "shape-mismatch", "gradOfX", () => emb.backward(randomTensor([2, 4]))],
  ["no tensor", "invalid-argument", "gradOfX", () => emb.backward(loosely(3))],
  ["positions without a row", "out-of-range", "positions", () => emb.backward(randomTensor([2, 3]), { offset: 5 })],
  ["an unknown option", "invalid-argument", "padding", () => emb.backward(x, loosely({ padding: 0 }))],
  [
    "padding that is no number",
    "invalid-argument",
    "paddingIndex",
    () => emb.backward(randomTensor([2, 3]), { paddingIndex: loosely("0") }),
  ],
  [
    "a table without numbers to learn",
    "unsupported",
    "backward",
    () => createTable({ kind: "sinusoidal", dim: 4 }).backward(randomTensor([2, 4])),
  ],
  [
    "waves by frequency of reading",
    "unsupported",
    "scaleByFrequency",
    () => createTable({ kind: "fourier", dim: 4 }).backward(randomTensor([2, 4]), { scaleByFrequency: true }),
  ],
  ["the gradient of sinusoids", "unsupported", "gradient", () => createTable({ kind: "sinusoidal", dim: 4 }).gradient],
  ["a bias of other heads", "shape-mismatch", "gradOut", () => alibi.backward(randomTensor([3, 2, 2]))],
  ["a bias of two dims", "shape-mismatch", "gradOut", () => alibi.backward(randomTensor([2, 2]))],
  ["weighed scores that are not given", "invalid-argument", "scores", () => weighted.backward(randomTensor([2, 2, 2]))],
  [
    "weighed scores of other dims",
    "shape-mismatch",
    "scores",
    () => weighted.backward(randomTensor([2, 2, 2]), { scores: randomTensor([2, 2, 3]) }),
  ],
  [
    "a rotation's gradient of other dims",
    "shape-mismatch",
    "gradOut",
    () => rope.backward(x, randomTensor([1, 1, 2, 2])),
  ],
  [
    "a rotation's input of other dims",
    "shape-mismatch",
    "x",
    () => rope.backward(randomTensor([1, 1, 2, 2]), randomTensor([1, 1, 2, 2])),
  ],
  [
    "logits' gradient of other dims",
    "shape-mismatch",
    "gradOut",
    () => pe.create({ kind: "shaw", dim: 4 }).backward(x, x, randomTensor([1, 1, 2, 3])),
  ],
  [
    "a resized gradient of nobody knows what",
    "invalid-argument",
    "from",
    () => pe.resizeTable(randomTensor([4, 2]), { grid: [2, 2], transpose: true }),
  ],
  [
    "a resized gradient of other dims",
    "shape-mismatch",
    "table",
    () => pe.resizeTable(randomTensor([5, 2]), { grid: [2, 2], from: [3, 3], transpose: true }),
  ],
] satisfies Refusal[]);
