// ChatGLM-6B: halves of a head turn by two counts, with frequencies of 16 bits.
import { Malformed, pickColumns, toNumbers } from "../arrays.mjs";
import { joinHeads, linear, permute } from "../plumbing.mjs";
import { checkFact, checkInput } from "../restated.mjs";

function runIds(pe, { params, inputs }) {
  const { bos_token_id: bosTokenId, mask_position: maskPosition, gmask } = params;
  const { data, dims } = inputs.input_ids;
  const [columns, rows = 1] = [...dims].reverse();
  const tokens = { data: toNumbers(data), dims: [rows, columns] };
  const ids = () => pe.glmPositionIds(tokens, { bosTokenId, maskPosition, gmask });
  return { position_ids: () => permute(ids(), [1, 0, 2]) };
}

/** x [T, B, hidden] as q, k and v [B, heads, T, dim]: each head has its three parts side by side. */
function headsOf({ params, inputs }) {
  const { num_heads: heads, head_dim: dim } = params;
  const all = linear(inputs.x, inputs["query_key_value.weight"], inputs["query_key_value.bias"]);
  const [count, batch, width] = all.dims;
  if (width !== 3 * heads * dim) throw new Malformed(`query_key_value has ${width} rows, not 3 × ${heads} × ${dim}`);
  const split = { data: all.data, dims: [count * batch * heads, 3 * dim] };
  return [0, 1, 2].map((part) => {
    const columns = Array.from({ length: dim }, (_, i) => part * dim + i);
    const { data } = permute(
      { data: pickColumns(split, columns).data, dims: [count, batch, heads, dim] },
      [1, 2, 0, 3],
    );
    return { data: Float32Array.from(data), dims: [batch, heads, count, dim] };
  });
}

/** Positions as the rotation takes them, an array for each axis, of [batch, axes, T]. */
function axesOf({ data, dims: [batch, axes, count] }) {
  const numbers = toNumbers(data);
  return Array.from({ length: axes }, (_, axis) =>
    Array.from({ length: batch * count }, (_, at) => {
      const row = Math.floor(at / count);
      return numbers[(row * axes + axis) * count + (at % count)];
    }),
  );
}

/** q · k / √dim, 0 where hidden. */
function scoresOf(q, k, hidden) {
  const [batch, heads, count, dim] = q.dims;
  const data = new Float64Array(batch * heads * count * count);
  for (let at = 0; at < data.length; at++) {
    const [row, j] = [Math.floor(at / count), at % count];
    const b = Math.floor(row / (heads * count));
    if (hidden[((b * count + (row % count)) * count + j) % hidden.length]) continue;
    const key = Math.floor(row / count) * count + j;
    for (let c = 0; c < dim; c++) data[at] += (q.data[row * dim + c] * k.data[key * dim + c]) / Math.sqrt(dim);
  }
  return { data, dims: [batch, heads, count, count] };
}

/**
 * Does the case run the model as it is released, in half precision, so that its tables are made of float16 steps? After
 * `.float()` only the frequencies are. A parameter says so ("computed in float32", half_angles: true), or the notes do;
 * only float32 tables have a truth.
 */
function runsInHalf({ params, notes, targets }) {
  const flags = Object.entries(params).filter(([name]) => /dtype|angle|precision|half/i.test(name));
  if (flags.some(([, value]) => value === true)) return true;
  const text = [...flags.map(([, value]) => value), notes].join(" ");
  if (
    /(angles|computed|tables?) (are )?(kept |computed |made )?in (float16|half)|(float16|half)[- ](angles|tables?)/i.test(
      text,
    )
  )
    return true;
  return !/float32/.test(text) || Object.values(targets).every(({ against }) => against === "reference");
}

function runAttention(pe, parsed) {
  const { params, inputs } = parsed;
  const { head_dim: dim, rope_theta: base, rotary_dim_each: each, context, generated } = params;
  if (2 * each !== dim) throw new Malformed(`rotary_dim_each is ${each}, not half of ${dim}`);
  checkFact(parsed, "context", inputs.x.dims[0] - generated);
  const positions = axesOf(inputs.position_ids);
  // Prompts count 0 on the second axis.
  checkFact(parsed, "context", positions[1].slice(0, inputs.x.dims[0]).filter((position) => position === 0).length);
  const halves = { float16Frequencies: true, float16Angles: runsInHalf(parsed) };
  const encoding = pe.create({ kind: "rope-axial", dim, base, axes: 2, separateAxes: true, ...halves });
  checkInput(parsed, "inv_freq_rounded", { data: encoding.inverseFrequencies.slice(0, each / 2) });
  const [q, k, v] = headsOf(parsed);
  const rotated = (x) => encoding.apply({ data: x.data.slice(), dims: x.dims }, { positions });
  const { data: hidden, dims: maskDims } = inputs.mask;
  const mask = { data: hidden.map((value) => 1 - value), dims: maskDims };
  const attend = () => {
    const joined = joinHeads(pe.attention(q, k, v, { encoding, mask, at: { positions }, queryAt: { positions } }));
    const out = linear(joined, inputs["dense.weight"], inputs["dense.bias"]);
    return permute(out, [1, 0, 2]);
  };
  const ahead = (x) => permute(x, [2, 0, 1, 3]);
  return {
    q_rot: () => ahead(rotated(q)),
    k_rot: () => ahead(rotated(k)),
    logits: () => scoresOf(rotated(q), rotated(k), hidden),
    output: attend,
  };
}

export const GLM2D = [
  { matches: ({ inputs }) => "input_ids" in inputs, run: runIds },
  { matches: ({ params }) => "rotary_dim_each" in params, run: runAttention },
];
