// The three directions in which the rows of a table differ most, and where the rows lie along them (principal components).

export interface Principal {
  /** Three numbers for each row. */
  points: Float64Array;
  /** Of all that the rows differ (their variance), the share that lies along each direction. */
  shares: number[];
}

const drawn = 3;
/** More than are drawn are followed, so that those that are drawn settle quickly. */
const followed = 8;
const rounds = 80;

function centred(rows: ArrayLike<number>, width: number): Float64Array {
  const count = rows.length / width;
  const means = new Float64Array(width);
  for (let index = 0; index < rows.length; index += 1) means[index % width] += rows[index] / count;
  return Float64Array.from(rows, (value, index) => value - means[index % width]);
}

/** Sums over the rows of the products of each two columns [width, width]. */
function products(rows: Float64Array, width: number): Float64Array {
  const result = new Float64Array(width * width);
  for (let start = 0; start < rows.length; start += width)
    for (let i = 0; i < width; i += 1)
      for (let j = 0; j < width; j += 1) result[i * width + j] += rows[start + i] * rows[start + j];
  return result;
}

const dot = (a: Float64Array, b: Float64Array, from = 0) => b.reduce((sum, value, i) => sum + a[from + i] * value, 0);

/** Takes from each vector what lies along those before it, and makes its length 1. */
function straighten(vectors: Float64Array[]): void {
  vectors.forEach((vector, index) => {
    for (const earlier of vectors.slice(0, index)) {
      const along = dot(vector, earlier);
      for (let i = 0; i < vector.length; i += 1) vector[i] -= along * earlier[i];
    }
    // Where the rows have fewer directions than are followed, nothing is left.
    const length = Math.hypot(...vector) || 1;
    for (let i = 0; i < vector.length; i += 1) vector[i] /= length;
  });
}

/** The vectors that a symmetric matrix stretches most, by repeated multiplication. */
function strongest(matrix: Float64Array, width: number): Float64Array[] {
  let vectors = Array.from({ length: Math.min(followed, width) }, (_, k) =>
    Float64Array.from({ length: width }, (_, i) => Math.sin(i * (k + 1) + k)),
  );
  for (let round = 0; round < rounds; round += 1) {
    straighten(vectors);
    vectors = vectors.map((vector) => Float64Array.from({ length: width }, (_, i) => dot(matrix, vector, i * width)));
  }
  straighten(vectors);
  return vectors.slice(0, drawn);
}

export function principal(table: ArrayLike<number>, width: number): Principal {
  const rows = centred(table, width);
  const directions = strongest(products(rows, width), width);
  const count = rows.length / width;
  const points = new Float64Array(count * drawn);
  for (let row = 0; row < count; row += 1)
    directions.forEach((direction, k) => (points[row * drawn + k] = dot(rows, direction, row * width)));
  const all = dot(rows, rows);
  const shares = directions.map((_, k) => {
    let sum = 0;
    for (let row = 0; row < count; row += 1) sum += points[row * drawn + k] ** 2;
    return sum / all;
  });
  return { points, shares };
}
