// Shaw's encoding on a sentence: which row of its table each pair of words reads, and what scores come of it.
import { withEncoding, type Posenc } from "../../lib/engine.svelte.ts";
import { vectorLength, wordVectors } from "../../lib/words.ts";

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

export function clippedPairs(pe: Posenc, sentence: string[], settings: ClipSettings): ClippedPairs {
  const { words: count, clip, same, content } = settings;
  const words = sentence.slice(0, count);
  const data = wordVectors(same ? words.map(() => words[0]) : words);
  const x = { data, dims: [1, 1, count, vectorLength] };
  // Keys of zeros leave the positions' part alone.
  const k = content ? x : { data: new Float32Array(data.length), dims: x.dims };
  const distances = Array.from({ length: count * count }, (_, index) => (index % count) - Math.floor(index / count));
  return withEncoding(pe.create({ kind: "shaw", dim: vectorLength, maxDistance: clip, std: 0.1, seed: 3 }), (shaw) => ({
    rows: shaw.bucketOf(distances),
    scores: shaw.logits(x, k).data,
    vectors: shaw.parameters.keys.dims[0],
  }));
}
