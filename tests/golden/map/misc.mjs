// The long tail. Rotary of the lucidrains package; the rest waits for its kind.
import { vector } from "../arrays.mjs";
import { missing, Unsupported, unmapped } from "../needs.mjs";
import { pairingOf } from "../specs.mjs";
import { rotaryOutputs, specIn } from "./rotary.mjs";

// The package divides the positions by `interpolate_factor`, offset included, and keeps its frequencies.
function runRotary(pe, parsed) {
  const { dim, T: count, offset = 0, theta: base = 10000, layout } = parsed.params;
  const { interpolate_factor: factor = 1, theta_rescale_factor: rescale = 1 } = parsed.params;
  if (factor !== 1 && rescale !== 1) throw new Unsupported("interpolation and rescaling together are not available");
  const headDim = parsed.inputs.q.dims.at(-1);
  const shape = { dim: headDim, rotaryDim: dim, base, pairing: pairingOf(layout) };
  const unscaled = rescale === 1 ? { kind: "rope", ...shape } : { kind: "rope-ntk", factor: rescale, ...shape };
  const spec = factor === 1 ? unscaled : { kind: "rope-linear", factor, ...shape };
  return {
    ...rotaryOutputs(parsed, specIn(pe, spec), { at: { offset }, count }),
    freqs: () => vector(pe.create(unscaled).inverseFrequencies),
  };
}

export const MISC = [
  unmapped("xpos", ({ params }) => "xpos_scale_base" in params || "scale_base" in params),
  unmapped("rope-axial", ({ params }) => "axes" in params),
  unmapped("cope", ({ params }) => "npos" in params),
  unmapped("fire", ({ params }) => "init_L" in params),
  unmapped("kerple", ({ inputs }) => "bias_p" in inputs || "kerple_p" in inputs),
  unmapped("sandwich", ({ params }) => "hidden_size_per_head" in params),
  missing("PoPE is not available", ({ params }) => "q_len" in params && "k_len" in params && "theta" in params),
  {
    matches: ({ params, inputs, targets }) =>
      "q" in inputs && "dim" in params && "T" in params && "q_rot" in targets && "freqs" in targets,
    run: runRotary,
  },
];
