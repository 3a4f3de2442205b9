// IBM: Granite.
import * as schedules from "../rules/schedules.js";
import * as second from "../rules/second.js";
import * as text from "../rules/text.js";
import * as unrotated from "../rules/unrotated.js";
import * as windows from "../rules/windows.js";
import type { ModelTypes } from "./row.js";

export const ibm: ModelTypes = () => ({
  bamba: { pairing: "half", theta: 1e4, share: 0.5, schedule: schedules.bamba },
  granite: { pairing: "half", theta: 1e4 },
  granite_speech: { text: "granite", audio: "granite_speech_encoder" },
  granite_speech_encoder: {
    rule: text.graniteSpeech,
    second: second.withNote("rel_pos_emb has the opposite row order: load it reversed"),
    chunk: windows.contextChunk,
  },
  granite_swa: { pairing: "half", theta: 1e4, schedule: schedules.firstOfFour },
  granite4_vision: { text: "llama", vision: "siglip_vision_model" },
  granite4_vision_text: { pairing: "half", theta: 1e4 },
  granitemoe: { pairing: "half", theta: 1e4 },
  granitemoe_swa: { pairing: "half", theta: 1e4, schedule: schedules.firstOfFour },
  granitemoehybrid: {
    pairing: "half",
    theta: 1e4,
    schedule: schedules.always("mamba"),
    isUnrotated: unrotated.withoutRopeType,
  },
  granitemoeshared: { pairing: "half", theta: 1e4 },
  patchtsmixer: { reason: "are scaled to mean 0 before they are added" },
  patchtst: { reason: "are scaled to mean 0 before they are added" },
});
