// Weights that learn: products with them, the way back through these, and Adam.
import { linear } from "../linear.ts";

export class Weights {
  readonly gradient: Float32Array;
  /** Adam's running means of the gradient and of its square. */
  private readonly means: Float32Array;
  private readonly squares: Float32Array;

  /** Numbers [outs, ins]. */
  constructor(
    readonly shape: [outs: number, ins: number],
    readonly values: Float32Array,
  ) {
    this.gradient = new Float32Array(values.length);
    this.means = new Float32Array(values.length);
    this.squares = new Float32Array(values.length);
  }

  /** x [rows, ins] to [rows, outs]. */
  apply(x: Float32Array): Float32Array {
    return linear(x, this);
  }

  /** Adds to the gradient what comes back to the result of `apply(x)`, and answers what comes back to x. */
  back(x: Float32Array, gradient: Float32Array): Float32Array {
    const [outs, ins] = this.shape;
    const rows = x.length / ins;
    const inputs = { shape: [ins, rows], values: transposed(x, rows, ins) };
    const own = linear(transposed(gradient, rows, outs), inputs);
    for (let i = 0; i < own.length; i += 1) this.gradient[i] += own[i];
    return linear(gradient, { shape: [ins, outs], values: transposed(this.values, outs, ins) });
  }

  /** A step of Adam, the `count`th from 1 on; the gradient begins anew. Source: Kingma & Ba 2014, arXiv:1412.6980. */
  step(learningRate: number, count: number): void {
    const { values, gradient, means, squares } = this;
    const [meanShare, squareShare] = [0.9, 0.999];
    const rate = (learningRate * Math.sqrt(1 - squareShare ** count)) / (1 - meanShare ** count);
    for (let i = 0; i < values.length; i += 1) {
      const slope = gradient[i];
      means[i] = meanShare * means[i] + (1 - meanShare) * slope;
      squares[i] = squareShare * squares[i] + (1 - squareShare) * slope * slope;
      values[i] -= (rate * means[i]) / (Math.sqrt(squares[i]) + 1e-8);
    }
    gradient.fill(0);
  }
}

export function transposed(x: Float32Array, rows: number, columns: number): Float32Array {
  const result = new Float32Array(x.length);
  for (let row = 0; row < rows; row += 1)
    for (let column = 0; column < columns; column += 1) result[column * rows + row] = x[row * columns + column];
  return result;
}

/** Each row divided by the root of its mean square. Source: Zhang & Sennrich 2019, arXiv:1910.07467, without weights. */
export function normalized(x: Float32Array, width: number): Float32Array {
  const result = new Float32Array(x.length);
  for (let start = 0; start < x.length; start += width) {
    const scale = scaleOf(x, start, width);
    for (let i = start; i < start + width; i += 1) result[i] = x[i] * scale;
  }
  return result;
}

function scaleOf(x: Float32Array, start: number, width: number): number {
  let squares = 0;
  for (let i = start; i < start + width; i += 1) squares += x[i] * x[i];
  return 1 / Math.sqrt(squares / width + 1e-6);
}

/** What comes back to x from what comes back to `normalized(x)`. */
export function normalizedBack(x: Float32Array, gradient: Float32Array, width: number): Float32Array {
  const result = new Float32Array(x.length);
  for (let start = 0; start < x.length; start += width) {
    const scale = scaleOf(x, start, width);
    let along = 0;
    for (let i = start; i < start + width; i += 1) along += x[i] * gradient[i];
    const pull = (along * scale ** 3) / width;
    for (let i = start; i < start + width; i += 1) result[i] = gradient[i] * scale - x[i] * pull;
  }
  return result;
}
