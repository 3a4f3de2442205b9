// What is measured on an encoding: steps and distances in a text, and in one twice as long.
import type { Posenc } from "../../lib/engine.svelte.ts";
import { short } from "../../lib/format.ts";
import { closest, distance, largestSize, sameShare, steps, type Rows } from "../../lib/places.ts";
import { longestRows, rowsFor, type Counting, type Kind } from "./encodings.ts";

export interface Measured {
  near: Rows;
  /** In a text twice as long; nothing where the encoding ends before. */
  far: Rows | undefined;
  nearSteps: Float64Array;
  farSteps: Float64Array | undefined;
}

export const factNames = ["size", "even", "fixed", "unique"] as const;
export type FactName = (typeof factNames)[number];

export interface Fact {
  name: FactName;
  fine: boolean;
  /** Which of the sentences of this fact. */
  sentence: string;
  values: Record<string, string | number>;
}

export function measureKind(pe: Posenc, kind: Kind, counting: Counting): Measured {
  const near = longestRows(pe, kind, counting);
  const far = near.count < counting.length ? undefined : rowsFor(pe, kind, counting, 2 * counting.length);
  return { near, far, nearSteps: steps(near), farSteps: far && steps(far).slice(0, near.count - 1) };
}

function size({ near, far }: Measured): Fact {
  const [small, large] = [largestSize(near), largestSize(far ?? near)];
  // Waves come a little nearer to their top in a longer text; what grows with the text doubles.
  const fine = large < 1.5 * small;
  const sentence = far ? (fine ? "fine" : "broken") : "single";
  return { name: "size", fine, sentence, values: { near: short(small), far: short(large) } };
}

function even({ near, nearSteps }: Measured): Fact {
  const [low, high] = [Math.min(...nearSteps), Math.max(...nearSteps)];
  const [lowAt, highAt] = [nearSteps.indexOf(low), nearSteps.indexOf(high)];
  const two = distance(near, 0, 2);
  const isEven = high - low <= sameShare * high;
  const isFlat = two <= low * (1 + sameShare);
  const sentence = !isEven ? "broken" : isFlat ? "flat" : "fine";
  const places = { lowAt, lowNext: lowAt + 1, highAt, highNext: highAt + 1 };
  const values = { ...places, low: short(low), high: short(high), two: short(two) };
  return { name: "even", fine: sentence === "fine", sentence, values };
}

function fixed({ near, far }: Measured): Fact {
  if (!far) return { name: "fixed", fine: false, sentence: "missing", values: { count: near.count } };
  const fine = near.data.every((value, index) => value === far.data[index]);
  const place = near.count - 1;
  const [before, after] = [near, far].map((rows) => short(rows.data[place * rows.width]));
  return { name: "fixed", fine, sentence: fine ? "fine" : "broken", values: { place, before, after } };
}

function unique({ near, far }: Measured): Fact {
  const rows = far ?? near;
  const pair = closest(rows);
  const fine = pair.distance > 0;
  const values = { count: rows.count, first: pair.first, second: pair.second, distance: short(pair.distance) };
  return { name: "unique", fine, sentence: fine ? "fine" : "broken", values };
}

export const factsOf = (measured: Measured): Fact[] => [size, even, fixed, unique].map((fact) => fact(measured));
