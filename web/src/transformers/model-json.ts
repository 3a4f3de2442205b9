// Updates config.json and related files for changed positions.
import { specFromConfig } from "../config/config.js";
import { layerSpecs } from "../config/layers.js";
import { asObject, type Json } from "../base/json.js";
import type { RewriteOptions } from "../onnx/options.js";
import { scaledLength } from "../onnx/audit/config-facts.js";
import { bases, only, ropeOfChoice, scalingOf, withRotations, type Rope } from "./rope-json.js";

/** The changes of a model, as its other files follow them. */
export interface Followed extends RewriteOptions {
  /** New rotation of each kind of layer, if `rotary` is a function; kinds that keep theirs are missing. */
  readonly rotaryOf?: Readonly<Record<string, Rope>>;
}

type Follow = (json: Json, options: Followed, config: Json) => Json;

/**
 * Files that describe the positions, each with a function of its content, the changes, and the original config.json.
 */
export const followers: Readonly<Record<string, Follow>> = {
  "config.json": followConfig,
  "tokenizer_config.json": followTokenizer,
  "preprocessor_config.json": followImages,
  "genai_config.json": followGenai,
};

/** Returns the choice for all rotations; undefined: there is none, or each has its own. */
function choiceOf({ rotary }: Followed): Rope | undefined {
  if (rotary === undefined || typeof rotary === "function") return undefined;
  return ropeOfChoice(rotary);
}

const choicesOf = (options: Followed): Rope[] => {
  const choice = choiceOf(options);
  return choice ? [choice] : Object.values(options.rotaryOf ?? {});
};

/** Returns the new length of texts, if an option sets it. */
function lengthOf(options: Followed, config: Json): number | undefined {
  if (options.length !== undefined) return options.length;
  const lengths = choicesOf(options).flatMap((choice) => lengthBy(choice, partOf(config)) ?? []);
  return lengths.length > 0 ? Math.max(...lengths) : undefined;
}

/** Returns the length of texts that a new rotation is for: factor × the length before all scaling. */
function lengthBy(choice: Rope, part: Json): number | undefined {
  if ("model_type" in choice) return partOf(choice)["max_position_embeddings"] as number | undefined;
  const had = (scalingOf(part)["factor"] as number | undefined) ?? 1;
  return scaledLength(choice, (part["max_position_embeddings"] as number) / had);
}

/** Returns the part of a config that describes the text model. */
const partOf = (config: Json): Json => asObject(config["text_config"]) ?? config;

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

function withLength(part: Json, options: Followed, config: Json): Json {
  const { kind, originalLength } = choicesOf(options)[0] ?? {};
  // Dynamic scaling depends on the original length, which has no other name in a config.
  const length = kind === "rope-dynamic" ? (originalLength as number | undefined) : lengthOf(options, config);
  if (length === undefined) return part;
  const names = lengths.filter((name) => typeof part[name] === "number");
  return { ...part, ...Object.fromEntries(names.map((name) => [name, length + reserved(part, part[name])])) };
}

/** Returns the part of a config with the new rotation; undefined: a config cannot describe it. */
function rotated(part: Json, config: Json, options: Followed): Json | undefined {
  if (options.rotary === undefined) return part;
  const choice = choiceOf(options);
  if (choice && "model_type" in choice) return withPositionsOf(part, partOf(choice));
  const change = choice ?? options.rotaryOf;
  return change && withRotations(part, config, change);
}

/** Returns the new bias; undefined: there is none, or each component may have its own. */
const biasOf = ({ bias }: Followed): Rope | undefined =>
  bias === undefined || typeof bias === "function" ? undefined : { ...bias };

/** Returns the part of a config with the new bias; undefined: a config cannot describe it. */
function biased(part: Json, options: Followed): Json | undefined {
  const bias = biasOf(options);
  if (!bias) return part;
  const { kind, maxDistance, maxBias } = bias;
  const attention = asObject(part["attn_config"]);
  const after = {
    ...part,
    ...(kind === "t5" && { relative_attention_max_distance: maxDistance }),
    ...(kind === "deberta" && { max_relative_positions: maxDistance }),
    ...(kind === "alibi" && attention && { attn_config: { ...attention, alibi_bias_max: maxBias } }),
  };
  return describesBias(after, bias) ? after : undefined;
}

/** Whether a config is read as this bias: many models have no field for it. Configs that cannot be read are not checked. */
function describesBias(part: Json, bias: Rope): boolean {
  try {
    const read = specFromConfig(part) as unknown as Rope;
    return Object.entries(bias).every(([name, value]) => JSON.stringify(read[name]) === JSON.stringify(value));
  } catch {
    return true;
  }
}

/** Returns the part of a config with the new window; undefined: a config cannot describe it. */
function windowed(part: Json, { window }: Followed): Json | undefined {
  if (window === undefined || (typeof window === "object" && "model_type" in window)) return part;
  if (typeof window !== "number") return undefined;
  const after = {
    ...part,
    sliding_window: window,
    ...("use_sliding_window" in part && { use_sliding_window: true, max_window_layers: 0 }),
  };
  try {
    return layerSpecs(after).every((layer) => layer.window === window) ? after : undefined;
  } catch {
    return undefined;
  }
}

/** Returns what a config cannot describe; undefined: it can describe all changes. */
export function whatIsLost(
  config: Json,
  options: Followed,
): "rotation" | "bias" | "window" | "distances" | "temperature" | undefined {
  const part = partOf(config);
  if (options.remap) return "distances";
  if (options.temperature) return "temperature";
  if (!rotated(part, config, options)) return "rotation";
  if (!windowed(part, options)) return "window";
  return biased(part, options) ? undefined : "bias";
}

function followConfig(config: Json, options: Followed): Json {
  let part = partOf(config);
  const isText = part !== config;
  part = rotated(part, config, options) ?? part;
  part = withLength(part, options, config);
  part = biased(part, options) ?? part;
  part = windowed(part, options) ?? part;
  const out = isText ? { ...config, text_config: part } : part;
  const size = imageSize(options, config);
  return size && "image_size" in out ? { ...out, image_size: size[0] === size[1] ? size[0] : size } : out;
}

function followTokenizer(json: Json, options: Followed, config: Json): Json {
  const length = lengthOf(options, config);
  const { model_max_length: longest } = json;
  // Some tokenizers store a number of 30 digits that means "no limit".
  const isBound = typeof longest === "number" && longest < 1e9;
  return length !== undefined && isBound ? { ...json, model_max_length: length } : json;
}

/** onnxruntime-genai: texts are longer, and a cache with spare rows needs fused attention, which remapped distances replace. */
function followGenai(json: Json, options: Followed, config: Json): Json {
  const length = lengthOf(options, config);
  const [model, search] = [asObject(json["model"]), asObject(json["search"])];
  const isReplaced = (options.remap ?? options.temperature) !== undefined;
  return {
    ...json,
    ...(model && length !== undefined && { model: { ...model, context_length: length } }),
    ...(search && {
      search: {
        ...search,
        ...(length !== undefined && { max_length: length }),
        ...(isReplaced && { past_present_share_buffer: false }),
      },
    }),
  };
}

/** Returns the rows and columns of pixels. */
function imageSize({ grid }: Followed, { patch_size: patch }: Json): [number, number] | undefined {
  if (grid?.length !== 2) return undefined;
  const sides = Array.isArray(patch) ? patch : [patch, patch];
  const size = grid.map((patches, axis) => patches * (sides[axis] as number));
  return size.every(Number.isFinite) ? (size as [number, number]) : undefined;
}

function followImages(json: Json, options: Followed, config: Json): Json {
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
