// What the figures of this chapter share.
import { withEncoding, type Posenc } from "../../lib/engine.svelte.ts";
import { short } from "../../lib/format.ts";

export interface TableSettings {
  length: number;
  dim: number;
  base: number;
  /** The dimensions drawn as curves. */
  columns: number[];
}

export interface Places {
  start: number;
  step: number;
}

export interface RowSettings {
  place: number;
  base: number;
}

/** The table of the first figure: small enough for a clock above every pair. */
export const dial = { dim: 16, length: 64 };

export const rowsOf = (pe: Posenc, { dim, base }: { dim: number; base: number }, at: object): Float32Array => {
  const encoding = pe.create({ kind: "sinusoidal", dim, base });
  try {
    return encoding.table(at).data;
  } finally {
    encoding.dispose();
  }
};

/** For each pair: the number of positions in one full turn. RoPE has the same frequencies, and tells them. */
export const wavelengths = (pe: Posenc, { dim, base }: { dim: number; base: number }): Float64Array =>
  withEncoding(pe.create({ kind: "rope", dim, base }), ({ inverseFrequencies }) =>
    inverseFrequencies.map((frequency) => (2 * Math.PI) / frequency),
  );

export const wavelengthText = (list: Float64Array, column: number) => short(list[column >> 1] ?? NaN);

/** The divisor of each pair, from how far it is until it comes round. */
export const divisors = (pe: Posenc, spec: { dim: number; base: number }): Float64Array =>
  wavelengths(pe, spec).map((wave) => wave / (2 * Math.PI));
