// Gradients: of attention with each encoding, of rotations, biases and learned tables.
import { copyTensor, reshape, sizeOf, toNumbers } from "../arrays.mjs";
import { ruleAndMask, storedMask } from "../masks.mjs";
import { float32 } from "../plumbing.mjs";
import { checkFact, checkInput } from "../restated.mjs";
import { pairingOf, ropeSpec } from "../specs.mjs";
import { headAxes, rotated, transpose } from "../tensors.mjs";
import { distanceOptions, HEAD_SHAPES, headsOf, optionsOf } from "./attention.mjs";
import { t5Of } from "./bias.mjs";
import { runTransformerXl } from "./grad-transformer-xl.mjs";

const tensorOf = ({ data, dims }) => float32({ data, dims });
const numbersOf = ({ data }) => Array.from(data);

function runRotation(pe, parsed) {
  const { params, inputs } = parsed;
  const dim = params.head_dim ?? inputs.x.dims.at(-1);
  const shape = { dim, rotaryDim: params.rotary_dim ?? dim, pairing: pairingOf(params.layout) };
  const encoding = pe.create(ropeSpec(pe, params.rope_parameters, shape));
  const at = { positions: inputs.positions.data };
  const axes = headAxes(parsed, inputs.x.dims, inputs.positions.data.length);
  checkFact(parsed, "attention_factor", encoding.attentionFactor);
  return {
    out: () => rotated(encoding, inputs.x, axes, at),
    d_x: () => rotated(encoding, inputs.g, axes, { ...at, transpose: true }),
  };
}

function runFrequencies(pe, { params, inputs }) {
  const { dim, layout } = params;
  const encoding = pe.create({ kind: "rope", dim, pairing: pairingOf(layout), frequencies: numbersOf(inputs.freqs) });
  const x = tensorOf(inputs.x);
  return {
    out: () => encoding.apply(copyTensor(inputs.x)),
    d_x: () => encoding.backward(x, tensorOf(inputs.g)),
    d_freqs: () => gradientsAfter(encoding, () => encoding.backward(x, tensorOf(inputs.g))).frequencies,
  };
}

/** What one backward call leaves in the gradients. */
function gradientsAfter(encoding, backward) {
  encoding.zeroGradients();
  backward();
  return encoding.gradients;
}

/**
 * attention and its gradients under `options`, or under each of several that mean the same; `parameters`: which output is
 * the gradient of which parameter.
 */
function attentionOutputs(pe, heads, gradient, options, parameters = {}) {
  const ways = [options].flat();
  const ofEach = (make) => ways.map((way) => () => make(way));
  const backward = (way) => pe.attentionBackward(...heads, gradient, way);
  const outputs = { out: ofEach((way) => pe.attention(...heads, way)) };
  for (const name of ["q", "k", "v", "bias"]) outputs[`d_${name}`] = ofEach((way) => backward(way)[name]);
  for (const [output, name] of Object.entries(parameters))
    outputs[output] = ofEach((way) => gradientsAfter(way.encoding, () => backward(way))[name]);
  return outputs;
}

// The case's mask says what causality and window hide; the bias is added.
function runAttention(pe, parsed) {
  const { bias, mask, g } = parsed.inputs;
  checkFact(parsed, "bias_shape", bias?.dims ?? []);
  const options = { ...optionsOf(parsed), ...(bias && { bias: tensorOf(bias) }) };
  const { sliding_window: width, causal } = parsed.params;
  // Without a rule for the parameters to tell, all is visible.
  const ways = ruleAndMask(options, storedMask(mask, parsed));
  const plain = causal === false && (width ?? null) === null ? [options] : [];
  return attentionOutputs(pe, headsOf(parsed), tensorOf(g), [...plain, ...ways]);
}

function runRopeAttention(pe, parsed) {
  const { rope_theta: base, layout, positions } = parsed.params;
  const encoding = pe.create({ kind: "rope", dim: parsed.inputs.q.dims.at(-1), base, pairing: pairingOf(layout) });
  const options = { ...optionsOf(parsed), encoding, at: { positions } };
  return attentionOutputs(pe, headsOf(parsed), tensorOf(parsed.inputs.g), options);
}

const withEncoding = (create, parameters) => (pe, parsed) =>
  attentionOutputs(
    pe,
    headsOf(parsed),
    tensorOf(parsed.inputs.g),
    distanceOptions(parsed, create(pe, parsed)),
    parameters,
  );

const runT5 = withEncoding((pe, parsed) => t5Of(pe, parsed, !parsed.params.causal), { d_table: "weights" });

const runAlibi = withEncoding(
  (pe, { params, inputs }) => pe.create({ kind: "alibi", heads: params.heads, slopes: numbersOf(inputs.slopes) }),
  { d_slopes: "slopes" },
);

const runSwin = withEncoding(
  (pe, { params, inputs }) => {
    const [windowHeight, windowWidth] = params.window;
    const spec = { kind: "swin", heads: params.heads, windowHeight, windowWidth };
    const encoding = pe.create({ ...spec, weights: tensorOf(inputs.table) });
    const [queries, keys] = inputs.relative_position_index?.dims ?? [];
    if (keys) checkInput({ inputs }, "relative_position_index", encoding.buckets({ queries, keys }));
    return encoding;
  },
  { d_table: "weights" },
);

const runShaw = withEncoding(
  (pe, { params, inputs }) => {
    const tables = { keys: tensorOf(inputs.table_k), values: tensorOf(inputs.table_v) };
    return pe.create({
      kind: "shaw",
      dim: inputs.q.dims.at(-1),
      maxDistance: params.max_relative_positions,
      ...tables,
    });
  },
  { d_table_k: "keys", d_table_v: "values" },
);

// One head, [B, T, D]; the mask is the causal one: seen as the rule and as the mask.
function runCope(pe, { params, inputs }) {
  const head = ({ data, dims: [batch, ...rest] }) => tensorOf({ data, dims: [batch, 1, ...rest] });
  const { head_dim: dim, npos: maxPosition } = params;
  const embedding = tensorOf(reshape(inputs.pos_emb, [dim, maxPosition]));
  const encoding = pe.create({ kind: "cope", dim, maxPosition, embedding });
  const heads = [inputs.query, inputs.key, inputs.val].map(head);
  const options = ruleAndMask({ encoding, causal: true }, inputs.mask && head(inputs.mask));
  const made = attentionOutputs(pe, heads, head(inputs.g), options, { d_pos_emb: "embedding" });
  const noHead = (name) => made[name].map((make) => () => reshape(make(), inputs.query.dims));
  return {
    out: noHead("out"),
    d_query: noHead("d_q"),
    d_key: noHead("d_k"),
    d_val: noHead("d_v"),
    d_pos_emb: made.d_pos_emb.map((make) => () => reshape(make(), inputs.pos_emb.dims)),
  };
}

function runKerple(pe, { params, inputs }) {
  const { heads } = params;
  const names = { amplitude: numbersOf(inputs.bias_p), rate: numbersOf(inputs.bias_a) };
  const encoding = pe.create({ kind: "kerple", heads, ...names });
  const backward = () => encoding.backward(tensorOf(inputs.g));
  const gradient = (name) => () => reshape(gradientsAfter(encoding, backward)[name], [heads, 1, 1]);
  return {
    out: () => encoding.applyTo(copyTensor(inputs.scores)),
    d_scores: backward,
    d_bias_p: gradient("amplitude"),
    d_bias_a: gradient("rate"),
  };
}

function runEmbedding(pe, { params, inputs }) {
  const { num_embeddings: length, dim, padding_idx: paddingIndex, scale_grad_by_freq: scaleByFrequency } = params;
  const encoding = pe.create({ kind: "learned", length, dim, weights: tensorOf(inputs.weight) });
  const positions = toNumbers(inputs.indices.data);
  const at = { positions, scaleByFrequency, ...(paddingIndex !== null && { paddingIndex }) };
  return {
    out: () => reshape(encoding.table({ positions }), inputs.g.dims),
    d_weight: () => gradientsAfter(encoding, () => encoding.backward(tensorOf(inputs.g), at)).weights,
  };
}

// Images [1, channels, height, width]; the library's tables are [places, channels].
function runResample(pe, { params, inputs }) {
  const { mode, align_corners: alignCorners, antialias } = params;
  const size = ({ dims }) => dims.slice(2);
  const options = { from: size(inputs.grid), grid: size(inputs.g), mode, alignCorners, antialias };
  const resized = (image, like, change) => () => {
    const channels = image.dims[1];
    const table = tensorOf(transpose(reshape(image, [channels, sizeOf(size(image))])));
    return reshape(transpose(pe.resizeTable(table, { ...options, ...change })), like.dims);
  };
  return {
    out: resized(inputs.grid, inputs.g, {}),
    d_grid: resized(inputs.g, inputs.grid, { transpose: true }),
  };
}

const has =
  (name) =>
  ({ params, inputs }) =>
    name in params || name in inputs;

export const GRAD = [
  { matches: (parsed) => has("rope_parameters")(parsed) && has("g")(parsed), run: runRotation },
  { matches: has("freqs"), shapes: { x: "batch heads T dim" }, run: runFrequencies },
  { matches: has("num_buckets"), shapes: HEAD_SHAPES, run: runT5 },
  { matches: has("window"), shapes: HEAD_SHAPES, run: runSwin },
  { matches: has("slopes"), shapes: { ...HEAD_SHAPES, q: "batch heads T head_dim" }, run: runAlibi },
  { matches: has("bias_p"), shapes: { scores: "batch heads T keys" }, run: runKerple },
  { matches: has("max_relative_positions"), run: runShaw },
  { matches: has("npos"), run: runCope },
  {
    matches: has("r_w_bias"),
    shapes: { w: "qlen batch d_model", mems: "mlen batch d_model", r_w_bias: "n_head d_head" },
    run: runTransformerXl,
  },
  { matches: has("num_embeddings"), shapes: { weight: "num_embeddings dim" }, run: runEmbedding },
  { matches: has("align_corners"), run: runResample },
  { matches: has("rope_theta"), run: runRopeAttention },
  { matches: (parsed) => has("q")(parsed) && has("mask")(parsed), run: runAttention },
];
