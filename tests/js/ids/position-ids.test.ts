// Position ids: padded, packed, cached; patches of images and videos. The expected ids are written out or golden.
import { describe, expect, it } from "vitest";
import { goldenCase } from "../helpers/fixtures";
import { createRotary, loosely, pe } from "../helpers/library";
import { copyOf, expectSameBits, randomTensor } from "../helpers/numbers";

const refusedAt = (field: string, code = "invalid-argument") =>
  expect.objectContaining({ name: "PosencError", code, field });

describe("padding", () => {
  const left = [0, 0, 1, 1, 1];
  const right = [1, 1, 1, 0, 0];
  const holes = [0, 1, 0, 1, 0];
  it.each([
    ["a number", left, 7, [7, 7, 0, 1, 2]],
    ["a number", right, 7, [0, 1, 2, 7, 7]],
    ["repeat", left, "repeat", [0, 0, 0, 1, 2]],
    ["repeat", right, "repeat", [0, 1, 2, 2, 2]],
    ["repeat", holes, "repeat", [0, 0, 0, 1, 1]],
    ["continue", left, "continue", [0, 0, 0, 1, 2]],
    ["continue", right, "continue", [0, 1, 2, 3, 4]],
    ["continue", holes, "continue", [0, 0, 1, 2, 3]],
  ] as const)("%s: %j, %j", (_, mask, padding, expected) => {
    expect([...pe.positionIds(mask, { padding }).data]).toEqual(expected);
  });
  it("refuses anything else", () => {
    expect(() => pe.positionIds(left, { padding: loosely("left") })).toThrow(refusedAt("padding"));
    expect(() => pe.positionIds(left, { padding: 0.5 })).toThrow(refusedAt("padding"));
  });
});

describe("packed sequences", () => {
  it("numbers in the mask name the segments", () => {
    expect([...pe.positionIds([1, 1, 2, 2, 2], { packed: true }).data]).toEqual([0, 1, 0, 1, 2]);
    expect([...pe.positionIds([1, 1, 2, 2, 2]).data]).toEqual([0, 1, 2, 3, 4]);
    expect([...pe.positionIds([3, 3, 0, 3, 1, 0, 2, 2], { packed: true, padding: -1 }).data]).toEqual([
      0, 1, -1, 2, 0, -1, 0, 1,
    ]);
  });
  it("rows do not know each other, and the cache covers columns", () => {
    const mask = [
      [1, 1, 2, 2],
      [2, 2, 2, 0],
    ];
    const result = pe.positionIds(mask, { packed: true, pastLength: 1 });
    expect(result.dims).toEqual([2, 3]);
    expect([...result.data]).toEqual([1, 0, 1, 1, 2, 0]);
  });
  it("cumulative lengths", () => {
    expect(pe.positionIds({ cuSeqlens: [0, 3, 7] })).toEqual({
      type: "int32",
      data: Int32Array.of(0, 1, 2, 0, 1, 2, 3),
      dims: [7],
    });
    expect([...pe.positionIds({ cuSeqlens: Int32Array.of(0, 0, 2, 2) }).data]).toEqual([0, 1]);
    const long = pe.positionIds({ cuSeqlens: BigInt64Array.of(0n, 1n, 3n) }, { type: "int64" });
    expect(long).toEqual({ type: "int64", data: BigInt64Array.of(0n, 0n, 1n), dims: [3] });
  });
  it("each with its own cache", () => {
    const tokens = { cuSeqlens: [0, 2, 3] };
    expect([...pe.positionIds(tokens, { pastLength: 10 }).data]).toEqual([10, 11, 10]);
    expect([...pe.positionIds(tokens, { pastLength: [5, 0] }).data]).toEqual([5, 6, 0]);
  });
  it.each([
    ["cuSeqlens", { cuSeqlens: [1, 2] }, {}],
    ["cuSeqlens", { cuSeqlens: [0, 3, 2] }, {}],
    ["cuSeqlens", { cuSeqlens: [0, 1.5] }, {}],
    ["cuSeqlens", { cuSeqlens: [] }, {}],
    ["cuSeqlens", { cuSeqlens: "0 3 7" }, {}],
    ["lengths", { cuSeqlens: [0, 2], lengths: [2] }, {}],
    ["pastLength", { cuSeqlens: [0, 2] }, { pastLength: [1, 2] }],
    ["pastLength", { cuSeqlens: [0, 2] }, { pastLength: -1 }],
    ["padding", { cuSeqlens: [0, 2] }, { padding: 1 }],
    ["packed", { cuSeqlens: [0, 2] }, { packed: true }],
    ["packed", [1, 1], { packed: 1 }],
    ["pastLength", [1, 1], { pastLength: [1] }],
  ])("refuses %s: %j %j", (field, tokens, options) => {
    expect(() => pe.positionIds(loosely(tokens), loosely(options))).toThrow(refusedAt(field));
  });
});

describe("gridPositionIds", () => {
  it("row by row, the last axis fastest", () => {
    const ids = pe.gridPositionIds([2, 3]);
    expect(ids).toMatchObject({ type: "int32", dims: [2, 6] });
    expect(ids.axes.map((axis) => [...axis])).toEqual([
      [0, 0, 0, 1, 1, 1],
      [0, 1, 2, 0, 1, 2],
    ]);
    expect(ids.axes[1]!.buffer).toBe(ids.data.buffer);
    expect([...pe.gridPositionIds([2, 1, 2], { offset: 5 }).data]).toEqual([5, 5, 6, 6, 5, 5, 5, 5, 5, 6, 5, 6]);
    expect(pe.gridPositionIds([0, 3]).dims).toEqual([2, 0]);
  });
  it("in merge blocks, frame by frame", () => {
    const { axes } = pe.gridPositionIds([2, 2, 4], { mergeSize: 2, type: "int64" });
    expect(axes.map((axis) => Array.from(axis, Number))).toEqual([
      [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1],
      [0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1],
      [0, 1, 0, 1, 2, 3, 2, 3, 0, 1, 0, 1, 2, 3, 2, 3],
    ]);
  });
  it("as Qwen2-VL's vision encoder", () => {
    const { params, targets } = goldenCase("rope/qwen2-vl-vision-2d");
    const pairs = loosely(params).grid_thw.flatMap((grid: number[]) => {
      const [, rows, columns] = pe.gridPositionIds(grid, { mergeSize: loosely(params).spatial_merge_size }).axes;
      return Array.from(rows!, (row, i) => [row, columns![i]]).flat();
    });
    expect(pairs).toEqual(Array.from(targets["position_ids_hw"]!.array.data, Number));
  });
  it("as Pixtral's", () => {
    const { params, targets } = goldenCase("rope/pixtral-2d-d64");
    const width = loosely(params).image_size / loosely(params).patch_size;
    const ids = loosely(params).grids_h_w.flatMap((grid: number[]) => {
      const [rows, columns] = pe.gridPositionIds(grid).axes;
      return Array.from(rows!, (row, i) => row * width + columns![i]!);
    });
    expect(ids).toEqual(Array.from(targets["position_ids"]!.array.data, Number));
    const { data, dims } = pe.gridPositionIds(loosely(params).grids_h_w, { columns: width });
    expect({ ids: [...data], dims }).toEqual({ ids, dims: [1, ids.length] });
  });
  it("several images, one after the other", () => {
    const { axes, dims } = pe.gridPositionIds([[1, 2, 2], Int32Array.of(2, 1, 2)], { offset: 1 });
    expect(dims).toEqual([3, 8]);
    expect(axes.map((axis) => [...axis])).toEqual([
      [1, 1, 1, 1, 1, 1, 2, 2],
      [1, 1, 2, 2, 1, 1, 1, 1],
      [1, 2, 1, 2, 1, 2, 1, 2],
    ]);
  });
  it.each([
    ["grid", "3x4", {}],
    ["grid", [], {}],
    ["grid", [2, -1], {}],
    ["grid", [1, 3, 4], { mergeSize: 2 }],
    ["grid", [4], { mergeSize: 2 }],
    ["mergeSize", [2, 2], { mergeSize: 0 }],
    ["offset", [2, 2], { offset: 0.5 }],
    ["type", [2, 2], { type: "int8" }],
    ["order", [2, 2], { order: "hw" }],
    [
      "grid[1]",
      [
        [2, 2],
        [1, 2, 2],
      ],
      {},
    ],
    [
      "grid[1]",
      [
        [2, 2],
        [1, -2],
      ],
      {},
    ],
    ["columns", [2, 3], { columns: 2 }],
    ["columns", [1, 2, 3], { columns: 4 }],
    ["columns", [2, 3], { columns: 0.5 }],
  ])("refuses %s: %j %j", (field, grid, options) => {
    expect(() => pe.gridPositionIds(loosely(grid), loosely(options))).toThrow(refusedAt(field));
  });
});

describe("pixelPositions", () => {
  const of = (rows: number[][]) => {
    const [image] = pe.pixelPositions({ data: rows.flat(), dims: [rows.length, rows[0]!.length] });
    return { rows: [...image!.positions[0]], columns: [...image!.positions[1]], grid: image!.grid };
  };
  it("counts the visible rows and columns; padding stays at the last, or before the first", () => {
    const padded = [
      [1, 1, 0],
      [1, 1, 0],
      [0, 0, 0],
    ];
    expect(of(padded)).toEqual({
      rows: [0, 0, -1, 1, 1, -1, 1, 1, -1],
      columns: [0, 1, 1, 0, 1, 1, -1, -1, -1],
      grid: [2, 2],
    });
    expect(of([[0, 0]])).toEqual({ rows: [-1, -1], columns: [-1, -1], grid: [0, 0] });
  });
  it("an image of the batch each; all visible is the grid itself", () => {
    const data = Uint8Array.of(1, 1, 1, 1, 1, 1, 1, 0, 1, 0, 0, 0);
    const images = pe.pixelPositions({ data, dims: [2, 3, 2] });
    expect(images.map(({ grid }) => grid)).toEqual([
      [3, 2],
      [2, 1],
    ]);
    expect(images[0]!.positions.map((axis) => [...axis])).toEqual(
      pe.gridPositionIds([3, 2]).axes.map((axis) => [...axis]),
    );
  });
  it.each([
    [{ data: [1, 1, 1, 0], dims: [2, 2] }, /rectangle/],
    [{ data: [1, 1, 1], dims: [2, 2] }, /take 4 numbers/],
    [{ data: [1, 1, 1], dims: [3] }, /dims/],
    [[1, 1], /dims/],
    [null, /dims/],
  ])("refuses %j", (mask, message) => {
    expect(() => pe.pixelPositions(loosely(mask))).toThrow(refusedAt("pixelMask"));
    expect(() => pe.pixelPositions(loosely(mask))).toThrow(message);
  });
});

describe("rememberedLength", () => {
  const dynamic = createRotary({ kind: "rope-dynamic", dim: 8, factor: 2, originalLength: 100 });
  it.each([
    [[50], 100],
    [[100], 100],
    [[400, 200], 400],
    [[400, 200, 100], 400],
    [[400, 200, 99], 100],
    [[400, 99, 150], 150],
    [Int32Array.of(300, 200), 300],
  ])("after calls of %j: %d", (calls, length) => expect(dynamic.rememberedLength(calls)).toBe(length));
  it("other kinds remember nothing", () =>
    expect(createRotary({ kind: "rope", dim: 8 }).rememberedLength([400, 200])).toBe(200));
  it.each([[[]], [[-1]], [["a"]], [null]])("refuses %j", (calls) =>
    expect(() => dynamic.rememberedLength(loosely(calls))).toThrow(refusedAt("lengths")),
  );
});

describe("mropePositionIds", () => {
  const rows = (segments: object[], options?: object) => {
    const { positions, delta, next } = pe.mropePositionIds(loosely(segments), loosely(options));
    return { ids: positions.axes.map((axis) => Array.from(axis, Number)), delta, next };
  };

  it("text alone counts on all axes", () => {
    expect(rows([{ text: 3 }])).toEqual({ ids: Array(3).fill([0, 1, 2]), delta: 0, next: 3 });
    expect(rows([])).toEqual({ ids: [[], [], []], delta: 0, next: 0 });
  });

  // The example of the Qwen2-VL code's own documentation: a video of 3 frames, 2 x 2 after merging, then 5 tokens.
  it("a video, then text", () => {
    const segments = [{ video: [3, 4, 4] }, { text: 5 }];
    expect(rows(segments, { mergeSize: 2, after: "maximum" })).toEqual({
      ids: [
        [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 4, 5, 6, 7],
        [0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 3, 4, 5, 6, 7],
        [0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 3, 4, 5, 6, 7],
      ],
      delta: 8 - 17,
      next: 8,
    });
    const spatial = rows(segments, { mergeSize: 2 });
    expect(spatial.ids.map((axis) => axis.slice(12))).toEqual(Array(3).fill([2, 3, 4, 5, 6]));
    expect(spatial).toMatchObject({ delta: 7 - 17, next: 7 });
  });

  it("text, an image, text: both rules agree", () => {
    const segments = [{ text: 2 }, { image: [1, 2, 3] }, { text: 2 }];
    const expected = {
      ids: [
        [0, 1, 2, 2, 2, 2, 2, 2, 5, 6],
        [0, 1, 2, 2, 2, 3, 3, 3, 5, 6],
        [0, 1, 2, 3, 4, 2, 3, 4, 5, 6],
      ],
      delta: -3,
      next: 7,
    };
    expect(rows(segments)).toEqual(expected);
    expect(rows(segments, { after: "maximum" })).toEqual(expected);
  });

  it("decoding goes on at tokens + delta, also when vision is last", () => {
    expect(rows([{ text: 1 }, { video: [5, 2, 2] }])).toMatchObject({ delta: 6 - 21, next: 3 });
    expect(rows([{ text: 1 }, { video: [5, 2, 2] }], { after: "maximum" })).toMatchObject({ delta: 6 - 21, next: 6 });
  });

  it("frames as far apart as the interval says", () => {
    expect(rows([{ video: [3, 1, 1], interval: 25 }]).ids[0]).toEqual([0, 25, 50]);
    expect(rows([{ video: [4, 1, 1], interval: 0.5 }]).ids[0]).toEqual([0, 0, 1, 1]);
  });

  it("padding moves nothing, an offset everything", () => {
    expect(rows([{ padding: 2 }, { text: 2 }], { padding: 1 }).ids[0]).toEqual([1, 1, 0, 1]);
    expect(rows([{ padding: 2 }, { text: 2 }])).toMatchObject({ delta: 2 - 4, next: 2 });
    expect(rows([{ text: 1 }, { image: [1, 1, 2] }], { offset: 10 }).ids[2]).toEqual([10, 11, 12]);
  });

  it("int64, [3, T]", () => {
    const { positions } = pe.mropePositionIds([{ text: 2 }], { type: "int64" });
    expect(positions).toMatchObject({ type: "int64", dims: [3, 2], data: BigInt64Array.of(0n, 1n, 0n, 1n, 0n, 1n) });
    expect(positions.axes[0]).toEqual(BigInt64Array.of(0n, 1n));
  });

  it("each axis feeds a rotation", () => {
    const rope = createRotary({ kind: "rope", dim: 8 });
    const q = randomTensor([1, 1, 5, 8], 3);
    const { positions } = pe.mropePositionIds([{ text: 1 }, { image: [1, 2, 2] }]);
    expectSameBits(
      rope.apply(copyOf(q), { positions: positions.axes[1]! }).data,
      rope.apply(copyOf(q), { positions: [0, 1, 1, 2, 2] }).data,
    );
  });

  it.each([
    ["segments", { text: 3 }, {}],
    ["segments[0]", [{}], {}],
    ["segments[0]", [{ text: 1, image: [1, 1, 1] }], {}],
    ["sound", [{ sound: 3 }], {}],
    ["segments[1].text", [{ text: 1 }, { text: -1 }], {}],
    ["segments[0].image", [{ image: [2, 2] }], {}],
    ["segments[0].image", [{ image: [1, 3, 4] }], { mergeSize: 2 }],
    ["segments[0].video", [{ video: 4 }], {}],
    ["interval", [{ video: [1, 1, 1], interval: -1 }], {}],
    ["interval", [{ image: [1, 1, 1], interval: 2 }], {}],
    ["segments", [{ video: [3, 1, 1], interval: 2e9 }], {}],
    ["after", [{ text: 1 }], { after: "max" }],
    ["mergeSize", [{ text: 1 }], { mergeSize: "2" }],
  ])("refuses %s: %j %j", (field, segments, options) => {
    expect(() => pe.mropePositionIds(loosely(segments), loosely(options))).toThrow(refusedAt(field));
  });
});

describe("more ids than any memory holds, or than int32 does", () => {
  const noMemory = expect.objectContaining({ name: "PosencError", code: "out-of-memory" });
  it.each([
    ["a grid", () => pe.gridPositionIds([65536, 65536])],
    ["a grid of int64", () => pe.gridPositionIds([65536, 65536], { type: "int64" })],
    ["text", () => pe.mropePositionIds([{ text: 1e9 }])],
    ["text in many pieces", () => pe.mropePositionIds(Array.from({ length: 100 }, () => ({ text: 1e7 })))],
    ["padding", () => pe.mropePositionIds([{ padding: 2147483647 }])],
    ["a video", () => pe.mropePositionIds([{ video: [1e6, 1e3, 1e3] }])],
    ["lengths", () => pe.positionIds({ cuSeqlens: [0, 2147483647] })],
  ])("%s", (_, call) => {
    expect(call).toThrow(noMemory);
  });

  it.each([
    ["offset", () => pe.gridPositionIds([1, 2], { offset: 2147483647 })],
    ["pastLength", () => pe.positionIds({ cuSeqlens: [0, 2] }, { pastLength: 2147483647 })],
    ["padding", () => pe.positionIds([0, 1], { padding: 2147483648 })],
    ["padding", () => pe.mropePositionIds([{ padding: 1 }], { padding: -2147483649 })],
    ["segments", () => pe.mropePositionIds([{ text: 2 }], { offset: 2147483647 })],
  ])("%s", (field, call) => {
    expect(call).toThrow(refusedAt(field));
  });

  it("the last that fit", () => {
    expect([...pe.gridPositionIds([1, 1], { offset: 2147483647 }).data]).toEqual([2147483647, 2147483647]);
    expect([...pe.positionIds({ cuSeqlens: [0, 1] }, { pastLength: 2147483647 }).data]).toEqual([2147483647]);
    expect([...pe.positionIds([0, 1], { padding: -2147483648 }).data]).toEqual([-2147483648, 0]);
  });
});
