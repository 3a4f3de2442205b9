// Image encoders.
import {
  alike,
  decoder,
  encoder,
  dinov2,
  images,
  layer,
  learned,
  rope,
  single,
  spec,
  stages,
  swin,
  text,
  times,
  two,
  vision,
  vit,
  window,
} from "./parts";

// Images.
export const vision1 = {
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
      encoder_layers: 1,
      decoder_layers: 1,
    },
    [
      ...two(learned(128)),
      ...vision(stages),
      encoder(null, { note: /deformable/ }),
      decoder(null, { note: /deformable/ }),
    ],
  ),
  ...single(
    "sam",
    { vision_config: vit(), prompt_encoder_config: { hidden_size: 64 } },
    vision(two(learned(16), { note: /use_rel_pos/ })),
  ),
  ...single(
    "swin2sr",
    { ...swin, depths: [1, 1] },
    vision([
      layer("stage1", spec("swin-v2", { heads: 2, windowHeight: 4, windowWidth: 4 })),
      layer("stage2", spec("swin-v2", { heads: 4, windowHeight: 4, windowWidth: 4 })),
    ]),
  ),
  ...alike("sam2 sam3_tracker edgetam vitmatte", {}, vision([layer("unknown", null, { note: /posenc has no kind/ })])),
};
