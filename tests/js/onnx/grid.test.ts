// Tables of image patches that are no square: what grid they lie in, nobody knows.
import { describe, expect, it } from "vitest";
import { openModel } from "../helpers/onnx-models";
import { floats, modelOf, node } from "../helpers/onnx-proto";
import { pe } from "../helpers/library";

const added = (rows: number) =>
  modelOf({
    inputs: ["x"],
    nodes: [node("Add", "x table", "y")],
    constants: [floats("table", [1, rows, 8], Array(rows * 8).fill(0.5))],
  });

describe("a grid for a table of", () => {
  it("patches behind a class token", async () => {
    const model = await openModel(added(17));
    const changed = await openModel(await (await model.rewrite(pe, { grid: [3, 5] })).bytes());
    expect(changed.positions[0]!.rows).toBe(16);
  });
  it("more patches than a file can hold is refused before any memory is taken", async () => {
    const model = await openModel(added(17));
    await expect(model.rewrite(pe, { grid: [999_999, 999_999] })).rejects.toThrow(
      /^grid: must make at most 67108864 rows of 8 values, got 999998000001$/,
    );
  });
  it("12 × 101 patches behind two tokens is refused", async () => {
    const model = await openModel(added(1214));
    await expect(model.rewrite(pe, { grid: [6, 101] })).rejects.toThrow(/^grid: the 1214 rows .* not a square/);
  });
});
