// How far cosines by the float32 steps of PyTorch are from exact ones, by position.
import { withEncoding, type Posenc } from "../../lib/engine.svelte.ts";
import type { Scale } from "./scaling.ts";

const firstPower = 4;
const lastPower = 31;
const stepsPerPower = 2;
const samples = 10;
/** The largest number of float16. */
const largestHalf = 65504;

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

/** What float16 makes of whole numbers; those that it cannot hold become 0, and are not looked at. */
function inHalf(pe: Posenc, positions: number[]): Float32Array {
  const data = Float32Array.from(positions, (position) => (position <= largestHalf ? position : 0));
  return pe.toFloat32(pe.toFloat16({ data, dims: [data.length] })).data;
}

/** Differences by sample: each holds `samples` rows of all pairs. */
function bySample<T>(one: Float32Array, other: Float32Array, pairs: number, summary: (list: number[]) => T): T[] {
  return starts.map((_, sample) => {
    const from = sample * samples * pairs;
    return summary(
      Array.from({ length: samples * pairs }, (_, index) => Math.abs(one[from + index] - other[from + index])),
    );
  });
}

const largest = (list: number[]) => Math.max(...list);
const average = (list: number[]) => list.reduce((sum, value) => sum + value, 0) / list.length;

export function errors(pe: Posenc, { dim, base }: Scale, pair: number): Errors {
  const pairs = dim / 2;
  const positions = starts.flatMap(sampleFrom);
  const table = (precision: "exact" | "float32", at: ArrayLike<number>) =>
    withEncoding(
      pe.create({ kind: "rope", dim, base, precision }),
      (rope) => rope.tables({ positions: Float64Array.from(at) }).cos.data,
    );
  const [truth, steps, kept] = [
    table("exact", positions),
    table("float32", positions),
    table("exact", inHalf(pe, positions)),
  ];
  const ofPair = (list: number[]) => largest(list.filter((_, index) => index % pairs === pair));
  return {
    worst: bySample(truth, steps, pairs, largest),
    mean: bySample(truth, steps, pairs, average),
    one: bySample(truth, steps, pairs, ofPair),
    half: bySample(truth, kept, pairs, ofPair).map((error, sample) =>
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
export function closely(pe: Posenc, { dim, base }: Scale, pair: number, around: number): Closely {
  const positions = Array.from({ length: 16 }, (_, index) => around - 4 + index);
  const cosines = (precision: "exact" | "float32") =>
    withEncoding(pe.create({ kind: "rope", dim, base, precision }), (rope) => {
      const { data } = rope.tables({ positions }).cos;
      return positions.map((_, index) => data[(index * dim) / 2 + pair]);
    });
  return { positions, exact: cosines("exact"), rounded: cosines("float32") };
}
