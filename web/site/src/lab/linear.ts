// Products with weights, four rows by two outputs at a time: what is loaded once is used often.
import type { Weight } from "./safetensors.ts";

/** Adds rows [first, first + 4) times outputs [out, out + 2). */
function block(x: Float32Array, weights: Float32Array, ins: number, row: number, out: number): Float64Array {
  const [a, b, c, d] = [row * ins, (row + 1) * ins, (row + 2) * ins, (row + 3) * ins];
  const [v, w] = [out * ins, (out + 1) * ins];
  let [av, aw, bv, bw, cv, cw, dv, dw] = [0, 0, 0, 0, 0, 0, 0, 0];
  for (let i = 0; i < ins; i += 1) {
    const p = weights[v + i];
    const q = weights[w + i];
    av += x[a + i] * p;
    aw += x[a + i] * q;
    bv += x[b + i] * p;
    bw += x[b + i] * q;
    cv += x[c + i] * p;
    cw += x[c + i] * q;
    dv += x[d + i] * p;
    dw += x[d + i] * q;
  }
  sums[0] = av;
  sums[1] = aw;
  sums[2] = bv;
  sums[3] = bw;
  sums[4] = cv;
  sums[5] = cw;
  sums[6] = dv;
  sums[7] = dw;
  return sums;
}
const sums = new Float64Array(8);

/** x [rows, ins] times the transpose of weights [outs, ins], as PyTorch's Linear without bias. Rows: any; outs: even. */
export function linear(x: Float32Array, { shape: [outs, ins], values }: Weight): Float32Array {
  const rows = x.length / ins;
  const padded = Math.ceil(rows / 4) * 4;
  const input = padded === rows ? x : new Float32Array(padded * ins);
  if (input !== x) input.set(x);
  const result = new Float32Array(padded * outs);
  for (let row = 0; row < padded; row += 4)
    for (let out = 0; out < outs; out += 2) {
      const found = block(input, values, ins, row, out);
      for (let index = 0; index < 8; index += 1) result[(row + (index >> 1)) * outs + out + (index & 1)] = found[index];
    }
  return result.subarray(0, rows * outs);
}

/** RMSNorm: each row divided by the root of its mean square, times the weight. Source: Zhang & Sennrich 2019, arXiv:1910.07467. */
export function rmsNorm(x: Float32Array, { values: weight }: Weight): Float32Array {
  const width = weight.length;
  const result = new Float32Array(x.length);
  for (let start = 0; start < x.length; start += width) {
    let squares = 0;
    for (let i = 0; i < width; i += 1) squares += x[start + i] ** 2;
    const scale = 1 / Math.sqrt(squares / width + 1e-6);
    for (let i = 0; i < width; i += 1) result[start + i] = x[start + i] * scale * weight[i];
  }
  return result;
}

/** x += y */
export function addInto(x: Float32Array, y: Float32Array): void {
  for (let i = 0; i < x.length; i += 1) x[i] += y[i];
}

/** ln Σ exp(value): what a softmax divides by. */
export function logSumExp(values: Float32Array): number {
  let most = -Infinity;
  for (const value of values) most = Math.max(most, value);
  let sum = 0;
  for (const value of values) sum += Math.exp(value - most);
  return most + Math.log(sum);
}
