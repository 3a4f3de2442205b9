// Language models with layers that do not attend, biases and tables; encoders and decoders.
import {
  alike,
  decoder,
  detrLike,
  eight,
  encoder,
  fairseq,
  full,
  encoderDecoder,
  layer,
  learned,
  linear,
  moonshine,
  parakeet,
  pattern,
  relative,
  rope,
  sine,
  single,
  sinusoid2d,
  spec,
  text,
  times,
  translator,
  rotating,
  two,
  vision,
  vit,
  whisper,
  window,
} from "./parts";

// Three axes alternate over the pairs: the default of the class, as far as there are pairs.
const alternating = spec("rope-mrope", {
  ...{ dim: 64, rotaryDim: 16, base: 50000, pairing: "half" },
  ...{ sections: [3, 3, 2], interleavedSections: true },
});

const inkling = (type: string, extent: number, more: object) =>
  layer(type, spec("inkling", { relativeDim: 8, extent }), more);

// Layers that do not attend, and attention without positions.
export const hybrids = {
  inkling_text: {
    config: { model_type: "inkling_text", num_hidden_layers: 7, log_scaling_n_floor: 128, rel_extent: 64, d_rel: 8 },
    layers: [
      ...times(5, inkling("hybrid_sliding", 512, { window: 512 })),
      inkling("hybrid", 64, { temperature: { rule: "log", factor: 0.1, length: 128 } }),
      inkling("hybrid_sliding", 512, { window: 512 }),
    ],
  },
  ...alike("lfm2 lfm2_moe", { ...rotating, num_hidden_layers: 4, full_attn_idxs: [1, 3] }, [
    ...[layer("conv", null), layer(full!, rope()), layer("conv", null), layer(full!, rope())],
  ]),
  ...single("qwen3_next", { ...eight, sliding_window: null, partial_rotary_factor: 0.25 }, [
    ...pattern(4, linear, layer(full!, rope({ rotaryDim: 4 }))),
  ]),
  ...alike(
    "qwen3_5_text",
    { ...eight, head_dim: 64, sliding_window: null },
    pattern(4, linear, layer(full!, alternating)),
  ),
  ...single("olmo_hybrid", { ...eight, sliding_window: null }, pattern(4, linear, layer(full!, rope()))),
  ...single("granitemoehybrid", { ...rotating, position_embedding_type: "nope", layer_types: ["mamba", "attention"] }, [
    ...[layer("mamba", null), layer("attention", null)],
  ]),
  ...single("nemotron_h", { ...text, num_hidden_layers: 4, hybrid_override_pattern: "M*-E" }, [
    ...["mamba", "attention", "mlp", "moe"].map((type) => layer(type, null)),
  ]),
};

// Biases and tables of language models.
export const names = { n_embd: 64, n_head: 4, n_layer: 2, n_positions: 128 };
export const t5 = (bidirectional: boolean) => spec("t5", { heads: 4, buckets: 32, maxDistance: 128, bidirectional });
export const tables = {
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

// Both halves.
export const translators = {
  ...alike(
    "t5 mt5",
    { num_heads: 4, num_layers: 2, num_decoder_layers: 2 },
    encoderDecoder(encoder(t5(true)), decoder(t5(false))),
  ),
  ...single("longt5", { num_heads: 4, num_layers: 2, num_decoder_layers: 2, local_radius: 7 }, [
    ...encoderDecoder(
      encoder(t5(true), { window: [7, 7], note: /transient/ }),
      decoder(t5(false), { note: /transient/ }),
    ),
  ]),
  ...alike("bart mbart", translator, encoderDecoder(encoder(learned(130, 64, 2)), decoder(learned(130, 64, 2)))),
  ...alike("blenderbot blenderbot-small", translator, encoderDecoder(encoder(learned(128)), decoder(learned(128)))),
  ...single("marian", translator, encoderDecoder(encoder(sine()), decoder(sine()))),
  ...single("m2m_100", translator, encoderDecoder(encoder(fairseq), decoder(fairseq))),
  ...alike(
    "whisper lite-whisper",
    whisper,
    encoderDecoder(encoder(sine({ frequencyShift: 1 })), decoder(learned(448))),
  ),
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
    encoderDecoder(encoder(moonshine), decoder(moonshine)),
  ),
  ...single("cohere_asr", { ...text, encoder_config: parakeet }, [
    ...times(2, decoder(learned(128))),
    ...times(2, encoder(relative)),
  ]),
  ...single("parakeet_ctc", { encoder_config: parakeet }, times(2, encoder(relative))),
  ...single("speecht5", { hidden_size: 64, encoder_layers: 2, decoder_layers: 2 }, [
    ...encoderDecoder(encoder(null, { note: /sinusoids/ }), decoder(null, { note: /sinusoids/ })),
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
