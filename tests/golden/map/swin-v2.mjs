// Swin V2: cosine attention in windows, with a network of logarithms of displacements.
import { needKind } from "../needs.mjs";
import { float32, joinHeads, linear, splitHeads } from "../plumbing.mjs";
import { checkFact } from "../restated.mjs";

// The authors' code goes by the first number alone: whether the network was trained on another window.
const trainedOn = ([height, width]) => (height > 0 ? [height, width] : [0, 0]);

function encodingOf(pe, { params, inputs }) {
  needKind(pe, "swin-v2");
  const [windowHeight, windowWidth] = params.window_size;
  const [pretrainedHeight, pretrainedWidth] = trainedOn(params.pretrained_window_size);
  const shape = { windowHeight, windowWidth, pretrainedHeight, pretrainedWidth };
  const encoding = pe.create({ kind: "swin-v2", heads: params.num_heads, width: params.mlp_hidden, ...shape });
  return encoding.load({
    inputWeights: inputs["cpb_mlp.0.weight"],
    inputBias: inputs["cpb_mlp.0.bias"],
    outputWeights: inputs["cpb_mlp.2.weight"],
  });
}

/**
 * The coordinates of all displacements, [2h - 1, 2w - 1, 2]: what the same window makes of a network that shows one of
 * them, its positive values by one unit and its negative ones by another, with the sigmoid undone.
 */
function coordinatesOf(pe, { spec }) {
  const { windowHeight: height, windowWidth: width } = spec;
  const [rows, columns] = [2 * height - 1, 2 * width - 1];
  const data = new Float64Array(rows * columns * 2);
  const count = height * width;
  for (const axis of [0, 1]) {
    const encoding = pe.create({
      ...spec,
      heads: 1,
      width: 2,
      inputWeights: [1 - axis, axis, axis - 1, -axis],
      inputBias: [0, 0],
      outputWeights: [1, -1],
    });
    const { data: bias } = encoding.bias({ queries: count, keys: count });
    const { data: index } = encoding.buckets({ queries: count, keys: count });
    bias.forEach((value, at) => (data[2 * index[at] + axis] = Math.log(value / (16 - value))));
  }
  return { data, dims: [1, rows, columns, 2] };
}

/** Each row of the last axis times 1 / √(its squares), and times `factor(head)`. */
function unitRows({ data, dims }, factor = () => 1) {
  const [, heads, count, dim] = dims;
  const out = Float64Array.from(data);
  for (let start = 0; start < out.length; start += dim) {
    const row = out.subarray(start, start + dim);
    const length = Math.max(Math.hypot(...row), 1e-12);
    const times = factor(Math.floor(start / dim / count) % heads);
    row.forEach((value, i) => (row[i] = (value / length) * times));
  }
  return float32({ data: out, dims });
}

/** Masks [windows of an image, places, places] for all windows and heads; hidden ones get -100. */
function repeated({ data, dims: [windows, positions] }, all, heads) {
  const size = positions * positions;
  const out = Float32Array.from({ length: all * heads * size }, (_, at) => {
    const window = Math.floor(at / (heads * size)) % windows;
    return data[window * size + (at % size)];
  });
  return { data: out, dims: [all, heads, positions, positions] };
}

function run(pe, parsed) {
  const { params, inputs } = parsed;
  const { num_heads: heads, dim } = params;
  const encoding = encodingOf(pe, parsed);
  const [windows, positions] = inputs.x.dims;
  checkFact(parsed, "dim", inputs.x.dims[2]);
  checkFact(parsed, "head_dim", dim / heads);
  const counts = { queries: positions, keys: positions };
  const zeros = new Float32Array(dim);
  // Without qkv_bias queries and values have none either.
  const [qBias, vBias] = [inputs.q_bias, inputs.v_bias].map((bias) => bias?.data ?? zeros);
  const all = linear(inputs.x, inputs["qkv.weight"], { data: [...qBias, ...zeros, ...vBias] });
  const part = (index) => {
    const data = new Float64Array(windows * positions * dim);
    data.forEach((_, i) => (data[i] = all.data[Math.floor(i / dim) * 3 * dim + index * dim + (i % dim)]));
    return splitHeads({ data, dims: [windows, positions, dim] }, heads);
  };
  const scale = (head) => Math.exp(Math.min(inputs.logit_scale.data[head], Math.log(100)));
  const [q, k, v] = [unitRows(part(0), scale), unitRows(part(1)), part(2)];
  const scores = () => {
    const head = dim / heads;
    const data = Float32Array.from({ length: windows * heads * positions * positions }, (_, at) => {
      const [row, key] = [Math.floor(at / positions), at % positions];
      const keyRow = Math.floor(row / positions) * positions + key;
      let sum = 0;
      for (let c = 0; c < head; c++) sum += q.data[row * head + c] * k.data[keyRow * head + c];
      return sum;
    });
    return encoding.applyTo({ data, dims: [windows, heads, positions, positions] });
  };
  const attend = (bias) => {
    const joined = joinHeads(pe.attention(q, k, v, { encoding, scale: 1, bias }));
    return linear(joined, inputs["proj.weight"], inputs["proj.bias"]);
  };
  return {
    relative_coords_table: () => coordinatesOf(pe, encoding),
    relative_position_index: () => encoding.buckets(counts),
    bias: () => encoding.bias(counts),
    logits: scores,
    output: () => attend(),
    output_masked: () => attend(repeated(inputs.mask, windows, heads)),
  };
}

export const SWIN_V2 = [{ matches: ({ params }) => "pretrained_window_size" in params, run }];
