// A longer text through attention: its words, and where each of them looks, in four made-up heads.
import { withEncoding, type Posenc } from "../../lib/engine.svelte.ts";
import { vectorLength, wordVector, sharedPart } from "../../lib/words.ts";

export const mostWords = 240;
export const mostCharacters = 1600;

export interface Piece {
  text: string;
  /** The word's place; undefined for what stands between words. */
  word?: number;
}

const isWord = (text: string) => /[\p{L}\p{N}]/u.test(text);

/** The text in pieces, words and what is between them; Chinese is cut into words where the browser has a list of them. */
export function piecesOf(text: string): Piece[] {
  const pieces =
    typeof Intl !== "undefined" && "Segmenter" in Intl
      ? Array.from(new Intl.Segmenter("zh", { granularity: "word" }).segment(text), ({ segment }) => segment)
      : (text.match(/[\p{Script=Han}]|[\p{L}\p{N}’']+|[^\p{L}\p{N}]+/gu) ?? []);
  let count = 0;
  return pieces.map((piece) => {
    if (!isWord(piece) || count >= mostWords) return { text: piece };
    count += 1;
    return { text: piece, word: count - 1 };
  });
}

export const wordsOf = (pieces: Piece[]) =>
  pieces.filter(({ word }) => word !== undefined).map(({ text }) => text.toLowerCase());

/**
 * How much of what all words share, and of what is the word's own, each head sees. The first can only look at positions,
 * the last only for words.
 */
export const heads = [
  { shared: 1.2, own: 0 },
  { shared: 1, own: 0.5 },
  { shared: 0.7, own: 1.1 },
  { shared: 0, own: 1.6 },
] as const;

/** Word vectors of one head, [words, vectorLength]. */
function rowsOf(words: string[], { shared, own }: (typeof heads)[number]): Float32Array {
  const rows = new Float32Array(words.length * vectorLength);
  words.forEach((word, row) =>
    wordVector(word).forEach((value, place) => {
      rows[row * vectorLength + place] = shared * sharedPart + own * (value - sharedPart);
    }),
  );
  return rows;
}

export interface Reading {
  /** [heads, words, words] */
  rope: Float32Array;
  none: Float32Array;
}

export function readText(pe: Posenc, words: string[], causal: boolean): Reading {
  const data = new Float32Array(heads.length * words.length * vectorLength);
  heads.forEach((head, index) => data.set(rowsOf(words, head), index * words.length * vectorLength));
  const x = { data, dims: [1, heads.length, words.length, vectorLength] };
  return {
    rope: withEncoding(
      pe.create({ kind: "rope", dim: vectorLength }),
      (encoding) => pe.attentionWeights(x, x, { causal, encoding }).data,
    ),
    none: pe.attentionWeights(x, x, { causal }).data,
  };
}

/** Where one word looks: its row of one head. */
export function rowOf(weights: Float32Array, head: number, word: number, count: number): Float32Array {
  const start = (head * count + word) * count;
  return weights.subarray(start, start + count);
}

/** The places with the largest weights, apart from the word itself. */
export function strongest(row: Float32Array, word: number, count: number): number[] {
  const places = Array.from(row.keys()).filter((place) => place !== word && row[place] > 0);
  return places.sort((one, other) => row[other] - row[one] || other - one).slice(0, count);
}
