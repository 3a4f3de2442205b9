// Graphs that do a case's work with onnxruntime: several for each, as the fastest of them is what counts.
// A graph: { label, inputs, constants, outputs, nodes } as onnxModel takes them; role, tolerance and results if they
// are not the usual ones.

import { float, int64, microsoft, node } from "../../../../examples/transformers/models/onnx.js";
import { t5Bucket } from "../../cases/kinds.mjs";

/** x [1, positions, heads, dim] */
export function ropeGraphs({ size, spec, x, cos, sin }) {
  const { positions, heads, dim } = size;
  const pairs = dim / 2;
  const interleaved = Number(spec.pairing === "interleaved");
  const flat = [1, positions, heads * dim];
  const ids = int64(
    Array.from({ length: positions }, (_, t) => t),
    [1, positions],
  );
  const caches = { cos: { data: cos, dims: [positions, pairs] }, sin: { data: sin, dims: [positions, pairs] }, ids };
  const fused = (label, op) => ({
    label,
    inputs: { x: { data: x, dims: flat } },
    outputs: { y: flat },
    constants: caches,
    nodes: [op],
  });
  const graphs = [
    fused("com.microsoft RotaryEmbedding", microsoft("RotaryEmbedding", "x ids cos sin", "y", { interleaved })),
    fused("RotaryEmbedding", node("RotaryEmbedding", "x cos sin ids", "y", { interleaved, num_heads: heads })),
  ];
  return [...graphs, ...(interleaved ? [] : decomposedRope({ size, x, cos, sin }))];
}

/** Halves alone: neighbours would need a split into single numbers, which is far slower. */
function decomposedRope({ size, x, cos, sin }) {
  const { positions, heads, dim } = size;
  const dims = [1, positions, heads, dim];
  const doubled = (values, firstHalf) => ({
    data: Float32Array.from({ length: positions * dim }, (_, i) => {
      const [t, d] = [Math.floor(i / dim), i % dim];
      return values[(t * dim) / 2 + (d % (dim / 2))] * (d < dim / 2 ? firstHalf : 1);
    }),
    dims: [1, positions, 1, dim],
  });
  return [
    {
      label: "Split, Concat, Mul, Add",
      inputs: { x: { data: x, dims } },
      outputs: { y: dims },
      constants: { cos: doubled(cos, 1), sin: doubled(sin, -1) },
      nodes: [
        node("Split", "x", "a b", { axis: -1, num_outputs: 2 }),
        node("Concat", "b a", "swapped", { axis: -1 }),
        node("Mul", "x cos", "straight"),
        node("Mul", "swapped sin", "across"),
        node("Add", "straight across", "y"),
      ],
    },
  ];
}

export function cosSinGraphs({ positions, rates, float32Tolerance }) {
  const dims = [positions.length, rates.length];
  return [
    {
      label: "Mul, Cos, Sin",
      inputs: { t: { data: positions, dims: [positions.length, 1] } },
      constants: { rates: { data: rates, dims: [1, rates.length] } },
      outputs: { cos: dims, sin: dims },
      nodes: [node("Mul", "t rates", "angle"), node("Cos", "angle", "cos"), node("Sin", "angle", "sin")],
      tolerance: float32Tolerance,
    },
  ];
}

export function sinusoidalGraphs({ positions, rates, float32Tolerance }) {
  const [length, pairs] = [positions.length, rates.length];
  const row = (of) =>
    float(
      Array.from({ length: 2 * pairs }, (_, i) => of(i)),
      [1, 2 * pairs],
    );
  const graph = (label, inputs, constants, nodes, dims) => ({
    label,
    inputs,
    constants,
    outputs: { table: dims },
    nodes,
    tolerance: float32Tolerance,
  });
  return [
    graph(
      "Mul, Sin, Cos, Concat",
      { t: { data: positions, dims: [length, 1, 1] } },
      { rates: { data: rates, dims: [1, pairs, 1] } },
      [
        node("Mul", "t rates", "angle"),
        node("Sin", "angle", "sin"),
        node("Cos", "angle", "cos"),
        node("Concat", "sin cos", "table", { axis: 2 }),
      ],
      [length, pairs, 2],
    ),
    graph(
      "Mul, Add of a quarter turn, Sin",
      { t: { data: positions, dims: [length, 1] } },
      { rates: row((i) => rates[i >> 1]), phases: row((i) => ((i % 2) * Math.PI) / 2) },
      [node("Mul", "t rates", "angle"), node("Add", "angle phases", "turned"), node("Sin", "turned", "table")],
      [length, 2 * pairs],
    ),
  ];
}

export const biasGraphs = (given) => (given.case.kind === "alibi" ? alibiGraphs(given) : t5Graphs(given));

/** Slopes times ready distances. */
function alibiGraphs({ size, value, dims }) {
  const { heads, length } = size;
  const slopes = Array.from({ length: heads }, (_, h) => value(h, 1, 0));
  const distances = Float32Array.from({ length: length ** 2 }, (_, p) =>
    Math.abs((p % length) - Math.floor(p / length)),
  );
  return [
    {
      label: "Mul of ready distances",
      inputs: { slopes: float(slopes, [heads, 1, 1]) },
      constants: { distances: { data: distances, dims: [1, length, length] } },
      outputs: { bias: dims },
      nodes: [node("Mul", "slopes distances", "bias")],
    },
    shiftedLines(size, value, dims),
  ];
}

/** The rows of a Toeplitz matrix by copies alone: each head's line, again and again, cut so that it moves on. */
function shiftedLines({ heads, length }, value, dims) {
  const line = Float32Array.from({ length: heads * 2 * length }, (_, i) => {
    const apart = (i % (2 * length)) - (length - 1);
    return value(Math.floor(i / (2 * length)), Math.max(0, -apart), Math.max(0, apart));
  });
  return {
    label: "a line for each head: Expand, Slice",
    inputs: { line: { data: line, dims: [heads, 1, 2 * length] } },
    constants: {
      many: int64([heads, length, 2 * length]),
      flat: int64([heads, 2 * length * length]),
      skewed: int64([heads, length, 2 * length - 1]),
      zero: int64([0]),
      one: int64([1]),
      two: int64([2]),
      cut: int64([(2 * length - 1) * length]),
      from: int64([length - 1]),
      to: int64([2 * length - 1]),
    },
    outputs: { bias: dims },
    nodes: [
      node("Expand", "line many", "lines"),
      node("Reshape", "lines flat", "run"),
      node("Slice", "run zero cut one", "shorter"),
      node("Reshape", "shorter skewed", "rows"),
      node("Slice", "rows from to two", "bias"),
    ],
  };
}

/** The learned table looked up by ready bucket ids. */
function t5Graphs({ size, spec, value, dims, parameters }) {
  const { heads, length } = size;
  const weights = { data: parameters.weights, dims: [spec.buckets, heads] };
  const byCell = Int32Array.from({ length: length ** 2 }, (_, p) =>
    t5Bucket((p % length) - Math.floor(p / length), spec),
  );
  const buckets = { data: byCell, dims: [length, length] };
  return [
    {
      label: "Gather, Transpose",
      inputs: { weights },
      constants: { buckets },
      outputs: { bias: dims },
      nodes: [
        node("Gather", "weights buckets", "rows", { axis: 0 }),
        node("Transpose", "rows", "bias", { perm: [2, 0, 1] }),
      ],
    },
    {
      label: "Transpose, Gather",
      inputs: { weights },
      constants: { buckets },
      outputs: { bias: dims },
      nodes: [
        node("Transpose", "weights", "heads", { perm: [1, 0] }),
        node("Gather", "heads buckets", "bias", { axis: 1 }),
      ],
    },
    shiftedLines(size, value, dims),
  ];
}
