// Memory of cached keys and values. Totals by hand: layers · 2 · key heads · head dim · tokens · bytes.
import { cacheBytes } from "posenc/config";
import { describe, expect, it } from "vitest";
import { loosely } from "../helpers/library";

const gib = 2 ** 30;
const llama = {
  ...{ model_type: "llama", hidden_size: 4096, num_attention_heads: 32, num_key_value_heads: 8, num_hidden_layers: 32 },
  ...{ max_position_embeddings: 131072, rope_theta: 500000 },
};
const mistral = { ...llama, model_type: "mistral", rope_theta: 10000, sliding_window: 4096 };
const gemma = {
  ...{ model_type: "gemma3_text", hidden_size: 2560, num_attention_heads: 8, num_key_value_heads: 4, head_dim: 256 },
  ...{ num_hidden_layers: 6, sliding_window: 1024, sliding_window_pattern: 6, max_position_embeddings: 131072 },
  ...{ rope_theta: 1e6, rope_local_base_freq: 10000 },
};
const deepseek = {
  ...{ model_type: "deepseek_v3", hidden_size: 7168, num_attention_heads: 128, num_key_value_heads: 128 },
  ...{ num_hidden_layers: 61, kv_lora_rank: 512, qk_rope_head_dim: 64, qk_nope_head_dim: 128, v_head_dim: 128 },
  ...{ max_position_embeddings: 163840, rope_theta: 10000 },
};

describe("bytes", () => {
  it.each<[string, object, Parameters<typeof cacheBytes>[1], number]>([
    ["grouped heads", llama, { length: 131072 }, 16 * gib],
    ["float32, two batch elements", llama, { length: 131072, type: "float32", batch: 2 }, 64 * gib],
    ["int8", llama, { length: 131072, type: "int8" }, 8 * gib],
    ["a window", mistral, { length: 131072 }, gib / 2],
    ["a window, a shorter text", mistral, { length: 1024 }, gib / 8],
    ["five windows and a whole layer", gemma, { length: 32768 }, 2 * 2 * 4 * 256 * (5 * 1024 + 32768)],
    ["latent attention", deepseek, { length: 4096 }, 61 * 576 * 2 * 4096],
    ["latent attention of all heads", deepseek, { length: 4096, latent: "expanded" }, 61 * 128 * 320 * 2 * 4096],
    [
      "other heads in layers with a window",
      {
        ...{
          model_type: "inkling_text",
          num_hidden_layers: 3,
          layer_types: ["hybrid_sliding", "hybrid", "hybrid_sliding"],
        },
        ...{ num_attention_heads: 64, num_key_value_heads: 8, head_dim: 128, sliding_window_size: 512 },
        ...{ swa_num_attention_heads: 64, swa_num_key_value_heads: 16, swa_head_dim: 64 },
      },
      { length: 4096 },
      2 * 2 * (2 * 16 * 64 * 512 + 8 * 128 * 4096),
    ],
    ["an empty text", llama, { length: 0 }, 0],
    [
      "names of GPT-2",
      { model_type: "gpt2", n_embd: 768, n_head: 12, n_layer: 12, n_positions: 1024 },
      { length: 1024 },
      12 * 2 * 768 * 1024 * 2,
    ],
    [
      "one head of keys",
      {
        ...{ model_type: "falcon", hidden_size: 4544, num_attention_heads: 71, num_hidden_layers: 32 },
        ...{ multi_query: true, new_decoder_architecture: false, rope_theta: 10000, max_position_embeddings: 2048 },
      },
      { length: 2048 },
      32 * 2 * 64 * 2048 * 2,
    ],
    [
      "a decoder with an encoder",
      {
        ...{ model_type: "t5", d_model: 512, d_kv: 64, num_heads: 8, num_layers: 6, num_decoder_layers: 6 },
        ...{ relative_attention_num_buckets: 32 },
      },
      { length: 512 },
      6 * 2 * 512 * 512 * 2,
    ],
    [
      "layers without attention",
      {
        ...{ model_type: "jamba", hidden_size: 4096, num_attention_heads: 32, num_key_value_heads: 8 },
        ...{ num_hidden_layers: 8, attn_layer_period: 8, attn_layer_offset: 4 },
      },
      { length: 1000 },
      2 * 8 * 128 * 1000 * 2,
    ],
    ["layers that use the keys of earlier ones", { ...llama, num_kv_shared_layers: 8 }, { length: 131072 }, 12 * gib],
  ])("%s", (_, config, how, bytes) => {
    expect(cacheBytes(config, how).bytes).toBe(bytes);
  });
  it("has an entry for each layer", () => {
    const { layers, bytes } = cacheBytes(gemma, { length: 2048 });
    expect(layers.map(({ tokens }) => tokens)).toEqual([1024, 1024, 1024, 1024, 1024, 2048]);
    expect(layers[5]).toEqual({
      part: "text",
      layer: 5,
      type: "full_attention",
      tokens: 2048,
      values: 2048,
      bytes: 2048 * 2048 * 2,
    });
    expect(layers.reduce((sum, layer) => sum + layer.bytes, 0)).toBe(bytes);
  });
});

describe("errors", () => {
  it.each<[object, string]>([
    [{}, "length"],
    [{ length: -1 }, "length"],
    [{ length: 1.5 }, "length"],
    [{ length: 1, type: "int4" }, "type"],
    [{ length: 1, batch: 0 }, "batch"],
    [{ length: 1, latent: "both" }, "latent"],
    [{ length: 1, windows: true }, "windows"],
  ])("%o", (how, field) => {
    expect(() => cacheBytes(llama, loosely(how))).toThrow(
      expect.objectContaining({ name: "PosencError", code: "invalid-argument", field }),
    );
  });
  it("a config without heads", () => {
    const { num_attention_heads: heads, ...others } = llama;
    void heads;
    expect(() => cacheBytes(others, { length: 1 })).toThrow(/num_attention_heads/);
    expect(() => cacheBytes("config.json", { length: 1 })).toThrow(/config: must be the object/);
  });
});
