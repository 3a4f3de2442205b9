// How far cosines by the float32 steps of PyTorch are from exact ones, by position.
import { withEncoding, type Posenc } from "../../lib/engine.svelte.ts";

const firstPower = 4;
const lastPower = 31;
const stepsPerPower = 2;
export const samples = 8;
/** Width of a head; its pairs are what the slider goes through. */
export const dim = 128;
/** The largest number of float16. */
export const largestHalf = 65504;

/** Where each sample of positions begins. */
export const starts = Array.from({ length: (lastPower - firstPower) * stepsPerPower }, (_, index) =>
  Math.round(2 ** (firstPower + index / stepsPerPower)),
);

/** Whole numbers from there up to the next start, unevenly spread, so that no pattern of the binary digits shows. */
function sampleFrom(start: number): number[] {
  const width = start * (2 ** (1 / stepsPerPower) - 1);
  return Array.from({ length: samples }, (_, index) => Math.floor(start + ((index * 0.618034) % 1) * width));
}

export interface Errors {
  /** Of all pairs: the largest difference, and the mean. */
  worst: number[];
  mean: number[];
  /** Of the chosen pair, and of it with positions kept in float16 (NaN beyond its range). */
  one: number[];
  half: number[];
}

/** What float16 makes of numbers; those that it cannot hold become 0, and are not looked at. */
export function inHalf(pe: Posenc, numbers: ArrayLike<number>): Float32Array {
  const data = Float32Array.from(numbers, (number) => (number <= largestHalf ? number : 0));
  return pe.toFloat32(pe.toFloat16({ data, dims: [data.length] })).data;
}

/** Largest difference and mean over the rows of each sample: of every pair, or of each `step`th number from `first` on. */
function bySample(one: Float32Array, other: Float32Array, first = 0, step = 1): { worst: number[]; mean: number[] } {
  const size = one.length / starts.length;
  const [worst, mean]: number[][] = [[], []];
  for (let from = 0; from < one.length; from += size) {
    let [largest, sum] = [0, 0];
    for (let index = from + first; index < from + size; index += step) {
      const difference = Math.abs(one[index] - other[index]);
      largest = Math.max(largest, difference);
      sum += difference;
    }
    worst.push(largest);
    mean.push((sum * step) / size);
  }
  return { worst, mean };
}

/** `samples` from each start on. */
export const positions = Float64Array.from(starts.flatMap(sampleFrom));

/** `withHalf`: positions in float16, too; they take half as long again. */
export function errors(pe: Posenc, base: number, pair: number, withHalf: boolean): Errors {
  const pairs = dim / 2;
  const table = (precision: "exact" | "float32", at: Float64Array | Float32Array) =>
    withEncoding(pe.create({ kind: "rope", dim, base, precision }), (rope) => rope.tables({ positions: at }).cos.data);
  const truth = table("exact", positions);
  const steps = table("float32", positions);
  const kept = withHalf ? table("exact", inHalf(pe, positions)) : truth;
  return {
    ...bySample(truth, steps),
    one: bySample(truth, steps, pair, pairs).worst,
    half: bySample(truth, kept, pair, pairs).worst.map((error, sample) =>
      starts[sample + 1] <= largestHalf ? error : NaN,
    ),
  };
}

export interface Closely {
  positions: number[];
  exact: number[];
  rounded: number[];
}

/** The cosine of one pair at sixteen neighbours around a position. */
export function closely(pe: Posenc, base: number, pair: number, around: number): Closely {
  const positions = Array.from({ length: 16 }, (_, index) => around - 4 + index);
  const cosines = (precision: "exact" | "float32") =>
    withEncoding(pe.create({ kind: "rope", dim, base, precision }), (rope) => {
      const { data } = rope.tables({ positions }).cos;
      return positions.map((_, index) => data[(index * dim) / 2 + pair]);
    });
  return { positions, exact: cosines("exact"), rounded: cosines("float32") };
}
