// Weights set by hand, and small noise of the kind that training leaves.

/** The same small numbers each time. */
export function noise(count, size, seed) {
  let state = seed >>> 0;
  return Float32Array.from({ length: count }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return size * ((state >>> 8) / 2 ** 23 - 1);
  });
}

/** A matrix [rows, columns] of noise with some numbers set: [[row, column, value], …]. */
export function matrix(rows, columns, seed, entries = [], size = 0.01) {
  const data = noise(rows * columns, size, seed);
  for (const [row, column, value] of entries) data[row * columns + column] = value;
  return { data, dims: [rows, columns] };
}
