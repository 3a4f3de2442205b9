// Rotations whose tables are inputs are still found, although the graph has no frequencies.
import { describe, expect, it } from "vitest";
import { besides, fixtureBytes, openModel } from "../helpers/onnx-models";
import { pe } from "../helpers/library";

const configOf = async (name: string): Promise<unknown> =>
  JSON.parse(new TextDecoder().decode(await fixtureBytes(`${name}/config.json`)));

describe("tables as inputs", () => {
  it.each([
    ["phi3-longrope", 16],
    ["llama", 16],
    ["llama-v437", 16],
  ])("of %s are a component that cannot be changed", async (name, dim) => {
    const file = `${name}/model.onnx`;
    const source = await openModel(await fixtureBytes(file), { externalData: await besides(file) });
    const model = await openModel(await (await source.rewrite(pe, { tables: "inputs" })).bytes());
    expect(model.positions).toMatchObject([
      { family: "rotary", form: "inputs", changeable: false, layers: [0, 1], dim, type: "float32" },
    ]);
    const message = /^layers 0-1: rotary tables are inputs of the graph, rope_cos and rope_sin/;
    for (const config of [undefined, await configOf(name)])
      expect(model.audit(pe, config)).toMatchObject([
        { severity: "note", code: "not-changeable", message: expect.stringMatching(message) },
      ]);
    await expect(model.rewrite(pe, { rotary: { kind: "rope" } })).rejects.toMatchObject({
      code: "unsupported",
      message: expect.stringMatching(/rotation \(inputs, dim 16\), which cannot be changed/),
    });
  });
});
