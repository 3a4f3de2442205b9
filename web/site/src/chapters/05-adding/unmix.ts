// Which word and which position are in a sum? Dot products with all words and all positions, and who is highest.
import { dots } from "../../lib/dots.ts";
import { withEncoding, type Posenc } from "../../lib/engine.svelte.ts";
import { randomRows } from "../../lib/products.ts";

export const count = 64;
const seed = 5;

export interface Rates {
  word: number;
  position: number;
  /** To within one place. */
  near: number;
}

export interface Unmixing {
  /** What was added, and what came of it. */
  word: Float32Array;
  position: Float32Array;
  sum: Float32Array;
  /** Dot products of the sum with all words and with all positions. */
  words: Float32Array;
  positions: Float32Array;
  rates: Rates;
}

/** Where the highest of some values stands, told one by one. */
function highestOf(value: (at: number) => number): number {
  let best = 0;
  let top = value(0);
  for (let at = 1; at < count; at += 1) {
    const one = value(at);
    if (one > top) [best, top] = [at, one];
  }
  return best;
}

export const highest = (values: Float32Array) => highestOf((at) => values[at]);

/** The sum of one word and one position, compared with all words and with all positions. */
export function unmix(pe: Posenc, dim: number, wordScale: number, word: number, position: number): Unmixing {
  const words = randomRows(pe, count, dim, wordScale, seed);
  return withEncoding(pe.create({ kind: "sinusoidal", dim }), (encoding) => {
    const table = encoding.table({ length: count }).data;
    const sum = { data: words.slice(word * dim, (word + 1) * dim), dims: [1, dim] };
    encoding.addTo(sum, { positions: [position] });
    return {
      word: words.slice(word * dim, (word + 1) * dim),
      position: table.slice(position * dim, (position + 1) * dim),
      sum: sum.data,
      words: dots(sum.data, words, dim),
      positions: dots(sum.data, table, dim),
      rates: ratesOf(words, table, dim),
    };
  });
}

/** How many of all sums are taken apart: a product with a sum is the sum of two products. */
function ratesOf(words: Float32Array, table: Float32Array, dim: number): Rates {
  const wordWord = dots(words, words, dim);
  const wordPosition = dots(words, table, dim);
  const positionPosition = dots(table, table, dim);
  const found = { word: 0, position: 0, near: 0 };
  for (let word = 0; word < count; word += 1) {
    for (let position = 0; position < count; position += 1) {
      const foundWord = highestOf((at) => wordWord[word * count + at] + wordPosition[at * count + position]);
      const place = highestOf((at) => wordPosition[word * count + at] + positionPosition[position * count + at]);
      if (foundWord === word) found.word += 1;
      if (place === position) found.position += 1;
      if (Math.abs(place - position) <= 1) found.near += 1;
    }
  }
  const all = count * count;
  return { word: found.word / all, position: found.position / all, near: found.near / all };
}
