// Lists of numbers, wherever calls take them: what is no number is an error that names the argument, and long ones are fine.
import { describe, expect, it } from "vitest";
import { createRelative, createRotary, createTable, loosely, pe } from "../helpers/library";
import { caught, expectError } from "../helpers/refusals";

const library = loosely(pe);
const zeros = (...dims: number[]) => ({ data: new Float32Array(dims.reduce((a, b) => a * b, 1)), dims });
const rope = loosely(createRotary({ kind: "rope", dim: 4 }));
const axial = loosely(createRotary({ kind: "rope-axial", dim: 4 }));
const learned = loosely(createTable({ kind: "learned", length: 3, dim: 1 }));
const shaw = loosely(createRelative({ kind: "shaw", dim: 4, maxDistance: 4 }));
const heads = zeros(1, 1, 3, 4);
const attend = (options: object) => library.attention(heads, heads, heads, options);

/** A call with three numbers, of which the second is not one; whether booleans may stand there. */
const calls: Record<string, [(second: unknown) => unknown, flags?: boolean]> = {
  "positionIds, mask": [(second) => library.positionIds([1, second, 1]), true],
  "positionIds, rows": [(second) => library.positionIds([[1, second, 1]]), true],
  "positionIds, a tensor": [(second) => library.positionIds({ data: [1, second, 1], dims: [1, 3] }), true],
  "positionIds, cuSeqlens": [(second) => library.positionIds({ cuSeqlens: [0, second, 3] })],
  "positionIds, pastLength": [
    (second) => library.positionIds({ cuSeqlens: [0, 1, 2, 3] }, { pastLength: [0, second, 0] }),
  ],
  gridPositionIds: [(second) => library.gridPositionIds([2, second, 2])],
  "gridPositionIds, several": [
    (second) =>
      library.gridPositionIds([
        [2, 2, 2],
        [2, second, 2],
      ]),
  ],
  "mropePositionIds, image": [(second) => library.mropePositionIds([{ image: [1, second, 2] }])],
  "mropePositionIds, video": [(second) => library.mropePositionIds([{ video: [1, second, 2] }])],
  "glmPositionIds, tokens": [(second) => library.glmPositionIds([5, second, 7], { bosTokenId: 7, maskPosition: 0 })],
  "glmPositionIds, maskPosition": [
    (second) => library.glmPositionIds([[7], [7], [7]], { bosTokenId: 7, maskPosition: [0, second, 0] }),
  ],
  "pixelPositions, data": [(second) => library.pixelPositions({ data: [1, second, 1], dims: [1, 3] }), true],
  "pixelPositions, dims": [(second) => library.pixelPositions({ data: [1, 1, 1], dims: [1, second, 3] })],
  "positions of a rotation": [(second) => rope.apply(heads, { positions: [0, second, 2] })],
  "positions of several axes": [
    (second) =>
      axial.apply(heads, {
        positions: [
          [0, 1, 2],
          [0, second, 2],
        ],
      }),
  ],
  "positions of a table": [(second) => learned.table({ positions: [0, second, 2] })],
  rerotate: [(second) => rope.rerotate(heads, { from: [0, second, 2], to: 0 })],
  rememberedLength: [(second) => rope.rememberedLength([1, second, 3])],
  bucketOf: [(second) => shaw.bucketOf([1, second, 3])],
  mask: [(second) => attend({ mask: [1, second, 1] }), true],
  attentionMask: [(second) => attend({ attentionMask: [1, second, 1] }), true],
  segments: [(second) => attend({ segments: [1, second, 1] })],
  cuSeqlens: [(second) => attend({ cuSeqlens: [0, second, 3] })],
  "frequencies of a spec": [(second) => library.create({ kind: "rope", dim: 6, frequencies: [1, second, 1] })],
  "learned numbers": [(second) => learned.load([1, second, 3])],
  "learned numbers of a spec": [
    (second) => library.create({ kind: "learned", length: 3, dim: 1, weights: [1, second, 3] }),
  ],
  "grid of a resize": [(second) => library.resizeTable(zeros(8, 1), { from: [2, 2, 2], grid: [2, second, 2] })],
};
const wrong: unknown[] = ["1", "", null, undefined, NaN, {}, [2], () => 1, true];

describe.each(Object.entries(calls))("%s", (_, [call, flags]) => {
  it.each(wrong.filter((value) => !(flags && value === true)))("refuses %s", async (value) => {
    const error = await caught(() => call(value));
    expect(error).toBeDefined();
    expectError(error, (error as { code: string }).code, /./);
  });
});

it("any number of grids, and of segments, is fine", () => {
  const grids = Array.from({ length: 200_000 }, () => [1, 2]);
  expect(pe.gridPositionIds(grids).dims).toEqual([2, 400_000]);
  expect(pe.mropePositionIds(grids.map(([h, w]) => ({ image: [1, h!, w!] }))).positions.dims).toEqual([3, 400_000]);
  expect(pe.positionIds(grids).dims).toEqual([200_000, 2]);
});

it("a grid has 1 to 4 axes", () => {
  for (const grid of [[], Array.from({ length: 200_000 }, () => 1)])
    expect(() => pe.gridPositionIds(grid)).toThrow(/must be 1 to 4 sizes/);
});

it("a list of very many frequencies is explained", async () => {
  const wide = createRotary({ kind: "rope", dim: 65536 });
  expect((await pe.explain(wide)).summary).toContain("32,768 ");
});
