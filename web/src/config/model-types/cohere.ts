// Cohere: Command, Aya.
import * as images from "../rules/images.js";
import * as schedules from "../rules/schedules.js";
import * as text from "../rules/text.js";
import * as unrotated from "../rules/unrotated.js";
import { qwen3VlSections } from "./shared.js";
import type { ModelTypes } from "./row.js";

export const cohere: ModelTypes = () => ({
  aya_vision: { text: "cohere2", vision: "siglip_vision_model" },
  cohere: { pairing: "interleaved" },
  cohere_asr: { audio: "parakeet_encoder", rule: text.learnedText() },
  cohere_compass: { text: "cohere_compass_text", vision: "cohere_compass_vision" },
  cohere_compass_text: { pairing: "half", headDim: 128, ...qwen3VlSections },
  cohere_compass_vision: { rule: images.qwenVision },
  cohere2: {
    pairing: "interleaved",
    theta: 1e4,
    schedule: schedules.everyNthOrGiven(4),
    rotatesLocally: unrotated.always,
  },
  cohere2_moe: {
    pairing: "interleaved",
    theta: 1e4,
    headDim: 128,
    schedule: schedules.cohereExperts,
    rotatesLocally: unrotated.always,
    rotatesAnyway: schedules.rotatesAsDense,
  },
  cohere2_vision: { text: "cohere2", vision: "siglip_vision_model" },
});
