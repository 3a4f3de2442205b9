// Rotary models: `rope_parameters` (Transformers v5), `rope_scaling` and `rope_theta` (v4), and older names.
import { PosencError, invalid, show } from "../base/errors.js";
import type { Spec } from "../base/specs.gen.js";
import type { Choice } from "./rules/text.js";
import { asObject, type Json } from "../base/json.js";
import * as read from "./read.js";
import { number } from "./read.js";
import type { ConfigReading } from "./reading.js";
import { checkRelatives, stemOf } from "./relatives.js";
import { rules } from "./rules/scaling.js";
import { sectionsOf, type Assume } from "./sections.js";
import type { Pairing, RotaryFacts } from "./model-types/row.js";
import { rotaryFacts, rotaryTypes } from "./model-types/table.js";
import { watch } from "./watched.js";

export type { Pairing } from "./model-types/row.js";

/** Returns the defaults of a model type; empty for unknown types. */
const defaultsOf = (model: Json): Partial<RotaryFacts> => rotaryFacts(read.modelType(model)) ?? {};

/** Reads `rope_parameters` and `rope_scaling`, which must not differ if both are given. */
function ropeObject(model: Json): Json | undefined {
  const [modern, older] = ["rope_parameters", "rope_scaling"].map((name) => {
    const value = model[name] ?? undefined;
    if (value !== undefined && !asObject(value)) throw invalid(name, `must be an object, got ${show(value)}`);
    return value as Json | undefined;
  });
  for (const key of Object.keys(modern && older ? older : {}))
    if (typeof older![key] !== "object" && modern![key] !== undefined && modern![key] !== older![key])
      throw read.contradiction(key, modern![key], older![key]);
  return modern && older ? { ...older, ...modern } : (modern ?? older ?? defaultsOf(model).rope);
}

interface LayerParameters {
  readonly rope: Json;
  /** The base that the model gives in a separate field. */
  readonly theta: number | undefined;
  /** Fields outside of the kinds of layers, which apply to none. */
  readonly stray?: string[];
}

/** Returns the default base of one kind of layer, if it differs from the other kinds. */
function defaultBase(model: Json, layerType: string): number | undefined {
  const { rope, localTheta } = defaultsOf(model);
  const own = asObject(rope?.[layerType]);
  return own ? number(own, "rope_theta") : layerType === "sliding_attention" ? localTheta : undefined;
}

/** Returns the parameters of one kind of layer. */
function layerParameters(model: Json, choice: Choice): LayerParameters {
  const theta = read.agreed(
    "rope_theta",
    ...["rope_theta", "rotary_emb_base", "rope_base", "rotary_embedding_base", "rope_freq_constant"].map((name) =>
      number(model, name),
    ),
  );
  const rope = ropeObject(model) ?? {};
  const nested = Object.entries(rope).filter(([, value]) => value === null || asObject(value));
  if (nested.length > 0 && nested.some(([, value]) => value !== null) && !("rope_type" in rope) && !("type" in rope)) {
    const names = nested.map(([name]) => name);
    const only = names.length === 1 && choice.layerType === undefined ? names[0] : choice.layerType;
    const layerType = names.includes("compress") ? compressed(choice) : only;
    if (layerType === undefined || !names.includes(layerType)) throw read.needLayerType(names, layerType);
    const chosen = asObject(rope[layerType]);
    if (!chosen) throw new PosencError("unsupported", `layerType: ${layerType} layers have no positions`, "layerType");
    // Each layer type may have its own base; the others use the model's.
    const stray = Object.keys(rope).filter((name) => !names.includes(name));
    return {
      rope: chosen,
      theta: number(chosen, "rope_theta") === undefined ? (theta ?? defaultBase(model, layerType)) : undefined,
      stray,
    };
  }
  return twoBases(model, rope, theta, choice) ?? { rope, theta };
}

const deepSeekTypes = ["sliding_attention", "compressed_sparse_attention", "heavily_compressed_attention"];

/** Returns the name of a rotation in DeepSeek-V4, which names rotations instead of layers. */
function compressed({ layerType }: Choice): string {
  if (layerType === undefined || !deepSeekTypes.includes(layerType)) throw read.needLayerType(deepSeekTypes, layerType);
  return layerType === "sliding_attention" ? "main" : "compress";
}

/** Reads ModernBERT and Gemma 3 in v4: one base for local attention, another one for the other layers. */
function twoBases(model: Json, rope: Json, theta: number | undefined, choice: Choice): LayerParameters | undefined {
  const compressTheta = number(model, "compress_rope_theta");
  if (compressTheta !== undefined)
    return compressed(choice) === "main"
      ? { rope: {}, theta }
      : { rope: { ...rope, attention_factor: 1 }, theta: compressTheta };
  const local = number(model, "local_rope_theta", "rope_local_base_freq") ?? defaultsOf(model).localTheta;
  if (local === undefined) return undefined;
  const names = ["full_attention", "sliding_attention"];
  const { layerType } = choice;
  if (layerType === undefined || !names.includes(layerType)) throw read.needLayerType(names, layerType);
  const globalTheta = number(model, "global_rope_theta");
  if (layerType === "sliding_attention") return { rope: {}, theta: local };
  const { globalRope } = defaultsOf(model);
  return {
    rope: globalRope && Object.keys(rope).length === 0 ? globalRope : rope,
    theta: read.agreed("rope_theta", globalTheta, theta),
  };
}

const synonyms: Record<string, string> = {
  su: "longrope",
  mrope: "default",
  openpangu: "default",
  video_rope: "default",
  xdrope: "dynamic",
  deepseek_yarn: "yarn",
  "telechat3-yarn": "yarn",
};

function ropeType(rope: Json): string {
  const [type, older] = ["rope_type", "type"].map((name) => {
    const value = read.text(rope, name);
    return value === undefined ? undefined : (read.lookUp(synonyms, value) ?? value);
  });
  if (type !== undefined && older !== undefined && type !== older)
    throw read.contradiction("rope_type", rope["rope_type"], rope["type"]);
  const chosen = type ?? older;
  if (chosen === undefined && ["factor", "short_factor", "low_freq_factor"].some((name) => name in rope))
    throw invalid("rope_type", "is missing from the config, which has a scaling factor");
  if (chosen !== undefined && !read.lookUp(rules, chosen))
    throw new PosencError(
      "unsupported",
      `rope_type: unknown rope type ${show(chosen)}; known are ${Object.keys(rules).join(", ")}`,
      "rope_type",
    );
  return chosen ?? "default";
}

function headWidth(model: Json, choice: Choice, assume: Assume): number {
  const defaults = defaultsOf(model);
  const latent = defaults.headIncludesRotated ? undefined : (number(model, "qk_rope_head_dim") ?? defaults.latentDim);
  if (latent !== undefined) return latent;
  const global = number(model, "global_head_dim") ?? defaults.globalHeadDim;
  if (global !== undefined && choice.layerType === "full_attention") return global;
  const width =
    number(model, "head_dim", "attention_head_dim", "kv_channels", "attention_head_size") ?? defaults.headDim;
  return width ?? assume("dim", read.headShare(model) * (defaults.headShares ?? 1));
}

function pairingOf(model: Json, pairing: Pairing | undefined, assume: Assume): Pairing {
  if (pairing !== undefined) return pairing;
  const { pairing: known, fixedPairing } = defaultsOf(model);
  if (read.flag(model, "rotary_emb_interleaved")) return "interleaved";
  // In DeepSeek-V3's code and code derived from it, the config decides.
  const woven = fixedPairing || known === "interleaved" ? undefined : read.flag(model, "rope_interleave");
  if (woven !== undefined) return woven ? "interleaved-to-half" : "half";
  // Configs with rotary_dim and n_embd belong to GPT-J's family.
  const type = read.modelType(model);
  const isGptJ = type === "" && number(model, "rotary_dim") !== undefined && number(model, "n_embd") !== undefined;
  if (known !== undefined || isGptJ) return known ?? "interleaved";
  checkRelatives(type);
  return assume("pairing", "half");
}

function baseOf(model: Json, rope: Json, theta: number | undefined, assume: Assume): number {
  const isGptJ = number(model, "rotary_dim") !== undefined && number(model, "n_embd") !== undefined;
  const base =
    read.agreed("rope_theta", number(rope, "rope_theta"), theta) ??
    defaultsOf(model).theta ??
    (isGptJ ? assume("base", 10000) : undefined);
  if (base === undefined) throw read.missing("rope_theta", model);
  return base * (number(model, "rope_ratio") ?? 1);
}

/** Returns the number of features of a head that are rotated. */
function rotaryWidth(model: Json, rope: Json, type: string, dim: number, assume: Assume): number {
  const share = read.agreed(
    "partial_rotary_factor",
    number(rope, "partial_rotary_factor"),
    number(model, "partial_rotary_factor"),
    number(model, "rotary_pct", "rope_pct", "rotary_emb_fraction"),
  );
  // Bailing rotates its separate part whatever the share is.
  if (defaultsOf(model).latentDim !== undefined) return read.agreed("rotary_dim", dim, number(model, "rotary_dim"))!;
  const width = (part: number): number =>
    type === "proportional" ? 2 * Math.floor((part * dim) / 2) : Math.floor(dim * part);
  // Mistral 4's share refers to the whole head, whose rotated part is qk_rope_head_dim.
  const whole = number(model, "qk_rope_head_dim") === dim ? dim + (number(model, "qk_nope_head_dim") ?? 0) : undefined;
  if (whole !== undefined && share !== undefined && share * whole === dim) return dim;
  const given = number(model, "rotary_dim");
  if (given !== undefined && share !== undefined && given !== width(share))
    throw read.contradiction("rotary_dim", given, width(share));
  // rotary_dim: null means the whole head; only a missing field means the default.
  const implied = model["rotary_dim"] === undefined && share === undefined ? defaultsOf(model).rotaryDim : undefined;
  // Latent attention rotates all of a separate part of the head.
  const isWhole = number(model, "qk_rope_head_dim") !== undefined;
  return given ?? implied ?? width(share ?? defaultsOf(model).share ?? (isWhole ? 1 : assume("rotaryDim", 1)));
}

const isRotaryStem = (stem: string): boolean => rotaryTypes().some((type) => stemOf(type) === stem);

/** Throws for an unknown model type whose config has no field of a rotation: it does not just lack `rope_theta`. */
function checkKnown(model: Json): void {
  const type = read.modelType(model);
  if (type === "" || isRotaryStem(stemOf(type)) || Object.keys(model).some((key) => /rope|rotary/.test(key))) return;
  throw new PosencError(
    "unsupported",
    `model_type: unknown model type ${show(type)}, and the config has no rotation fields; create the encoding by kind`,
    "model_type",
  );
}

/** Returns the flags that contradict the model's code or the caller. */
function contradicted(model: Json, rope: Json, spec: Json): string[] {
  const { pairing, sections, interleavedSections = false } = spec;
  const flags: [name: string, stated: boolean | undefined, is: boolean][] = [
    ["rope_interleave", read.flag(model, "rope_interleave"), pairing !== "half"],
    ["rotary_emb_interleaved", read.flag(model, "rotary_emb_interleaved") || undefined, pairing === "interleaved"],
    ["mrope_interleaved", sections ? read.flag(rope, "mrope_interleaved") : undefined, interleavedSections === true],
  ];
  return flags.filter(([, stated, is]) => stated !== undefined && stated !== is).map(([name]) => name);
}

/** Reads the rotation that a config describes. */
export function rotary(model: Json, choice: Choice, pairing: Pairing | undefined): ConfigReading {
  checkKnown(model);
  const assumed: string[] = [];
  const isKnown = rotaryFacts(read.modelType(model)) !== undefined;
  const assume: Assume = (field, value) => {
    if (!isKnown) assumed.push(field);
    return value;
  };
  const { rope: parameters, theta, stray = [] } = layerParameters(model, choice);
  const { json: rope, unread } = watch(parameters);
  const spec = rotationOf(model, rope, theta, choice, pairing, assume);
  if (number(rope, "llama_4_scaling_beta") !== undefined) number(rope, "original_max_position_embeddings");
  const others = contradicted(model, rope, spec as unknown as Json);
  return { spec, assumed, ignored: [...unread(), ...stray, ...others] };
}

function rotationOf(
  model: Json,
  rope: Json,
  theta: number | undefined,
  choice: Choice,
  pairing: Pairing | undefined,
  assume: Assume,
): Spec {
  const type = ropeType(rope);
  const dim = headWidth(model, choice, assume);
  const rotaryDim = rotaryWidth(model, rope, type, dim, assume);
  const sections = sectionsOf(model, rope, rotaryDim, assume);
  const own = rules[type]!(rope, model) as { kind: string };
  const base = baseOf(model, rope, theta, assume);
  if (own.kind === "fope") return { dim, base, ...own } as unknown as Spec;
  const { rotaryStart } = defaultsOf(model);
  const kind = own.kind === "rope" && "sections" in sections ? "rope-mrope" : own.kind;
  return {
    dim,
    base,
    pairing: pairingOf(model, pairing, assume),
    ...(rotaryDim === dim ? {} : { rotaryDim }),
    ...read.given({ rotaryStart }),
    ...sections,
    ...own,
    kind,
  } as unknown as Spec;
}
