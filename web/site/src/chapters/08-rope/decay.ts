// How scores go with distance on average, over many made-up words; and how far the sum of all cosines stays above zero.
import { withEncoding, type Posenc } from "../../lib/engine.svelte.ts";
import { sharedPart, vectorLength, wordVector } from "../../lib/words.ts";

export const averaged = { words: 100, distances: 129 } as const;

/** The word’s vector, or what it has of its own: numbers that are zero on average. */
export function vectorOf(word: string, zeroMean: boolean): Float32Array {
  const vector = wordVector(word);
  return zeroMean ? vector.map((value) => value - sharedPart) : vector;
}

const numbered = (name: string, zeroMean: boolean) =>
  Array.from({ length: averaged.words }, (_, index) => vectorOf(`${name} ${index}`, zeroMean));

/** Mean score of queries at position 0 with keys at each distance. */
function meanScores(pe: Posenc, queries: Float32Array[], keys: Float32Array[]): Float32Array {
  const { words, distances } = averaged;
  const size = distances * vectorLength;
  const data = new Float32Array(words * size);
  keys.forEach((key, word) => {
    for (let row = 0; row < distances; row += 1) data.set(key, word * size + row * vectorLength);
  });
  withEncoding(pe.create({ kind: "rope", dim: vectorLength }), (rope) =>
    rope.apply({ data, dims: [1, words, distances, vectorLength] }, { offset: 0 }),
  );
  const sums = new Float32Array(distances);
  queries.forEach((query, word) => {
    for (let row = 0; row < distances; row += 1)
      for (let place = 0; place < vectorLength; place += 1)
        sums[row] += query[place] * data[word * size + row * vectorLength + place];
  });
  return sums.map((sum) => sum / words);
}

/** Averages over a hundred pairs of different words, and over as many words with themselves. */
export function decay(pe: Posenc, zeroMean: boolean): { different: Float32Array; same: Float32Array } {
  const [queries, keys] = [numbered("query", zeroMean), numbered("key", zeroMean)];
  return { different: meanScores(pe, queries, keys), same: meanScores(pe, queries, queries) };
}

/** The head of most language models, and the farthest distance that is looked at. */
export const headDim = 128;
export const farthest = 32768;

export interface Reach {
  /** Mean cosine at distances 0, 1, 2 …, as far as it was computed. */
  profile: Float32Array;
  /** The first distance at which it is negative; undefined where there is none. */
  first: number | undefined;
}

/** Computes twice as far each time, until four times as far as the first negative mean: small bases are quick. */
export function reachOf(pe: Posenc, base: number): Reach {
  return withEncoding(pe.create({ kind: "rope", dim: headDim, base }), (rope) => {
    for (let maxDistance = 1024; ; maxDistance *= 2) {
      const profile = pe.distanceProfile(rope, { maxDistance }).data;
      const first = profile.findIndex((value) => value < 0);
      const isDone = maxDistance >= farthest || (first >= 0 && maxDistance >= 4 * first);
      if (isDone) return { profile, first: first < 0 ? undefined : first };
    }
  });
}
