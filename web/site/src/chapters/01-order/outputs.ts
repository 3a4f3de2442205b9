// The outputs of attention for the original sentence and for the reader's order, word by word and pooled.
import { changes, endsOf, largestDifference, swapped, validOrder, type Method } from "../../lib/attention.ts";
import type { Posenc } from "../../lib/engine.svelte.ts";
import { attendPlainly, meanRow } from "../../lib/plain-attention.ts";
import { vectorLength } from "../../lib/words.ts";

export interface Comparison {
  /** [words, vectorLength], each in its own order. */
  before: Float32Array;
  now: Float32Array;
  /** For each place of the new order: how far the output there is from that word's original one. */
  changes: number[];
  pooled: { before: Float32Array; now: Float32Array; change: number };
}

export function compareOrders(pe: Posenc, words: string[], order: number[], method: Method): Comparison {
  const arranged = order.map((word) => words[word]);
  const [before, now] = [attendPlainly(pe, words, method), attendPlainly(pe, arranged, method)];
  const pooled = { before: meanRow(before.outputs), now: meanRow(now.outputs) };
  return {
    before: before.outputs,
    now: now.outputs,
    changes: changes(before, now, order),
    pooled: { ...pooled, change: largestDifference(pooled.before, pooled.now) },
  };
}

export const rowOf = (outputs: Float32Array, row: number) =>
  outputs.subarray(row * vectorLength, (row + 1) * vectorLength);

/** The other sentence of the chapter's question. */
export function turnedRound(words: string[]): number[] {
  return swapped(validOrder([], words.length), ...endsOf(words));
}
