// Texts with images, and sound.
import {
  alike,
  clip,
  decoder,
  encoder,
  full,
  encoderDecoder,
  images,
  layer,
  learned,
  linear,
  local,
  pattern,
  qwenText,
  qwenVision,
  qwenVl,
  rope,
  sine,
  single,
  sound,
  spec,
  stages,
  text,
  times,
  translator,
  rotating,
  two,
  vision,
  vit,
  whisper,
} from "./parts";

// Texts with images, and sound.
export const media = {
  ...alike("clip clipseg groupvit owlvit owlv2", clip, []),
  ...single("siglip", clip, [...two(learned(77)), ...vision(two(learned(16)))]),
  ...single("chinese_clip", clip, [...two(learned(77)), ...vision(two(learned(17)))]),
  ...alike("llava", { text_config: rotating, vision_config: vit() }, [
    ...two(rope({ base: 50000 })),
    ...vision(two(learned(17))),
  ]),
  ...single("llava_onevision", { text_config: rotating, vision_config: vit() }, [
    ...two(rope()),
    ...vision(two(learned(16))),
  ]),
  ...single("paligemma", { text_config: { ...rotating, head_dim: 16 }, vision_config: vit() }, [
    ...two(rope()),
    ...vision(two(learned(16))),
  ]),
  ...alike("idefics3 smolvlm", { text_config: rotating, vision_config: vit() }, [
    ...two(rope()),
    ...vision(two(learned(16), { note: /fractional image coordinates/ })),
  ]),
  ...alike(
    "mistral3 lighton_ocr",
    { text_config: { ...rotating, head_dim: 16 }, vision_config: { ...vit(), rope_theta: 10000 } },
    [...two(rope()), ...vision(two(spec("rope-axial", { dim: 16, base: 10000, form: "strided" })))],
  ),
  ...single(
    "lfm2_vl",
    { text_config: { ...rotating, layer_types: ["conv", full] }, vision_config: { ...vit(), num_patches: 256 } },
    [...[layer("conv", null), layer(full!, rope())], ...vision(two(learned(256), { note: /resized/ }))],
  ),
  ...single(
    "florence2",
    { text_config: { model_type: "florence2_language", ...translator }, vision_config: { model_type: "davit" } },
    [
      ...encoderDecoder(encoder(learned(130, 64, 2)), decoder(learned(130, 64, 2))),
      ...vision([layer("unknown", null, { note: /DaViT/ })]),
    ],
  ),
  ...single("moondream1", { phi_config: { ...rotating, partial_rotary_factor: 0.5 } }, two(rope({ rotaryDim: 8 }))),
  ...single(
    "multi_modality",
    { language_config: { model_type: "llama", ...rotating }, vision_config: { cls: "CLIPVisionTower", params: {} } },
    [...two(rope()), ...vision([layer("unknown", null, { note: /does not describe the layers/ })])],
  ),
  ...single(
    "glm_ocr",
    {
      text_config: { ...rotating, rope_parameters: { rope_type: "default", mrope_section: [4, 2, 2] } },
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
      text_config: { model_type: "llama", ...rotating },
      audio_config: { model_type: "whisper", d_model: 64, encoder_layers: 2 },
    },
    [...two(rope()), ...sound(two(sine({ frequencyShift: 1 })))],
  ),
  ...single("voxtral", { text_config: rotating, audio_config: { hidden_size: 64, num_hidden_layers: 2 } }, [
    ...two(rope()),
    ...sound(two(sine({ frequencyShift: 1 }))),
  ]),
  ...single(
    "voxtral_realtime",
    {
      text_config: { ...rotating, head_dim: 16, sliding_window: 32 },
      audio_config: { ...rotating, head_dim: 16, sliding_window: 24 },
    },
    [...times(2, local(rope())), ...sound(times(2, local(rope(), 24)))],
  ),
  ...single(
    "granite_speech",
    {
      text_config: rotating,
      encoder_config: { hidden_dim: 64, num_layers: 2, num_heads: 4, dim_head: 16, max_pos_emb: 512 },
    },
    [
      ...two(rope()),
      ...times(
        2,
        encoder(spec("shaw", { dim: 16, maxDistance: 512, withValues: false }), { chunk: 200, note: /reverse/ }),
      ),
    ],
  ),
  ...single(
    "clap",
    {
      text_config: { ...text, pad_token_id: 1 },
      audio_config: { num_attention_heads: [2, 4], depths: [2, 1], window_size: 4 },
    },
    [...two(learned(128, 64, 2)), ...sound(stages)],
  ),
  ...single("mimi", { ...rotating, head_dim: 16, sliding_window: 24 }, [
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
    two(spec("shaw", { dim: 16, maxDistance: 5 }), { note: /row of zeros/ }),
  ),
  ...alike("patchtst patchtsmixer", { d_model: 64, num_hidden_layers: 2 }, two(null, { note: /mean 0/ })),
  ...alike("snac fastvit", {}, [layer("unknown", null, { note: /posenc has no kind/ })]),
};

for (const type of ["clip", "clipseg", "owlvit", "owlv2"] as const)
  media[type]!.layers = [...two(learned(77)), ...vision(two(learned(17)))];
media["groupvit"]!.layers = [...two(learned(77)), ...vision(two(learned(16)))];
