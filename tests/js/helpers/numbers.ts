// Numbers for tests: reproducible input, bit comparison, double-precision sums.
import { expect } from "vitest";

export interface PlainTensor {
  type: "float32";
  data: Float32Array<ArrayBuffer>;
  dims: number[];
}

export const sizeOf = (dims: readonly number[]) => dims.reduce((product, dim) => product * dim, 1);
export const range = (count: number, start = 0) => Array.from({ length: count }, (_, index) => start + index);

/** A small linear congruential generator: state = state * 1664525 + 1013904223, values in [-0.5, 0.5). */
export function randomNumbers(count: number, seed = 1): Float32Array<ArrayBuffer> {
  const numbers = new Float32Array(count);
  let state = seed >>> 0;
  for (let i = 0; i < count; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    numbers[i] = (state >>> 8) / 2 ** 24 - 0.5;
  }
  return numbers;
}

/** N(0, 1) by Box and Muller. */
export function normalNumbers(count: number, seed = 1): Float32Array<ArrayBuffer> {
  const uniform = randomNumbers(2 * count, seed).map((x) => x + 0.5);
  return Float32Array.from(
    { length: count },
    (_, i) => Math.sqrt(-2 * Math.log(1 - uniform[i]!)) * Math.cos(2 * Math.PI * uniform[count + i]!),
  );
}

export const randomTensor = (dims: number[], seed = 1): PlainTensor => ({
  type: "float32",
  data: randomNumbers(sizeOf(dims), seed),
  dims,
});

export const copyOf = ({ data, dims }: { data: Float32Array; dims: readonly number[] }): PlainTensor => ({
  type: "float32",
  data: Float32Array.from(data),
  dims: [...dims],
});

export const bits = (data: Float32Array) => new Uint32Array(Float32Array.from(data).buffer);

/** The same float32 numbers to the last bit, so 0 and -0 differ and NaN equals itself. */
export function expectSameBits(actual: Float32Array, expected: Float32Array, what = "") {
  expect(actual.length, `${what} length`).toBe(expected.length);
  const left = bits(actual);
  const right = bits(expected);
  const index = left.findIndex((value, at) => value !== right[at]);
  if (index >= 0) expect.fail(`${what} [${index}]: ${actual[index]} is not ${expected[index]} to the last bit`);
}

/** The very same object. (`toBe` would print both tensors, at length, when it fails.) */
export function expectSameObject(actual: unknown, expected: unknown) {
  expect(Object.is(actual, expected), "is the same object").toBe(true);
}

/** Largest absolute difference; infinite when a number is missing on either side. */
export function maxDifference(actual: ArrayLike<number>, expected: ArrayLike<number>): number {
  if (actual.length !== expected.length) return Infinity;
  let worst = 0;
  for (let index = 0; index < expected.length; index++) {
    const error = Math.abs(actual[index]! - expected[index]!);
    if (!(error <= worst)) worst = Number.isNaN(error) ? Infinity : error;
  }
  return worst;
}

export const largest = (data: ArrayLike<number>) =>
  Array.from(data).reduce((most, x) => Math.max(most, Math.abs(x)), 0);

export function dot(left: ArrayLike<number>, right: ArrayLike<number>): number {
  let sum = 0;
  for (let index = 0; index < left.length; index++) sum += left[index]! * right[index]!;
  return sum;
}

export const norm = (data: ArrayLike<number>) => Math.sqrt(dot(data, data));

/** Row `index` of a row-major tensor, all leading axes taken together. */
export function row({ data, dims }: { data: Float32Array; dims: readonly number[] }, index: number): Float32Array {
  const width = dims.at(-1)!;
  return data.subarray(index * width, (index + 1) * width);
}

/** Positions from `first` to `end` of each head [batch, heads, positions, dim], of one batch element or of all. */
export function positionsFrom(
  { data, dims }: { data: Float32Array; dims: readonly number[] },
  first: number,
  end: number,
  element?: number,
): PlainTensor {
  const [batch, heads, length, width] = dims as [number, number, number, number];
  const elements = element === undefined ? range(batch) : [element];
  const parts = elements.flatMap((one) =>
    range(heads, one * heads).map((head) =>
      data.subarray((head * length + first) * width, (head * length + end) * width),
    ),
  );
  return {
    type: "float32",
    data: Float32Array.from(parts.flatMap((part) => [...part])),
    dims: [elements.length, heads, end - first, width],
  };
}

/** [batch, heads, positions, dim] ⇄ [batch, positions, heads, dim]. */
export function swapMiddle({ data, dims }: { data: Float32Array; dims: readonly number[] }): PlainTensor {
  const [batch, first, second, width] = dims as [number, number, number, number];
  const out = new Float32Array(data.length);
  for (let b = 0; b < batch; b++)
    for (let i = 0; i < first; i++)
      for (let j = 0; j < second; j++) {
        const from = ((b * first + i) * second + j) * width;
        out.set(data.subarray(from, from + width), ((b * second + j) * first + i) * width);
      }
  return { type: "float32", data: out, dims: [batch, second, first, width] };
}
