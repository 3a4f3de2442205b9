// ChatGLM-6B's two position ids. The expected ids are written out.
import { describe, expect, it } from "vitest";
import { createRotary, loosely, pe } from "../helpers/library";
import { copyOf, expectSameBits, randomTensor } from "../helpers/numbers";
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
});
