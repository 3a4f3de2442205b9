// The stacks of layers that a config describes: one for a language model, two for a translator, more for many media.
import { PosencError } from "../base/errors.js";
import { textIn, withType, type Modality } from "./implied.js";
import * as read from "./read.js";
import { layerCount } from "./schedules.js";
import { asObject, type Json } from "../base/json.js";
import { number } from "./read.js";

/**
 * Part of a model that a layer belongs to: the language model, an encoder of images or audio, or a half of an
 * encoder-decoder.
 */
export type Part = "text" | "vision" | "audio" | "encoder" | "decoder";

export interface Stack {
  readonly part: Part;
  readonly model: Json;
  /** Number of layers; undefined: the lists of the config have it. */
  readonly count?: number | undefined;
  readonly types?: readonly string[] | undefined;
  /** Half of a model whose encoder and decoder share one config. */
  readonly side?: "encoder" | "decoder";
  /** Reason why posenc cannot express its positions. */
  readonly note?: string;
}

// Convolutional models, and transformers whose positions come only from convolutions.
const without = new Set(
  "convnext convnextv2 dinov3_convnext resnet efficientnet mobilenet_v1 mobilenet_v2 mobilenet_v3 mobilenet_v4 mobilevit mobilevitv2 segformer glpn dac encodec hifigan pyannote wespeaker-resnet modnet isnet bit gemma3n_vision rt_detr_resnet hgnet_v2 timm_backbone".split(
    " ",
  ),
);
/** Models made for transformers.js, whose configs have little more than the type. */
const typeOnlyConfigs = new Set(
  "jina_clip metric3d metric3dv2 sapiens style_text_to_speech_2 supertonic birefnet ben".split(" "),
);

/** Names of the fields with the number of layers of encoder and decoder. */
const layerCountFields: readonly (readonly [encoder: string, decoder: string, types: string])[] = [
  ["num_layers", "num_decoder_layers", "t5 mt5 umt5 longt5 switch_transformers"],
  ["encoder_num_hidden_layers", "decoder_num_hidden_layers", "moonshine"],
  ["num_hidden_layers", "num_hidden_layers", "mimi"],
  [
    "encoder_layers",
    "decoder_layers",
    "bart mbart plbart mvp marian pegasus bigbird_pegasus m2m_100 nllb-moe fsmt blenderbot blenderbot-small whisper lite-whisper speecht5 florence2_language detr table-transformer rt_detr rt_detr_v2 d_fine",
  ],
];
const layerCountFieldsOf = (type: string) => layerCountFields.find(([, , types]) => types.split(" ").includes(type));

const queries = "queries' positions are learned or computed from boxes; keys have the encoder's";
const deformable = "deformable attention with sinusoids at several image scales";
/** Decoders whose positions differ from those of the encoder. */
const decoderNotes: Record<string, string> = {
  detr: queries,
  "table-transformer": queries,
  rt_detr: queries,
  rt_detr_v2: queries,
  d_fine: queries,
};
/** Parts at the top level of a config whose other parts are nested. */
const topNotes: Record<string, string> = { "grounding-dino": deformable, rf_detr: queries };

const countNames = [
  "num_hidden_layers",
  "n_layer",
  "n_layers",
  "num_layers",
  "num_transformer_layers",
  "depth",
  "decoder_layers",
];

function countOf(model: Json, ...names: string[]): number | undefined {
  const count = number(model, ...names);
  if (count !== undefined)
    layerCount(
      count,
      names.find((name) => model[name] === count)!,
    );
  return count;
}

/** Returns both halves, or the one that the config is for. */
function encoderDecoderStacks(model: Json, only?: Part): Stack[] | undefined {
  const type = read.modelType(model);
  const names = layerCountFieldsOf(type);
  if (!names) return undefined;
  const [encoderName, decoderName] = names;
  const encoder = countOf(model, encoderName, "num_hidden_layers");
  const decoder = countOf(model, decoderName, encoderName, "num_hidden_layers");
  const note = read.lookUp(decoderNotes, type);
  const isDecoder = only === "decoder" || (!only && read.flag(model, "is_encoder_decoder") === false);
  const first: Stack = { part: only ?? "encoder", model, count: encoder, side: "encoder" };
  const second: Stack = { part: "decoder", model, count: decoder, side: "decoder", ...(note && { note }) };
  return isDecoder ? [second] : only ? [first] : [first, second];
}

/**
 * Returns the kinds of layers in stages: a number for each stage (Swin), or the few layers with full attention
 * (Qwen2.5-VL).
 */
function staged(model: Json): string[] | undefined {
  const { depths, fullatt_block_indexes: whole } = model;
  if (Array.isArray(whole))
    return Array.from({ length: layerCount(model["depth"], "depth") }, (_, layer) =>
      whole.includes(layer) ? "full_attention" : "window_attention",
    );
  if (!Array.isArray(depths)) return undefined;
  const isStaged = Array.isArray(model["num_heads"]) || Array.isArray(model["num_attention_heads"]);
  return depths.flatMap((depth, stage) =>
    Array<string>(layerCount(depth, "depths")).fill(isStaged ? `stage${stage + 1}` : "full_attention"),
  );
}

function one(model: Json, part: Part): Stack[] {
  const type = read.modelType(model);
  if (without.has(type)) return [];
  const [first] = countNames.filter((name) => model[name] !== undefined && model[name] !== null);
  const perStack = type === "hrm_text" ? number(model, "num_layers_per_stack", "num_hidden_layers") : undefined;
  // HRM alternates between two stacks.
  const count =
    perStack === undefined ? first && countOf(model, first) : 2 * layerCount(perStack, "num_layers_per_stack");
  const types = type === "groupvit_vision_model" ? undefined : staged(model);
  return [{ part, model, count: types ? types.length : count || undefined, types }];
}

/** Fields that contain the parts of a config, except the language model. */
const inner: readonly (readonly [name: string, modality: Modality, part: Part])[] = [
  ["text_encoder", "text", "text"],
  ["patcher_config", "text", "text"],
  ["vision_config", "vision", "vision"],
  ["backbone_config", "vision", "vision"],
  ["image_model_config", "vision", "vision"],
  ["audio_config", "audio", "audio"],
  ["audio_encoder", "audio", "audio"],
  ["encoder_config", "audio", "encoder"],
  ["encoder", "vision", "encoder"],
  ["decoder", "text", "decoder"],
  ["decoder_config", "text", "decoder"],
];

/** Returns the layers of a nested part. Of an encoder-decoder, only the half that the field names. */
function child(model: Json, part: Part): Stack[] {
  const hint = part === "text" && read.modelType(model) === "florence2_language" ? undefined : part;
  const layerCountMissing =
    !countNames.some((name) => number(model, name) !== undefined) && !Array.isArray(model["depths"]);
  const stacks = encoderDecoderStacks(model, hint) ?? one(model, part);
  const note = "the config does not describe the layers";
  return stacks.map((stack) => (layerCountMissing && stack.count === undefined ? { ...stack, note } : stack));
}

/** Returns all stacks of a config, the language model or the encoder first. */
export function stacksOf(outer: Json): Stack[] {
  const type = read.modelType(outer);
  if (typeOnlyConfigs.has(type))
    throw new PosencError(
      "unsupported",
      `model_type: the config of ${type} does not describe the layers`,
      "model_type",
    );
  if (without.has(type)) return [];
  const text = textIn(outer);
  const parts = [
    ...(text ? child(text, "text") : []),
    ...inner.flatMap(([name, modality, part]) => {
      const config = asObject(outer[name]);
      const model = config && withType(outer, config, modality);
      return model ? child(textIn(model) ?? model, part) : [];
    }),
  ];
  if (parts.length === 0) return encoderDecoderStacks(outer) ?? one(outer, isVision(type) ? "vision" : "text");
  return [...own(outer, text !== undefined), ...parts, ...top(outer, type)];
}

/** Returns the layers that the config describes outside of its parts: Qwen2-VL's language model, Cohere's decoder. */
function own(outer: Json, hasText: boolean): Stack[] {
  const type = read.modelType(outer);
  const isPlain = !layerCountFieldsOf(type) && number(outer, "num_hidden_layers") !== undefined;
  if (hasText || asObject(outer["encoder"]) || asObject(outer["decoder"]) || !isPlain) return [];
  return one(outer, asObject(outer["encoder_config"]) ? "decoder" : isVision(type) ? "vision" : "text");
}

function top(outer: Json, type: string): Stack[] {
  if (layerCountFieldsOf(type)) return encoderDecoderStacks(outer)!;
  const note = read.lookUp(topNotes, type);
  if (note === undefined) return [];
  return (["encoder", "decoder"] as const).flatMap((part) => {
    const count = countOf(outer, `${part}_layers`);
    return count === undefined ? [] : [{ part, model: outer, count, note }];
  });
}

const visionTypes =
  /vit|deit|dino|swin|beit|yolos|dpt|hiera|pvt|ijepa|mgp-str|vision|sam|edgetam|pixtral|sapiens2|vjepa/;
const isVision = (type: string): boolean => visionTypes.test(type) && !type.endsWith("_text");
