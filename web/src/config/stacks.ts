// The stacks of layers that a config describes: one for a language model, two for a translator, more for many media.
import { PosencError } from "../base/errors.js";
import { textIn, withType, type Modality } from "./parts.js";
import { factsOf } from "./model-types/table.js";
import * as read from "./read.js";
import type { Part, Stack } from "./stack.js";
import { asObject, type Json } from "../base/json.js";
import { layerCount, number } from "./read.js";

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
  const { counts, decoderNote: note } = factsOf(model);
  if (!counts) return undefined;
  const [encoderName, decoderName] = counts;
  const encoder = countOf(model, encoderName, "num_hidden_layers");
  const decoder = countOf(model, decoderName, encoderName, "num_hidden_layers");
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
  const { layers, alternates, isUnstaged } = factsOf(model);
  if (layers === "none") return [];
  const [first] = countNames.filter((name) => model[name] !== undefined && model[name] !== null);
  const perStack = alternates ? number(model, "num_layers_per_stack", "num_hidden_layers") : undefined;
  const count =
    perStack === undefined ? first && countOf(model, first) : 2 * layerCount(perStack, "num_layers_per_stack");
  const types = isUnstaged ? undefined : staged(model);
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
  const hint = part === "text" && factsOf(model).hasBothHalves ? undefined : part;
  const layerCountMissing =
    !countNames.some((name) => number(model, name) !== undefined) && !Array.isArray(model["depths"]);
  const stacks = encoderDecoderStacks(model, hint) ?? one(model, part);
  const note = "the config does not describe the layers";
  return stacks.map((stack) => (layerCountMissing && stack.count === undefined ? { ...stack, note } : stack));
}

/** Returns all stacks of a config, the language model or the encoder first. */
export function stacksOf(outer: Json): Stack[] {
  const type = read.modelType(outer);
  const { layers } = factsOf(outer);
  if (layers === "undescribed")
    throw new PosencError(
      "unsupported",
      `model_type: the config of ${type} does not describe the layers`,
      "model_type",
    );
  if (layers === "none") return [];
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
  return [...own(outer, text !== undefined), ...parts, ...top(outer)];
}

/** Returns the layers that the config describes outside of its parts: Qwen2-VL's language model, Cohere's decoder. */
function own(outer: Json, hasText: boolean): Stack[] {
  const isPlain = !factsOf(outer).counts && number(outer, "num_hidden_layers") !== undefined;
  if (hasText || asObject(outer["encoder"]) || asObject(outer["decoder"]) || !isPlain) return [];
  return one(
    outer,
    asObject(outer["encoder_config"]) ? "decoder" : isVision(read.modelType(outer)) ? "vision" : "text",
  );
}

function top(outer: Json): Stack[] {
  const { counts, topNote: note } = factsOf(outer);
  if (counts) return encoderDecoderStacks(outer)!;
  if (note === undefined) return [];
  return (["encoder", "decoder"] as const).flatMap((part) => {
    const count = countOf(outer, `${part}_layers`);
    return count === undefined ? [] : [{ part, model: outer, count, note }];
  });
}

const visionTypes =
  /vit|deit|dino|swin|beit|yolos|dpt|hiera|pvt|ijepa|mgp-str|vision|sam|edgetam|pixtral|sapiens2|vjepa/;
const isVision = (type: string): boolean => visionTypes.test(type) && !type.endsWith("_text");
