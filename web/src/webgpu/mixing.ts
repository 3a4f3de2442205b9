// Rows made of rows: some positions of a cache, or a learned table for another grid.
import type { ResizeOptions } from "../base/call-options.js";
import { sizeOf } from "../base/dims.js";
import { invalid, isCount, show } from "../base/errors.js";
import type { InputTensor, TensorLike } from "../base/types.js";
import type { KeepOptions } from "./options.js";

/** What of an instance resizes tables. */
export interface TableResizer {
  resizeTable(table: InputTensor, options: any): TensorLike;
}

/** Each row as a sum of rows: [rows, parts] indices and weights. */
export interface Mix {
  rows: number;
  parts: number;
  indices: Uint32Array<ArrayBuffer>;
  weights: Float32Array<ArrayBuffer>;
}

/** Which of `length` positions stay. Throws: invalid-argument. */
export function keptOf({ ranges, sinks, window }: KeepOptions<unknown>, length: number): number[] {
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
  if (sinks !== undefined) throw invalid("sinks", "without effect: ranges say what stays");
  if (!Array.isArray(ranges)) throw invalid("ranges", `must be pairs [start, end), got ${show(ranges)}`);
  return ranges.flatMap((range: readonly number[]) => {
    const [start, end] = Array.isArray(range) && range.length === 2 ? range : [];
    if (!isCount(start) || !isCount(end) || start > end || end > length)
      throw invalid("ranges", `must be pairs start ≤ end ≤ ${length}, got [${String(range)}]`);
    return Array.from({ length: end - start }, (_, i) => start + i);
  });
}

/** Rows as they are. */
export const pickOf = (kept: readonly number[]): Mix => ({
  rows: kept.length,
  parts: 1,
  indices: Uint32Array.from(kept),
  weights: new Float32Array(kept.length).fill(1),
});

type Part = readonly [index: number, weight: number];

/** How the core resizes an axis: what each new place is made of. It is asked for some columns of the identity at a time. */
function partsOfAxis(pe: TableResizer, from: number, to: number, how: object): Part[][] {
  const parts = Array.from({ length: to }, (): Part[] => []);
  const columns = 256;
  for (let first = 0; first < from; first += columns) {
    const width = Math.min(columns, from - first);
    const data = new Float32Array(from * width);
    for (let i = 0; i < width; i++) data[(first + i) * width + i] = 1;
    const made = pe.resizeTable({ data, dims: [from, width] }, { ...how, from: [from], length: to }).data;
    parts.forEach((list, row) => {
      for (let i = 0; i < width; i++) if (made[row * width + i]) list.push([first + i, made[row * width + i]!]);
    });
  }
  return parts;
}

/** A table of `rows` rows for another grid, as `pe.resizeTable` makes it. Throws what that throws. */
export function mixOf(pe: TableResizer, rows: number, options: ResizeOptions): Mix {
  // The core reads and checks the options.
  const made = pe.resizeTable({ data: new Float32Array(rows), dims: [rows, 1] }, options).dims[0]!;
  const { grid, prefix = 0, suffix = 0, mode, antialias = false, alignCorners = false, scaleOffset = 0 } = options;
  const to = grid ?? [made - prefix - suffix];
  const places = rows - prefix - suffix;
  const from = options.from ?? (to.length === 1 ? [places] : [Math.sqrt(places), Math.sqrt(places)]);
  const how = { mode: mode ?? (to.length === 1 ? "linear" : "bicubic"), antialias, alignCorners, scaleOffset };
  const axes = to.map((count, axis) => partsOfAxis(pe, from[axis]!, count, how));
  const grids = Array.from({ length: sizeOf(to) }, (_, place) => partsOf(axes, from, to, place, prefix));
  const whole = (index: number): Part[] => [[index, 1]];
  return padded([
    ...Array.from({ length: prefix }, (_, i) => whole(i)),
    ...grids,
    ...Array.from({ length: suffix }, (_, i) => whole(rows - suffix + i)),
  ]);
}

/** The products of what each axis is made of. */
function partsOf(
  axes: Part[][][],
  from: readonly number[],
  to: readonly number[],
  place: number,
  prefix: number,
): Part[] {
  let rest = place;
  let stride = 1;
  let parts: Part[] = [[prefix, 1]];
  for (let axis = to.length - 1; axis >= 0; axis--) {
    const along = axes[axis]![rest % to[axis]!]!;
    const step = stride;
    parts = along.flatMap(([i, w]) => parts.map(([index, weight]): Part => [index + i * step, weight * w]));
    rest = Math.floor(rest / to[axis]!);
    stride *= from[axis]!;
  }
  return parts;
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
