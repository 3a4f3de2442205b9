// The fields that each rope type reads from a config. Values only: the core has the formulas.
import { invalid, show } from "../../base/errors.js";
import * as read from "../read.js";
import type { Json } from "../../base/json.js";
import { number } from "../read.js";

const maxLength = (model: Json): number | undefined =>
  number(model, "max_position_embeddings", "n_positions", "seq_length", "max_sequence_length");

const originalLength = (rope: Json, model: Json): number | undefined =>
  read.agreed(
    "original_max_position_embeddings",
    number(rope, "original_max_position_embeddings"),
    number(model, "original_max_position_embeddings"),
  );

const needOriginal = (rope: Json, model: Json): number =>
  read.need(originalLength(rope, model), "original_max_position_embeddings");

const factorOf = (rope: Json): number => read.needNumber(rope, "factor");

function yarn(rope: Json, model: Json): Json {
  const original = originalLength(rope, model);
  // Required: the code of these types has other defaults than Transformers (0 for mscale_all_dim; TeleChat 3's length).
  const type = read.text(rope, "rope_type") ?? read.text(rope, "type");
  if (type !== "yarn" && number(rope, "mscale") !== undefined) read.needNumber(rope, "mscale_all_dim");
  if (type === "telechat3-yarn") needOriginal(rope, model);
  const longest = maxLength(model);
  // The default factor is the ratio of both lengths; the default original length is the model's length.
  const ratio = original !== undefined && longest !== undefined ? longest / original : undefined;
  return {
    kind: "rope-yarn",
    factor: read.need(number(rope, "factor") ?? ratio, "factor"),
    originalLength: read.need(original ?? longest, "original_max_position_embeddings"),
    ...read.given({
      betaFast: number(rope, "beta_fast"),
      betaSlow: number(rope, "beta_slow"),
      mscale: number(rope, "mscale"),
      mscaleAllDim: number(rope, "mscale_all_dim"),
      attentionFactor: number(rope, "attention_factor"),
      truncate: read.flag(rope, "truncate"),
    }),
  };
}

function longrope(rope: Json, model: Json): Json {
  const original = originalLength(rope, model);
  const longest = maxLength(model);
  for (const name of ["short_factor", "long_factor"])
    if (!Array.isArray(rope[name])) throw invalid(name, `must be a list of numbers, got ${show(rope[name])}`);
  const ratio = original !== undefined && longest !== undefined ? longest / original : undefined;
  const factor = read.need(ratio ?? number(rope, "factor"), "original_max_position_embeddings");
  return {
    kind: "rope-longrope",
    shortFactor: rope["short_factor"],
    longFactor: rope["long_factor"],
    originalLength: read.need(original ?? longest, "max_position_embeddings"),
    factor: Math.max(1, factor),
    ...read.given({ attentionFactor: number(rope, "attention_factor") }),
  };
}

function dynamic(rope: Json, model: Json): Json {
  // Hunyuan's `alpha` is a fixed scale of the base.
  const alpha = number(rope, "alpha");
  if (alpha !== undefined) return { kind: "rope-ntk", factor: alpha };
  const originalLength = read.need(maxLength(model), "max_position_embeddings");
  return { kind: "rope-dynamic", factor: factorOf(rope), originalLength };
}

/** Reads FoPE in Intern-S1-Pro: RoPE's base, and mixtures for each key head or for all. */
function fourier(rope: Json, model: Json): Json {
  const separate = read.flag(rope, "fope_sep_head");
  const heads = separate ? number(model, "num_key_value_heads", "num_attention_heads") : 0;
  return {
    kind: "fope",
    heads: read.need(heads, "num_key_value_heads"),
    length: read.need(maxLength(model), "max_position_embeddings"),
    ...read.given({ inputDim: number(rope, "num_inv_freq"), gain: number(rope, "fope_init_factor") }),
  };
}

/** Reads Qwen 1, whose scaling is in separate fields. */
const plain = (model: Json): Json =>
  read.flag(model, "use_dynamic_ntk")
    ? { kind: "rope-qwen", originalLength: read.needNumber(model, "seq_length") }
    : { kind: "rope" };

const mixesFrequencies = (rope: Json): boolean =>
  ["fope_sep_head", "fope_init_factor", "num_inv_freq"].some((name) => (rope[name] ?? undefined) !== undefined);

export const rules: Record<string, (rope: Json, model: Json) => Json> = {
  default: (rope, model) => (mixesFrequencies(rope) ? fourier(rope, model) : plain(model)),
  linear: (rope) => ({ kind: "rope-linear", factor: factorOf(rope) }),
  ntk: (rope) => ({ kind: "rope-ntk", factor: factorOf(rope) }),
  dynamic,
  yarn,
  longrope,
  llama3: (rope, model) => ({
    kind: "rope-llama3",
    factor: factorOf(rope),
    originalLength: needOriginal(rope, model),
    lowFrequencyFactor: read.needNumber(rope, "low_freq_factor"),
    highFrequencyFactor: read.needNumber(rope, "high_freq_factor"),
  }),
  axial: () => ({ kind: "rope-axial" }),
  proportional: (rope) => ({ kind: "rope-proportional", ...read.given({ factor: number(rope, "factor") }) }),
};
