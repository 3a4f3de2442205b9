// Products of matrices by the library: among the dot products of all rows of two tables are those of one with the other.
import type { Posenc } from "./engine.svelte.ts";

/** A Bᵀ for A [n, width] and B [m, width]: the dot product of each row of A with each row of B, [n, m]. */
export function products(pe: Posenc, a: Float32Array, b: Float32Array, width: number): Float32Array {
  const [rows, columns] = [a.length / width, b.length / width];
  const count = rows + columns;
  const stacked = new Float32Array(count * width);
  stacked.set(a);
  stacked.set(b, a.length);
  const { data } = pe.similarity({ data: stacked, dims: [count, width] });
  const result = new Float32Array(rows * columns);
  for (let row = 0; row < rows; row += 1)
    result.set(data.subarray(row * count + rows, (row + 1) * count), row * columns);
  return result;
}

/** Rows and columns exchanged. */
export function transposed(a: Float32Array, width: number): Float32Array {
  const rows = a.length / width;
  return Float32Array.from(a, (_, index) => a[(index % rows) * width + Math.floor(index / rows)]);
}

export function identity(size: number): Float32Array {
  return Float32Array.from({ length: size * size }, (_, index) => (index % (size + 1) === 0 ? 1 : 0));
}

/** Normally distributed numbers: the first values of a learned table. */
export function randomRows(pe: Posenc, rows: number, width: number, std: number, seed: number): Float32Array {
  const drawn = pe.create({ kind: "learned", length: rows, dim: width, std, seed });
  try {
    return drawn.weights.data.slice();
  } finally {
    drawn.dispose();
  }
}

export function largestDifference(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let largest = 0;
  for (let index = 0; index < a.length; index += 1) largest = Math.max(largest, Math.abs(a[index] - b[index]));
  return largest;
}
