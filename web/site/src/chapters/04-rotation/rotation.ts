// The encoding of this chapter's figures: its rows and its shifts, as the library gives them.
import { withEncoding, type Posenc } from "../../lib/engine.svelte.ts";

export interface EncodingSettings {
  dim: number;
  base: number;
}

/** One row of `dim` numbers for each position. */
export const rowsAt = (pe: Posenc, { dim, base }: EncodingSettings, positions: ArrayLike<number>): Float32Array =>
  withEncoding(pe.create({ kind: "sinusoidal", dim, base }), (encoding) =>
    encoding.table({ positions: Array.from(positions) }),
  ).data;

/** The blocks of T_k, [dim / 2, 2, 2]. */
export const blocksOf = (pe: Posenc, { dim, base }: EncodingSettings, step: number): Float32Array =>
  withEncoding(pe.create({ kind: "sinusoidal", dim, base }), (encoding) => encoding.shift(step)).data;

/** By how much the blocks turn a pair, in degrees: -180 … 180. */
export const turnOf = (blocks: Float32Array, pair: number): number =>
  (Math.atan2(blocks[4 * pair + 1], blocks[4 * pair]) * 180) / Math.PI;

/** A pair of a row as the hand of a clock. */
export const handOf = (row: Float32Array, pair: number) => ({ sin: row[2 * pair], cos: row[2 * pair + 1] });

/** T_k as a whole matrix, [dim, dim]: its blocks on the diagonal. */
export function shiftMatrix(pe: Posenc, settings: EncodingSettings, step: number): Float32Array {
  const { dim } = settings;
  const blocks = blocksOf(pe, settings, step);
  const matrix = new Float32Array(dim * dim);
  for (let row = 0; row < dim; row += 1) {
    const first = row - (row % 2);
    matrix.set(blocks.subarray(2 * row, 2 * row + 2), row * dim + first);
  }
  return matrix;
}

/** The numbers of some of the pairs, for each position. */
export function pairColumns(rows: Float32Array, dim: number, first: number, count: number): Float32Array {
  const result = new Float32Array((rows.length / dim) * 2 * count);
  for (let row = 0; row < rows.length / dim; row += 1)
    result.set(rows.subarray(row * dim + 2 * first, row * dim + 2 * (first + count)), row * 2 * count);
  return result;
}

/** -reach … reach */
export const distances = (reach: number) => Array.from({ length: 2 * reach + 1 }, (_, index) => index - reach);
