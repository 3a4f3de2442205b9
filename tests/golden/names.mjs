// Other names of the parameters that mappings read: of configs, of kernels, of other versions of the same code.
import { Malformed } from "./arrays.mjs";

const SCALE = { sm_scale: "scale" };
const PARTIAL = { partial_rotary_factor: "rotary_pct" };

const OTHER_NAMES = {
  forget: SCALE,
  path: { ...SCALE, use_forget_gate: "use_gate" },
  remap: { ...SCALE, ...PARTIAL, log_scale_base: "scale_base" },
  logn: PARTIAL,
  fope: {
    ...SCALE,
    rope_clamp_floor_freq: "clamp_floor_freq",
    rope_clamp_floor_to_zero: "clamp_floor_to_zero",
    fourier_ignore_zero: "ignore_zero",
    fourier_separate_basis: "separate_basis",
    fourier_separate_head: "separate_head",
  },
  liere: { ...SCALE, rotary_embedding_per_head: "per_head" },
  grape: {
    ...SCALE,
    grape_base: "base",
    grape_log_freq_scale: "log_freq_scale",
    grape_share_across_heads: "share_across_heads",
    grape_learnable_freq: "learnable",
    learnable_freq: "learnable",
    grape_ctx_omega_scale: "ctx_omega_scale",
    grape_ctx_per_head: "phase_per_head",
    ctx_per_head: "phase_per_head",
    keygated_u_l2_norm: "u_l2_norm",
    querygated_v_l2_norm: "v_l2_norm",
  },
  string: SCALE,
  "rope-mixed": SCALE,
};

/** The case with its parameters also under the names that mappings read. Throws if two names have different values. */
export function withKnownNames(parsed) {
  const params = { ...parsed.params };
  for (const [other, known] of Object.entries(OTHER_NAMES[parsed.group] ?? {})) {
    // null is Python's None: the option is not given.
    if (params[other] === undefined || params[other] === null) continue;
    if ((params[known] ?? params[other]) !== params[other])
      throw new Malformed(`params.${other} is ${params[other]}, but params.${known} is ${params[known]}`);
    params[known] = params[other];
  }
  return { ...parsed, params };
}
