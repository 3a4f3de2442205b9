// Attention and its gradients with the arithmetic of one's choice: the truth in float64, and float32 as the frameworks
// do it on a CPU, each sum in eight lanes of fused multiply-adds, exact exponentials.
import { normalNumbers } from "./numbers";

export interface Arithmetic {
  round: (x: number) => number;
  /** Σ a[i · aStep] · b[i · bStep], from the given places on */
  dot: (a: Strided, b: Strided, count: number) => number;
}

interface Strided {
  data: ArrayLike<number>;
  start: number;
  step: number;
}

const float64: Arithmetic = {
  round: (x) => x,
  dot(a, b, count) {
    let sum = 0;
    for (let i = 0; i < count; i++) sum += a.data[a.start + i * a.step]! * b.data[b.start + i * b.step]!;
    return sum;
  },
};

const round = Math.fround;

/** The product of two floats is exact in float64: one rounding, as a fused multiply-add has it. */
const float32: Arithmetic = {
  round,
  dot(a, b, count) {
    const lanes = new Float32Array(8);
    for (let i = 0; i < count; i++) lanes[i % 8]! += a.data[a.start + i * a.step]! * b.data[b.start + i * b.step]!;
    for (let half = 4; half >= 1; half /= 2) for (let i = 0; i < half; i++) lanes[i]! += lanes[i + half]!;
    return lanes[0]!;
  },
};

export const arithmetics = { float64, float32 };

export interface Given {
  queries: number;
  keys: number;
  dim: number;
  scale: number;
  /** [positions, dim] */
  q: Float32Array;
  k: Float32Array;
  v: Float32Array;
  gradOut: Float32Array;
}

/** What real logits look like: all inputs N(0, 1), and no scale that shrinks them, as in T5. */
export function normalInputs(queries: number, keys: number, dim: number, seed: number): Given {
  const [q, k, v, gradOut] = [queries, keys, keys, queries].map((rows, i) =>
    normalNumbers(rows * dim, seed * 4 + i),
  ) as [Float32Array<ArrayBuffer>, Float32Array<ArrayBuffer>, Float32Array<ArrayBuffer>, Float32Array<ArrayBuffer>];
  return { queries, keys, dim, scale: 1, q, k, v, gradOut };
}

/** out[i, j] = a[i, …] · b[…, j]; `transposed` reads the transpose of a or b. */
function matrix(
  { dot }: Arithmetic,
  [rows, inner, columns]: readonly [number, number, number],
  a: { data: ArrayLike<number>; transposed?: boolean },
  b: { data: ArrayLike<number>; transposed?: boolean },
): Float64Array {
  const out = new Float64Array(rows * columns);
  for (let i = 0; i < rows; i++)
    for (let j = 0; j < columns; j++)
      out[i * columns + j] = dot(
        a.transposed ? { data: a.data, start: i, step: rows } : { data: a.data, start: i * inner, step: 1 },
        b.transposed ? { data: b.data, start: j * inner, step: 1 } : { data: b.data, start: j, step: columns },
        inner,
      );
  return out;
}

export type Numbers = Record<"out" | "weights" | "q" | "k" | "v", Float64Array>;

/** Attention's result, its weights, and the gradients of q, k and v. */
export function plainAttention(given: Given, use: Arithmetic): Numbers {
  const { queries, keys, dim, scale, q, k, v, gradOut } = given;
  const weights = matrix(use, [queries, dim, keys], { data: q }, { data: k, transposed: true }).map((x) =>
    use.round(x * use.round(scale)),
  );
  const slopes = matrix(use, [queries, dim, keys], { data: gradOut }, { data: v, transposed: true });
  const ones = new Float64Array(keys).fill(1);
  for (let i = 0; i < queries; i++) {
    const row = weights.subarray(i * keys, (i + 1) * keys);
    const slope = slopes.subarray(i * keys, (i + 1) * keys);
    const top = row.reduce((most, x) => Math.max(most, x), -Infinity);
    row.forEach((x, j) => (row[j] = use.round(Math.exp(use.round(x - top)))));
    const of = (data: ArrayLike<number>) => ({ data, start: 0, step: 1 });
    const total = use.dot(of(row), of(ones), keys);
    row.forEach((x, j) => (row[j] = use.round(x / total)));
    const mean = use.dot(of(row), of(slope), keys);
    slope.forEach((x, j) => (slope[j] = use.round(use.round(use.round(x - mean) * row[j]!) * use.round(scale))));
  }
  return {
    weights,
    out: matrix(use, [queries, keys, dim], { data: weights }, { data: v }),
    q: matrix(use, [queries, keys, dim], { data: slopes }, { data: k }),
    k: matrix(use, [keys, queries, dim], { data: slopes, transposed: true }, { data: q }),
    v: matrix(use, [keys, queries, dim], { data: weights, transposed: true }, { data: gradOut }),
  };
}
