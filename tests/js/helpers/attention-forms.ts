// Small models with attention in the forms in which exporters and optimisers write it. All compute causal attention of
// the same queries, keys and values.
import { float, int32, int64, microsoft, node, onnxModel } from "../../../examples/transformers/models/onnx.js";
import { randomTensor, swapMiddle } from "./numbers";

interface Numbers {
  data: Float32Array;
  dims: readonly number[];
}

export const [batch, heads, length, dim] = [2, 3, 5, 8];
export const dims = [batch, heads, length, dim];
export const [q, k, v] = [1, 2, 3].map((seed) => {
  const { data } = randomTensor(dims, seed);
  return { data: data.map((x) => 4 * x), dims };
}) as unknown as [Numbers, Numbers, Numbers];
/** [batch, positions, heads · dim] */
export const packed = (x: Numbers): Numbers => {
  const { data, dims: all } = swapMiddle(x);
  return { data, dims: [all[0]!, all[1]!, all[2]! * all[3]!] };
};

const hidden = -1e30;
const mask = float(
  Array.from({ length: length * length }, (_, i) => (i % length > Math.floor(i / length) ? hidden : 0)),
  [1, 1, length, length],
);
const scale = float([dim ** -0.5], []);
const named = (type: string, all: readonly number[]) => ({ type, dims: [...all] });
export const float32 = (all: readonly number[]) => named("float32", all);
const folded = [batch * heads, length, dim];

const width = heads * dim;
const sizes = {
  ...{ i0: int64([0]), i1: int64([1]), heads: int64([heads]), rest: int64([-1]) },
  ...{ packed: int64([length, batch, width]), one: int64([batch * heads, length, -1]) },
  ...{ two: int64([batch, heads, length, -1]), merged: int64([batch, length, width]) },
  projection: float(
    Array.from({ length: width * width }, (_, i) => Number(i % (width + 1) === 0)),
    [width, width],
  ),
};

export interface AttentionForm {
  nodes: object[];
  inputs: Record<string, Numbers>;
  constants?: object;
  y?: readonly number[];
}
export const apart = { q, k, v };
export const together = { q: packed(q), k: packed(k), v: packed(v) };
const scores = [node("Transpose", "k", "kt", { perm: [0, 1, 3, 2] }), node("MatMul", "q kt", "raw")];
export const attentionForms: Record<string, AttentionForm> = {
  "a softmax": {
    inputs: apart,
    constants: { mask, scale },
    nodes: [
      ...scores,
      node("Mul", "raw scale", "scaled"),
      node("Add", "scaled mask", "masked"),
      node("Softmax", "masked", "weights", { axis: -1 }),
      node("MatMul", "weights v", "y"),
    ],
  },
  "a softmax whose empty rows are made 0": {
    inputs: apart,
    constants: { mask, scale, zero: float([0], []) },
    nodes: [
      ...scores,
      node("Mul", "raw scale", "scaled"),
      node("Add", "mask scaled", "masked"),
      node("Softmax", "masked", "soft", { axis: 3 }),
      node("IsNaN", "soft", "empty"),
      node("Where", "empty zero soft", "weights"),
      node("MatMul", "weights v", "y"),
    ],
  },
  "batch and heads in one dim": {
    inputs: { q: { data: q.data, dims: folded }, k: { data: k.data, dims: folded }, v: { data: v.data, dims: folded } },
    constants: { mask, scale, four: int64([batch, heads, length, length]), three: int64([-1, length, length]) },
    y: folded,
    nodes: [
      node("Transpose", "k", "kt", { perm: [0, 2, 1] }),
      node("MatMul", "q kt", "raw"),
      node("Mul", "raw scale", "scaled"),
      node("Reshape", "scaled four", "apart"),
      node("Add", "apart mask", "masked"),
      node("Reshape", "masked three", "again"),
      node("Softmax", "again", "weights", { axis: -1 }),
      node("MatMul", "weights v", "y"),
    ],
  },
  "batch and heads in one dim, as nn.MultiheadAttention has them": {
    inputs: together,
    constants: { mask3: { ...mask, dims: [1, length, length] }, scale, ...sizes },
    y: [length, batch, heads * dim],
    nodes: [
      ...["q", "k", "v"].flatMap((x) => [
        node("Transpose", x, `${x}.first`, { perm: [1, 0, 2] }),
        node("Shape", `${x}.first`, `${x}.shape`),
        node("Gather", `${x}.shape i0`, `${x}.tokens`, { axis: 0 }),
        node("Gather", `${x}.shape i1`, `${x}.batch`, { axis: 0 }),
        node("Mul", `${x}.batch heads`, `${x}.all`),
        node("Concat", `${x}.tokens ${x}.all rest`, `${x}.to`, { axis: 0 }),
        node("Reshape", `${x}.first ${x}.to`, `${x}.apart`),
        node("Transpose", `${x}.apart`, `${x}.t`, { perm: x === "k" ? [1, 2, 0] : [1, 0, 2] }),
      ]),
      node("MatMul", "q.t k.t", "raw"),
      node("Mul", "raw scale", "scaled"),
      node("Add", "scaled mask3", "masked"),
      node("Softmax", "masked", "weights", { axis: -1 }),
      node("MatMul", "weights v.t", "out"),
      node("Transpose", "out", "out.first", { perm: [1, 0, 2] }),
      node("Reshape", "out.first packed", "context"),
      node("MatMul", "context projection", "y"),
    ],
  },
  "batch and heads in one dim, as SAM has them": {
    inputs: apart,
    constants: { mask3: { ...mask, dims: [1, length, length] }, scale, ...sizes },
    y: [batch, length, heads * dim],
    nodes: [
      ...["q", "k", "v"].map((x) => node("Reshape", `${x} one`, `${x}.t`)),
      node("Transpose", "k.t", "kt", { perm: [0, 2, 1] }),
      node("MatMul", "q.t kt", "raw"),
      node("Mul", "raw scale", "scaled"),
      node("Add", "scaled mask3", "masked"),
      node("Softmax", "masked", "weights", { axis: -1 }),
      node("MatMul", "weights v.t", "out"),
      node("Reshape", "out two", "apart"),
      node("Transpose", "apart", "ordered", { perm: [0, 2, 1, 3] }),
      node("Reshape", "ordered merged", "context"),
      node("MatMul", "context projection", "y"),
    ],
  },
  "ai.onnx Attention": {
    inputs: apart,
    nodes: [node("Attention", "q k v", "y", { is_causal: 1 })],
  },
  "com.microsoft MultiHeadAttention": {
    inputs: together,
    y: together.q.dims,
    nodes: [microsoft("MultiHeadAttention", "q k v", "y", { num_heads: heads, unidirectional: 1 })],
  },
  "com.microsoft GroupQueryAttention": {
    inputs: together,
    y: together.q.dims,
    constants: { before: int32(Array(batch).fill(length - 1)), total: int32([length], []) },
    nodes: [
      microsoft("GroupQueryAttention", "q k v - - before total", "y pastKey pastValue", {
        num_heads: heads,
        kv_num_heads: heads,
      }),
    ],
  },
};
export const modelOfForm = ({ nodes, inputs, constants = {}, y = dims }: AttentionForm) =>
  onnxModel({
    inputs: Object.fromEntries(Object.entries(inputs).map(([name, { dims: all }]) => [name, float32(all)])),
    constants,
    outputs: { y: [...y] },
    nodes,
  });
