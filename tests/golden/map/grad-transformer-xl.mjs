// The gradients of a whole Transformer-XL layer: the library's of attention, and plumbing around it.
import { joinBlocks, pickRows } from "../arrays.mjs";
import {
  float32,
  joinHeads,
  layerNorm,
  layerNormBackward,
  linear,
  linearBackward,
  permute,
  sum,
} from "../plumbing.mjs";
import { headsOfPart, lastRows } from "./relative.mjs";

// The case's position vectors r are any numbers, the library's are sinusoids. A projection makes the ones of the others:
// exactly, as there are more sinusoids than distances; keys stand three apart, where the sinusoids differ most.
const SPACING = 3;
const BASE = 10;

/** Rows [distances, width] of the library's own sinusoids. */
function sinusoids(pe, count, width) {
  const positions = Array.from({ length: count }, (_, distance) => SPACING * distance);
  return pe.create({ kind: "sinusoidal", dim: width, base: BASE, pairing: "concat" }).table({ positions });
}

/** x with x · rows = wanted, of the least size; its transpose takes the gradient back. [n, count] and [count, width]. */
function solver(rows) {
  const [count, width] = rows.dims;
  const row = (i) => rows.data.subarray(i * width, (i + 1) * width);
  const dot = (a, b) => a.reduce((total, value, i) => total + value * b[i], 0);
  // The inverse of the rows' products, by Gauss and Jordan.
  const left = Array.from({ length: count }, (_, i) => Array.from({ length: count }, (_, j) => dot(row(i), row(j))));
  const right = left.map((line, i) => line.map((_, j) => (i === j ? 1 : 0)));
  for (let pivot = 0; pivot < count; pivot++) {
    const by = left[pivot][pivot];
    for (const matrix of [left, right]) matrix[pivot] = matrix[pivot].map((value) => value / by);
    for (let i = 0; i < count; i++) {
      const factor = i === pivot ? 0 : left[i][pivot];
      for (const matrix of [left, right]) matrix[i] = matrix[i].map((value, j) => value - factor * matrix[pivot][j]);
    }
  }
  const inverse = { data: Float64Array.from(right.flat()), dims: [count, count] };
  // Symmetric, so that `linear` with it needs no transposing.
  const columns = permute({ data: Float64Array.from(rows.data), dims: rows.dims }, [1, 0]);
  return {
    solve: (wanted) => linear(linear(wanted, inverse), columns),
    back: (gradient) => linear(linear(gradient, { data: rows.data, dims: rows.dims }), inverse),
  };
}

/** [1, T, B, hidden] and the like: [B, heads, T, D] as [T, B, heads · D]. */
const tokens = (heads) => permute(joinHeads(heads), [1, 0, 2]);

export function runTransformerXl(pe, { params, inputs }) {
  const { n_head: heads, d_head: dim } = params;
  // Without a memory there are no keys before the queries.
  const mems = inputs.mems ?? { data: new Float32Array(0), dims: [0, ...inputs.w.dims.slice(1)] };
  const all = joinBlocks([mems, inputs.w]);
  const [keys, queries] = [all.dims[0], inputs.w.dims[0]];
  const projected = linear(all, inputs.qkv_net_weight);
  const [allQueries, k, v] = [0, 1, 2].map((part) => headsOfPart(projected, part, heads, dim));
  const q = lastRows(allQueries, queries);

  // r lists the farthest distance first.
  const nearestFirst = Array.from({ length: keys }, (_, distance) => keys - 1 - distance);
  const r = pickRows({ data: inputs.r.data, dims: [keys, inputs.r.dims[2]] }, nearestFirst);
  const wide = 4 * keys;
  const { solve, back } = solver(sinusoids(pe, keys, wide));
  const projection = float32(solve(permute(linear(r, inputs.r_net_weight), [1, 0])));
  const [u, w] = [inputs.r_w_bias, inputs.r_r_bias].map(float32);
  const spec = { kind: "transformer-xl", dim, heads, modelDim: wide, base: BASE };
  const encoding = pe.create({ ...spec, u, v: w, projection });
  const positions = Array.from({ length: keys }, (_, key) => SPACING * key);
  const options = { encoding, causal: true, at: { positions } };

  const mixed = tokens(pe.attention(q, k, v, options));
  const added = sum(linear(mixed, inputs.o_net_weight), inputs.w);
  const norm = layerNormBackward(added, inputs.layer_norm_weight, inputs.g);
  const net = linearBackward(mixed, inputs.o_net_weight, norm.x);
  const { data, dims } = net.x;
  const gradOut = float32(permute({ data, dims: [dims[0], dims[1], heads, dim] }, [1, 2, 0, 3]));
  const slopes = pe.attentionBackward(q, k, v, gradOut, options);
  const qkv = linearBackward(all, inputs.qkv_net_weight, joinParts([slopes.q, slopes.k, slopes.v], keys));
  const byRows = permute(back(encoding.gradients.projection), [1, 0]);
  const rNet = linearBackward(r, inputs.r_net_weight, byRows);
  const memory = mems.data.length;
  const part = (from, to, like) => ({ data: qkv.x.data.slice(from, to), dims: like.dims });
  return {
    out: () => layerNorm(added, inputs.layer_norm_weight, inputs.layer_norm_bias),
    d_qkv_net_weight: () => qkv.weight,
    d_o_net_weight: () => net.weight,
    d_layer_norm_weight: () => norm.weight,
    d_layer_norm_bias: () => norm.bias,
    d_r_net_weight: () => rNet.weight,
    d_w: () => sum(part(memory, undefined, inputs.w), norm.x),
    d_mems: () => part(0, memory, mems),
    d_r_w_bias: () => encoding.gradients.u,
    d_r_r_bias: () => encoding.gradients.v,
    d_r: () => ({ data: pickRows(rNet.x, nearestFirst).data, dims: inputs.r.dims }),
  };
}

/** Gradients of q, k and v [B, heads, T, D] as that of [keys, B, 3 · heads · D]; queries are the last of the keys. */
function joinParts(parts, keys) {
  const permuted = parts.map(tokens);
  const [, batch, width] = permuted[0].dims;
  const data = new Float64Array(keys * batch * 3 * width);
  permuted.forEach((part, index) => {
    const first = keys - part.dims[0];
    for (let row = 0; row < part.dims[0] * batch; row++)
      data.set(part.data.subarray(row * width, (row + 1) * width), ((first * batch + row) * 3 + index) * width);
  });
  return { data, dims: [keys, batch, 3 * width] };
}
