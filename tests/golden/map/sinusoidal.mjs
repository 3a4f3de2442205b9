// Sinusoidal tables in the forms that code bases use, and timestep embeddings.
import { pickRows, repeatBlock, reshape, toNumbers } from "../arrays.mjs";
import { missing, needKind } from "../needs.mjs";
import { checkFact } from "../restated.mjs";
import { GRIDS } from "./grid.mjs";

const create = (pe, spec) => {
  needKind(pe, "sinusoidal");
  return pe.create({ kind: "sinusoidal", ...spec });
};

const orderOf = ({ flip_sin_to_cos: flip, layout }) =>
  (flip ?? /^\s*cos/i.test(layout ?? "")) ? "cos-sin" : "sin-cos";

// A stored table holds some rows of the whole one.
function tableRows(table, parsed) {
  checkFact(parsed, "shape", table.dims);
  const { params, inputs } = parsed;
  const rows = inputs.row_index ? toNumbers(inputs.row_index.data) : params.rows;
  return rows ? pickRows(table, rows) : table;
}

function runPlain(pe, parsed) {
  const { d_model: dim, base = 10000, max_len: length } = parsed.params;
  const encoding = create(pe, { dim, base, pairing: "interleaved" });
  return { table_rows: () => tableRows(encoding.table({ length }), parsed) };
}

// tensor2tensor and Whisper: sines, then cosines, the exponent over half - 1; tensor2tensor pads odd widths.
function runTiming(pe, parsed) {
  const { channels: dim, length, min_timescale: shortest = 1, max_timescale: longest, start_index } = parsed.params;
  const offset = start_index ?? 0;
  const encoding = create(pe, {
    dim,
    base: longest / shortest,
    pairing: "concat",
    frequencyShift: 1,
    oddDim: "pad",
    scale: shortest,
  });
  return { table_rows: () => tableRows(encoding.table({ length, offset }), parsed) };
}

function runMarian(pe, { params }) {
  const encoding = create(pe, { dim: params.embedding_dim, pairing: "concat", oddDim: "truncate" });
  return { weight: () => encoding.table({ length: params.num_positions }) };
}

// fairseq numbers the tokens that are no padding from padding_idx + 1 on; padding stays at padding_idx, a zero row.
function runFairseq(pe, { params, inputs }) {
  const { embedding_dim: dim, padding_idx: padding, init_size: length } = params;
  const encoding = create(pe, {
    dim,
    pairing: "concat",
    frequencyShift: 1,
    oddDim: "pad",
    paddingIndex: padding,
  });
  const { tokens } = inputs;
  const positions = () => {
    const mask = Int32Array.from(toNumbers(tokens.data), (token) => (token === padding ? 0 : 1));
    const ids = pe.positionIds({ data: mask, dims: tokens.dims }, { padding: -1 });
    return { data: Int32Array.from(ids.data, (id) => id + padding + 1), dims: ids.dims };
  };
  return {
    weights: () => encoding.table({ length }),
    positions,
    embedding: () => reshape(encoding.table({ positions: positions().data }), [...tokens.dims, dim]),
  };
}

// diffusers and DiT: timesteps may be fractions; odd widths end with a zero.
function runTimesteps(pe, { params, inputs }) {
  const encoding = create(pe, {
    dim: params.embedding_dim ?? params.dim,
    base: params.max_period,
    pairing: "concat",
    order: orderOf(params),
    frequencyShift: params.downscale_freq_shift ?? 0,
    scale: params.scale ?? 1,
    oddDim: "pad",
  });
  return { embedding: () => encoding.table({ positions: inputs.timesteps.data }) };
}

function runTransformerXl(pe, { params, inputs }) {
  const encoding = create(pe, { dim: params.demb, pairing: "concat" });
  return { emb: () => encoding.table({ positions: inputs.pos_seq.data }) };
}

// The PyPI package: frequencies of the width rounded up to even, then cut; the same for every batch row.
function runPackage1d(pe, parsed) {
  const [batch, length, dim] = parsed.params.tensor_shape;
  checkFact(parsed, "channels", dim);
  const encoding = create(pe, { dim, pairing: "interleaved", oddDim: "round-up" });
  return { encoding: () => repeatBlock(encoding.table({ length }), batch) };
}

const isRank = (shape, rank) => Array.isArray(shape) && shape.length === rank;

export const SINUSOIDAL = [
  ...GRIDS,
  missing("timing signals of this rank are not mapped", ({ params }) => "num_timescales" in params),
  { matches: ({ inputs }) => "timesteps" in inputs, run: runTimesteps },
  { matches: ({ params, inputs }) => "padding_idx" in params && "tokens" in inputs, run: runFairseq },
  { matches: ({ inputs }) => "pos_seq" in inputs, run: runTransformerXl },
  { matches: ({ params }) => isRank(params.tensor_shape, 3), run: runPackage1d },
  { matches: ({ params }) => "num_positions" in params && "embedding_dim" in params, run: runMarian },
  { matches: ({ params }) => "max_timescale" in params && "channels" in params, run: runTiming },
  { matches: ({ params }) => "d_model" in params && "max_len" in params, run: runPlain },
];
