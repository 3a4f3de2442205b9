// Where things stand: from the options of a call to positions in wasm memory.
import { checkNumbers, isNumberArray } from "./arrays.js";
import type { Core, PositionRegion } from "./core.js";
import { PosencError, invalid, isCount, show } from "./errors.js";
import { checkDims, checkLength, checkPlace, sizeOf } from "./tensor.js";
import type { At, NumberArray } from "./types.js";

const maxAxes = 4;

function optionalNumber(value: unknown, field: string, fallback: number): number {
  if (value === undefined) return fallback;
  if (typeof value !== "number") throw invalid(field, `must be a number, got ${show(value)}`);
  return value;
}

/** Positions as they were given: an array for each axis, and how many stand in a row where that was told. */
export interface Places {
  axes: readonly NumberArray[];
  perRow?: number | undefined;
}

/** Positions in any of their forms: see `Positions`. */
export function readPositions(given: unknown, field = "positions"): Places {
  const places = isNumberArray(given)
    ? { axes: isNumberArray(given[0]) ? (given as unknown as NumberArray[]) : [given] }
    : tensorPlaces(given, field);
  for (const axis of places.axes) checkNumbers(axis, field);
  const [first, ...others] = places.axes;
  if (others.length >= maxAxes || others.some((axis) => axis.length !== first!.length))
    throw invalid(field, `must be at most ${maxAxes} arrays of equal length`);
  return places;
}

/** The positions that a tensor holds, [T], [B, T] or [axes, B, T], or what `gridPositionIds` or `mropePositionIds` gave. */
function tensorPlaces(given: unknown, field: string): Places {
  checkPlace(given, field);
  const { positions, axes, data, dims } = given as Record<string, unknown>;
  if (positions !== undefined) return readPositions(positions, field);
  if (!isNumberArray(data) || !Array.isArray(dims))
    throw invalid(field, `must be an array of numbers or { data, dims }, got ${show(given)}`);
  checkDims(dims, field);
  checkLength(data.length, dims, field);
  const perRow = dims.at(-1) ?? 1;
  if (Array.isArray(axes)) return { axes, perRow };
  if (dims.length < 3) return { axes: [data], perRow };
  if (dims.length > 3) throw invalid(field, `must be [T], [B, T] or [axes, B, T], got [${dims.join(", ")}]`);
  const count = perRow * dims[1]!;
  checkNumbers(data, field);
  return {
    axes: Array.from({ length: dims[0]! }, (_, axis) => data.slice(axis * count, (axis + 1) * count) as NumberArray),
    perRow,
  };
}

/** How many positions a call is about: `length`, the places of `grid`, or as many as are given. */
export function countOf({ length, positions, grid, prefix }: At): number {
  if (length !== undefined) {
    if (!isCount(length)) throw invalid("length", `must be a whole number from 0 to 2147483647, got ${show(length)}`);
    return length;
  }
  if (positions === undefined) {
    if (grid === undefined) throw invalid("length", "give length, positions or grid");
    return sizeOf(gridOf(grid)) + prefixOf(prefix);
  }
  return readPositions(positions).axes[0]!.length;
}

function prefixOf(prefix: unknown): number {
  if (prefix === undefined) return 0;
  if (!isCount(prefix)) throw invalid("prefix", `must be a whole number from 0 to 2147483647, got ${show(prefix)}`);
  return prefix;
}

export function gridOf(grid: unknown, field = "grid"): readonly number[] {
  if (!Array.isArray(grid) || grid.length < 1 || grid.length > maxAxes || !grid.every(isCount))
    throw invalid(field, `must be 1 to ${maxAxes} whole numbers, got ${show(grid)}`);
  return grid;
}

/** A run of positions from `offset`. */
export const positionRun = (offset: number, count: number): PositionRegion => ({
  address: 0,
  given: 0,
  offset,
  count,
  extent: [count],
  stride: 0,
});

/** The positions of a call, copied to scratch where they are given one by one. `count` is how many one row has. */
export function positionRegion(core: Core, at: At, count: number): PositionRegion {
  const offset = optionalNumber(at.offset, "offset", 0);
  if (at.offset !== undefined && (at.positions !== undefined || at.grid !== undefined))
    throw invalid("offset", `give either ${at.positions === undefined ? "grid" : "positions"} or offset, not both`);
  const grid = at.grid === undefined ? undefined : gridOf(at.grid);
  const prefix = prefixOf(at.prefix);
  if (prefix > 0 && (at.positions !== undefined || grid === undefined || grid.length < 2))
    throw invalid("prefix", "goes with a grid of several axes");
  if (at.positions !== undefined) return givenPositions(core, readPositions(at.positions), count, grid);
  if (grid === undefined) return positionRun(offset, count);
  if (sizeOf(grid) + prefix !== count)
    throw new PosencError(
      "shape-mismatch",
      `grid: ${grid.join(" × ")} are ${sizeOf(grid)} places, needed are ${count - prefix}`,
      "grid",
    );
  return { ...positionRun(-prefix, count), extent: grid };
}

/** Positions given one by one: one array, or one for each axis. */
export function givenPositions(
  core: Core,
  { axes, perRow }: Places,
  count: number,
  grid?: readonly number[],
  field = "positions",
): PositionRegion {
  const given = axes[0]?.length ?? 0;
  if (perRow !== undefined && perRow !== count && given !== count)
    throw new PosencError("shape-mismatch", `${field}: rows must hold ${count} numbers, got ${perRow}`, field);
  if (grid !== undefined && grid.length !== axes.length)
    throw invalid("grid", `has ${grid.length} axes, ${field} have ${axes.length}`);
  if (given === 0 && count === 0) return { ...positionRun(0, 0), extent: axes.map(() => 0) };
  // An empty list where positions are needed must not pass for "none given".
  if (given === 0) throw new PosencError("shape-mismatch", `${field}: must hold ${count} numbers, got 0`, field);
  const extent = grid ?? (axes.length === 1 ? [count] : axes.map((axis) => largestOf(axis) + 1));
  return { address: borrowAxes(core, axes, field), given, offset: 0, count, extent, stride: given };
}

/** Pieces of a call must know how far all of it goes. */
export function largestOf(axis: NumberArray): number {
  let largest = -1;
  for (const position of axis) largest = Math.max(largest, Number(position));
  return Math.floor(largest);
}

function borrowAxes(core: Core, axes: readonly NumberArray[], field: string): number {
  if (axes.length === 1) return core.borrowDoubles(axes[0]!, field);
  return core.borrowDoubles(
    axes.flatMap((axis) => Array.from<number | bigint>(axis as ArrayLike<number | bigint>)) as number[],
    field,
  );
}

/** A slice of positions: rows `first` … `first + count - 1`, of batch row `row` where rows differ. */
export function slicePositions(
  region: PositionRegion,
  perRow: number,
  row: number,
  first: number,
  count: number,
): PositionRegion {
  if (region.given === 0) return { ...region, offset: region.offset + first, count };
  const start = region.given > perRow ? row * perRow : 0;
  // The offset of given positions: the index of the first.
  return { ...region, address: region.address + 8 * (start + first), given: count, count, offset: start + first };
}

export function sequenceLength(at: At): number {
  if (at.sequenceLength === undefined) return 0;
  const length = optionalNumber(at.sequenceLength, "sequenceLength", 0);
  if (!(length >= 1) || !Number.isFinite(length)) throw invalid("sequenceLength", `must be ≥ 1, got ${length}`);
  return length;
}
