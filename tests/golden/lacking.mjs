// Options of the references that the library lacks. A case with one of them is reported as unsupported, by the option's
// name, unless the option has a value that changes nothing.
import { toNumbers } from "./arrays.mjs";
import { Unsupported } from "./needs.mjs";

const LN_100 = Math.log(100);

const isOne = (value) => [value].flat(Infinity).every((one) => one === 1 || one === true);
const isZero = (value) => [value].flat(Infinity).every((one) => one === 0 || one === false);
const areEqual = (values) => [values].flat(Infinity).every((one, _, all) => one === all[0]);
const isLn100 = (value) =>
  Math.abs(value - LN_100) < 1e-6 || /^(math\.|np\.)?(ln|log)\((100(\.0*)?|1\.?0?\s*\/\s*0?\.01)\)$/.test(value);

/** Of an option that another one turns on: no effect if the other one is off, whatever the value. */
const partOf =
  (master, neutral = (value) => value === false || value === 0) =>
  (value, get) =>
    get(master) === false || neutral(value);

// Swin divides by a pretrained window less 1 if its first size is above 0.
const hasDisplacements = ([height, width]) => height === 0 || (height > 1 && width > 1);

// The library normalises all vectors of the gates, or none. The reference does unless a case says otherwise.
const areAlike = (value, get) => {
  const norms = [get("u_l2_norm"), get("v_l2_norm")];
  const both = get("l2_norm") ?? (get("gates") === "qk" && norms.includes(undefined) ? true : value);
  return both === value && norms.every((norm) => (norm ?? both) === value);
};

/**
 * Group → option → the value that changes nothing, or a function that returns whether a value changes nothing:
 * `(value, get, parsed)`, where `get(name)` is another option. A missing option and null change nothing.
 */
const LACKING = {
  nezha: { use_relative_position: true, head_mask: isOne },
  path: {
    use_qk_norm: false,
    use_w_shortconv: false,
    use_low_rank_w: false,
    conv_size: partOf("use_w_shortconv"),
    conv_bias: partOf("use_w_shortconv"),
  },
  forget: {
    adaptive_threshold: null,
    log_pruning_tolerance: null,
    fgate_type: "full",
    fgate_bias_init: false,
    decay_time_min: null,
    decay_time_max: null,
    use_rope: false,
    rope_base: partOf("use_rope"),
    qk_norm: false,
    qk_norm_share_param_across_head: partOf("qk_norm"),
    use_k_shift: false,
    use_v_shift: false,
    use_output_gate: false,
    ogate_act: partOf("use_output_gate"),
    use_output_norm: false,
  },
  ddalibi: {
    num_mem_kv: 0,
    // The form with a gate for each pair of tokens has no bias in its layer.
    causal: (value, _, { inputs }) => value !== false || "to_forget_gates.0.bias" in inputs,
  },
  remap: {
    group_size_1: Number.isInteger,
    mscale: 1,
    scaling_factor: (value, get) =>
      value === 1 || (value > 1 && (get("training_length") ?? get("chunk_size")) !== undefined),
  },
  logn: {
    training: false,
    use_cache_quantization: false,
    softmax_in_fp32: false,
    // Other cases are lists of lengths and their factors.
    true_seq_len: (value, get) => get("use_logn_attn") === undefined || areEqual(value),
  },
  "swin-v2": { sigmoid_scale: 16, logit_scale_max: isLn100, k_bias: isZero, pretrained_window_size: hasDisplacements },
  fope: {
    fourier_dim: (value, get) => value <= get("head_dim"),
    fourier_norm: false,
    floor_freq_ratio: partOf("clamp_floor_freq", (value) => value === 1),
    clamp_upper_freq: false,
    upper_freq_ratio: partOf("clamp_upper_freq", (value) => value === 1),
    clamp_upper_to_zero: partOf("clamp_upper_freq"),
    clamp_to_linear: false,
    clamp_to_linear_mode: partOf("clamp_to_linear"),
    zero_freq_ratio: (value) => value < 0,
    include_neg_freq: false,
    freq_distribution: "exponential",
    init_distribution: "exponential",
    freq_learnable: false,
    learnable: false,
    no_repetition: partOf("learnable"),
    no_pos: false,
    init_floor_freq: 0,
    init_upper_freq: 1,
    len_extra: false,
    len_extra_type: partOf("len_extra"),
    len_extra_before_clamp: partOf("len_extra"),
    len_extra_orig_length: partOf("len_extra"),
    inverse: false,
  },
  liere: {
    phase_type: (value) => ["learned", "naver"].includes(value),
    rotary_embedding_per_layer: false,
    positional_encoding_type: "liere",
    scale_0_to_1: false,
  },
  grape: {
    using_groupnorm: false,
    "subln.weight": () => false,
    use_k_shift: false,
    use_v_shift: false,
    u_l2_norm: areAlike,
    v_l2_norm: areAlike,
    u_l2_eps: 1e-6,
    v_l2_eps: 1e-6,
  },
};

/** Prefixes that the names above may have. */
const PREFIXES = {
  fope: ["rope_"],
  grape: ["grape_", "keygated_", "querygated_", "querykeygated_"],
};

const prefixesOf = (group) => ["", ...(PREFIXES[group] ?? [])];

function isNeutral(value, neutral, get, parsed) {
  if (value === undefined || value === null) return true;
  if (typeof neutral === "function") return neutral(value, get, parsed);
  if (typeof neutral === "boolean") return neutral ? isOne(value) : isZero(value);
  return value === neutral;
}

/** Ends a case as unsupported if it has an option that the library lacks. `parsed` has the names of the case itself. */
export function checkLacking(parsed) {
  const { group, params, inputs } = parsed;
  const known = LACKING[group] ?? {};
  const prefixes = prefixesOf(group);
  const get = (name) => prefixes.map((prefix) => params[prefix + name]).find((value) => (value ?? null) !== null);
  const lacks = (name, value) => {
    const prefix = prefixes.find((one) => name.startsWith(one) && Object.hasOwn(known, name.slice(one.length)));
    return prefix !== undefined && !isNeutral(value(), known[name.slice(prefix.length)], get, parsed);
  };
  const lacking = [
    ...Object.entries(params).flatMap(([name, value]) =>
      lacks(name, () => value) ? [`${name} = ${JSON.stringify(value)}`] : [],
    ),
    ...Object.keys(inputs).filter((name) => lacks(name, () => toNumbers(inputs[name].data))),
  ];
  if (lacking.length > 0) throw new Unsupported(`not available: ${lacking.join(", ")}`);
}
