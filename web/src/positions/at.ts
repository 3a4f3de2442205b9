// Positions: from the options of a call to wasm memory.
import { arrayType, checkNumbers, isNumberArray } from "../base/arrays.js";
import { checkDims, checkLength, sizeOf } from "../base/dims.js";
import { PosencError, invalid, show } from "../base/errors.js";
import { count, maxAxes, maybe, number, or, sizes, type Read, type Reader } from "../base/options.js";
import type { PositionRegion } from "../base/regions.js";
import type { NumberArray } from "../base/types.js";
import { checkCpuTensor, holdsBits } from "../tensors/operand.js";
import type { Core } from "../wasm/core.js";

/** Positions as they were passed: an array for each axis, and the number per row if it is known. */
export interface PositionArrays {
  axes: readonly NumberArray[];
  perRow?: number | undefined;
}

/** Reads positions in any of their forms: see `Positions`. */
export function readPositions(given: unknown, field = "positions"): PositionArrays {
  const arrays = isNumberArray(given)
    ? { axes: isNumberArray(given[0]) ? (given as unknown as NumberArray[]) : [given] }
    : positionsOfTensor(given, field);
  for (const axis of arrays.axes) {
    checkNumbers(axis, field);
    if (
      arrayType(axis) === "Float16Array" &&
      Array.from(axis as Float32Array).some((position) => Math.abs(position) >= 2048)
    )
      throw rounded(field);
  }
  const [first, ...others] = arrays.axes;
  if (!first || others.length >= maxAxes || others.some((axis) => axis.length !== first.length))
    throw invalid(
      field,
      `must be 1 to ${maxAxes} arrays of equal length, got lengths [${arrays.axes.map(({ length }) => length).join()}]`,
    );
  return arrays;
}

/** The error for positions that float16 rounds: 2049 is 2048 in float16. */
const rounded = (field: string): Error =>
  invalid(field, "must not be float16 from 2048 on (rounded), or bits; pass int32, int64 or float32");

/**
 * Reads positions of a tensor, [T], [B, T] or [axes, B, T], or of a result of `gridPositionIds` or `mropePositionIds`.
 */
function positionsOfTensor(given: unknown, field: string): PositionArrays {
  if (typeof given === "number")
    throw invalid(field, `must be an array of numbers or { data, dims }, got ${given}; the first position is offset`);
  checkCpuTensor(given, field);
  const { positions, axes, type, data, dims } = given as Record<string, unknown>;
  if (positions !== undefined) return readPositions(positions, field);
  if (holdsBits(type, data)) throw rounded(field);
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

/** Readers of `At`: `run` of consecutive positions, `positionOptions` also of grids. */
export const run = { offset: maybe(number), positions: maybe(readPositions) };
export const positionOptions = { length: maybe(count()), ...run, grid: sizes };

/** Number of tokens before the cells of a grid. */
export const prefix = or(count(), 0);

/** Reads the sequence length; 0: determined by the positions. */
export const sequenceLength: Reader<number> = or((value, name) => {
  const length = number(value, name);
  if (!(length >= 1) || !Number.isFinite(length)) throw invalid(name, `must be ≥ 1, got ${length}`);
  return length;
}, 0);

/** Options of positions after they were read. */
export type Where = Partial<Read<typeof positionOptions>> & { readonly prefix?: number };

/** Returns the number of positions of a call: `length`, the number of `positions`, or of the cells of `grid`. */
export function countOf({ length, positions, grid, prefix = 0 }: Where): number {
  if (length !== undefined) return length;
  if (positions) return positions.axes[0]!.length;
  if (!grid) throw invalid("length", "is missing: give { length }, { positions } or { grid }");
  return sizeOf(grid) + prefix;
}

/** Throws if `length` is given and is not the number of positions of x. */
export function checkLengthOf({ length }: Where, count: number): void {
  if (length !== undefined && length !== count) throw invalid("length", `x has ${count} positions, got ${length}`);
}

/** Returns consecutive positions from `offset`. */
export const positionRun = (offset: number, count: number): PositionRegion => ({
  address: 0,
  given: 0,
  offset,
  count,
  extent: [count],
  stride: 0,
});

/** Returns the positions of a call, copied to scratch if they are given one by one. `count` is the number per row. */
export function positionRegion(core: Core, at: Where, count: number): PositionRegion {
  const { offset = 0, positions, grid, prefix = 0 } = at;
  if (at.offset !== undefined && (positions || grid))
    throw invalid("offset", `give either ${positions ? "positions" : "grid"} or offset, not both`);
  if (prefix > 0 && (positions || !grid || grid.length < 2)) throw invalid("prefix", "requires a grid of several axes");
  if (positions) return givenPositions(core, positions, count, grid);
  if (grid === undefined) return positionRun(offset, count);
  if (sizeOf(grid) + prefix !== count) {
    const before = count - sizeOf(grid);
    const takesPrefix = at.prefix !== undefined && grid.length > 1 && before > 0;
    const hint = takesPrefix ? `; tokens before the patches, such as a class token: pass prefix: ${before}` : "";
    throw new PosencError(
      "shape-mismatch",
      `grid: ${grid.join(" × ")} has ${sizeOf(grid)} cells, must have ${count - prefix}${hint}`,
      "grid",
    );
  }
  return { ...positionRun(-prefix, count), extent: grid };
}

/** Copies positions that are given one by one: one array, or one for each axis. */
export function givenPositions(
  core: Core,
  { axes, perRow }: PositionArrays,
  count: number,
  grid?: readonly number[],
  field = "positions",
): PositionRegion {
  const given = axes[0]?.length ?? 0;
  if (perRow !== undefined && perRow !== count && given !== count)
    throw new PosencError("shape-mismatch", `${field}: rows must have ${count} values, got ${perRow}`, field);
  if (grid !== undefined && grid.length !== axes.length)
    throw invalid("grid", `has ${grid.length} axes, ${field} have ${axes.length}`);
  if (given === 0 && count === 0) return { ...positionRun(0, 0), extent: axes.map(() => 0) };
  // An empty list must not mean "none given" if positions are needed.
  if (given === 0) throw new PosencError("shape-mismatch", `${field}: must have ${count} values, got 0`, field);
  const extent = grid ?? (axes.length === 1 ? [count] : axes.map((axis) => largestOf(axis) + 1));
  return { address: borrowAxes(core, axes, field), given, offset: 0, count, extent, stride: given };
}

/** Returns the sequence length of a whole call, which its chunks must share: its largest position + 1. */
export function lengthOf(core: Core, { address, given, offset, count, extent, stride }: PositionRegion): number {
  if (given > 0) return Math.max(1, largestOf(core.doubles(address, stride * (extent.length - 1) + given)) + 1);
  return Math.max(1, ...(extent.length > 1 ? extent : [Math.floor(offset + count)]));
}

function largestOf(axis: NumberArray): number {
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

/** Returns a slice of positions: `first` … `first + count - 1`, of batch element `row` if batch elements differ. */
export function slicePositions(
  region: PositionRegion,
  perRow: number,
  row: number,
  first: number,
  count: number,
): PositionRegion {
  if (region.given === 0) return { ...region, offset: region.offset + first, count };
  const start = region.given > perRow ? row * perRow : 0;
  // The offset of given positions is the index of the first one.
  return { ...region, address: region.address + 8 * (start + first), given: count, count, offset: start + first };
}
