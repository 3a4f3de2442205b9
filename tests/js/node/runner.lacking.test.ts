// Does the golden runner report options that the library lacks? Each fixture here has one more option of its reference. If
// nothing read the option, the case would compute something else.
import { describe, expect, it } from "vitest";
import { runCase } from "../../golden/cases.mjs";
import { goldenCases } from "../helpers/fixtures";
import { loosely, pe } from "../helpers/library";

const FIXTURES = {
  nezha: "nezha-h3-d6-T7-max64",
  path: "path-b1-h2-T12-d6-gate-chunk4",
  forget: "fox-b1-h3-T12-d6-w4-scale0.5",
  ddalibi: "ddalibi-causal-h2-T8-d6",
  remap: "selfextend-h2-T24-d8-g4-w8",
  logn: "qwen-attention-h2-d8-T20-seq8-logn-ntk",
  "swin-v2": "swinv2-3x4-h2",
  fope: "fope-h2-d16-len64-sephead",
  liere: "liere-2d-h2-d10-gen4-larger-image",
  grape: "grape-a-querykeygated-h4-d6-T8",
};
type Group = keyof typeof FIXTURES;

const caseOf = (group: Group, name: string = FIXTURES[group]) =>
  structuredClone(loosely(goldenCases.get(`${group}/${name}`)));

function withParams(group: Group, params: object) {
  const json = caseOf(group);
  return runCase(pe, { ...json, params: { ...json.params, ...params } });
}

const ones = { shape: [2], dtype: "float32", data_base64: "AACAPwAAgD8=" };

const LACKING: Record<Group, Record<string, unknown>> = {
  nezha: { use_relative_position: false, head_mask: [1, 0, 1] },
  path: { use_qk_norm: true, use_w_shortconv: true, use_low_rank_w: true, conv_size: 3, conv_bias: true },
  forget: {
    adaptive_threshold: -10,
    log_pruning_tolerance: -10,
    fgate_type: "fixed",
    fgate_bias_init: true,
    decay_time_min: 1,
    decay_time_max: 100,
    use_rope: true,
    rope_base: 500000,
    qk_norm: true,
    qk_norm_share_param_across_head: true,
    use_k_shift: true,
    use_v_shift: true,
    use_output_gate: true,
    ogate_act: "silu",
    use_output_norm: true,
  },
  ddalibi: { num_mem_kv: 2 },
  remap: { group_size_1: 2.5, mscale: 1.1, scaling_factor: 2 },
  logn: { training: true, use_cache_quantization: true, softmax_in_fp32: true, true_seq_len: [20, 12] },
  "swin-v2": { sigmoid_scale: 8, logit_scale_max: 5, k_bias: true, pretrained_window_size: [1, 1] },
  fope: {
    fourier_dim: 32,
    fourier_norm: true,
    floor_freq_ratio: 0.5,
    upper_freq_ratio: 0.5,
    clamp_upper_freq: true,
    clamp_upper_to_zero: true,
    clamp_to_linear: true,
    clamp_to_linear_mode: "floor",
    zero_freq_ratio: 0.5,
    include_neg_freq: true,
    freq_distribution: "uniform",
    init_distribution: "gaussian",
    freq_learnable: true,
    learnable: true,
    no_repetition: true,
    no_pos: true,
    init_floor_freq: 0.1,
    init_upper_freq: 0.5,
    len_extra: true,
    len_extra_type: "PI",
    len_extra_before_clamp: true,
    len_extra_orig_length: 32,
    inverse: true,
  },
  liere: {
    phase_type: "even",
    rotary_embedding_per_layer: true,
    positional_encoding_type: "tiled",
    scale_0_to_1: true,
  },
  grape: {
    using_groupnorm: true,
    use_k_shift: true,
    use_v_shift: true,
    keygated_u_l2_norm: false,
    querygated_v_l2_norm: false,
    u_l2_eps: 1e-3,
    querygated_v_l2_eps: 1e-12,
  },
};

/** Values in a reference's config that change nothing. */
const NEUTRAL: Record<Group, object> = {
  nezha: { use_relative_position: true, head_mask: [1, 1, 1] },
  path: { use_qk_norm: false, use_w_shortconv: false, use_low_rank_w: false, conv_size: 3, conv_bias: true },
  forget: {
    adaptive_threshold: null,
    fgate_type: "full",
    fgate_bias_init: false,
    decay_time_min: null,
    use_rope: false,
    rope_base: 500000,
    qk_norm: false,
    qk_norm_share_param_across_head: true,
    use_output_gate: false,
    ogate_act: "sigmoid",
    use_output_norm: false,
  },
  ddalibi: { num_mem_kv: 0 },
  remap: { mscale: 1, scaling_factor: 1 },
  logn: { training: false, use_cache_quantization: false, softmax_in_fp32: false, true_seq_len: [20] },
  "swin-v2": { logit_scale_max: Math.log(100), k_bias: false, pretrained_window_size: [0, 4] },
  fope: {
    fourier_dim: 16,
    fourier_norm: false,
    rope_floor_freq_ratio: 1,
    rope_clamp_floor_freq: true,
    rope_clamp_upper_freq: false,
    rope_upper_freq_ratio: 0.8,
    rope_clamp_upper_to_zero: true,
    rope_clamp_to_linear: false,
    rope_clamp_to_linear_mode: "ceil",
    rope_zero_freq_ratio: -1,
    rope_init_distribution: "exponential",
    rope_learnable: false,
    fourier_learnable: true,
    rope_init_upper_freq: 1,
    rope_init_floor_freq: 0,
    len_extra: false,
    len_extra_type: "PI",
  },
  liere: { phase_type: "naver", rotary_embedding_per_layer: false, positional_encoding_type: "liere" },
  grape: {
    using_groupnorm: false,
    use_k_shift: false,
    keygated_u_l2_norm: true,
    querygated_v_l2_norm: true,
    keygated_u_l2_eps: 1e-6,
  },
};

const groups = Object.keys(FIXTURES) as Group[];
const options = groups.flatMap((group) =>
  Object.entries(LACKING[group]).map(([name, value]) => [group, name, value] as const),
);

describe("an option that the library lacks", () => {
  it.each(options)("%s: %s is reported", (group, name, value) => {
    const report = withParams(group, { [name]: value });
    expect(report).toMatchObject({ status: "unsupported", reason: expect.stringContaining(`${name} = `) });
  });

  it.each(["rope_clamp_upper_freq", "rope_include_neg_freq", "rope_no_pos", "rope_inverse"])(
    "fope: %s is reported under its own name",
    (name) => {
      const { status, reason } = withParams("fope", { [name]: true });
      expect({ status, reason }).toEqual({ status: "unsupported", reason: `not available: ${name} = true` });
    },
  );

  it.each(groups)("%s: neutral values change nothing", (group) => {
    expect(withParams(group, NEUTRAL[group]).status).toBe("pass");
  });

  it.each([
    ["grape", "subln.weight"],
    ["forget", "adaptive_threshold"],
    ["swin-v2", "k_bias"],
  ] as const)("%s: the input %s is reported", (group, name) => {
    const json = caseOf(group);
    json.inputs[name] = ones;
    const { status, reason } = runCase(pe, json);
    expect({ status, reason }).toEqual({ status: "unsupported", reason: `not available: ${name}` });
  });

  it("an input that masks no head changes nothing", () => {
    const json = caseOf("nezha");
    json.inputs.head_mask = ones;
    expect(runCase(pe, json).status).toBe("pass");
  });

  it.each([[[2, 1]], [[4, 0]], [[1, 4]]])("Swin V2 divides by a pretrained window of %j less 1", (size) => {
    const { status, reason } = withParams("swin-v2", { pretrained_window_size: size });
    expect({ status, reason }).toEqual({
      status: "unsupported",
      reason: `not available: pretrained_window_size = ${JSON.stringify(size)}`,
    });
  });

  it("gates for each pair of tokens have no bidirectional form, those of the linear layer have", () => {
    const json = caseOf("ddalibi");
    json.params.causal = false;
    delete json.inputs["to_forget_gates.0.bias"];
    const { status, reason } = runCase(pe, json);
    expect({ status, reason }).toEqual({ status: "unsupported", reason: "not available: causal = false" });
    expect(runCase(pe, caseOf("ddalibi", "ddalibi-bidirectional-h3-T7-d5")).status).toBe("pass");
  });

  it("the reason names all of them", () => {
    const { reason } = withParams("path", { use_qk_norm: true, conv_size: 3 });
    expect(reason).toBe("not available: use_qk_norm = true, conv_size = 3");
  });
});
