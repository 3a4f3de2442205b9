// The last figure: a row of clocks, each half as fast as the one before, and which positions they tell apart.
import { explain } from "posenc/explain";
import { withEncoding, type Posenc } from "../../lib/engine.svelte.ts";
import { distance, rowsOf } from "../../lib/places.ts";
import { clockPositions as positions } from "./encodings.ts";

export interface ClocksSettings {
  place: number;
  clocks: number;
}

export interface ClockRow {
  hands: { sin: number; cos: number; wavelength: number }[];
  /** From the chosen position to each, itself included. */
  distances: Float32Array;
  /** To the next position: the same everywhere. */
  step: number;
  /** The position that looks most like the chosen one, its neighbours left out. */
  nearest: number;
}

/** A base of 2ⁿ makes the wavelengths of n pairs double. */
const specOf = (clocks: number) => ({ kind: "sinusoidal", dim: 2 * clocks, base: 2 ** clocks }) as const;

export function readClocks(pe: Posenc, { place, clocks }: ClocksSettings): ClockRow {
  const spec = specOf(clocks);
  const { data } = withEncoding(pe.create(spec), (one) => one.table({ length: positions }));
  const { wavelengths } = explain<"sinusoidal">(pe, spec);
  const rows = rowsOf(data, positions);
  const distances = Float32Array.from({ length: positions }, (_, other) => distance(rows, place, other));
  const others = Array.from(distances, (_, other) => other).filter((other) => Math.abs(other - place) > 1);
  return {
    hands: Array.from(wavelengths!, (wavelength, pair) => ({
      sin: data[place * spec.dim + 2 * pair],
      cos: data[place * spec.dim + 2 * pair + 1],
      wavelength,
    })),
    distances,
    step: distance(rows, 0, 1),
    nearest: others.reduce((best, other) => (distances[other] < distances[best] ? other : best)),
  };
}
