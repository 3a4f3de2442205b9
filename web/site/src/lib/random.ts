// Random numbers that are the same on every machine.

/** mulberry32: a small generator of evenly spread numbers in [0, 1). */
export function evenNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** Nearly normal numbers of mean 0 and variance 1: twelve even ones added up. */
export function randomNumbers(seed: number): () => number {
  const next = evenNumbers(seed);
  return () => {
    let sum = -6;
    for (let count = 0; count < 12; count += 1) sum += next();
    return sum;
  };
}
