// Position ids of texts: padded, packed, cached; and how many ids there can be. The expected ids are written out.
import { describe, expect, it } from "vitest";
import { loosely, pe } from "../helpers/library";
import { refusedAt } from "../helpers/refusals";

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
