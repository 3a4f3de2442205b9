// Does fromConfig read what models ship? v4 and v5 keys, nested per layer type, partial and latent heads.
import { describe, expect, it } from "vitest";
import { loosely, pe } from "../helpers/library";

const specOf = (config: object, options?: object) => loosely(pe.fromConfig(config as never, options)).spec;

const llama = { hidden_size: 4096, num_attention_heads: 32, max_position_embeddings: 8192, rope_theta: 500000 };

describe("plain configs", () => {
  it("hidden_size / num_attention_heads, rope_theta", () => {
    expect(specOf(llama)).toMatchObject({ kind: "rope", dim: 128, base: 500000, pairing: "half" });
  });
  it("head_dim goes first", () => {
    expect(specOf({ ...llama, head_dim: 64 })).toMatchObject({ dim: 64 });
  });
  it("rope_scaling: null, and a base of 10000 where the model type says so", () => {
    const { rope_theta: _, ...without } = llama;
    const config = { ...without, model_type: "llama", rope_scaling: null };
    expect(specOf(config)).toMatchObject({ kind: "rope", base: 10000 });
  });
  it("v5: everything in rope_parameters", () => {
    const { rope_theta: _, ...without } = llama;
    const config = { ...without, rope_parameters: { rope_type: "default", rope_theta: 1e6 } };
    expect(specOf(config)).toMatchObject({ kind: "rope", base: 1e6 });
  });
  it("partial_rotary_factor at the top, or in rope_parameters", () => {
    const expected = { dim: 128, rotaryDim: 64 };
    expect(specOf({ ...llama, partial_rotary_factor: 0.5 })).toMatchObject(expected);
    const rope_parameters = { rope_type: "default", rope_theta: 500000, partial_rotary_factor: 0.5 };
    expect(specOf({ ...llama, rope_parameters })).toMatchObject(expected);
  });
  it("the part of a head that a model type turns where its config does not say it", () => {
    for (const [model_type, rotaryDim] of Object.entries({
      gpt_neox: 32,
      stablelm: 32,
      phi: 64,
      glm4: 64,
      chatglm: 64,
    }))
      expect(specOf({ ...llama, model_type })).toMatchObject({ dim: 128, rotaryDim });
    expect(specOf({ ...llama, model_type: "stablelm", partial_rotary_factor: 1 })).toMatchObject({ rotaryDim: 0 });
    expect(specOf({ ...llama, model_type: "gptj", rotary_dim: null })).toMatchObject({ rotaryDim: 0 });
  });
  it("GPT-NeoX's own names", () => {
    const neox = { hidden_size: 6144, num_attention_heads: 64, rotary_pct: 0.25, rotary_emb_base: 20000 };
    expect(specOf(neox)).toMatchObject({ dim: 96, rotaryDim: 24, base: 20000 });
  });
  it("the rotary part of latent attention (DeepSeek), interleaved", () => {
    const config = {
      ...{ model_type: "deepseek_v3", hidden_size: 7168, num_attention_heads: 128 },
      ...{ qk_rope_head_dim: 64, qk_nope_head_dim: 128, rope_theta: 10000 },
    };
    expect(specOf(config)).toMatchObject({ dim: 64 });
    expect(specOf(config, { pairing: "interleaved" })).toMatchObject({ dim: 64, pairing: "interleaved" });
  });
  it("the pairing that the caller names", () => {
    for (const pairing of ["half", "interleaved", "interleaved-to-half"]) {
      expect(specOf(llama, { pairing })).toMatchObject({ pairing });
    }
  });
  it("is not changed by reading", () => {
    const config = { ...llama, rope_scaling: { rope_type: "linear", factor: 2 } };
    const before = JSON.stringify(config);
    specOf(config);
    expect(JSON.stringify(config)).toBe(before);
  });
});

describe("rope_scaling, v4 and v5 alike", () => {
  const scalings: [string, object, object][] = [
    ["linear", { factor: 4 }, { kind: "rope-linear", factor: 4 }],
    ["dynamic", { factor: 2 }, { kind: "rope-dynamic", factor: 2, originalLength: 8192 }],
    [
      "yarn",
      { factor: 4, original_max_position_embeddings: 2048, beta_fast: 24, beta_slow: 1.5, truncate: false },
      { kind: "rope-yarn", factor: 4, originalLength: 2048, betaFast: 24, betaSlow: 1.5, truncate: false },
    ],
    [
      "yarn",
      { factor: 40, original_max_position_embeddings: 4096, mscale: 0.707, mscale_all_dim: 0.5, attention_factor: 1.5 },
      { kind: "rope-yarn", factor: 40, mscale: 0.707, mscaleAllDim: 0.5, attentionFactor: 1.5 },
    ],
    [
      "llama3",
      { factor: 8, low_freq_factor: 1, high_freq_factor: 4, original_max_position_embeddings: 8192 },
      { kind: "rope-llama3", factor: 8, lowFrequencyFactor: 1, highFrequencyFactor: 4, originalLength: 8192 },
    ],
    [
      "longrope",
      { short_factor: Array(64).fill(1.5), long_factor: Array(64).fill(6), original_max_position_embeddings: 4096 },
      { kind: "rope-longrope", shortFactor: Array(64).fill(1.5), longFactor: Array(64).fill(6), originalLength: 4096 },
    ],
  ];

  it.each(scalings)("%s %j", (type, scaling, expected) => {
    expect(specOf({ ...llama, rope_scaling: { type, ...scaling } })).toMatchObject({ ...expected, base: 500000 });
    expect(specOf({ ...llama, rope_scaling: { rope_type: type, ...scaling } })).toMatchObject(expected);
    const { rope_theta, ...rest } = llama;
    const rope_parameters = { rope_type: type, rope_theta, ...scaling };
    expect(specOf({ ...rest, rope_parameters })).toMatchObject({ ...expected, base: 500000 });
  });

  it("takes the longer context's ratio as the factor of longrope", () => {
    const config = {
      ...{ hidden_size: 3072, num_attention_heads: 32, max_position_embeddings: 131072, rope_theta: 10000 },
      original_max_position_embeddings: 4096,
      rope_scaling: { type: "longrope", short_factor: Array(48).fill(1), long_factor: Array(48).fill(2) },
    };
    expect(specOf(config)).toMatchObject({ kind: "rope-longrope", originalLength: 4096, factor: 32 });
    const encoding = loosely(pe.fromConfig(config));
    expect(encoding.attentionFactor).toBeCloseTo(Math.sqrt(1 + Math.log(32) / Math.log(4096)), 12);
  });

  it("calls longrope by its old name too", () => {
    const rope_scaling = { type: "su", short_factor: Array(64).fill(1), long_factor: Array(64).fill(2) };
    const config = { ...llama, original_max_position_embeddings: 4096, rope_scaling };
    expect(specOf(config)).toMatchObject({ kind: "rope-longrope" });
  });
});

describe("per layer type", () => {
  const nested = {
    ...llama,
    rope_parameters: {
      full_attention: { rope_type: "yarn", rope_theta: 1e6, factor: 8, original_max_position_embeddings: 4096 },
      sliding_attention: { rope_type: "default", rope_theta: 1e4 },
    },
  };

  it("v5: nested rope_parameters", () => {
    expect(specOf(nested, { layerType: "full_attention" })).toMatchObject({ kind: "rope-yarn", base: 1e6, factor: 8 });
    expect(specOf(nested, { layerType: "sliding_attention" })).toMatchObject({ kind: "rope", base: 1e4 });
  });

  it("asks which one when nobody says", () => {
    expect(() => pe.fromConfig(nested as never)).toThrow(/full_attention.*sliding_attention/s);
  });

  it("v4: ModernBERT's global and local base", () => {
    const config = { hidden_size: 768, num_attention_heads: 12, global_rope_theta: 160000, local_rope_theta: 10000 };
    expect(specOf(config, { layerType: "full_attention" })).toMatchObject({ dim: 64, base: 160000 });
    expect(specOf(config, { layerType: "sliding_attention" })).toMatchObject({ dim: 64, base: 10000 });
  });

  it("v4: Gemma 3's local base", () => {
    const config = {
      ...{ hidden_size: 2560, num_attention_heads: 8, head_dim: 256, rope_theta: 1e6, rope_local_base_freq: 1e4 },
      rope_scaling: { rope_type: "linear", factor: 8 },
    };
    expect(specOf(config, { layerType: "full_attention" })).toMatchObject({
      kind: "rope-linear",
      base: 1e6,
      factor: 8,
    });
    expect(specOf(config, { layerType: "sliding_attention" })).toMatchObject({ kind: "rope", base: 1e4 });
  });
});

describe("models without rotation", () => {
  it.each([
    [
      { model_type: "bloom", n_head: 16 },
      { kind: "alibi", heads: 16, form: "key-absolute" },
    ],
    [
      { model_type: "falcon", alibi: true, num_attention_heads: 12 },
      { kind: "alibi", heads: 12, form: "key-absolute" },
    ],
    [
      { model_type: "mpt", n_heads: 32, attn_config: { alibi: true, alibi_bias_max: 16 } },
      { kind: "alibi", heads: 32, form: "key", maxBias: 16 },
    ],
    [
      { model_type: "whisper", d_model: 384 },
      { kind: "sinusoidal", dim: 384, pairing: "concat", frequencyShift: 1 },
    ],
    [
      { model_type: "marian", d_model: 512 },
      { kind: "sinusoidal", dim: 512, pairing: "concat", frequencyShift: 0 },
    ],
    [
      { model_type: "pegasus", d_model: 1024, max_position_embeddings: 512 },
      { kind: "sinusoidal", dim: 1024, pairing: "concat", frequencyShift: 0, start: 0, paddingIndex: -1 },
    ],
    [
      { model_type: "blenderbot", d_model: 2560, max_position_embeddings: 128 },
      { kind: "learned", length: 128, dim: 2560, start: 0 },
    ],
    [
      { model_type: "m2m_100", d_model: 1024, pad_token_id: 1 },
      { kind: "sinusoidal", dim: 1024, pairing: "concat", frequencyShift: 1, paddingIndex: 1 },
    ],
  ])("%j", (config, expected) => expect(specOf(config)).toMatchObject(expected));

  it("falcon without alibi rotates", () => {
    expect(specOf({ model_type: "falcon", hidden_size: 4544, num_attention_heads: 71 })).toMatchObject({
      kind: "rope",
      dim: 64,
    });
  });
});

describe("model types imply the pair layout", () => {
  it.each([
    ["llama", "half"],
    ["qwen2", "half"],
    ["gptj", "interleaved"],
    ["cohere", "interleaved"],
    ["glm4", "interleaved"],
    ["deepseek_v2", "interleaved"],
    ["deepseek_v3", "interleaved-to-half"],
  ])("%s: %s", (model_type, pairing) => expect(specOf({ ...llama, model_type })).toMatchObject({ pairing }));

  it("unless the config says it", () => {
    const pairing = (model_type: string, rope_interleave: boolean) =>
      specOf({ ...llama, model_type, rope_interleave }).pairing;
    expect(pairing("deepseek_v3", false)).toBe("half");
    expect(pairing("glm_moe_dsa", true)).toBe("interleaved-to-half");
  });

  it("GPT-J: its own names, part of the head", () => {
    const config = { model_type: "gptj", n_embd: 4096, n_head: 16, n_positions: 2048, rotary_dim: 64 };
    expect(specOf(config)).toMatchObject({
      kind: "rope",
      dim: 256,
      rotaryDim: 64,
      pairing: "interleaved",
      base: 10000,
    });
  });

  it("the language model inside a multimodal config", () => {
    expect(specOf({ model_type: "llava", text_config: { ...llama, head_dim: 96 } })).toMatchObject({ dim: 96 });
    // A part without a model type has that of its place.
    expect(specOf({ model_type: "glmga", text_config: { ...llama, partial_rotary_factor: 0.5 } })).toMatchObject({
      pairing: "interleaved",
    });
  });
});
