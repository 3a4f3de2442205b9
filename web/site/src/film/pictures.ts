// The numbers of the film's pictures, each at a time of its scene. Positions and rotations are the library's.
import { dots } from "../lib/dots.ts";
import { withEncoding, type Posenc } from "../lib/engine.svelte.ts";
import { attendPlainly } from "../lib/plain-attention.ts";
import { vectorLength } from "../lib/words.ts";
import { glide } from "./script.ts";
import type { FilmText } from "./text.en.ts";

/** What each scene draws from: the library, its words and the seconds since it began. */
export interface Scene {
  pe: Posenc;
  text: FilmText["picture"];
  t: number;
}

/** What attention without positions makes of one word of a sentence: its first 25 numbers. */
export function outputOf(pe: Posenc, words: string[], word: string): Float32Array {
  const { outputs } = attendPlainly(pe, words, "none");
  const start = words.indexOf(word) * vectorLength;
  return outputs.slice(start, start + 25);
}

/** Counting: from the first to the 1000th position, ever faster. */
export const highest = 1000;
export const countAt = (t: number): number => Math.round(highest ** glide(t, 6.3, 11.2));

export const counted = (pe: Posenc, position: number): number =>
  withEncoding(pe.create({ kind: "integer" }), (one) => one.table({ positions: [position] }).data[0]);

/** Lengths of the two texts whose positions are squeezed into 0 … 1. */
export const lengths = [5, 17];

export const squeezed = (pe: Posenc, length: number): Float32Array =>
  withEncoding(pe.create({ kind: "normalized" }), (one) => one.table({ length }).data.slice());

export interface Hand {
  cos: number;
  sin: number;
}

export const clocks = 6;
const clockSpec = { kind: "sinusoidal", dim: 2 * clocks, base: 60 } as const;

/** The hands of each position, from the quickest clock to the slowest. Between two positions hands are between, too. */
export function handsAt(pe: Posenc, positions: number[]): Hand[][] {
  const data = withEncoding(pe.create(clockSpec), (one) => one.table({ positions }).data);
  return positions.map((_, row) =>
    Array.from({ length: clocks }, (_, clock) => {
      const at = 2 * (row * clocks + clock);
      return { sin: data[at], cos: data[at + 1] };
    }),
  );
}

/** The mean cosine between the hands of two positions, 1 for the same. */
export function likeness(pe: Posenc, a: number, b: number): number {
  const [first, second] = handsAt(pe, [a, b]).map((row) => row.flatMap(({ cos, sin }) => [cos, sin]));
  return dots(first, second, 2 * clocks)[0] / clocks;
}

/** The positions that are compared: a word, its neighbour, and one far off. */
export const compared = [7, 8, 20];

/** Where the single row of clocks has come to. */
export const runningAt = (t: number): number => 20 * glide(t, 0.6, 6.6);

/** Query and key: where they are, and by how much both move on. */
export const places = { query: 3, key: 5, shift: 100 };

/** The positions of query and key: from the start to their own, and later a hundred further. */
export function placesAt(t: number): [query: number, key: number] {
  const shift = places.shift * glide(t, 11.7, 16);
  return [places.query * glide(t, 1, 3.4) + shift, places.key * glide(t, 1.4, 4.6) + shift];
}

const ropeSpec = { kind: "rope", dim: 4, base: 20, pairing: "interleaved" } as const;

export interface Turned {
  query: Hand;
  key: Hand;
  /** Degrees from the query to the key. */
  angle: number;
  /** What the pair adds to the score. */
  score: number;
}

/** A query and a key of length 1 that point the same way, turned to two positions: the slower of two pairs. */
export function turnedTo(pe: Posenc, positions: [number, number]): Turned {
  const x = { data: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1), dims: [1, 1, 2, 4] };
  const data = withEncoding(pe.create(ropeSpec), (rope) => rope.apply(x, { positions }).data);
  const query = { cos: data[2], sin: data[3] };
  const key = { cos: data[6], sin: data[7] };
  const score = query.cos * key.cos + query.sin * key.sin;
  const cross = query.cos * key.sin - query.sin * key.cos;
  return { query, key, score, angle: (Math.atan2(cross, score) * 180) / Math.PI };
}
