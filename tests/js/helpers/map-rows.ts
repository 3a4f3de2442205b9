// Rows of heads in float64.
import type { Tensor64 } from "./gradients";

export const rowOf = ({ data, dims }: Tensor64, index: number): Float64Array => {
  const width = dims.at(-1)!;
  return data.subarray(index * width, (index + 1) * width);
};

/** Each row of x [batch, heads, positions, …] made anew; its head and position are told. */
export function mapRows(
  x: Tensor64,
  make: (row: Float64Array, head: number, position: number) => ArrayLike<number>,
): Tensor64 {
  const [, heads, positions] = x.dims as [number, number, number, number];
  const rows = Array.from({ length: x.dims.slice(0, 3).reduce((a, b) => a * b, 1) }, (_, index) =>
    make(rowOf(x, index), Math.floor(index / positions) % heads, index % positions),
  );
  const width = rows[0]?.length ?? 0;
  const data = new Float64Array(rows.length * width);
  rows.forEach((row, index) => data.set(row, index * width));
  return { data, dims: [...x.dims.slice(0, 3), width] };
}
