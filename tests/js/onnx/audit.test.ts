// What an audit says of exported models: nothing wrong of those that are right, and each defect by its name.
import { PosencError } from "posenc";
import { describe, expect, it } from "vitest";
import { pe } from "../helpers/library";
import { codes, configOf, llama3, loud, fixed, open, yarn, type Json } from "../helpers/onnx-audit";
import { modelFiles, openModel, type OnnxModel } from "../helpers/onnx-models";
import { wildBytes } from "../helpers/wild-models";
import type { Finding } from "posenc/onnx";

/** A model against its config with some fields changed. */
async function audit(
  name: string,
  changes: Json = {},
): Promise<{ model: OnnxModel; config: Json; findings: Finding[] }> {
  const model = await open(name);
  const config = { ...(await configOf(name)), ...changes };
  return { model, config, findings: model.audit(pe, config) };
}

describe("models as they were exported", () => {
  const wrong: Record<string, string[]> = {
    "llama-tjs/model_fp16.onnx": ["error angles-float16"],
    "phi3-longrope/model.onnx": ["error frozen-scaling"],
  };
  it.each(modelFiles)("%s", async (name) => {
    expect(codes((await audit(name)).findings)).toEqual(wrong[name] ?? []);
  });
});

const longFactors = [1, 1.3, 1.9, 2.6, 3.4, 4.2, 5.1, 6];
const longrope = {
  max_position_embeddings: 256,
  original_max_position_embeddings: 64,
  rope_scaling: { rope_type: "longrope", short_factor: longFactors.map(() => 1), long_factor: longFactors },
};
const full = "full_attention";
const sliding = "sliding_attention";

describe("a config that says otherwise, and what fixes the file", () => {
  const clean: string[] = [];
  const stays = ["warning frozen-scaling"];
  const cases: [what: string, name: string, changes: Json, found: string[], left: string[], message: RegExp][] = [
    [
      "YaRN",
      "llama/model.onnx",
      yarn,
      ["error scaling-ignored"],
      clean,
      /4 times too fast.*factor is 1 instead of 1\.14/,
    ],
    ["YaRN, tables", "llama-v437/model.onnx", yarn, ["error scaling-ignored", "warning rows"], clean, /YaRN × 4/],
    [
      "YaRN, float16 cache",
      "genai-llama-fp16/model.onnx",
      yarn,
      ["error scaling-ignored", "warning rows"],
      clean,
      /YaRN × 4/,
    ],
    [
      "linear",
      "mobius-llama/model.onnx",
      { rope_scaling: { type: "linear", factor: 4 } },
      ["error scaling-ignored"],
      clean,
      /linear/,
    ],
    ["Llama 3", "llama/model.onnx", { rope_scaling: llama3 }, ["error scaling-ignored"], clean, /Llama 3 scaling × 8/],
    [
      "LongRoPE",
      "llama/model.onnx",
      longrope,
      ["error frozen-scaling", "error attention-factor"],
      stays,
      /wrong from 65 on/,
    ],
    [
      "dynamic NTK",
      "llama/model.onnx",
      { rope_scaling: { type: "dynamic", factor: 4 } },
      ["error frozen-scaling"],
      stays,
      /13 times too fast/,
    ],
    [
      "dynamic NTK, tables",
      "mobius-llama/model.onnx",
      { rope_scaling: { type: "dynamic", factor: 4 } },
      ["warning frozen-scaling"],
      stays,
      /after 64 rows/,
    ],
    [
      "another base",
      "llama/model.onnx",
      { rope_theta: 500000 },
      ["error base"],
      clean,
      /base 10000.*base 500000.*30\.7 times/,
    ],
    [
      "two tables with other factors",
      "genai-phi3-longrope/model.onnx",
      { rope_theta: 20000 },
      ["error frequencies", "error frequencies"],
      clean,
      /no known rule/,
    ],
    [
      "bases exchanged",
      "gemma3/model.onnx",
      { rope_theta: 1e4, rope_local_base_freq: 1e6 },
      ["error layer-base", "error layer-base"],
      clean,
      /^layer 1: /,
    ],
    [
      "one of two bases scaled",
      "gemma3/model.onnx",
      { rope_scaling: { rope_type: "linear", factor: 8 } },
      ["error scaling-ignored"],
      clean,
      /^layer 1: /,
    ],
    ["more rows", "mobius-llama/model.onnx", { max_position_embeddings: 256 }, ["error rows"], clean, /64 rows.*256/],
    [
      "more rows, learned",
      "roberta/model.onnx",
      { max_position_embeddings: 130 },
      ["error rows"],
      clean,
      /66 rows.*130/,
    ],
    ["a larger image", "vit-tjs/model.onnx", { image_size: 64 }, ["error rows"], clean, /17 rows.*65/],
    [
      "other slopes",
      "bloom/model.onnx",
      { model_type: "mpt", n_heads: 4, attn_config: { alibi: true, alibi_bias_max: 16 } },
      ["error slopes"],
      clean,
      /256 times/,
    ],
    [
      "other distances",
      "t5/encoder_model.onnx",
      { relative_attention_max_distance: 128 },
      ["error buckets"],
      clean,
      /48 instead of 128/,
    ],
    [
      "float16",
      "llama-tjs/model_fp16.onnx",
      {},
      ["error angles-float16"],
      clean,
      /0\.0101 radians at position 53, 0\.374 at 1995/,
    ],
  ];
  it.each(cases)("%s: %s", async (_, name, changes, found, left, message) => {
    const { model, config, findings } = await audit(name, changes);
    expect(codes(findings)).toEqual(found);
    const [first] = loud(findings);
    expect(first!.message).toMatch(message);
    expect(model.positions).toContain(first!.component);
    expect(await fixed(model, first!, config)).toEqual(left);
  });
});

describe("what no rewrite fixes", () => {
  const mistral = { model_type: "mistral", sliding_window: 32 };
  const cases: [what: string, name: string, changes: Json, found: string[], message: RegExp][] = [
    [
      "a window that nobody uses",
      "llama/model.onnx",
      { ...mistral, model_type: "qwen2", use_sliding_window: false },
      [],
      /^/,
    ],
    ["a window as long as the texts", "llama/model.onnx", { ...mistral, sliding_window: 64 }, [], /^/],
    [
      "layers of other kinds",
      "gemma3/model.onnx",
      { layer_types: [full, sliding, sliding], sliding_window: 64 },
      ["error layer-base", "error layer-base"],
      /^layer 1: .*for sliding_attention/,
    ],
    [
      "a layer without positions",
      "llama/model.onnx",
      { no_rope_layers: [1, 0] },
      ["error nope-layer-rotated"],
      /^layer 1: /,
    ],
    [
      "half as many features",
      "llama/model.onnx",
      { partial_rotary_factor: 0.5 },
      ["error width"],
      /16 features are rotated, 8 in/,
    ],
    [
      "other pairs",
      "llama/model.onnx",
      { model_type: "helium" },
      ["warning pairing"],
      /half, in the config interleaved/,
    ],
    ["more heads", "bloom/model.onnx", { n_head: 8 }, ["error slopes"], /4 heads, 8 in/],
    [
      "more buckets",
      "t5/encoder_model.onnx",
      { relative_attention_num_buckets: 32 },
      ["error buckets"],
      /16 instead of 32/,
    ],
  ];
  it.each(cases)("%s: %s", async (_, name, changes, found, message) => {
    const { findings } = await audit(name, changes);
    expect(codes(findings)).toEqual(found);
    for (const finding of loud(findings).slice(0, 1)) expect(finding.message).toMatch(message);
    expect(loud(findings).filter(({ rewrite }) => rewrite)).toEqual([]);
  });
});

describe("without a config", () => {
  it("finds angles in float16, and frequencies that nobody knows", async () => {
    const short = (await open("llama-tjs/model_fp16.onnx")).audit(pe);
    expect(codes(short)).toEqual(["error angles-float16"]);
    expect(short[0]!.message).toMatch(/0\.374 radians at position 1995/);
    const unknown = (await open("phi3-longrope/model.onnx")).audit(pe);
    expect(unknown.map(({ severity, code }) => `${severity} ${code}`)).toEqual(["note unknown-frequencies"]);
    expect(unknown[0]!.message).toContain("0.301, 0.0909");
  });
  it("does not list the frequencies of a component that cannot be changed", async () => {
    const model = await openModel(await wildBytes("dinov3_dyn"));
    expect(model.positions).toMatchObject([{ family: "rotary", changeable: false }]);
    expect(model.audit(pe).map(({ code }) => code)).toEqual(["not-changeable"]);
  });
  it("says where tables end", async () => {
    const findings = (await open("mobius-llama/model.onnx")).audit(pe);
    expect(findings.map(({ severity, code }) => `${severity} ${code}`)).toEqual(["note rows"]);
  });
});

describe("configs that say little", () => {
  it.each([
    null,
    5,
    "llama",
    [],
    {},
    { model_type: 5 },
    { model_type: "__proto__" },
    { rope_scaling: 1, model_type: "llama" },
  ])("%j cannot be read", async (config) => {
    const findings = (await open("llama/model.onnx")).audit(pe, config);
    expect(findings.map(({ severity, code }) => `${severity} ${code}`)).toEqual(["note config-unread"]);
  });
  it.each(["out-of-memory", "disposed", "load-failed"] as const)("%s reaches the caller", async (code) => {
    for (const part of [undefined, "decoder"]) {
      const failing = Object.assign(Object.create(pe), {
        fromConfig(config: object, options: { layerType?: string }) {
          if (options.layerType === part) throw new PosencError(code, "memory: it failed");
          return pe.fromConfig(config, options);
        },
      });
      const [model, config] = [await open("roberta/model.onnx"), await configOf("roberta/model.onnx")];
      expect(() => model.audit(failing, config)).toThrow(expect.objectContaining({ code }));
    }
  });
  it("misses what the config describes", async () => {
    const { findings } = await audit("llama/model.onnx", { model_type: "bert" });
    expect(findings.map(({ code }) => code)).toEqual(["not-found"]);
  });
  it("leaves layers alone where it does not know which are which", async () => {
    expect((await audit("llama/model.onnx", { num_hidden_layers: 1e9, no_rope_layers: [0, 0] })).findings).toEqual([]);
  });
});
