// Tables with more rows, and the constants of a graph that depend on the number of rows.
import { PosencError } from "../../base/errors.js";
import type { ResizeTableOptions } from "../../base/call-options.js";
import type { Spec } from "../../base/specs.gen.js";
import type { Value } from "../read/flow.js";
import type { FoundTable } from "../find/learned.js";
import { countOf, typeOf, type DataType } from "../read/values.js";
import type { Work } from "./work.js";

/** Interpolation of new rows from old ones. */
export interface Resizing {
  readonly mode: "nearest" | "linear" | "bicubic";
  readonly alignCorners: boolean;
}

/** Options for learned tables, except their length. */
export interface NewRows {
  readonly grid: readonly number[] | undefined;
  readonly resize: Resizing | undefined;
}

export async function rewriteTable(
  work: Work,
  found: FoundTable,
  spec: Spec | undefined,
  { grid, resize }: NewRows,
): Promise<void> {
  const { changes, length } = work;
  if (found.form === "gathered") {
    const followsRule = resize === undefined && spec?.kind === "sinusoidal";
    if (length === undefined || (resize === undefined && !followsRule)) return;
    work.used.add("length");
    const { rows, start } = found;
    if (followsRule) await continued(work, found, spec, length + start);
    else {
      work.used.add("resize");
      await resized(work, found, { length: length + start, prefix: start, ...resize });
    }
    await lengthenAll(work, [rows, rows - start], length + start - rows);
  } else if (found.form === "added" && grid !== undefined) {
    work.used.add("grid").add("resize");
    // Rows beyond the largest square are tokens, not patches.
    const prefix = found.grid ? 0 : found.rows - Math.floor(Math.sqrt(found.rows)) ** 2;
    if (prefix > mostPrefix)
      throw new PosencError(
        "unsupported",
        `grid: the ${found.rows} rows of this table are not a square of patches after a few tokens, which \`grid\` requires`,
        "grid",
      );
    const from = found.grid && { from: found.grid };
    await resized(work, found, { grid, prefix, ...from, ...(resize ?? { mode: "bicubic" }) });
    work.grids.push({ table: found.value, rows: found.rows, prefix, grid, steps: found.steps });
    changes.stale.addDim(found.value.graph, found.rows);
  }
}

/** Maximum size of a message in Protocol Buffers. */
const mostBytes = 2 ** 31;

/** Throws `out-of-range` if the new table does not fit into a model file. */
function checkSize(dim: number, { grid, length = 0 }: ResizeTableOptions): void {
  const rows = grid ? grid.reduce((product, size) => product * size, 1) : length;
  if (4 * rows * dim < mostBytes) return;
  const name = grid ? "grid" : "length";
  const limit = Math.floor(mostBytes / 4 / dim);
  throw new PosencError("out-of-range", `${name}: must make at most ${limit} rows of ${dim} values, got ${rows}`, name);
}

type Sinusoidal = Extract<Spec, { kind: "sinusoidal" }>;
interface Tables {
  table(options: { length: number }): { readonly data: ArrayLike<number> };
}

/** Continues a table of sinusoids by their rule. Present rows stay bit-identical. */
async function continued(work: Work, found: FoundTable, spec: Sinusoidal, length: number): Promise<void> {
  const { constants, pe } = work;
  const { rows, dim, axis, value } = found;
  checkSize(dim, { length });
  const old = await work.numbersOf(value);
  const all = { ...spec, start: 0, paddingIndex: -1 };
  // Uses exact angles or PyTorch's float32 angles, whichever the last row has.
  const made = (["exact", "float32"] as const).map((precision) => {
    const { data } = (pe.create({ ...all, precision }) as Tables).table({ length: Math.max(rows, length) });
    let apart = 0;
    for (let i = (rows - 1) * dim; i < rows * dim; i++) apart += Math.abs(data[i]! - old[i]!);
    return { data, apart };
  });
  const { data } = made[0]!.apart <= made[1]!.apart ? made[0]! : made[1]!;
  const numbers = work.newElements(value, length * dim).map((_, i) => (i < old.length ? old[i]! : data[i]!));
  const dims = value.constant!.tensor.dims.with(axis, length);
  const what = `has ${length} rows now, by the rule of sinusoids`;
  constants.choose([found], value, { key: `rule ${length}`, numbers, what, option: "length", dims });
}

/** Resizes the table. */
async function resized(work: Work, found: FoundTable, options: ResizeTableOptions): Promise<void> {
  const { constants, pe } = work;
  const { rows, dim, axis, grid, value } = found;
  checkSize(dim, options);
  const key = JSON.stringify(options);
  if (constants.join(found, value, key)) return;
  const old = await work.numbersOf(value);
  const table = { type: "float32" as const, data: Float32Array.from(old), dims: [rows, dim] };
  const made = pe.resizeTable(table, options);
  const [wanted] = made.dims;
  const { dims } = value.constant!.tensor;
  const what = `has ${wanted} rows now, by ${options.mode} interpolation`;
  const [height = 0, width = 0] = options.grid ?? [];
  const shape = grid ? dims.with(axis, height).with(axis + 1, width) : dims.with(axis, wanted!);
  const option = options.grid ? "grid" : "length";
  constants.choose([found], value, { key, numbers: made.data as Float32Array, what, option, dims: shape });
}

const wholeTypes = new Set<DataType | undefined>(["int64", "int32", "bool", "uint8"]);
const maxElements = 67108864;

/** Maximum number of class and register tokens before an image's patches. */
const mostPrefix = 5;

/** Lengthens all constants of a graph that have as many elements as a table had rows, by `more`. */
export async function lengthenAll(work: Work, rows: readonly number[], more: number): Promise<void> {
  for (const had of more === 0 ? [] : rows) {
    const key = `${had} ${more}`;
    if (work.lengthened.has(key)) continue;
    work.lengthened.add(key);
    for (const value of work.constantsOf(had)) await lengthen(work, value, had, more);
  }
}

/** Continues a buffer of ids or a mask that is as long as the table. */
async function lengthen(work: Work, value: Value, had: number, more: number): Promise<void> {
  const { changes, files } = work;
  const { tensor } = value.constant!;
  const { dims } = tensor;
  if (!wholeTypes.has(typeOf(tensor)) || had < 2 || countOf(tensor) > maxElements) return;
  const read = value.users.some(({ op }) => op === "Slice" || op === "Gather" || op === "Expand");
  const old = read ? await files.numbers(value.constant!) : undefined;
  if (!old) return;
  const wanted = had + more;
  if (countOf(tensor) === had) {
    const step = old[1]! - old[0]!;
    if ((step !== 0 && step !== 1) || old.some((number, i) => number !== old[0]! + i * step)) return;
    const numbers = work.newElements(value, wanted).map((_, i) => old[0]! + i * step);
    changes.setElements(value, numbers, `${wanted} values now`, { dims: dims.with(-1, wanted) });
  } else if (dims.at(-2) === had && countOf(tensor) === had * had) {
    if (old.some((number, i) => number !== Number(i % had <= Math.floor(i / had)))) return;
    const numbers = work.newElements(value, wanted * wanted);
    for (let i = 0; i < wanted; i++) numbers.fill(1, i * wanted, i * wanted + i + 1);
    changes.setElements(value, numbers, `a causal mask of ${wanted} positions now`, {
      dims: dims.with(-1, wanted).with(-2, wanted),
    });
  }
}
