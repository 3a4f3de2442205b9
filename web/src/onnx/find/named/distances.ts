// Finds the distances that the rows of a table belong to.
import type { Constant, Step, Value } from "../../read/flow.js";
import type { Named } from "./facts.js";
import { sourceConstant, formOps, scalarOf } from "../../read/trace.js";
import { countOf } from "../../read/values.js";

/** Largest distances to the left (keys before the query) and to the right. */
export interface Ends {
  readonly left: number;
  readonly right: number;
}

/** Matrices that were examined, with the number of rows for which they were. */
const matrices = new WeakMap<Constant, readonly [rows: number, ends: Ends | undefined]>();
/** Maximum number of indices that are read. */
const mostIndices = 1048576;

/** Returns the ends of a matrix of indices: distance j - i or i - j, plus an offset, clamped to the rows. */
function ofMatrix(numbers: Float64Array, rows: number, offset = 0): Ends | undefined {
  const tokens = Math.sqrt(numbers.length);
  if (tokens < 2 || !Number.isInteger(tokens)) return undefined;
  const zero = numbers[0]! + offset;
  const sign = Math.sign(numbers[1]! + offset - zero);
  const isRule = numbers.every((number, at) => {
    const distance = sign * ((at % tokens) - Math.floor(at / tokens));
    const row = Math.min(rows - 1, Math.max(0, number + offset));
    return row === Math.min(rows - 1, Math.max(0, zero + distance));
  });
  if (!isRule || sign === 0) return undefined;
  return sign > 0 ? { left: zero, right: rows - 1 - zero } : { left: rows - 1 - zero, right: zero };
}

async function numberOf(value: Value | undefined, { files }: Pick<Named, "files">): Promise<number | undefined> {
  const constant = scalarOf(value);
  return constant && (await files.numbers(constant))?.[0];
}

/** Whether a value varies along the first of two axes; undefined: the graph does not show it. */
async function isColumn(value: Value | undefined, at: Pick<Named, "files">): Promise<boolean | undefined> {
  const maker = value?.maker;
  const constant = maker && sourceConstant(maker.ins[1])?.constant;
  if (!constant || countOf(constant.tensor) > 2 || !["Reshape", "Unsqueeze"].includes(maker.op)) return undefined;
  const numbers = await at.files.numbers(constant);
  if (maker.op === "Unsqueeze") return numbers?.[0] === 1 || numbers?.[0] === -1;
  return numbers?.length === 2 ? numbers[1] === 1 : undefined;
}

/** Returns the bounds of a Clip, or of a Max and a Min. */
async function clamped(step: Step, at: Pick<Named, "files">): Promise<[number | undefined, number | undefined]> {
  const { op, ins } = step;
  if (op === "Clip") return [await numberOf(ins[1], at), await numberOf(ins[2], at)];
  const bound = (await numberOf(ins[1], at)) ?? (await numberOf(ins[0], at));
  return op === "Max" ? [bound, undefined] : [undefined, bound];
}

/** Returns the distances of a computed index or a constant matrix; undefined: they do not cover all rows. */
export async function distancesOf(index: Value, rows: number, at: Pick<Named, "files">): Promise<Ends | undefined> {
  const constant = sourceConstant(index)?.constant;
  if (constant) {
    const known = matrices.get(constant);
    if (known) return known[0] === rows ? known[1] : undefined;
    const numbers = countOf(constant.tensor) <= mostIndices ? await at.files.numbers(constant) : undefined;
    const ends = numbers && ofMatrix(numbers, rows);
    matrices.set(constant, [rows, ends]);
    return ends;
  }
  let [offset, low, high] = [0, -Infinity, Infinity];
  let value: Value | undefined = index;
  for (let left = 32; left > 0 && value?.maker; left--) {
    const { op, ins }: Step = value.maker;
    const added: number | undefined = op === "Add" || op === "Sub" ? await numberOf(ins[1], at) : undefined;
    const first: number | undefined = op === "Add" && added === undefined ? await numberOf(ins[0], at) : undefined;
    if (added !== undefined) offset += op === "Add" ? added : -added;
    else if (first !== undefined) offset += first;
    else if (["Clip", "Max", "Min"].includes(op)) {
      const [least, most] = await clamped(value.maker, at);
      if (least !== undefined) low = Math.max(low, least + offset);
      if (most !== undefined) high = Math.min(high, most + offset);
    } else if (op === "Sub") return endsOf(value.maker, { offset, low, high }, rows, at);
    else if (!formOps.has(op)) return undefined;
    value = first !== undefined ? ins[1] : ins.find((one, i) => one && (i === 0 || scalarOf(ins[0])) && !scalarOf(one));
  }
  const matrix = value?.constant;
  const numbers = matrix && countOf(matrix.tensor) <= mostIndices ? await at.files.numbers(matrix) : undefined;
  return numbers && isWhole({ low, high }, rows) ? ofMatrix(numbers, rows, offset) : undefined;
}

/** Whether bounds, if there are any, limit an index to the rows of a table. */
const isWhole = ({ low, high }: { low: number; high: number }, rows: number): boolean =>
  (low === -Infinity || low === 0) && (high === Infinity || high === rows - 1);

async function endsOf(
  { ins }: Step,
  { offset, low, high }: { offset: number; low: number; high: number },
  rows: number,
  at: Pick<Named, "files">,
): Promise<Ends | undefined> {
  if (!isWhole({ low, high }, rows)) return undefined;
  const [below, above] = [offset, rows - 1 - offset];
  if (!(below >= 0) || !(above >= 0) || !Number.isInteger(below)) return undefined;
  if (below === above) return { left: below, right: above };
  // Queries vary along rows: if the minuend is a column, it is the query's position.
  const isQueryFirst = await isColumn(ins[0], at);
  if (isQueryFirst === undefined) return undefined;
  return isQueryFirst ? { left: above, right: below } : { left: below, right: above };
}
