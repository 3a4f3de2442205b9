// The attention that the figures show. All numbers come from the library; here words become its input.
import { withEncoding, type Posenc } from "./engine.svelte.ts";
import { vectorLength, wordVectors } from "./words.ts";

export const methods = ["none", "sinusoidal", "rope", "alibi"] as const;
export type Method = (typeof methods)[number];
export const alibiHeads = 8;

export interface Setting {
  causal: boolean;
  /** Position of the first word. */
  shift: number;
  /** Which of ALiBi's heads, from 1. */
  head: number;
}

export interface Outcome {
  /** [words, words] */
  weights: Float32Array;
  /** [words, vectorLength] */
  outputs: Float32Array;
}

const tensor = (data: Float32Array, count: number, heads = 1) => ({ data, dims: [1, heads, count, vectorLength] });

/** The word's vector serves as query, key and value: what changes between two runs is the positions alone. */
export function attend(pe: Posenc, words: string[], method: Method, setting: Setting): Outcome {
  const { causal, shift } = setting;
  const count = words.length;
  const x = tensor(wordVectors(words), count);
  const run = (options: object): Outcome => ({
    weights: pe.attentionWeights(x, x, options).data,
    outputs: pe.attention(x, x, x, options).data,
  });
  switch (method) {
    case "none":
      return run({ causal });
    case "sinusoidal":
      return withEncoding(pe.create({ kind: "sinusoidal", dim: vectorLength }), (encoding) => {
        encoding.addTo(x, { offset: shift });
        return run({ causal });
      });
    case "rope":
      return withEncoding(pe.create({ kind: "rope", dim: vectorLength }), (encoding) =>
        run({ causal, encoding, at: { offset: shift } }),
      );
    case "alibi":
      return attendWithAlibi(pe, words, setting);
  }
}

/** ALiBi gives every head a slope of its own: the words go to all heads, and one is looked at. */
function attendWithAlibi(pe: Posenc, words: string[], { causal, shift, head }: Setting): Outcome {
  const count = words.length;
  const rows = wordVectors(words);
  const copies = new Float32Array(rows.length * alibiHeads);
  for (let copy = 0; copy < alibiHeads; copy += 1) copies.set(rows, copy * rows.length);
  const x = tensor(copies, count, alibiHeads);
  return withEncoding(pe.create({ kind: "alibi", heads: alibiHeads }), (encoding) => {
    const options = { causal, encoding, at: { offset: shift } };
    const slice = (data: Float32Array, size: number) => data.slice((head - 1) * size, head * size);
    return {
      weights: slice(pe.attentionWeights(x, x, options).data, count * count),
      outputs: slice(pe.attention(x, x, x, options).data, rows.length),
    };
  });
}

export function largestDifference(one: ArrayLike<number>, other: ArrayLike<number>): number {
  let largest = 0;
  for (let index = 0; index < one.length; index += 1) largest = Math.max(largest, Math.abs(one[index] - other[index]));
  return largest;
}

/** Differences below this are the rounding of sums in another order. */
export const sameWithin = 1e-5;

/** For each place: how far the output of the word there is from that word's output in the original order. */
export function changes(before: Outcome, after: Outcome, order: number[]): number[] {
  const row = (outputs: Float32Array, index: number) =>
    outputs.subarray(index * vectorLength, (index + 1) * vectorLength);
  return order.map((word, place) => largestDifference(row(before.outputs, word), row(after.outputs, place)));
}

/** The first place is word 0, the second word 1 …; or the reader's order, if it fits the sentence. */
export function validOrder(order: number[], count: number): number[] {
  const fits = order.length === count && order.every((word) => word < count);
  return fits ? order : Array.from({ length: count }, (_, index) => index);
}

export function swapped(order: number[], first: number, second: number): number[] {
  const result = [...order];
  [result[first], result[second]] = [order[second], order[first]];
  return result;
}

/** The two words whose swap turns "the dog bites the man" round: the first and last that are not articles. */
export function endsOf(arranged: string[]): [number, number] {
  const places = arranged.flatMap((word, place) => (/^(the|a|an)$/i.test(word) ? [] : [place]));
  return places.length > 1 ? [places[0], places[places.length - 1]] : [0, arranged.length - 1];
}
