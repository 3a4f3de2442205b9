// What a mistake says and what is so, as rows of numbers; and what several of them compute.
import { withEncoding, type Posenc } from "../lib/engine.svelte.ts";
import { products } from "../lib/products.ts";
import { wordVector } from "../lib/words.ts";

/** In place of a number: the library refuses. */
export const outOfRange = Symbol("out-of-range");

export type Cell = number | string | typeof outOfRange;

/** Often written, and computed here. */
export type Row = [written: Cell, computed: Cell];

export type Checks = (pe: Posenc) => Row[];

type RopeSpec = Extract<Parameters<Posenc["create"]>[0], { kind: "rope" }>;

/** A row of the sinusoidal table. */
export const waves = (pe: Posenc, dim: number, position: number): Float32Array =>
  withEncoding(pe.create({ kind: "sinusoidal", dim }), (table) => table.table({ positions: [position] }).data.slice());

export const frequencies = (pe: Posenc, dim: number, base: number): Float64Array =>
  withEncoding(pe.create({ kind: "rope", dim, base }), (rope) => rope.inverseFrequencies.slice());

/** Tokens until the slowest pair is back where it was. */
export const longestWave = (pe: Posenc, dim: number, base: number): number =>
  (2 * Math.PI) / frequencies(pe, dim, base).at(-1)!;

export const dot = (pe: Posenc, one: Float32Array, other: Float32Array): number =>
  products(pe, one, other, one.length)[0];

/** The vectors of a word, turned to a position. */
export function turned(
  pe: Posenc,
  word: string,
  position: number,
  pairing: RopeSpec["pairing"] = "half",
): Float32Array {
  // Turned in place: the word's own vector is kept.
  const data = wordVector(word).slice();
  const x = { data, dims: [1, 1, 1, data.length] };
  return withEncoding(pe.create({ kind: "rope", dim: data.length, pairing }), (rope) =>
    rope.apply(x, { positions: [position] }).data.slice(),
  );
}

/** The score of a query and a key that stand at these positions. */
export const score = (pe: Posenc, query: number, key: number, pairing?: RopeSpec["pairing"]): number =>
  dot(pe, turned(pe, "query", query, pairing), turned(pe, "key", key, pairing));
