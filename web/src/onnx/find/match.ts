// Finds the rule of frequencies with the core's formulas in double precision: enough to distinguish rules. Exact values
// come from the core.
import type { Spec } from "../../base/specs.gen.js";

/** A recognised rule, and the largest relative difference of the frequencies from it. */
export interface Match {
  readonly spec: Spec;
  readonly error: number;
  readonly fits?: Fits;
}

/** Values of a spec's fields that give equal frequencies, the spec's value among them. */
export interface Fits {
  /** In tokens, ascending. YaRN rounds the ends of its ramp to whole pairs: several lengths give equal frequencies. */
  readonly originalLength: readonly number[];
}

type Frequencies = ArrayLike<number>;

const powers = (base: number, count: number): number[] => Array.from({ length: count }, (_, k) => base ** (-k / count));

const relative = (a: Frequencies, b: Frequencies): number => {
  let worst = 0;
  for (let k = 0; k < a.length; k++) worst = Math.max(worst, Math.abs(a[k]! / b[k]! - 1));
  return worst;
};

/** Returns the number with the fewest digits within `tolerance`. */
export function plainNumber(value: number, tolerance: number): number {
  for (let digits = 1; digits <= 9; digits++) {
    const plain = Number(value.toPrecision(digits));
    if (Math.abs(plain / value - 1) <= tolerance) return plain;
  }
  return value;
}

// YaRN (Peng et al. 2023, arXiv:2309.00071, eq. 23): pairs with more than beta_fast rotations in the original length
// stay, pairs with fewer than beta_slow are divided by the factor.
function yarn(base: number, count: number, factor: number, original: number): number[] {
  const pair = (rotations: number): number => (count * Math.log(original / (rotations * 2 * Math.PI))) / Math.log(base);
  const low = Math.max(0, Math.floor(pair(32)));
  let high = Math.min(2 * count - 1, Math.ceil(pair(1)));
  if (low === high) high += 0.001;
  return powers(base, count).map((frequency, k) => {
    const ramp = Math.min(1, Math.max(0, (k - low) / (high - low)));
    return (frequency / factor) * ramp + frequency * (1 - ramp);
  });
}

// Llama 3.1 (Dubey et al. 2024, arXiv:2407.21783): between the wavelengths original / 4 and original / 1.
function llama3(base: number, count: number, factor: number, original: number): number[] {
  return powers(base, count).map((frequency) => {
    const rotations = (original * frequency) / (2 * Math.PI);
    const share = Math.min(1, Math.max(0, (rotations - 1) / (4 - 1)));
    return (1 - share) * (frequency / factor) + share * frequency;
  });
}

const doubled = (first: number): number[] =>
  Array.from({ length: 20 }, (_, i) => first * 2 ** i).filter((length) => length <= 2 ** 21);
/** Powers of two first: they are the most likely of several lengths that fit. */
const lengths = [...doubled(32), ...doubled(48)];

/**
 * Returns the base of the longest run of pairs from one end whose frequencies fall by one ratio, and the length of the
 * run.
 */
function baseFrom(frequencies: Frequencies, end: "first" | "last", tolerance: number): [base: number, run: number] {
  const count = frequencies.length;
  const at = (i: number): number => frequencies[end === "first" ? i : count - 1 - i]!;
  let run = 1;
  while (run + 1 < count && Math.abs(((at(run + 1) / at(run)) * at(0)) / at(1) - 1) < 4 * tolerance) ++run;
  const fall = end === "first" ? at(0) / at(run) : at(run) / at(0);
  return [fall ** (count / run), run];
}

/**
 * Returns the rule of frequencies [dim / 2] that are known up to the relative `tolerance`. undefined: they do not
 * determine a known rule (LongRoPE's factors are arbitrary).
 */
export function matchFrequencies(frequencies: Frequencies, tolerance: number): Match | undefined {
  const count = frequencies.length;
  const dim = 2 * count;
  const first = frequencies[0]!;
  if (!(first > 0) || Array.from(frequencies).some((frequency) => !(frequency > 0))) return undefined;
  const candidates: { spec: Spec; frequencies: number[] }[] = [];
  if (count === 1) {
    if (Math.abs(first - 1) > tolerance) return undefined;
    return { spec: { kind: "rope", dim }, error: Math.abs(first - 1) };
  }
  const last = frequencies[count - 1]!;
  const geometric = (last / first) ** (-count / (count - 1));
  const base = plainNumber(geometric, 2 * tolerance);
  const scale = plainNumber(1 / first, tolerance);
  candidates.push({ spec: { kind: "rope", dim, base }, frequencies: powers(base, count) });
  if (scale !== 1)
    candidates.push({
      spec: { kind: "rope-linear", dim, base, factor: scale },
      frequencies: powers(base, count).map((frequency) => frequency / scale),
    });
  const direct = best(candidates, frequencies, tolerance);
  if (direct || Math.abs(first - 1) > tolerance) return direct;
  return best(byParts(frequencies, tolerance), frequencies, tolerance);
}

/** Finds rules that leave fast pairs unchanged and divide slow ones by a factor. */
function* byParts(frequencies: Frequencies, tolerance: number): Generator<{ spec: Spec; frequencies: number[] }> {
  const count = frequencies.length;
  const dim = 2 * count;
  // Fast pairs stay, slow pairs are all divided by the factor: neighbours within either group show the base.
  const [[first, fast], [last, slow]] = [
    baseFrom(frequencies, "first", tolerance),
    baseFrom(frequencies, "last", tolerance),
  ];
  const run = Math.max(fast, slow);
  const base = plainNumber(fast > slow ? first : last, (tolerance * 2 * count) / run);
  const plain = powers(base, count);
  const factor = plainNumber(plain[count - 1]! / frequencies[count - 1]!, tolerance * 8);
  if (!(factor > 1)) return;
  for (const originalLength of lengths) {
    yield {
      spec: { kind: "rope-llama3", dim, base, factor, originalLength },
      frequencies: llama3(base, count, factor, originalLength),
    };
    yield {
      spec: { kind: "rope-yarn", dim, base, factor, originalLength },
      frequencies: yarn(base, count, factor, originalLength),
    };
  }
}

function best(
  candidates: Iterable<{ spec: Spec; frequencies: number[] }>,
  frequencies: Frequencies,
  tolerance: number,
): Match | undefined {
  let found: Match | undefined;
  const equal: Spec[] = [];
  for (const candidate of candidates) {
    const error = relative(frequencies, candidate.frequencies);
    if (error > tolerance * 4 || (found && error > found.error)) continue;
    if (!found || error < found.error) {
      found = { spec: candidate.spec, error };
      equal.length = 0;
    }
    equal.push(candidate.spec);
  }
  const originalLength = equal
    .flatMap((spec) => (spec.kind === found!.spec.kind && "originalLength" in spec ? [spec.originalLength!] : []))
    .sort((a, b) => a - b);
  return found && originalLength.length > 1 ? { ...found, fits: { originalLength } } : found;
}
