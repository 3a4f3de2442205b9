// Gradients. The gradient of a rotation is the transposed rotation; the library has no others yet.
import { headAxes, rotated } from "../tensors.mjs";
import { missing } from "../needs.mjs";
import { pairingOf, ropeSpec } from "../specs.mjs";

function runRotation(pe, parsed) {
  const { params, inputs } = parsed;
  const dim = params.head_dim ?? inputs.x.dims.at(-1);
  const shape = { dim, rotaryDim: params.rotary_dim ?? dim, pairing: pairingOf(params.layout) };
  const encoding = pe.create(ropeSpec(pe, params.rope_parameters, shape));
  const at = { positions: inputs.positions.data };
  const axes = headAxes(parsed, inputs.x.dims, inputs.positions.data.length);
  return {
    out: () => rotated(encoding, inputs.x, axes, at),
    d_x: () => rotated(encoding, inputs.g, axes, { ...at, transpose: true }),
  };
}

const learnsBias = ({ params, inputs }) => "num_buckets" in params || "bias_p" in inputs || "window" in params;

export const GRAD = [
  {
    matches: ({ params, inputs }) => "rope_parameters" in params && "x" in inputs && "g" in inputs,
    run: runRotation,
  },
  missing("the gradient of a learned bias is not available", learnsBias),
  missing("the gradient of cope is not available", ({ params }) => "npos" in params),
  missing("the gradient of shaw is not available", ({ params }) => "max_relative_positions" in params),
  missing("the gradient of transformer-xl is not available", ({ inputs }) => "r_w_bias" in inputs),
  missing(
    "the gradient of learned tables is not available",
    ({ params }) => "num_embeddings" in params || "align_corners" in params,
  ),
  missing("learned frequencies and their gradient are not available", ({ inputs }) => "freqs" in inputs),
  missing("learned slopes and their gradient are not available", ({ inputs }) => "slopes" in inputs),
  missing("the gradient of attention is not available", ({ inputs }) => "q" in inputs && "g" in inputs),
];
