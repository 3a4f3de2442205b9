// Positions as their papers and first implementations have them, in whole numbers or float64: what the library is held
// against, and so nothing here asks the library.
import type { Spec } from "./library";

/** Numbers of a spec, with the defaults of its kind. */
type Fields<Name extends string> = Partial<Record<Name, number>>;

/**
 * T5's bucket of a distance key - query: `_relative_position_bucket` of mesh-tensorflow. Logarithms and the cut are made
 * one comparison of whole numbers: bucket e + k begins at the first r with (r / e)^s ≥ (maxDistance / e)^k, s buckets a side
 * beyond the e single ones.
 */
export function t5Bucket(keyMinusQuery: number, spec: Spec): number {
  const { buckets = 32, maxDistance = 128 } = spec as Fields<"buckets" | "maxDistance">;
  const bidirectional = (spec["bidirectional"] as boolean | undefined) ?? true;
  const side = bidirectional ? Math.floor(buckets / 2) : buckets;
  const base = bidirectional && keyMinusQuery > 0 ? side : 0;
  const distance = Math.trunc(bidirectional ? Math.abs(keyMinusQuery) : Math.max(0, -keyMinusQuery));
  const exact = Math.floor(side / 2);
  if (distance < exact) return base + distance;
  const steps = side - exact;
  const [r, e, far] = [distance, exact, maxDistance].map(BigInt) as [bigint, bigint, bigint];
  // r^s e^(k + 1) ≥ maxDistance^(k + 1) e^s: the comparison multiplied by its denominators.
  let [left, right, k] = [r ** BigInt(steps) * e, far * e ** BigInt(steps), 0];
  for (; k + 1 < steps && left >= right; k++) [left, right] = [left * e, right * far];
  return base + exact + k;
}

/**
 * DeBERTa's bucket of a distance query - key: `make_log_bucket_position` of DeBERTa v2, beyond the middle m
 * ⌈(m - 1) ln(|r| / m) / ln((maxDistance - 1) / m)⌉ + m, again in whole numbers.
 */
export function debertaBucket(queryMinusKey: number, spec: Spec): number {
  const { buckets = 0, maxDistance = 512 } = spec as Fields<"buckets" | "maxDistance">;
  const middle = Math.floor(buckets / 2);
  const distance = Math.abs(queryMinusKey);
  if (buckets === 0 || distance <= middle) return queryMinusKey;
  const [r, m, last] = [distance, middle, maxDistance - 1].map(BigInt) as [bigint, bigint, bigint];
  // (|r| / m)^(m - 1) > ((maxDistance - 1) / m)^steps, multiplied by the denominators.
  let [left, right, steps] = [r ** (m - 1n), m ** (m - 1n), 0];
  for (; left > right; steps++) [left, right] = [left * m, right * last];
  return Math.sign(queryMinusKey) * (middle + steps);
}

/** The row of Swin's table for two places of a window, counted row by row; with BEiT's class token as place 0. */
export function swinRow(query: number, key: number, spec: Spec): number {
  const { windowHeight: height, windowWidth: width } = spec as unknown as Record<string, number>;
  const offsets = (2 * height! - 1) * (2 * width! - 1);
  const token = spec["classToken"] === true ? 1 : 0;
  if (token && (query === 0 || key === 0)) return offsets + (query === 0 && key === 0 ? 2 : query === 0 ? 0 : 1);
  const [i, j] = [query - token, key - token];
  const down = Math.floor(i / width!) - Math.floor(j / width!) + height! - 1;
  return down * (2 * width! - 1) + (i % width!) - (j % width!) + width! - 1;
}

/** The row of Shaw's tables for a distance key - query. */
export function shawRow(keyMinusQuery: number, spec: Spec): number {
  const { maxDistance = 16, maxLeft = -1, maxRight = -1 } = spec as Fields<"maxDistance" | "maxLeft" | "maxRight">;
  const left = maxLeft < 0 ? maxDistance : maxLeft;
  const right = maxRight < 0 ? maxDistance : maxRight;
  return Math.min(Math.max(Math.round(keyMinusQuery), -left), right) + left;
}

/** Swin V2's two coordinates of a displacement: logarithms to base 8, as its authors' code takes them. */
export function swinV2Offset(query: number, key: number, spec: Spec): [number, number] {
  const { windowHeight, windowWidth, pretrainedHeight, pretrainedWidth } = spec as Fields<
    "windowHeight" | "windowWidth" | "pretrainedHeight" | "pretrainedWidth"
  >;
  const spread = (away: number, most: number): number =>
    away === 0 ? 0 : (Math.sign(away) * Math.log2(Math.abs((8 * away) / (most - 1)) + 1)) / Math.log2(8);
  const [down, across] = [
    Math.floor(query / windowWidth!) - Math.floor(key / windowWidth!),
    (query % windowWidth!) - (key % windowWidth!),
  ];
  return [spread(down, pretrainedHeight || windowHeight!), spread(across, pretrainedWidth || windowWidth!)];
}

/** NEZHA's row of a distance: sinusoids, counted from the farthest key before the query. */
export function nezhaRow(keyMinusQuery: number, dim: number, spec: Spec): number[] {
  const { maxDistance = 64, base = 10000 } = spec as Fields<"maxDistance" | "base">;
  const index = Math.min(Math.max(Math.round(keyMinusQuery), -maxDistance), maxDistance) + maxDistance;
  return Array.from({ length: dim }, (_, i) => {
    // The original fills pairs: the last feature of an odd row stays 0.
    if (i === dim - (dim % 2)) return 0;
    const angle = index / base ** ((2 * Math.floor(i / 2)) / dim);
    return i % 2 ? Math.cos(angle) : Math.sin(angle);
  });
}

/** ALiBi's slopes: `get_slopes` of its authors, which calls itself; MPT's largest bias, NeMo's heads without slope. */
export function alibiSlopes(spec: Spec): number[] {
  const { heads = 8, maxBias = 8, activeHeads = 0 } = spec as Fields<"heads" | "maxBias" | "activeHeads">;
  const ofPowerOfTwo = (count: number): number[] =>
    Array.from({ length: count }, (_, head) => 2 ** ((-maxBias * (head + 1)) / count));
  const slopesOf = (count: number): number[] => {
    if (Number.isInteger(Math.log2(count))) return ofPowerOfTwo(count);
    const below = 2 ** Math.floor(Math.log2(count));
    const others = slopesOf(2 * below).filter((_, index) => index % 2 === 0);
    return [...ofPowerOfTwo(below), ...others.slice(0, count - below)];
  };
  const active = activeHeads || heads;
  return [...slopesOf(active), ...Array<number>(heads - active).fill(0)];
}

/** Numbers of a rotary spec. */
interface RotarySpec {
  dim: number;
  base: number;
  factor: number;
  originalLength: number;
  /** Features that turn. */
  width: number;
}

const plain = ({ width, base }: RotarySpec): number[] =>
  Array.from({ length: width / 2 }, (_, k) => base ** ((-2 * k) / width));

/** NTK: the base that makes the slowest pair `scale` times slower. */
const ntk = (rotary: RotarySpec, scale: number): number[] =>
  plain({ ...rotary, base: rotary.base * scale ** (rotary.width / (rotary.width - 2)) });

/** `find_correction_range` of YaRN's code: the pairs that turn `fast` and `slow` times in the trained length. */
function ramp(rotary: RotarySpec, fast: number, slow: number, truncate: boolean): number[] {
  const { width, base, originalLength } = rotary;
  const pairOf = (rotations: number): number =>
    (width * Math.log(originalLength / (rotations * 2 * Math.PI))) / (2 * Math.log(base));
  const [from, to] = truncate ? [Math.floor(pairOf(fast)), Math.ceil(pairOf(slow))] : [pairOf(fast), pairOf(slow)];
  const [low, high] = [Math.max(from, 0), Math.min(to, width - 1)];
  const span = low === high ? 0.001 : high - low;
  return Array.from({ length: width / 2 }, (_, k) => Math.min(Math.max((k - low) / span, 0), 1));
}

const blend = (share: number[], there: number[], here: number[]): number[] =>
  share.map((part, k) => there[k]! * part + here[k]! * (1 - part));

function yarn(rotary: RotarySpec, spec: Spec): number[] {
  const { betaFast = 32, betaSlow = 1 } = spec as Fields<"betaFast" | "betaSlow">;
  const truncate = (spec["truncate"] as boolean | undefined) ?? true;
  const own = plain(rotary);
  const slowed = own.map((frequency) => frequency / rotary.factor);
  return blend(ramp(rotary, betaFast, betaSlow, truncate), slowed, own);
}

function byParts(rotary: RotarySpec): number[] {
  const own = plain(rotary);
  const slowed = own.map((frequency) => frequency / rotary.factor);
  const middle = blend(ramp(rotary, 1.25, 0.75, true), slowed, ntk(rotary, rotary.factor));
  return blend(ramp(rotary, 16, 2, true), middle, own);
}

/** `_compute_llama3_parameters`: long waves slower by the factor, short ones as they were, a bridge between. */
function llama3(rotary: RotarySpec, spec: Spec): number[] {
  const { factor, originalLength } = rotary;
  const { lowFrequencyFactor: low = 1, highFrequencyFactor: high = 4 } = spec as unknown as Record<string, number>;
  return plain(rotary).map((frequency) => {
    const wavelength = (2 * Math.PI) / frequency;
    if (wavelength < originalLength / high) return frequency;
    if (wavelength > originalLength / low) return frequency / factor;
    const smooth = (originalLength / wavelength - low) / (high - low);
    return ((1 - smooth) * frequency) / factor + smooth * frequency;
  });
}

/** The exponent goes by the whole head, and the pairs beyond `rotaryDim` stand still. */
const proportional = ({ dim, width, base, factor }: RotarySpec): number[] =>
  Array.from({ length: dim / 2 }, (_, k) => (2 * k < width ? base ** ((-2 * k) / dim) / factor : 0));

const rules: Record<string, (rotary: RotarySpec, spec: Spec, length: number) => number[]> = {
  rope: plain,
  "rope-mrope": plain,
  xpos: plain,
  "rope-linear": (rotary) => plain(rotary).map((frequency) => frequency / rotary.factor),
  "rope-ntk": (rotary) => ntk(rotary, rotary.factor),
  "rope-dynamic": (rotary, _, length) => {
    const { factor, originalLength } = rotary;
    const longest = Math.max(length, originalLength);
    return ntk(rotary, (factor * longest) / originalLength - (factor - 1));
  },
  "rope-qwen": (rotary, _, length) => {
    const doublings = Math.ceil(Math.log2(length / rotary.originalLength));
    return ntk(rotary, Math.max(1, 2 ** (doublings + 1) - 1));
  },
  "rope-yarn": yarn,
  "rope-ntk-by-parts": byParts,
  "rope-llama3": llama3,
  "rope-proportional": proportional,
  "rope-longrope": (rotary, spec, length) => {
    const list = spec[length > rotary.originalLength ? "longFactor" : "shortFactor"] as number[];
    return plain(rotary).map((frequency, k) => frequency / list[k % list.length]!);
  },
};

/** The kinds that ropeFrequencies() has a formula for. */
export const ropeKinds = Object.keys(rules);

/** Radians per position of each pair in a sequence of that length: `modeling_rope_utils` and what came before it. */
export function ropeFrequencies(spec: Spec, length = 1): number[] {
  const { frequencies, frequencyFactors } = spec as { frequencies?: number[]; frequencyFactors?: number[] };
  const { dim, base = 10000, factor = 1, originalLength = 1 } = spec as unknown as RotarySpec;
  const width = (spec["rotaryDim"] as number | undefined) || dim;
  const list = frequencies?.length
    ? frequencies
    : rules[spec.kind]!({ dim, base, factor, originalLength, width }, spec, length);
  return list.map((frequency, k) => frequency / (frequencyFactors?.[k] ?? 1));
}

/** What cos and sin are multiplied by: YaRN's and LongRoPE's; otherwise 1. */
export function ropeMagnitude(spec: Spec): number {
  const {
    factor = 1,
    originalLength = 1,
    attentionFactor,
    mscale,
    mscaleAllDim,
  } = spec as unknown as Record<string, number | undefined>;
  if (attentionFactor) return attentionFactor;
  const grown = (weight: number): number => (factor > 1 ? 0.1 * weight * Math.log(factor) + 1 : 1);
  if (spec.kind === "rope-yarn") return mscale && mscaleAllDim ? grown(mscale) / grown(mscaleAllDim) : grown(1);
  if (spec.kind === "rope-longrope") return factor > 1 ? Math.sqrt(1 + Math.log(factor) / Math.log(originalLength)) : 1;
  return 1;
}
