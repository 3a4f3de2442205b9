// What one encoding cannot say of a config: fromConfig lists it in `ignored`, or refuses; `layers` tells it.
import type { Kind } from "posenc";
import { layerSpecs } from "posenc/config";
import { describe, expect, it } from "vitest";
import { loosely, pe } from "../helpers/library";

const llama = { hidden_size: 64, num_attention_heads: 4, num_hidden_layers: 4, rope_theta: 10000 };
const deberta = { ...llama, max_position_embeddings: 128, relative_attention: true, pos_att_type: "c2p|p2c" };

describe("ignored", () => {
  it.each<[string, object, string[]]>([
    ["all layers alike", { model_type: "llama" }, []],
    ["a window", { model_type: "mistral", sliding_window: 32 }, ["sliding_window"]],
    ["a window that is off", { model_type: "qwen2", sliding_window: 32, use_sliding_window: false }, []],
    ["Qwen's, which is off where nothing is said", { model_type: "qwen2", sliding_window: 32 }, []],
    ["layers without positions", { model_type: "smollm3" }, ["no_rope_layer_interval"]],
    [
      "which, in a list",
      { model_type: "smollm3", no_rope_layers: [1, 1, 1, 0] },
      ["no_rope_layers", "no_rope_layer_interval"],
    ],
    ["global layers without", { model_type: "cohere2", sliding_window: 32 }, ["sliding_window", "layer_types"]],
    ["EXAONE 4 without a window turns", { model_type: "exaone4", sliding_window: null }, []],
    ["K-EXAONE", { model_type: "exaone_moe", sliding_window: 32 }, ["sliding_window", "layer_types"]],
    [
      "layers of two kinds",
      { model_type: "gpt_oss", layer_types: ["full_attention", "sliding_attention"] },
      ["layer_types"],
    ],
    [
      "queries that are scaled",
      { model_type: "llama4_text", attention_chunk_size: 64 },
      [...["attention_chunk_size", "no_rope_layer_interval", "attn_temperature_tuning"]],
    ],
    ["nowhere scaled", { model_type: "llama4_text", attn_temperature_tuning: false }, ["no_rope_layer_interval"]],
    [
      "Ministral 3's",
      {
        model_type: "ministral3",
        rope_parameters: { rope_type: "default", rope_theta: 10000, llama_4_scaling_beta: 0.1 },
      },
      ["llama_4_scaling_beta"],
    ],
    [
      "distances that are remapped",
      { model_type: "qwen2", dual_chunk_attention_config: { chunk_size: 64, local_size: 8 } },
      ["dual_chunk_attention_config"],
    ],
    ["a table beside", { model_type: "deberta", ...deberta }, ["position_biased_input"]],
    ["no table beside", { model_type: "deberta-v2", ...deberta, position_biased_input: false }, []],
    ["buckets beside", { model_type: "mpnet", max_position_embeddings: 128 }, ["relative_attention_num_buckets"]],
  ])("%s", (_, config, ignored) => {
    const encoding = pe.fromConfig({ ...llama, ...config });
    expect(encoding.ignored).toEqual(ignored);
    expect(Object.isFrozen(encoding.ignored)).toBe(true);
    encoding.dispose();
  });

  it("is empty of encodings that come from no config, and of image encoders", () => {
    expect(pe.create({ kind: "rope", dim: 16 }).ignored).toEqual([]);
    const vision_config = { model_type: "pixtral", head_dim: 64 };
    expect(pe.fromConfig({ ...llama, sliding_window: 32, vision_config }, { layerType: "vision" }).ignored).toEqual([]);
  });
});

describe("refused", () => {
  it.each<[field: string, message: RegExp, config: object, layerType?: string]>([
    ["layerType", /layers differ/, { model_type: "gemma3_text" }],
    ...["afmoe", "cohere2", "cohere2_moe", "exaone4", "exaone4_5", "exaone4_5_text", "exaone_moe"].map(
      (model_type): [string, RegExp, object, string] => [
        "layerType",
        /full_attention layers have no positions/,
        { model_type, sliding_window: 32 },
        "full_attention",
      ],
    ),
    ["model_type", /attention of nemotron_h has no positions/, { model_type: "nemotron_h" }],
    ["model_type", /attention of granitemoehybrid has no positions/, { model_type: "granitemoehybrid" }],
    ["model_type", /no kind for wavlm.*convolution.*buckets/, { model_type: "wavlm" }],
    ["model_type", /no kind for nanochat.*inverse/, { model_type: "nanochat" }],
    [
      "alibi_scaling",
      /no kind/,
      { model_type: "jais", position_embedding_type: "alibi", alibi_scaling: { type: "linear" } },
    ],
    ["position_embedding_type", /not known/, { model_type: "jais", position_embedding_type: "spiral" }],
  ])("%s %s", (field, message, config, layerType) => {
    const refused = () => pe.fromConfig({ ...llama, ...config }, layerType === undefined ? {} : { layerType });
    expect(refused).toThrow(expect.objectContaining({ field, message: expect.stringMatching(message) }));
  });
});

describe("models that are easily mistaken", () => {
  const image = { hidden_size: 64, num_attention_heads: 4, image_size: 32, patch_size: 8 };
  it.each<[what: string, config: object, spec: { kind: Kind; [field: string]: unknown }]>([
    // baichuan-inc: Baichuan2-7B-Chat has max_position_embeddings, Baichuan2-13B-Chat model_max_length alone.
    ["Baichuan 7B turns", { model_type: "baichuan", max_position_embeddings: 4096 }, { kind: "rope", dim: 16 }],
    [
      "Baichuan 13B has ALiBi",
      { model_type: "baichuan", model_max_length: 4096 },
      { kind: "alibi", heads: 4, form: "key-absolute" },
    ],
    // RoFormerSelfAttention.apply_rotary_position_embeddings: neighbours.
    ["RoFormer turns neighbours", { model_type: "roformer" }, { kind: "rope", dim: 16, pairing: "interleaved" }],
    // huawei-noah NEZHA-PyTorch: RelativePositionsEncoding.
    [
      "NEZHA adds to keys and values",
      { model_type: "nezha", max_relative_position: 64 },
      { kind: "nezha", dim: 16, maxDistance: 64, withValues: true },
    ],
    // MPNetEmbeddings.create_position_ids_from_input_ids: the first token's is padding_idx + 1.
    [
      "MPNet",
      { model_type: "mpnet", max_position_embeddings: 514, pad_token_id: 1 },
      { kind: "learned", length: 514, start: 2 },
    ],
    [
      "registers stand behind the table",
      { model_type: "dinov2_with_registers", ...image },
      { kind: "learned", length: 17 },
    ],
    ["DPT", { model_type: "dpt", ...image }, { kind: "learned", length: 17 }],
    ["YOLOS", { model_type: "yolos", ...image, num_detection_tokens: 10 }, { kind: "learned", length: 27 }],
    [
      "Hiera",
      { model_type: "hiera", image_size: [224, 224], patch_stride: [4, 4], embed_dim: 96 },
      { kind: "learned", length: 3136, dim: 96 },
    ],
    [
      "the audio spectrogram transformer",
      { model_type: "audio-spectrogram-transformer", ...{ patch_size: 16, num_mel_bins: 128, max_length: 1024 } },
      { kind: "learned", length: 1214, dim: 64 },
    ],
    ["VITS", { model_type: "vits", window_size: 4 }, { kind: "shaw", dim: 16, maxDistance: 5, withValues: true }],
    [
      "Jais",
      { model_type: "jais", n_embd: 64, n_head: 4, position_embedding_type: "alibi" },
      { kind: "alibi", heads: 4, form: "relative" },
    ],
    // Transformers calls what image encoders do "axial".
    [
      "rope_type axial",
      { rope_theta: undefined, rope_parameters: { rope_type: "axial", rope_theta: 20000 } },
      { kind: "rope-axial", dim: 16, base: 20000 },
    ],
    [
      "rope_type axial of DINOv3",
      { model_type: "dinov3_vit", rope_theta: undefined, rope_parameters: { rope_type: "axial", rope_theta: 50 } },
      { kind: "rope-axial", base: 50, coordinates: "centres" },
    ],
    // HunYuanVLTextConfig: xdrope is dynamic with alpha, its sections are those of M-RoPE.
    [
      "xdrope_section",
      { rope_scaling: { type: "xdrope", alpha: 1000, xdrope_section: [2, 2, 2, 2] } },
      { kind: "rope-ntk", factor: 1000, sections: [2, 2, 2, 2] },
    ],
  ])("%s", (_, config, expected) => {
    const { spec } = loosely(pe.fromConfig({ ...llama, ...config }));
    expect({ ...spec, sections: spec.sections && [...spec.sections] }).toMatchObject(expected);
  });
});

describe("pe.layers", () => {
  const config = {
    ...llama,
    model_type: "gemma3_text",
    num_hidden_layers: 12,
    sliding_window: 32,
    rope_local_base_freq: 100,
  };

  it("shares an encoding among layers with one spec", async () => {
    const layers = await pe.layers(config);
    expect(layers).toHaveLength(12);
    const [local, global] = [layers[0]!.encoding, layers[5]!.encoding];
    expect(layers.map(({ encoding }) => encoding)).toEqual([0, 1].flatMap(() => [...Array(5).fill(local), global]));
    expect(new Set(layers.map(({ encoding }) => encoding)).size).toBe(2);
    expect([loosely(local).spec.base, loosely(global).spec.base]).toEqual([100, 10000]);
    expect(layers[0]).toMatchObject({ part: "text", layer: 0, type: "sliding_attention", window: 32 });
    expect(layers[5]).not.toHaveProperty("window");
    for (const encoding of new Set(layers.map(({ encoding }) => encoding))) encoding!.dispose();
  });

  it("is what attention takes", async () => {
    const [layer] = await pe.layers({ ...llama, model_type: "mistral", sliding_window: 2 });
    const tensor = { data: Float32Array.from({ length: 64 }, (_, i) => Math.sin(i)), dims: [1, 1, 4, 16] };
    const { encoding, window } = layer!;
    const weights = pe.attentionWeights(tensor, tensor, { encoding: encoding!, window: window!, causal: true });
    expect(weights.data[3 * 4 + 1]).toBe(0);
    expect(weights.data[3 * 4 + 2]).toBeGreaterThan(0);
  });

  it("says how its queries grow warmer", async () => {
    const layers = await pe.layers({ ...llama, model_type: "llama4_text", floor_scale: 4 });
    const { temperature, encoding } = layers[3]!;
    expect(encoding).toBeNull();
    // Llama4TextAttention: 1 + 0.1 · ln(1 + ⌊(position + 1) / 4⌋).
    const factors = pe.queryTemperature({ length: 8, temperature: temperature! }).data;
    expect([...factors]).toEqual(
      Array.from({ length: 8 }, (_, i) => Math.fround(1 + 0.1 * Math.log1p(Math.floor((i + 1) / 4)))),
    );
  });

  it("gives back what it made where it fails", async () => {
    const before = pe.liveBytes;
    const mixed = { ...config, head_dim: 15 };
    await expect(pe.layers(mixed)).rejects.toThrow(expect.objectContaining({ code: "invalid-spec", field: "dim" }));
    expect(pe.liveBytes).toBe(before);
  });

  it.each<[field: string, config: unknown, options?: object]>([
    ["config", null],
    ["config", []],
    ["num_hidden_layers", { ...llama, num_hidden_layers: undefined }],
    ["num_hidden_layers", { ...llama, num_hidden_layers: -1 }],
    ["num_hidden_layers", { ...llama, num_hidden_layers: 1e9 }],
    ["layer_types", { ...llama, layer_types: ["full_attention"] }],
    ["layer_types", { ...llama, layer_types: "full_attention" }],
    ["part", llama, { part: "vision" }],
    ["part", llama, { part: "middle" }],
    ["layerType", llama, { layerType: "full_attention" }],
    ["hidden_size", { ...llama, hidden_size: undefined }],
    ["model_type", { model_type: "brand_new", num_hidden_layers: 2 }],
    ["model_type", { model_type: "__proto__", num_hidden_layers: 2 }],
  ])("refuses %s %j", async (field, given, options) => {
    const refused = pe.layers(given as object, options);
    await expect(refused).rejects.toThrow(expect.objectContaining({ field, message: expect.stringContaining(field) }));
  });
});

describe("fields without effect", () => {
  const rope_scaling = { rope_type: "linear", factor: 2, beta_fast: 32, foo: 3 };
  const overruled = ["no_rope_layer_interval", "attn_temperature_tuning", "rope_interleave"];
  const misspelled = ["rope_tetha", "ropeTheta", "rope-theta", "ropetheta", "rop_theta"];
  const sliding = { rope_theta: 100, bar: 1 };
  it.each<[what: string, config: object, ignored: string[], layerType?: string]>([
    ["of rope_scaling", { rope_scaling }, ["beta_fast", "foo"]],
    ["of rope_parameters", { rope_parameters: rope_scaling }, ["beta_fast", "foo"]],
    [
      "of the other rope object",
      { rope_scaling, rope_parameters: { ...rope_scaling, more: 1 } },
      ["beta_fast", "foo", "more"],
    ],
    ["of a plain rotation", { rope_scaling: { rope_type: "default", attn_factor: 2 } }, ["attn_factor"]],
    [
      "of one kind of layer",
      { rope_parameters: { full_attention: { rope_theta: 1e4, foo: 1 }, sliding_attention: sliding } },
      ["bar"],
      "sliding_attention",
    ],
    [
      "beside the kinds of layers",
      { rope_parameters: { full_attention: { rope_theta: 1e4 }, sliding_attention: { rope_theta: 100 }, foo: 1 } },
      ["foo"],
      "full_attention",
    ],
    ["null says nothing", { rope_scaling: { rope_type: "default", beta_fast: null }, rope_foo: null }, []],
    ["misspelled", { rope_tetha: 5, ropeTheta: 5, "rope-theta": 5, ropetheta: 5, rop_theta: 5 }, misspelled],
    ["flags that the code overrules", { model_type: "llama4_text", rope_interleave: false }, overruled],
    ["flags that say what it does", { model_type: "glm_moe_dsa", qk_rope_head_dim: 8, rope_interleave: true }, []],
    ["of other families", { alibi: true, position_embedding_type: "alibi" }, ["alibi", "position_embedding_type"]],
    ["which may name the rotation", { position_embedding_type: "rope_gptj" }, []],
    [
      "BERT's default, inherited",
      { model_type: "modernbert", position_embedding_type: "absolute" },
      [],
      "full_attention",
    ],
    ["sizes and limits", { max_position_embeddings: 64, rope_max_length: 64, n_positions: 64 }, []],
    ["windows of no reader", { attention_window: 16, use_sliding_window: false }, ["attention_window"]],
    ["outside the text's part", { rope_scaling, text_config: { ...llama, model_type: "llama" } }, ["rope_scaling"]],
    ["which agree with it", { text_config: { ...llama, model_type: "llama" } }, []],
    ["of models that do not rotate", { model_type: "gpt2", n_positions: 32, rope_scaling }, ["rope_scaling"]],
    ["__proto__", JSON.parse('{ "rope_scaling": { "type": "linear", "factor": 2, "__proto__": 1 } }'), ["__proto__"]],
  ])("%s", (_, config, ignored, layerType) => {
    const whole = { model_type: "llama", ...llama, ...config };
    const encoding = pe.fromConfig(whole, layerType === undefined ? {} : { layerType });
    expect(encoding.ignored).toEqual(ignored);
    encoding.dispose();
  });

  it("are those of layers that none of them uses", () => {
    const config = { ...llama, model_type: "llama", rope_scaling, sliding_window: 8, rope_tetha: 5 };
    expect(layerSpecs(config).map(({ ignored }) => ignored)).toEqual(Array(4).fill(["beta_fast", "foo", "rope_tetha"]));
    expect(layerSpecs({ ...config, sliding_window_pattern: 4 })[0]!.ignored).toContain("sliding_window_pattern");
    const scheduled = layerSpecs({ ...config, model_type: "gemma3_text", sliding_window_pattern: 2 });
    expect(scheduled[0]!.ignored).toEqual(["rope_tetha"]);
    expect(scheduled[1]!.ignored).toEqual(["beta_fast", "foo", "rope_tetha"]);
  });
});
