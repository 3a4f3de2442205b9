// Rows as sums of rows: some positions of a cache, or a learned table for another grid.
import type { ResizeOptions } from "../base/call-options.js";
import { invalid, isCount, show } from "../base/errors.js";
import type { InputTensor, TensorLike, OwnedFloat32Array, OwnedUint32Array } from "../base/types.js";
import { zeros } from "./cpu-tensors.js";
import type { KeepOptions } from "./options.js";

/** The method of an instance that resizes tables. */
export interface TableResizer {
  resizeTable(table: InputTensor, options: any): TensorLike;
}

/** Each row as a sum of rows: indices and weights, [rows, parts]. */
export interface Mix {
  rows: number;
  parts: number;
  indices: OwnedUint32Array;
  weights: OwnedFloat32Array;
}

type Which = Pick<KeepOptions<unknown>, "ranges" | "sinks" | "window">;

/** Returns the indices of the positions to keep of `length`. Throws `invalid-argument`. */
export function keptOf({ ranges, sinks, window }: Which, length: number): number[] {
  if ((ranges === undefined) === (window === undefined)) throw invalid("ranges", "give either ranges or window");
  if (ranges === undefined) {
    for (const [name, value] of Object.entries({ sinks: sinks ?? 0, window }))
      if (!isCount(value)) throw invalid(name, `must be a whole number, got ${show(value)}`);
    const first = Math.min(sinks ?? 0, length);
    return keptOf(
      {
        ranges: [
          [0, first],
          [Math.max(first, length - window!), length],
        ],
      },
      length,
    );
  }
  if (sinks !== undefined) throw invalid("sinks", "without effect: ranges select the rows");
  if (!Array.isArray(ranges)) throw invalid("ranges", `must be pairs [start, end), got ${show(ranges)}`);
  return ranges.flatMap((range: readonly number[]) => {
    const [start, end] = Array.isArray(range) && range.length === 2 ? range : [];
    if (!isCount(start) || !isCount(end) || start > end || end > length)
      throw invalid("ranges", `must be pairs start ≤ end ≤ ${length}, got [${String(range)}]`);
    return Array.from({ length: end - start }, (_, i) => start + i);
  });
}

/** Returns a mix that copies rows unchanged. */
export const pickOf = (kept: readonly number[]): Mix => ({
  rows: kept.length,
  parts: 1,
  indices: Uint32Array.from(kept),
  weights: new Float32Array(kept.length).fill(1),
});

type Part = readonly [index: number, weight: number];

/** Number of columns of the identity that the core resizes at a time. */
const together = 256;

/**
 * Returns the mix that resizes a table of `rows` rows: the result of `pe.resizeTable` for the identity. Throws as that
 * does.
 */
export function mixOf(pe: TableResizer, rows: number, options: ResizeOptions): Mix {
  const lists: Part[][] = [];
  for (let first = 0; first === 0 || first < rows; first += together) {
    const columns = Math.max(1, Math.min(together, rows - first));
    const identity = zeros(Float32Array, rows * columns);
    for (let i = 0; first + i < rows && i < columns; i++) identity[(first + i) * columns + i] = 1;
    const { data, dims } = pe.resizeTable({ data: identity, dims: [rows, columns] }, options);
    for (let row = 0; row < dims[0]!; row++) {
      const list = (lists[row] ??= []);
      for (let i = 0; i < columns; i++) if (data[row * columns + i]) list.push([first + i, data[row * columns + i]!]);
    }
  }
  return padded(lists);
}

function padded(lists: Part[][]): Mix {
  const rows = lists.length;
  const parts = lists.reduce((most, { length }) => Math.max(most, length), 1);
  const mix = { rows, parts, indices: new Uint32Array(rows * parts), weights: new Float32Array(rows * parts) };
  lists.forEach((list, row) => {
    for (let n = 0; n < parts; n++) {
      const [index, weight] = list[n] ?? [list[0]?.[0] ?? 0, 0];
      mix.indices[row * parts + n] = index;
      mix.weights[row * parts + n] = weight;
    }
  });
  return mix;
}
