// Microsoft: Phi, DeBERTa, Swin, Florence.
import * as images from "../rules/images.js";
import * as second from "../rules/second.js";
import * as text from "../rules/text.js";
import { queryPositions } from "./shared.js";
import type { ModelTypes } from "./row.js";

export const microsoft: ModelTypes = () => ({
  beit: { rule: images.beit, second: second.beit },
  biogpt: { rule: text.learnedAfterTwo },
  bitnet: { pairing: "half", theta: 5e5 },
  davit: { reason: "are DaViT's: convolutions, a learned grid, and frames" },
  deberta: { rule: text.deberta, second: second.deberta },
  "deberta-v2": { rule: text.deberta, second: second.deberta },
  diffllama: { pairing: "half", theta: 1e4 },
  "donut-swin": { rule: images.swin() },
  florence_vision: { reason: "are DaViT's: convolutions, a learned grid, and frames" },
  florence2: { text: "florence2_language", vision: "davit" },
  florence2_language: { rule: text.learnedAfterTwo, counts: ["encoder_layers", "decoder_layers"], hasBothHalves: true },
  florence2_vision: { reason: "are DaViT's: convolutions, a learned grid, and frames" },
  "maskformer-swin": { rule: images.swin() },
  mpnet: { rule: text.learnedAfterPadding(1), second: second.mpnet, unexpressed: "relative_attention_num_buckets" },
  phi: { pairing: "half", theta: 1e4, share: 0.5 },
  phi3: { pairing: "half", theta: 1e4 },
  phi3_v: { pairing: "half" },
  phi4_multimodal: { vision: "phi4_multimodal_vision", audio: "phi4_multimodal_audio", pairing: "half", theta: 1e4 },
  phi4_multimodal_audio: { reason: "are T5's buckets and a conformer's convolutions" },
  phi4_multimodal_vision: { reason: "are a learned grid that is resized" },
  phimoe: { pairing: "half", theta: 1e6 },
  resnet: { layers: "none" },
  speecht5: {
    reason: "are convolutions, sinusoids, a scaled sinusoid and Shaw's",
    counts: ["encoder_layers", "decoder_layers"],
  },
  swin: { rule: images.swin() },
  swin2sr: { rule: images.swinV2(false) },
  swinv2: { rule: images.swinV2() },
  "table-transformer": { rule: images.detr, counts: ["encoder_layers", "decoder_layers"], decoderNote: queryPositions },
  trocr: { rule: text.trocr },
  unispeech: { reason: "come from a convolution" },
  "unispeech-sat": { reason: "come from a convolution" },
  vibevoice_asr: { text: "qwen2" },
  wavlm: { reason: "come from a convolution and from T5's buckets, gated by queries" },
});
