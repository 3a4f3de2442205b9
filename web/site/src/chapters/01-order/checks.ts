// Five questions to nine encodings. Every answer is measured on what the library gives for a text of `length` places and
// for one four times as long.
import { withEncoding, type Posenc } from "../../lib/engine.svelte.ts";
import { short } from "../../lib/format.ts";
import { closest, distance, largestSize, rowsOf, sameShare, steps, tableRows, type Rows } from "../../lib/places.ts";

export const kinds = [
  "one-hot",
  "integer",
  "normalized",
  "binary",
  "periodic",
  "sinusoidal",
  "learned",
  "rope",
  "alibi",
] as const;
export type Kind = (typeof kinds)[number];

export const checkNames = ["unique", "bounded", "relative", "longer", "learned"] as const;
export type CheckName = (typeof checkNames)[number];

export interface Answer {
  good: boolean;
  /** Which of the sentences of this check. */
  sentence: string;
  values: Record<string, string | number>;
}

const dim = 16;
const heads = 8;
export const stretch = 4;

export const digitsFor = (length: number) => Math.max(1, Math.ceil(Math.log2(length)));

function specOf(kind: Kind, length: number) {
  switch (kind) {
    case "one-hot":
      return { kind, dim: length };
    case "integer":
    case "normalized":
      return { kind };
    case "binary":
    case "periodic":
      return { kind, dim: digitsFor(length) };
    case "learned":
      return { kind, dim, length, seed: 1 };
    case "alibi":
      return { kind, heads };
    default:
      return { kind, dim };
  }
}

/** A vector of ones, turned to each place. */
const turned = (pe: Posenc, length: number): Rows =>
  withEncoding(pe.create({ kind: "rope", dim }), (rope) => {
    const x = { data: new Float32Array(length * dim).fill(1), dims: [1, 1, length, dim] };
    return rowsOf(rope.apply(x).data, length);
  });

/** The biases of all heads at each distance. */
const biases = (pe: Posenc, length: number): Rows =>
  withEncoding(pe.create({ kind: "alibi", heads }), (alibi) => {
    const profile = pe.distanceProfile(alibi, { maxDistance: length - 1 }).data;
    const byPlace = Float32Array.from(
      profile,
      (_, index) => profile[(index % heads) * length + Math.floor(index / heads)],
    );
    return rowsOf(byPlace, length);
  });

/** What an encoding made for `length` places gives for a text of `size`, or nothing where it ends before. */
function signal(pe: Posenc, kind: Kind, length: number, size: number): Rows | undefined {
  if (kind === "rope") return turned(pe, size);
  if (kind === "alibi") return biases(pe, size);
  return tableRows(pe, specOf(kind, length), size);
}

function unique(near: Rows, far: Rows | undefined): Answer {
  const rows = far ?? near;
  const pair = closest(rows);
  const good = pair.distance > 0;
  const values = { count: rows.count, first: pair.first, second: pair.second, distance: short(pair.distance) };
  return { good, sentence: good ? "yes" : "no", values };
}

function bounded(near: Rows, far: Rows | undefined): Answer {
  const [small, large] = [largestSize(near), largestSize(far ?? near)];
  // What grows with the text grows by about `stretch`; waves only come a little nearer to their top.
  const good = large < small * Math.sqrt(stretch);
  const sentence = far ? (good ? "yes" : "no") : "single";
  return { good, sentence, values: { near: short(small), far: short(large) } };
}

function relative(near: Rows, far: Rows | undefined): Answer {
  const list = steps(near);
  const [low, high] = [Math.min(...list), Math.max(...list)];
  const two = distance(near, 0, 2);
  const values = { low: short(low), high: short(high), two: short(two) };
  if (high - low > sameShare * high) return { good: false, sentence: "uneven", values };
  if (two <= low * (1 + sameShare)) return { good: false, sentence: "flat", values };
  const later = far ? distance(far, 0, 1) : low;
  const stretched = Math.abs(later - low) > sameShare * low;
  if (stretched) return { good: false, sentence: "stretched", values: { ...values, high: short(later) } };
  return { good: true, sentence: "yes", values };
}

/** How many places an encoding has a signal for, between `length` and `size`. */
function reach(pe: Posenc, kind: Kind, length: number, size: number): number {
  let [known, refused] = [length, size];
  while (refused - known > 1) {
    const middle = Math.floor((known + refused) / 2);
    if (signal(pe, kind, length, middle)) known = middle;
    else refused = middle;
  }
  return known;
}

function longer(pe: Posenc, kind: Kind, near: Rows, far: Rows | undefined): Answer {
  const size = near.count * stretch;
  if (!far) return { good: false, sentence: "no", values: { count: reach(pe, kind, near.count, size) } };
  const at = near.data.findIndex((value, index) => Math.abs(value - far.data[index]) > 1e-5);
  if (at < 0) return { good: true, sentence: "yes", values: { far: size - 1, count: near.count } };
  const place = near.count - 1;
  const index = place * near.width;
  const values = { place, before: short(near.data[index]), after: short(far.data[index]) };
  return { good: false, sentence: "changed", values };
}

function learned(pe: Posenc, kind: Kind, length: number): Answer {
  const sizes = withEncoding(pe.create(specOf(kind, length)), ({ parameters }) =>
    Object.values(parameters).map(({ data }) => data.length),
  );
  // ALiBi's slopes can be given, but they follow from a rule and are not trained.
  const count = kind === "alibi" ? 0 : sizes.reduce((sum, size) => sum + size, 0);
  return { good: count > 0, sentence: count ? "yes" : "no", values: { count } };
}

export function check(pe: Posenc, kind: Kind, length: number): Record<CheckName, Answer> {
  const near = signal(pe, kind, length, length)!;
  const far = signal(pe, kind, length, length * stretch);
  return {
    unique: unique(near, far),
    bounded: bounded(near, far),
    relative: relative(near, far),
    longer: longer(pe, kind, near, far),
    learned: learned(pe, kind, length),
  };
}
