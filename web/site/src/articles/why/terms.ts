// The four terms of every attention score in a model's first layer, and how much each of them moves the scores.
import type { Weight } from "../../lab/safetensors.ts";
import type { Posenc } from "../../lib/engine.svelte.ts";
import { width } from "./settings.ts";

export const headCount = 4;
export const headWidth = width / headCount;
export const termNames = ["contentContent", "contentPosition", "positionContent", "positionPosition"] as const;
export type TermName = (typeof termNames)[number];

/** Distances whose means are shown. */
export const distances = 32;
/** The first queries have hardly any keys to choose from. */
const firstQuery = distances;

export interface HeadTerms {
  /** How far the term varies over the keys of a query (standard deviation), averaged over the queries. */
  spread: Record<TermName, number>;
  /** By distance, how far the term is above its mean over all keys of the query. */
  byDistance: Record<TermName, Float32Array>;
}

export interface FirstLayer {
  norm: Weight;
  q: Weight;
  k: Weight;
}

const rowsOf = (data: Float32Array) => ({ data, dims: [data.length / width, width] });

/** The weights of one head: its rows. */
export const ofHead = ({ values }: Weight, head: number): Float32Array =>
  values.slice(head * headWidth * width, (head + 1) * headWidth * width);

/** Both parts of each sum, divided by the length of the sum as the layer's norm divides it (RMSNorm). */
function normalised(characters: Float32Array, positions: Float32Array, { values: norm }: Weight) {
  const scales = Float64Array.from({ length: characters.length / width }, (_, row) => {
    let squares = 0;
    for (let at = row * width; at < (row + 1) * width; at += 1) squares += (characters[at] + positions[at]) ** 2;
    return 1 / Math.sqrt(squares / width + 1e-6);
  });
  const scaled = (part: Float32Array) =>
    part.map((value, at) => value * scales[Math.floor(at / width)] * norm[at % width]);
  return { words: scaled(characters), places: scaled(positions) };
}

function measured(term: Float32Array, count: number) {
  const above = new Float32Array(distances);
  let spread = 0;
  for (let query = firstQuery; query < count; query += 1) {
    const row = term.subarray(query * count, query * count + query + 1);
    const mean = row.reduce((sum, value) => sum + value, 0) / row.length;
    spread += Math.sqrt(row.reduce((sum, value) => sum + (value - mean) ** 2, 0) / row.length);
    for (let distance = 0; distance < distances; distance += 1) above[distance] += row[query - distance] - mean;
  }
  const queries = count - firstQuery;
  return { spread: spread / queries, above: above.map((sum) => sum / queries) };
}

/** @param characters vectors of a text's characters [characters, width], and the rows that are added to them */
export function termsOf(pe: Posenc, characters: Float32Array, positions: Float32Array, layer: FirstLayer): HeadTerms[] {
  const count = characters.length / width;
  const { words, places } = normalised(characters, positions, layer.norm);
  return Array.from({ length: headCount }, (_, head) => {
    const [wq, wk] = [rowsOf(ofHead(layer.q, head)), rowsOf(ofHead(layer.k, head))];
    const made = pe.scoreTerms(rowsOf(words), rowsOf(places), wq, wk);
    const found = termNames.map((name) => {
      const data = Float32Array.from(made[name].data, (value) => value / Math.sqrt(headWidth));
      return [name, measured(data, count)] as const;
    });
    return {
      spread: Object.fromEntries(found.map(([name, { spread }]) => [name, spread])) as HeadTerms["spread"],
      byDistance: Object.fromEntries(found.map(([name, { above }]) => [name, above])) as HeadTerms["byDistance"],
    };
  });
}
