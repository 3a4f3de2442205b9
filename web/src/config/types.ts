// The rules that read model types, and the types that posenc has no kind for.
import { PosencError } from "../base/errors.js";
import type { Spec } from "../base/specs.gen.js";
import * as images from "./images.js";
import * as others from "./others.js";
import { learnedAfterPadding, learnedAfterTwo, learnedText, sinusoidal, type Choice, type Rule } from "./others.js";
import { learnedPatches } from "./images.js";
import * as read from "./read.js";
import type { Json } from "../base/json.js";

type Rows<T> = readonly (readonly [T, string])[];

/** Expands rows of one value and its model types. */
const byType = <T>(rows: Rows<T>): Record<string, T> =>
  Object.fromEntries(rows.flatMap(([value, types]) => types.split(" ").map((type) => [type, value])));

// Image encoders with the same type name as their language models.
const visionRules = (): Record<string, Rule> =>
  byType([
    [images.qwenVision, "qwen2_vl qwen2_5_vl qwen3_vl qwen3_vl_moe qwen3_5 qwen3_5_moe exaone4_5"],
    [learnedPatches(0), "sam idefics3 smolvlm"],
  ]);

const rules = (): Record<string, Rule> =>
  byType([
    [images.pixtral, "pixtral"],
    [images.llama4Vision, "llama4_vision_model"],
    [images.dinov3, "dinov3_vit eomt_dinov3 sapiens2"],
    [images.gemma4Vision, "gemma4_vision"],
    [
      images.qwenVision,
      "cohere_compass_vision ernie4_5_vl_moe_vision exaone4_5_vision glm4v_moe_vision glm4v_vision glm_ocr_vision paddleocr_vl_vision qwen2_5_omni_vision_encoder qwen2_5_vl_vision qwen2_vl_vision qwen3_5_moe_vision qwen3_5_vision qwen3_omni_moe_vision_encoder qwen3_vl_moe_vision qwen3_vl_vision step3p5_vision video_llama_3_vision",
    ],
    [images.museVision, "muse_glimmer_vision"],
    [images.detr, "detr table-transformer"],
    [images.sineGrid, "rt_detr rt_detr_v2 d_fine"],
    [images.mae, "vit_mae"],
    [images.sam, "sam"],
    [images.yolos, "yolos"],
    [(model, choice) => learnedPatches(read.flag(model, "distilled") ? 2 : 1)(model, choice), "mgp-str"],
    [(model) => others.learned(read.needNumber(model, "num_patches"), read.modelWidth(model)), "siglip2_vision_model"],
    [images.hiera, "hiera"],
    [images.pvt, "pvt"],
    [images.spectrogram, "audio-spectrogram-transformer"],
    [images.swin(), "swin donut-swin maskformer-swin"],
    [images.swin("num_attention_heads"), "clap_audio_model"],
    [images.swinV2, "swinv2 swin2sr"],
    [images.beit, "beit"],
    [
      learnedPatches(0),
      "sam_vision_model siglip_vision_model ijepa groupvit_vision_model idefics3_vision smolvlm_vision",
    ],
    [
      learnedPatches(1),
      "vit vit_msn dinov2 dinov2_with_registers dpt vitpose_backbone clip_vision_model chinese_clip_vision_model clipseg_vision_model owlvit_vision_model owlv2_vision_model rf_detr_dinov2 idefics_vision",
    ],
    [learnedPatches(2), "deit"],
    [others.alibi, "bloom"],
    [others.falcon, "falcon RefinedWebModel"],
    [others.chatGlm, "chatglm"],
    [others.mpt, "mpt"],
    [others.jais, "jais"],
    [others.baichuan, "baichuan"],
    [others.whisper, "whisper lite-whisper"],
    [(model) => sinusoidal(model, { frequencyShift: 1 }), "voxtral_encoder"],
    [(model) => sinusoidal(model), "marian pegasus"],
    [others.m2m, "m2m_100 nllb-moe fsmt"],
    [others.trocr, "trocr"],
    [others.musicgen, "musicgen_decoder"],
    [others.bert(), "bert chinese_clip_text_model"],
    [
      others.bert(learnedAfterPadding(1)),
      "roberta roberta-prelayernorm xlm-roberta xlm-roberta-xl camembert data2vec-text clap_text_model",
    ],
    // Its configuration class has no default padding token.
    [others.bert(learnedAfterPadding()), "esm"],
    [others.bert(learnedText("embedding_size")), "electra albert convbert"],
    [others.nezha, "nezha"],
    [learnedText("embedding_size"), "squeezebert"],
    [learnedText("dim"), "distilbert"],
    [learnedAfterPadding(1), "longformer mpnet"],
    [others.xlm, "xlm"],
    [
      learnedText(),
      "openai-gpt gpt2 gpt_bigcode gpt_neo blenderbot blenderbot-small bigbird_pegasus mobilebert cohere_asr clip_text_model clipseg_text_model siglip_text_model groupvit_text_model owlvit_text_model owlv2_text_model",
    ],
    [(model) => others.learned(read.needNumber(model, "max_ep_len"), read.modelWidth(model)), "decision_transformer"],
    [learnedAfterTwo, "opt biogpt bart mbart plbart mvp florence2_language"],
    [others.t5, "t5 mt5 umt5 longt5 switch_transformers"],
    [others.deberta, "deberta deberta-v2"],
    [others.transformerXl, "transfo-xl xlnet"],
    [others.conformer, "wav2vec2-bert wav2vec2-conformer"],
    [others.parakeet, "parakeet_encoder"],
    [others.graniteSpeech, "granite_speech_encoder"],
    [others.vits, "vits"],
  ]);

/** How these models encode positions, as words that follow "its positions". */
const unsaid = (): Record<string, string> =>
  byType([
    ["come from a convolution", "wav2vec2 unispeech unispeech-sat hubert sew data2vec-audio fastvit"],
    ["come from a convolution and from T5's buckets, gated by queries", "wavlm"],
    ["are convolutions, sinusoids, a scaled sinusoid and Shaw's", "speecht5"],
    ["are DaViT's: convolutions, a learned grid, and frames", "davit florence_vision florence2_vision"],
    ["are scaled to mean 0 before they are added", "patchtst patchtsmixer"],
    ["are tables of rows, columns and decomposed distances", "vitmatte vitdet"],
    ["are a grid, plus a window's table repeated over the grid", "sam2 sam2_vision_model sam2_hiera_det_model"],
    ["are a repeated grid, and rotations in windows", "sam3 sam3_tracker sam3_vision_model sam3_vit_model"],
    ["are sinusoids over a convolution's output", "edgetam edgetam_vision_model"],
    ["rotate the opposite way: use `apply` of `rope`, { dim, base }, with { inverse: true }", "nanochat"],
    ["are sinusoids of distances in chunks, projected to keys", "gemma3n_audio gemma4_audio"],
    ["are rotations of the values as well as of queries and keys", "clvp_encoder"],
    ["are learned rows for text and for speech", "clvp_decoder"],
    ["are rotations by rows and columns across heads", "efficientloftr"],
    ["are angles from a learned projection of keypoint coordinates", "lightglue"],
    ["are rotations by rows and columns, and learned angles of the class token", "mlcd_vision_model"],
    ["are rotations by frames, rows and columns, whose neighbouring features have different frequencies", "vjepa2"],
    ["are rotations whose pairs belong to rows and columns alternately", "kimi_k25_vision"],
    ["are rotations by frames, rows and columns of a part of each head", "minimax_m3_vl_vision"],
    ["are rotations of the first head only", "qwen2_5_omni_dit"],
    [
      "are rotations of sound features by time; pass its text_config for the language model",
      "musicflamingo audioflamingo3_encoder",
    ],
    ["are rotations by rows and columns of earlier frames", "edgetam_video sam2_video sam3_tracker_video"],
    [
      "are rotations whose frequencies belong to rows and columns alternately, and the last ones to time",
      "ernie4_5_vl_moe_text",
    ],
    ["come from convolutions and a window for each layer", "moonshine_streaming_encoder"],
    ["are a gated learned grid for image tiles", "mllama_vision_model"],
    [
      "are a learned grid that is resized",
      "hunyuan_vl_vision glm_image_vision phi4_multimodal_vision cosmos3_edge_vision",
    ],
    ["are T5's buckets and a conformer's convolutions", "phi4_multimodal_audio"],
    ["are xPos in windows if the config has attn_window_size", "snac"],
  ]);

const table = <T>(make: () => Record<string, T>): ((type: string) => T | undefined) => {
  let made: Record<string, T> | undefined;
  return (type) => read.lookUp((made ??= make()), type);
};
const [ruleOf, visionRuleOf] = [table(rules), table(visionRules)];
/** Returns the reason why a type has no spec. */
export const reasonOf = table(unsaid);

/** Returns the spec of a model that does not rotate, or undefined. */
export function notRotary(model: Json, choice: Choice): Spec | undefined {
  const type = read.modelType(model);
  const rule = (choice.vision ? visionRuleOf(type) : undefined) ?? ruleOf(type);
  const reason = rule ? undefined : reasonOf(type);
  if (reason !== undefined)
    throw new PosencError(
      "unsupported",
      `model_type: posenc has no kind for ${type}: its positions ${reason}`,
      "model_type",
    );
  return rule?.(model, choice);
}
