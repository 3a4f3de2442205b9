// Model types of the parts of a config that do not name them.
import { invalid } from "../base/errors.js";
import { asObject, type Json } from "../base/json.js";
import { textOf, typeOfPart } from "./parts.js";
import * as read from "./read.js";

// The implied types of a model's parts: text, image, audio.
const implied: Record<string, string> = {
  aria: "aria_text idefics3_vision",
  audioflamingo3: "qwen2 - audioflamingo3_encoder",
  aya_vision: "cohere2 siglip_vision_model",
  blt: "blt_global_transformer - blt_local_encoder",
  clvp: "clvp_encoder",
  cohere2_vision: "cohere2 siglip_vision_model",
  cohere_asr: "- - parakeet_encoder",
  cohere_compass: "cohere_compass_text cohere_compass_vision",
  colpali: "gemma siglip_vision_model",
  cosmos3_edge: "cosmos3_edge_text cosmos3_edge_vision",
  cosmos3_omni: "qwen3_vl_text qwen3_vl_vision",
  deepseek_ocr2: "deepseek_ocr2_text deepseek_ocr2_vision",
  deepseek_vl: "llama siglip_vision_model",
  deepseek_vl_hybrid: "llama siglip_vision_model",
  dia: "dia_decoder - dia_encoder",
  diffusion_gemma: "diffusion_gemma_text",
  embedding_gemma2: "embedding_gemma2_text gemma4_vision gemma4_audio",
  emu3: "emu3_text_model",
  ernie4_5_vl_moe: "ernie4_5_vl_moe_text ernie4_5_vl_moe_vision",
  exaone4_5: "exaone4 exaone4_5_vision",
  fast_vlm: "qwen2",
  florence2: "florence2_language davit",
  fuyu: "persimmon",
  gemma3: "gemma3_text siglip_vision_model",
  gemma3n: "gemma3n_text gemma3n_vision gemma3n_audio",
  gemma4: "gemma4_text gemma4_vision gemma4_audio",
  gemma4_unified: "gemma4_unified_text",
  glm46v: "glm4v_text glm4v_vision",
  glm4v: "glm4v_text glm4v_vision",
  glm4v_moe: "glm4v_moe_text glm4v_moe_vision",
  glm_image: "glm_image_text glm_image_vision",
  glm_ocr: "glm_ocr_text glm_ocr_vision",
  glmasr: "llama - glmasr_encoder",
  glmga: "glm4v_text glm4v_vision",
  got_ocr2: "qwen2",
  granite4_vision: "llama siglip_vision_model",
  granite_speech: "granite - granite_speech_encoder",
  hunyuan_vl: "hunyuan_vl_text hunyuan_vl_vision",
  idefics: "- idefics_vision",
  idefics2: "mistral idefics2_vision",
  idefics3: "llama idefics3_vision",
  internvl: "qwen2 internvl_vision",
  janus: "llama janus_vision_model",
  kimi_k25: "deepseek_v3 kimi_k25_vision",
  lasr_ctc: "- - lasr_encoder",
  lfm2_vl: "lfm2 siglip2_vision_model",
  lighton_ocr: "qwen3 pixtral",
  llama4: "llama4_text llama4_vision_model",
  llava: "llama clip_vision_model",
  llava_next: "llama clip_vision_model",
  llava_next_video: "llama clip_vision_model",
  llava_onevision: "qwen2 siglip_vision_model",
  minicpmv4_6: "qwen3_5_text minicpmv4_6_vision",
  minimax_m3_vl: "minimax_m3_vl_text minimax_m3_vl_vision",
  mistral3: "mistral pixtral",
  mllama: "mllama_text_model mllama_vision_model",
  modernvbert: "modernbert siglip_vision_model",
  moondream1: "phi",
  multi_modality: "llama",
  muse_glimmer: "muse_glimmer_text muse_glimmer_vision",
  musicgen: "t5 - encodec",
  musicflamingo: "qwen2 - audioflamingo3_encoder",
  ovis2: "qwen2",
  paddleocr_vl: "paddleocr_vl_text paddleocr_vl_vision",
  paligemma: "gemma siglip_vision_model",
  parakeet_ctc: "- - parakeet_encoder",
  pe_audio: "modernbert - pe_audio_encoder",
  perception_lm: "llama",
  phi4_multimodal: "- phi4_multimodal_vision phi4_multimodal_audio",
  qianfan_ocr: "qwen3 qianfan_ocr_vision",
  qwen2_5_omni_thinker: "qwen2_5_omni_text qwen2_5_omni_vision_encoder qwen2_5_omni_audio_encoder",
  qwen2_5_vl: "qwen2_5_vl_text qwen2_5_vl",
  qwen2_audio: "qwen2 - qwen2_audio_encoder",
  qwen2_vl: "qwen2_vl_text qwen2_vl",
  qwen3_5: "qwen3_5_text qwen3_5",
  qwen3_5_moe: "qwen3_5_moe_text qwen3_5_moe",
  qwen3_asr: "qwen3 - qwen3_asr_encoder",
  qwen3_omni_moe_thinker: "qwen3_omni_moe_text qwen3_omni_moe_vision_encoder qwen3_omni_moe_audio_encoder",
  qwen3_vl: "qwen3_vl_text qwen3_vl",
  qwen3_vl_moe: "qwen3_vl_moe_text qwen3_vl_moe",
  shieldgemma2: "gemma3_text siglip_vision_model",
  smolvlm: "llama smolvlm_vision",
  step3p7: "step3p5 step3p5_vision",
  t5gemma: "t5_gemma_module t5_gemma_module",
  t5gemma2: "t5gemma2_decoder t5gemma2_encoder",
  t5gemma2_encoder: "t5gemma2_text",
  ultravox: "llama - whisper",
  vibevoice_asr: "qwen2",
  video_llama_3: "qwen2 video_llama_3_vision",
  video_llava: "llama clip_vision_model",
  vipllava: "llama clip_vision_model",
  voxtral: "llama - voxtral_encoder",
  voxtral_realtime: "voxtral_realtime_text - voxtral_realtime_encoder",
};
const modalities = ["text", "vision", "audio"] as const;
/** Kinds of parts of a config. */
export type Modality = (typeof modalities)[number];

const impliedType = (type: string, modality: Modality): string | undefined => {
  const name = read.lookUp(implied, type)?.split(" ")[modalities.indexOf(modality)];
  return name === "-" ? undefined : name;
};

/** Returns the model type of the text part, for configs that describe it without a separate part. */
export const textTypeOf = (type: string): string => impliedType(type, "text") ?? type;

/** Returns the config of a part, with its model type. */
export function withType(outer: Json, inner: Json, modality: Modality): Json {
  const type = read.modelType(outer);
  return { ...inner, model_type: inner["model_type"] ?? impliedType(type, modality) ?? typeOfPart(type, modality) };
}

/** Returns the language model inside a config, which may be a part of a part (Qwen 2.5 Omni's thinker). */
export function textIn(outer: Json): Json | undefined {
  let model: Json | undefined;
  for (let inner = textOf(outer); inner; inner = textOf(model)) model = withType(model ?? outer, inner, "text");
  return model;
}

/** Returns the requested part of a multimodal config. */
export function partOf(outer: Json, vision: boolean): Json {
  if (!vision) return textIn(outer) ?? outer;
  const inner = asObject(outer["vision_config"]);
  if (!inner) throw invalid("vision_config", "is missing from the config");
  return withType(outer, inner, "vision");
}
