// Gradients by central differences, in float64: the oracle for everything that has a backward call.
import { expect } from "vitest";
import { randomNumbers, sizeOf } from "./numbers";
import type { PlainTensor } from "./numbers";

export interface Tensor64 {
  data: Float64Array;
  dims: number[];
}
/** All numbers that a result depends on, by name. */
export type Inputs = Record<string, Tensor64>;
export type Forward = (inputs: Inputs) => ArrayLike<number>;

export const tensor64 = ({ data, dims }: { data: ArrayLike<number>; dims: readonly number[] }): Tensor64 => ({
  data: Float64Array.from(data as ArrayLike<number>),
  dims: [...dims],
});
export const random64 = (dims: number[], seed: number): Tensor64 =>
  tensor64({ data: randomNumbers(sizeOf(dims), seed), dims });
export const float32 = ({ data, dims }: Tensor64): PlainTensor => ({
  type: "float32",
  data: Float32Array.from(data),
  dims,
});

const loss = (result: ArrayLike<number>, gradOut: ArrayLike<number>): number => {
  let sum = 0;
  for (let i = 0; i < gradOut.length; i++) sum += result[i]! * gradOut[i]!;
  return sum;
};

/** d(Σ result · gradOut) / d(one number of an input), with an error of about 1e-9. */
export function slope(forward: Forward, inputs: Inputs, gradOut: ArrayLike<number>, name: string, index: number) {
  const step = 3e-5;
  const { data } = inputs[name]!;
  const at = data[index]!;
  const lossAt = (value: number): number => {
    data[index] = value;
    return loss(forward(inputs), gradOut);
  };
  const value = (lossAt(at + step) - lossAt(at - step)) / (2 * step);
  data[index] = at;
  return value;
}

/** As many places of a list as `most`, spread over all of it. */
export const spread = (length: number, most: number): number[] =>
  length <= most
    ? Array.from({ length }, (_, i) => i)
    : Array.from({ length: most }, (_, i) => Math.floor(((i + 0.5) * length) / most));

/** Compares gradients with differences: of each input `most` numbers. The tolerance grows with the largest of them. */
export function expectGradients(
  forward: Forward,
  inputs: Inputs,
  gradOut: ArrayLike<number>,
  actual: Record<string, { data: ArrayLike<number>; dims: readonly number[] } | undefined>,
  { most = 24, tolerance = 3e-6 }: { most?: number; tolerance?: number } = {},
) {
  for (const [name, gradient] of Object.entries(actual)) {
    const input = inputs[name]!;
    expect(gradient?.dims, name).toEqual(input.dims);
    const indices = spread(input.data.length, most);
    const expected = indices.map((index) => slope(forward, inputs, gradOut, name, index));
    const size = expected.reduce((largest, value) => Math.max(largest, Math.abs(value)), 1);
    indices.forEach((index, i) => {
      const error = Math.abs(gradient!.data[index]! - expected[i]!);
      expect(error, `${name}[${index}] is ${gradient!.data[index]}, not ${expected[i]}`).toBeLessThan(tolerance * size);
    });
  }
}
