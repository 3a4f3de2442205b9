// Recognises tables of cosines and sines by their values, and computes their frequencies.
import type { OwnedFloat64Array } from "../../base/types.js";

/** Rows [rows, width] of a table, row-major. */
export interface Rows {
  readonly values: Float64Array;
  readonly rows: number;
  readonly width: number;
}

/** Returns the tolerance of equal values, for float16 or for other dtypes. */
const toleranceOf = (magnitude: number, isNarrow: boolean): number => magnitude * (isNarrow ? 3e-3 : 2e-5);

/** Pattern of a row: zeros ("sin"), one positive number ("cos"), one half of each, or none of these. */
export type FirstRow = "sin" | "cos" | "sin-cos" | "cos-sin" | undefined;

/** Returns the kind of a table with this row 0: cos(0) = 1 and sin(0) = 0, times a magnitude. */
export function firstRowOf(row: ArrayLike<number>): FirstRow {
  const width = row.length;
  const all = (from: number, to: number, value: number): boolean => {
    for (let i = from; i < to; i++) if (Math.abs(row[i]! - value) > 1e-4 * Math.abs(value)) return false;
    return true;
  };
  const first = row[0]!;
  const middle = row[width >> 1]!;
  if (all(0, width, 0)) return "sin";
  if (first > 0 && all(0, width, first)) return "cos";
  if (width % 2 !== 0) return undefined;
  if (first === 0 && middle > 0 && all(0, width / 2, 0) && all(width / 2, width, middle)) return "sin-cos";
  if (first > 0 && middle === 0 && all(0, width / 2, first) && all(width / 2, width, 0)) return "cos-sin";
  return undefined;
}

/** Cosines and sines [rows, pairs], and their factor. */
export interface CosSinRows {
  readonly cos: Rows;
  readonly sin: Rows;
  readonly magnitude: number;
  /**
   * Positions of each pair's two equal values in a row: neighbours, or half a row apart; undefined: there is only one.
   */
  readonly repeated?: "half" | "interleaved";
}

export function columnsOf({ values, rows, width }: Rows, of: (k: number) => number, count: number): Rows {
  const out = new Float64Array(rows * count);
  for (let t = 0; t < rows; t++) for (let k = 0; k < count; k++) out[t * count + k] = values[t * width + of(k)]!;
  return { values: out, rows, width: count };
}

/** Returns the halves of a table that has both. */
export function halvesOf(both: Rows, cosFirst: boolean): { cos: Rows; sin: Rows } {
  const count = both.width / 2;
  const first = columnsOf(both, (k) => k, count);
  const second = columnsOf(both, (k) => k + count, count);
  return cosFirst ? { cos: first, sin: second } : { cos: second, sin: first };
}

/** Returns the columns of a table in which both alternate, cosines first. */
export const pairsOf = (both: Rows): { cos: Rows; sin: Rows } => ({
  cos: columnsOf(both, (k) => 2 * k, both.width / 2),
  sin: columnsOf(both, (k) => 2 * k + 1, both.width / 2),
});

function repetition({ values, rows, width }: Rows): "half" | "interleaved" | undefined {
  if (width % 2 !== 0 || rows < 2) return undefined;
  const row = values.subarray(width, 2 * width);
  const pairs = width / 2;
  const every = (same: (k: number) => boolean): boolean => Array.from({ length: pairs }, (_, k) => k).every(same);
  if (every((k) => row[k] === row[k + pairs])) return "half";
  if (every((k) => row[2 * k] === row[2 * k + 1])) return "interleaved";
  return undefined;
}

/** Returns cosines and sines of the same angles; undefined: they are not. */
export function cosSinRowsOf(cos: Rows, sin: Rows, isNarrow: boolean): CosSinRows | undefined {
  if (cos.rows !== sin.rows || cos.width !== sin.width) return undefined;
  const magnitude = Math.hypot(cos.values[0]!, sin.values[0]!);
  const sample = Math.max(1, Math.floor(cos.rows / 64));
  for (let t = 0; t < cos.rows; t += sample)
    for (let k = 0; k < cos.width; k++) {
      const length = Math.hypot(cos.values[t * cos.width + k]!, sin.values[t * cos.width + k]!);
      if (!(Math.abs(length - magnitude) <= toleranceOf(magnitude, isNarrow))) return undefined;
    }
  // Columns of the lowest frequencies look equal, too: columns repeat only if sines and cosines both do.
  const repeated = repetition(sin) === repetition(cos) ? repetition(sin) : undefined;
  if (!repeated || cos.width === 2) return { cos, sin, magnitude };
  const one = (rows: Rows): Rows => columnsOf(rows, (k) => (repeated === "half" ? k : 2 * k), rows.width / 2);
  return { cos: one(cos), sin: one(sin), magnitude, repeated };
}

/** Returns the first rows of stacked tables: rows with angle 0. */
export function startsOf({ cos, sin, magnitude }: CosSinRows, isNarrow: boolean): number[] {
  const near = toleranceOf(magnitude, isNarrow);
  const starts = [];
  for (let t = 0; t < cos.rows; t++) {
    let isStart = true;
    for (let k = 0; isStart && k < cos.width; k++) {
      const at = t * cos.width + k;
      isStart = Math.abs(sin.values[at]!) < near * 1e-2 && Math.abs(cos.values[at]! - magnitude) < near;
    }
    if (isStart) starts.push(t);
  }
  return starts;
}

export function rowsFrom({ cos, sin, magnitude }: CosSinRows, start: number, end: number): CosSinRows {
  const part = ({ values, width }: Rows): Rows => ({
    values: values.subarray(start * width, end * width),
    rows: end - start,
    width,
  });
  return { cos: part(cos), sin: part(sin), magnitude };
}

/** Returns the frequency of each pair. Row 1 determines it up to rounding; rows 2, 4, 8, … make it more precise. */
export function frequenciesOf({ cos, sin }: CosSinRows): OwnedFloat64Array {
  const out = new Float64Array(cos.width);
  const fullRotation = 2 * Math.PI;
  for (let k = 0; k < cos.width; k++) {
    let frequency = 0;
    for (let t = 1; t < cos.rows; t *= 2) {
      const phase = Math.atan2(sin.values[t * cos.width + k]!, cos.values[t * cos.width + k]!);
      frequency = t === 1 ? phase : (Math.round((t * frequency - phase) / fullRotation) * fullRotation + phase) / t;
    }
    out[k] = frequency;
  }
  return out;
}

/** Returns the largest difference between a table and the exact cosines and sines of some frequencies. */
export function tableError({ cos, sin, magnitude }: CosSinRows, frequencies: ArrayLike<number>): number {
  let worst = 0;
  for (let t = 0; t < cos.rows; t++)
    for (let k = 0; k < cos.width; k++) {
      const at = t * cos.width + k;
      const angle = t * frequencies[k]!;
      worst = Math.max(
        worst,
        Math.abs(cos.values[at]! - magnitude * Math.cos(angle)),
        Math.abs(sin.values[at]! - magnitude * Math.sin(angle)),
      );
    }
  return worst;
}
