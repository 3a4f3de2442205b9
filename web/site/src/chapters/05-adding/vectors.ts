// Words and matrices for this chapter's figures: random numbers of the library, the same ones for the same word.
import type { Posenc } from "../../lib/engine.svelte.ts";
import { identity, products, randomRows, transposed } from "../../lib/products.ts";

export type Rows = { data: Float32Array; dims: [number, number] };

export const rowsOf = (data: Float32Array, width: number): Rows => ({ data, dims: [data.length / width, width] });
export const zeros = (rows: number, width: number): Rows => rowsOf(new Float32Array(rows * width), width);

const seedOf = (word: string) =>
  [...word.toLowerCase()].reduce((seed, letter) => (seed * 31 + letter.codePointAt(0)!) % 2147483647, 7);

/** One row per word: normally distributed numbers with a deviation of `scale`. */
export function wordRows(pe: Posenc, words: string[], width: number, scale: number): Rows {
  const rows = zeros(words.length, width);
  words.forEach((word, row) => rows.data.set(randomRows(pe, 1, width, 1, seedOf(word)), row * width));
  for (let index = 0; index < rows.data.length; index += 1) rows.data[index] *= scale;
  return rows;
}

/** An orthonormal basis of what the rows span (Gram and Schmidt). */
function basisOf({ data, dims: [count, width] }: Rows): Float32Array {
  const basis: number[][] = [];
  for (let row = 0; row < count; row += 1) {
    let rest = Array.from(data.subarray(row * width, (row + 1) * width));
    // Twice is enough to be rid of rounding.
    for (const axis of [...basis, ...basis]) {
      const along = axis.reduce((sum, value, index) => sum + value * rest[index], 0);
      rest = rest.map((value, index) => value - along * axis[index]);
    }
    const length = Math.hypot(...rest);
    if (length > 1e-5) basis.push(rest.map((value) => value / length));
  }
  return Float32Array.from(basis.flat());
}

export const ways = ["identity", "random", "words", "positions"] as const;
export type Way = (typeof ways)[number];

/** The matrices of query and key: nothing, anything, or one that hides the positions or all but the positions. */
export function projections(pe: Posenc, table: Rows, way: Way): [Rows, Rows] {
  const width = table.dims[1];
  const square = (data: Float32Array) => rowsOf(data, width);
  if (way === "identity") return [square(identity(width)), square(identity(width))];
  if (way === "random") {
    const drawn = (seed: number) => square(randomRows(pe, width, width, 1 / Math.sqrt(width), seed));
    return [drawn(2), drawn(3)];
  }
  const columns = transposed(basisOf(table), width);
  const onto = products(pe, columns, columns, columns.length / width);
  const away = identity(width).map((value, index) => value - onto[index]);
  const chosen = square(way === "words" ? away : onto);
  return [chosen, chosen];
}
