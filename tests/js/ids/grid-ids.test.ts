// Position ids of patches: grids, padded images. The expected ids are written out or golden.
import { describe, expect, it } from "vitest";
import { goldenCase } from "../helpers/fixtures";
import { loosely, pe } from "../helpers/library";
import { refusedAt } from "../helpers/refusals";

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
    [{ data: [1, 1, 1], dims: [2, 2] }, /need 4 values/],
    [{ data: [1, 1, 1], dims: [3] }, /dims/],
    [[1, 1], /dims/],
    [null, /dims/],
  ])("refuses %j", (mask, message) => {
    expect(() => pe.pixelPositions(loosely(mask))).toThrow(refusedAt("pixelMask"));
    expect(() => pe.pixelPositions(loosely(mask))).toThrow(message);
  });
});
