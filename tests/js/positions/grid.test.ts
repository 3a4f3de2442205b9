// Places in images and videos: grids, padded images, class tokens.
import { describe, expect, it } from "vitest";
import { createTable, loosely } from "../helpers/library";
import { expectSameBits, maxDifference, randomTensor, row } from "../helpers/numbers";
import { describeRefusals } from "../helpers/refusals";
import type { Refusal } from "../helpers/refusals";

const image = createTable({ kind: "sinusoidal-2d", dim: 8 });

describe("grids", () => {
  it("are walked row by row", () => {
    expect(image.axes).toBe(2);
    const grid = image.table({ grid: [2, 3] });
    const rows = image.table({
      positions: [
        [0, 0, 0, 1, 1, 1],
        [0, 1, 2, 0, 1, 2],
      ],
    });
    expectSameBits(grid.data, rows.data);
    const line = createTable({ kind: "sinusoidal", dim: 4 }).table({ length: 3 });
    expectSameBits(row(grid, 5).subarray(0, 4), row(line, 1), "the row's half");
    expectSameBits(row(grid, 5).subarray(4), row(line, 2), "the column's half");
  });

  it("put class tokens first, as rows of zeros", () => {
    const plain = image.table({ grid: [2, 3] });
    const withTokens = image.table({ grid: [2, 3], prefix: 2 });
    expect(withTokens.dims).toEqual([8, 8]);
    expect(withTokens.data.subarray(0, 16).every((value) => value === 0)).toBe(true);
    expectSameBits(withTokens.data.subarray(16), plain.data);
    const x = randomTensor([3, 8, 8]);
    const before = x.data.slice();
    image.addTo(x, { grid: [2, 3], prefix: 2 });
    const expected = before.map((value, i) => Math.fround(value + withTokens.data[i % 64]!));
    expectSameBits(x.data, expected);
    expect(image.concatTo(x, { grid: [2, 3], prefix: 2 }).dims).toEqual([3, 8, 16]);
  });

  it("may be wide enough to pass in pieces", () => {
    const wide = createTable({ kind: "sinusoidal-2d", dim: 64, normalize: true, start: 1, scale: 2 * Math.PI });
    const at = { grid: [40, 50], prefix: 1 };
    const x = { data: new Float32Array(2001 * 64), dims: [2001, 64] };
    expectSameBits(wide.addTo(x, at).data, wide.table(at).data);
  });
});

describe("an image that is padded", () => {
  it("stands where it would without padding", () => {
    const detr = createTable({ kind: "sinusoidal-2d", dim: 8, start: 1, normalize: true, scale: 2 * Math.PI });
    const positions = [
      [0, 0, 1, 1],
      [0, 1, 0, 1],
    ];
    expectSameBits(detr.table({ positions, grid: [2, 2] }).data, detr.table({ grid: [2, 2] }).data);
    const last = row(detr.table({ grid: [2, 2] }), 3);
    expect(
      maxDifference(
        last,
        [0, 1, 0, 1, 0, 1, 0, 1].map((value, i) => (i % 4 < 2 ? value : i % 2 ? 0.998 : 0.0628)),
      ),
    ).toBeLessThan(1e-3);
  });
});

describeRefusals("places that do not fit", [
  ["a run for an image", "shape-mismatch", "positions", () => image.table({ length: 4 })],
  ["three axes for an image", "shape-mismatch", "positions", () => image.table({ grid: [2, 2, 2] })],
  [
    "a grid of another size",
    "shape-mismatch",
    "grid",
    (watch) => image.addTo(watch(randomTensor([5, 8])), { grid: [2, 3] }),
  ],
  [
    "class tokens without a grid",
    "invalid-argument",
    "prefix",
    () => image.table({ positions: [[0], [0]], prefix: 1 }),
  ],
  [
    "class tokens of a text",
    "invalid-argument",
    "prefix",
    () => createTable({ kind: "sinusoidal", dim: 8 }).table({ length: 3, prefix: 1 }),
  ],
  ["half a class token", "invalid-argument", "prefix", () => image.table({ grid: [2, 2], prefix: 0.5 })],
  ["tokens that are text", "invalid-argument", "prefix", () => image.table({ grid: [2, 2], prefix: loosely("1") })],
  ["a shift", "unsupported", "shift", () => image.shift(1)],
] satisfies Refusal[]);
