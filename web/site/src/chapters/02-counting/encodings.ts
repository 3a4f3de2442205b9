// The six ways of writing down a place that this chapter compares, and their tables.
import type { Posenc } from "../../lib/engine.svelte.ts";
import { tableRows, type Rows } from "../../lib/places.ts";

export const kinds = ["one-hot", "integer", "normalized", "binary", "periodic", "sinusoidal"] as const;
export type Kind = (typeof kinds)[number];

export interface Counting {
  /** Places of the text. */
  length: number;
  /** Binary digits, sine waves, or pairs of a sine and a cosine. */
  waves: number;
}

export function specOf(kind: Kind, { length, waves }: Counting) {
  switch (kind) {
    case "one-hot":
      return { kind, dim: length };
    case "integer":
    case "normalized":
      return { kind };
    case "binary":
    case "periodic":
      return { kind, dim: waves };
    case "sinusoidal":
      return { kind, dim: 2 * waves };
  }
}

/** The rows of an encoding made for `counting.length` places, in a text of `size`; nothing where it ends before. */
export const rowsFor = (pe: Posenc, kind: Kind, counting: Counting, size = counting.length): Rows | undefined =>
  tableRows(pe, specOf(kind, counting), size);

/** As many rows as there are: a table that ends before the text does is shown to its end. */
export function longestRows(pe: Posenc, kind: Kind, counting: Counting): Rows {
  const whole = rowsFor(pe, kind, counting);
  if (whole) return whole;
  let [known, refused] = [1, counting.length];
  while (refused - known > 1) {
    const middle = Math.floor((known + refused) / 2);
    if (rowsFor(pe, kind, counting, middle)) known = middle;
    else refused = middle;
  }
  return rowsFor(pe, kind, counting, known)!;
}

/** Positions that the clocks are asked to tell apart. */
export const clockPositions = 64;

export const isWave = (kind: Kind) => kind === "periodic" || kind === "sinusoidal";
