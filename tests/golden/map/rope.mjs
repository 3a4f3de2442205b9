// Rotary embeddings: model configs, original code bases, pair layouts, dynamic lengths.
import { toNumbers, vector } from "../arrays.mjs";
import { needKind } from "../needs.mjs";
import { checkFact, checkInput } from "../restated.mjs";
import { completeConfig, pairingOf, ropeSpec } from "../specs.mjs";
import { ORIGINAL_ROPE } from "./rope-original.mjs";
import { positionsOf, rotaryOutputs, specIn } from "./rotary.mjs";

function encodingOfConfig(pe, parsed, pairing = pairingOf(parsed.params.layout)) {
  const { params } = parsed;
  const encoding = pe.fromConfig(completeConfig(params), { layerType: params.layer_type ?? undefined, pairing });
  checkFact(parsed, "attention_factor_float64", encoding.attentionFactor);
  checkFact(parsed, "head_dim", encoding.dim);
  checkFact(parsed, "rotary_dim", 2 * encoding.pairs);
  checkFact(parsed, "max_position_embeddings", params.config.max_position_embeddings);
  return encoding;
}

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

// The reference module remembers longer calls.
function runStateful(pe, parsed) {
  const calls = toNumbers(parsed.inputs.calls_seq_len.data);
  const encoding = encodingOfConfig(pe, parsed);
  const lengths = calls.map((_, call) => encoding.rememberedLength(calls.slice(0, call + 1)));
  return { inv_freq_after_call: () => frequencyRows(encoding, lengths) };
}

// head_dim and a base, nothing else: plain RoPE, or the scaling that `rope_type` names.
function runParameters(pe, parsed) {
  const { params } = parsed;
  const dim = params.head_dim ?? params.dim;
  const shape = { dim, rotaryDim: params.rotary_dim ?? dim, pairing: pairingOf(params.layout) };
  return rotaryOutputs(parsed, specIn(pe, ropeSpec(pe, params, shape)));
}

// What a config with these rope_parameters would mean.
function runProportional(pe, parsed) {
  needKind(pe, "rope-proportional");
  const { head_dim, layout, ...parameters } = parsed.params;
  const config = { head_dim, rope_parameters: { rope_type: "proportional", ...parameters } };
  return rotaryOutputs(parsed, (pairing = pairingOf(layout)) => pe.fromConfig(config, { pairing }));
}

const axesOf = ({ data, dims: [axes, count] }) =>
  Array.from({ length: axes }, (_, axis) => data.subarray(axis * count, (axis + 1) * count));

// The configs of models with M-RoPE; `axis_of_pair` is read off the angles at places that lie on one axis only.
function runMrope(pe, parsed) {
  const { mrope_section: sections, mrope_interleaved: interleavedSections, ...params } = parsed.params;
  const { head_dim: dim, rotary_dim: rotaryDim, rope_theta: base } = params;
  const spec = { kind: "rope-mrope", dim, rotaryDim, base, pairing: pairingOf(params.layout) };
  const encodingFor = specIn(pe, { ...spec, sections, interleavedSections });
  const encoding = encodingFor();
  const axisOfPair = () => {
    const unitPositions = sections.map((_, axis) => sections.map((_, other) => Number(axis === other)));
    const angles = encoding.angles({ positions: unitPositions });
    const { pairs } = encoding;
    return vector(
      Array.from({ length: pairs }, (_, k) => sections.findIndex((_, axis) => angles[axis * pairs + k] > 0)),
    );
  };
  const at = { positions: axesOf(parsed.inputs.positions_thw) };
  const count = parsed.inputs.positions_thw.dims[1];
  return { ...rotaryOutputs(parsed, encodingFor, { at, count }), axis_of_pair: axisOfPair };
}

// Pixtral numbers the places of the largest image row by row.
function runPixtral(pe, parsed) {
  const { head_dim: dim, rope_theta: base, image_size, patch_size, grids_h_w: grids } = parsed.params;
  const positions = pe.gridPositionIds(grids).axes;
  ["row", "col"].forEach((name, axis) => checkInput(parsed, name, vector(positions[axis])));
  const spec = { kind: "rope-axial", dim, base, form: "strided" };
  const { data: ids } = pe.gridPositionIds(grids, { columns: Math.floor(image_size / patch_size) });
  const at = { positions };
  return { ...rotaryOutputs(parsed, specIn(pe, spec), { at, count: ids.length }), position_ids: () => vector(ids) };
}

// Frames of a video stand at the same places.
function runVision(pe, parsed) {
  const { head_dim: dim, rope_theta: base, grid_thw: grids, spatial_merge_size: mergeSize } = parsed.params;
  const positions = pe.gridPositionIds(grids, { mergeSize }).axes.slice(1);
  const count = positions[0].length;
  const ids = () => ({ data: Array.from({ length: 2 * count }, (_, i) => positions[i % 2][i >> 1]), dims: [count, 2] });
  const spec = { kind: "rope-axial", dim, base };
  const options = { at: { positions }, count, fallback: "thd" };
  return { ...rotaryOutputs(parsed, specIn(pe, spec), options), position_ids_hw: ids };
}

export const ROPE = [
  { matches: ({ inputs }) => "positions_thw" in inputs, run: runMrope },
  { matches: ({ params, inputs }) => "grids_h_w" in params && "row" in inputs && "col" in inputs, run: runPixtral },
  { matches: ({ params }) => "grid_thw" in params && "spatial_merge_size" in params, run: runVision },
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
