// Rotary embeddings of code bases that have their own names for things.
import { Unsupported } from "../needs.mjs";
import { pairingOf } from "../specs.mjs";
import { rotaryOutputs, specIn } from "./rotary.mjs";

const hasAll =
  (...names) =>
  ({ params }) =>
    names.every((name) => name in params);

/** Constants of the reference that the library has no field for. */
function requireConstants(params, constants) {
  for (const [name, value] of Object.entries(constants))
    if ((params[name] ?? value) !== value) throw new Unsupported(`${name} other than ${value} is not available`);
}

// openai/gpt-oss: YaRN without the rounding of its bounds; the tensors are [tokens, heads * head_dim].
function runGptOss(pe, parsed) {
  const { params } = parsed;
  const spec = {
    kind: "rope-yarn",
    dim: params.head_dim,
    base: params.base,
    pairing: "half",
    factor: params.scaling_factor,
    originalLength: params.initial_context_length,
    betaFast: params.ntk_beta,
    betaSlow: params.ntk_alpha,
    truncate: false,
  };
  return rotaryOutputs(parsed, specIn(pe, spec), { at: {}, count: params.num_tokens });
}

// deepseek-ai: YaRN only beyond the trained length, its magnitude is left to the softmax scale, [B, T, H, D].
function runDeepSeek(pe, parsed) {
  const { params } = parsed;
  const shape = { dim: params.qk_rope_head_dim, base: params.rope_theta, pairing: pairingOf(params.layout) };
  const spec =
    params.max_seq_len > params.original_seq_len
      ? {
          kind: "rope-yarn",
          ...shape,
          factor: params.rope_factor,
          originalLength: params.original_seq_len,
          betaFast: params.beta_fast,
          betaSlow: params.beta_slow,
          attentionFactor: 1,
        }
      : { kind: "rope", ...shape };
  return rotaryOutputs(parsed, specIn(pe, spec), { fallback: "bthd" });
}

function runYarn(pe, parsed) {
  const { params } = parsed;
  requireConstants(params, { extrapolation_factor: 1, attn_factor: 1 });
  const spec = {
    kind: "rope-yarn",
    dim: params.dim,
    base: params.base,
    factor: params.scale,
    originalLength: params.original_max_position_embeddings,
    betaFast: params.beta_fast,
    betaSlow: params.beta_slow,
  };
  return rotaryOutputs(parsed, specIn(pe, spec));
}

function runNtkByParts(pe, parsed) {
  const { params } = parsed;
  const ramps = { beta_0: 1.25, beta_1: 0.75, gamma_0: 16, gamma_1: 2 };
  requireConstants(params, { ntk_factor: 1, extrapolation_factor: 1, ...ramps });
  const spec = {
    kind: "rope-ntk-by-parts",
    dim: params.dim,
    base: params.base,
    factor: params.scale,
    originalLength: params.original_max_position_embeddings,
  };
  return rotaryOutputs(parsed, specIn(pe, spec));
}

function runNtk(pe, parsed) {
  const { dim, base, alpha } = parsed.params;
  return rotaryOutputs(parsed, specIn(pe, { kind: "rope-ntk", dim, base, factor: alpha }));
}

// LongChat condenses the positions, which is what dividing the frequencies does.
function runCondensed(pe, parsed) {
  const { dim, base, ratio } = parsed.params;
  return rotaryOutputs(parsed, specIn(pe, { kind: "rope-linear", dim, base, factor: ratio }));
}

// ChatGLM: part of the head, a base that is multiplied; the tensors are [T, batch, heads, head_dim].
function runRatio(pe, parsed) {
  const { head_dim: kv_channels, rotary_dim, base: rope_theta, rope_ratio, layout } = parsed.params;
  const config = { model_type: "chatglm", kv_channels, rotary_dim, rope_theta, rope_ratio };
  const encodingFor = (pairing = pairingOf(layout)) => pe.fromConfig(config, { pairing });
  return rotaryOutputs(parsed, encodingFor, { fallback: "tbhd" });
}

export const ORIGINAL_ROPE = [
  {
    matches: hasAll("initial_context_length", "scaling_factor"),
    shapes: { q: "num_tokens width" },
    run: runGptOss,
  },
  { matches: hasAll("rope_factor", "original_seq_len", "max_seq_len"), run: runDeepSeek },
  { matches: hasAll("gamma_0", "gamma_1", "scale"), run: runNtkByParts },
  { matches: hasAll("beta_fast", "beta_slow", "scale", "dim"), run: runYarn },
  { matches: hasAll("alpha", "dim"), run: runNtk },
  { matches: hasAll("ratio", "dim"), run: runCondensed },
  { matches: hasAll("rope_ratio", "rotary_dim", "head_dim"), run: runRatio },
];
