// Scores of rotated queries and keys, whole or pair by pair. The library turns them.
import { dots } from "../../lib/dots.ts";
import { withEncoding, type Posenc } from "../../lib/engine.svelte.ts";
import { vectorLength } from "../../lib/words.ts";

export type Layout = "half" | "interleaved";
export const pairs = vectorLength / 2;

/** Where the two numbers of a pair stand. */
export const placesOf = (pair: number, layout: Layout, count = pairs): [number, number] =>
  layout === "half" ? [pair, pair + count] : [2 * pair, 2 * pair + 1];

interface Turning {
  base?: number;
  layout?: Layout;
  /** How many of the numbers turn; 0: none of them. */
  rotaryDim?: number;
}

/** The vector at each of the positions, row by row. */
export function turned(
  pe: Posenc,
  vector: ArrayLike<number>,
  positions: number[],
  options: Turning = {},
): Float32Array {
  const { base = 10000, layout = "half", rotaryDim = vectorLength } = options;
  const data = new Float32Array(positions.length * vectorLength);
  positions.forEach((_, row) => data.set(vector, row * vectorLength));
  if (rotaryDim === 0) return data;
  const spec = { kind: "rope", dim: vectorLength, base, pairing: layout, rotaryDim } as const;
  return withEncoding(pe.create(spec), (rope) => {
    const x = { data, dims: [1, 1, positions.length, vectorLength] };
    return rope.apply(x, { positions }).data;
  });
}

/** Dot products of one vector with each row of a table. */
export const products = (vector: ArrayLike<number>, rows: Float32Array): Float32Array =>
  dots(vector, rows, vectorLength);

/** The vector with everything but one part of it set to 0. */
export function only(vector: ArrayLike<number>, isKept: (place: number) => boolean): Float32Array {
  return Float32Array.from({ length: vectorLength }, (_, place) => (isKept(place) ? vector[place] : 0));
}

/** What each pair adds to the score of two rotated vectors. */
export function shares(query: Float32Array, key: Float32Array): Float32Array {
  const rows = new Float32Array(pairs * vectorLength);
  for (let pair = 0; pair < pairs; pair += 1)
    rows.set(
      only(key, (place) => place % pairs === pair),
      pair * vectorLength,
    );
  return products(query, rows);
}
