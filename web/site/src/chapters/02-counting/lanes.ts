// The lanes of the last figure: a binary digit and the wave of the same number, at whole places and between them.
import { withEncoding, type Posenc } from "../../lib/engine.svelte.ts";

export interface WavesSettings {
  wave: "periodic" | "sinusoidal";
  lanes: number;
  base: number;
  place: number;
}

export interface Curve {
  name: "sine" | "cosine";
  /** `samples` values for each place, and one more for the end. */
  values: Float32Array;
  /** At whole places. */
  atPlaces: Float32Array;
}

export interface LaneData {
  index: number;
  wavelength: number;
  digits: Float32Array;
  curves: Curve[];
}

/** Enough for the slowest sine to come down again. */
export const spanOf = (lanes: number) => 2 ** (lanes + 1);
export const samplesFor = (span: number) => Math.max(4, 512 / span);

/** The place as it is written in binary: a digit for each lane, and one more where the place needs it. */
export function binaryText(pe: Posenc, lanes: number, place: number): string {
  const spec = { kind: "binary", dim: lanes + 1 } as const;
  const digits = withEncoding(pe.create(spec), (one) => one.table({ positions: [place] }).data);
  return digits.subarray(digits[0] ? 0 : 1).join("");
}

/** So near to place 0 that a sine is still straight: how steeply it leaves 0 says how long its wave is. */
const nearby = 2 ** -20;

const columnOf = (data: Float32Array, width: number, column: number, step = 1) =>
  Float32Array.from({ length: Math.ceil(data.length / width / step) }, (_, row) => data[row * step * width + column]);

export function makeLanes(pe: Posenc, { wave, lanes, base }: WavesSettings): LaneData[] {
  const span = spanOf(lanes);
  const samples = samplesFor(span);
  const bits = withEncoding(pe.create({ kind: "binary", dim: lanes + 1 }), (one) => one.table({ length: span }).data);
  const spec =
    wave === "periodic" ? ({ kind: wave, dim: lanes } as const) : ({ kind: wave, dim: 2 * lanes, base } as const);
  const positions = Float64Array.from({ length: span * samples + 1 }, (_, index) => index / samples);
  const { data } = withEncoding(pe.create(spec), (one) => one.table({ positions }));
  const steepness = withEncoding(pe.create(spec), (one) => one.table({ positions: [nearby] }).data);
  const curve = (name: Curve["name"], column: number): Curve => ({
    name,
    values: columnOf(data, spec.dim, column),
    atPlaces: columnOf(data, spec.dim, column, samples),
  });
  return Array.from({ length: lanes }, (_, index) => ({
    index,
    wavelength: (2 * Math.PI * nearby) / steepness[wave === "periodic" ? index : 2 * index],
    // The library writes the highest digit first; the first lane is the lowest.
    digits: columnOf(bits, lanes + 1, lanes - index),
    curves: wave === "periodic" ? [curve("sine", index)] : [curve("sine", 2 * index), curve("cosine", 2 * index + 1)],
  }));
}
