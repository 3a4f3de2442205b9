// The four terms of every score in a sentence, and the score itself on another way.
import { withEncoding, type Posenc } from "../../lib/engine.svelte.ts";
import { largestDifference } from "../../lib/products.ts";
import type { Cut } from "../../lib/sentence.ts";
import { projections, rowsOf, wordRows, zeros, type Way } from "./vectors.ts";

export const dim = 64;

export interface TermSettings {
  sentence: string;
  cut: Cut;
  wordScale: number;
  positionScale: number;
  between: Way;
}

export const termNames = ["contentContent", "contentPosition", "positionContent", "positionPosition"] as const;

export interface Terms {
  terms: Record<(typeof termNames)[number], Float32Array>;
  score: Float32Array;
  /** Largest difference between the sum of the terms and the score. */
  error: number;
}

export function termsOf(pe: Posenc, words: string[], { wordScale, positionScale, between }: TermSettings): Terms {
  const length = words.length;
  const x = wordRows(pe, words, dim, wordScale);
  const rows = withEncoding(pe.create({ kind: "sinusoidal", dim }), (encoding) => encoding.table({ length }).data);
  const table = rowsOf(
    rows.map((value) => value * positionScale),
    dim,
  );
  const [wq, wk] = projections(pe, rowsOf(rows, dim), between);
  const made = pe.scoreTerms(x, table, wq, wk);
  const terms = Object.fromEntries(termNames.map((name) => [name, made[name].data])) as Terms["terms"];
  // The other way: words and positions are added first. A table of zeros leaves everything in the first term.
  const sums = withEncoding(pe.create({ kind: "learned", length, dim, weights: table.data }), (encoding) =>
    encoding.addTo(rowsOf(x.data.slice(), dim)),
  );
  const score = pe.scoreTerms(sums, zeros(length, dim), wq, wk).contentContent.data;
  const total = score.map((_, index) => termNames.reduce((sum, name) => sum + terms[name][index], 0));
  return { terms, score, error: largestDifference(total, score) };
}

export const meanSize = (data: Float32Array) => data.reduce((sum, value) => sum + Math.abs(value), 0) / data.length;
