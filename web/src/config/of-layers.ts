// Fields of configs about single layers or about attention: one encoding does not express them, `layerSpecs` does.
/** Fields that are listed whenever they are given. */
export const ownFields = [
  "layer_rope_theta",
  "partial_rotary_factors",
  "no_rope_layers",
  "no_rope_layer_interval",
  "local_attention",
  "attention_chunk_size",
  "rotary_scaling_factor",
  "dual_chunk_attention_config",
  "use_logn_attn",
];

/** All fields that `ignoredBy` lists. */
export const fieldsOfLayers: ReadonlySet<string> = new Set([
  ...ownFields,
  "attn_temperature_tuning",
  "layer_types",
  "llama_4_scaling_beta",
  "position_biased_input",
  "relative_attention_num_buckets",
  "sliding_window",
]);
