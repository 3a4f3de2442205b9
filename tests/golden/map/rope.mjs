// Rotary embeddings: model configs, original code bases, pair layouts, dynamic lengths.
import { toNumbers } from "../arrays.mjs";
import { needKind, unmapped } from "../needs.mjs";
import { completeConfig, pairingOf, ropeSpec } from "../specs.mjs";
import { ORIGINAL_ROPE } from "./rope-original.mjs";
import { positionsOf, rotaryOutputs, specIn } from "./rotary.mjs";

const encodingOfConfig = (pe, { params }, pairing = pairingOf(params.layout)) =>
  pe.fromConfig(completeConfig(params), { layerType: params.layer_type ?? undefined, pairing });

function runConfig(pe, parsed) {
  const { seq_len: sequenceLength } = parsed.params;
  const at = positionsOf(parsed);
  if (typeof sequenceLength === "number") at.sequenceLength = sequenceLength;
  return rotaryOutputs(parsed, (pairing) => encodingOfConfig(pe, parsed, pairing), { at });
}

// One row of frequencies per sequence length.
function frequencyRows(encoding, lengths) {
  const rows = lengths.map((length) => encoding.frequenciesAt(length));
  return { data: Float64Array.from(rows.flatMap((row) => [...row])), dims: [rows.length, encoding.pairs] };
}

function runLengths(pe, parsed) {
  const rows = () => frequencyRows(encodingOfConfig(pe, parsed), toNumbers(parsed.inputs.seq_lens.data));
  // The reference computes the second one in float32; their truth is the same.
  return { inv_freq: rows, inv_freq_tensor_seq_len: rows };
}

/**
 * The reference module remembers: a call longer than all before recomputes its frequencies, a shorter one keeps
 * them, and only a call shorter than the trained length resets them. The library has no such memory, so the lengths
 * that the module would have in mind are worked out here.
 */
function rememberedLengths(calls, trainedLength) {
  let remembered = trainedLength;
  return calls.map((length) => {
    if (length > remembered) remembered = length;
    else if (length < trainedLength) remembered = trainedLength;
    return remembered;
  });
}

function runStateful(pe, parsed) {
  const calls = toNumbers(parsed.inputs.calls_seq_len.data);
  const lengths = rememberedLengths(calls, parsed.params.config.max_position_embeddings);
  return { inv_freq_after_call: () => frequencyRows(encodingOfConfig(pe, parsed), lengths) };
}

// head_dim and a base, nothing else: plain RoPE, or the scaling that `rope_type` names.
function runParameters(pe, parsed) {
  const { params } = parsed;
  const dim = params.head_dim ?? params.dim;
  const shape = { dim, rotaryDim: params.rotary_dim ?? dim, pairing: pairingOf(params.layout) };
  return rotaryOutputs(parsed, specIn(pe, ropeSpec(pe, params, shape)));
}

// The exponent is over the whole head; only int(factor * head_dim // 2) pairs turn.
function runProportional(pe, parsed) {
  needKind(pe, "rope-proportional");
  const { head_dim: dim, partial_rotary_factor: share, rope_theta: base, factor } = parsed.params;
  const rotaryDim = 2 * Math.floor((share * dim) / 2);
  const spec = { kind: "rope-proportional", dim, rotaryDim, base, factor: factor ?? 1 };
  return rotaryOutputs(parsed, specIn(pe, { ...spec, pairing: pairingOf(parsed.params.layout) }));
}

export const ROPE = [
  unmapped("rope-mrope", ({ params, inputs }) => "mrope_section" in params || "positions_thw" in inputs),
  unmapped("rope-axial", ({ params }) => "grids_h_w" in params || "grid_thw" in params || "patch_size" in params),
  { matches: ({ inputs }) => "seq_lens" in inputs, run: runLengths },
  { matches: ({ inputs }) => "calls_seq_len" in inputs, run: runStateful },
  { matches: ({ params }) => "config" in params, run: runConfig },
  ...ORIGINAL_ROPE,
  {
    matches: ({ params }) => "partial_rotary_factor" in params && "head_dim" in params && !("rope_type" in params),
    run: runProportional,
  },
  {
    matches: ({ params }) => ("rope_theta" in params || "base" in params) && ("head_dim" in params || "dim" in params),
    run: runParameters,
  },
];
