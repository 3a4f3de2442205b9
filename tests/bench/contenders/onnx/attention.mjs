// Attention with onnxruntime's operators: one that does it all, and the same from its parts.
import { float, int32, int64, microsoft, node } from "../../../../examples/transformers/models/onnx.js";
import { readyMask } from "../../cases/attention.mjs";

/** [1, heads, positions, dim] <-> [1, positions, heads, dim] */
export function swapHeads(data, outer, inner, dim) {
  const out = new Float32Array(data.length);
  for (let a = 0; a < outer; a++)
    for (let b = 0; b < inner; b++) {
      const from = (a * inner + b) * dim;
      out.set(data.subarray(from, from + dim), (b * outer + a) * dim);
    }
  return out;
}

/** cos and sin caches [length, dim / 2], and ids; what is turned before the attention. */
function rotation({ kind, size, spec }) {
  if (kind !== "rope") return { constants: {}, nodes: [], rotated: ["q", "k"] };
  const { length, dim } = size;
  const table = (of) =>
    Array.from({ length: (length * dim) / 2 }, (_, i) => {
      const [t, k] = [Math.floor(i / (dim / 2)), i % (dim / 2)];
      return of(t * spec.base ** ((-2 * k) / dim));
    });
  const caches = [length, dim / 2];
  const ids = int64(
    Array.from({ length }, (_, t) => t),
    [1, length],
  );
  const rotate = (name) => microsoft("RotaryEmbedding", `${name} ids cos sin`, `${name}Turned`);
  return {
    constants: { cos: float(table(Math.cos), caches), sin: float(table(Math.sin), caches), ids },
    nodes: [rotate("q"), rotate("k")],
    rotated: ["qTurned", "kTurned"],
  };
}

function inputsOf({ q, k, v, queryDims, dims }) {
  return { q: { data: q, dims: queryDims }, k: { data: k, dims }, v: { data: v, dims } };
}

/** ai.onnx Attention */
function operator(given) {
  const { bias, isCausal } = given;
  const { constants, nodes, rotated } = rotation(given);
  const mask = bias ? { mask: readyMask(given) } : {};
  const attributes = isCausal && !bias ? { is_causal: 1 } : {};
  return {
    label: "Attention",
    inputs: inputsOf(given),
    constants: { ...constants, ...mask },
    outputs: { y: given.queryDims },
    nodes: [...nodes, node("Attention", `${rotated.join(" ")} v${bias ? " mask" : ""}`, "y", attributes)],
  };
}

/** MatMul, Softmax, MatMul; `isTransposed`: the keys come as [1, heads, dim, length], which a cache may well keep. */
function decomposed(given, isTransposed = false) {
  const { scale, dims, k, size } = given;
  const { constants, nodes, rotated } = rotation(given);
  const mask = readyMask(given);
  const inputs = inputsOf(given);
  if (isTransposed) inputs.k = transposedKeys(k, dims);
  const [, heads] = dims;
  return {
    label: `MatMul, Softmax, MatMul${isTransposed ? ", keys kept transposed" : ""}`,
    inputs,
    constants: { ...constants, scale: float([scale], [1]), ...(mask ? { mask } : {}) },
    outputs: { y: [1, heads, size.queries ?? size.length, size.dim] },
    nodes: [
      ...nodes,
      ...(isTransposed ? [] : [node("Transpose", rotated[1], "kT", { perm: [0, 1, 3, 2] })]),
      node("Mul", `${rotated[0]} scale`, "scaled"),
      node("MatMul", `scaled ${isTransposed ? "k" : "kT"}`, "scores"),
      ...(mask ? [node("Add", "scores mask", "masked")] : []),
      node("Softmax", mask ? "masked" : "scores", "weights", { axis: -1 }),
      node("MatMul", "weights v", "y"),
    ],
  };
}

function transposedKeys(k, [, heads, length, dim]) {
  const data = new Float32Array(k.length);
  for (let h = 0, i = 0; h < heads; h++)
    for (let j = 0; j < length; j++) for (let d = 0; d < dim; d++, i++) data[(h * dim + d) * length + j] = k[i];
  return { data, dims: [1, heads, dim, length] };
}

/** Inputs [1, positions, heads · dim], and results back from there. */
function packed({ q, k, v, size }) {
  const { heads, length, dim, queries = length } = size;
  const pack = (data, positions) => ({
    data: swapHeads(data, heads, positions, dim),
    dims: [1, positions, heads * dim],
  });
  return {
    inputs: { q: pack(q, queries), k: pack(k, length), v: pack(v, length) },
    outputs: { y: [1, queries, heads * dim] },
    results: ({ y }) => ({ y: swapHeads(y, queries, heads, dim) }),
  };
}

/** com.microsoft MultiHeadAttention */
function multiHead(given) {
  const { bias, isCausal, size } = given;
  const { constants, nodes, rotated } = rotation(given);
  const mask = bias ? { mask: readyMask(given) } : {};
  const attributes = { num_heads: size.heads, unidirectional: Number(isCausal && !bias) };
  return {
    label: "com.microsoft MultiHeadAttention",
    ...packed(given),
    constants: { ...constants, ...mask },
    nodes: [
      ...nodes,
      microsoft("MultiHeadAttention", `${rotated.join(" ")} v${bias ? " - - mask" : ""}`, "y", attributes),
    ],
  };
}

/** The same over a cache of keys and values [1, heads, length, dim]. */
function multiHeadOverCache(given) {
  const { inputs, ...others } = packed(given);
  return {
    label: "com.microsoft MultiHeadAttention",
    ...others,
    inputs: { ...inputsOf(given), q: inputs.q },
    nodes: [microsoft("MultiHeadAttention", "q k v", "y", { num_heads: given.size.heads })],
  };
}

/** com.microsoft GroupQueryAttention; models take keys and values back as the cache of the next call (`withCache`). */
function groupQuery(given, withCache) {
  const { size, dims, kind } = given;
  const { heads, length } = size;
  const { cos, sin } = rotation(given).constants;
  const usual = packed(given);
  const rotary = cos ? { cos, sin } : {};
  const attributes = { num_heads: heads, kv_num_heads: heads, do_rotary: Number(kind === "rope") };
  return {
    label: `com.microsoft GroupQueryAttention${withCache ? ", giving the cache" : ""}`,
    ...usual,
    ...(withCache ? { role: "onnx gqa" } : {}),
    constants: { ...rotary, last: int32([length - 1]), total: int32([length]) },
    outputs: { ...usual.outputs, ...(withCache ? { keys: dims, values: dims } : {}) },
    nodes: [
      microsoft(
        "GroupQueryAttention",
        `q k v - - last total${cos ? " cos sin" : ""}`,
        `y${withCache ? " keys values" : ""}`,
        attributes,
      ),
    ],
  };
}

export function attentionGraphs(given) {
  const { size, isCausal, bias } = given;
  if (size.queries === 1)
    return [operator(given), decomposed(given), decomposed(given, true), multiHeadOverCache(given)];
  const grouped = isCausal && !bias ? [groupQuery(given, false), groupQuery(given, true)] : [];
  return [operator(given), multiHead(given), decomposed(given), ...grouped];
}
