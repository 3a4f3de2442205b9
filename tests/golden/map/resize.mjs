// Learned tables of one grid made into tables of another.
import { copyTensor, reshape, sizeOf } from "../arrays.mjs";
import { needKind, Unsupported } from "../needs.mjs";
import { checkFact } from "../restated.mjs";
import { transpose } from "../tensors.mjs";

const learned = (pe, { data, dims: [length, dim] }) => {
  needKind(pe, "learned");
  return pe.create({ kind: "learned", length, dim, weights: Float32Array.from(data) });
};

const resized = (encoding, options) => copyTensor(encoding.resize(options).weights);

// The cubic that PyTorch, and so the library, interpolates with.
const CUBIC = -0.75;

function runGrid(pe, parsed) {
  const { new_h_w: grid, class_tokens: prefix, bicubic_A: cubic = CUBIC } = parsed.params;
  const { grid_chw: image, table } = parsed.inputs;
  if (cubic !== CUBIC) throw new Unsupported(`a cubic with ${cubic} is not available`);
  const channels = image.dims[0];
  const plain = learned(pe, transpose(reshape(image, [channels, sizeOf(image.dims.slice(1))])));
  const from = image.dims.slice(1);
  checkFact(parsed, "grid", Array.isArray(parsed.params.grid) ? from : from[0]);
  const ofImage = (options) => () =>
    reshape(transpose(resized(plain, { grid, from, ...options })), [channels, ...grid]);
  const ofTokens = (options) => () => resized(learned(pe, table), { grid, from, prefix, ...options });
  return {
    bicubic: ofImage({ mode: "bicubic" }),
    bilinear: ofImage({ mode: "bilinear" }),
    bicubic_antialias: ofImage({ mode: "bicubic", antialias: true }),
    bilinear_antialias: ofImage({ mode: "bilinear", antialias: true }),
    bicubic_align_corners: ofImage({ mode: "bicubic", alignCorners: true }),
    clip_tokens: ofTokens({}),
    vit_tokens: ofTokens({}),
    timm_tokens_antialias: ofTokens({ antialias: true }),
  };
}

function runLinear(pe, { params, inputs }) {
  const encoding = learned(pe, inputs.table);
  return {
    linear: () => resized(encoding, { length: params.new_n }),
    linear_align_corners: () => resized(encoding, { length: params.new_n, alignCorners: true }),
  };
}

function runDino(pe, { params, inputs }) {
  const { new: grid, interpolate_offset: scaleOffset, antialias, grid: side } = params;
  const from = Array.isArray(side) ? side : [side, side];
  const options = { grid, from, prefix: 1, antialias, scaleOffset };
  return { tokens: () => pe.resizeTable(copyTensor(inputs.pos_embed), options) };
}

export const RESIZE = [
  { matches: ({ params }) => "interpolate_offset" in params, run: runDino },
  { matches: ({ params }) => "new_h_w" in params, shapes: { table: "tokens dim" }, run: runGrid },
  { matches: ({ params }) => "new_n" in params, shapes: { table: "n dim" }, run: runLinear },
];
