// How far cosines by the float32 steps of PyTorch are from exact ones, by position.
import { withEncoding, type Posenc } from "../../lib/engine.svelte.ts";
import type { Scale } from "./scaling.ts";

const firstPower = 4;
const lastPower = 31;
const stepsPerPower = 2;
const samples = 12;
/** The first number that float16 no longer reaches. */
const beyondHalf = 65504;

/** Where each sample of positions begins. */
export const starts = Array.from({ length: (lastPower - firstPower) * stepsPerPower }, (_, index) =>
  Math.round(2 ** (firstPower + index / stepsPerPower)),
);

/** Whole numbers from there on up to the next start, unevenly spread, so that no pattern of the binary digits shows. */
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

/** What float16 makes of whole numbers. */
const inHalf = (pe: Posenc, positions: number[]) =>
  pe.toFloat32(pe.toFloat16({ data: Float32Array.from(positions), dims: [positions.length] })).data;

function largestOfPair(one: Float32Array, other: Float32Array, pair: number, pairs: number): number {
  let largest = 0;
  for (let index = pair; index < one.length; index += pairs)
    largest = Math.max(largest, Math.abs(one[index] - other[index]));
  return largest;
}

export function errors(pe: Posenc, { dim, base }: Scale, pair: number): Errors {
  const pairs = dim / 2;
  return withEncoding(pe.create({ kind: "rope", dim, base }), (exact) =>
    withEncoding(pe.create({ kind: "rope", dim, base, precision: "float32" }), (rounded) => {
      const result: Errors = { worst: [], mean: [], one: [], half: [] };
      for (const start of starts) {
        const positions = sampleFrom(start);
        const truth = exact.tables({ positions }).cos.data;
        const steps = rounded.tables({ positions }).cos.data;
        const differences = truth.map((cosine, index) => Math.abs(cosine - steps[index]));
        result.worst.push(Math.max(...differences));
        result.mean.push(differences.reduce((sum, value) => sum + value, 0) / differences.length);
        result.one.push(largestOfPair(truth, steps, pair, pairs));
        const inRange = positions.every((position) => position <= beyondHalf);
        const kept = inRange && exact.tables({ positions: inHalf(pe, positions) }).cos.data;
        result.half.push(kept ? largestOfPair(truth, kept, pair, pairs) : NaN);
      }
      return result;
    }),
  );
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
