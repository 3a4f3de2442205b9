// Dot products without the library, for figures that do not wait for the part of it that multiplies.

/** A Bᵀ for A [n, width] and B [m, width]: the dot product of each row of A with each row of B, [n, m]. */
export function dots(a: ArrayLike<number>, b: ArrayLike<number>, width: number): Float32Array {
  const [rows, columns] = [a.length / width, b.length / width];
  return Float32Array.from({ length: rows * columns }, (_, at) => {
    const [first, second] = [Math.floor(at / columns) * width, (at % columns) * width];
    let sum = 0;
    for (let index = 0; index < width; index += 1) sum += a[first + index] * b[second + index];
    return sum;
  });
}
