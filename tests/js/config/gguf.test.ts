// Does specFromGguf read headers as llama.cpp does? Keys of gguf-py's constants, values as @huggingface/gguf gives them.
import { readGguf, specFromGguf, type GgufOptions } from "posenc/config";
import { describe, expect, it } from "vitest";
import { createAny, createRotary, loosely, pe } from "../helpers/library";

const header = (architecture: string, values: object = {}): object => ({
  version: 3,
  "general.architecture": architecture,
  ...Object.fromEntries(
    Object.entries({
      context_length: 4096,
      embedding_length: 64,
      block_count: 2,
      "attention.head_count": 4,
      ...values,
    }).map(([name, value]) => [`${architecture}.${name}`, value]),
  ),
});
const rope = (fields: object) => ({ kind: "rope", dim: 16, base: 10000, pairing: "half", ...fields });
const yarn = {
  "rope.scaling.type": "yarn",
  "rope.scaling.factor": 4,
  "rope.scaling.original_context_length": 1024,
};
const factors = { shortFactors: [1, 1, 1, 1, 1, 1, 1, 1], longFactors: new Float32Array(8).fill(2) };

type Row = [what: string, header: object, spec: object, options?: GgufOptions];
const rows: Row[] = [
  [
    "neighbours of llama",
    header("llama", { "rope.freq_base": 500000 }),
    rope({ base: 500000, pairing: "interleaved" }),
  ],
  ["the caller's pairing", header("llama"), rope({}), { pairing: "half" }],
  ["halves of qwen2", header("qwen2", { "rope.freq_base": 1e6 }), rope({ base: 1e6 })],
  [
    "head width and part",
    header("phi2", { "rope.dimension_count": 8, "attention.key_length": 32 }),
    rope({ dim: 32, rotaryDim: 8 }),
  ],
  ["bigints", header("qwen3", { "attention.key_length": 128n, "attention.head_count": 4n }), rope({ dim: 128 })],
  ["heads of each layer", header("lfm2", { "attention.head_count": [0, 4] }), rope({})],
  ["heads in a typed array", header("lfm2", { "attention.head_count": Int32Array.of(4, 4) }), rope({})],
  [
    "typed metadata",
    { "general.architecture": { value: "gemma", type: 8 }, "gemma.attention.key_length": { value: 32, type: 4 } },
    rope({ dim: 32 }),
  ],
  [
    "linear",
    header("gemma", { "rope.scaling.type": "linear", "rope.scaling.factor": 8 }),
    rope({ kind: "rope-linear", factor: 8 }),
  ],
  ["linear, the old name", header("gemma", { "rope.scale_linear": 4 }), rope({ kind: "rope-linear", factor: 4 })],
  ["none", header("gemma", { "rope.scaling.type": "none", "rope.scaling.factor": 8 }), rope({})],
  ["yarn", header("qwen2", yarn), rope({ kind: "rope-yarn", factor: 4, originalLength: 1024 })],
  [
    "yarn's betas",
    header("qwen2", { ...yarn, "rope.scaling.yarn_beta_fast": 24, "rope.scaling.yarn_beta_slow": 2 }),
    rope({ kind: "rope-yarn", factor: 4, originalLength: 1024, betaFast: 24, betaSlow: 2 }),
  ],
  [
    "yarn's magnitude, multiplied",
    header("qwen2", { ...yarn, "rope.scaling.attn_factor": 0.5 }),
    rope({ kind: "rope-yarn", factor: 4, originalLength: 1024, attentionFactor: 0.5 * (0.1 * Math.log(4) + 1) }),
  ],
  [
    "DeepSeek's latent heads: 0.1 · 0.707 as float32",
    header("deepseek2", {
      ...{ ...yarn, "rope.scaling.factor": 40, "rope.scaling.yarn_log_multiplier": Math.fround(0.0707) },
      ...{ "rope.dimension_count": 8, "attention.key_length": 24, "attention.kv_lora_rank": 32 },
    }),
    rope({
      ...{ kind: "rope-yarn", dim: 8, pairing: "interleaved", factor: 40, originalLength: 1024 },
      ...{ mscale: 0.707, mscaleAllDim: 0.707 },
    }),
  ],
  [
    "Phi-3's factors",
    header("phi3", { "rope.scaling.original_context_length": 1024, "rope.scaling.attn_factor": 1.19 }),
    rope({
      ...{ kind: "rope-longrope", originalLength: 1024, factor: 4, attentionFactor: 1.19 },
      ...{ shortFactor: factors.shortFactors, longFactor: [...factors.longFactors] },
    }),
    factors,
  ],
  [
    "Llama 3.1's factors",
    header("llama"),
    rope({ pairing: "interleaved", frequencyFactors: [1, 2, 3, 4, 5, 6, 7, 8] }),
    { ropeFreqs: [1, 2, 3, 4, 5, 6, 7, 8] },
  ],
  [
    "Qwen2-VL's sections",
    header("qwen2vl", { "rope.dimension_sections": [2, 3, 3, 0] }),
    rope({ kind: "rope-mrope", sections: [2, 3, 3] }),
  ],
  [
    "Qwen3-VL's, woven, as bigints",
    header("qwen3vl", { "rope.dimension_sections": [4n, 2n, 2n, 0n] }),
    rope({ kind: "rope-mrope", sections: [4, 2, 2], interleavedSections: true }),
  ],
  [
    "Gemma 3's global layers",
    header("gemma3", { "rope.freq_base": 1e6, "rope.scaling.type": "linear", "rope.scaling.factor": 8 }),
    rope({ kind: "rope-linear", base: 1e6, factor: 8 }),
    { layerType: "full_attention" },
  ],
  [
    "Gemma 3's local layers",
    header("gemma3", { "rope.freq_base": 1e6, "rope.scaling.type": "linear", "rope.scaling.factor": 8 }),
    rope({}),
    { layerType: "sliding_attention" },
  ],
  [
    "Gemma 4's local layers",
    header("gemma4", {
      ...{
        "rope.freq_base": 1e6,
        "rope.freq_base_swa": 20000,
        "attention.key_length": 32,
        "attention.key_length_swa": 16,
      },
      ...{ "rope.dimension_count": 32, "rope.dimension_count_swa": 16 },
    }),
    rope({ base: 20000 }),
    { layerType: "sliding_attention" },
  ],
  [
    "Granite's hybrid that turns",
    header("granitehybrid", { "rope.scaling.finetuned": true }),
    rope({ pairing: "interleaved" }),
  ],
  [
    "ALiBi",
    header("mpt", { "attention.max_alibi_bias": 16 }),
    { kind: "alibi", heads: 4, maxBias: 16, form: "relative" },
  ],
  ["MPT's table", header("mpt"), { kind: "learned", length: 4096, dim: 64 }],
  ["BLOOM", header("bloom"), { kind: "alibi", heads: 4, maxBias: 8, form: "relative" }],
  ["Baichuan 7B", header("baichuan", { block_count: 32 }), rope({ pairing: "interleaved" })],
  ["Baichuan 13B", header("baichuan", { block_count: 40 }), { kind: "alibi", heads: 4, maxBias: 8, form: "relative" }],
  ["GPT-2", header("gpt2"), { kind: "learned", length: 4096, dim: 64 }],
  ["T5's encoder", header("t5"), { kind: "t5", heads: 4, buckets: 32, maxDistance: 128, bidirectional: true }],
  [
    "T5's decoder",
    header("t5", { "attention.relative_buckets_count": 64 }),
    { kind: "t5", heads: 4, buckets: 64, maxDistance: 128, bidirectional: false },
    { layerType: "decoder" },
  ],
];

describe("specFromGguf", () => {
  it.each(rows)("%s", (_, metadata, spec, options) => {
    const read = specFromGguf(metadata, options);
    expect(read).toEqual(spec);
    loosely(createAny(read)).dispose();
  });

  it.each(rows)("is what readGguf reads: %s", (_, metadata, spec, options) => {
    expect(readGguf(metadata, options)).toMatchObject({ spec, assumed: [] });
  });

  it.each<[what: string, header: object, ignored: string[], options?: GgufOptions]>([
    ["nothing", header("llama", { "rope.freq_base": 5e5, "rope.dimension_count": 16 }), []],
    ["yarn's", header("qwen2", { ...yarn, "rope.scaling.yarn_ext_factor": 1 }), ["qwen2.rope.scaling.yarn_ext_factor"]],
    [
      "unknown keys, and those of another scaling",
      header("qwen2", { "rope.freq_bsae": 5, "rope.scaling.yarn_beta_fast": 32, "attention.sliding_window": 8 }),
      ["qwen2.rope.freq_bsae", "qwen2.rope.scaling.yarn_beta_fast"],
    ],
    ["all, of what does not turn", header("bloom", { "rope.freq_base": 1e4 }), ["bloom.rope.freq_base"]],
    ["other architectures' keys", { ...header("llama"), "qwen2.rope.freq_bsae": 1 }, []],
    ...["full_attention", "sliding_attention"].map((layerType): [string, object, string[], GgufOptions] => [
      `none that other layers read: ${layerType}`,
      header("gemma3", {
        "rope.freq_base": 1e6,
        "rope.dimension_count": 16,
        "rope.freq_base_swa": 1e4,
        "rope.dimension_count_swa": 8,
        "rope.scaling.type": "linear",
        "rope.scaling.factor": 8,
        "rope.scaling.finetuned": true,
      }),
      ["gemma3.rope.scaling.finetuned"],
      { layerType },
    ]),
  ])("ignores %s", (_, metadata, ignored, options) => {
    expect(readGguf(metadata, options).ignored).toEqual(ignored);
  });

  it("has the frequencies of the config; neighbours turn, as the weights of a llama were permuted", () => {
    const gguf = createRotary(loosely(specFromGguf(header("llama", { "rope.freq_base": 500000 }))));
    const config = { model_type: "llama", hidden_size: 64, num_attention_heads: 4, rope_theta: 500000 };
    const fromJson = pe.fromConfig(config, { family: "rotary" });
    expect([...gguf.inverseFrequencies]).toEqual([...fromJson.inverseFrequencies]);
    expect([loosely(gguf.spec).pairing, loosely(fromJson.spec).pairing]).toEqual(["interleaved", "half"]);
  });

  // llama_model_rope_type: LLAMA_ROPE_TYPE_NORM and LLAMA_ROPE_TYPE_NEOX.
  it.each([
    [
      "interleaved",
      "llama llama4 baichuan command-r cohere2 olmo deepseek2 chatglm granite smollm3 arcee ernie4_5 mistral3 glm4",
    ],
    [
      "half",
      "falcon stablelm qwen2 qwen3 phi2 phi3 gemma gemma2 starcoder2 gptneox olmo2 exaone gpt-oss lfm2 nomic-bert",
    ],
  ])("%s: %s", (pairing, architectures) => {
    for (const architecture of architectures.split(" "))
      expect(specFromGguf(header(architecture))).toMatchObject({ pairing });
  });

  type Refusal = [code: string, field: string, metadata: unknown, options?: object];
  it.each<Refusal>([
    ["invalid-argument", "metadata", undefined],
    ["invalid-argument", "metadata", "llama"],
    ["invalid-argument", "general.architecture", {}],
    ["invalid-argument", "general.architecture", { "general.architecture": 7 }],
    ["unsupported", "general.architecture", header("brand-new")],
    ["unsupported", "general.architecture", header("__proto__")],
    ["unsupported", "general.architecture", header("mamba")],
    ["unsupported", "general.architecture", header("granitehybrid")],
    ["invalid-argument", "qwen2.attention.head_count", header("qwen2", { "attention.head_count": undefined })],
    ["invalid-argument", "qwen2.embedding_length", header("qwen2", { embedding_length: 65 })],
    ["invalid-argument", "qwen2.rope.freq_base", header("qwen2", { "rope.freq_base": "1e6" })],
    ["invalid-argument", "qwen2.rope.freq_base", header("qwen2", { "rope.freq_base": NaN })],
    ["invalid-argument", "qwen2vl.rope.dimension_sections", header("qwen2vl", { "rope.dimension_sections": "16" })],
    ["invalid-argument", "qwen2vl.rope.dimension_sections", header("qwen2vl", { "rope.dimension_sections": [1.5, 2] })],
    ["unsupported", "qwen2.rope.scaling.type", header("qwen2", { "rope.scaling.type": "spiral" })],
    ["invalid-argument", "layerType", header("gemma3")],
    ["invalid-argument", "layerType", header("gemma3"), { layerType: "local" }],
    ["invalid-argument", "layerType", header("qwen2"), { layerType: "sliding_attention" }],
    ["invalid-argument", "longFactors", header("phi3"), { shortFactors: [1] }],
    ["invalid-argument", "shortFactors", header("phi3", { "rope.scaling.type": "longrope" })],
    ["invalid-argument", "ropeFreqs", header("llama"), { ropeFreqs: "all" }],
    ["invalid-argument", "pairing", header("llama"), { pairing: "both" }],
  ])("%s %s", (code, field, metadata, options) => {
    expect(() => specFromGguf(metadata, options)).toThrow(
      expect.objectContaining({ code, field, message: expect.stringContaining(field) }),
    );
  });
});
