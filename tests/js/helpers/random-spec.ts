// Random valid specs of any kind, from what describe() tells of its fields; the same ones on every machine.
import { PosencError } from "posenc";
import type { Description, FieldDescription } from "posenc";
import { createAny } from "./library";
import type { Spec } from "./library";

/** A linear congruential generator, as in randomNumbers. */
export class Random {
  private state: number;

  constructor(seed: number) {
    this.state = Math.imul(seed, 2654435761) >>> 0;
    this.unit();
  }

  /** In [0, 1). */
  unit(): number {
    this.state = (Math.imul(this.state, 1664525) + 1013904223) >>> 0;
    return (this.state >>> 8) / 2 ** 24;
  }
  chance(probability: number): boolean {
    return this.unit() < probability;
  }
  whole(low: number, high: number): number {
    return low + Math.floor(this.unit() * (high - low + 1));
  }
  between(low: number, high: number): number {
    return low + this.unit() * (high - low);
  }
  pick<T>(list: readonly T[]): T {
    return list[this.whole(0, list.length - 1)]!;
  }
}

type Fields = Record<string, unknown>;

/** Features that turn as pairs; what lists by pair go by. */
const pairsOf = (spec: Fields): number => (((spec.rotaryDim as number) || (spec.dim as number)) / 2) | 0;

function parts(random: Random, total: number, count: number): number[] {
  const cuts = Array.from({ length: count - 1 }, () => random.whole(0, total)).sort((a, b) => a - b);
  return [...cuts, total].map((cut, index) => cut - (cuts[index - 1] ?? 0));
}

const perPair = (random: Random, spec: Fields): number[] =>
  Array.from({ length: random.chance(0.3) ? 1 : pairsOf(spec) }, () => random.between(1, 8));

/** Lists whose length or sum other fields decide. */
const LISTS: Record<string, (random: Random, spec: Fields) => number[]> = {
  shortFactor: perPair,
  longFactor: perPair,
  frequencyFactors: (random, spec) => Array.from({ length: pairsOf(spec) }, () => random.between(0.5, 8)),
  frequencies: (random, spec) => Array.from({ length: pairsOf(spec) }, () => random.between(0, 1)),
  sections: (random, spec) => parts(random, pairsOf(spec), 3),
  axisOfPair: (random, spec) => Array.from({ length: pairsOf(spec) }, () => random.whole(0, 2)),
  axisOrder: (random, spec) =>
    Array.from({ length: (spec.axes as number) || 2 }, (_, axis) => axis).sort(() => (random.chance(0.5) ? 1 : -1)),
  modelGrid: (random, spec) => Array.from({ length: (spec.axes as number) || 2 }, () => random.whole(1, 9)),
  axisDims: (random, spec) => parts(random, pairsOf(spec), (spec.axes as number) || 2).map((pairs) => 2 * pairs),
};

/** Sizes stay small: what matters are their combinations. */
function wholeNumber(random: Random, { name, min, max }: FieldDescription): number {
  const low = Math.max(min ?? -20, -20);
  if (name === "seed") return random.whole(0, 1e9);
  if (name === "dim") return random.chance(0.85) ? 2 * random.whole(2, 16) : random.whole(Math.max(1, low), 33);
  if (name === "rotaryDim") return random.chance(0.5) ? 0 : 2 * random.whole(1, 16);
  if (name === "rotaryStart" || name === "paddingIndex") return random.whole(low, 6);
  return random.whole(low, Math.min(max ?? Infinity, low + 11));
}

function realNumber(random: Random, { name, min, max }: FieldDescription): number {
  // Magnitudes of xPos would overflow far from its centre.
  if (name === "scaleBase") return random.between(200, 2000);
  if (name === "centre") return random.between(-50, 150);
  const low = min ?? -Infinity;
  const high = max ?? Infinity;
  if (random.chance(0.1) && Number.isFinite(low) && low > -1e6) return low;
  if (low < 0) return random.between(Math.max(low, -50), Math.min(high, 50));
  return 10 ** random.between(Math.log10(Math.max(low, 0.05)), Math.log10(Math.min(high, 2e5)));
}

function valueOf(random: Random, field: FieldDescription, spec: Fields): unknown {
  if (field.default === null && !field.required && random.chance(0.3)) return null;
  if (field.type === "integer") return wholeNumber(random, field);
  if (field.type === "number") return realNumber(random, field);
  if (field.type === "boolean") return random.chance(0.5);
  if (field.type === "choice") return random.pick(field.choices!);
  const list = LISTS[field.name];
  if (!list) throw new Error(`helpers/random-spec.ts: say how long a random ${field.name} is`);
  return list(random, spec);
}

/** Any spec, valid or not: required fields always, others every other time. */
export function anySpec(random: Random, description: Description): Spec {
  const spec: Spec = { kind: description.kind };
  for (const field of description.fields)
    if (field.required || random.chance(0.4)) spec[field.name] = valueOf(random, field, spec);
  return spec;
}

/** `count` specs that create() takes; the others must be refused in the proper way. */
export function randomSpecs(description: Description, count: number, seed: number): Spec[] {
  const random = new Random(seed);
  const known = [...description.fields, ...description.parameters].map(({ name }) => name);
  const found: Spec[] = [];
  for (let tries = 0; found.length < count; tries++) {
    if (tries > 40 * count) throw new Error(`${description.kind}: only ${found.length} valid specs in ${tries} tries`);
    const spec = anySpec(random, description);
    try {
      (createAny(spec) as { dispose(): void }).dispose();
      found.push(spec);
    } catch (error) {
      if (!(error instanceof PosencError) || error.code !== "invalid-spec" || !known.includes(error.field ?? ""))
        throw new Error(`${JSON.stringify(spec)}: ${String(error)}`, { cause: error });
    }
  }
  return found;
}
