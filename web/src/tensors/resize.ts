// Resizes tables from one grid to another.
import type { OutOption, ResizeTableOptions } from "../base/call-options.js";
import { Operation, ResizeMode, type ResizeFields } from "../base/calls.gen.js";
import { checkSameDims, sizeOf } from "../base/dims.js";
import { PosencError, invalid } from "../base/errors.js";
import { count, flag, maybe, number, oneOf, or, type Read, readOptions, sizes, tensor } from "../base/options.js";
import type { InputTensor, Tensor } from "../base/types.js";
import type { Core } from "../wasm/core.js";
import { operand, produce, readable } from "./operand.js";

const modes = {
  nearest: ResizeMode.nearest,
  linear: ResizeMode.linear,
  bilinear: ResizeMode.linear,
  bicubic: ResizeMode.cubic,
};

export const resizeOptions = {
  grid: sizes,
  length: maybe(count()),
  from: sizes,
  prefix: or(count(), 0),
  suffix: or(count(), 0),
  mode: maybe(oneOf("nearest", "linear", "bilinear", "bicubic")),
  antialias: flag,
  alignCorners: flag,
  scaleOffset: or(number, 0),
};
const tableOptions = { ...resizeOptions, transpose: flag, out: tensor };
type Resizing = Read<typeof resizeOptions>;

interface Plan {
  from: readonly number[];
  to: readonly number[];
  /** Number of rows outside of the grid. */
  kept: number;
}

/** Returns the old and the new grid of a table with `rows` rows. */
export function resizePlan(rows: number, { grid, length, prefix, suffix, from }: Resizing): Plan {
  if ((grid === undefined) === (length === undefined)) throw invalid("grid", "pass either grid or length");
  const kept = prefix + suffix;
  const to = grid ?? [length! - kept];
  if (to[0]! < 1) throw invalid(grid ? "grid" : "length", "leaves no rows for the grid");
  return { from: from ?? guess(rows - kept, to.length), to, kept };
}

function guess(rows: number, axes: number): readonly number[] {
  if (axes === 1) return [rows];
  const side = Math.round(Math.sqrt(rows));
  if (axes === 2 && side * side === rows) return [side, side];
  const hint = rows - 1 === side * side ? "; pass prefix: 1 for a class token" : "";
  throw new PosencError("invalid-argument", `from: required, ${rows} rows are not a square grid${hint}`, "from");
}

/** Resizes the rows of `table` [..., rows, dim] to another grid. */
export const resizeTable = <T extends InputTensor = Tensor>(
  core: Core,
  table: InputTensor,
  options: ResizeTableOptions & OutOption<T>,
): T | Tensor => resized(core, table, readOptions(options, tableOptions));

export function resized<T extends InputTensor = Tensor>(
  core: Core,
  table: InputTensor,
  how: Resizing & { readonly transpose?: boolean; readonly out?: T },
): T | Tensor {
  const { transpose = false, mode } = how;
  const tensor = operand(core, table, "table");
  if (transpose && !how.from) throw invalid("from", "required with transpose");
  const { from, to, kept } = resizePlan(tensor.dims.at(-2) ?? 0, how);
  return core.withScratch(() => {
    const source = readable(core, tensor, "table");
    const rows = kept + sizeOf(transpose ? from : to);
    const dims = [...source.dims.slice(0, -2), rows, source.dims.at(-1) ?? 0];
    const kind = modes[mode ?? (to.length === 1 ? "linear" : "bicubic")];
    const { prefix, suffix, antialias, alignCorners, scaleOffset } = how;
    const options: ResizeFields = [from, to, prefix, suffix, kind, antialias, alignCorners, scaleOffset, transpose];
    return produce(core, dims, how.out, (result) => {
      // The core would accept more or fewer leading dims of 1.
      checkSameDims(result.dims, dims, "out");
      core.call(Operation.tableResize, source, ...options, result);
    });
  });
}
