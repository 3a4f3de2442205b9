// Biases from learned tables, resized tables, content-dependent scores.
import { repeatBlock, reshape, toNumbers } from "../arrays.mjs";
import { needKind } from "../needs.mjs";
import { RELATIVE } from "./relative.mjs";
import { RESIZE } from "./resize.mjs";

const hasParameter =
  (...names) =>
  ({ params }) =>
    names.some((name) => name in params);

/** A T5 encoding from a checkpoint's table [buckets, heads]; a kernel of one head where only its buckets are asked for. */
export function t5Of(pe, { params, inputs }, bidirectional) {
  needKind(pe, "t5");
  const { num_heads, heads = num_heads ?? 1, num_buckets: buckets, max_distance: maxDistance } = params;
  const encoding = pe.create({ kind: "t5", heads, buckets, maxDistance, bidirectional });
  return inputs.table ? encoding.load(tensorOf(inputs.table)) : encoding;
}

const tensorOf = ({ data, dims }) => ({ type: "float32", data, dims });

// The cases list key - query: a query at 0 and keys at those positions.
function runT5Buckets(pe, parsed) {
  const keyPositions = toNumbers(parsed.inputs.relative_position.data);
  const encoding = t5Of(pe, parsed, parsed.params.bidirectional);
  const bucket = () =>
    reshape(encoding.buckets({ queries: 1, keys: keyPositions.length, offset: 0, keyPositions }), [
      keyPositions.length,
    ]);
  return { bucket, bucket_mesh_numpy_float32: bucket, bucket_exact: bucket };
}

/** How many tokens stand before the queries: none where a case does not say. */
export const pastOf = ({ params: { past, past_seen_tokens: cached } }) => past ?? cached ?? 0;

function runT5(pe, parsed) {
  const { is_decoder, query_length: queries, key_length: keys } = parsed.params;
  const bias = t5Of(pe, parsed, !is_decoder).bias({ queries, keys, offset: pastOf(parsed) });
  return { bias: () => reshape(bias, [1, ...bias.dims]) };
}

/** Attention in windows: one linear layer makes q, k and v of x [windows, places, dim], another mixes the heads. */
function windowAttention(pe, { params, inputs }, encoding, mask) {
  const { num_heads: heads, dim } = params;
  const [windows, positions] = inputs.x.dims;
  const all = linear(inputs.x, inputs["qkv.weight"], inputs["qkv.bias"]);
  const part = (index) =>
    tensorOf({ data: columns(all, 3 * dim, index * dim, dim), dims: [windows, positions, heads, dim / heads] });
  // As many masks as an image has windows, each for all heads; the next image has the same.
  const bias = mask && {
    data: repeatBlock({ data: repeatEach(mask.data, positions * positions, heads), dims: [] }, windows / mask.dims[0])
      .data,
    dims: [windows, heads, positions, positions],
  };
  const out = pe.attention(part(0), part(1), part(2), { encoding, layout: "bthd", bias: bias && tensorOf(bias) });
  const mixed = linear(
    { data: out.data, dims: [windows * positions, dim] },
    inputs["proj.weight"],
    inputs["proj.bias"],
  );
  return { data: mixed, dims: inputs.x.dims };
}

/** x · Wᵀ + b in double precision: a part of the reference model, not of an encoding. */
function linear(x, weight, bias) {
  const [outputs, width] = weight.dims;
  const rows = x.data.length / width;
  const result = new Float32Array(rows * outputs);
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < outputs; column++) {
      let sum = bias.data[column];
      for (let i = 0; i < width; i++) sum += x.data[row * width + i] * weight.data[column * width + i];
      result[row * outputs + column] = sum;
    }
  return result;
}

/** `count` columns from `first` on of a matrix of `width` columns. */
const columns = (data, width, first, count) =>
  Float32Array.from({ length: (data.length / width) * count }, (_, i) => {
    const row = Math.floor(i / count);
    return data[row * width + first + (i % count)];
  });

/** Each block of `size` numbers `count` times. */
const repeatEach = (data, size, count) =>
  Float32Array.from(
    { length: data.length * count },
    (_, i) => data[Math.floor(i / (size * count)) * size + (i % size)],
  );

function swinOf(pe, { params, inputs }, table, classToken) {
  needKind(pe, "swin");
  const [windowHeight, windowWidth] = params.window_size;
  const spec = { kind: "swin", heads: params.num_heads, windowHeight, windowWidth, classToken };
  const positions = windowHeight * windowWidth + Number(classToken);
  return { encoding: pe.create(spec).load(tensorOf(inputs[table])), counts: { queries: positions, keys: positions } };
}

function runSwin(pe, parsed) {
  const { encoding, counts } = swinOf(pe, parsed, "relative_position_bias_table", false);
  return {
    relative_position_index: () => encoding.buckets(counts),
    bias: () => encoding.bias(counts),
    output: () => windowAttention(pe, parsed, encoding),
    output_masked: () => windowAttention(pe, parsed, encoding, parsed.inputs.mask),
  };
}

function runBeit(pe, parsed) {
  const { encoding, counts } = swinOf(pe, parsed, "table", true);
  return {
    relative_position_index: () => encoding.buckets(counts),
    bias: () => encoding.bias(counts),
    bias_hf_resized: () => {
      // Transformers takes the old table's height for its width: the same numbers as a window that lies on its side.
      const [windowWidth, windowHeight] = parsed.params.window_size;
      const onItsSide = pe.create({ ...encoding.spec, windowHeight, windowWidth }).load(tensorOf(parsed.inputs.table));
      const [height, width] = parsed.params.resized_window;
      const resized = onItsSide.resize({ windowHeight: height, windowWidth: width, mode: "bilinear" });
      const positions = height * width + 1;
      return resized.bias({ queries: positions, keys: positions });
    },
  };
}

export const BIAS = [
  ...RELATIVE,
  {
    matches: ({ inputs }) => "relative_position_bias_table" in inputs,
    shapes: { relative_position_bias_table: "distances num_heads", x: "windows places dim" },
    run: runSwin,
  },
  { matches: ({ params, inputs }) => "window_size" in params && "table" in inputs, run: runBeit },
  { matches: ({ params, inputs }) => "num_buckets" in params && "relative_position" in inputs, run: runT5Buckets },
  { matches: hasParameter("num_buckets"), run: runT5 },
  ...RESIZE,
];
