// Rotary embeddings: model configs, original code bases, pair layouts, dynamic lengths.
import { toNumbers, vector } from "../arrays.mjs";
import { needKind, Unsupported } from "../needs.mjs";
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
    const places = sections.map((_, axis) => sections.map((_, other) => Number(axis === other)));
    const angles = encoding.angles({ positions: places });
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
  const { head_dim: dim, rope_theta: base, image_size, patch_size } = parsed.params;
  const [rows, columns] = [parsed.inputs.row, parsed.inputs.col].map(({ data }) => toNumbers(data));
  const spec = { kind: "rope-axial", dim, base, form: "strided" };
  const at = { positions: [rows, columns] };
  const ids = () => vector(rows.map((row, i) => (row * image_size) / patch_size + columns[i]));
  return { ...rotaryOutputs(parsed, specIn(pe, spec), { at, count: rows.length }), position_ids: ids };
}

function runVision(pe, parsed) {
  const { head_dim: dim, rope_theta: base, grid_thw, spatial_merge_size: mergeSize } = parsed.params;
  const [[frames, ...grid], another] = grid_thw;
  if (frames !== 1 || another) throw new Unsupported("several images in one case are not mapped");
  const positions = pe.gridPositionIds(grid, { mergeSize }).axes;
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
