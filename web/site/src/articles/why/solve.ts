// Systems of linear equations whose matrix is symmetric and positive, as those of least squares are.

/** The lower triangle L of a matrix [size, size] that is L Lᵀ (Cholesky). */
function triangleOf(matrix: Float64Array, size: number): Float64Array {
  const lower = new Float64Array(size * size);
  for (let row = 0; row < size; row += 1)
    for (let column = 0; column <= row; column += 1) {
      let rest = matrix[row * size + column];
      for (let k = 0; k < column; k += 1) rest -= lower[row * size + k] * lower[column * size + k];
      lower[row * size + column] = row === column ? Math.sqrt(rest) : rest / lower[column * size + column];
    }
  return lower;
}

/** X of matrix · X = right, for matrix [size, size] and right [size, columns]. */
export function solve(matrix: Float64Array, right: Float64Array, size: number): Float64Array {
  const lower = triangleOf(matrix, size);
  const columns = right.length / size;
  const x = Float64Array.from(right);
  /** Takes from one row what another has to do with it. */
  const take = (row: number, other: number, factor: number) => {
    for (let at = 0; at < columns; at += 1) x[row * columns + at] -= factor * x[other * columns + at];
  };
  const divide = (row: number) => {
    for (let at = 0; at < columns; at += 1) x[row * columns + at] /= lower[row * size + row];
  };
  for (let row = 0; row < size; row += 1) {
    for (let k = 0; k < row; k += 1) take(row, k, lower[row * size + k]);
    divide(row);
  }
  for (let row = size - 1; row >= 0; row -= 1) {
    for (let k = row + 1; k < size; k += 1) take(row, k, lower[k * size + row]);
    divide(row);
  }
  return x;
}

/** aᵀ b of a [rows, width] and b [rows, columns]: [width, columns]. */
export function crossProducts(a: Float64Array, b: Float64Array, width: number, columns: number): Float64Array {
  const result = new Float64Array(width * columns);
  for (let row = 0; row < a.length / width; row += 1)
    for (let i = 0; i < width; i += 1) {
      const factor = a[row * width + i];
      for (let j = 0; j < columns; j += 1) result[i * columns + j] += factor * b[row * columns + j];
    }
  return result;
}

/** Adds a small part of the mean of the diagonal to it: what is nearly flat in a direction is not trusted there. */
export function steadied(matrix: Float64Array, size: number, part: number): Float64Array {
  let trace = 0;
  for (let i = 0; i < size; i += 1) trace += matrix[i * size + i];
  const result = Float64Array.from(matrix);
  for (let i = 0; i < size; i += 1) result[i * size + i] += (part * trace) / size;
  return result;
}
