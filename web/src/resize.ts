// Tables of one grid made into tables of another.
import type { Core } from "./core.js";
import { PosencError, checkOptions, invalid, isCount, show } from "./errors.js";
import { gridOf } from "./positions.js";
import { operand, produce, readable, sizeOf } from "./tensor.js";
import type { ResizeOptions, ResizeTableOptions, Tensor, TensorLike } from "./types.js";

const modes = { nearest: 0, linear: 1, bilinear: 1, bicubic: 2 };
const known = "grid length from prefix suffix mode antialias alignCorners scaleOffset";

interface Plan {
  from: readonly number[];
  to: readonly number[];
  /** Rows beside the grid. */
  kept: number;
}

function rowsOf(options: ResizeOptions, name: "prefix" | "suffix" | "length"): number {
  const value = options[name] ?? 0;
  if (!isCount(value)) throw invalid(name, `must be a whole number from 0 to 2147483647, got ${show(value)}`);
  return value;
}

/** From which grid to which, where a table has `rows` rows. */
export function resizePlan(rows: number, options: ResizeOptions): Plan {
  checkOptions(options, known);
  if ((options.grid === undefined) === (options.length === undefined))
    throw invalid("grid", "give either grid or length");
  const kept = rowsOf(options, "prefix") + rowsOf(options, "suffix");
  const to = options.grid === undefined ? [rowsOf(options, "length") - kept] : gridOf(options.grid, "grid");
  if (to[0]! < 1) throw invalid(options.grid === undefined ? "length" : "grid", "leaves no rows for the grid");
  const from = options.from === undefined ? guess(rows - kept, to.length) : gridOf(options.from, "from");
  return { from, to, kept };
}

function guess(places: number, axes: number): readonly number[] {
  if (axes === 1) return [places];
  const side = Math.round(Math.sqrt(places));
  if (axes === 2 && side * side === places) return [side, side];
  throw new PosencError("invalid-argument", `from: needed, ${places} rows are no square grid`, "from");
}

function flagOf(options: ResizeOptions, name: "antialias" | "alignCorners"): boolean {
  const value = options[name] ?? false;
  if (typeof value !== "boolean") throw invalid(name, `must be true or false, got ${show(value)}`);
  return value;
}

/** The rows of `table` [..., rows, dim] for another grid. */
export function resizeTable<T extends TensorLike = Tensor>(
  core: Core,
  table: TensorLike,
  given: ResizeTableOptions & { out?: T },
): T | Tensor {
  const tensor = operand(core, table, "table");
  checkOptions(given, `${known} out transpose`);
  const { out, transpose = false, ...options } = given;
  if (typeof transpose !== "boolean") throw invalid("transpose", `must be true or false, got ${show(transpose)}`);
  if (transpose && options.from === undefined) throw invalid("from", "needed: of which grid is the gradient wanted?");
  const { from, to, kept } = resizePlan(tensor.dims.at(-2) ?? 0, options);
  const { mode = to.length === 1 ? "linear" : "bicubic", scaleOffset = 0 } = options;
  if (typeof mode !== "string" || !Object.hasOwn(modes, mode))
    throw invalid("mode", `must be one of ${Object.keys(modes).join(", ")}, got ${show(mode)}`);
  if (typeof scaleOffset !== "number") throw invalid("scaleOffset", `must be a number, got ${show(scaleOffset)}`);
  return core.withScratch(() => {
    const source = readable(core, tensor, "table");
    const rows = kept + sizeOf(transpose ? from : to);
    const dims = [...source.dims.slice(0, -2), rows, source.dims.at(-1) ?? 0];
    return produce(core, dims, out, (result) =>
      core
        .begin()
        .region(source)
        .shape(from)
        .shape(to)
        .number(rowsOf(options, "prefix"))
        .number(rowsOf(options, "suffix"))
        .number(modes[mode])
        .flag(flagOf(options, "antialias"))
        .flag(flagOf(options, "alignCorners"))
        .number(scaleOffset)
        .flag(transpose)
        .region(result)
        .call("tableResize"),
    );
  });
}
