// Layers by what configs say beside their type: windows from a layer on, patterns as words and numbers, lists, scaled queries.
import { layerSpecs, type LayerSpec } from "posenc/config";
import { describe, expect, it } from "vitest";

const text = { hidden_size: 64, num_attention_heads: 4, num_hidden_layers: 8, max_position_embeddings: 128 };
const rotary = { ...text, rope_theta: 10000, head_dim: 16 };
const windowed = { ...rotary, sliding_window: 32 };
const llama4 = { rope_type: "yarn", factor: 4, original_max_position_embeddings: 64, llama_4_scaling_beta: 0.1 };

/** A letter a layer: F full, S sliding, C chunk, M mamba …; small where nothing turns. */
const letters: Record<string, string> = {
  sliding_attention: "S",
  full_attention: "F",
  chunked_attention: "C",
  attention: "A",
};
const word = (layers: LayerSpec[]) =>
  layers
    .map(({ type, spec }) => (letters[type] ?? type[0]!.toUpperCase())[spec ? "toUpperCase" : "toLowerCase"]())
    .join("");
const windows = (layers: LayerSpec[]) => {
  const all = layers.flatMap(({ window }) => (window === undefined ? [] : [JSON.stringify(window)]));
  return [...new Set(all)].map((one) => JSON.parse(one));
};

describe("which layers", () => {
  it.each<[what: string, config: object, layers: string, windows?: LayerSpec["window"][]]>([
    // MistralModel: create_sliding_window_causal_mask for all, where there is a window.
    ["Mistral", { model_type: "mistral", ...windowed }, "SSSSSSSS", [32]],
    ["Mistral without a window", { model_type: "mistral", ...windowed, sliding_window: null }, "FFFFFFFF"],
    ["Mixtral", { model_type: "mixtral", ...windowed }, "SSSSSSSS", [32]],
    ["Phi-3", { model_type: "phi3", ...windowed }, "SSSSSSSS", [32]],
    // Qwen2Config: layers from max_window_layers on, only with use_sliding_window.
    ["Qwen2", { model_type: "qwen2", ...windowed, use_sliding_window: true, max_window_layers: 6 }, "FFFFFFSS", [32]],
    ["Qwen2, off", { model_type: "qwen2", ...windowed, max_window_layers: 6 }, "FFFFFFFF"],
    ["Qwen2, 28 where nothing is said", { model_type: "qwen2", ...windowed, use_sliding_window: true }, "FFFFFFFF"],
    // Types of Qwen without a rule of their own have no window by default either.
    ["Qwen3-VL", { model_type: "qwen3_vl_text", ...windowed }, "FFFFFFFF"],
    ["Qwen3-VL, on", { model_type: "qwen3_vl_text", ...windowed, use_sliding_window: true }, "SSSSSSSS", [32]],
    // Qwen2MoeConfig counts the other way.
    [
      "Qwen2-MoE",
      { model_type: "qwen2_moe", ...windowed, use_sliding_window: true, max_window_layers: 4 },
      "SFSFFFFF",
      [32],
    ],
    ["Qwen3-MoE", { model_type: "qwen3_moe", ...windowed, use_sliding_window: true }, "SSSSSSSS", [32]],
    ["Gemma 2", { model_type: "gemma2", ...windowed }, "SFSFSFSF", [32]],
    [
      "Gemma 3, by its pattern",
      { model_type: "gemma3_text", ...windowed, sliding_window_pattern: 2 },
      "SFSFSFSF",
      [32],
    ],
    [
      "Gemma 3, by its list",
      {
        model_type: "gemma3_text",
        ...windowed,
        num_hidden_layers: 2,
        layer_types: ["full_attention", "sliding_attention"],
      },
      "FS",
      [32],
    ],
    // EmbeddingGemma: half of the window to each side.
    [
      "EmbeddingGemma",
      { model_type: "gemma3_text", ...windowed, use_bidirectional_attention: true },
      "SSSSSFSS",
      [[16, 16]],
    ],
    ["Command R7B", { model_type: "cohere2", ...windowed, sliding_window_pattern: 4 }, "SSSfSSSf", [32]],
    [
      "Command R7B, by its list",
      {
        model_type: "cohere2",
        ...windowed,
        num_hidden_layers: 2,
        layer_types: ["full_attention", "sliding_attention"],
      },
      "fS",
      [32],
    ],
    ["EXAONE 4", { model_type: "exaone4", ...windowed, sliding_window_pattern: "LLLG" }, "SSSfSSSf", [32]],
    ["EXAONE 4, a number", { model_type: "exaone4", ...windowed, sliding_window_pattern: 2 }, "SfSfSfSf", [32]],
    ["EXAONE 4 of 1.2B", { model_type: "exaone4", ...windowed, sliding_window: null }, "FFFFFFFF"],
    // Exaone4Attention, which K-EXAONE and EXAONE 4.5 share: "global NoPE for hybrid attention model".
    [
      "K-EXAONE",
      { model_type: "exaone_moe", ...windowed, sliding_window_pattern: "LLLG", first_k_dense_replace: 1 },
      "SSSfSSSf",
      [32],
    ],
    [
      "K-EXAONE, by its list",
      {
        model_type: "exaone_moe",
        ...windowed,
        num_hidden_layers: 2,
        layer_types: ["full_attention", "sliding_attention"],
      },
      "fS",
      [32],
    ],
    ["K-EXAONE without a window", { model_type: "exaone_moe", ...windowed, sliding_window: null }, "FFFFFFFF"],
    ["EXAONE 4.5", { model_type: "exaone4_5", text_config: { model_type: "exaone4", ...windowed } }, "SSSfSSSf", [32]],
    [
      "EXAONE 4.5 as first released",
      { model_type: "exaone4_5", text_config: { model_type: "exaone4_5_text", ...windowed } },
      "SSSfSSSf",
      [32],
    ],
    [
      "EXAONE 4.5, whose text does not say what it is",
      { model_type: "exaone4_5", text_config: windowed },
      "SSSfSSSf",
      [32],
    ],
    // Cohere2MoeConfig: layers with experts are counted from the first of them; Cohere2MoeAttention.force_rope.
    ["Command A+", { model_type: "cohere2_moe", ...windowed, first_k_dense_replace: 2 }, "FFSSSfSS", [32]],
    ["Cohere 2 of experts alone", { model_type: "cohere2_moe", ...windowed }, "SSSfSSSf", [32]],
    [
      "Cohere 2 of experts, its first layers with a pattern",
      {
        model_type: "cohere2_moe",
        ...windowed,
        first_k_dense_replace: 3,
        prefix_dense_sliding_window_pattern: 2,
        sliding_window_pattern: 3,
      },
      "SfSSSfSS",
      [32],
    ],
    [
      "Cohere 2 of experts, by its lists",
      {
        model_type: "cohere2_moe",
        ...windowed,
        num_hidden_layers: 3,
        layer_types: ["full_attention", "sliding_attention", "full_attention"],
        mlp_layer_types: ["dense", "sparse", "sparse"],
      },
      "FSf",
      [32],
    ],
    ["SmolLM3", { model_type: "smollm3", ...rotary }, "FFFfFFFf"],
    [
      "SmolLM3, by its list",
      { model_type: "smollm3", ...rotary, no_rope_layers: [0, 1, 1, 1, 0, 1, 1, 1] },
      "fFFFfFFF",
    ],
    ["SmolLM3, every second", { model_type: "smollm3", ...rotary, no_rope_layer_interval: 2 }, "FfFfFfFf"],
    // SmolLM3Config: with windows, layers without positions have them.
    ["SmolLM3 with windows", { model_type: "smollm3", ...windowed, use_sliding_window: true }, "FFFsFFFs", [32]],
    ["Llama 4", { model_type: "llama4_text", ...rotary }, "CCCfCCCf"],
    [
      "Llama 4, by its list",
      { model_type: "llama4_text", ...rotary, no_rope_layers: [1, 0, 1, 0, 1, 0, 1, 0] },
      "CfCfCfCf",
    ],
    ["AFMoE", { model_type: "afmoe", ...windowed, global_attn_every_n_layers: 2 }, "SfSfSfSf", [32]],
    [
      "ModernBERT",
      { model_type: "modernbert", ...text, local_attention: 16, global_attn_every_n_layers: 2 },
      "FSFSFSFS",
      [[8, 8]],
    ],
    [
      "Longformer",
      { model_type: "longformer", ...text, pad_token_id: 1, attention_window: Array(8).fill(64) },
      "FFFFFFFF",
      [[32, 32]],
    ],
    // JambaConfig.layers_block_type; its attention knows no positions.
    ["Jamba", { model_type: "jamba", ...rotary, attn_layer_period: 4, attn_layer_offset: 1 }, "mammmamm"],
    [
      "Granite 4",
      {
        model_type: "granitemoehybrid",
        ...rotary,
        num_hidden_layers: 2,
        layer_types: ["mamba", "attention"],
        position_embedding_type: "rope",
      },
      "mA",
    ],
    [
      "LFM2, by its list",
      { model_type: "lfm2", ...rotary, num_hidden_layers: 2, layer_types: ["conv", "full_attention"] },
      "cF",
    ],
    ["Qwen3-Next", { model_type: "qwen3_next", ...rotary, full_attention_interval: 2 }, "lFlFlFlF"],
    ["OLMo Hybrid", { model_type: "olmo_hybrid", ...text, rope_parameters: null }, "lllFlllF"],
    [
      "OLMo Hybrid without rotation",
      { model_type: "olmo_hybrid", ...text, rope_parameters: { rope_theta: null } },
      "lllflllf",
    ],
    [
      "Nemotron-H, by its word",
      { model_type: "nemotron_h", ...text, num_hidden_layers: 4, hybrid_override_pattern: "M*M-" },
      "mamm",
    ],
    [
      "a type that nobody knows, with a list",
      {
        model_type: "brand-new",
        ...windowed,
        num_hidden_layers: 2,
        layer_types: ["full_attention", "sliding_attention"],
      },
      "FS",
      [32],
    ],
  ])("%s", (_, config, expected, sizes = []) => {
    const layers = layerSpecs(config);
    expect(word(layers)).toBe(expected);
    expect(windows(layers)).toEqual(sizes);
  });
});

describe("what grows with the position", () => {
  const temperatures = (config: object) => layerSpecs(config).map(({ temperature }) => temperature);
  it("Llama 4: layers that do not turn, unless it is off", () => {
    const config = { model_type: "llama4_text", ...rotary, num_hidden_layers: 4 };
    const own = { factor: 0.1, length: 8192, offset: 1 };
    expect(temperatures(config)).toEqual([undefined, undefined, undefined, own]);
    const explicit = { ...config, attn_scale: 0.2, floor_scale: 64, attn_temperature_tuning: 4 };
    expect(temperatures(explicit)[3]).toEqual({ factor: 0.2, length: 64, offset: 1 });
    expect(temperatures({ ...config, attn_temperature_tuning: false })).toEqual(Array(4).fill(undefined));
  });
  // get_llama_4_attn_scale(position_ids, beta, original_max_position_embeddings)
  it.each(["ministral3", "mistral4"])("%s: all layers", (model_type) => {
    const rope_parameters = { ...llama4, rope_theta: 1e6 };
    const config = { model_type, ...text, head_dim: 16, num_hidden_layers: 2, rope_parameters };
    expect(temperatures(config)).toEqual(Array(2).fill({ factor: 0.1, length: 64 }));
    expect(layerSpecs(config)[0]!.spec).toMatchObject({ kind: "rope-yarn", base: 1e6, factor: 4, originalLength: 64 });
  });
});

// vLLM's dual_chunk_flash_attn.py, of configs as Qwen2.5-7B-Instruct-1M's.
describe("distances that are remapped", () => {
  const remaps = (config: object) => layerSpecs(config).map(({ remap }) => remap);
  const config = { model_type: "qwen2", ...rotary, num_hidden_layers: 2 };
  it("Qwen2.5-1M's: all layers", () => {
    const chunks = { chunk_size: 262144, local_size: 8192, original_max_position_embeddings: 262144 };
    const own = { kind: "dual-chunk", chunk: 262144, local: 8192, trained: 262144 };
    expect(remaps({ ...config, dual_chunk_attention_config: chunks })).toEqual([own, own]);
    expect(remaps(config)).toEqual([undefined, undefined]);
  });
  it("what is left out is vLLM's", () => {
    const own = { kind: "dual-chunk", chunk: 8192, local: 1024 };
    expect(remaps({ ...config, dual_chunk_attention_config: {} })).toEqual([own, own]);
  });
});

describe("bases", () => {
  const bases = (config: object) => layerSpecs(config).map(({ spec }) => (spec as { base?: number }).base);
  const two = { ...text, num_hidden_layers: 2, layer_types: ["full_attention", "sliding_attention"] };
  it.each<[string, object]>([
    ["v4", { model_type: "gemma3_text", ...two, rope_theta: 1e6, rope_local_base_freq: 10000 }],
    ["v4, of the class", { model_type: "gemma3_text", ...two }],
    [
      "v5",
      {
        model_type: "gemma3_text",
        ...two,
        rope_parameters: {
          full_attention: { rope_type: "default", rope_theta: 1e6 },
          sliding_attention: { rope_type: "default", rope_theta: 10000 },
        },
      },
    ],
    ["ModernBERT", { model_type: "modernbert", ...two, global_rope_theta: 1e6, local_rope_theta: 10000 }],
  ])("global and local, %s", (_, config) => expect(bases(config)).toEqual([1e6, 10000]));
  it("scaling of the global ones alone", () => {
    const config = { model_type: "gemma3_text", ...two, rope_scaling: { rope_type: "linear", factor: 8 } };
    expect(layerSpecs(config).map(({ spec }) => spec!.kind)).toEqual(["rope-linear", "rope"]);
  });
});

describe("two encodings at once", () => {
  const deberta = { ...text, num_hidden_layers: 1, relative_attention: true, pos_att_type: "c2p" };
  const image = { hidden_size: 64, num_attention_heads: 4, num_hidden_layers: 1, image_size: 32, patch_size: 8 };
  it.each<[string, object, string, string | undefined]>([
    ["DeBERTa, the first", { model_type: "deberta", ...deberta }, "deberta", "learned"],
    ["DeBERTa v3", { model_type: "deberta-v2", ...deberta, position_biased_input: false }, "deberta", undefined],
    [
      "DeBERTa without relative attention",
      { model_type: "deberta", ...deberta, relative_attention: false },
      "learned",
      undefined,
    ],
    [
      "BEiT with both",
      { model_type: "beit", ...image, use_absolute_position_embeddings: true, use_relative_position_bias: true },
      "swin",
      "learned",
    ],
    [
      "Llama 4's images",
      { model_type: "llama4", text_config: { ...rotary, num_hidden_layers: 1 }, vision_config: image },
      "rope",
      undefined,
    ],
  ])("%s", (_, config, kind, input) => {
    const [layer] = layerSpecs(config);
    expect([layer!.spec!.kind, layer!.input?.kind]).toEqual([kind, input]);
  });
  it("of Llama 4's images: a rotation from 1 on, and a table", () => {
    const config = { model_type: "llama4", text_config: rotary, vision_config: image };
    expect(layerSpecs(config, { part: "vision" })).toEqual([
      {
        ...{ assumed: [], ignored: [] },
        ...{ part: "vision", layer: 0, type: "full_attention", input: { kind: "learned", length: 17, dim: 64 } },
        spec: { kind: "rope-axial", dim: 16, base: 10000, pairing: "interleaved", axisOrder: [1, 0], start: 1 },
      },
    ]);
  });
});

describe("configs as they were published", () => {
  const vit = { hidden_size: 64, num_attention_heads: 4, num_hidden_layers: 2, image_size: 32, patch_size: 8 };
  // Exaone4_5_VisionModel is Qwen2_5_VisionTransformerPretrainedModel with fewer keys than queries.
  it.each([
    ["qwen2_5_vl", {}],
    ["exaone4_5", { model_type: "exaone4_5_vision", num_key_value_heads: 2 }],
    ["exaone4_5", {}],
  ])("images of %s: windows, and few blocks that see all", (model_type, more) => {
    const vision_config = { depth: 4, hidden_size: 64, num_heads: 4, window_size: 112, fullatt_block_indexes: [1, 3] };
    const outer = { model_type, ...rotary, vision_config: { ...vision_config, ...more } };
    const layers = layerSpecs(outer, { part: "vision" });
    expect(layers.map(({ type }) => type)).toEqual([0, 1].flatMap(() => ["window_attention", "full_attention"]));
    expect(layers.map(({ note }) => note !== undefined)).toEqual([true, false, true, false]);
    expect(layers[0]!.spec).toMatchObject({ kind: "rope-axial", dim: 16 });
  });
  it("Idefics 3, whose image encoder had its model's name", () => {
    const config = { model_type: "idefics3", text_config: { model_type: "llama", ...rotary } };
    const layers = layerSpecs({ ...config, vision_config: { model_type: "idefics3", ...vit } }, { part: "vision" });
    expect(layers.map(({ spec }) => spec)).toEqual(Array(2).fill({ kind: "learned", length: 16, dim: 64 }));
  });
  it("DPT on convolutions, DETR on a network of them: what convolves has no layers here", () => {
    const dpt = { model_type: "dpt", ...vit, backbone_config: { model_type: "bit", depths: [3, 4, 9] } };
    expect(layerSpecs(dpt).map(({ part, spec }) => [part, spec!.kind])).toEqual(Array(2).fill(["vision", "learned"]));
    const sides = { encoder_layers: 1, decoder_layers: 1, num_hidden_layers: 1 };
    const detr = {
      model_type: "detr",
      d_model: 64,
      ...sides,
      backbone_config: { model_type: "resnet", depths: [3, 4] },
    };
    expect(layerSpecs(detr).map(({ part, spec }) => [part, spec?.kind])).toEqual([
      ["encoder", "sinusoidal-2d"],
      ["decoder", undefined],
    ]);
    const image = {
      model_type: "rt_detr",
      encoder_hidden_dim: 64,
      ...sides,
      backbone_config: { model_type: "rt_detr_resnet" },
    };
    expect(layerSpecs(image).map(({ part }) => part)).toEqual(["encoder", "decoder"]);
  });
  it("a BART that is a decoder alone", () => {
    const mbart = {
      model_type: "mbart",
      d_model: 64,
      decoder_layers: 2,
      encoder_layers: 3,
      max_position_embeddings: 128,
    };
    const parts = (config: object) => layerSpecs(config).map(({ part }) => part);
    expect(parts({ ...mbart, is_encoder_decoder: false })).toEqual(["decoder", "decoder"]);
    expect(parts(mbart)).toEqual([...Array(3).fill("encoder"), ...Array(2).fill("decoder")]);
    expect(
      parts({ model_type: "vision-encoder-decoder", encoder: { model_type: "vit", ...vit }, decoder: mbart }),
    ).toEqual([...Array(2).fill("encoder"), ...Array(2).fill("decoder")]);
  });
  it("a part that says nothing of its layers is named", () => {
    const config = { model_type: "smolvlm", text_config: { model_type: "llama", ...rotary } };
    const vision_config = { model_type: "smolvlm_vision", hidden_size: 64, image_size: 32, patch_size: 8 };
    const layers = layerSpecs({ ...config, vision_config }, { part: "vision" });
    expect(layers).toEqual([
      {
        part: "vision",
        layer: 0,
        type: "unknown",
        spec: null,
        ...{ assumed: [], ignored: [] },
        note: expect.stringMatching(/does not describe the layers/),
      },
    ]);
  });
});

describe("a pattern's length", () => {
  const whole = [
    ["gemma3_text", "sliding_window_pattern"],
    ["gemma3_text", "_sliding_window_pattern"],
    ["cohere2", "sliding_window_pattern"],
    ["exaone4", "sliding_window_pattern"],
    ["modernbert", "global_attn_every_n_layers"],
    ["qwen3_next", "full_attention_interval"],
    ["jamba", "attn_layer_period"],
    ["bailing_hybrid", "layer_group_size"],
    ["llama4_text", "no_rope_layer_interval"],
    ["smollm3", "no_rope_layer_interval"],
  ];
  it.each(whole)("of %s, %s: is a whole number from 1", (model_type, field) => {
    for (const value of [0, -2, 2.5, NaN, "", "4"])
      if (!(model_type === "exaone4" && value === "4"))
        expect(() => layerSpecs({ model_type, ...windowed, [field]: value }), String(value)).toThrow(
          expect.objectContaining({ code: "invalid-argument", field }),
        );
    expect(layerSpecs({ model_type, ...windowed, [field]: 2 })).toHaveLength(8);
  });
});

describe("pairing", () => {
  it("overrules what the type implies, of what turns in one dimension", () => {
    const config = { model_type: "llama", ...rotary, num_hidden_layers: 1 };
    expect(layerSpecs(config, { pairing: "interleaved" })[0]!.spec).toMatchObject({ pairing: "interleaved" });
  });
});
