// Sinusoids of images and videos, Fourier features.
import { joinBlocks, repeatBlock, reshape, toNumbers } from "../arrays.mjs";
import { needKind } from "../needs.mjs";
import { checkFact } from "../restated.mjs";
import { transpose } from "../tensors.mjs";

const KINDS = [, "sinusoidal", "sinusoidal-2d", "sinusoidal-3d"];

const create = (pe, kind, spec) => {
  needKind(pe, kind);
  return pe.create({ kind, ...spec });
};

// The case's mask says what is padding.
function runDetr(pe, parsed) {
  const { num_pos_feats: half, temperature: base, normalize, scale, eps } = parsed.params;
  const { data, dims } = parsed.inputs.mask;
  const fields = normalize ? { normalize, scale, eps } : {};
  const encoding = create(pe, "sinusoidal-2d", { dim: 2 * half, base, start: 1, ...fields });
  const images = pe.pixelPositions({ data: data.map((padding) => 1 - padding), dims });
  checkFact(
    parsed,
    "valid_h_w_per_image",
    images.map(({ grid }) => grid),
  );
  const image = (at) => reshape(transpose(encoding.table(at)), [1, 2 * half, ...dims.slice(-2)]);
  const pos = () => joinBlocks(images.map(image));
  return { pos, pos_hf: pos };
}

// MAE and diffusers: the column first.
function runMae(pe, { params }) {
  const { embed_dim: dim, grid_size: size, grid_size_h_w: sizes, cls_token: token } = params;
  const grid = sizes ?? (Array.isArray(size) ? size : [size, size]);
  const encoding = create(pe, "sinusoidal-2d", {
    dim,
    pairing: "concat",
    axisOrder: "xy",
    baseSize: params.base_size ?? 0,
    scale: 1 / (params.interpolation_scale ?? 1),
  });
  return { pos_embed: () => encoding.table({ grid, prefix: token ? 1 : 0 }) };
}

function runTiming(pe, { params }) {
  const { shape, min_timescale: shortest = 1, max_timescale: longest } = params;
  const grid = shape.slice(1, -1);
  const oneAxis = grid.length === 1;
  const encoding = create(pe, KINDS[grid.length], {
    dim: shape.at(-1),
    base: longest / shortest,
    scale: shortest,
    pairing: "concat",
    frequencyShift: 1,
    ...(oneAxis ? { oddDim: "pad" } : { unevenDim: "pad" }),
  });
  const table = () => encoding.table(oneAxis ? { length: grid[0] } : { grid });
  return { signal: () => reshape(repeatBlock(table(), shape[0]), shape) };
}

// The PyPI package: frequencies of the width rounded up, then cut; the same for every batch row.
function runPackage(pe, parsed) {
  const { tensor_shape: shape } = parsed.params;
  checkFact(parsed, "channels", shape.at(-1));
  const grid = shape.slice(1, -1);
  const encoding = create(pe, KINDS[grid.length], { dim: shape.at(-1) });
  return { encoding: () => reshape(repeatBlock(encoding.table({ grid }), shape[0]), shape) };
}

// Segment Anything: a random matrix for (x, y), at the middles of pixels; points are places, half a pixel from the middle.
function runSam(pe, { params, inputs }) {
  const { num_pos_feats: half, size_h_w: grid, image_size_h_w: image } = params;
  const spec = { dim: 2 * half, inputs: 2, coordinates: "centres", axisOrder: "xy" };
  const encoding = create(pe, "fourier", { ...spec, frequencies: inputs.gaussian.data });
  const points = toNumbers(inputs.points_xy.data);
  const axis = (offset) => points.filter((_, i) => i % 2 === offset).map((position) => position - 0.5);
  return {
    grid: () => reshape(transpose(encoding.table({ grid })), [2 * half, ...grid]),
    points: () =>
      reshape(encoding.table({ positions: [axis(1), axis(0)], grid: image }), [
        ...inputs.points_xy.dims.slice(0, -1),
        2 * half,
      ]),
  };
}

const isRank = (shape, ...ranks) => Array.isArray(shape) && ranks.includes(shape.length);

export const GRIDS = [
  { matches: ({ inputs }) => "gaussian" in inputs, run: runSam },
  { matches: ({ params }) => "num_pos_feats" in params, run: runDetr },
  { matches: ({ params }) => "grid_size" in params || "grid_size_h_w" in params, run: runMae },
  { matches: ({ params }) => isRank(params.tensor_shape, 4, 5), run: runPackage },
  { matches: ({ params }) => "num_timescales" in params && isRank(params.shape, 3, 4, 5), run: runTiming },
];
