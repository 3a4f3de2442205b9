// From the names that configs and papers use to the fields of a spec.
import { fieldNames, needKind, Unsupported } from "./needs.mjs";

/** The pair layout that a case's `layout` text tells. */
export function pairingOf(text) {
  const layout = String(text ?? "");
  if (/de-interleaved/i.test(layout)) return "interleaved-to-half";
  if (/interleaved/i.test(layout)) return "interleaved";
  return "half";
}

/** How many features of a head are rotated: their number, or their part of the head, cut off as Python's int() does. */
export const rotaryDimOf = ({ rotary_dim: count, rotary_pct: part }, dim) =>
  count ?? (typeof part === "number" ? Math.trunc(dim * part) : undefined);

const KIND_OF_ROPE_TYPE = {
  default: "rope",
  linear: "rope-linear",
  ntk: "rope-ntk",
  dynamic: "rope-dynamic",
  yarn: "rope-yarn",
  longrope: "rope-longrope",
  su: "rope-longrope",
  llama3: "rope-llama3",
  proportional: "rope-proportional",
};

const FIELD_OF_PARAMETER = {
  rope_theta: "base",
  base: "base",
  factor: "factor",
  original_max_position_embeddings: "originalLength",
  beta_fast: "betaFast",
  beta_slow: "betaSlow",
  truncate: "truncate",
  mscale: "mscale",
  mscale_all_dim: "mscaleAllDim",
  attention_factor: "attentionFactor",
  low_freq_factor: "lowFrequencyFactor",
  high_freq_factor: "highFrequencyFactor",
  short_factor: "shortFactor",
  long_factor: "longFactor",
};

/**
 * The spec of a `rope_parameters` record; `shape` gives dim, rotaryDim and pairing.
 * Only fields that the library lists for the kind are set.
 */
export function ropeSpec(pe, parameters, shape) {
  const type = parameters.rope_type ?? parameters.type ?? "default";
  const kind = KIND_OF_ROPE_TYPE[type];
  if (!kind) throw new Unsupported(`rope_type ${type} is not mapped`);
  needKind(pe, kind);
  const known = fieldNames(pe, kind);
  const spec = { kind, ...shape };
  for (const [parameter, field] of Object.entries(FIELD_OF_PARAMETER)) {
    const value = parameters[parameter];
    if (value !== undefined && value !== null && known.has(field)) spec[field] = value;
  }
  // Dynamic scaling has no length of its own in configs: it goes by the trained one.
  const trained = parameters.max_position_embeddings;
  if (known.has("originalLength") && spec.originalLength === undefined && trained) spec.originalLength = trained;
  return spec;
}

const plainHeadDim = (config) => (config.hidden_size ?? config.n_embd) / (config.num_attention_heads ?? config.n_head);

// Where a config.json leaves a value to the defaults of its configuration class, the case still records it.
// Each rule: the keys that would say it in the file, and what the case says it is.
const CLASS_DEFAULTS = [
  {
    key: "partial_rotary_factor",
    spoken: /partial_rotary_factor|rotary_pct|rotary_dim|qk_rope_head_dim/,
    value: ({ rotary_dim, head_dim }) => (rotary_dim < head_dim ? rotary_dim / head_dim : undefined),
  },
  {
    key: "rope_theta",
    spoken: /rope_theta|rotary_emb_base|rope_local_base_freq/,
    value: (params) => params.rope_parameters_after_standardisation?.rope_theta ?? params.rope_theta,
  },
  {
    key: "head_dim",
    spoken: /head_dim|kv_channels/,
    value: ({ head_dim, config }) => (plainHeadDim(config) === head_dim ? undefined : head_dim),
  },
];

/** The config of a case, with what its configuration class would add. */
export function completeConfig(params) {
  const text = JSON.stringify(params.config);
  const additions = {};
  for (const { key, spoken, value } of CLASS_DEFAULTS) {
    const stated = spoken.test(text) ? undefined : value(params);
    if (stated !== undefined) additions[key] = stated;
  }
  return { ...additions, ...params.config };
}
