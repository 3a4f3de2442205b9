// Models whose image size is fixed in the graph, with another grid: they compute what the same model computes that was written
// for that image.
import { init } from "posenc";
import { openModel } from "posenc/onnx";
import { describe, expect, it } from "vitest";
import { float, int64, node, onnxModel } from "../../examples/transformers/models/onnx.js";
import { runtimes, tensorOf } from "./runtimes";

const pe = await init();
const [dim, heads, patch, side] = [8, 2, 3, 4];
const sines = (count: number, phase: number) => Array.from({ length: count }, (_, i) => Math.sin(i * i + phase));
const weights = (dims: number[], phase: number) => {
  const count = dims.reduce((all, one) => all * one, 1);
  return float(
    sines(count, phase).map((value) => value / 2),
    dims,
  );
};
const table = weights([1, 1 + side ** 2, dim], 5);
const resized = (grid: number[]) => {
  const old = { type: "float32" as const, data: Float32Array.from(table.data), dims: [1 + side ** 2, dim] };
  const { data, dims } = pe.resizeTable(old, { grid, prefix: 1, mode: "bicubic" });
  return { data: Float32Array.from(data as Float32Array), dims: [1, ...dims] };
};
const constant = (name: string, dims: number[]) => ({ [name]: int64(dims, [dims.length]) });

/** A small transformer for images that has the number of its patches everywhere. */
function vision([height, width]: number[], positions: { data: Float32Array; dims: number[] }) {
  const [patches, tokens] = [height! * width!, 1 + height! * width!];
  return onnxModel({
    inputs: { pixels: { type: "float32", dims: [1, 3, height! * patch, width! * patch] } },
    constants: {
      ...{ kernel: weights([dim, 3, patch, patch], 1), token: weights([1, 1, dim], 2), positions },
      ...{ project: weights([dim, 3 * dim], 3), back: weights([dim, 3 * patch * patch], 4) },
      ...constant("rows", [1, dim, patches]),
      ...constant("split", [1, tokens, 3, heads, dim / heads]),
      ...constant("joined", [1, tokens, dim]),
      ...constant("zero", [0]),
      ...constant("one", [1]),
      ...constant("end", [tokens]),
      ...constant("sizes", [1, patches]),
      ...constant("map", [1, height!, width!, 3, patch, patch]),
      ...constant("pixel_shape", [1, 3, height! * patch, width! * patch]),
      ...constant("double", [1, 3, 2 * height! * patch, 2 * width! * patch]),
      ...{ first: int64([0], []), second: int64([1], []), third: int64([2], []) },
    },
    outputs: {
      image: [1, 3, 2 * height! * patch, 2 * width! * patch],
      mean: [1, 1, dim],
      rest: [1, patches, dim],
    },
    nodes: [
      node("Conv", "pixels kernel", "patches", { strides: [patch, patch] }),
      node("Reshape", "patches rows", "flat"),
      node("Transpose", "flat", "turned", { perm: [0, 2, 1] }),
      node("Concat", "token turned", "tokens", { axis: 1 }),
      node("Add", "tokens positions", "x"),
      node("MatMul", "x project", "qkv"),
      node("Reshape", "qkv split", "several"),
      node("Transpose", "several", "stacked", { perm: [2, 0, 3, 1, 4] }),
      ...["first", "second", "third"].map((which) => node("Gather", `stacked ${which}`, `${which}_part`, { axis: 0 })),
      node("Transpose", "second_part", "keys", { perm: [0, 1, 3, 2] }),
      node("MatMul", "first_part keys", "scores"),
      node("Softmax", "scores", "attention"),
      node("MatMul", "attention third_part", "mixed"),
      node("Transpose", "mixed", "ordered", { perm: [0, 2, 1, 3] }),
      node("Reshape", "ordered joined", "y"),
      node("Slice", "y one end one", "cut"),
      node("ReduceMean", "cut one", "mean"),
      node("Split", "y sizes", "class rest", { axis: 1 }),
      node("MatMul", "rest back", "painted"),
      node("Reshape", "painted map", "grid"),
      node("Transpose", "grid", "spread", { perm: [0, 3, 1, 4, 2, 5] }),
      node("Reshape", "spread pixel_shape", "small"),
      node("Resize", "small - - double", "image"),
    ],
  });
}

describe.each(runtimes)("%s", (_, ort) => {
  const run = async (model: Uint8Array, [height, width]: number[]): Promise<Record<string, any>> => {
    const session = await ort.InferenceSession.create(model, { logSeverityLevel: 3, executionProviders });
    const dims = [1, 3, height! * patch, width! * patch];
    try {
      return await session.run({
        pixels: tensorOf(
          ort,
          float(
            sines(
              dims.reduce((a, b) => a * b),
              6,
            ),
            dims,
          ),
        ),
      });
    } finally {
      await session.release();
    }
  };
  const executionProviders = [ort === runtimes[1]![1] ? "wasm" : "cpu"];
  const plain = (outputs: Record<string, any>) =>
    Object.fromEntries(Object.entries(outputs).map(([name, { dims, data }]) => [name, [dims, data]]));

  it.each([[[4, 4]], [[6, 6]], [[7, 5]], [[2, 3]], [[3, 12]]])("a grid of %j patches", async (grid) => {
    const model = await openModel(vision([side, side], table));
    const changed = await model.rewrite(pe, { grid });
    const expected = await run(vision(grid, resized(grid)), grid);
    expect(plain(await run(await changed.bytes(), grid))).toEqual(plain(expected));
  });

  it("says which image it takes", async () => {
    const changed = await (await openModel(vision([side, side], table))).rewrite(pe, { grid: [6, 5] });
    expect(changed.changes).toContainEqual({ name: "pixels", what: "is [1, 3, 18, 15] now" });
    const wrong = run(await changed.bytes(), [side, side]);
    await expect(wrong).rejects.toThrow(/Got: 12 Expected: 18/);
  });
});
