// What each head of ALiBi sees when one query finds all keys equally good: the softmax of its bias alone.
import { withEncoding, type Posenc } from "../../lib/engine.svelte.ts";
import { softmax } from "../../lib/plain-attention.ts";
import type { ReachSettings } from "./settings.ts";

export interface Sight {
  slope: number;
  /** Of each key, the farthest first. */
  weights: Float32Array;
  /** How many of the nearest keys hold half of the weight, and 99 % of it. */
  half: number;
  most: number;
  /** Share of the weight on keys that are farther away than any was in training. */
  behind: number;
}

/** How many keys, from the nearest on, it takes to gather that share of the weight. */
function keysFor(weights: Float32Array, share: number): number {
  let sum = 0;
  for (let keys = 1; keys <= weights.length; keys += 1) {
    sum += weights[weights.length - keys];
    if (sum >= share) return keys;
  }
  return weights.length;
}

export function ask(pe: Posenc, { heads, length, trained, lowest }: ReachSettings): Sight[] {
  return withEncoding(pe.create({ kind: "alibi", heads, maxBias: lowest }), (encoding) => {
    const data = softmax(encoding.bias({ queries: 1, keys: length }).data, length);
    return Array.from(encoding.slopes, (slope, head) => {
      const weights = data.slice(head * length, (head + 1) * length);
      const behind = weights.slice(0, Math.max(0, length - trained)).reduce((sum, weight) => sum + weight, 0);
      return { slope, weights, half: keysFor(weights, 0.5), most: keysFor(weights, 0.99), behind };
    });
  });
}

/** By how much a key at that distance is marked down against the nearest one. */
export const priceAt = (pe: Posenc, slope: number, distance: number): number =>
  withEncoding(
    pe.create({ kind: "alibi", heads: 1, slopes: [slope] }),
    (alibi) => -alibi.bias({ queries: 1, keys: 1, offset: distance }).data[0],
  );

/** Distances to draw: all of them in a short text, or about 200, evenly spread on the axis. */
export function sampled(length: number, logarithmic: boolean): number[] {
  const count = Math.min(length, 200);
  const last = length - 1;
  const places = Array.from({ length: count }, (_, index) => {
    const part = index / Math.max(1, count - 1);
    return Math.round(logarithmic ? length ** part - 1 : part * last);
  });
  return [...new Set(places)];
}

export const byDistance = (weights: Float32Array, distances: number[]) =>
  distances.map((distance) => weights[weights.length - 1 - distance]);
