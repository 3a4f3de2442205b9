// Rotations whose tables are inputs are still found, although the graph has no frequencies.
import { describe, expect, it } from "vitest";
import { besides, fixtureBytes, openModel } from "../helpers/onnx-models";
import { pe } from "../helpers/library";

/** The config.json of a fixture, as far as the rotation goes. */
const config = (type: string, more: object) => ({
  ...{ model_type: type, hidden_size: 64, num_attention_heads: 4, num_hidden_layers: 2, max_position_embeddings: 64 },
  ...more,
});
const configs: Record<string, object> = {
  "phi3-longrope": config("phi3", {
    max_position_embeddings: 256,
    original_max_position_embeddings: 64,
    rope_scaling: { type: "longrope", short_factor: Array(8).fill(1), long_factor: Array(8).fill(4) },
  }),
  llama: config("llama", { rope_theta: 10000 }),
  "llama-v437": config("llama", { rope_theta: 10000 }),
};

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
    for (const config of [undefined, configs[name]])
      expect(model.audit(pe, config)).toMatchObject([
        { severity: "note", code: "not-changeable", message: expect.stringMatching(message) },
      ]);
    await expect(model.rewrite(pe, { rotary: { kind: "rope" } })).rejects.toMatchObject({
      code: "unsupported",
      message: expect.stringMatching(/rotation \(inputs, dim 16\), which cannot be changed/),
    });
  });
});
