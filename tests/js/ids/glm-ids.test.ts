// ChatGLM-6B's two position ids. The expected ids are written out.
import { describe, expect, it } from "vitest";
import { createRotary, loosely, pe } from "../helpers/library";
import { copyOf, expectSameBits, maxDifference, randomTensor } from "../helpers/numbers";
import { refusedAt } from "../helpers/refusals";

const bosTokenId = 9;
const prompt = [5, 6, 7, 1, 9, 3, 3];

describe("glmPositionIds", () => {
  const axes = (tokens: unknown, options: object) =>
    pe
      .glmPositionIds(loosely(tokens), loosely({ bosTokenId, ...options }))
      .axes.map((axis) => Array.from(axis, Number));

  it("[MASK]: what is written stays where the mask is, and counts on the other axis", () => {
    expect(axes(prompt, { maskPosition: 2 })).toEqual([
      [0, 1, 2, 3, 2, 2, 2],
      [0, 0, 0, 0, 1, 2, 3],
    ]);
  });
  it("[gMASK]: it goes on counting on both", () => {
    expect(axes(prompt, { maskPosition: 3, gmask: true })).toEqual([
      [0, 1, 2, 3, 4, 5, 6],
      [0, 0, 0, 0, 1, 2, 3],
    ]);
  });
  it("each row has its own prompt", () => {
    const tokens = [
      [1, 9, 2],
      [9, 9, 2],
    ];
    const ids = pe.glmPositionIds(tokens, { bosTokenId, maskPosition: [0, 2], type: "int64" });
    expect(ids.dims).toEqual([2, 2, 3]);
    expect(ids.axes.map((axis) => Array.from(axis, Number))).toEqual([
      [0, 0, 0, 2, 2, 2],
      [0, 1, 2, 1, 2, 3],
    ]);
    expect(ids.data).toBeInstanceOf(BigInt64Array);
    expect(pe.glmPositionIds(prompt, { bosTokenId, maskPosition: 2 }).dims).toEqual([2, 7]);
  });
  it("are what the rotation takes", () => {
    const encoding = createRotary({ kind: "rope-axial", dim: 16, separateAxes: true, float16Frequencies: true });
    const x = randomTensor([1, 2, 7, 16], 3);
    const positions = pe.glmPositionIds(prompt, { bosTokenId, maskPosition: 2 }).axes;
    const wanted = [
      [0, 1, 2, 3, 2, 2, 2],
      [0, 0, 0, 0, 1, 2, 3],
    ];
    expectSameBits(
      encoding.apply(copyOf(x), { positions }).data,
      encoding.apply(copyOf(x), { positions: wanted }).data,
      "axes",
    );
  });
  it.each([
    ["tokens", [[1, 2]], { maskPosition: 0 }],
    ["tokens", "text", { maskPosition: 0 }],
    ["maskPosition", prompt, { maskPosition: 7 }],
    ["maskPosition", prompt, { maskPosition: -1 }],
    ["maskPosition", prompt, { maskPosition: [1, 2] }],
    ["maskPosition", prompt, {}],
    ["bosTokenId", prompt, { maskPosition: 1, bosTokenId: 0.5 }],
    ["gmask", prompt, { maskPosition: 1, gmask: 1 }],
  ])("refuses a wrong %s", (field, tokens, options) => {
    expect(() => axes(tokens, options)).toThrow(refusedAt(field));
  });
});

it("ChatGLM-6B's frequencies are numbers of 16 bits", () => {
  const spec = { kind: "rope-axial", dim: 16, separateAxes: true, float16Frequencies: true };
  const own = [1, 0.0999755859375, 0.01000213623046875, 0.0010004043579101562];
  expect([...createRotary(spec).inverseFrequencies]).toEqual([...own, ...own]);
  expect([...createRotary({ ...spec, float16Frequencies: false, float16Angles: true }).inverseFrequencies]).toEqual([
    ...own,
    ...own,
  ]);
});

describe("ChatGLM-6B in half precision", () => {
  const spec = { kind: "rope-axial", dim: 8, separateAxes: true, float16Angles: true };
  // 2051 is no float16: ties go to 2052. Angles of the second pair, 0.01000213623046875 p, are rounded, too.
  const positions = [
    [1, 2049, 2051, 4098],
    [0, 1, 2, 700],
  ];
  const angles = [
    [1, 0.01000213623046875, 0, 0],
    [2048, 20.484375, 1, 0.01000213623046875],
    [2052, 20.53125, 2, 0.0200042724609375],
    [4096, 40.96875, 700, 7],
  ];
  it("rounds positions, angles, cosines and sines to float16", () => {
    const encoding = createRotary(spec);
    const { cos, sin } = encoding.tables({ positions });
    const halves = (list: number[]) =>
      pe.toFloat32(pe.toFloat16({ data: Float32Array.from(list), dims: [list.length] })).data;
    expectSameBits(cos.data, halves(angles.flat().map(Math.cos)), "cos");
    expectSameBits(sin.data, halves(angles.flat().map(Math.sin)), "sin");
    expect([...encoding.angles({ positions })]).toEqual(angles.flat());
  });
  it("is undone by the inverse, and rotated again from one position to another", () => {
    const encoding = createRotary(spec);
    const x = randomTensor([1, 2, 4, 8], 5);
    const rotated = encoding.apply(copyOf(x), { positions });
    expect(maxDifference(encoding.apply(copyOf(rotated), { positions, inverse: true }).data, x.data)).toBeLessThan(
      1e-6,
    );
    const other = [[3, 9, 1000, 3001], positions[1]!];
    const again = encoding.rerotate(copyOf(rotated), { from: positions, to: other });
    expect(maxDifference(again.data, encoding.apply(copyOf(x), { positions: other }).data)).toBeLessThan(1e-6);
  });
  it("keeps its rotated keys in a cache's snapshot", () => {
    const encoding = createRotary(spec);
    const [q, k, v] = [1, 4, 4].map((count, i) => randomTensor([1, 2, count, 8], i)) as [any, any, any];
    using cache = pe.cache({ heads: 2, dim: 8, capacity: 8 });
    cache.append(k, v, { positions });
    const wanted = cache.attend(q, { encoding });
    using other = pe.cache({ heads: 2, dim: 8, capacity: 8 });
    other.restore(cache.snapshot());
    expectSameBits(other.attend(q, { encoding }).data, wanted.data, "restored");
  });
  it("refuses positions that float16 does not have", () => {
    expect(() => createRotary(spec).tables({ positions: [[65505], [0]] })).toThrow(
      expect.objectContaining({ code: "out-of-range", field: "positions" }),
    );
    expect(createRotary(spec).tables({ positions: [[65504], [0]] }).cos.dims).toEqual([1, 4]);
  });
});
