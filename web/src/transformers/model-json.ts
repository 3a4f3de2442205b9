// What config.json and the files beside it say of positions, after these have been changed.
import { specFromConfig } from "../config/config.js";
import { asObject, type Json } from "../base/json.js";
import type { RewriteOptions } from "../onnx/options.js";

type Follow = (json: Json, options: RewriteOptions, config: Json) => Json;
type Rope = Record<string, unknown>;

/**
 * Files that describe the positions, each with a function of its content, the changes, and the original config.json.
 */
export const followers: Readonly<Record<string, Follow>> = {
  "config.json": followConfig,
  "tokenizer_config.json": followTokenizer,
  "preprocessor_config.json": followImages,
};

/** Returns the choice for all rotations; undefined: there is none, or each has its own. */
function choiceOf({ rotary }: RewriteOptions): Rope | undefined {
  if (rotary === undefined || typeof rotary === "function") return undefined;
  return "family" in rotary ? (rotary.spec as unknown as Rope) : (rotary as Rope);
}

/** Returns the new length of texts, if an option sets it. */
function lengthOf(options: RewriteOptions): number | undefined {
  if (options.length !== undefined) return options.length;
  const { factor, originalLength, ...choice } = choiceOf(options) ?? {};
  if ("model_type" in choice) return partOf(choice)["max_position_embeddings"] as number | undefined;
  const isKnown = typeof factor === "number" && typeof originalLength === "number";
  return isKnown ? Math.floor(factor * originalLength) : undefined;
}

/** Returns the part of a config that describes the text model. */
const partOf = (config: Json): Json => asObject(config["text_config"]) ?? config;

/** Names that transformers has for fields of a spec. */
const fields: Readonly<Record<string, string>> = {
  factor: "factor",
  originalLength: "original_max_position_embeddings",
  betaFast: "beta_fast",
  betaSlow: "beta_slow",
  truncate: "truncate",
  mscale: "mscale",
  mscaleAllDim: "mscale_all_dim",
  attentionFactor: "attention_factor",
  lowFrequencyFactor: "low_freq_factor",
  highFrequencyFactor: "high_freq_factor",
  shortFactor: "short_factor",
  longFactor: "long_factor",
};
const types: Readonly<Record<string, string>> = {
  rope: "default",
  "rope-linear": "linear",
  "rope-dynamic": "dynamic",
  "rope-yarn": "yarn",
  "rope-llama3": "llama3",
  "rope-longrope": "longrope",
  "rope-proportional": "proportional",
};

/** Returns a spec in the form of transformers; undefined: transformers has no name for it. */
function ropeOf(spec: Rope): Rope | undefined {
  const type = types[spec["kind"] as string];
  if (type === undefined) return undefined;
  const said = Object.entries(fields).flatMap(([field, name]) => {
    const value = spec[field];
    if (value === undefined || value === null) return [];
    return [[name, typeof value === "object" ? Array.from(value as Iterable<number>) : value] as const];
  });
  // What has a default here must be told there.
  const needed = type === "llama3" ? { low_freq_factor: 1, high_freq_factor: 4 } : {};
  return { rope_type: type, ...needed, ...Object.fromEntries(said) };
}

/** Converts NTK scaling to its base, base · factor^(d / (d - 2)): transformers has no other name for it. */
function named(spec: Rope, config: Json): Rope {
  const { kind, factor } = spec;
  if (kind !== "rope-ntk") return spec;
  try {
    const found = specFromConfig(config) as unknown as Rope;
    const width = (found["rotaryDim"] || found["dim"]) as number;
    const base = (spec["base"] ?? found["base"] ?? 10000) as number;
    return { kind: "rope", base: base * (factor as number) ** (width / (width - 2)) };
  } catch {
    return spec;
  }
}

const bases = ["rope_theta", "rotary_emb_base", "rope_base", "rotary_embedding_base"];
/** Parameters of a rotation that every scaling keeps. */
const lasting = ["rope_theta", "partial_rotary_factor", "mrope_section", "mrope_interleaved"];

const only = (from: Json, names: readonly string[]): Json =>
  Object.fromEntries(names.filter((name) => name in from).map((name) => [name, from[name]]));

function withRope(part: Json, spec: Rope): Json {
  const rope = ropeOf(spec);
  if (!rope) return part;
  const { base } = spec;
  const original = spec["originalLength"];
  const out: Json = { ...part };
  if ("original_max_position_embeddings" in part && original !== undefined)
    out["original_max_position_embeddings"] = original;
  const had = asObject(part["rope_parameters"]);
  const become = (parameters: Json): Json => ({
    ...only(parameters, lasting),
    ...rope,
    ...(base !== undefined && { rope_theta: base }),
  });
  if (had) {
    const byLayer = Object.values(had).some(asObject);
    const each = Object.entries(had).map(([name, value]) => [name, asObject(value) ? become(value as Json) : value]);
    return { ...out, rope_parameters: byLayer ? Object.fromEntries(each) : become(had) };
  }
  if (base !== undefined) out[bases.find((name) => name in part) ?? "rope_theta"] = base;
  const kept = only(asObject(part["rope_scaling"]) ?? {}, lasting.slice(2));
  const isPlain = rope["rope_type"] === "default" && Object.keys(kept).length === 0;
  return { ...out, rope_scaling: isPlain ? null : { ...rope, ...kept } };
}

const ropeNames = [
  ...bases,
  ...["local_rope_theta", "global_rope_theta", "compress_rope_theta", "layer_rope_theta", "partial_rotary_factors"],
  "rope_scaling",
  "rope_parameters",
  "original_max_position_embeddings",
  "partial_rotary_factor",
  "rope_local_base_freq",
  "max_position_embeddings",
];

/** Replaces the positions of a config by those of another one. */
const withPositionsOf = (part: Json, other: Json): Json => ({
  ...Object.fromEntries(Object.entries(part).filter(([name]) => !["rope_scaling", "rope_parameters"].includes(name))),
  ...only(other, ropeNames),
});

const lengths = [
  ...["max_position_embeddings", "n_positions", "n_ctx", "seq_length", "max_sequence_length", "max_seq_len"],
  "max_target_positions",
];

/** Returns the rows that a config counts and no token uses: RoBERTa's tables begin after the padding's row. */
function reserved(config: Json, longest: unknown): number {
  try {
    const spec = specFromConfig(config);
    if (spec.kind !== "learned" || typeof longest !== "number") return 0;
    return longest - (spec.length - (spec.start ?? 0));
  } catch {
    return 0;
  }
}

function withLength(part: Json, options: RewriteOptions): Json {
  const { kind, originalLength } = choiceOf(options) ?? {};
  // Dynamic scaling goes by the length of before, which has no other name there.
  const length = kind === "rope-dynamic" ? (originalLength as number | undefined) : lengthOf(options);
  if (length === undefined) return part;
  const names = lengths.filter((name) => typeof part[name] === "number");
  return { ...part, ...Object.fromEntries(names.map((name) => [name, length + reserved(part, part[name])])) };
}

function followConfig(config: Json, options: RewriteOptions): Json {
  let part = partOf(config);
  const isText = part !== config;
  const choice = choiceOf(options);
  if (choice && "model_type" in choice) part = withPositionsOf(part, partOf(choice));
  else if (choice) part = withRope(part, named(choice, config));
  part = withLength(part, options);
  const { bias } = options;
  if (bias && "maxDistance" in bias && "relative_attention_max_distance" in part)
    part = { ...part, relative_attention_max_distance: bias.maxDistance };
  const out = isText ? { ...config, text_config: part } : part;
  const size = imageSize(options, config);
  return size && "image_size" in out ? { ...out, image_size: size[0] === size[1] ? size[0] : size } : out;
}

function followTokenizer(json: Json, options: RewriteOptions): Json {
  const length = lengthOf(options);
  const { model_max_length: longest } = json;
  // Some say that they know no end, with a number of thirty digits.
  const isBound = typeof longest === "number" && longest < 1e9;
  return length !== undefined && isBound ? { ...json, model_max_length: length } : json;
}

/** Returns the rows and columns of pixels. */
function imageSize({ grid }: RewriteOptions, { patch_size: patch }: Json): [number, number] | undefined {
  if (grid?.length !== 2) return undefined;
  const sides = Array.isArray(patch) ? patch : [patch, patch];
  const size = grid.map((patches, axis) => patches * (sides[axis] as number));
  return size.every(Number.isFinite) ? (size as [number, number]) : undefined;
}

function followImages(json: Json, options: RewriteOptions, config: Json): Json {
  const size = imageSize(options, config);
  if (!size) return json;
  const [height, width] = size;
  const isSquare = height === width;
  const follow = (value: unknown): unknown => {
    if (typeof value === "number") return isSquare ? height : { height, width };
    const { shortest_edge: shortest, ...others } = (asObject(value) ?? {}) as Json;
    if (shortest !== undefined && isSquare) return { ...others, shortest_edge: height };
    return shortest !== undefined || "height" in others ? { ...others, height, width } : value;
  };
  return Object.fromEntries(
    Object.entries(json).map(([name, value]) => [name, /^(size|crop_size)$/.test(name) ? follow(value) : value]),
  );
}
