// Options of a rewrite that find nothing to change are errors that name what the model has.
import { describe, expect, it } from "vitest";
import { besides, fixtureBytes, openModel } from "../helpers/onnx-models";
import { loosely, pe } from "../helpers/library";
import { smallest } from "../helpers/onnx-proto";
import type { RewriteOptions } from "posenc/onnx";

const opened = async (name: string) =>
  name === "SMALLEST"
    ? openModel(smallest)
    : openModel(await fixtureBytes(name), { externalData: await besides(name) });
const yarn = { kind: "rope-yarn", factor: 4, originalLength: 64 } as const;

describe("an option that finds nothing", () => {
  it.each<[string, RewriteOptions, string, RegExp]>([
    ["bloom/model.onnx", { rotary: yarn }, "rotary", /needs a rotation; this model has bias \(\w.*heads/],
    ["gpt2-tjs/model_quantized.onnx", { rotary: () => yarn }, "rotary", /needs a rotation; this model has table/],
    ["llama/model.onnx", { bias: { kind: "alibi" } }, "bias", /needs a bias of the scores; this model has rotation/],
    ["llama/model.onnx", { rotary: yarn, grid: [4, 4] }, "grid", /needs a table that is added to the patches/],
    ["llama/model.onnx", { length: 128 }, "length", /rotations that are computed fit every length/],
    ["llama/model.onnx", { rotary: yarn, length: 128, resize: "linear" }, "resize", /needs a learned table/],
    ["llama/model.onnx", { rotary: yarn, resize: "linear" }, "resize", /needs `length` or `grid`/],
    ["llama/model.onnx", { angles: "float32" }, "angles", /float16 or bfloat16/],
    ["llama/model.onnx", { tables: "inputs", rotary: yarn }, "rotary", /tables of all rotations become inputs/],
    ["gpt2-tjs/model_quantized.onnx", { length: 128 }, "length", /unless `resize` is given; this model has table/],
    ["vit-tjs/model.onnx", { length: 128 }, "length", /added at once/],
    ["SMALLEST", { window: 8 }, "window", /needs layers with self-attention; this model has rotation/],
    ["t5/encoder_model.onnx", { tables: "inputs" }, "tables", /needs a rotation; this model has bias/],
  ])("%s %o", async (name, options, option, message) => {
    const model = await opened(name);
    await expect(model.rewrite(pe, options)).rejects.toMatchObject({
      ...{ name: "PosencError", code: "unsupported", field: option },
      message: expect.stringMatching(new RegExp(`^${option}: .*${message.source}`)),
    });
    const changed = await model.rewrite(pe, { ...options, partial: true });
    expect(changed.unused.map(({ option }) => option)).toContain(option);
  });
  it("is a length next to a rotation that is computed, but no error", async () => {
    const model = await opened("llama/model.onnx");
    for (const options of [{ rotary: yarn }, { tables: "inputs" }] as const) {
      const { unused, changes } = await model.rewrite(pe, { ...options, length: 128 });
      expect(unused).toMatchObject([{ option: "length", reason: expect.stringMatching(/fit every length/) }]);
      expect(changes.length).toBeGreaterThan(0);
    }
    const tables = await opened("llama-v437/model.onnx");
    expect((await tables.rewrite(pe, { rotary: yarn, length: 128 })).unused).toEqual([]);
    const gpt2 = await opened("gpt2-tjs/model_quantized.onnx");
    await expect(gpt2.rewrite(pe, { rotary: yarn, length: 128 })).rejects.toMatchObject({ field: "rotary" });
  });
  it.each(["alibi", "learned", "rope-mixed"])("is a rotation of the kind %s", async (kind) => {
    const model = await opened("llama/model.onnx");
    await expect(model.rewrite(pe, loosely({ rotary: { kind } }))).rejects.toMatchObject({
      ...{ code: "invalid-argument", field: "rotary" },
      message: `rotary: must be a rotation such as "rope-yarn", got kind "${kind}"`,
    });
  });
  it("is not one that a function declines", async () => {
    const changed = await (await opened("llama/model.onnx")).rewrite(pe, { rotary: () => undefined });
    expect([changed.changes, changed.unused]).toEqual([[], []]);
  });
  it.each(["rotary", "bias"])("%s is not null", async (name) => {
    const model = await opened("llama/model.onnx");
    await expect(model.rewrite(pe, loosely({ [name]: null }))).rejects.toMatchObject({
      ...{ code: "invalid-argument", field: name },
    });
  });
});
