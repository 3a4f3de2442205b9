// `rewrite` with a config.json gives each component the rotation of its layers.
import { layerSpecs } from "posenc/config";
import type { RewriteOptions } from "posenc/onnx";
import { usePositions } from "posenc/transformers";
import { describe, expect, it } from "vitest";
import { loosely, pe } from "../helpers/library";
import { fixtureBytes, openModel, type OnnxModel } from "../helpers/onnx-models";
import { bytes, floats, frequencies, integer, join, modelOf, node } from "../helpers/onnx-proto";
import { at, pageWith } from "../helpers/transformers-page";

/** The graph has layer 1 with base 1e6, layers 0 and 2 with base 1e4. */
const open = async () => openModel(await fixtureBytes("gemma3/model.onnx"));
const shape = { hidden_size: 64, num_attention_heads: 4, head_dim: 16, num_hidden_layers: 3, vocab_size: 160 };
const layer_types = ["sliding_attention", "full_attention", "sliding_attention"];
const gemma3 = {
  ...{ model_type: "gemma3_text", ...shape, layer_types, max_position_embeddings: 64, sliding_window: 32 },
  ...{ rope_theta: 5e5, rope_local_base_freq: 2e4, rope_scaling: { rope_type: "linear", factor: 8 } },
};
const rotaryOf = (config: object): RewriteOptions => ({ rotary: loosely(config) });
const specsByLayer = ({ positions }: OnnxModel): Map<number, any> =>
  new Map(positions.flatMap(({ layers, spec }) => layers.map((layer) => [layer, spec] as const)));

/** The rewritten graph has the config's rotation in each of its layers. */
async function follows(config: object) {
  const changed = await (await open()).rewrite(pe, rotaryOf(config));
  const found = specsByLayer(await openModel(await changed.bytes()));
  const wanted = layerSpecs(config, { part: "text" });
  for (const { layer, spec } of wanted) {
    const { kind, base, factor } = spec as any;
    expect(found.get(layer)).toMatchObject({ kind, base, ...(factor && { factor }) });
  }
  return found;
}

describe("a config whose layers differ", () => {
  it.each<[string, object]>([
    ["gemma3_text", gemma3],
    ["gemma3", { model_type: "gemma3", text_config: gemma3, vision_config: { num_hidden_layers: 2 } }],
    [
      "gemma3_text of Transformers 5",
      {
        ...{ model_type: "gemma3_text", ...shape, layer_types, sliding_window: 32 },
        rope_parameters: {
          sliding_attention: { rope_type: "default", rope_theta: 3e4 },
          full_attention: { rope_type: "linear", factor: 4, rope_theta: 7e5 },
        },
      },
    ],
    [
      "modernbert",
      {
        ...{ model_type: "modernbert", ...shape, layer_types, local_attention: 32 },
        ...{ global_rope_theta: 160000, local_rope_theta: 20000, max_position_embeddings: 64 },
      },
    ],
    ["bases of single layers", { model_type: "llama", ...shape, layer_rope_theta: [3e4, 4e5, 3e4] }],
  ])("%s gives each component its own", async (_, config) => {
    const found = await follows(config);
    expect(found.get(0)).toEqual(found.get(2));
    expect(found.get(1)).not.toEqual(found.get(0));
  });

  it("gives all the same where layers are alike", async () => {
    await follows({ model_type: "llama", ...shape, rope_theta: 5e5 });
    // Numbers of layers do not matter then.
    const changed = await (
      await open()
    ).rewrite(pe, rotaryOf({ model_type: "llama", ...shape, num_hidden_layers: 7, rope_theta: 5e5 }));
    for (const { spec } of (await openModel(await changed.bytes())).positions)
      expect(spec).toMatchObject({ base: 5e5 });
  });

  it("is taken for the components that a function chooses", async () => {
    const model = await open();
    const changed = await model.rewrite(pe, {
      rotary: (component) => (component.layers.includes(1) ? loosely(gemma3) : undefined),
    });
    const found = specsByLayer(await openModel(await changed.bytes()));
    expect([found.get(0).base, found.get(1)]).toMatchObject([1e4, { kind: "rope-linear", base: 5e5, factor: 8 }]);
  });

  it.each<[string, object, RegExp]>([
    [
      "a component of layers that differ",
      { model_type: "llama", ...shape, layer_rope_theta: [3e4, 4e5, 5e4] },
      /layers 0, 2: its layers differ in the config: .*base 30000 \(layer 0\), .*base 50000 \(layer 2\)/,
    ],
    [
      "a component of layers without rotation",
      { model_type: "smollm3", ...shape, no_rope_layers: [1, 1, 0], rope_theta: 5e5 },
      /layers 0, 2: layer 2 does not rotate in the config/,
    ],
    [
      "another number of layers",
      { ...gemma3, num_hidden_layers: 6, layer_types: [...layer_types, ...layer_types] },
      /the graph has 3 layers, the config 6, and the config's layers differ: plain rotation with base 20000 \(layers 0, 2-3, 5\), linear/,
    ],
    ["a config without rotations", { model_type: "bert", ...shape, max_position_embeddings: 64 }, /no rotation/],
    [
      "a config whose layers nobody knows",
      { ...gemma3, layer_types: undefined, num_hidden_layers: undefined },
      /num_hidden_layers/,
    ],
  ])("%s is an error that names it", async (_, config, message) => {
    await expect((await open()).rewrite(pe, rotaryOf(config))).rejects.toMatchObject({
      ...{ name: "PosencError", message: expect.stringMatching(message) },
    });
  });

  it("needs the layers of a component", async () => {
    const axis = join(bytes(1, "axis"), integer(3, 0), integer(20, 2));
    const sinusoids = (of: (angle: number) => number) =>
      Array.from({ length: 32 }, (_, i) => of((i >> 2) * frequencies[i % 4]!));
    const without = modelOf({
      nodes: [
        node("Gather", "c position_ids", "cos", axis),
        node("Gather", "s position_ids", "sin", axis),
        node("Mul", "x cos", "y"),
        node("Mul", "x sin", "z"),
      ],
      constants: [floats("c", [8, 4], sinusoids(Math.cos)), floats("s", [8, 4], sinusoids(Math.sin))],
      inputs: ["position_ids", "x"],
    });
    const model = await openModel(without);
    const small = { ...gemma3, head_dim: 8 };
    await expect(model.rewrite(pe, rotaryOf(small))).rejects.toThrow(
      /^rotary: rotary tables of node .*: the graph does not show its layers, and the config's layers differ/,
    );
  });
});

it("usePositions follows a config whose layers differ", async () => {
  const graph = await fixtureBytes("gemma3/model.onnx");
  const own = { ...gemma3, rope_theta: 1e6, rope_local_base_freq: 1e4, rope_scaling: null };
  const { env } = pageWith({ [at("config.json")]: own, [at("onnx/model.onnx")]: graph });
  usePositions(env, pe, { "org/model": rotaryOf(gemma3) });
  const response = await env.customCache.match(at("onnx/model.onnx"));
  const found = specsByLayer(await openModel(new Uint8Array(await response.arrayBuffer())));
  expect([found.get(0), found.get(1)]).toMatchObject([{ base: 2e4 }, { kind: "rope-linear", base: 5e5, factor: 8 }]);
  const config = await (await env.customCache.match(at("config.json"))).json();
  expect(config).toMatchObject({ rope_theta: 5e5, rope_local_base_freq: 2e4, rope_scaling: { factor: 8 } });
});
