// What posenc reads from the configs of all rotary model types against what the code of Hugging Face transformers does with
// them (5.16.0.dev0 at decba1d2: modeling files read, configuration classes instantiated; tests/fixtures/rotary-types.json).
import { layerSpecs, specFromConfig } from "posenc/config";
import { describe, expect, it } from "vitest";

type Json = Record<string, unknown>;
interface Facts {
  type: string;
  pairing: string;
  readsPartial?: boolean;
  headDim?: number;
  /** M-RoPE's layout, and the sections that the code takes if the config names none. */
  mrope?: "chunked" | "interleaved" | "other";
  sections?: string;
  config: Json;
}
const [records] = Object.values(
  import.meta.glob<Facts[]>("../../fixtures/rotary-types.json", { eager: true, import: "default" }),
);

/** Lists are stored as what repeats, with their length. */
function whole(value: unknown): unknown {
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map(whole);
  const { period, length } = value as { period?: unknown[]; length?: number };
  if (period && length) return Array.from({ length }, (_, i) => period[i % period.length]);
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, whole(inner)]));
}

/** Types that `specFromConfig` refuses, by the reason that it names. */
const refused: Record<string, RegExp> = {
  clvp_decoder: /no kind.*learned rows/,
  edgetam_video: /no kind.*earlier frames/,
  // Its default is a learned table.
  esm: /pad_token_id/,
  glm4_moe: /4096 is not a multiple of 96 heads/,
  glm4v_moe_text: /4096 is not a multiple of 96 heads/,
  // The class's default shares do not fit its default head: torch fails, too.
  glm_image_text: /the default \[8, 12, 12\] does not fit 64 pairs/,
  glm4v_text: /the default \[8, 12, 12\] does not fit 64 pairs/,
  // The class's default has no positions.
  granitemoehybrid: /no positions/,
  zamba2: /no positions/,
  kimi_k25_vision: /no kind.*alternately/,
  minimax_m3_vl_vision: /no kind.*part of each head/,
  musicflamingo: /no kind.*by time/,
  nanochat: /no kind.*rotate the opposite way/,
  qwen2_5_omni_dit: /no kind.*first head/,
  qwen3_omni_moe_text: /2048 is not a multiple of 28 heads/,
  sam2_video: /no kind.*earlier frames/,
  sam3_tracker_video: /no kind.*earlier frames/,
  vjepa2: /no kind.*different frequencies/,
};
/** Biases unless their configs choose the rotation, and one whose parts differ. */
const notByDefault = new Set(["wav2vec2-conformer", "blt"]);
/** Image encoders rotate by rows and columns: `rope-axial`. */
const axial = new Set(
  "eomt_dinov3 gemma4_vision llama4_vision_model muse_glimmer_vision pixtral sapiens2 step3p5_vision video_llama_3_vision".split(
    " ",
  ),
);

/** Layers of these types do not rotate, by the model's code. */
const withoutRotation: Record<string, (config: Json, layer: number, type: string) => boolean> = {
  ...Object.fromEntries(
    "afmoe cohere2 cohere2_moe exaone4 exaone_moe"
      .split(" ")
      .map((type) => [type, (_c, _l, t) => t === "full_attention"]),
  ),
  ...Object.fromEntries(
    "llama4_text smollm3"
      .split(" ")
      .map((type) => [type, (config, layer) => !(config["no_rope_layers"] as number[])[layer]]),
  ),
  mllama_text_model: (config, layer) => (config["cross_attention_layers"] as number[]).includes(layer),
  muse_glimmer_text: (config, layer) => !(config["layer_rope_theta"] as number[])[layer],
};

const isParameters = (value: unknown): value is Json =>
  value !== null && typeof value === "object" && !Array.isArray(value);
const rope = (config: Json, type: string): Json => {
  const all = (config["rope_parameters"] ?? {}) as Json;
  return (all[type] ?? all["main"] ?? all) as Json;
};

/** What the modeling code does at a layer, or undefined where this does not know. */
function expected({ pairing, readsPartial, headDim, config }: Facts, layer: number, type: string) {
  const {
    rope_theta: base,
    partial_rotary_factor: share = 1,
    rope_type,
  } = rope(config, type) as Record<string, number>;
  const own = (config["per_layer_config"] as Json | undefined)?.[layer] as { head_dim?: number } | undefined;
  const [heads, width] = [
    ["num_attention_heads", "n_heads", "encoder_num_attention_heads"],
    ["hidden_size", "d_model"],
  ].map((names) => Number(names.map((name) => config[name]).find((value) => value !== undefined)));
  const latent = (config["qk_rope_head_dim"] as number | undefined) ?? undefined;
  const stated = (config["head_dim"] ?? config["kv_channels"] ?? headDim) as number | undefined;
  const dim = own?.head_dim ?? latent ?? stated ?? width! / heads!;
  const isPart = readsPartial || String(rope_type) === "proportional";
  const rotated = latent !== undefined || !isPart ? dim : Math.floor(dim * share);
  return { base, pairing, dim, rotated: rotated - (rotated % 2) };
}

const isPlainText = ({ type, config }: Facts): boolean =>
  !(type in refused) && !axial.has(type) && !notByDefault.has(type) && config["rope_parameters"] !== undefined;

interface Rotation {
  dim?: number;
  rotaryDim?: number;
  base?: number;
  pairing?: string;
  interleavedSections?: boolean;
  sections?: number[];
  axisOfPair?: number[];
}
const partsOf = (spec: Rotation) => ({
  base: spec.base,
  pairing: spec.pairing,
  dim: spec.dim,
  rotated: spec.rotaryDim ?? spec.dim,
});

/**
 * Where posenc follows the model and not the code of this commit. RecurrentGemma and MiniMax name the share that rotates, their
 * papers and Transformers v4 rotate it, and `compute_default_rope_parameters` does not read it.
 */
const followsTheModel: Record<string, object> = {
  minimax_m3_vl_text: { rotated: 64 },
  recurrent_gemma: { rotated: 128 },
};

/** Whether the code takes sections from the config alone, and the class's default config has none. */
const needsSections = ({ type, mrope, sections, config }: Facts): boolean =>
  mrope !== undefined && !sections && !(type in refused) && !("mrope_section" in (config["rope_parameters"] as Json));
/** The config, with the sections that published configs have. */
const complete = (facts: Facts): Json => {
  const config = whole(facts.config) as Json;
  const rope_parameters = { ...(config["rope_parameters"] as Json), mrope_section: [16, 24, 24] };
  return needsSections(facts) ? { ...config, rope_parameters } : config;
};

it.each(records!.filter(needsSections))("$type requires the sections of M-RoPE, as its code does", ({ config }) => {
  for (const rope_parameters of [config["rope_parameters"], { rope_type: "default", rope_theta: 1e6, type: "mrope" }])
    expect(() => specFromConfig({ ...config, rope_parameters })).toThrow(/^mrope_section: is missing from the config/);
});

describe.each(records!.map((facts) => ({ ...facts, config: complete(facts) })))("$type", (facts) => {
  const { type, config } = facts;
  if (type in refused)
    return it("is refused with a reason", () => expect(() => specFromConfig(config)).toThrow(refused[type]));
  if (axial.has(type))
    return it("rotates rows and columns", () => expect(specFromConfig(config)).toMatchObject({ kind: "rope-axial" }));
  if (!isPlainText(facts)) return it("has layers", () => expect(layerSpecs(config).length).toBeGreaterThan(0));

  const checkLayers = (given: Json): void => {
    const layers = layerSpecs(given).filter(({ part, note }) => !/vision|audio/.test(part) && note === undefined);
    expect(layers.length).toBeGreaterThan(0);
    const types = config["layer_types"] as string[] | undefined;
    if (types && types.length === layers.length) expect(layers.map((layer) => layer.type)).toEqual(types);
    for (const { layer, type: kind, spec } of layers) {
      const isLinear = !/attention|hybrid/.test(kind) || kind === "linear_attention";
      if (isLinear || withoutRotation[type]?.(config, layer, kind)) expect([layer, spec]).toEqual([layer, null]);
      else expect(partsOf(spec as Rotation)).toEqual({ ...expected(facts, layer, kind), ...followsTheModel[type] });
    }
  };
  it("has the layers of its code", () => checkLayers(config));
  it("is one spec, or asks which layers", () => {
    const spec = (layerType?: string) => specFromConfig(config, layerType === undefined ? {} : { layerType });
    const { rope_parameters: parameters } = config as { rope_parameters: Json };
    const kinds = Object.keys(parameters).filter((name) => isParameters(parameters[name]));
    const layers = (config["layer_types"] ?? []) as string[];
    for (const kind of kinds.length > 0 ? kinds.filter((name) => layers.includes(name)) : [undefined]) {
      const layer = kind === undefined ? 0 : layers.indexOf(kind);
      expect(partsOf(spec(kind) as Rotation)).toEqual({
        ...expected(facts, layer, kind ?? "-"),
        ...followsTheModel[type],
      });
    }
    if (kinds.length > 1) expect(() => spec()).toThrow(/layerType/);
  });
  const sections = (facts.sections ?? "[]") !== "[]" || "mrope_section" in (config["rope_parameters"] as Json);
  if (sections)
    it("has M-RoPE's layout", () => {
      const spec = specFromConfig(config) as Rotation;
      // tests/js/config/axes-of-pairs.test.ts has the axes.
      if (facts.mrope === "other") return expect(spec.axisOfPair!.length * 2).toBe(partsOf(spec).rotated);
      expect(spec.interleavedSections ?? false).toBe(facts.mrope === "interleaved");
      expect(spec.sections!.reduce((sum, part) => sum + part, 0) * 2).toBe(partsOf(spec).rotated);
    });
  it.each([
    ["rope_theta", /rope_theta/],
    ["head_dim", /never/],
    ["partial_rotary_factor", /never/],
    ["layer_types", /layer_types/],
  ])("says the same without %s, or that it is missing", (name, reason) => {
    const parameters = (config["rope_parameters"] ?? {}) as Json;
    // A share that parameters of a kind of layers leave out is 1; only the class's own key has another default.
    const isNested = Object.values(parameters).some(isParameters);
    const without = ([key, value]: [string, unknown]) =>
      isParameters(value) && name !== "partial_rotary_factor" ? [key, { ...value, [name]: undefined }] : [key, value];
    const rest = Object.fromEntries(Object.entries(parameters).map(without));
    const given = { ...config, [name]: undefined, rope_parameters: isNested ? rest : { ...rest, [name]: undefined } };
    try {
      checkLayers(given);
    } catch (error) {
      expect((error as { code?: string }).code, String(error)).toBe("invalid-argument");
      expect((error as Error).message).toMatch(reason);
    }
  });
});
