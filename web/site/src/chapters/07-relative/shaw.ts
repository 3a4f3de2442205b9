// Distances of words, clipped as Shaw's encoding clips them; and that encoding on a sentence: which row of its table each pair of words reads, and what scores come of it.
import { withEncoding, type Posenc } from "../../lib/engine.svelte.ts";
import { vectorLength, wordVectors } from "../../lib/words.ts";

export const views = ["pairs", "distances", "clipped"] as const;
export type View = (typeof views)[number];

export interface Cases {
  /** Which case each pair of words is, row by row: queries down, keys across. */
  rows: Int32Array;
  /** The largest distance that is told from larger ones. */
  farthest: number;
}

/** -9 … 9 for all pairs of ten words, row by row. */
const distancesOf = (words: number) =>
  Array.from({ length: words * words }, (_, at) => (at % words) - Math.floor(at / words));

const rowOfWords = (words: number) =>
  ({ kind: "swin", heads: 1, windowHeight: 1, windowWidth: words, std: 0 }) as const;
const shawOf = (clip: number) => ({ kind: "shaw", dim: 1, maxDistance: clip, std: 0 }) as const;

export interface ClipSettings {
  words: number;
  clip: number;
  same: boolean;
  content: boolean;
}

export interface ClippedPairs {
  /** Row of the table for each pair, row by row: queries down, keys across. */
  rows: Int32Array;
  scores: Float32Array;
  /** Vectors in the table of the keys. */
  vectors: number;
}

/** Every pair of positions is a case of its own; or every distance, as a window of one row of words numbers them. */
export function casesOf(pe: Posenc, view: "pairs" | "distances", words: number): Cases {
  const farthest = words - 1;
  if (view === "pairs") return { rows: Int32Array.from({ length: words * words }, (_, at) => at), farthest };
  // The window counts from the key to the query.
  const rows = withEncoding(pe.create(rowOfWords(words)), (window) =>
    window.buckets({ queries: words, keys: words }).data.map((row) => 2 * farthest - row),
  );
  return { rows, farthest };
}

/** Shaw's: distances farther than `clip` are one case. */
export const clippedCases = (pe: Posenc, words: number, clip: number): Cases => ({
  rows: withEncoding(pe.create(shawOf(clip)), (shaw) => shaw.bucketOf(distancesOf(words))),
  farthest: clip,
});

/** How many cases a text of so many words may have. */
export function caseCount(pe: Posenc, view: "pairs" | "distances", words: number): number {
  if (view === "pairs") return words * words;
  return withEncoding(pe.create(rowOfWords(words)), (window) => window.parameters.weights.dims[0]);
}

export const clippedCount = (pe: Posenc, clip: number): number =>
  withEncoding(pe.create(shawOf(clip)), (shaw) => shaw.parameters.keys.dims[0]);

export function clippedPairs(pe: Posenc, sentence: string[], settings: ClipSettings): ClippedPairs {
  const { words: count, clip, same, content } = settings;
  const words = sentence.slice(0, count);
  const data = wordVectors(same ? words.map(() => words[0]) : words);
  const x = { data, dims: [1, 1, count, vectorLength] };
  // Keys of zeros leave the positions' part alone.
  const k = content ? x : { data: new Float32Array(data.length), dims: x.dims };
  return withEncoding(pe.create({ kind: "shaw", dim: vectorLength, maxDistance: clip, std: 0.1, seed: 3 }), (shaw) => ({
    rows: shaw.bucketOf(distancesOf(count)),
    scores: shaw.logits(x, k).data,
    vectors: shaw.parameters.keys.dims[0],
  }));
}
