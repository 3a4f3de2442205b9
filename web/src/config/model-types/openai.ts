// OpenAI: GPT, Whisper, CLIP.
import * as images from "../rules/images.js";
import * as schedules from "../rules/schedules.js";
import * as text from "../rules/text.js";
import * as windows from "../rules/windows.js";
import { yarn } from "./shared.js";
import type { ModelTypes } from "./row.js";

export const openai: ModelTypes = () => ({
  clip: { text: "clip_text_model", vision: "clip_vision_model" },
  clip_text_model: { rule: text.learnedText() },
  clip_vision_model: { rule: images.learnedPatches(1) },
  gpt_oss: {
    pairing: "half",
    theta: 15e4,
    headDim: 64,
    rope: yarn(32, 4096, { truncate: false }),
    schedule: schedules.everyNth(2),
  },
  gpt2: { rule: text.learnedText() },
  "lite-whisper": { rule: text.whisper, counts: ["encoder_layers", "decoder_layers"] },
  "openai-gpt": { rule: text.learnedText() },
  openai_privacy_filter: {
    pairing: "interleaved",
    theta: 15e4,
    headDim: 64,
    rope: yarn(32, 4096, { truncate: false }),
    window: windows.onBothSides,
  },
  whisper: { rule: text.whisper, counts: ["encoder_layers", "decoder_layers"] },
});
