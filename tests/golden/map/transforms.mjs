// Rows of queries and keys that learned maps of their place change: RoPE-Mixed, FoPE, GRAPE-M, LieRE, STRING.
import { Malformed, sizeOf } from "../arrays.mjs";
import { needKind } from "../needs.mjs";
import { float32, joinHeads, linear, permute, splitHeads } from "../plumbing.mjs";
import { checkFact } from "../restated.mjs";
import { pairingOf } from "../specs.mjs";

const HEADS_FIRST = [0, 2, 1, 3];
const times = (factor, { data, dims }) => ({ data: data.map((value) => value * factor), dims });

/** Inputs [B, T, heads, dim] where the case says so, as float32 [B, heads, T, dim]; and results back. */
function layoutOf({ params }) {
  const headsFirst = !String(params.tensor_layout ?? "").startsWith("[batch, T");
  const headsFirstOf = (tensor) => (headsFirst ? tensor : permute(tensor, HEADS_FIRST));
  return { read: (tensor) => float32(headsFirstOf(tensor)), write: headsFirstOf };
}

/** Turned queries and keys, their products, times the scale; `ways` are options that mean the same. */
export function transformedOutputs(pe, parsed, encoding, ways, queryAt) {
  const { read, write } = layoutOf(parsed);
  const { q, k } = parsed.inputs;
  const { scale = 1 / Math.sqrt(q.dims.at(-1)) } = parsed.params;
  const each = (make) => ways.map((way) => () => make(way));
  return {
    q_rot: each((at) => write(encoding.apply(read(q), queryAt ?? at))),
    k_rot: each((at) => write(encoding.apply(read(k), at))),
    logits: each((at) => times(scale, encoding.logits(read(q), read(k), queryAt ? { ...at, queryAt } : at))),
  };
}

/** What the map does to each unit vector: [heads, T, dim, dim], columns last but one. */
function columnsOf(encoding, heads, dim, count, at) {
  const data = new Float32Array(dim * heads * count * dim);
  for (let i = 0; i < dim; i++)
    for (let row = 0; row < heads * count; row++) data[(i * heads * count + row) * dim + i] = 1;
  return permute(encoding.apply({ data, dims: [dim, heads, count, dim] }, at), [1, 2, 0, 3]);
}

/** cos and sin of each pair, [heads, T, pairs]. */
function cosSinOf(encoding, heads, dim, count, pairing, at) {
  const first = Array.from({ length: dim / 2 }, (_, k) => (pairing === "half" ? k : 2 * k));
  const second = first.map((i) => (pairing === "half" ? i + dim / 2 : i + 1));
  const data = Float32Array.from({ length: heads * count * dim }, (_, i) => Number(first.includes(i % dim)));
  const { data: rotated } = encoding.apply({ data, dims: [1, heads, count, dim] }, at);
  const pick = (features) => () => ({
    data: Array.from({ length: heads * count }, (_, row) => features.map((i) => rotated[row * dim + i])).flat(),
    dims: [heads, count, dim / 2],
  });
  return { cos: pick(first), sin: pick(second) };
}

/**
 * Throws where only some frequencies have the sizes with which the library begins, whatever their directions: those of the
 * fastest pairs do for any base. Trained ones have none of them.
 */
function checkBeginning(pe, spec, frequencies) {
  const half = frequencies.length / 2;
  const sizes = ({ length }, at) => Array.from({ length: length / 2 }, (_, i) => Math.hypot(at[i], at[half + i]));
  const begun = sizes(frequencies, pe.create(spec).parameters.frequencies.data);
  const fits = sizes(frequencies, frequencies).map((size, i) => Math.abs(size - begun[i]) < 2e-6 * begun[i]);
  if (fits.includes(true) && fits.includes(false))
    throw new Malformed("params.rope_theta is not what the frequencies began with");
}

function mixedOf(pe, { dim, heads, theta, pairing, freqs }) {
  needKind(pe, "rope-mixed");
  const spec = { kind: "rope-mixed", dim, heads, base: theta, pairing, axisOrder: [1, 0] };
  const frequencies = { type: "float32", data: freqs.data, dims: [2, heads, dim / 2] };
  return { spec, encoding: pe.create({ ...spec, frequencies }) };
}

function runMixed(pe, parsed) {
  const { num_heads: heads, head_dim: dim, end_x: width, end_y: height, rope_theta: theta, layout } = parsed.params;
  const { freqs, t_x: x, t_y: y } = parsed.inputs;
  const pairing = pairingOf(layout);
  const { spec, encoding } = mixedOf(pe, { dim, heads, theta, pairing, freqs });
  checkBeginning(pe, spec, freqs.data);
  const at = { positions: [Array.from(y.data), Array.from(x.data)] };
  const grid = { grid: [height, width] };
  const cosSinTable = (way) => cosSinOf(encoding, heads, dim, width * height, pairing, way);
  return {
    cos: [at, grid].map((way) => () => cosSinTable(way).cos()),
    sin: [at, grid].map((way) => () => cosSinTable(way).sin()),
    ...transformedOutputs(pe, parsed, encoding, [at, grid]),
  };
}

// Token 0 belongs to no place.
function runImageAttention(pe, { params, inputs }) {
  const { dim: width, num_heads: heads, rope_theta: theta, rope_mixed: mixed, side, layout, qk_scale } = params;
  const [dim, pairing] = [width / heads, pairingOf(layout)];
  const { "qkv.weight": weight, "qkv.bias": bias, "proj.weight": out, "proj.bias": outBias, x } = inputs;
  const freqs = inputs.freqs ?? inputs.rope_freqs;
  const encoding = mixed
    ? mixedOf(pe, { dim, heads, theta, pairing, freqs }).encoding
    : pe.create({ kind: "rope-axial", dim, base: theta, axisOrder: [1, 0], pairing });
  const all = splitHeads(linear(x, weight, bias), 3 * heads);
  const [q, k, v] = [0, 1, 2].map((part) => partOf(all, part, heads));
  const indices = Array.from({ length: side * side }, (_, n) => n);
  const positions = [
    [0, ...indices.map((n) => Math.floor(n / side))],
    [0, ...indices.map((n) => n % side)],
  ];
  const ways = [{ positions }, ...(mixed ? [{ grid: [side, side], prefix: 1 }] : [])];
  return {
    output: ways.map(
      (at) => () =>
        linear(joinHeads(pe.attention(q, k, v, { encoding, at, scale: qk_scale ?? undefined })), out, outBias),
    ),
  };
}

/** Part 0, 1 or 2 of q, k, v [B, 3 · heads, T, D]. */
function partOf({ data, dims: [batch, , count, dim] }, part, heads) {
  const size = heads * count * dim;
  const rows = Array.from({ length: batch }, (_, b) => data.slice((3 * b + part) * size, (3 * b + part + 1) * size));
  return float32({ data: rows.flatMap((row) => [...row]), dims: [batch, heads, count, dim] });
}

/** Coordinates that a case stores, [T, axes] or [1, T, axes], with a class token at the origin: an array for each axis. */
function storedPositions({ params, inputs }) {
  const axes = inputs.positions.dims.at(-1);
  const numbers = Array.from(inputs.positions.data, Number);
  const count = numbers.length / axes;
  const { cls_token: cls = inputs.q.dims[2] > count } = params;
  const each = (axis) => Array.from({ length: count }, (_, t) => numbers[t * axes + axis]);
  const positions = Array.from({ length: axes }, (_, axis) => each(axis));
  const at = { positions: positions.map((line) => [...Array(Number(cls)).fill(0), ...line]) };
  const largest = numbers.reduce((most, number) => Math.max(most, Math.abs(number)), 0);
  const radians = 2 ** -Math.ceil(Math.log2(1 + largest));
  return { at, count: count + Number(cls), patches: { at: { positions }, count, radians }, axes };
}

/** Patches of an image, relative to the image size of the model. */
function imagePatches({ params }) {
  const { input_dimensionality: axes, cls_token: cls = true } = params;
  const patch = [params.patch_size].flat();
  const steps = (sizes, round) =>
    Array.from({ length: axes }, (_, a) => round([sizes].flat().at(a) / (patch[a] ?? patch[0])));
  const grid = steps(params.image_size, Math.ceil);
  const modelGrid = steps(params.model_image_size, Math.floor);
  // On one axis a class token stands at its beginning, where nothing turns either.
  const line = [...Array(Number(cls)).fill(0), ...Array(grid[0]).keys()];
  const at = axes > 1 ? { grid, prefix: Number(cls) } : { positions: [line], grid };
  return {
    at,
    count: sizeOf(grid) + Number(cls),
    modelGrid,
    patches: { at: { grid }, count: sizeOf(grid), radians: 1 / 4 },
    axes,
  };
}

function runLiere(pe, parsed) {
  needKind(pe, "liere");
  const { params, inputs } = parsed;
  const { heads, head_dim: dim, generator_dim: blockDim } = params;
  const where = inputs.positions ? storedPositions(parsed) : imagePatches(parsed);
  const { at, count, axes, modelGrid } = where;
  checkFact(parsed, "input_dimensionality", axes);
  const own = params.per_head ? heads : 0;
  checkFact(parsed, "heads", inputs.q.dims[1]);
  const raw = inputs.generator_raw_params;
  const blocks = Math.floor(dim / blockDim) * Math.max(1, own);
  const generators = { type: "float32", data: raw.data, dims: [axes, blocks, blockDim, blockDim] };
  const encoding = pe.create({ kind: "liere", dim, heads: own, axes, blockDim, modelGrid, generators });
  return {
    positions: () => coordinatesOf(pe, where),
    rotations: () => blocksOf(columnsOf(encoding, Math.max(1, own), dim, count, at), blockDim),
    ...transformedOutputs(pe, parsed, encoding, [at]),
  };
}

// [heads, T, columns, dim] as [1, T, 1, heads · blocks, size, size], a row of each block after the other.
function blocksOf({ data, dims: [heads, count, dim] }, size) {
  const blocks = Math.floor(dim / size);
  const out = new Float64Array(heads * count * blocks * size * size);
  let n = 0;
  for (let t = 0; t < count; t++)
    for (let h = 0; h < heads; h++)
      for (let at = 0; at < blocks * size; at += size)
        for (let i = 0; i < size; i++)
          for (let j = 0; j < size; j++) out[n++] = data[((h * count + t) * dim + at + j) * dim + at + i];
  return { data: out, dims: [1, count, 1, heads * blocks, size, size] };
}

// A plane that rotates by so many radians for each unit of one axis shows the coordinates of all patches.
function coordinatesOf(pe, { axes, modelGrid, patches: { at, count, radians } }) {
  const columns = Array.from({ length: axes }, (_, axis) => {
    const data = Float32Array.from({ length: 4 * axes }, (_, i) => Number(i === 4 * axis + 1) * -radians);
    const generators = { type: "float32", data, dims: [axes, 1, 2, 2] };
    const encoding = pe.create({ kind: "liere", dim: 2, axes, blockDim: 2, modelGrid, generators });
    const rows = {
      data: Float32Array.from({ length: 2 * count }, (_, i) => Number(i % 2 === 0)),
      dims: [1, 1, count, 2],
    };
    const { data: transformed } = encoding.apply(rows, at);
    return Array.from({ length: count }, (_, t) => Math.atan2(transformed[2 * t + 1], transformed[2 * t]) / radians);
  });
  return {
    data: Array.from({ length: count }, (_, t) => columns.map((column) => column[t])).flat(),
    dims: [1, count, axes],
  };
}

/** [heads, axes, n] with the axes first. */
const axesFirst = ({ data, dims }) => ({ type: "float32", ...permute({ data, dims }, [1, 0, 2]) });

function runString(pe, parsed) {
  needKind(pe, "string");
  const { params, inputs } = parsed;
  const { variant: form, heads, head_dim: dim, pos_dim: axes, layout } = params;
  const spec = { kind: "string", dim, heads, axes, form };
  const learned =
    form === "cayley"
      ? {
          pairing: pairingOf(layout),
          generators: { type: "float32", data: inputs.S_raw.data, dims: inputs.S_raw.dims },
          frequencies: axesFirst(inputs.freqs),
        }
      : { coefficients: axesFirst(inputs.c) };
  const encoding = pe.create({ ...spec, ...learned });
  const { data, dims } = permute(inputs.positions, [1, 0]);
  const count = dims[1];
  const positions = Array.from({ length: axes }, (_, axis) => Array.from(data.slice(axis * count, (axis + 1) * count)));
  const at = { positions };
  const origin = { positions: positions.map(() => [0]) };
  return {
    // At the origin nothing turns.
    P: () => {
      const columns = columnsOf(encoding, heads, dim, 1, origin);
      return { data: permute(columns, [0, 1, 3, 2]).data, dims: [heads, dim, dim] };
    },
    generators: () => generatorsOf(encoding, heads, axes, dim),
    ...transformedOutputs(pe, parsed, encoding, [at]),
  };
}

// What a small step along an axis changes, [heads, axes, dim, dim]: beside the diagonal rows are as exact as they are small.
function generatorsOf(encoding, heads, axes, dim) {
  const step = 2 ** -20;
  const data = new Float64Array(heads * axes * dim * dim);
  for (let axis = 0; axis < axes; axis++) {
    const positions = Array.from({ length: axes }, (_, other) => (other === axis ? [step, -step] : [0, 0]));
    const { data: columns } = columnsOf(encoding, heads, dim, 2, { positions });
    for (let h = 0; h < heads; h++)
      for (let i = 0; i < dim; i++)
        for (let j = 0; j < dim; j++) {
          const [there, back] = [0, 1].map((t) => columns[((2 * h + t) * dim + j) * dim + i]);
          data[((h * axes + axis) * dim + i) * dim + j] = (there - back) / (2 * step);
        }
  }
  return { data, dims: [heads, axes, dim, dim] };
}

export const ROPE_MIXED = [
  {
    matches: ({ params }) => "end_x" in params,
    shapes: { q: "batch num_heads T head_dim", k: "batch num_heads T head_dim", t_x: "T", t_y: "T" },
    run: runMixed,
  },
  { matches: ({ params }) => "rope_mixed" in params, shapes: { x: "batch tokens dim" }, run: runImageAttention },
];
export const LIERE = [
  {
    matches: ({ inputs }) => "generator_raw_params" in inputs,
    shapes: { q: "batch heads tokens head_dim", k: "batch heads tokens head_dim" },
    run: runLiere,
  },
];
export const STRING = [
  {
    matches: ({ params }) => "variant" in params && "pos_dim" in params,
    shapes: { q: "batch heads T head_dim", k: "batch heads T head_dim", positions: "T pos_dim" },
    run: runString,
  },
];
