// DeepSeek, and models with its latent attention: Kimi, LongCat, A.X K.
import * as schedules from "../rules/schedules.js";
import * as second from "../rules/second.js";
import type { ModelTypes } from "./row.js";

export const deepseek: ModelTypes = () => ({
  axk1: { pairing: "interleaved-to-half", theta: 1e4 },
  axk2: { pairing: "interleaved-to-half", theta: 1e4, fixedPairing: true, schedule: schedules.sparse },
  deepseek: { pairing: "half" },
  deepseek_ocr2: { text: "deepseek_ocr2_text", vision: "deepseek_ocr2_vision" },
  deepseek_ocr2_encoder: { pairing: "half", theta: 1e4, schedule: schedules.qwen, windowOff: true },
  deepseek_ocr2_text: { pairing: "half", theta: 1e4 },
  deepseek_v2: { pairing: "interleaved", theta: 1e4 },
  deepseek_v3: { pairing: "interleaved-to-half", theta: 1e4 },
  deepseek_v32: { pairing: "interleaved-to-half", theta: 1e4, fixedPairing: true, schedule: schedules.sparse },
  deepseek_v4: {
    pairing: "interleaved",
    theta: 1e4,
    headDim: 512,
    share: 0.125,
    rotaryStart: -1,
    headIncludesRotated: true,
    schedule: schedules.deepseekV4,
    second: second.withNote("attention outputs are rotated back by the query's angle"),
  },
  deepseek_vl: { text: "llama", vision: "siglip_vision_model" },
  deepseek_vl_hybrid: { text: "llama", vision: "siglip_vision_model" },
  janus: { text: "llama", vision: "janus_vision_model" },
  kimi_k2: { pairing: "interleaved-to-half" },
  kimi_k25: { text: "deepseek_v3", vision: "kimi_k25_vision" },
  kimi_k25_vision: { reason: "are rotations whose pairs belong to rows and columns alternately" },
  longcat_flash: { pairing: "interleaved-to-half", theta: 1e7, fixedPairing: true },
  multi_modality: { text: "llama" },
  youtu: { pairing: "interleaved-to-half", theta: 1e4 },
});
