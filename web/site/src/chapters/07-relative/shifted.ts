// Where the cells of a matrix go when the library shifts its rows.
import type { Posenc } from "../../lib/engine.svelte.ts";

export interface MovedCell {
  /** Its place before: row · columns + column. */
  from: number;
  row: number;
  column: number;
}

/** Shifts a matrix of numbered cells, and finds each of them again. Those that fell off are missing. */
export function shiftedCells(pe: Posenc, rows: number, columns: number): MovedCell[] {
  // 0 is what the shift fills in, so numbers begin with 1.
  const data = Float32Array.from({ length: rows * columns }, (_, index) => index + 1);
  const after = pe.relativeShift({ data, dims: [rows, columns] }).data;
  return [...after].flatMap((number, place) =>
    number === 0 ? [] : [{ from: number - 1, row: Math.floor(place / columns), column: place % columns }],
  );
}
