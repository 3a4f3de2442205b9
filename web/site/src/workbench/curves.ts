// Curves of what a run has measured.
import type { Looks } from "./measure.ts";

/** How many tokens a point of the curve is the mean of. */
export const windowOf = (tokens: number): number => 2 * Math.floor(Math.max(1, tokens / 24) / 2) + 1;

/** The mean over the window around each place, as far as there are values; NaN stays. */
export function smoothed(values: Float32Array, window: number): Float32Array {
  const half = (window - 1) / 2;
  return values.map((value, at) => (Number.isNaN(value) ? NaN : meanOf(values, at - half, at + half + 1)));
}

/** The mean of values [from, to), of those that are numbers; NaN if none is. */
export function meanOf(values: Float32Array, from: number, to: number): number {
  let sum = 0;
  let count = 0;
  for (let at = Math.max(0, from); at < Math.min(values.length, to); at += 1) {
    if (Number.isNaN(values[at])) continue;
    sum += values[at];
    count += 1;
  }
  return count ? sum / count : NaN;
}

/** The share of a head's attention that lies within each distance. */
export function within({ heads, tokens, weights }: Looks, layer: number, head: number): Float32Array {
  const start = (layer * heads + head) * tokens;
  let sum = 0;
  return weights.slice(start, start + tokens).map((weight) => (sum += weight));
}

/** The first distance within which half of the attention lies. */
export const halfWithin = (shares: Float32Array): number => shares.findIndex((share) => share >= 0.5);
