// What configs say of single layers, and of models without a rotation, under any model type.
import { layerSpecs, specFromConfig } from "posenc/config";
import { describe, expect, it } from "vitest";

const llama = { hidden_size: 64, num_attention_heads: 4, num_hidden_layers: 4, rope_theta: 50000 };
const bases = (config: object) => layerSpecs({ ...llama, ...config }).map(({ spec }) => spec && loosely(spec).base);
const loosely = (spec: object) => spec as { base: number; dim: number; rotaryDim?: number };

describe("layer_rope_theta", () => {
  it.each(["granite_swa", "muse_glimmer_text", "llama", "no_type_that_is_known"])("%s", (model_type) => {
    expect(bases({ model_type, layer_rope_theta: [1e4, 0, 1e6, null] })).toEqual([1e4, null, 1e6, null]);
  });
  it("replaces the base of rope_parameters, too", () =>
    expect(
      bases({ rope_parameters: { rope_type: "default", rope_theta: 50000 }, layer_rope_theta: [1, 2, 0, 3] }),
    ).toEqual([...[1, 2, null, 3]]));
  it("is one spec if all layers that rotate agree", () => {
    expect(specFromConfig({ ...llama, layer_rope_theta: [7, 0, 7, 0] })).toMatchObject({ base: 7 });
    expect(() => specFromConfig({ ...llama, layer_rope_theta: [7, 8, 7, 0] })).toThrow(/^layerType: .*layers differ/);
    expect(() => specFromConfig({ ...llama, layer_rope_theta: [0, 0, 0, null] })).toThrow(/no layer rotates/);
  });
  it.each([5, "1e4", [1e4], ["1e4", 0, 0, 0], {}])("cannot be %j", (layer_rope_theta) => {
    expect(() => layerSpecs({ ...llama, layer_rope_theta })).toThrow(/^layer_rope_theta: must /);
  });
});

describe("other fields of single layers", () => {
  it("lists of bases and shares (Step 3.5)", () => {
    const config = {
      model_type: "step3p5",
      head_dim: 16,
      rope_theta: [1, 2, 1, 2],
      partial_rotary_factors: [1, 0.5, 1, 0.5],
    };
    const rotated = layerSpecs({ ...llama, ...config }).map(({ spec }) => [
      loosely(spec!).base,
      loosely(spec!).rotaryDim,
    ]);
    expect(rotated).toEqual([
      [1, undefined],
      [2, 8],
      [1, undefined],
      [2, 8],
    ]);
  });
  it("per_layer_config", () => {
    const per_layer_config = { 1: { head_dim: 32 } };
    const dims = layerSpecs({ ...llama, per_layer_config }).map(({ spec }) => loosely(spec!).dim);
    expect(dims).toEqual([16, 32, 16, 16]);
  });
  it("parameters of null", () => {
    const rope_parameters = { full_attention: null, sliding_attention: { rope_type: "default", rope_theta: 5 } };
    const layer_types = ["full_attention", "sliding_attention", "full_attention", "sliding_attention"];
    const given = { model_type: "cohere_compass_text", layer_types, head_dim: 128, rope_parameters, sliding_window: 8 };
    expect(bases(given)).toEqual([null, 5, null, 5]);
    expect(() => specFromConfig({ ...llama, ...given }, { layerType: "full_attention" })).toThrow(/no positions/);
  });
  it("use_rope, cross_attention_layers, no_rope_layers and its interval", () => {
    expect(bases({ use_rope: false })).toEqual([null, null, null, null]);
    expect(() => specFromConfig({ ...llama, use_rope: false })).toThrow(/no positions/);
    expect(bases({ model_type: "mllama_text_model", cross_attention_layers: [1] })).toEqual([
      50000,
      null,
      50000,
      50000,
    ]);
    expect(bases({ no_rope_layers: [1, 0, 1, 1] })).toEqual([50000, null, 50000, 50000]);
    expect(bases({ no_rope_layer_interval: 2 })).toEqual([50000, null, 50000, null]);
  });
});

describe("scaling by other names", () => {
  const scaling = { factor: 4, original_max_position_embeddings: 64 };
  it.each(["deepseek_yarn", "telechat3-yarn"])("%s", (rope_type) => {
    const spec = specFromConfig({ ...llama, rope_scaling: { rope_type, ...scaling } });
    expect(spec).toMatchObject({ kind: "rope-yarn", factor: 4, originalLength: 64 });
    expect(() => specFromConfig({ ...llama, rope_scaling: { rope_type, ...scaling, mscale: 0.7 } })).toThrow(
      /mscale_all_dim/,
    );
  });
  it("TeleChat 3 needs the length", () => {
    const config = { ...llama, max_position_embeddings: 256, rope_scaling: { rope_type: "telechat3-yarn", factor: 4 } };
    expect(() => specFromConfig(config)).toThrow(/original_max_position_embeddings: is missing/);
  });
});

describe("sizes of images are whole", () => {
  const image = { hidden_size: 64, image_size: 224, patch_size: 16 };
  it.each(["deit", "vit", "dinov2", "clip_vision_model", "yolos", "vit_msn"])("%s", (model_type) => {
    for (const patch_size of [0.5, 0, -16, NaN, Infinity, "16", [16, 0.5], [16], 2 ** 60])
      expect(() => specFromConfig({ ...image, model_type, patch_size })).toThrow(/^patch_size: must /);
    expect(() => specFromConfig({ ...image, model_type, image_size: 224.5 })).toThrow(/^image_size: must /);
  });
});
