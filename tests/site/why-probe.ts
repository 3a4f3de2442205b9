// The probe of the article, written down once more from its definition: plain arrays, and an inverse by Gauss and Jordan.

/** A float16 as a number. */
export function half(bits: number): number {
  const [sign, exponent, fraction] = [bits >> 15 ? -1 : 1, (bits >> 10) & 31, bits & 1023];
  return sign * (exponent ? (1 + fraction / 1024) * 2 ** (exponent - 15) : fraction * 2 ** -24);
}

/** sin and cos of position / 10000^(2i/dim), side by side. */
export function sinusoids(length: number, dim: number): number[] {
  return Array.from({ length: length * dim }, (_, at) => {
    const [position, column] = [Math.floor(at / dim), at % dim];
    const angle = position / 10000 ** ((column - (column % 2)) / dim);
    return column % 2 ? Math.cos(angle) : Math.sin(angle);
  });
}

type Rows = number[][];

function inverse(matrix: Rows): Rows {
  const size = matrix.length;
  const work = matrix.map((row, i) => [...row, ...Array.from({ length: size }, (_, j) => (i === j ? 1 : 0))]);
  for (let pivot = 0; pivot < size; pivot += 1) {
    const divisor = work[pivot]![pivot]!;
    work[pivot] = work[pivot]!.map((value) => value / divisor);
    for (let row = 0; row < size; row += 1) {
      const factor = work[row]![pivot]!;
      if (row !== pivot && factor) work[row] = work[row]!.map((value, at) => value - factor * work[pivot]![at]!);
    }
  }
  return work.map((row) => row.slice(size));
}

const dot = (a: number[], b: number[]) => a.reduce((sum, value, i) => sum + value * b[i]!, 0);

/** Weights Σ⁻¹ p and constants -½ pᵀ Σ⁻¹ p - μᵀ Σ⁻¹ p, for the mean μ and the covariance Σ of what the rows p are added to. */
export function layerOf(wanted: Rows, others: Rows): { weights: Rows; added: number[] } {
  const size = wanted[0]!.length;
  const axes = Array.from({ length: size }, (_, i) => i);
  const mean = axes.map((i) => others.reduce((sum, row) => sum + row[i]!, 0) / others.length);
  const centred = axes.map((i) => others.map((row) => row[i]! - mean[i]!));
  const covariance = axes.map((i) => axes.map((j) => dot(centred[i]!, centred[j]!) / others.length));
  const trace = axes.reduce((sum, i) => sum + covariance[i]![i]!, 0);
  for (const i of axes) covariance[i]![i]! += (1e-3 * trace) / size;
  const inverted = inverse(covariance);
  const weights = wanted.map((row) => inverted.map((line) => dot(line, row)));
  return { weights, added: wanted.map((row, at) => -dot(row, weights[at]!) / 2 - dot(mean, weights[at]!)) };
}

/** For each sum the row that matches best. */
export const positionsRead = (sums: Rows, rows: Rows, added?: number[]): number[] =>
  sums.map((sum) => {
    const scores = rows.map((row, at) => dot(sum, row) + (added?.[at] ?? 0));
    return scores.indexOf(Math.max(...scores));
  });
