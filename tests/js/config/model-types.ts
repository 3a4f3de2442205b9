// A config of every model type in the registry of transformers.js, and what its layers are by the model's own code
// (transformers v4.57 to v5: modeling_<type>.py; where a type is not there: the repository named beside it).
import type { LayerSpec, Part } from "posenc/config";

export type Expected = Omit<LayerSpec, "layer" | "part" | "note"> & { part?: Part; note?: RegExp };
export interface Case {
  config: Record<string, unknown>;
  /** In order, the parts one after another. */
  layers: Expected[];
}

const text = { hidden_size: 64, num_attention_heads: 4, num_hidden_layers: 2, max_position_embeddings: 128 };
const turning = { ...text, rope_theta: 50000 };
const [full, sliding] = ["full_attention", "sliding_attention"];

const rope = (fields: object = {}) => ({ kind: "rope", dim: 16, base: 50000, pairing: "half", ...fields }) as never;
const learned = (length: number, dim = 64, start = 0) =>
  ({ kind: "learned", length, dim, ...(start > 0 && { start }) }) as never;
const spec = (kind: string, fields: object) => ({ kind, ...fields }) as never;
const layer = (type: string, of: Expected["spec"], more: Partial<Expected> = {}): Expected => ({
  type,
  spec: of,
  ...more,
});
const times = (count: number, one: Expected): Expected[] => Array.from({ length: count }, () => one);
const two = (of: Expected["spec"], more: Partial<Expected> = {}) => times(2, layer(full!, of, more));
/** Types whose configs and layers are alike. */
const alike = (types: string, config: object, layers: Expected[]): Record<string, Case> =>
  Object.fromEntries(types.split(" ").map((model_type) => [model_type, { config: { model_type, ...config }, layers }]));
const single = (model_type: string, config: object, layers: Expected[]): Record<string, Case> =>
  alike(model_type, config, layers);

// Rotary language models, all layers alike.
const plain = {
  ...alike(
    "apertus arcee eurobert exaone granite hunyuan_v1_dense llama mobilellm nomic_bert olmo olmo2 phi3 phi3_v qwen2 qwen2_moe qwen3 qwen3_moe solar_open stablelm starcoder2 mistral ministral ministral3 llava_qwen2",
    { ...turning, head_dim: 16, partial_rotary_factor: 1 },
    two(rope()),
  ),
  ...alike(
    "cohere ernie4_5 glm helium neobert roformer",
    { ...turning, head_dim: 16, partial_rotary_factor: 1 },
    two(rope({ pairing: "interleaved" })),
  ),
  ...alike("youtu mistral4 deepseek_v3", { ...turning, qk_rope_head_dim: 8, qk_nope_head_dim: 16 }, [
    ...two(rope({ dim: 8, pairing: "interleaved-to-half" })),
  ]),
  // GlmMoeDsaAttention turns halves, whatever DeepSeek's did.
  ...single("glm_moe_dsa", { ...turning, qk_rope_head_dim: 8 }, two(rope({ dim: 8 }))),
  ...single("falcon", { ...turning, alibi: false }, two(rope())),
  ...single("esm", { ...turning, position_embedding_type: "rotary" }, two(rope())),
  ...single("gemma", { ...turning, head_dim: 32 }, two(rope({ dim: 32 }))),
  ...single("phi", { ...turning, partial_rotary_factor: 0.5 }, two(rope({ rotaryDim: 8 }))),
  ...single("gpt_neox", { ...text, rotary_pct: 0.25, rotary_emb_base: 50000 }, two(rope({ rotaryDim: 4 }))),
  ...alike(
    "gptj codegen",
    { n_embd: 64, n_head: 4, n_layer: 2, n_positions: 128, rotary_dim: 8 },
    two(rope({ base: 10000, rotaryDim: 8, pairing: "interleaved" })),
  ),
  // apple/OpenELM: OpenELMRotaryEmbedding turns halves.
  ...single(
    "openelm",
    { model_dim: 64, head_dim: 16, num_transformer_layers: 2, rope_freq_constant: 50000 },
    two(rope()),
  ),
  // Two stacks take turns.
  ...single("hrm_text", { ...turning, num_layers_per_stack: 2, head_dim: 16 }, times(4, layer(full!, rope()))),
  ...alike("falcon_h1", { ...turning, head_dim: 16 }, times(2, layer("hybrid", rope()))),
  ...single(
    "zaya",
    {
      ...text,
      head_dim: 16,
      rope_parameters: nested("hybrid", "hybrid_sliding"),
      layer_types: ["hybrid", "hybrid_sliding"],
      sliding_window: 32,
    },
    [
      layer("hybrid", rope({ base: 1e6, rotaryDim: 8 })),
      layer("hybrid_sliding", rope({ base: 10000, rotaryDim: 8 }), { window: 32 }),
    ],
  ),
  ...single("nanochat", turning, two(null, { note: /turn the other way.*inverse/ })),
};

function nested(one = full!, other = sliding!) {
  return {
    [one]: { rope_type: "default", rope_theta: 1e6 },
    [other]: { rope_type: "default", rope_theta: 10000 },
  };
}

const local = (of: Expected["spec"], window: Expected["window"] = 32) => layer(sliding!, of, { window: window! });
const eight = { ...turning, head_dim: 16, num_hidden_layers: 8, sliding_window: 32 };
const [globalBase, localBase] = [rope({ base: 1e6 }), rope({ base: 10000 })];
const pattern = (size: number, inner: Expected, last: Expected, count = 8) =>
  Array.from({ length: count }, (_, i) => ((i + 1) % size === 0 ? last : inner));
const llama4 = { factor: 0.1, length: 8192, offset: 1 };

// Windows, bases, schedules.
const mixed = {
  ...single("gemma2", eight, pattern(2, local(rope()), layer(full!, rope()))),
  ...single("vaultgemma", eight, pattern(2, local(rope()), layer(full!, rope()))),
  ...single("gpt_oss", eight, pattern(2, local(rope()), layer(full!, rope()))),
  ...single("olmo3", eight, pattern(4, local(rope()), layer(full!, rope()))),
  ...single(
    "gemma3_text",
    { ...eight, rope_theta: 1e6, rope_local_base_freq: 10000 },
    pattern(6, local(localBase), layer(full!, globalBase)),
  ),
  ...single(
    "gemma3",
    { text_config: { ...eight, rope_parameters: nested(), rope_theta: undefined } },
    pattern(6, local(localBase), layer(full!, globalBase)),
  ),
  ...single(
    "gemma3n",
    { text_config: { ...eight, rope_theta: 1e6 } },
    pattern(5, local(localBase), layer(full!, globalBase)),
  ),
  ...single("gemma4", { text_config: { ...eight, rope_theta: undefined, global_head_dim: 32 } }, [
    ...pattern(6, local(localBase), layer(full!, proportional(32, 8)), 7),
    layer(full!, proportional(32, 8)),
  ]),
  ...single(
    "embedding_gemma2",
    { text_config: { ...eight, rope_theta: undefined, num_hidden_layers: 6, use_bidirectional_attention: "all" } },
    pattern(6, local(localBase, [16, 16]), layer(full!, proportional(16, 4)), 6),
  ),
  ...single("cohere2", eight, pattern(4, local(rope({ pairing: "interleaved" })), layer(full!, null))),
  ...single("afmoe", eight, pattern(4, local(rope()), layer(full!, null))),
  ...single(
    "smollm3",
    { ...turning, num_hidden_layers: 8, use_sliding_window: false, sliding_window: null },
    pattern(4, layer(full!, rope()), layer(full!, null)),
  ),
  ...single(
    "llama4_text",
    { ...turning, num_hidden_layers: 4, attention_chunk_size: 64, no_rope_layers: [] },
    pattern(
      4,
      layer("chunked_attention", rope({ pairing: "interleaved" }), { chunk: 64 }),
      layer(full!, null, { temperature: llama4 }),
      4,
    ),
  ),
  ...single("openai_privacy_filter", { ...turning, head_dim: 16, sliding_window: 32 }, [
    ...times(2, local(rope({ pairing: "interleaved" }), [32, 32])),
  ]),
  ...alike(
    "modernbert",
    { ...text, num_hidden_layers: 4, local_attention: 16, global_rope_theta: 1e6, local_rope_theta: 10000 },
    [layer(full!, globalBase), ...times(2, local(localBase, [8, 8])), layer(full!, globalBase)],
  ),
  ...alike("modernbert-decoder", { ...text, num_hidden_layers: 4, local_attention: 16 }, [
    layer(full!, rope({ base: 160000 })),
    ...times(2, local(localBase, 8)),
    layer(full!, rope({ base: 160000 })),
  ]),
  ...single(
    "gpt_neo",
    {
      hidden_size: 64,
      num_heads: 4,
      num_layers: 4,
      max_position_embeddings: 128,
      attention_types: [[["global", "local"], 2]],
      window_size: 32,
    },
    pattern(2, layer(full!, learned(128)), local(learned(128)), 4),
  ),
  ...single(
    "deepseek_v4",
    {
      ...turning,
      ...{ num_hidden_layers: 3, head_dim: 32, qk_rope_head_dim: 8, partial_rotary_factor: 0.25, sliding_window: 16 },
      ...{ compress_rope_theta: 160000, compress_ratios: [0, 4, 128] },
      rope_scaling: { type: "yarn", factor: 16, original_max_position_embeddings: 128 },
    },
    [
      local(rope({ dim: 32, rotaryDim: 8, rotaryStart: -1, pairing: "interleaved" }), 16),
      ...["compressed_sparse_attention", "heavily_compressed_attention"].map((type) =>
        layer(
          type,
          spec("rope-yarn", {
            ...{ dim: 32, rotaryDim: 8, rotaryStart: -1, pairing: "interleaved", base: 160000 },
            ...{ factor: 16, originalLength: 128, attentionFactor: 1 },
          }),
          { window: 16 },
        ),
      ),
    ].map((one) => ({ ...one, note: /turned back/ })),
  ),
};

function proportional(dim: number, rotaryDim: number) {
  return spec("rope-proportional", { dim, rotaryDim, base: 1e6, pairing: "half" });
}

// Layers that do not attend, and attention without positions.
const linear = layer("linear_attention", null);
const hybrids = {
  ...alike("lfm2 lfm2_moe", { ...turning, num_hidden_layers: 4, full_attn_idxs: [1, 3] }, [
    ...[layer("conv", null), layer(full!, rope()), layer("conv", null), layer(full!, rope())],
  ]),
  ...single("qwen3_next", { ...eight, sliding_window: null, partial_rotary_factor: 0.25 }, [
    ...pattern(4, linear, layer(full!, rope({ rotaryDim: 4 }))),
  ]),
  ...alike(
    "qwen3_5_text",
    { ...eight, sliding_window: null },
    pattern(4, linear, layer(full!, rope({ rotaryDim: 4 }))),
  ),
  ...single("olmo_hybrid", { ...eight, sliding_window: null }, pattern(4, linear, layer(full!, rope()))),
  ...single("granitemoehybrid", { ...turning, position_embedding_type: "nope", layer_types: ["mamba", "attention"] }, [
    ...[layer("mamba", null), layer("attention", null)],
  ]),
  ...single("nemotron_h", { ...text, num_hidden_layers: 4, hybrid_override_pattern: "M*-E" }, [
    ...["mamba", "attention", "mlp", "moe"].map((type) => layer(type, null)),
  ]),
};

// Biases and tables of language models.
const names = { n_embd: 64, n_head: 4, n_layer: 2, n_positions: 128 };
const t5 = (bidirectional: boolean) => spec("t5", { heads: 4, buckets: 32, maxDistance: 128, bidirectional });
const tables = {
  ...single("bloom", { n_head: 4, n_layer: 2 }, two(spec("alibi", { heads: 4, form: "key-absolute" }))),
  ...single(
    "mpt",
    { d_model: 64, n_heads: 4, n_layers: 2, attn_config: { alibi: true, alibi_bias_max: 8 } },
    two(spec("alibi", { heads: 4, form: "key", maxBias: 8 })),
  ),
  // core42/jais: AlibiPositionEmbeddingLayer takes |key - query|.
  ...single("jais", { ...names, position_embedding_type: "alibi" }, two(spec("alibi", { heads: 4, form: "relative" }))),
  ...alike("gpt2 gpt_bigcode", names, two(learned(128))),
  ...single("opt", text, two(learned(130, 64, 2))),
  ...single("decision_transformer", { ...names, hidden_size: 64, max_ep_len: 4096 }, two(learned(4096))),
  ...alike("bert mobilebert", text, two(learned(128))),
  ...alike("roberta xlm-roberta camembert", { ...text, pad_token_id: 1 }, two(learned(128, 64, 2))),
  ...alike("electra albert convbert squeezebert", { ...text, embedding_size: 32 }, two(learned(128, 32))),
  ...single("distilbert", { dim: 64, n_heads: 4, n_layers: 2, max_position_embeddings: 128 }, two(learned(128))),
  ...single("xlm", { emb_dim: 64, n_heads: 4, n_layers: 2, max_position_embeddings: 128 }, two(learned(128))),
  // MPNetEmbeddings and MPNetEncoder.compute_position_bias: both at once.
  ...single("mpnet", { ...text, pad_token_id: 1, relative_attention_num_buckets: 32 }, [
    ...two(spec("t5", { heads: 4, buckets: 32, maxDistance: 128 }), { input: learned(128, 64, 2) }),
  ]),
  ...alike(
    "deberta deberta-v2",
    { ...text, relative_attention: true, pos_att_type: ["c2p", "p2c"], position_biased_input: false },
    [
      ...two(
        spec("deberta", { dim: 16, heads: 4, maxDistance: 128, contentToPosition: true, positionToContent: true }),
      ),
    ],
  ),
};

const encoder = (of: Expected["spec"], more: Partial<Expected> = {}) => ({
  ...layer(full!, of, more),
  part: "encoder" as const,
});
const decoder = (of: Expected["spec"], more: Partial<Expected> = {}) => ({
  ...layer(full!, of, more),
  part: "decoder" as const,
});
const halves = (first: Expected, second: Expected) => [...times(2, first), ...times(2, second)];
const translator = {
  d_model: 64,
  encoder_layers: 2,
  decoder_layers: 2,
  encoder_attention_heads: 4,
  max_position_embeddings: 128,
};
const sine = (fields: object = {}) => spec("sinusoidal", { dim: 64, pairing: "concat", ...fields });
const whisper = { ...translator, max_target_positions: 448 };
const fairseq = sine({ frequencyShift: 1, oddDim: "pad", paddingIndex: 1 });
const relative = spec("transformer-xl", { dim: 16, heads: 4, modelDim: 64 });
const parakeet = { model_type: "parakeet_encoder", hidden_size: 64, num_attention_heads: 4, num_hidden_layers: 2 };
const detrLike = (grid: object) => halves(encoder(spec("sinusoidal-2d", grid)), decoder(null, { note: /queries/ }));
const moonshine = rope({ base: 10000, rotaryDim: 14, pairing: "interleaved" });
const sinusoid2d = { dim: 64, start: 1, normalize: true, scale: 2 * Math.PI };

// Both halves.
const translators = {
  ...alike(
    "t5 mt5",
    { num_heads: 4, num_layers: 2, num_decoder_layers: 2 },
    halves(encoder(t5(true)), decoder(t5(false))),
  ),
  ...single("longt5", { num_heads: 4, num_layers: 2, num_decoder_layers: 2, local_radius: 7 }, [
    ...halves(encoder(t5(true), { window: [7, 7], note: /transient/ }), decoder(t5(false), { note: /transient/ })),
  ]),
  ...alike("bart mbart", translator, halves(encoder(learned(130, 64, 2)), decoder(learned(130, 64, 2)))),
  ...alike("blenderbot blenderbot-small", translator, halves(encoder(learned(128)), decoder(learned(128)))),
  ...single("marian", translator, halves(encoder(sine()), decoder(sine()))),
  ...single("m2m_100", translator, halves(encoder(fairseq), decoder(fairseq))),
  ...alike("whisper lite-whisper", whisper, halves(encoder(sine({ frequencyShift: 1 })), decoder(learned(448)))),
  // MoonshineRotaryEmbedding: int(16 · 0.9) features.
  ...single(
    "moonshine",
    {
      hidden_size: 64,
      encoder_num_attention_heads: 4,
      encoder_num_hidden_layers: 2,
      decoder_num_hidden_layers: 2,
      partial_rotary_factor: 0.9,
    },
    halves(encoder(moonshine), decoder(moonshine)),
  ),
  ...single("cohere_asr", { ...text, encoder_config: parakeet }, [
    ...times(2, decoder(learned(128))),
    ...times(2, encoder(relative)),
  ]),
  ...single("parakeet_ctc", { encoder_config: parakeet }, times(2, encoder(relative))),
  ...single("speecht5", { hidden_size: 64, encoder_layers: 2, decoder_layers: 2 }, [
    ...halves(encoder(null, { note: /sinusoids/ }), decoder(null, { note: /sinusoids/ })),
  ]),
  ...single("trocr", translator, times(2, layer(full!, learned(130, 64, 2)))),
  ...alike("detr table-transformer", translator, detrLike(sinusoid2d)),
  ...alike(
    "rt_detr rt_detr_v2 d_fine",
    { encoder_hidden_dim: 64, encoder_layers: 2, decoder_layers: 2 },
    detrLike({ dim: 64, base: 10000, pairing: "concat" }),
  ),
  ...single(
    "vision-encoder-decoder",
    {
      encoder: { model_type: "vit", ...vit() },
      decoder: { model_type: "trocr", d_model: 64, decoder_layers: 2, max_position_embeddings: 128 },
    },
    [...times(2, encoder(learned(17))), ...times(2, decoder(learned(130, 64, 2)))],
  ),
  ...single(
    "musicgen",
    {
      text_encoder: { model_type: "t5", num_heads: 4, num_layers: 2 },
      audio_encoder: { model_type: "encodec" },
      decoder: { model_type: "musicgen_decoder", ...text },
    },
    [
      ...times(2, { ...layer(full!, t5(true)), part: "text" as const }),
      ...times(2, decoder(sine({ frequencyShift: 1, order: "cos-sin" }))),
    ],
  ),
};

function vit() {
  return { hidden_size: 64, num_attention_heads: 4, num_hidden_layers: 2, image_size: 32, patch_size: 8 };
}
const vision = (layers: Expected[]): Expected[] => layers.map((one) => ({ ...one, part: "vision" as const }));
const sound = (layers: Expected[]): Expected[] => layers.map((one) => ({ ...one, part: "audio" as const }));
const images = (types: string, of: Expected["spec"], more: object = {}, facts: Partial<Expected> = {}) =>
  alike(types, { ...vit(), ...more }, vision(two(of, facts)));
const window = (heads: number, size = 4, more: object = {}) =>
  spec("swin", { heads, windowHeight: size, windowWidth: size, ...more });
const stages = [...times(2, layer("stage1", window(2))), layer("stage2", window(4))];
const swin = { num_heads: [2, 4], depths: [2, 1], window_size: 4 };
const dinov2 = { model_type: "dinov2", ...vit() };

// Images.
const vision1 = {
  ...images("vit vit_msn dinov2 dinov2_with_registers dpt", learned(17)),
  ...images("deit", learned(18)),
  ...images("ijepa", learned(16)),
  ...images("mgp-str", learned(8 * 32 + 1), { image_size: [32, 128], patch_size: 4 }),
  // YolosEmbeddings: 1 + patches + num_detection_tokens.
  ...images("yolos", learned(17 + 10), { image_size: [32, 32], num_detection_tokens: 10 }, { note: /last rows/ }),
  ...images("vit_mae", spec("sinusoidal-2d", { dim: 64, pairing: "concat", axisOrder: "xy" })),
  ...images("dinov3_vit", spec("rope-axial", { dim: 16, base: 100, coordinates: "centres", scale: 2 * Math.PI }), {
    rope_parameters: { rope_type: "axial", rope_theta: 100 },
  }),
  ...images("beit", window(4, 4, { classToken: true }), { use_relative_position_bias: true }),
  ...alike("swin donut-swin", swin, vision(stages)),
  // HieraEmbeddings: one row for each place of the stride, at the width of the first stage.
  ...single(
    "hiera",
    { image_size: [32, 32], patch_stride: [4, 4], embed_dim: 32, depths: [1, 1] },
    vision(two(learned(64, 32))),
  ),
  // PvtEncoder: 32 / 4 squared, then (32 / 4) / 2 squared and a class token.
  ...single(
    "pvt",
    { image_size: 32, patch_sizes: [4, 2], hidden_sizes: [32, 64], depths: [1, 1], num_attention_heads: [1, 2] },
    vision([layer("stage1", learned(64, 32)), layer("stage2", learned(17, 64))]),
  ),
  ...single(
    "maskformer",
    {
      backbone_config: { model_type: "swin", ...swin },
      decoder_config: { model_type: "detr", d_model: 64, decoder_layers: 2 },
    },
    [...vision(stages), ...times(2, decoder(null, { note: /queries/ }))],
  ),
  ...single("depth_anything", { backbone_config: dinov2 }, vision(two(learned(17)))),
  ...single(
    "vitpose",
    { backbone_config: { model_type: "vitpose_backbone", ...vit() } },
    vision(two(learned(17), { note: /class token/ })),
  ),
  ...single("chmv2", { backbone_config: { ...vit(), model_type: "dinov3_vit" } }, [
    ...vision(two(spec("rope-axial", { dim: 16, base: 100, coordinates: "centres", scale: 2 * Math.PI }))),
  ]),
  ...single("depth_pro", { image_model_config: dinov2 }, vision(two(learned(17)))),
  ...single("rf_detr", { backbone_config: { ...vit(), model_type: "rf_detr_dinov2" }, decoder_layers: 1 }, [
    ...vision(two(learned(17))),
    decoder(null, { note: /queries/ }),
  ]),
  ...single(
    "grounding-dino",
    {
      text_config: { model_type: "bert", ...text },
      backbone_config: { model_type: "swin", ...swin },
      decoder_layers: 1,
    },
    [...two(learned(128)), ...vision(stages), decoder(null, { note: /deformable/ })],
  ),
  ...single(
    "sam",
    { vision_config: vit(), prompt_encoder_config: { hidden_size: 64 } },
    vision(two(learned(16), { note: /use_rel_pos/ })),
  ),
  ...single(
    "swin2sr",
    { ...swin, depths: [1, 1] },
    vision([layer("stage1", null, { note: /logarithms/ }), layer("stage2", null, { note: /logarithms/ })]),
  ),
  ...alike("sam2 sam3_tracker edgetam vitmatte", {}, vision([layer("unknown", null, { note: /posenc has no kind/ })])),
};

const clip = {
  text_config: { hidden_size: 64, num_attention_heads: 4, num_hidden_layers: 2, max_position_embeddings: 77 },
  vision_config: vit(),
};
// Texts with images, and sound.
const media = {
  ...alike("clip clipseg groupvit owlvit owlv2", clip, []),
  ...single("siglip", clip, [...two(learned(77)), ...vision(two(learned(16)))]),
  ...single("chinese_clip", clip, [...two(learned(77)), ...vision(two(learned(17)))]),
  ...alike("llava", { text_config: turning, vision_config: vit() }, [
    ...two(rope({ base: 50000 })),
    ...vision(two(learned(17))),
  ]),
  ...single("llava_onevision", { text_config: turning, vision_config: vit() }, [
    ...two(rope()),
    ...vision(two(learned(16))),
  ]),
  ...single("paligemma", { text_config: { ...turning, head_dim: 16 }, vision_config: vit() }, [
    ...two(rope()),
    ...vision(two(learned(16))),
  ]),
  ...alike("idefics3 smolvlm", { text_config: turning, vision_config: vit() }, [
    ...two(rope()),
    ...vision(two(learned(16), { note: /share of the image/ })),
  ]),
  ...alike(
    "mistral3 lighton_ocr",
    { text_config: { ...turning, head_dim: 16 }, vision_config: { ...vit(), rope_theta: 10000 } },
    [...two(rope()), ...vision(two(spec("rope-axial", { dim: 16, base: 10000, form: "strided" })))],
  ),
  ...single(
    "lfm2_vl",
    { text_config: { ...turning, layer_types: ["conv", full] }, vision_config: { ...vit(), num_patches: 256 } },
    [...[layer("conv", null), layer(full!, rope())], ...vision(two(learned(256), { note: /resized/ }))],
  ),
  ...single(
    "florence2",
    { text_config: { model_type: "florence2_language", ...translator }, vision_config: { model_type: "davit" } },
    [
      ...halves(encoder(learned(130, 64, 2)), decoder(learned(130, 64, 2))),
      ...vision([layer("unknown", null, { note: /DaViT/ })]),
    ],
  ),
  ...single("moondream1", { phi_config: { ...turning, partial_rotary_factor: 0.5 } }, two(rope({ rotaryDim: 8 }))),
  ...single(
    "multi_modality",
    { language_config: { model_type: "llama", ...turning }, vision_config: { cls: "CLIPVisionTower", params: {} } },
    [...two(rope()), ...vision([layer("unknown", null, { note: /says nothing of its layers/ })])],
  ),
  ...single(
    "glm_ocr",
    {
      text_config: { ...turning, rope_parameters: { rope_type: "default", mrope_section: [4, 2, 2] } },
      vision_config: { depth: 2, hidden_size: 64, num_heads: 4 },
    },
    [
      ...two(spec("rope-mrope", { dim: 16, base: 50000, pairing: "interleaved", sections: [4, 2, 2] })),
      ...vision(two(spec("rope-axial", { dim: 16, base: 10000 }))),
    ],
  ),
  ...alike("qwen2_vl qwen2_5_vl", qwenVl(), [
    ...two(spec("rope-mrope", { dim: 16, base: 50000, pairing: "half", sections: [4, 2, 2] })),
    ...vision(two(spec("rope-axial", { dim: 16, base: 10000 }))),
  ]),
  ...alike(
    "qwen3_vl qwen3_vl_moe",
    { text_config: { ...qwenText(), head_dim: 16 }, vision_config: { ...qwenVision(), num_position_embeddings: 2304 } },
    [
      ...two(
        spec("rope-mrope", { dim: 16, base: 50000, pairing: "half", sections: [4, 2, 2], interleavedSections: true }),
      ),
      ...vision(two(spec("rope-axial", { dim: 16, base: 10000 }), { input: learned(2304) })),
    ],
  ),
  ...alike(
    "qwen3_5 qwen3_5_moe",
    {
      text_config: { ...qwenText(), head_dim: 64, num_hidden_layers: 4 },
      vision_config: { ...qwenVision(), num_position_embeddings: 2304 },
    },
    [
      ...pattern(
        4,
        linear,
        layer(
          full!,
          spec("rope-mrope", {
            dim: 64,
            rotaryDim: 16,
            base: 50000,
            pairing: "half",
            sections: [4, 2, 2],
            interleavedSections: true,
          }),
        ),
        4,
      ),
      ...vision(two(spec("rope-axial", { dim: 16, base: 10000 }), { input: learned(2304) })),
    ],
  ),
  ...single(
    "ultravox",
    {
      text_config: { model_type: "llama", ...turning },
      audio_config: { model_type: "whisper", d_model: 64, encoder_layers: 2 },
    },
    [...two(rope()), ...sound(two(sine({ frequencyShift: 1 })))],
  ),
  ...single("voxtral", { text_config: turning, audio_config: { hidden_size: 64, num_hidden_layers: 2 } }, [
    ...two(rope()),
    ...sound(two(sine({ frequencyShift: 1 }))),
  ]),
  ...single(
    "voxtral_realtime",
    {
      text_config: { ...turning, head_dim: 16, sliding_window: 32 },
      audio_config: { ...turning, head_dim: 16, sliding_window: 24 },
    },
    [...times(2, local(rope())), ...sound(times(2, local(rope(), 24)))],
  ),
  ...single(
    "granite_speech",
    {
      text_config: turning,
      encoder_config: { hidden_dim: 64, num_layers: 2, num_heads: 4, dim_head: 16, max_pos_emb: 512 },
    },
    [...two(rope()), ...times(2, encoder(spec("shaw", { dim: 16, maxDistance: 512, withValues: false })))],
  ),
  ...single(
    "clap",
    {
      text_config: { ...text, pad_token_id: 1 },
      audio_config: { num_attention_heads: [2, 4], depths: [2, 1], window_size: 4 },
    },
    [...two(learned(128, 64, 2)), ...sound(stages)],
  ),
  ...single("mimi", { ...turning, head_dim: 16, sliding_window: 24 }, [
    ...times(2, { ...local(rope(), 24), part: "encoder" as const }),
    ...times(2, { ...local(rope(), 24), part: "decoder" as const }),
  ]),
  ...alike("wav2vec2 unispeech unispeech-sat hubert wavlm", text, two(null, { note: /convolution/ })),
  ...single(
    "wav2vec2-bert",
    {
      ...text,
      position_embeddings_type: "relative_key",
      left_max_position_embeddings: 64,
      right_max_position_embeddings: 8,
    },
    [...two(spec("shaw", { dim: 16, maxLeft: 64, maxRight: 8, withValues: false }))],
  ),
  // ASTEmbeddings: ((128 - 16) / 10 + 1) · ((1024 - 16) / 10 + 1) patches and two tokens.
  ...single(
    "audio-spectrogram-transformer",
    { ...text, patch_size: 16, num_mel_bins: 128, max_length: 1024, frequency_stride: 10, time_stride: 10 },
    [...two(learned(12 * 101 + 2))],
  ),
  // VitsAttention._get_relative_embeddings pads with zeros: beyond four places nothing.
  ...single(
    "vits",
    { ...text, window_size: 4 },
    two(spec("shaw", { dim: 16, maxDistance: 5 }), { note: /rows of zeros/ }),
  ),
  ...alike("patchtst patchtsmixer", { d_model: 64, num_hidden_layers: 2 }, two(null, { note: /mean 0/ })),
  ...alike("snac fastvit", {}, [layer("unknown", null, { note: /posenc has no kind/ })]),
};

function qwenText() {
  return { ...text, rope_theta: 50000, rope_scaling: { type: "mrope", mrope_section: [4, 2, 2] } };
}
function qwenVision() {
  return { depth: 2, hidden_size: 64, num_heads: 4 };
}
/** As it was published: the language model beside its image encoder. */
function qwenVl() {
  return { ...qwenText(), vision_config: { depth: 2, embed_dim: 64, hidden_size: 64, num_heads: 4 } };
}

for (const type of ["clip", "clipseg", "owlvit", "owlv2"] as const)
  media[type]!.layers = [...two(learned(77)), ...vision(two(learned(17)))];
media["groupvit"]!.layers = [...two(learned(77)), ...vision(two(learned(16)))];

/** Nothing in these knows positions. */
export const without =
  "convnext convnextv2 dac dinov3_convnext efficientnet glpn hifigan isnet mobilenet_v1 mobilenet_v2 mobilenet_v3 mobilenet_v4 mobilevit mobilevitv2 modnet pyannote resnet segformer wespeaker-resnet".split(
    " ",
  );
/** Their configs say nothing of layers: an error says so. */
export const untold = "ben birefnet jina_clip metric3d metric3dv2 sapiens style_text_to_speech_2 supertonic".split(" ");

export const cases: Record<string, Case> = {
  ...{ ...plain, ...mixed, ...hybrids, ...tables, ...translators, ...vision1, ...media },
};
