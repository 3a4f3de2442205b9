// Configs that leave something out, or say it twice: the error names the key. Nothing is guessed.
import { layerSpecs, specFromConfig } from "posenc/config";
import { describe, expect, it } from "vitest";
import { goldenCases } from "../helpers/fixtures";
import { loosely, pe } from "../helpers/library";

const llama = { hidden_size: 4096, num_attention_heads: 32, max_position_embeddings: 8192, rope_theta: 500000 };
const yarn = { rope_type: "yarn", factor: 4, original_max_position_embeddings: 4096 };
const llama3 = { rope_type: "llama3", factor: 8, low_freq_factor: 1, high_freq_factor: 4 };
const without = (object: Record<string, unknown>, ...names: string[]) =>
  Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));

describe("every golden config is read as it is", () => {
  const cases = [...goldenCases].filter(([, json]) => loosely(json).params?.config);
  it.each(cases)("%s", (_, json) => {
    const { config, layer_type, rotary_dim, rope_parameters_after_standardisation: standard } = loosely(json).params;
    const encoding = loosely(pe.fromConfig(config, { layerType: layer_type ?? undefined }));
    expect(encoding.rotaryDim).toBe(rotary_dim);
    if (standard?.rope_theta !== undefined) expect(encoding.spec.base).toBe(standard.rope_theta);
  });
});

describe("the family that is wanted", () => {
  const bloom = { model_type: "bloom", n_head: 8 };
  it("is what comes, or an error that says what it would be", () => {
    expect(pe.fromConfig(bloom, { family: "bias" }).heads).toBe(8);
    expect(() => pe.fromConfig(bloom, { family: "rotary" })).toThrow(
      expect.objectContaining({ code: "unsupported", field: "family", message: expect.stringMatching(/alibi.*bias/) }),
    );
  });
  it("is one that there is", () => {
    expect(() => pe.fromConfig(bloom, { family: loosely("turns") })).toThrow(
      expect.objectContaining({ code: "invalid-argument", field: "family" }),
    );
  });
});

describe("missing", () => {
  it.each([
    ["rope_theta", without(llama, "rope_theta")],
    ["rope_theta", { ...without(llama, "rope_theta"), model_type: "qwen3_next" }],
    ["rope_theta", { ...without(llama, "rope_theta"), rope_parameters: { rope_type: "default" } }],
    ["hidden_size", without(llama, "hidden_size")],
    ["num_attention_heads", without(llama, "num_attention_heads")],
    ["factor", { ...llama, rope_scaling: { type: "linear" } }],
    ["factor", { ...llama, rope_scaling: { type: "dynamic" } }],
    ["factor", { ...llama, rope_scaling: { type: "yarn" } }],
    ["factor", { ...llama, rope_scaling: without(llama3, "factor") }],
    [
      "low_freq_factor",
      { ...llama, rope_scaling: { ...without(llama3, "low_freq_factor"), original_max_position_embeddings: 8192 } },
    ],
    ["original_max_position_embeddings", { ...llama, rope_scaling: llama3 }],
    [
      "original_max_position_embeddings",
      { ...without(llama, "max_position_embeddings"), rope_scaling: { type: "yarn", factor: 2 } },
    ],
    [
      "original_max_position_embeddings",
      { ...llama, rope_scaling: { type: "longrope", short_factor: [1], long_factor: [1] } },
    ],
    ["short_factor", { ...llama, rope_scaling: { type: "longrope", long_factor: [1] } }],
    [
      "max_position_embeddings",
      { ...without(llama, "max_position_embeddings"), rope_scaling: { type: "dynamic", factor: 2 } },
    ],
    ["rope_type", { ...llama, rope_scaling: { factor: 8 } }],
    ["layerType", { ...llama, model_type: "gemma3_text" }],
    ["layerType", { ...llama, rope_local_base_freq: 10000 }],
    ["pos_att_type", { ...llama, model_type: "deberta", relative_attention: true }],
    ["d_head", { model_type: "transfo-xl", n_head: 8, d_model: 512 }],
    ["window_size", { model_type: "swin", num_heads: [3, 6] }, "stage1"],
    ["layerType", { model_type: "swin", num_heads: [3, 6], window_size: 7 }, "stage3"],
    ["image_size", { model_type: "vit", hidden_size: 768, patch_size: 16 }],
    ["vision_config", llama, "vision"],
    ["max_position_embeddings", { model_type: "bert", hidden_size: 768 }],
    ["num_heads", { model_type: "t5" }],
  ])("%s: %j", (field, config, layerType?: string) => {
    expect(() => pe.fromConfig(config, layerType === undefined ? {} : { layerType })).toThrow(
      expect.objectContaining({ code: "invalid-argument", field, message: expect.stringContaining(field) }),
    );
  });
});

it("a name that all objects have is a model type that nobody knows", () => {
  for (const model_type of ["__proto__", "toString", "valueOf"])
    expect(pe.fromConfig({ ...llama, model_type }).kind).toBe("rope");
  expect(() => pe.fromConfig({ model_type: "hasOwnProperty" })).toThrow(/unknown model type "hasOwnProperty"/);
});

describe("sections of M-RoPE", () => {
  const qwen = {
    model_type: "qwen2_vl",
    hidden_size: 1536,
    num_attention_heads: 12,
    num_hidden_layers: 1,
    rope_theta: 1e6,
  };
  it.each([
    ["mrope_section", qwen],
    ["mrope_section", { ...qwen, rope_scaling: { type: "mrope" } }],
    [
      "mrope_section",
      { ...qwen, rope_scaling: { rope_type: "yarn", factor: 4, original_max_position_embeddings: 32768 } },
    ],
    ["mrope_section", { model_type: "qwen2_5_vl", text_config: { ...qwen, model_type: "qwen2_5_vl_text" } }],
    ["mrope_section", { ...llama, rope_scaling: { type: "mrope" } }],
    ["xdrope_section", { ...llama, rope_scaling: { type: "xdrope", alpha: 1000 } }],
  ])("%s is not left out without a word: %j", (field, config) => {
    for (const read of [specFromConfig, layerSpecs, (given: object) => pe.fromConfig(given)])
      expect(() => read({ num_hidden_layers: 1, ...config })).toThrow(
        expect.objectContaining({ code: "invalid-argument", field }),
      );
  });
});

describe("contradictions", () => {
  it.each([
    ["rope_theta", { ...llama, rope_parameters: { rope_type: "default", rope_theta: 10000 } }],
    ["rope_theta", { ...llama, rope_scaling: { ...yarn, rope_theta: 10000 } }],
    ["rope_theta", { ...llama, rotary_emb_base: 10000 }],
    ["rope_type", { ...llama, rope_scaling: { ...yarn, type: "linear" } }],
    ["factor", { ...llama, rope_scaling: yarn, rope_parameters: { ...yarn, factor: 8 } }],
    ["original_max_position_embeddings", { ...llama, original_max_position_embeddings: 2048, rope_scaling: yarn }],
    ["partial_rotary_factor", { ...llama, partial_rotary_factor: 0.5, rotary_pct: 0.25 }],
    ["rotary_dim", { ...llama, partial_rotary_factor: 0.5, rotary_dim: 32 }],
    ["hidden_size", { ...llama, hidden_size: 4097 }],
    ["rope_theta", { ...llama, rope_theta: "500000" }],
    ["rope_scaling", { ...llama, rope_scaling: "yarn" }],
    ["mrope_section", { ...llama, rope_scaling: { type: "mrope", mrope_section: 16 } }],
  ])("%s: %j", (field, config) => {
    expect(() => pe.fromConfig(config)).toThrow(expect.objectContaining({ code: "invalid-argument", field }));
  });

  it("the same value twice is none, nor is a head width of its own", () => {
    const twice = { ...llama, rope_scaling: { ...yarn, type: "yarn", rope_theta: 500000 } };
    expect(loosely(pe.fromConfig({ ...twice, rope_parameters: yarn, head_dim: 64 })).spec).toMatchObject({
      ...{ kind: "rope-yarn", dim: 64, base: 500000, factor: 4 },
    });
    const older = {
      type: "su",
      rope_type: "longrope",
      short_factor: Array(64).fill(1),
      long_factor: Array(64).fill(2),
    };
    expect(loosely(pe.fromConfig({ ...llama, rope_scaling: { ...older, factor: 2 } })).kind).toBe("rope-longrope");
  });
});

describe("unknown", () => {
  it.each([
    ["rope_type", { ...llama, rope_scaling: { type: "spiral", factor: 2 } }],
    ["position_embedding_type", { ...llama, model_type: "bert", position_embedding_type: "spiral" }],
    ["position_embeddings_type", { ...llama, model_type: "wav2vec2-bert", position_embeddings_type: "spiral" }],
    ["use_relative_position_bias", { ...llama, model_type: "beit" }],
    ["rope_type", { ...llama, rope_scaling: { rope_type: "toString" } }],
    ["rope_type", { ...llama, rope_scaling: { type: "__proto__" } }],
    ["model_type", { model_type: "__proto__" }],
    ["model_type", { ...without(llama, "rope_theta"), model_type: "constructor" }],
    ["model_type", { ...without(llama, "rope_theta"), model_type: "brand_new" }],
  ])("%s: %j", (field, config) => {
    expect(() => pe.fromConfig(config)).toThrow(expect.objectContaining({ code: "unsupported", field }));
  });
  it("layers without positions", () => {
    const rope_parameters = { full_attention: null, sliding_attention: { rope_type: "default", rope_theta: 1e4 } };
    const error = expect.objectContaining({ code: "unsupported", field: "layerType" });
    expect(() => pe.fromConfig({ ...llama, rope_parameters }, { layerType: "full_attention" })).toThrow(error);
  });
});
