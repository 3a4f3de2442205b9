// Rotations in the form of a config.json.
import { specFromConfig } from "../config/config.js";
import { layerSpecs } from "../config/layers.js";
import { asObject, type Json } from "../base/json.js";
import { attentionLayers } from "../onnx/audit/config-facts.js";

/** Fields of a spec; fields that are missing stay as they are in the config. */
export type Rope = Record<string, unknown>;

/** Returns the scaling of a config that has one for all layers. */
export const scalingOf = (part: Json): Json =>
  asObject(part["rope_scaling"]) ?? asObject(part["rope_parameters"]) ?? {};

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
  const entries = Object.entries(fields).flatMap(([field, name]) => {
    const value = spec[field];
    // Dynamic scaling reads max_position_embeddings as the original length.
    if (value === undefined || value === null || (type === "dynamic" && field === "originalLength")) return [];
    return [[name, typeof value === "object" ? Array.from(value as Iterable<number>) : value] as const];
  });
  // A config.json requires fields that have defaults here.
  const needed = type === "llama3" ? { low_freq_factor: 1, high_freq_factor: 4 } : {};
  return { rope_type: type, ...needed, ...Object.fromEntries(entries) };
}

/** Converts NTK scaling to its base, base · factor^(d / (d - 2)): transformers has no other name for it. */
function named(spec: Rope, found: Rope | undefined): Rope {
  const { kind, factor } = spec;
  if (kind !== "rope-ntk" || !found) return spec;
  const width = (found["rotaryDim"] || found["dim"]) as number;
  const base = (spec["base"] ?? found["base"] ?? 10000) as number;
  return { kind: "rope", base: base * (factor as number) ** (width / (width - 2)) };
}

export const bases = ["rope_theta", "rotary_emb_base", "rope_base", "rotary_embedding_base"];
/** Parameters of a rotation that every scaling keeps. */
const lasting = ["rope_theta", "partial_rotary_factor", "mrope_section", "mrope_interleaved"];

export const only = (from: Json, names: readonly string[]): Json =>
  Object.fromEntries(names.filter((name) => name in from).map((name) => [name, from[name]]));

/** Returns the parameters of a rotation with another spec; `had`: those before. */
const parametersOf = (had: Json, spec: Rope): Json => ({
  ...only(had, lasting),
  ...ropeOf(spec),
  ...(spec["base"] !== undefined && { rope_theta: spec["base"] }),
});

/** Replaces the rotation of all layers; undefined: transformers has no name for it. */
function withRope(part: Json, spec: Rope): Json | undefined {
  const rope = ropeOf(spec);
  if (!rope) return undefined;
  const { base } = spec;
  const original = spec["originalLength"];
  const out: Json = { ...part };
  if ("original_max_position_embeddings" in part && original !== undefined)
    out["original_max_position_embeddings"] = original;
  const had = asObject(part["rope_parameters"]);
  if (had) {
    const byLayer = Object.values(had).some(asObject);
    const each = Object.entries(had).map(([name, value]) => [
      name,
      asObject(value) ? parametersOf(value as Json, spec) : value,
    ]);
    return { ...out, rope_parameters: byLayer ? Object.fromEntries(each) : parametersOf(had, spec) };
  }
  if (base !== undefined) out[bases.find((name) => name in part) ?? "rope_theta"] = base;
  const kept = only(asObject(part["rope_scaling"]) ?? {}, lasting.slice(2));
  const isPlain = rope["rope_type"] === "default" && Object.keys(kept).length === 0;
  return { ...out, rope_scaling: isPlain ? null : { ...rope, ...kept } };
}

/** Returns the spec that a config has for a kind of layer; undefined: for all layers. */
const specOf = (config: Json, kind?: string): Rope =>
  specFromConfig(config, kind === undefined ? {} : { layerType: kind }) as unknown as Rope;

/** Returns a choice as a spec or a config: that of an encoding is its spec. */
export const ropeOfChoice = (choice: object): Rope =>
  "family" in choice ? (choice as unknown as { spec: Rope }).spec : (choice as Rope);

/** Returns the spec that a choice has for a kind of layer; undefined: for all layers. */
export function specOfChoice(choice: object, kind?: string): Rope {
  const rope = ropeOfChoice(choice);
  return "model_type" in rope ? specOf(rope, kind) : rope;
}

/** Returns the specs that a config has for kinds of layers; undefined: it cannot be read. */
function specsOf(config: Json, kinds: readonly (string | undefined)[]): Rope[] | undefined {
  try {
    return kinds.map((kind) => specOf(config, kind));
  } catch {
    return undefined;
  }
}

const isEqual = (a: unknown, b: unknown): boolean =>
  typeof a === "number" && typeof b === "number"
    ? Math.abs(a - b) <= 1e-9 * Math.abs(b)
    : JSON.stringify(a) === JSON.stringify(b);

/** Replaces the rotations of all kinds of layers, in the form of Transformers v5. */
function withRotationOfEach(part: Json, specs: Readonly<Record<string, Rope>>): Json {
  const had = asObject(part["rope_parameters"]);
  const old = ["rope_scaling", "rope_local_base_freq", "local_rope_theta", "global_rope_theta", ...bases];
  const kept = had ? part : Object.fromEntries(Object.entries(part).filter(([name]) => !old.includes(name)));
  const each = Object.entries(specs).map(([kind, spec]) => [kind, parametersOf(asObject(had?.[kind]) ?? {}, spec)]);
  return { ...kept, rope_parameters: { ...had, ...Object.fromEntries(each) } };
}

/** Fields of a rotation that a new one keeps. */
const keptFields = ["dim", "rotaryDim", "base", "pairing"];

/**
 * Returns the text model's part of a config with other rotations: one for all layers, or one for each kind of layer that
 * changes. undefined: a config cannot describe them.
 */
export function withRotations(
  part: Json,
  config: Json,
  change: Rope | Readonly<Record<string, Rope>>,
): Json | undefined {
  const one = "kind" in change ? (change as Rope) : undefined;
  if (!one && Object.keys(change).length === 0) return part;
  const kinds = [...new Set(attentionLayers(layerSpecs, config)?.map(({ type }) => type))];
  const had = kinds.length > 1 ? specsOf(config, kinds) : undefined;
  const choices = one ? [one] : Object.values(change as Record<string, Rope>);
  if (!had)
    return choices.length === 1 ? withRope(part, named(choices[0]!, specsOf(config, [undefined])?.[0])) : undefined;
  const after = kinds.map((kind, i) => {
    const choice = one ?? (change as Record<string, Rope>)[kind];
    return choice ? { ...only(had[i]!, keptFields), ...named(choice, had[i]) } : had[i]!;
  });
  const describes = (candidate: Json | undefined): boolean => {
    if (!candidate) return false;
    const whole = part === config ? candidate : { ...config, text_config: candidate };
    const read = specsOf(whole, kinds);
    return !!read?.every((spec, i) => Object.entries(after[i]!).every(([name, value]) => isEqual(spec[name], value)));
  };
  const all = Object.fromEntries(kinds.map((kind, i) => [kind, after[i]!]));
  const olderForms = choices.map((choice) => withRope(part, named(choice, had[0])));
  return [part, ...olderForms, withRotationOfEach(part, all)].find(describes);
}
