// Su Jianlin's view of RoPE: clocks are the digits of a position, and rules for longer texts are ways to write larger numbers with them.
import { withEncoding, type Posenc } from "../../lib/engine.svelte.ts";

export const digitRules = ["rope", "rope-linear", "rope-ntk", "rope-yarn"] as const;
export type DigitRule = (typeof digitRules)[number];

export interface DigitSettings {
  rule: DigitRule;
  position: number;
}

/** Four pairs, each ten times as slow as the one before: ones, tens, hundreds, thousands. */
export const clocks = 4;
export const ten = 10;
const base = ten ** clocks;
const dim = 2 * clocks;
/** Positions of the training have three digits; texts become eight times as long. */
export const trainedTo = 1000;
export const factor = 8;
/** With steps of this size the first clock turns once in ten positions. */
const step = (2 * Math.PI) / ten;

export interface Digit {
  /** Radians: now, and the largest of the training. */
  angle: number;
  seen: number;
  known: boolean;
  /** What its hand points at, 0 … 9. */
  digit: number;
  /** Positions for one turn. */
  turn: number;
}

function create(pe: Posenc, rule: DigitRule) {
  if (rule === "rope") return pe.create({ kind: rule, dim, base });
  if (rule === "rope-yarn")
    return pe.create({ kind: rule, dim, base, factor, originalLength: Math.round(trainedTo * step) });
  return pe.create({ kind: rule, dim, base, factor });
}

export function digitsOf(pe: Posenc, { rule, position }: DigitSettings): Digit[] {
  const largest = withEncoding(create(pe, "rope"), (rope) => rope.angles({ positions: [trainedTo * step] }));
  return withEncoding(create(pe, rule), (rope) => {
    const speeds = rope.inverseFrequencies;
    return Array.from(rope.angles({ positions: [position * step] }), (angle, pair) => {
      const part = (angle / (2 * Math.PI)) % 1;
      const round = largest[pair] >= 2 * Math.PI * (1 - 1e-9);
      return {
        angle,
        seen: largest[pair],
        known: round || part * 2 * Math.PI <= largest[pair] * (1 + 1e-9),
        // A hand that stands on a digit is not left of it for the last bit of a float.
        digit: Math.floor(part * ten + 1e-6) % ten,
        turn: (2 * Math.PI) / (speeds[pair] * step),
      };
    });
  });
}

/** By how much of a digit the first clock moves from one position to the next. */
export const stepOf = (pe: Posenc, rule: DigitRule): number =>
  withEncoding(create(pe, rule), ({ inverseFrequencies }) => (inverseFrequencies[0] * step * ten) / (2 * Math.PI));
