// How far the vectors of places are from one another. The vectors come from the library; here they are compared.
import { PosencError } from "posenc/ids";
import { withEncoding, type Posenc } from "./engine.svelte.ts";

/** One row for each place. */
export interface Rows {
  data: Float32Array;
  count: number;
  width: number;
}

type TableSpec = Extract<Parameters<Posenc["create"]>[0], { kind: unknown }>;

export function rowsOf(data: Float32Array, count: number): Rows {
  return { data, count, width: count ? data.length / count : 0 };
}

/** The answer of the library, or nothing where it has none for so many places. */
export function whereInRange<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof PosencError && error.code === "out-of-range") return undefined;
    throw error;
  }
}

/** The table of an encoding for a text of `length` places, or nothing if it does not reach so far. */
export function tableRows(pe: Posenc, spec: TableSpec, length: number): Rows | undefined {
  return withEncoding(pe.create(spec), (encoding) =>
    "table" in encoding ? whereInRange(() => rowsOf(encoding.table({ length }).data, length)) : undefined,
  );
}

export function distance({ data, width }: Rows, one: number, other: number): number {
  let sum = 0;
  for (let index = 0; index < width; index += 1) sum += (data[one * width + index] - data[other * width + index]) ** 2;
  return Math.sqrt(sum);
}

/** All distances, [count, count]. */
export function distances(rows: Rows): Float64Array {
  const { count } = rows;
  const matrix = new Float64Array(count * count);
  for (let row = 0; row < count; row += 1) {
    for (let column = 0; column < row; column += 1) {
      matrix[row * count + column] = matrix[column * count + row] = distance(rows, row, column);
    }
  }
  return matrix;
}

/** From each place to the next one. */
export function steps(rows: Rows): Float64Array {
  return Float64Array.from({ length: Math.max(0, rows.count - 1) }, (_, place) => distance(rows, place, place + 1));
}

/** Two lengths that differ by less than this share are the same: the rest is the rounding of 32-bit numbers. */
export const sameShare = 1e-3;

export interface Pair {
  first: number;
  second: number;
  distance: number;
}

/** The two places with the most similar vectors; of several the first two. */
export function closest(rows: Rows): Pair {
  let best: Pair = { first: 0, second: 1, distance: Infinity };
  for (let first = 0; first < rows.count; first += 1) {
    for (let second = first + 1; second < rows.count; second += 1) {
      const found = distance(rows, first, second);
      if (found < best.distance * (1 - sameShare)) best = { first, second, distance: found };
    }
  }
  return best;
}

/** How far the numbers go from 0. */
export const largestSize = ({ data }: Rows): number => data.reduce((size, value) => Math.max(size, Math.abs(value)), 0);
