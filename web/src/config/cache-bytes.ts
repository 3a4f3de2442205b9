// Memory of the keys and values that a model caches, from its config.json.
import { invalid, show } from "../base/errors.js";
import { asObject, type Json } from "../base/json.js";
import { count, oneOf, or, readOptions } from "../base/options.js";
import { attends } from "./attends.js";
import { layersOf, type LayerSpec, type Part } from "./layers.js";
import { factsOf } from "./model-types/table.js";
import { asLayerHas, overridesOf } from "./per-layer.js";
import * as read from "./read.js";
import { stacksOf } from "./stacks.js";

/** Options of `cacheBytes`. */
export interface CacheBytesOptions {
  /** Number of tokens, a whole number ≥ 0. */
  length: number;
  /** Data type of keys and values. Default "float16". */
  type?: "float32" | "float16" | "bfloat16" | "int8";
  /** Number of batch elements. Default 1. */
  batch?: number;
  /**
   * Latent attention (DeepSeek): "compressed" (default) caches the latent vector and the rotated keys that all heads share;
   * "expanded" caches keys and values of all heads, as Transformers does.
   */
  latent?: "compressed" | "expanded";
}

/** The cache of a layer. */
export interface LayerCache {
  /** Part of the model: "text" or "decoder". */
  readonly part: Part;
  /** Index of the layer in that part, from 0. */
  readonly layer: number;
  /** Kind of layer, as in `layerSpecs`. */
  readonly type: string;
  /** Number of cached tokens: the length, or the window or chunk if it is shorter; 0: the layer caches nothing. */
  readonly tokens: number;
  /** Number of cached values per token: keys and values of all heads. */
  readonly values: number;
  /** Bytes of keys and values, of all batch elements. */
  readonly bytes: number;
}

/** The cache of a model. */
export interface CacheBytes {
  /** Bytes of keys and values of all layers. */
  readonly bytes: number;
  /** One entry per layer of the text model or decoder. */
  readonly layers: readonly LayerCache[];
}

const sizes = { float32: 4, float16: 2, bfloat16: 2, int8: 1 };
const options = {
  length: count(),
  type: or(oneOf("float32", "float16", "bfloat16", "int8"), "float16"),
  batch: or(count(1), 1),
  latent: or(oneOf("compressed", "expanded"), "compressed"),
};

/**
 * Returns the bytes of keys and values that a model caches for a text, layer by layer, from its Hugging Face config.json.
 *
 * Per layer: 2 · key heads · head dim · tokens. Layers with a window or chunk keep only its tokens. Latent attention has
 * kv_lora_rank + qk_rope_head_dim values per token. Layers that use the keys of earlier ones, and layers without attention,
 * have none. States of recurrent layers, scales of quantised values, and keys of an encoder are not counted. For encoders such as
 * BERT, the result is what a decoder of the same shape would cache.
 * @param config The object of a config.json.
 * @param how Number of tokens, data type, batch size.
 * @returns Total and entry per layer, in bytes.
 * @throws {PosencError} `invalid-argument` if a field is missing or has the wrong type, or an option is invalid; `unsupported` if
 * the config does not describe its layers.
 * @example
 * cacheBytes(config, { length: 131072 }).bytes / 2 ** 30; // Llama 3.1 8B: 16 GiB
 */
export function cacheBytes(config: unknown, how: CacheBytesOptions): CacheBytes {
  const { length, type, batch, latent } = readOptions(how ?? {}, options);
  if (length === undefined) throw invalid("length", `must be a whole number ≥ 0, got ${show(length)}`);
  const stacks = stacksOf(read.configObject(config)).filter(({ part }) => part === "text" || part === "decoder");
  const layers = stacks.flatMap((stack) => {
    const { part, model } = stack;
    const all = layersOf(stack);
    const shared = read.number(model, "num_kv_shared_layers") ?? 0;
    return all.map((layer, index): LayerCache => {
      const caches = attends(layer.type) && index < all.length - shared;
      const values = caches ? valuesOf(model, layer, latent) : 0;
      const tokens = caches ? tokensOf(layer, length) : 0;
      const bytes = batch * tokens * values * sizes[type];
      return { part, layer: layer.layer, type: layer.type, tokens, values, bytes };
    });
  });
  return { bytes: layers.reduce((sum, layer) => sum + layer.bytes, 0), layers };
}

/** Returns the number of tokens that a layer keeps. */
function tokensOf({ window, chunk }: LayerSpec, length: number): number {
  const size = typeof window === "object" ? window[0] + 1 : window;
  return Math.min(length, size ?? Infinity, chunk ?? Infinity);
}

/** Returns the number of values per token. */
function valuesOf(whole: Json, { layer, type }: LayerSpec, latent: "compressed" | "expanded"): number {
  const model = asLayerHas(whole, overridesOf(whole, layer));
  const number = (...names: string[]): number | undefined => {
    const name = names.find((one) => Array.isArray(model[one]));
    // Some configs have a list with a value for each layer.
    if (name !== undefined) return (model[name] as unknown[])[layer] as number | undefined;
    return read.number(model, ...names);
  };
  const heads = number("decoder_attention_heads") ?? read.headCount(model);
  const rank = number("kv_lora_rank");
  const rotated = number("qk_rope_head_dim") ?? factsOf(model).latentDim ?? 0;
  if (rank !== undefined) {
    if (latent === "compressed") return rank + rotated;
    const plain = number("qk_nope_head_dim") ?? number("head_dim") ?? 0;
    return heads * (plain + rotated + (number("v_head_dim") ?? plain));
  }
  const isGlobal = type === "full_attention";
  const isLocal = type === "hybrid_sliding";
  const dim =
    (isGlobal ? number("global_head_dim") : isLocal ? number("swa_head_dim") : undefined) ??
    number("head_dim", "kv_channels", "d_kv", "attention_head_dim") ??
    read.modelWidth(model) / heads;
  return 2 * dim * (keyHeadsOf(model, number, type) ?? heads);
}

/** Returns the number of heads of keys; undefined: as many as of queries. */
function keyHeadsOf(model: Json, number: (...names: string[]) => number | undefined, type: string): number | undefined {
  const isOne = model["multi_query"] === true && model["new_decoder_architecture"] !== true;
  const inner = asObject(model["attn_config"]);
  return (
    (type === "full_attention" ? number("num_global_key_value_heads") : undefined) ??
    (type === "hybrid_sliding" ? number("swa_num_key_value_heads") : undefined) ??
    (isOne ? 1 : undefined) ??
    (model["multi_query_attention"] === true ? number("multi_query_group_num") : undefined) ??
    number("num_key_value_heads", "num_kv_heads", "n_head_kv") ??
    (inner ? read.number(inner, "kv_n_heads") : undefined)
  );
}
