// Hugging Face: SmolLM, Idefics.
import * as images from "../rules/images.js";
import * as schedules from "../rules/schedules.js";
import * as second from "../rules/second.js";
import * as text from "../rules/text.js";
import type { ModelTypes } from "./row.js";

export const huggingFace: ModelTypes = () => ({
  distilbert: { rule: text.learnedText("dim") },
  idefics: { vision: "idefics_vision", pairing: "half", theta: 1e4 },
  idefics_vision: { rule: images.learnedPatches(1) },
  idefics2: { text: "mistral", vision: "idefics2_vision" },
  idefics3: { text: "llama", vision: "idefics3_vision", visionRule: images.learnedPatches(0) },
  idefics3_vision: {
    rule: images.learnedPatches(0),
    second: second.withNote("a patch's row is computed from fractional image coordinates"),
  },
  modernvbert: { text: "modernbert", vision: "siglip_vision_model" },
  smollm3: { pairing: "half", theta: 2e6, schedule: schedules.smollm3, windowOff: true, rotatesByList: true },
  smolvlm: { text: "llama", vision: "smolvlm_vision", visionRule: images.learnedPatches(0) },
  smolvlm_vision: {
    rule: images.learnedPatches(0),
    second: second.withNote("a patch's row is computed from fractional image coordinates"),
  },
  timm_backbone: { layers: "none" },
});
