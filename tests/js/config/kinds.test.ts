// Configs of models that do not turn in one dimension: learned tables, biases, relative attention, several axes.
import { describe, expect, it } from "vitest";
import { loosely, pe } from "../helpers/library";

const image = { hidden_size: 768, image_size: 224, patch_size: 16 };
const rope = { hidden_size: 4096, num_attention_heads: 32, head_dim: 128, rope_theta: 1e6 };
const deberta = { hidden_size: 768, num_attention_heads: 12, max_position_embeddings: 512, relative_attention: true };
const swin = { model_type: "swin", num_heads: [3, 6, 12, 24], window_size: 7 };

const learned = (length: number, dim: number, start = 0) => ({ kind: "learned", length, dim, start });
const text = (model_type: string, length = 512) => ({ model_type, hidden_size: 768, max_position_embeddings: length });

type Row = [config: object, expected: { kind: string; [field: string]: unknown }, layerType?: string];
const rows: Row[] = [
  [text("bert"), learned(512, 768)],
  [{ model_type: "inkling_text" }, { kind: "inkling", relativeDim: 16, extent: 1024 }, "hybrid"],
  [
    { model_type: "inkling_mm_model", text_config: { d_rel: 8, sliding_window_size: 128 } },
    { kind: "inkling", relativeDim: 8, extent: 128 },
    "hybrid_sliding",
  ],
  [text("roberta", 514), learned(514, 768, 2)],
  [{ ...text("xlm-roberta", 514), pad_token_id: 1 }, learned(514, 768, 2)],
  [{ ...text("camembert", 516), pad_token_id: 3 }, learned(516, 768, 4)],
  [{ ...text("esm", 1026), pad_token_id: 1, position_embedding_type: "absolute" }, learned(1026, 768, 2)],
  [text("longformer", 4098), learned(4098, 768, 2)],
  [text("opt", 2048), learned(2050, 768, 2)],
  [text("biogpt", 1024), learned(1026, 768, 2)],
  [{ model_type: "bart", d_model: 768, max_position_embeddings: 1024 }, learned(1026, 768, 2)],
  [{ model_type: "mbart", d_model: 1024, max_position_embeddings: 1024 }, learned(1026, 1024, 2)],
  [{ ...text("albert"), embedding_size: 128 }, learned(512, 128)],
  [{ model_type: "distilbert", dim: 768, max_position_embeddings: 512 }, learned(512, 768)],
  [{ model_type: "gpt2", n_embd: 768, n_positions: 1024 }, learned(1024, 768)],
  [{ model_type: "vit", ...image }, learned(197, 768)],
  [{ model_type: "vit", ...image, image_size: [224, 448] }, learned(393, 768)],
  [{ model_type: "deit", ...image }, learned(198, 768)],
  [{ model_type: "dinov2", ...image, image_size: 518, patch_size: 14 }, learned(1370, 768)],
  [{ model_type: "clip", text_config: text(""), vision_config: image }, learned(197, 768), "vision"],
  [{ model_type: "clip", text_config: { hidden_size: 512, max_position_embeddings: 77 } }, learned(77, 512)],
  [{ model_type: "siglip", vision_config: image }, learned(196, 768), "vision"],
  [{ model_type: "whisper", d_model: 384, max_target_positions: 448 }, learned(448, 384), "decoder"],
  [{ model_type: "mpt", d_model: 64, max_seq_len: 128, attn_config: { alibi: false } }, learned(128, 64)],
  [
    { ...text("bert"), num_attention_heads: 12, position_embedding_type: "alibi" },
    { kind: "alibi", heads: 12 },
  ],
  [
    { ...text("bert"), num_attention_heads: 12, position_embedding_type: "relative_key" },
    { kind: "shaw", dim: 64, maxDistance: 511, withValues: false },
  ],
  [
    { model_type: "t5", num_heads: 8, relative_attention_num_buckets: 32 },
    { kind: "t5", heads: 8, buckets: 32, maxDistance: 128, bidirectional: true },
  ],
  [
    { model_type: "mt5", num_heads: 6, relative_attention_num_buckets: 64, relative_attention_max_distance: 256 },
    { kind: "t5", heads: 6, buckets: 64, maxDistance: 256, bidirectional: false },
    "decoder",
  ],
  [
    { ...swin, model_type: "swinv2", window_size: 8, pretrained_window_sizes: [0, 0, 12, 6] },
    { kind: "swin-v2", heads: 12, windowHeight: 8, windowWidth: 8, pretrainedHeight: 12, pretrainedWidth: 12 },
    "stage3",
  ],
  // The last stage of 256 / 4 patches sees 8 × 8 of them, whatever the window.
  [
    { ...swin, model_type: "swinv2", window_size: 16, image_size: 256, patch_size: 4 },
    { kind: "swin-v2", heads: 24, windowHeight: 8, windowWidth: 8 },
    "stage4",
  ],
  [
    { model_type: "chatglm", hidden_size: 4096, num_attention_heads: 32, position_encoding_2d: true },
    { kind: "rope-axial", dim: 128, base: 10000, axes: 2, separateAxes: true, float16Frequencies: true },
  ],
  [{ ...swin }, { kind: "swin", heads: 12, windowHeight: 7, windowWidth: 7 }, "stage3"],
  [
    { model_type: "beit", ...image, num_attention_heads: 12, use_relative_position_bias: true },
    { kind: "swin", heads: 12, windowHeight: 14, windowWidth: 14, classToken: true },
  ],
  [
    { model_type: "deberta", ...deberta, pos_att_type: "c2p|p2c" },
    { kind: "deberta", dim: 64, heads: 12 },
  ],
  [
    { model_type: "transfo-xl", d_model: 1024, n_head: 16, d_head: 64, clamp_len: 1000 },
    { kind: "transformer-xl", dim: 64, heads: 16, modelDim: 1024, clampLength: 1000 },
  ],
  [
    { model_type: "xlnet", d_model: 768, n_head: 12, d_head: 64, clamp_len: -1 },
    { kind: "transformer-xl", dim: 64, heads: 12, modelDim: 768, clampLength: 0 },
  ],
  [
    {
      ...{ model_type: "wav2vec2-bert", hidden_size: 1024, num_attention_heads: 16 },
      ...{
        position_embeddings_type: "relative_key",
        left_max_position_embeddings: 64,
        right_max_position_embeddings: 8,
      },
    },
    { kind: "shaw", dim: 64, maxLeft: 64, maxRight: 8, withValues: false },
  ],
  [
    {
      ...{ ...rope, num_key_value_heads: 8, max_position_embeddings: 262144 },
      rope_scaling: { rope_type: "default", fope_sep_head: true, fope_init_factor: 0.5, num_inv_freq: null },
    },
    { kind: "fope", dim: 128, heads: 8, length: 262144, gain: 0.5, base: 1e6 },
  ],
  [
    {
      ...rope,
      max_position_embeddings: 4096,
      rope_parameters: { rope_type: "default", fope_sep_head: false, num_inv_freq: 20 },
    },
    { kind: "fope", heads: 0, length: 4096, inputDim: 20 },
  ],
  [
    { ...rope, rope_scaling: { type: "mrope", mrope_section: [16, 24, 24] } },
    { kind: "rope-mrope", sections: [16, 24, 24], interleavedSections: false, base: 1e6 },
  ],
  [
    { ...rope, rope_parameters: { rope_type: "default", mrope_section: [24, 20, 20], mrope_interleaved: true } },
    { kind: "rope-mrope", sections: [24, 20, 20], interleavedSections: true },
  ],
  [
    { ...rope, model_type: "qwen3_vl_text", rope_scaling: { rope_type: "default", mrope_section: [24, 20, 20] } },
    { kind: "rope-mrope", interleavedSections: true },
  ],
  [
    {
      ...rope,
      rope_scaling: { type: "yarn", factor: 4, original_max_position_embeddings: 32768, mrope_section: [16, 24, 24] },
    },
    { kind: "rope-yarn", factor: 4, sections: [16, 24, 24] },
  ],
  [
    { model_type: "qwen2_vl", vision_config: { embed_dim: 1280, hidden_size: 3584, num_heads: 16 } },
    { kind: "rope-axial", dim: 80, base: 10000, pairing: "half" },
    "vision",
  ],
  [
    { vision_config: { model_type: "pixtral", head_dim: 64, rope_theta: 10000 } },
    { kind: "rope-axial", dim: 64, form: "strided" },
    "vision",
  ],
  [
    { model_type: "pixtral", head_dim: 64, rope_parameters: { rope_type: "default", rope_theta: 20000 } },
    { kind: "rope-axial", dim: 64, base: 20000, form: "strided" },
  ],
  [
    { model_type: "dinov3_vit", hidden_size: 384, num_attention_heads: 6 },
    { kind: "rope-axial", dim: 64, base: 100, coordinates: "centres" },
  ],
  [
    { model_type: "detr", d_model: 256 },
    { kind: "sinusoidal-2d", dim: 256, start: 1, normalize: true, axisOrder: "yx" },
  ],
  [
    { model_type: "vit_mae", ...image },
    { kind: "sinusoidal-2d", dim: 768, pairing: "concat", axisOrder: "xy" },
  ],
  [
    { model_type: "sam", prompt_encoder_config: { hidden_size: 256 } },
    { kind: "fourier", dim: 256, inputs: 2, form: "gaussian", coordinates: "centres", axisOrder: "xy" },
  ],
  [{ model_type: "sam", vision_config: { ...image, image_size: 1024 } }, learned(4096, 768), "vision"],
];

describe("models that do not turn in one dimension", () => {
  it.each(rows)("%j: %j", (config, expected, layerType) => {
    const options = layerType === undefined ? {} : { layerType };
    const { spec } = loosely(pe.fromConfig(config, options));
    expect({ ...spec, sections: spec.sections && [...spec.sections] }).toMatchObject(expected);
  });
});
