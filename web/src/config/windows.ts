// Windows of layers, and remaps and temperatures by position.
import type { Remap, Temperature } from "../base/call-options.js";
import { asObject, type Json } from "../base/json.js";
import { factsOf, rotaryFacts } from "./model-types/table.js";
import * as read from "./read.js";
import { number } from "./read.js";
import { halved, type Window } from "./rules/windows.js";
import type { Stack } from "./stack.js";

/** Whether the model attends in both directions: Gemma's encoders (EmbeddingGemma). */
const isBidirectional = (model: Json): boolean =>
  model["use_bidirectional_attention"] === true || model["use_bidirectional_attention"] === "all";

/** Whether layers of this kind have a window if their model has one. */
const isLocal = (kind: string): boolean => /sliding|compressed/.test(kind);

/** Returns the window of a layer, as `attention` takes it. */
export function windowOf(stack: Stack, kind: string): { window?: Window } {
  const { model } = stack;
  const { window: own, alwaysLocal } = factsOf(model);
  if (!isLocal(kind) && !alwaysLocal) return {};
  const size = own
    ? own(model, stack)
    : isBidirectional(model)
      ? halved("sliding_window")(model, stack)
      : number(model, "sliding_window");
  return size === undefined ? {} : { window: size };
}

/** Returns the chunk of layers that attend only within one: Llama 4's rotary layers, Granite Speech's blocks. */
export function chunkOf(model: Json, kind: string): { chunk?: number } {
  const { chunk } = factsOf(model);
  if (chunk) return { chunk: chunk(model) };
  if (kind !== "chunked_attention") return {};
  return { chunk: number(model, "attention_chunk_size") ?? 8192 };
}

/**
 * Returns the temperature: Llama 4 scales queries in layers without rotation, Ministral 3 and Mistral 4 in all layers,
 * Qwen 1 by the logarithm, Inkling in layers with full attention.
 */
export function temperatureOf(model: Json, isRotated: boolean, layerType: string): { temperature?: Temperature } {
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
  const facts = factsOf(model);
  const temperature =
    facts.temperature?.(model, layerType) ?? (isRotated ? undefined : facts.unrotatedTemperature?.(model));
  return temperature ? { temperature } : {};
}

/** Returns the remapping of Qwen2.5-1M; missing fields have vLLM's defaults. */
export function remapOf(model: Json, isRotated: boolean): { remap?: Remap } {
  const given = asObject(model["dual_chunk_attention_config"]);
  if (!given || !isRotated) return {};
  const [chunk, local] = [number(given, "chunk_size") ?? 8192, number(given, "local_size") ?? 1024];
  const trained = number(given, "original_max_position_embeddings") || undefined;
  return { remap: { kind: "dual-chunk", chunk, local, ...(trained !== undefined && { trained }) } };
}
