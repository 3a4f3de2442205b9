// What the parts of a config are that need not say it.
import { typeOfPart } from "./parts.js";
import * as read from "./read.js";
import type { Json } from "../base/json.js";

// What the parts are whose configs need not say it: those of text, image, sound.
const implied: Record<string, string> = {
  gemma3: "gemma3_text siglip_vision_model",
  gemma3n: "gemma3n_text gemma3n_vision gemma3n_audio",
  gemma4: "gemma4_text gemma4_vision gemma4_audio",
  embedding_gemma2: "embedding_gemma2_text gemma4_vision gemma4_audio",
  llama4: "llama4_text llama4_vision_model",
  llava: "llama clip_vision_model",
  llava_onevision: "qwen2 siglip_vision_model",
  paligemma: "gemma siglip_vision_model",
  idefics3: "llama idefics3_vision",
  smolvlm: "llama smolvlm_vision",
  mistral3: "mistral pixtral",
  lighton_ocr: "qwen3 pixtral",
  lfm2_vl: "lfm2 siglip2_vision_model",
  qwen2_5_vl: "qwen2_5_vl_text qwen2_5_vl",
  qwen2_vl: "qwen2_vl_text qwen2_vl",
  qwen3_vl: "qwen3_vl_text qwen3_vl",
  qwen3_vl_moe: "qwen3_vl_moe_text qwen3_vl_moe",
  qwen3_5: "qwen3_5_text qwen3_5",
  qwen3_5_moe: "qwen3_5_moe_text qwen3_5_moe",
  glm_ocr: "glm_ocr_text glm_ocr_vision",
  florence2: "florence2_language davit",
  moondream1: "phi",
  multi_modality: "llama",
  ultravox: "llama - whisper",
  voxtral: "llama - voxtral_encoder",
  voxtral_realtime: "voxtral_realtime_text - voxtral_realtime_encoder",
  granite_speech: "granite - granite_speech_encoder",
  cohere_asr: "- - parakeet_encoder",
  parakeet_ctc: "- - parakeet_encoder",
  musicgen: "t5 - encodec",
};
const places = ["text", "vision", "audio"] as const;
/** What a part of a config may be about. */
export type Place = (typeof places)[number];

/** The config of a part, with what it is. */
export function withType(outer: Json, inner: Json, place: Place): Json {
  const type = read.modelType(outer);
  const named = read.lookUp(implied, type)?.split(" ")[places.indexOf(place)];
  return { ...inner, model_type: inner["model_type"] ?? named ?? typeOfPart(type, place) };
}
