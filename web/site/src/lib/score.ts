// The score of one query and one key under RoPE, by where they stand.
import { withEncoding, type Posenc } from "./engine.svelte.ts";
import { vectorLength, wordVector } from "./words.ts";

/** Row 0: the query; the other rows: the same key again and again. */
function rows(query: string, key: string, keys: number): Float32Array {
  const data = new Float32Array((keys + 1) * vectorLength);
  data.set(wordVector(query));
  const keyVector = wordVector(key);
  for (let row = 1; row <= keys; row += 1) data.set(keyVector, row * vectorLength);
  return data;
}

/**
 * Scores of the query at `queryPosition` with the key at each of `keyPositions`: all are rotated by the library
 * and multiplied by it; the first row of the products is what is asked for.
 */
export function scores(
  pe: Posenc,
  base: number,
  words: { query: string; key: string },
  queryPosition: number,
  keyPositions: number[],
): Float32Array {
  const count = keyPositions.length;
  const x = { data: rows(words.query, words.key, count), dims: [1, 1, count + 1, vectorLength] };
  withEncoding(pe.create({ kind: "rope", dim: vectorLength, base }), (rope) =>
    rope.apply(x, { positions: [queryPosition, ...keyPositions] }),
  );
  return pe.similarity({ data: x.data, dims: [count + 1, vectorLength] }).data.slice(1, count + 1);
}
