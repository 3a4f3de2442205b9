// What the figures of this chapter share.

import type { Cut } from "../../lib/sentence.ts";

export interface SentenceSettings {
  sentence: string;
  cut: Cut;
  /** Which word of the sentence stands at each place; empty for the order in which it was written. */
  order: number[];
  causal: boolean;
  head: number;
  shift: number;
}

/** The ruler: words by their place in the sentence, and where they have been dragged to. */
export interface RulerSettings {
  query: number;
  key: number;
  left: number;
  right: number;
  /** Word vectors without the part that all of them share. */
  zeroMean: boolean;
}

export const rulerLength = 64;

/** Whole positions, and those between them: lines through them are smooth even where a pair goes round in six positions. */
export function finely(whole: number[]): number[] {
  const steps = 6;
  const count = (whole.length - 1) * steps + 1;
  return Array.from({ length: count }, (_, index) => whole[0] + index / steps);
}

/** How far the hands of the invention can be followed. */
export const inventPositions = 60;

/** Where the left word stands when the two are so far apart: where it was, as long as both fit on the ruler. */
export const leftAt = (left: number, distance: number) =>
  Math.max(0, -distance, Math.min(left, rulerLength - distance, rulerLength));
