// Mistral: Mistral, Mixtral, Pixtral, Voxtral.
import * as images from "../rules/images.js";
import * as text from "../rules/text.js";
import { yarn } from "./shared.js";
import type { ModelTypes } from "./row.js";

const ministral = { mscale: 1, mscale_all_dim: 1, llama_4_scaling_beta: 0.1 };

export const mistral: ModelTypes = () => ({
  lighton_ocr: { text: "qwen3", vision: "pixtral" },
  ministral: { pairing: "half", theta: 1e4 },
  ministral3: { pairing: "half", theta: 1e6, headDim: 128, rope: yarn(16, 16384, ministral) },
  mistral: { pairing: "half", theta: 1e4 },
  mistral3: { text: "mistral", vision: "pixtral" },
  mistral4: { pairing: "interleaved-to-half", theta: 1e4, rope: yarn(128, 8192, ministral) },
  mixtral: { pairing: "half", theta: 1e6 },
  pixtral: { rule: images.pixtral },
  voxtral: { text: "llama", audio: "voxtral_encoder" },
  voxtral_encoder: { rule: text.sinusoids({ frequencyShift: 1 }) },
  voxtral_realtime: { text: "voxtral_realtime_text", audio: "voxtral_realtime_encoder" },
  voxtral_realtime_encoder: { pairing: "half", headDim: 64 },
  voxtral_realtime_text: { pairing: "half", theta: 1e4 },
});
