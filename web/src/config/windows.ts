// Windows of layers, and remaps and temperatures by position.
import type { Remap, Temperature } from "../base/call-options.js";
import { asObject, type Json } from "../base/json.js";
import * as read from "./read.js";
import { number } from "./read.js";
import { rotaryFacts } from "./rotary-types.js";
import type { Stack } from "./stacks.js";

type Window = number | readonly [number, number];
type Rule = (model: Json, stack: Stack) => Window | undefined;

const both = (reach: number | undefined): Window | undefined => (reach === undefined ? undefined : [reach, reach]);

/** A window with half of its size on each side. */
const halved =
  (name: string): Rule =>
  (model) => {
    const width = number(model, name);
    return both(width === undefined ? undefined : Math.floor(width / 2));
  };

const rules: Record<string, Rule> = {
  gpt_neo: (model) => number(model, "window_size") ?? 256,
  modernbert: halved("local_attention"),
  "modernbert-decoder": (model) => Math.floor((number(model, "local_attention") ?? 128) / 2),
  longformer: (model) => {
    const given = model["attention_window"];
    return both(Math.floor(Number(Array.isArray(given) ? given[0] : given) / 2));
  },
  openai_privacy_filter: (model) => both(number(model, "sliding_window")),
  // Encoders attend to both sides, unlike decoders.
  t5_gemma_module: (model) =>
    read.flag(model, "is_decoder") ? number(model, "sliding_window") : both(number(model, "sliding_window")),
  t5gemma2_text: (model) => {
    const width = number(model, "sliding_window");
    return width === undefined ? undefined : [Math.floor((width + 1) / 2) - 1, Math.floor(width / 2)];
  },
  recurrent_gemma: (model) => number(model, "attention_window_size") ?? 2048,
  // Blocks with their neighbours; farther tokens are masked.
  longt5: (model, { part }) => (part === "encoder" ? both(number(model, "local_radius") ?? 127) : undefined),
};

/** Whether the model attends in both directions: Gemma's encoders (EmbeddingGemma). */
const isBidirectional = (model: Json): boolean =>
  model["use_bidirectional_attention"] === true || model["use_bidirectional_attention"] === "all";

/** Whether layers of this kind have a window if their model has one. */
const isLocal = (kind: string): boolean => /sliding|compressed/.test(kind);

/** Returns the window of a layer, as `attention` takes it. */
export function windowOf(stack: Stack, kind: string): { window?: Window } {
  const { model } = stack;
  const type = read.modelType(model);
  if (!isLocal(kind) && type !== "longt5" && type !== "longformer") return {};
  const own = read.lookUp(rules, type);
  const size = own
    ? own(model, stack)
    : isBidirectional(model)
      ? halved("sliding_window")(model, stack)
      : number(model, "sliding_window");
  return size === undefined ? {} : { window: size };
}

/** Returns the chunk of layers that attend only within one: Llama 4's rotary layers, Granite Speech's blocks. */
export function chunkOf(model: Json, kind: string): { chunk?: number } {
  if (read.modelType(model) === "granite_speech_encoder") return { chunk: number(model, "context_size") ?? 200 };
  if (kind !== "chunked_attention") return {};
  return { chunk: number(model, "attention_chunk_size") ?? 8192 };
}

/**
 * Returns the temperature: Llama 4 scales queries in layers without rotation, Ministral 3 and Mistral 4 in all layers,
 * Qwen 1 by the logarithm.
 */
export function temperatureOf(model: Json, isRotated: boolean): { temperature?: Temperature } {
  const rope =
    asObject(model["rope_parameters"]) ??
    asObject(model["rope_scaling"]) ??
    rotaryFacts(read.modelType(model))?.rope ??
    {};
  const beta = number(rope, "llama_4_scaling_beta");
  if (beta !== undefined)
    return { temperature: { factor: beta, length: read.needNumber(rope, "original_max_position_embeddings") } };
  if (read.flag(model, "use_logn_attn"))
    return { temperature: { rule: "log-n", length: read.needNumber(model, "seq_length") } };
  const isTuned = read.modelType(model) === "llama4_text" && (model["attn_temperature_tuning"] ?? true);
  if (!isTuned || isRotated) return {};
  const [factor, length] = [number(model, "attn_scale") ?? 0.1, number(model, "floor_scale") ?? 8192];
  return { temperature: { factor, length, offset: 1 } };
}

/** Returns the remapping of Qwen2.5-1M; missing fields have vLLM's defaults. */
export function remapOf(model: Json, isRotated: boolean): { remap?: Remap } {
  const given = asObject(model["dual_chunk_attention_config"]);
  if (!given || !isRotated) return {};
  const [chunk, local] = [number(given, "chunk_size") ?? 8192, number(given, "local_size") ?? 1024];
  const trained = number(given, "original_max_position_embeddings") || undefined;
  return { remap: { kind: "dual-chunk", chunk, local, ...(trained !== undefined && { trained }) } };
}
