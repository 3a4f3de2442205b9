// The outputs of attention for the original sentence and for the reader's order, word by word and pooled.
import { attend, changes, endsOf, largestDifference, swapped, validOrder, type Method } from "../../lib/attention.ts";
import type { Posenc } from "../../lib/engine.svelte.ts";
import { splitWords } from "../../lib/sentence.ts";
import { vectorLength } from "../../lib/words.ts";

export interface Comparison {
  /** [words, vectorLength], each in its own order. */
  before: Float32Array;
  now: Float32Array;
  /** For each place of the new order: how far the output there is from that word's original one. */
  changes: number[];
  pooled: { before: Float32Array; now: Float32Array; change: number };
}

/** The mean of all rows, by the library: a query of zeros fits every key equally well. */
function mean(pe: Posenc, rows: Float32Array): Float32Array {
  const query = { data: new Float32Array(vectorLength), dims: [1, 1, 1, vectorLength] };
  const all = { data: rows, dims: [1, 1, rows.length / vectorLength, vectorLength] };
  return pe.attention(query, all, all).data;
}

export function compareOrders(pe: Posenc, words: string[], order: number[], method: Method): Comparison {
  const setting = { causal: false, shift: 0, head: 1 };
  const arranged = order.map((word) => words[word]);
  const [before, now] = [attend(pe, words, method, setting), attend(pe, arranged, method, setting)];
  const pooled = { before: mean(pe, before.outputs), now: mean(pe, now.outputs) };
  return {
    before: before.outputs,
    now: now.outputs,
    changes: changes(before, now, order),
    pooled: { ...pooled, change: largestDifference(pooled.before, pooled.now) },
  };
}

export const rowOf = (outputs: Float32Array, row: number) =>
  outputs.subarray(row * vectorLength, (row + 1) * vectorLength);

/** The order that the figures begin with: the other sentence of the chapter's question. */
export function turnedRound(sentence: string): number[] {
  const words = splitWords(sentence);
  return swapped(validOrder([], words.length), ...endsOf(words));
}
