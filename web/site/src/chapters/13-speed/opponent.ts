// The opponent in the race: the same work in plain JavaScript, written as well as it goes. Flat typed arrays, tables made
// once, nothing allocated in a loop. This is the only file of the site that computes encodings itself; what it computes is
// compared with the library's numbers before it is timed.

const base = 10000;

/** θ_k = base^(-2k/dim) */
export const frequencies = (dim: number) => Float64Array.from({ length: dim / 2 }, (_, k) => base ** ((-2 * k) / dim));

/** Cosines and sines of position · frequency, [positions, pairs] each. */
export function makeTables(cos: Float32Array, sin: Float32Array, rates: Float64Array): void {
  const pairs = rates.length;
  for (let i = 0, position = 0; i < cos.length; position += 1)
    for (let k = 0; k < pairs; k += 1, i += 1) {
      const angle = position * rates[k];
      cos[i] = Math.cos(angle);
      sin[i] = Math.sin(angle);
    }
}

const block = 64;

/** Room for `sumTables`. */
export const sumScratch = (pairs: number) => ({
  nearCos: new Float64Array(block * pairs),
  nearSin: new Float64Array(block * pairs),
  farCos: new Float64Array(pairs),
  farSin: new Float64Array(pairs),
});

/**
 * The same numbers by cos(a + b) = cos a cos b − sin a sin b: cosines and sines are taken of every 64th position and of
 * the first 64 alone, in doubles; the others are put together from them. `cos` holds a multiple of 64 positions.
 */
export function sumTables(
  cos: Float32Array,
  sin: Float32Array,
  rates: Float64Array,
  { nearCos, nearSin, farCos, farSin }: ReturnType<typeof sumScratch>,
): void {
  const pairs = rates.length;
  for (let n = 0; n < nearCos.length; n += 1) {
    const angle = Math.floor(n / pairs) * rates[n % pairs];
    nearCos[n] = Math.cos(angle);
    nearSin[n] = Math.sin(angle);
  }
  for (let first = 0; first < cos.length; first += block * pairs) {
    for (let k = 0; k < pairs; k += 1) {
      const angle = (first / pairs) * rates[k];
      farCos[k] = Math.cos(angle);
      farSin[k] = Math.sin(angle);
    }
    for (let n = 0, i = first; n < nearCos.length;)
      for (let k = 0; k < pairs; k += 1, n += 1, i += 1) {
        cos[i] = farCos[k] * nearCos[n] - farSin[k] * nearSin[n];
        sin[i] = farSin[k] * nearCos[n] + farCos[k] * nearSin[n];
      }
  }
}

/** RoPE in place on x [heads, positions, dim] with ready tables [positions, dim / 2]; halves turn together. */
export function turn(x: Float32Array, cos: Float32Array, sin: Float32Array, dim: number): void {
  const pairs = dim / 2;
  // Heads stand one behind the other, so that the tables begin anew with each of them.
  for (let row = 0, table = 0; row < x.length; row += dim) {
    if (table === cos.length) table = 0;
    for (let low = row, high = row + pairs; low < row + pairs; low += 1, high += 1, table += 1) {
      const a = x[low];
      const b = x[high];
      const c = cos[table];
      const s = sin[table];
      x[low] = a * c - b * s;
      x[high] = a * s + b * c;
    }
  }
}

/** Sines and cosines beside each other, [positions, dim]. */
export function sinusoidalTable(positions: number, dim: number): Float32Array {
  const rates = frequencies(dim);
  return Float32Array.from({ length: positions * dim }, (_, i) => {
    const angle = Math.floor(i / dim) * rates[(i % dim) >> 1];
    return i % 2 ? Math.cos(angle) : Math.sin(angle);
  });
}

export function add(x: Float32Array, table: Float32Array): void {
  for (let i = 0; i < table.length; i += 1) x[i] += table[i];
}

/** −slope · distance from the farthest key before the query to the farthest after it, [heads, 2 · length − 1]. */
export function alibiLines(heads: number, length: number): Float32Array {
  const width = 2 * length - 1;
  // This rule of slopes is for a power of two of heads.
  return Float32Array.from(
    { length: heads * width },
    (_, i) => -(2 ** ((-8 * (Math.floor(i / width) + 1)) / heads)) * Math.abs((i % width) - (length - 1)),
  );
}

/** The whole bias [heads, length, length]: every row is a piece of its head's line, and copying is what browsers do best. */
export function spread(out: Float32Array, lines: Float32Array, heads: number, length: number): void {
  const width = 2 * length - 1;
  for (let head = 0, row = 0; head < heads; head += 1)
    for (let query = 0, first = head * width + length - 1; query < length; query += 1, row += length, first -= 1)
      out.set(lines.subarray(first, first + length), row);
}
