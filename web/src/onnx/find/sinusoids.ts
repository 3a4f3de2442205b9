// Tables that are added to features and follow a rule: precomputed sinusoids.
import type { Spec } from "../../base/specs.gen.js";
import { matchFrequencies, plainNumber } from "./match.js";
import { isNarrow, type DataType, type Files } from "../read/values.js";
import type { Constant } from "../read/flow.js";
import { columnsOf, firstRowOf, frequenciesOf, halvesOf, cosSinRowsOf, type Rows } from "./cos-sin-tables.js";

type Order = "sin-cos" | "cos-sin";

/** Digits before trailing zeros: people write bases with few. */
const digitsOf = (base: number): number => String(base).replace(/0+$/, "").length;

/** Returns the order of alternating sines and cosines: 0, 1, 0, 1, … in the first row. */
function alternation(row: ArrayLike<number>): Order | undefined {
  if (row.length % 2 !== 0) return undefined;
  const even = Array.from({ length: row.length / 2 }, (_, k) => row[2 * k]!);
  const odd = even.map((_, k) => row[2 * k + 1]!);
  const are = (numbers: number[], value: number): boolean => numbers.every((number) => number === value);
  if (are(even, 0) && are(odd, 1)) return "sin-cos";
  return are(even, 1) && are(odd, 0) ? "cos-sin" : undefined;
}

const mostPadding = 4;

/** Returns the index of the row of zeros of padding tokens (fairseq), after the first row; undefined: there is none. */
function paddingRow({ values, rows, width }: Rows): number | undefined {
  for (let row = 1; row < Math.min(rows - 2, mostPadding); row++)
    if (values.subarray(row * width, (row + 1) * width).every((number) => number === 0)) return row;
  return undefined;
}

/** Computes the angles of a row as the difference of a later row and another one. */
function fillRow(cos: Rows, sin: Rows, row: number): void {
  const [from, less] = row === 2 ? [3, 1] : [row + 2, 2];
  for (let k = 0; k < cos.width; k++) {
    const at = (index: number): number => index * cos.width + k;
    const [c, s] = [cos.values[at(from)]!, sin.values[at(from)]!];
    const [lessCos, lessSin] = [cos.values[at(less)]!, sin.values[at(less)]!];
    cos.values[at(row)] = c * lessCos + s * lessSin;
    sin.values[at(row)] = s * lessCos - c * lessSin;
  }
}

/**
 * Returns the spec of a table [rows, dim] of sinusoids: halves (Marian, Whisper), or neighbours (Vaswani et al. 2017,
 * arXiv:1706.03762). undefined: it is another table.
 */
export async function sinusoidOf(
  files: Files,
  constant: Constant,
  { rows, dim, type }: { readonly rows: number; readonly dim: number; readonly type: DataType },
): Promise<{ readonly spec: Spec; readonly error: number } | undefined> {
  const first = await files.numbers(constant, 0, dim);
  if (!first || dim < 4 || dim % 2 !== 0) return undefined;
  const pattern = firstRowOf(first);
  const isHalved = pattern === "sin-cos" || pattern === "cos-sin";
  const order = isHalved ? pattern : alternation(first);
  const values = order && (await files.numbers(constant));
  if (!order || !values) return undefined;
  const table: Rows = { values, rows, width: dim };
  const padding = paddingRow(table);
  const count = dim / 2;
  const alternating = { sin: columnsOf(table, (k) => 2 * k, count), cos: columnsOf(table, (k) => 2 * k + 1, count) };
  const swapped = { sin: alternating.cos, cos: alternating.sin };
  const { cos, sin } = isHalved ? halvesOf(table, order === "cos-sin") : order === "sin-cos" ? alternating : swapped;
  if (padding !== undefined) fillRow(cos, sin, padding);
  const narrow = isNarrow(type);
  const cosSin = cosSinRowsOf(cos, sin, narrow);
  if (!cosSin || Math.abs(cosSin.magnitude - 1) > 1e-3) return undefined;
  const tolerance = narrow ? 1e-3 : 2e-6;
  const match = matchFrequencies(frequenciesOf(cosSin), tolerance);
  if (match?.spec.kind !== "rope") return undefined;
  const { base = 10000 } = match.spec;
  // Whisper's frequencies end at 1 / base, one step earlier.
  const shifted = plainNumber(base ** ((count - 1) / count), 4 * tolerance);
  const isShifted = digitsOf(shifted) < digitsOf(base);
  return {
    spec: {
      kind: "sinusoidal",
      dim,
      base: isShifted ? shifted : base,
      pairing: isHalved ? "concat" : "interleaved",
      ...(order === "cos-sin" && { order }),
      ...(isShifted && { frequencyShift: 1 }),
      ...(padding !== undefined && { paddingIndex: padding }),
    },
    error: match.error,
  };
}
