// What the figures of this chapter hold, and the questions several of them ask of the library.
import { withEncoding, type Posenc } from "../../lib/engine.svelte.ts";

export interface BiasSettings {
  heads: number;
  head: number;
  length: number;
  causal: boolean;
  form: "relative" | "key-absolute";
}

export interface ReachSettings {
  heads: number;
  head: number;
  length: number;
  trained: number;
  lowest: number;
  axes: "linear" | "weight" | "both";
}

export interface ProfileSettings {
  show: "bias" | "weights";
  head: number;
  amplitude: number;
  rate: number;
  exponent: number;
  query: number;
  range: number;
}

/** Fewer heads may leave the chosen one out. */
export const chosenHead = ({ heads, head }: { heads: number; head: number }) => Math.min(head, heads);

/** Queries or keys that are all alike: only the bias and the mask tell them apart. */
export const alike = (heads: number, rows: number) => ({
  data: new Float32Array(heads * rows),
  dims: [1, heads, rows, 1],
});

export const slopesOf = (pe: Posenc, heads: number, maxBias = 8) =>
  withEncoding(pe.create({ kind: "alibi", heads, maxBias }), (alibi) => alibi.slopes.slice());

/** A slope as it is written: 1/2 … 1/256 where it is a power of two. */
export function slopeText(slope: number): string {
  const exponent = -Math.log2(slope);
  const whole = Math.round(exponent);
  if (whole >= 0 && whole <= 16 && Math.abs(exponent - whole) < 1e-6) return whole ? `1/${2 ** whole}` : "1";
  return String(Number(slope.toPrecision(3)));
}
