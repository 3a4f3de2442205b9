// A start word and copies of one word: how attention is divided when all keys fit equally well.
import type { Posenc } from "../../lib/engine.svelte.ts";

const features = 4;

/** [count, count]: what each place gives to each. */
export function evenWeights(pe: Posenc, count: number, causal: boolean): Float32Array {
  // The same vector everywhere: every query fits every key equally well.
  const x = { data: new Float32Array(count * features).fill(1), dims: [1, 1, count, features] };
  return pe.attentionWeights(x, x, { causal }).data;
}

/** The first column: what each place gives to the start word. */
export const shareOfStart = (weights: Float32Array, count: number) =>
  Float32Array.from({ length: count }, (_, place) => weights[place * count]);
