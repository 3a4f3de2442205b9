// Demonstration data: a made-up vector for every word. None of it is an encoding.

export const vectorLength = 64;

/** FNV-1a: the same word gives the same number on every machine. */
function hash(word: string): number {
  let value = 0x811c9dc5;
  for (const character of word.toLowerCase()) {
    value = Math.imul(value ^ character.codePointAt(0)!, 0x01000193) >>> 0;
  }
  return value;
}

/** mulberry32: a small generator of evenly spread numbers in [0, 1). */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** What all word vectors have in common; real models' vectors share a large part too. */
export const sharedPart = 1;
const ownPart = 0.4;

const known = new Map<string, Float32Array>();

/** A part that all words share and a part of the word's own, drawn from the letters of the word. */
export function wordVector(word: string): Float32Array {
  const vector = known.get(word) ?? makeVector(word);
  known.set(word, vector);
  return vector;
}

function makeVector(word: string): Float32Array {
  const next = generator(hash(word));
  // Twelve even numbers make a nearly normal one.
  const normal = () => Array.from({ length: 12 }, next).reduce((sum, value) => sum + value, -6);
  return Float32Array.from({ length: vectorLength }, () => sharedPart + ownPart * normal());
}

/** One row per word. */
export function wordVectors(words: string[]): Float32Array {
  const rows = new Float32Array(words.length * vectorLength);
  words.forEach((word, row) => rows.set(wordVector(word), row * vectorLength));
  return rows;
}
