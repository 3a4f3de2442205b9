// NVIDIA: Nemotron, Parakeet, Cosmos.
import * as images from "../rules/images.js";
import * as schedules from "../rules/schedules.js";
import * as text from "../rules/text.js";
import * as unrotated from "../rules/unrotated.js";
import type { ModelTypes } from "./row.js";

export const nvidia: ModelTypes = () => ({
  audioflamingo3: { text: "qwen2", audio: "audioflamingo3_encoder" },
  audioflamingo3_encoder: {
    reason: "are rotations of sound features by time; pass its text_config for the language model",
  },
  cosmos3_edge: { text: "cosmos3_edge_text", vision: "cosmos3_edge_vision" },
  cosmos3_edge_text: {
    pairing: "half",
    theta: 1e8,
    headDim: 128,
    rope: { rope_type: "default", mrope_section: [24, 20, 20] },
    interleavedSections: true,
    needsSections: true,
  },
  cosmos3_edge_vision: { reason: "are a learned grid that is resized" },
  cosmos3_omni: { text: "qwen3_vl_text", vision: "qwen3_vl_vision" },
  groupvit: { text: "groupvit_text_model", vision: "groupvit_vision_model" },
  groupvit_text_model: { rule: text.learnedText() },
  groupvit_vision_model: { rule: images.learnedPatches(0), isUnstaged: true },
  musicflamingo: {
    text: "qwen2",
    audio: "audioflamingo3_encoder",
    reason: "are rotations of sound features by time; pass its text_config for the language model",
  },
  nemotron: { pairing: "half", theta: 1e4, share: 0.5 },
  nemotron_h: { schedule: schedules.nemotron, isUnrotated: unrotated.always },
  "nemotron-nas": { pairing: "half" },
  parakeet_ctc: { audio: "parakeet_encoder" },
  parakeet_encoder: { rule: text.parakeet },
  segformer: { layers: "none" },
});
