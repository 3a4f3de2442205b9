// Zhipu: GLM.
import * as images from "../rules/images.js";
import * as schedules from "../rules/schedules.js";
import * as text from "../rules/text.js";
import type { ModelTypes } from "./row.js";

export const zhipu: ModelTypes = () => ({
  chatglm: { pairing: "interleaved", theta: 1e4, share: 0.5, rule: text.chatGlm },
  glm: { pairing: "interleaved", theta: 1e4, headDim: 128, share: 0.5 },
  glm_image: { text: "glm_image_text", vision: "glm_image_vision" },
  glm_image_text: { pairing: "half", theta: 1e4, sections: [8, 12, 12] },
  glm_image_vision: { reason: "are a learned grid that is resized" },
  glm_moe_dsa: { pairing: "interleaved-to-half", theta: 1e4, fixedPairing: true, schedule: schedules.sparse },
  glm_ocr: { text: "glm_ocr_text", vision: "glm_ocr_vision" },
  glm_ocr_text: { pairing: "interleaved", theta: 1e4, sections: [8, 12, 12] },
  glm_ocr_vision: { rule: images.qwenVision },
  glm4: { pairing: "interleaved", theta: 1e4, headDim: 128, share: 0.5 },
  glm4_moe: { pairing: "half", theta: 1e4, share: 0.5 },
  glm4_moe_lite: { pairing: "interleaved-to-half", theta: 1e4 },
  glm46v: { text: "glm4v_text", vision: "glm4v_vision" },
  glm4v: { text: "glm4v_text", vision: "glm4v_vision" },
  glm4v_moe: { text: "glm4v_moe_text", vision: "glm4v_moe_vision" },
  glm4v_moe_text: { pairing: "half", theta: 1e4, share: 0.5, sections: [8, 12, 12] },
  glm4v_moe_vision: { rule: images.qwenVision },
  glm4v_text: { pairing: "interleaved", theta: 1e4, sections: [8, 12, 12] },
  glm4v_vision: { rule: images.qwenVision },
  glmasr: { text: "llama", audio: "glmasr_encoder" },
  glmasr_encoder: { pairing: "half", theta: 1e4, share: 0.5 },
  glmga: { text: "glm4v_text", vision: "glm4v_vision" },
});
