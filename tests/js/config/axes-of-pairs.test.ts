// Layouts of M-RoPE that sections do not express. The axes are written down from the models' code: transformers
// (modeling_ernie4_5_vl_moe.py), vLLM (bailing_mrope.py, mrope_interleaved.py and their tests), vLLM-Omni (Ming).
import { cacheBytes, layerSpecs, llamaCppOptions, readConfig, specFromConfig } from "posenc/config";
import { describe, expect, it } from "vitest";
import { createRotary, loosely } from "../helpers/library";

/** The axis of each pair as digits: "12" for rows and columns, "0" for time. */
const asText = (config: object): string => loosely(specFromConfig(config)).axisOfPair.join("");

const ernie = {
  model_type: "ernie4_5_vl_moe",
  text_config: { hidden_size: 2560, num_attention_heads: 20, num_hidden_layers: 28 },
};
// The config of vLLM's test of Ling 3.0 VL, which names no qk_rope_head_dim.
const text = {
  ...{ hidden_size: 2560, num_hidden_layers: 42, num_attention_heads: 32, head_dim: 128, kv_lora_rank: 512 },
  ...{ layer_group_size: 6, rope_theta: 6e6, partial_rotary_factor: 0.5 },
};
const ling = { model_type: "bailing_moe_v3_vl", mrope_section: [8, 12, 12], text_config: text };
const ming = {
  model_type: "bailingmm_moe_v2_lite",
  llm_config: {
    ...{ hidden_size: 4096, num_attention_heads: 32, num_hidden_layers: 32, rope_theta: 6e5 },
    ...{ rope_scaling: { type: "video_rope", factor: null } },
  },
};
const pangu = (dim: number, mrope_section: number[], more: object = {}) => ({
  model_type: "openpangu_vl",
  text_config: {
    ...{ hidden_size: 4 * dim, num_attention_heads: 4, num_hidden_layers: 2, rope_theta: 64e6 },
    rope_scaling: { rope_type: "default", mrope_section, mrope_interleaved: true, ...more },
  },
});

const [ernieAxes, lingAxes] = ["12".repeat(22) + "0".repeat(20), "12".repeat(12) + "0".repeat(8)];

describe("the axis of each pair", () => {
  it.each<[string, object, string, object]>([
    ["ERNIE 4.5 VL", ernie, ernieAxes, { kind: "rope", dim: 128, base: 5e5, pairing: "interleaved" }],
    ["Ling 3.0 VL", ling, lingAxes, { kind: "rope", dim: 64, base: 6e6, pairing: "interleaved" }],
    ["Ling's defaults", { ...ling, mrope_section: undefined }, "12".repeat(10) + "0".repeat(12), { dim: 64 }],
    [
      "Ling with sections in its text part",
      { ...ling, mrope_section: undefined, text_config: { ...text, rope_parameters: { mrope_section: [30, 1, 1] } } },
      "12" + "0".repeat(30),
      {},
    ],
    ["Ming", ming, lingAxes, { kind: "rope", dim: 128, rotaryDim: 64, base: 6e5, pairing: "half" }],
    ["openPangu VL, vLLM's 2, 3, 3", pangu(16, [2, 3, 3]), "01212120", { kind: "rope", dim: 16, pairing: "half" }],
    ["openPangu VL, vLLM's 2, 2", pangu(8, [2, 2]), "0101", {}],
    // By hand: after 0 1 2 the shares are 1/5, 1/5, 1/5, so that the axes repeat in order.
    ["openPangu VL, 6, 5, 5", pangu(32, [6, 5, 5]), "0120120120120120", {}],
    ["openPangu VL, only columns are left", pangu(8, [1, 0, 3]), "2220", {}],
    [
      "the rope type openpangu of other models",
      {
        ...{ model_type: "llama", hidden_size: 64, num_attention_heads: 4, rope_theta: 1e4 },
        rope_scaling: { rope_type: "openpangu", mrope_section: [2, 3, 3], mrope_interleaved: true },
      },
      "01212120",
      {},
    ],
  ])("%s", (_, config, axes, spec) => {
    expect(asText(config)).toBe(axes);
    expect(specFromConfig(config)).toMatchObject(spec);
    expect(specFromConfig(config)).not.toHaveProperty("sections");
  });

  it("openPangu's sections follow one another without mrope_interleaved", () =>
    expect(specFromConfig(pangu(16, [2, 3, 3], { mrope_interleaved: false }))).toMatchObject({
      kind: "rope-mrope",
      sections: [2, 3, 3],
    }));

  it("scaling rules have it, too", () =>
    expect(specFromConfig(pangu(8, [2, 2], { rope_type: "linear", factor: 2 }))).toMatchObject({
      kind: "rope-linear",
      axisOfPair: [0, 1, 0, 1],
    }));

  it("text of Ling has one axis", () => {
    expect(specFromConfig({ ...text, model_type: "bailing_hybrid" })).not.toHaveProperty("axisOfPair");
  });
});

it.each<[string, object]>([
  ["ERNIE 4.5 VL", ernie],
  ["Ling 3.0 VL", ling],
  ["Ming", ming],
  ["openPangu VL", pangu(16, [2, 3, 3])],
])("%s rotates q as its formula does", (_, config) => {
  const spec: { dim: number; rotaryDim?: number; base: number } = loosely(specFromConfig(config));
  const { dim, rotaryDim = dim, base } = spec;
  const isHalf = _ === "Ming" || _ === "openPangu VL";
  const axes = { "ERNIE 4.5 VL": ernieAxes, "Ling 3.0 VL": lingAxes, Ming: lingAxes }[_] ?? "01212120";
  const rope = createRotary(loosely(spec));
  const position = [5, 2, 11];
  const q = Float32Array.from({ length: dim }, (_, i) => Math.sin(i + 1));
  const { data } = rope.apply(
    { data: q.slice(), dims: [1, 1, 1, dim] },
    { positions: loosely(position.map((at) => [at])) },
  );
  const expected = [...q];
  for (let k = 0; k < rotaryDim / 2; k++) {
    const [a, b] = isHalf ? [k, k + rotaryDim / 2] : [2 * k, 2 * k + 1];
    const angle = position[Number(axes[k])]! * base ** ((-2 * k) / rotaryDim);
    expected[a] = q[a]! * Math.cos(angle) - q[b]! * Math.sin(angle);
    expected[b] = q[b]! * Math.cos(angle) + q[a]! * Math.sin(angle);
  }
  expected.forEach((value, i) => expect(data[i]).toBeCloseTo(value, 6));
});

describe("Ling's layers", () => {
  const full = (count: number, layer_group_size?: number): number[] =>
    layerSpecs({ ...ling, text_config: { ...text, num_hidden_layers: count, layer_group_size } })
      .filter(({ spec }) => spec !== null)
      .map(({ layer }) => layer);
  it("have full attention at the end of each group, and after the last whole group", () => {
    expect(full(42, 6)).toEqual([5, 11, 17, 23, 29, 35, 41]);
    expect(full(8, 3)).toEqual([2, 5, 6, 7]);
    expect(full(10)).toEqual([4, 9]);
  });
  it("cache the latent vector and 64 rotated features", () => {
    const { layers } = cacheBytes(ling, { length: 1 });
    expect(layers.filter(({ values }) => values > 0).map(({ values }) => values)).toEqual(Array(7).fill(576));
  });
  it("rotate 64 features whatever the share is, without a field that is ignored", () => {
    expect(readConfig({ ...ling, text_config: { ...text, rotary_dim: 64, rope_interleave: true } })).toMatchObject({
      spec: { dim: 64 },
      assumed: [],
      ignored: [],
    });
  });
  it("have images of Qwen3-VL's encoder", () => {
    const vision_config = { depth: 1, hidden_size: 1152, num_heads: 16, num_position_embeddings: 2304 };
    const [layer] = layerSpecs({ ...ling, vision_config }, { part: "vision" });
    expect(layer).toMatchObject({ spec: { kind: "rope-axial", dim: 72 }, input: { kind: "learned", length: 2304 } });
  });
});

it("images of openPangu VL attend within windows", () => {
  const vision_config = { depth: 2, hidden_size: 1280, num_heads: 16, fullatt_block_indexes: [1] };
  const layers = layerSpecs({ ...pangu(16, [2, 3, 3]), vision_config }, { part: "vision" });
  expect(layers.map(({ type }) => type)).toEqual(["window_attention", "full_attention"]);
  expect(layers[0]).toMatchObject({ spec: { kind: "rope-axial", dim: 80, base: 10000 } });
});

describe("sections that do not fit", () => {
  const at = (config: { text_config: object }, mrope_section: unknown) => ({
    ...config,
    text_config: {
      ...config.text_config,
      rope_scaling: { rope_type: "default", mrope_section, mrope_interleaved: true },
    },
  });
  it.each<[string, object, RegExp]>([
    ["rows and columns differ", at(ernie, [22, 20, 22]), /\[rows, columns, time\] with as many rows as columns, got/],
    ["two sections", at(ernie, [22, 22]), /must be whole numbers \[rows, columns, time\]/],
    ["fractions", at(ernie, [0.5, 0.5, 63]), /must be whole numbers/],
    ["another sum", at(ernie, [22, 22, 21]), /must sum to the 64 rotated pairs, got \[22, 22, 21\]/],
    ["no list", at(ernie, 22), /must be a list of numbers, got 22/],
    ["Ling's rows and columns", { ...ling, mrope_section: [8, 10, 14] }, /\[time, rows, columns\] with as many/],
    ["Ling's two places", { ...at(ling, [12, 10, 10]), mrope_section: [8, 12, 12] }, /contradicts itself/],
    ["four axes", pangu(16, [2, 2, 2, 2]), /must be 2 or 3 whole numbers, of 3 the first ≥ 1/],
    ["none of time", pangu(16, [0, 4, 4]), /of 3 the first ≥ 1, got \[0, 4, 4\]/],
    ["openPangu's sum", pangu(16, [2, 3, 4]), /must sum to the 8 rotated pairs/],
    [
      "defaults of a smaller head",
      { ...ernie, text_config: { ...ernie.text_config, head_dim: 64 } },
      /does not fit 32/,
    ],
    [
      "none",
      { ...pangu(16, []), text_config: { hidden_size: 64, num_attention_heads: 4 } },
      /is missing from the config/,
    ],
    ["a group without layers", { ...text, model_type: "bailing_hybrid", layer_group_size: 0 }, /layer_group_size/],
  ])("%s", (_, config, reason) => {
    const read = () => [specFromConfig(config), layerSpecs({ ...config })];
    expect(read).toThrow(reason);
    expect(read).toThrow(expect.objectContaining({ code: "invalid-argument" }));
  });
});

it("llama.cpp has no options for the axis of each pair", () => {
  expect(() => llamaCppOptions(specFromConfig(ernie))).toThrow(/llama.cpp has no options for axisOfPair/);
});
