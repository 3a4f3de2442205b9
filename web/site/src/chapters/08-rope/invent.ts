// Ways to let a word know its position, the wishes that such a way should grant, and what each of them comes to in numbers.
// Every way that is an encoding is the library's; adding a number and multiplying by it are none.
import { withEncoding, type Posenc } from "../../lib/engine.svelte.ts";
import { vectorLength } from "../../lib/words.ts";

/** From nothing to RoPE, which is the last. */
export const ways = ["nothing", "number", "table", "times", "wave", "turn", "slow", "many"] as const;
export type Way = (typeof ways)[number];

export const wishes = ["order", "shift", "size", "unseen", "apart"] as const;
export type Wish = (typeof wishes)[number];

/** What to try next where a wish is not granted. No way comes round to one that was tried before. */
export const mends: Record<Way, Partial<Record<Wish, Way[]>>> = {
  nothing: { order: ["number"], apart: ["table"] },
  number: { shift: ["times"], size: ["table", "wave"] },
  table: { shift: ["times"], unseen: ["wave"] },
  times: { order: ["turn"], shift: ["turn"], size: ["turn"] },
  wave: { shift: ["turn"] },
  turn: { apart: ["slow", "many"] },
  slow: { apart: ["many"] },
  many: {},
};

export const tableRows = 512;
/** Neighbours whose places are swapped; how far both are moved; positions whose lengths and likenesses are compared. */
export const trial = { query: 3, key: 4, shift: 100, longest: 500, farthest: 100, unseen: 100_000 } as const;

type Turn = { base: number; factor: number };
const turns: Partial<Record<Way, Turn>> = {
  // With base 1 every pair turns at the speed of the first.
  turn: { base: 1, factor: 1 },
  slow: { base: 1, factor: 100 },
  many: { base: 10000, factor: 1 },
};

/** The vector at each of the positions, row by row; undefined where this way has nothing for one of them. */
export function placed(pe: Posenc, way: Way, vector: ArrayLike<number>, positions: number[]): Float32Array | undefined {
  const data = new Float32Array(positions.length * vectorLength);
  positions.forEach((_, row) => data.set(vector, row * vectorLength));
  const x = { data, dims: [1, 1, positions.length, vectorLength] };
  const added = { data, dims: [positions.length, vectorLength] };
  const turn = turns[way];
  if (turn) {
    const spec = { kind: "rope-linear", dim: vectorLength, pairing: "interleaved", ...turn } as const;
    withEncoding(pe.create(spec), (rope) => rope.apply(x, { positions }));
  } else if (way === "wave") {
    withEncoding(pe.create({ kind: "sinusoidal", dim: vectorLength }), (wave) => wave.addTo(added, { positions }));
  } else if (way === "table") {
    if (positions.some((position) => position >= tableRows)) return undefined;
    const spec = { kind: "learned", length: tableRows, dim: vectorLength, std: 0.5, seed: 1 } as const;
    withEncoding(pe.create(spec), (table) => table.addTo(added, { positions }));
  } else if (way !== "nothing") {
    const change = (value: number, position: number) => (way === "number" ? value + position : value * position);
    data.forEach((value, place) => (data[place] = change(value, positions[Math.floor(place / vectorLength)])));
  }
  return data;
}

const rowOf = (rows: Float32Array, row: number) => rows.subarray(row * vectorLength, (row + 1) * vectorLength);
const product = (one: Float32Array, other: Float32Array) =>
  one.reduce((sum, value, place) => sum + value * other[place], 0);
const length = (row: Float32Array) => Math.hypot(...row);

export interface Finding {
  granted: boolean;
  /** What was measured; what each number is stands in the chapter's text. NaN where there is nothing to measure. */
  numbers: number[];
}

/** Larger than the rounding of 32-bit numbers, smaller than any change that means something here. */
const differ = (one: number, other: number) => Math.abs(one - other) > 2e-5 * Math.max(Math.abs(one), Math.abs(other));

/** The two positions at which the vector is most alike, and how far apart, as a part of its length. */
function closest(rows: Float32Array, count: number, size: number): [number, number, number] {
  let best: [number, number, number] = [0, 1, Infinity];
  for (let one = 0; one < count; one += 1)
    for (let other = one + 1; other < count; other += 1) {
      let sum = 0;
      for (let place = 0; place < vectorLength; place += 1)
        sum += (rows[one * vectorLength + place] - rows[other * vectorLength + place]) ** 2;
      const far = Math.sqrt(sum) / size;
      // Equal ones differ by rounding: the first of them is named.
      if (far < best[2] - 1e-5) best = [one, other, far];
    }
  return best;
}

/** One way put to the test with a query and a key: each wish, and the numbers that decide it. */
export function examine(pe: Posenc, way: Way, query: Float32Array, key: Float32Array): Record<Wish, Finding> {
  const score = (m: number, n: number) => {
    const [q, k] = [placed(pe, way, query, [m]), placed(pe, way, key, [n])];
    return q && k ? product(q, k) : NaN;
  };
  const all = placed(
    pe,
    way,
    query,
    Array.from({ length: trial.longest + 1 }, (_, position) => position),
  )!;
  const lengths = Array.from({ length: trial.longest + 1 }, (_, row) => length(rowOf(all, row)));
  const [least, most] = [Math.min(...lengths), Math.max(...lengths)];
  const { query: m, key: n, shift, farthest, unseen } = trial;
  const [here, swapped, moved, far] = [
    score(m, n),
    score(n, m),
    score(m + shift, n + shift),
    score(unseen, unseen + 1),
  ];
  const alike = closest(all, farthest + 1, length(query));
  return {
    order: { granted: differ(here, swapped), numbers: [here, swapped] },
    shift: { granted: !differ(here, moved), numbers: [here, moved] },
    size: { granted: most <= 2 * least, numbers: [least, most] },
    unseen: { granted: Number.isFinite(far), numbers: [far] },
    apart: { granted: alike[2] >= 0.1, numbers: alike },
  };
}

/** What the reader has tried, ending with what is tried now. */
export const trailOf = (steps: number[]): Way[] => [
  "nothing",
  ...steps.filter((step) => step > 0).map((step) => ways[step]),
];
