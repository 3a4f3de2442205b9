// Sinusoids of images and videos, Fourier features.
import { joinBlocks, repeatBlock, reshape, toNumbers } from "../arrays.mjs";
import { needKind } from "../needs.mjs";
import { transpose } from "../tensors.mjs";

const KINDS = [, , "sinusoidal-2d", "sinusoidal-3d"];

const create = (pe, kind, spec) => {
  needKind(pe, kind);
  return pe.create({ kind, ...spec });
};

// Each pixel's row and column, counted from the image's own corner: padded pixels stay at the last one, rows and columns
// of nothing but padding before the first.
function visiblePlaces(mask, [height, width]) {
  const ys = new Float64Array(mask.length);
  const xs = new Float64Array(mask.length);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const i = y * width + x;
      const seen = mask[i] ? 0 : 1;
      ys[i] = (y > 0 ? ys[i - width] : -1) + seen;
      xs[i] = (x > 0 ? xs[i - 1] : -1) + seen;
    }
  return { positions: [ys, xs], grid: [Math.max(...ys) + 1, Math.max(...xs) + 1] };
}

function runDetr(pe, { params, inputs }) {
  const { num_pos_feats: half, temperature: base, normalize, scale, eps } = params;
  const [batch, height, width] = inputs.mask.dims;
  const fields = normalize ? { normalize, scale, eps } : {};
  const encoding = create(pe, "sinusoidal-2d", { dim: 2 * half, base, start: 1, ...fields });
  const pos = () => {
    const size = height * width;
    const images = Array.from({ length: batch }, (_, image) => {
      const mask = inputs.mask.data.subarray(image * size, (image + 1) * size);
      return reshape(transpose(encoding.table(visiblePlaces(mask, [height, width]))), [1, 2 * half, height, width]);
    });
    return joinBlocks(images);
  };
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
  const encoding = create(pe, KINDS[grid.length], {
    dim: shape.at(-1),
    base: longest / shortest,
    scale: shortest,
    pairing: "concat",
    frequencyShift: 1,
    unevenDim: "pad",
  });
  return { signal: () => reshape(repeatBlock(encoding.table({ grid }), shape[0]), shape) };
}

// The PyPI package: frequencies of the width rounded up, then cut; the same for every batch row.
function runPackage(pe, { params }) {
  const { tensor_shape: shape } = params;
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
  const axis = (offset) => points.filter((_, i) => i % 2 === offset).map((place) => place - 0.5);
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
  { matches: ({ params }) => "num_timescales" in params && isRank(params.shape, 4, 5), run: runTiming },
];
