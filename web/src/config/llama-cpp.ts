// Rotations as options of llama.cpp and wllama, which change them when a GGUF file is loaded.
import { PosencError, invalid, show } from "../base/errors.js";
import type { Spec } from "../base/specs.gen.js";

/** A rotation as options of llama.cpp. */
export interface LlamaCppOptions {
  /** Command-line arguments of `llama-cli` and `llama-server`. */
  readonly flags: readonly string[];
  /** Options of wllama's `loadModel`. */
  readonly wllama: Readonly<Record<string, string | number>>;
}

type Scaling = "none" | "linear" | "yarn";
type Fields = Record<string, unknown> & { kind: string; base?: number; factor?: number };

const refused = (why: string): PosencError => new PosencError("unsupported", `spec: ${why}`, "spec");

function optionsOf(scaling: Scaling, base: number, factor = 1, more: Record<string, number> = {}): LlamaCppOptions {
  const flags = ["--rope-scaling", scaling, "--rope-freq-base", String(base)];
  if (factor !== 1) flags.push("--rope-scale", String(factor));
  for (const [name, value] of Object.entries(more)) flags.push(`--${name.replaceAll("_", "-")}`, String(value));
  return {
    flags,
    wllama: {
      rope_scaling_type: `LLAMA_ROPE_SCALING_TYPE_${scaling.toUpperCase()}`,
      rope_freq_base: base,
      ...(factor !== 1 && { rope_freq_scale: 1 / factor }),
      ...more,
    },
  };
}

/** YaRN as ggml computes it: rounded ends of the ramp, and the magnitude of the paper. */
function yarn(spec: Fields, base: number): LlamaCppOptions {
  const { truncate = true, mscale = 0, mscaleAllDim = 0, attentionFactor = 0, betaFast = 32, betaSlow = 1 } = spec;
  if (truncate !== true) throw refused("llama.cpp rounds the ends of YaRN's ramp to whole pairs (truncate: true)");
  if ([mscale, mscaleAllDim, attentionFactor].some((value) => value !== 0 && value !== null))
    throw refused("llama.cpp reads attentionFactor, mscale and mscaleAllDim of YaRN from the file");
  return optionsOf("yarn", base, spec.factor, {
    yarn_orig_ctx: spec["originalLength"] as number,
    ...(betaFast !== 32 && { yarn_beta_fast: betaFast as number }),
    ...(betaSlow !== 1 && { yarn_beta_slow: betaSlow as number }),
  });
}

/**
 * Returns a rotation as options of llama.cpp and wllama, which apply to all layers of a GGUF file while it is loaded.
 *
 * NTK scaling becomes a base: base · factor^(d / (d - 2)), with d rotated features. Other rules than these are in the file:
 * Llama 3's and LongRoPE's factors are tensors.
 * @param spec Spec of `rope`, `rope-linear`, `rope-ntk` or `rope-yarn`.
 * @returns Arguments of the command line, and the options of wllama.
 * @throws {PosencError} `unsupported` if llama.cpp has no options for the rule; `invalid-argument` if `spec` is not a spec.
 * @example
 * llamaCppOptions({ kind: "rope-yarn", dim: 128, factor: 4, originalLength: 32768 }).flags.join(" ");
 * // --rope-scaling yarn --rope-freq-base 10000 --rope-scale 4 --yarn-orig-ctx 32768
 */
export function llamaCppOptions(spec: Spec): LlamaCppOptions {
  const fields = spec as unknown as Fields;
  if (typeof fields?.kind !== "string")
    throw invalid("spec", `must be a spec such as { kind: "rope-yarn", … }, got ${show(spec)}`);
  const { kind, base = 10000, factor = 1 } = fields;
  const width = ((fields["rotaryDim"] as number | undefined) || fields["dim"]) as number;
  if (fields["axisOfPair"]) throw refused("llama.cpp has no options for axisOfPair");
  if (kind === "rope") return optionsOf("none", base);
  if (kind === "rope-linear") return optionsOf("linear", base, factor);
  if (kind === "rope-ntk") return optionsOf("none", base * factor ** (width / (width - 2)));
  if (kind === "rope-yarn") return yarn(fields, base);
  throw refused(`llama.cpp has no options for ${kind}; it reads the rule from the file`);
}
