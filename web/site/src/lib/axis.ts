// Axes of plots: where a number lies between 0 and 1, and which numbers are written.
import { ticks } from "./scale.ts";

/** "log2": logarithmic, with powers of two on it. */
export type AxisScale = "linear" | "log" | "log2";

export interface Axis {
  /** 0 at the low end, 1 at the high one; not clamped. */
  place(value: number): number;
  ticks: number[];
}

/** Powers of ten, thinned out to about `count`. */
function decades(low: number, high: number, count: number): number[] {
  const first = Math.ceil(Math.log10(low) - 1e-9);
  const last = Math.floor(Math.log10(high) + 1e-9);
  const step = Math.max(1, Math.ceil((last - first + 1) / Math.max(1, count)));
  const powers: number[] = [];
  for (let power = first; power <= last; power += step) powers.push(Number(`1e${power}`));
  return powers.length > 1 ? powers : parts(low, high, count);
}

/** Powers of two, thinned out to about `count`. */
function doublings(low: number, high: number, count: number): number[] {
  const first = Math.ceil(Math.log2(low) - 1e-9);
  const last = Math.floor(Math.log2(high) + 1e-9);
  const step = Math.max(1, Math.ceil((last - first + 1) / Math.max(1, count)));
  return Array.from({ length: Math.floor((last - first) / step) + 1 }, (_, index) => 2 ** (first + index * step));
}

/** Numbers of a range without two powers of ten: as evenly apart on a logarithmic axis as round ones can be. */
function parts(low: number, high: number, count: number): number[] {
  for (const multiples of [
    [1, 2, 5],
    [1, 3],
  ]) {
    const values: number[] = [];
    for (let power = Math.floor(Math.log10(low)); power <= Math.log10(high); power += 1)
      values.push(...multiples.map((multiple) => Number(`${multiple}e${power}`)));
    const shown = values.filter((value) => value >= low * 0.999 && value <= high * 1.001);
    if (shown.length > 1 && shown.length <= Math.max(count, 3)) return shown;
  }
  return ticks(low, high, count).filter((value) => value > 0);
}

export function axis(scale: AxisScale, [low, high]: readonly [number, number], count: number): Axis {
  if (scale === "linear")
    return { place: (value) => (value - low) / (high - low || 1), ticks: ticks(low, high, count) };
  const [start, end] = [Math.log10(low), Math.log10(high)];
  const marks = scale === "log2" ? doublings : decades;
  return { place: (value) => (Math.log10(value) - start) / (end - start || 1), ticks: marks(low, high, count) };
}
