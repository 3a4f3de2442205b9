// Rotary language models: all layers alike, and with windows, bases and schedules.
import {
  alike,
  decoder,
  eight,
  full,
  globalBase,
  encoderDecoder,
  layer,
  learned,
  llama4,
  local,
  localBase,
  nested,
  pattern,
  proportional,
  rope,
  single,
  spec,
  text,
  times,
  rotating,
  two,
  window,
} from "./parts";

const plainly = { ...rotating, rope_scaling: { rope_type: "default" } };

// Rotary language models, all layers alike.
export const plain = {
  ...alike(
    "arcee eurobert exaone granite hunyuan_v1_dense llama mobilellm nomic_bert olmo olmo2 phi3 phi3_v qwen2 qwen2_moe qwen3 qwen3_moe solar_open stablelm starcoder2 mistral ministral llava_qwen2",
    { ...rotating, head_dim: 16, partial_rotary_factor: 1 },
    two(rope()),
  ),
  ...alike(
    "cohere ernie4_5 glm helium neobert roformer",
    { ...rotating, head_dim: 16, partial_rotary_factor: 1 },
    two(rope({ pairing: "interleaved" })),
  ),
  ...alike(
    "axk1 deepseek_v3 glm4_moe_lite longcat_flash youtu",
    { ...rotating, qk_rope_head_dim: 8, qk_nope_head_dim: 16 },
    two(rope({ dim: 8, pairing: "interleaved-to-half" })),
  ),
  ...alike(
    "axk2 deepseek_v32 glm_moe_dsa",
    { ...rotating, qk_rope_head_dim: 8 },
    times(2, layer("deepseek_sparse_attention", rope({ dim: 8, pairing: "interleaved-to-half" }))),
  ),
  // Their classes scale unless the config names parameters.
  ...alike("apertus ministral3", { ...plainly, head_dim: 16 }, two(rope())),
  ...single(
    "mistral4",
    { ...plainly, qk_rope_head_dim: 8, qk_nope_head_dim: 16 },
    two(rope({ dim: 8, pairing: "interleaved-to-half" })),
  ),
  ...single("falcon", { ...rotating, alibi: false }, two(rope())),
  ...single("esm", { ...rotating, position_embedding_type: "rotary" }, two(rope())),
  ...single("gemma", { ...rotating, head_dim: 32 }, two(rope({ dim: 32 }))),
  ...single("phi", { ...rotating, partial_rotary_factor: 0.5 }, two(rope({ rotaryDim: 8 }))),
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
  ...single("hrm_text", { ...rotating, num_layers_per_stack: 2, head_dim: 16 }, times(4, layer(full!, rope()))),
  ...alike("falcon_h1", { ...rotating, head_dim: 16 }, times(2, layer("hybrid", rope()))),
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
  ...single("nanochat", rotating, two(null, { note: /rotate the opposite way.*inverse/ })),
};

// Windows, bases, schedules.
export const mixed = {
  ...single("gemma2", eight, pattern(2, local(rope()), layer(full!, rope()))),
  ...single("vaultgemma", eight, pattern(2, local(rope()), layer(full!, rope()))),
  ...single("gpt_oss", { ...eight, ...plainly, num_hidden_layers: 8 }, pattern(2, local(rope()), layer(full!, rope()))),
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
    { ...rotating, num_hidden_layers: 8, use_sliding_window: false, sliding_window: null },
    pattern(4, layer(full!, rope()), layer(full!, null)),
  ),
  ...single(
    "llama4_text",
    { ...rotating, head_dim: 16, num_hidden_layers: 4, attention_chunk_size: 64, no_rope_layers: [] },
    pattern(
      4,
      layer("chunked_attention", rope({ pairing: "interleaved" }), { chunk: 64 }),
      layer(full!, null, { temperature: llama4 }),
      4,
    ),
  ),
  ...single("openai_privacy_filter", { ...plainly, head_dim: 16, sliding_window: 32 }, [
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
      ...rotating,
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
    ].map((one) => ({ ...one, note: /rotated back/ })),
  ),
};
