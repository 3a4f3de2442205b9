// Rows and random numbers of the library, as tests of chapters compare figures with them.
import type { Posenc, TableEncoding } from "posenc";

export function using<E extends TableEncoding<any>, T>(encoding: E, work: (encoding: E) => T): T {
  try {
    return work(encoding);
  } finally {
    encoding.dispose();
  }
}

export const sinusoidal = <T>(pe: Posenc, dim: number, work: (encoding: TableEncoding) => T) =>
  using(pe.create({ kind: "sinusoidal", dim }), work);

/** Normally distributed numbers: the first values of a learned table. */
export const drawn = (pe: Posenc, length: number, dim: number, std: number, seed: number) =>
  using(pe.create({ kind: "learned", length, dim, std, seed }), ({ weights }) => weights.data.slice());

export const rowsOf = (data: Float32Array, width: number) =>
  Array.from({ length: data.length / width }, (_, row) => Array.from(data.slice(row * width, (row + 1) * width)));

export const positionsOf = (pe: Posenc, dim: number, length: number) =>
  rowsOf(
    sinusoidal(pe, dim, (encoding) => encoding.table({ length }).data),
    dim,
  );
