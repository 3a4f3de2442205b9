// What a config leaves open is never filled in silently: `assumed` lists it, and related types that differ are refused.
import { layerSpecs, readConfig, specFromConfig } from "posenc/config";
import { PosencError } from "posenc";
import { models } from "posenc/models";
import { describe, expect, it } from "vitest";
import { fieldsOfLayers } from "../../../web/src/config/of-layers";
import { rotaryTypes } from "../../../web/src/config/model-types/table";
import { pe } from "../helpers/library";
import { cases } from "./model-types";

const sizes = { hidden_size: 64, num_attention_heads: 4, num_hidden_layers: 2 };
const unknown = { model_type: "brand_new", ...sizes, rope_theta: 10000 };
const complete = { ...unknown, head_dim: 16, partial_rotary_factor: 1 };
const mrope = { rope_type: "default", mrope_section: [4, 2, 2] };

describe("assumed", () => {
  it.each<[what: string, config: object, assumed: string[], options?: object]>([
    ["all that Llama is", unknown, ["dim", "rotaryDim", "pairing"]],
    ["without a model type, too", { ...unknown, model_type: undefined }, ["dim", "rotaryDim", "pairing"]],
    ["not the pairing that was passed", unknown, ["dim", "rotaryDim"], { pairing: "half" }],
    ["not the head's width that the config has", { ...unknown, head_dim: 16 }, ["rotaryDim", "pairing"]],
    ["not the share that the config has", complete, ["pairing"]],
    ["nor what rope_parameters has", { ...complete, rope_parameters: { partial_rotary_factor: 1 } }, ["pairing"]],
    ["not the pairing that the config has", { ...complete, rope_interleave: true }, []],
    ["how sections are laid out", { ...complete, rope_scaling: mrope }, ["interleavedSections", "pairing"]],
    ["not if the config has it", { ...complete, rope_scaling: { ...mrope, mrope_interleaved: true } }, ["pairing"]],
    ["latent attention rotates a part of its own", { ...unknown, qk_rope_head_dim: 8 }, ["pairing"]],
    ["the base of GPT-J's form", { n_embd: 64, n_head: 4, rotary_dim: 8 }, ["dim", "base"]],
    ["nothing", complete, [], { pairing: "interleaved" }],
    ["in the text of a multimodal model", { model_type: "many", text_config: complete }, ["pairing"]],
  ])("%s", async (_, config, assumed, options = {}) => {
    const encoding = pe.fromConfig(config, options);
    expect([...encoding.assumed].sort()).toEqual([...assumed].sort());
    expect(Object.isFrozen(encoding.assumed)).toBe(true);
    const reading = readConfig(config, options);
    expect(reading).toEqual({
      spec: specFromConfig(config, options),
      assumed: encoding.assumed,
      ignored: encoding.ignored,
    });
    const { assumed: explained, summary } = await pe.explain(config, options);
    expect(explained).toEqual(encoding.assumed);
    expect((await pe.explain(encoding)).assumed).toEqual(encoding.assumed);
    for (const field of assumed) expect(summary).toMatch(new RegExp(`assumed as in Llama: .*\\b${field}\\b`));
    if (assumed.length === 0) expect(summary).not.toMatch(/assumed/);
    encoding.dispose();
  });

  it("includes the kind of layers, unless the config lists it", async () => {
    expect(layerSpecs(unknown).map(({ assumed }) => assumed)).toEqual(
      Array(2).fill(["dim", "rotaryDim", "pairing", "type"]),
    );
    const layer_types = ["sliding_attention", "full_attention"];
    const listed = layerSpecs({ ...complete, layer_types, sliding_window: 8 }, { pairing: "half" });
    expect(listed.map(({ assumed }) => assumed)).toEqual([[], []]);
    const [layer] = await pe.layers(unknown);
    expect(layer!.assumed).toContain("type");
    expect(layer!.encoding!.assumed).toEqual(["dim", "rotaryDim", "pairing"]);
    layer!.encoding!.dispose();
  });

  it("is empty of encodings that come from no config, and of what knows no rotation", () => {
    expect(pe.create({ kind: "rope", dim: 16 }).assumed).toEqual([]);
    expect(pe.fromConfig({ model_type: "gpt2", n_embd: 64, n_head: 4, n_positions: 32 }).assumed).toEqual([]);
  });

  it.each(Object.entries(cases))("is empty of %s", (_, { config }) => {
    expect(layerSpecs(config).flatMap(({ assumed }) => assumed)).toEqual([]);
  });

  it.each(rotaryTypes())("is empty of the type %s", (model_type) => {
    const assumed = [undefined, "full_attention", "sliding_attention"].flatMap((layerType) => {
      try {
        return readConfig({ ...unknown, model_type }, layerType === undefined ? {} : { layerType }).assumed;
      } catch (error) {
        expect(error).toBeInstanceOf(PosencError);
        return [];
      }
    });
    expect(assumed).toEqual([]);
  });

  const published = Object.values(models).filter(({ config }) => config !== undefined);
  it.each(published.map((model) => [model.id, model] as const))("is empty of %s", (_, { config, layerType }) => {
    const { assumed, ignored } = readConfig(config, layerType === undefined ? {} : { layerType });
    expect(assumed).toEqual([]);
    // Nothing that is published is taken for a mistake.
    expect(ignored.filter((name) => !fieldsOfLayers.has(name))).toEqual([]);
  });
});

describe("related types", () => {
  it.each([
    ...["glm5v", "glm6_moe", "GLM5", "glm_next", "new_glm", "cohere3", "ernie5", "deepseek_v5", "deepseekv5", "llama5"],
    ...["kimi_k3", "longcat_next", "helium2", "blt2", "gptj2", "pe_text", "moonshine2", "mistral5", "youtu2", "axk9"],
  ])("%s are not guessed from", (model_type) => {
    const config = { ...unknown, model_type };
    const refused = expect.objectContaining({
      code: "unsupported",
      field: "pairing",
      message: expect.stringMatching(/^pairing: must be given .*"interleaved(-to-half)?".*; pass \{ pairing \}/),
    });
    for (const read of [specFromConfig, layerSpecs, (given: object) => pe.fromConfig(given)])
      expect(() => read(config)).toThrow(refused);
    expect(() => specFromConfig({ text_config: config })).toThrow(refused);
    expect(specFromConfig(config, { pairing: "half" })).toMatchObject({ kind: "rope", pairing: "half" });
    expect(layerSpecs(config, { pairing: "interleaved" })[0]!.spec).toMatchObject({ pairing: "interleaved" });
    expect(specFromConfig({ ...config, rope_interleave: true })).toMatchObject({ pairing: "interleaved-to-half" });
  });

  it.each(["qwen9", "phi9", "gemma9", "granite9", "olmo9", "persimmon2", "brand_new", "neo"])(
    "%s may be Llama's",
    (model_type) => {
      expect(readConfig({ ...complete, model_type })).toMatchObject({
        assumed: ["pairing"],
        spec: { pairing: "half" },
      });
    },
  );
});
