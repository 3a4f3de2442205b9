// From a Hugging Face config.json (Transformers v4 or v5) to the spec of the encoding that the model uses.
import { PosencError, checkOptions, invalid, show } from "./errors.js";
import type { Spec } from "./specs.gen.js";

type Json = Record<string, unknown>;

export interface ConfigOptions {
  /** Which kind of layer, where they differ: "full_attention", "sliding_attention", … */
  layerType?: string;
  /** Overrules the pair layout that the model type implies. */
  pairing?: "half" | "interleaved" | "interleaved-to-half";
}

// Model types whose code turns neighbouring features; all others turn halves.
const interleavedTypes = new Set([
  "gptj",
  "codegen",
  "glm",
  "glm4",
  "chatglm",
  "cohere",
  "cohere2",
  "deepseek_v2",
  "llama4",
  "llama4_text",
  "ernie4_5",
  "helium",
]);
const interleavedToHalfTypes = new Set(["deepseek_v3", "kimi_k2"]);

const fail = (field: string, what: string): PosencError => invalid(field, what);

function number(config: Json, ...names: string[]): number | undefined {
  for (const name of names) {
    const value = config[name];
    if (value === undefined || value === null) continue;
    if (typeof value !== "number") throw fail(name, `must be a number, got ${show(value)}`);
    return value;
  }
  return undefined;
}

function need(value: number | undefined, field: string): number {
  if (value === undefined) throw fail(field, "is missing from the config");
  return value;
}

const asObject = (value: unknown): Json | undefined =>
  value !== null && typeof value === "object" && !Array.isArray(value) ? (value as Json) : undefined;

/** The spec of a model's positional encoding. Throws: invalid-argument (what is missing), unsupported. */
export function specFromConfig(config: unknown, options: ConfigOptions = {}): Spec {
  checkOptions(options, "layerType pairing");
  const outer = asObject(config);
  if (!outer) throw fail("config", `must be the object of a config.json, got ${show(config)}`);
  // Multimodal configs keep the language model's part inside.
  const inner = asObject(outer["text_config"]);
  const model: Json = inner ? { ...inner } : outer;
  return notRotary(model) ?? rotary(model, options);
}

const headCount = (model: Json): number =>
  need(number(model, "num_attention_heads", "n_head", "n_heads"), "num_attention_heads");

function notRotary(model: Json): Spec | undefined {
  const type = model["model_type"];
  if (type === "bloom" || (type === "falcon" && model["alibi"] === true))
    return { kind: "alibi", heads: headCount(model), form: "key-absolute" };
  if (type === "mpt") {
    const attention = asObject(model["attn_config"]) ?? {};
    if (attention["alibi"] === true || attention["alibi"] === undefined)
      return { kind: "alibi", heads: headCount(model), form: "key", maxBias: number(attention, "alibi_bias_max") ?? 8 };
  }
  const width = (): number => need(number(model, "d_model", "hidden_size"), "d_model");
  if (type === "whisper") return { kind: "sinusoidal", dim: width(), pairing: "concat", frequencyShift: 1 };
  if (type === "marian") return { kind: "sinusoidal", dim: width(), pairing: "concat" };
  if (type === "m2m_100" || type === "fsmt")
    return {
      kind: "sinusoidal",
      dim: width(),
      pairing: "concat",
      frequencyShift: 1,
      oddDim: "pad",
      paddingIndex: number(model, "pad_token_id") ?? 1,
    };
  const elsewhere = [
    "bert",
    "gpt2",
    "gpt_neo",
    "roberta",
    "distilbert",
    "electra",
    "albert",
    "opt",
    "t5",
    "mt5",
    "deberta",
    "deberta-v2",
    "transfo-xl",
    "xlnet",
    "vit",
    "clip",
  ];
  if (typeof type === "string" && elsewhere.includes(type))
    throw new PosencError(
      "unsupported",
      `model_type: ${type} has learned or relative positions, which a config does not hold`,
      "model_type",
    );
  return undefined;
}

/** v5 `rope_parameters`, v4 `rope_scaling`, or the per-layer fields of ModernBERT and Gemma 3: one flat object. */
function ropeParameters(model: Json, layerType: string | undefined): Json {
  const local = layerType !== undefined && layerType !== "full_attention";
  const modern = number(model, local ? "local_rope_theta" : "global_rope_theta");
  if (modern !== undefined) {
    if (layerType === undefined) throw needLayerType(["full_attention", "sliding_attention"]);
    return { rope_type: "default", rope_theta: modern };
  }
  const localBase = number(model, "rope_local_base_freq");
  if (local && localBase !== undefined) return { rope_type: "default", rope_theta: localBase };
  const parameters = model["rope_parameters"] ?? model["rope_scaling"];
  if (parameters === undefined || parameters === null) return {};
  const given = asObject(parameters);
  if (!given) throw fail("rope_parameters", `must be an object, got ${show(parameters)}`);
  const nested = Object.entries(given).filter(([, value]) => asObject(value) || value === null);
  if (nested.length === 0 || "rope_type" in given || "type" in given) return given;
  const names = nested.map(([name]) => name);
  if (layerType === undefined || !names.includes(layerType)) throw needLayerType(names, layerType);
  const chosen = asObject(given[layerType]);
  if (!chosen)
    throw new PosencError(
      "unsupported",
      `layerType: layers of type ${layerType} have no positional encoding`,
      "layerType",
    );
  return chosen;
}

const needLayerType = (names: string[], got?: string): PosencError =>
  fail("layerType", `this model's layers differ: must be one of ${names.map(show).join(", ")}, got ${show(got)}`);

function headWidth(model: Json): number {
  const given = number(model, "qk_rope_head_dim", "head_dim", "kv_channels", "attention_head_size");
  if (given !== undefined) return given;
  return need(number(model, "hidden_size", "n_embd", "d_model"), "hidden_size") / headCount(model);
}

function pairingOf(model: Json, { pairing }: ConfigOptions): "half" | "interleaved" | "interleaved-to-half" {
  if (pairing !== undefined) return pairing;
  const type = String(model["model_type"] ?? "");
  if (interleavedToHalfTypes.has(type)) return model["rope_interleave"] === false ? "half" : "interleaved-to-half";
  return interleavedTypes.has(type) ? "interleaved" : "half";
}

function rotary(model: Json, options: ConfigOptions): Spec {
  const rope = ropeParameters(model, options.layerType);
  const dim = headWidth(model);
  const type = rope["rope_type"] ?? rope["type"] ?? "default";
  if (typeof type !== "string") throw fail("rope_type", `must be a string, got ${show(type)}`);
  const base = number(rope, "rope_theta") ?? number(model, "rope_theta", "rotary_emb_base", "rope_base") ?? 10000;
  const share =
    number(rope, "partial_rotary_factor") ??
    number(model, "partial_rotary_factor", "rotary_pct", "rope_pct") ??
    (model["model_type"] === "chatglm" ? 0.5 : 1);
  const rotaryDim =
    number(model, "rotary_dim") ??
    (type === "proportional" ? 2 * Math.floor((share * dim) / 2) : Math.floor(dim * share));
  const common = {
    dim,
    base: base * (number(model, "rope_ratio") ?? 1),
    pairing: pairingOf(model, options),
    ...(rotaryDim === dim ? {} : { rotaryDim }),
  };
  const rule = rules[type];
  if (!rule)
    throw new PosencError(
      "unsupported",
      `rope_type: unknown rope type ${show(type)}; known are ${Object.keys(rules).join(", ")}`,
      "rope_type",
    );
  return { ...common, ...rule(rope, model) } as Spec;
}

const maxLength = (model: Json): number | undefined =>
  number(model, "max_position_embeddings", "n_positions", "seq_length", "max_sequence_length");
const originalLength = (rope: Json, model: Json): number | undefined =>
  number(rope, "original_max_position_embeddings") ?? number(model, "original_max_position_embeddings");

const factorOf = (rope: Json): number => need(number(rope, "factor"), "factor");
const lengthOf = (rope: Json, model: Json): number =>
  need(originalLength(rope, model) ?? maxLength(model), "original_max_position_embeddings");

/** Only what the config gives: the core has the defaults. */
function given(fields: Record<string, number | boolean | undefined>): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

// What each rope type reads from the config. Values only: the formulas are the core's.
const rules: Record<string, (rope: Json, model: Json) => object> = {
  default: () => ({ kind: "rope" }),
  linear: (rope) => ({ kind: "rope-linear", factor: factorOf(rope) }),
  ntk: (rope) => ({ kind: "rope-ntk", factor: factorOf(rope) }),
  dynamic: (rope, model) =>
    // Hunyuan's `alpha` is a fixed scale of the base.
    number(rope, "alpha") !== undefined
      ? { kind: "rope-ntk", factor: number(rope, "alpha") }
      : {
          kind: "rope-dynamic",
          factor: factorOf(rope),
          originalLength: need(maxLength(model), "max_position_embeddings"),
        },
  yarn: (rope, model) => ({
    kind: "rope-yarn",
    factor: number(rope, "factor") ?? need(maxLength(model), "factor") / lengthOf(rope, model),
    originalLength: lengthOf(rope, model),
    ...given({
      betaFast: number(rope, "beta_fast"),
      betaSlow: number(rope, "beta_slow"),
      mscale: number(rope, "mscale"),
      mscaleAllDim: number(rope, "mscale_all_dim"),
      attentionFactor: number(rope, "attention_factor"),
      truncate: typeof rope["truncate"] === "boolean" ? rope["truncate"] : undefined,
    }),
  }),
  longrope: (rope, model) => longrope(rope, model),
  su: (rope, model) => longrope(rope, model),
  llama3: (rope, model) => ({
    kind: "rope-llama3",
    factor: factorOf(rope),
    originalLength: lengthOf(rope, model),
    ...given({
      lowFrequencyFactor: number(rope, "low_freq_factor"),
      highFrequencyFactor: number(rope, "high_freq_factor"),
    }),
  }),
  proportional: (rope) => ({ kind: "rope-proportional", ...given({ factor: number(rope, "factor") }) }),
};

function longrope(rope: Json, model: Json): object {
  const length = lengthOf(rope, model);
  const longest = maxLength(model);
  const factor =
    originalLength(rope, model) !== undefined && longest !== undefined ? longest / length : number(rope, "factor");
  for (const name of ["short_factor", "long_factor"])
    if (!Array.isArray(rope[name])) throw fail(name, `must be a list of numbers, got ${show(rope[name])}`);
  return {
    kind: "rope-longrope",
    shortFactor: rope["short_factor"],
    longFactor: rope["long_factor"],
    originalLength: length,
    ...given({
      factor: factor === undefined ? undefined : Math.max(1, factor),
      attentionFactor: number(rope, "attention_factor"),
    }),
  };
}
