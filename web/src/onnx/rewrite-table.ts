// Learned tables with more rows, and what else in a graph knows how many there were.
import { PosencError } from "../base/errors.js";
import type { ResizeTableOptions } from "../base/call-options.js";
import type { Value } from "./flow.js";
import type { FoundTable } from "./learned.js";
import { countOf, typeOf, type DataType } from "./values.js";
import type { Work } from "./work.js";

/** How new rows are made of old ones. */
export interface Resizing {
  readonly mode: "nearest" | "linear" | "bicubic";
  readonly alignCorners: boolean;
}

/** What learned tables are to be, beside their length. */
export interface NewRows {
  readonly grid: readonly number[] | undefined;
  readonly resize: Resizing | undefined;
}

export async function rewriteTable(work: Work, found: FoundTable, { grid, resize }: NewRows): Promise<void> {
  const { changes, length } = work;
  if (found.form === "gathered") {
    if (length === undefined || resize === undefined) return;
    work.used.add("length").add("resize");
    const { rows, start } = found;
    await resized(work, found, { length: length + start, prefix: start, ...resize });
    await lengthenAll(work, [rows, rows - start], length + start - rows);
  } else if (found.form === "added" && grid !== undefined) {
    work.used.add("grid").add("resize");
    // Rows that a square has no room for belong to no patch.
    const prefix = found.rows - Math.floor(Math.sqrt(found.rows)) ** 2;
    if (prefix > mostPrefix)
      throw new PosencError(
        "unsupported",
        `grid: the ${found.rows} rows of this table are no square of patches behind a few tokens: of other images nothing is known`,
        "grid",
      );
    work.tokens.set(found.rows, await resized(work, found, { grid, prefix, ...(resize ?? { mode: "bicubic" }) }));
    changes.stale.addDim(found.value.graph, found.rows);
  }
}

/** Protocol buffers cannot hold more. */
const mostBytes = 2 ** 31;

/** Throws `out-of-range` if the new table does not fit into a model file. */
function checkSize(dim: number, { grid, length = 0 }: ResizeTableOptions): void {
  const rows = grid ? grid.reduce((product, size) => product * size, 1) : length;
  if (4 * rows * dim < mostBytes) return;
  const name = grid ? "grid" : "length";
  const limit = Math.floor(mostBytes / 4 / dim);
  throw new PosencError("out-of-range", `${name}: must make at most ${limit} rows of ${dim} values, got ${rows}`, name);
}

/** The table's new rows, and how many there are. */
async function resized(work: Work, found: FoundTable, options: ResizeTableOptions): Promise<number> {
  const { constants, pe } = work;
  const { rows, dim, value } = found;
  checkSize(dim, options);
  const key = JSON.stringify(options);
  const known = constants.join(found, value, key);
  if (known) return known.at(-2)!;
  const old = await work.numbersOf(value);
  const table = { type: "float32" as const, data: Float32Array.from(old), dims: [rows, dim] };
  const made = pe.resizeTable(table, options);
  const [wanted] = made.dims;
  const { dims } = value.constant!.tensor;
  const what = `has ${wanted} rows now, by ${options.mode} interpolation`;
  const option = options.grid ? "grid" : "length";
  const numbers = made.data as Float32Array;
  constants.choose([found], value, { key, numbers, what, option, dims: dims.with(-2, wanted!) });
  return wanted!;
}

/** Shapes that have the number of tokens in them, where it was folded into the graph. */
export async function retokenAll({ changes, flow, files, tokens }: Work): Promise<void> {
  if (tokens.size === 0) return;
  for (const value of flow.constants) {
    const { tensor } = value.constant!;
    if (typeOf(tensor) !== "int64" || tensor.dims.length !== 1 || value.users.length === 0) continue;
    if (!value.users.every((step) => ["Reshape", "Expand"].includes(step.op) && step.ins[1] === value)) continue;
    const old = await files.numbers(value.constant!);
    const had = old?.find((number) => tokens.has(number));
    if (!old || had === undefined) continue;
    const numbers = old.map((number) => tokens.get(number) ?? number);
    changes.setNumbers(value, numbers, `${had} tokens are ${tokens.get(had)} now`);
  }
}

const wholeTypes = new Set<DataType | undefined>(["int64", "int32", "bool", "uint8"]);
const mostNumbers = 67108864;

/** Tokens of classes and registers before an image's patches. */
const mostPrefix = 5;

/** All that a graph has as many of as a table that had `rows` rows, and then has `more`. */
export async function lengthenAll(work: Work, rows: readonly number[], more: number): Promise<void> {
  for (const had of more === 0 ? [] : rows) {
    const key = `${had} ${more}`;
    if (work.lengthened.has(key)) continue;
    work.lengthened.add(key);
    for (const value of work.constantsOf(had)) await lengthen(work, value, had, more);
  }
}

/** Buffers of ids and masks as long as the table: they go on as they are. */
async function lengthen(work: Work, value: Value, had: number, more: number): Promise<void> {
  const { changes, files } = work;
  const { tensor } = value.constant!;
  const { dims } = tensor;
  if (!wholeTypes.has(typeOf(tensor)) || had < 2 || countOf(tensor) > mostNumbers) return;
  const read = value.users.some(({ op }) => op === "Slice" || op === "Gather" || op === "Expand");
  const old = read ? await files.numbers(value.constant!) : undefined;
  if (!old) return;
  const wanted = had + more;
  if (countOf(tensor) === had) {
    const step = old[1]! - old[0]!;
    if ((step !== 0 && step !== 1) || old.some((number, i) => number !== old[0]! + i * step)) return;
    const numbers = work.roomFor(value, wanted).map((_, i) => old[0]! + i * step);
    changes.setNumbers(value, numbers, `${wanted} numbers now`, { dims: dims.with(-1, wanted) });
  } else if (dims.at(-2) === had && countOf(tensor) === had * had) {
    if (old.some((number, i) => number !== Number(i % had <= Math.floor(i / had)))) return;
    const numbers = work.roomFor(value, wanted * wanted);
    for (let i = 0; i < wanted; i++) numbers.fill(1, i * wanted, i * wanted + i + 1);
    changes.setNumbers(value, numbers, `a causal mask of ${wanted} positions now`, {
      dims: dims.with(-1, wanted).with(-2, wanted),
    });
  }
}
