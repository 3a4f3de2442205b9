// Compares two encodings: kinds, fields, and the resulting values.
import { whereSupported } from "../base/errors.js";
import type { Kind } from "../base/specs.gen.js";
import { BiasEncoding } from "../encodings/bias.js";
import type { Encoding } from "../encodings/encoding.js";
import { RotaryEncoding } from "../encodings/rotary.js";
import { TableEncoding } from "../encodings/table.js";
import { lengthRanges } from "./explain.js";
import { fieldDocs, titles } from "./prose.gen.js";
import { about, least } from "./words.js";

/** One difference between two encodings. A value is `undefined` if only the other encoding has it. */
export interface Difference {
  /** Name of a spec field, or "frequencies", "magnitude" and similar. */
  field: string;
  /** Value of the first encoding. */
  a: unknown;
  /** Value of the second encoding. */
  b: unknown;
  /** Effect of the difference, in one sentence. */
  meaning: string;
}

/**
 * Whether one encoding can replace the other in a trained model.
 *
 * - `yes`: both compute the same values.
 * - `scores`: attention scores are equal, vectors are not.
 * - `permuted`: yes, after a permutation of the weights' rows.
 * - `causal`: yes, under a causal mask.
 * - `no`.
 */
export type Interchangeable = "yes" | "scores" | "permuted" | "causal" | "no";

/** The result of `compare`. */
export interface Comparison {
  /** Whether both compute the same values. Fields without effect may differ. */
  same: boolean;
  /** Whether one can replace the other in a trained model. */
  interchangeable: Interchangeable;
  /** Explanation of `interchangeable`, in one sentence. */
  note: string;
  /** The differences, most important first. */
  differences: Difference[];
  /**
   * Fields of each spec that its config does not determine, as in `encoding.assumed`.
   *
   * A difference in one of them may not be a difference between the models. Empty for specs, and for configs of known
   * model types.
   */
  assumed: { a: readonly string[]; b: readonly string[] };
}

type Verdict = Omit<Comparison, "same" | "assumed">;

type Values = Record<string, unknown>;

// Fields that are compared by their effects, and reported there.
const comparedSeparately = new Set(["kind", "attentionFactor"]);

const asList = (value: unknown): unknown => (ArrayBuffer.isView(value) ? Array.from(value as Float32Array) : value);
const equal = (a: unknown, b: unknown): boolean => JSON.stringify(asList(a)) === JSON.stringify(asList(b));

/** Returns the fields with their effective values, such as the number that 0 ("all") means. */
function effective(encoding: Encoding<any>): Values {
  const values: Values = { ...(encoding.spec as Values) };
  if ("rotaryDim" in values) values["rotaryDim"] ||= values["dim"];
  if ("activeHeads" in values) values["activeHeads"] ||= values["heads"];
  return values;
}

function fieldDifferences(a: Encoding<any>, b: Encoding<any>): Difference[] {
  const [left, right] = [effective(a), effective(b)];
  const docs = new Map([a, b].flatMap(({ kind }) => Object.entries(fieldDocs[kind as Kind])));
  return [...new Set([...Object.keys(left), ...Object.keys(right)])]
    .filter((field) => !comparedSeparately.has(field) && !equal(left[field] ?? null, right[field] ?? null))
    .map((field) => ({ field, a: left[field], b: right[field], meaning: docs.get(field) ?? "" }));
}

/** Returns the learned parameters that only one encoding has, or whose shapes or values differ. */
function parameterDifferences(a: Encoding<any>, b: Encoding<any>): Difference[] {
  const [left, right] = [a.parameters, b.parameters];
  return [...new Set([...Object.keys(left), ...Object.keys(right)])].flatMap((field): Difference[] => {
    const [one, other] = [left[field], right[field]];
    const shapes = { field, a: one && [...one.dims], b: other && [...other.dims] };
    if (!one || !other || !equal(one.dims, other.dims))
      return [{ ...shapes, meaning: "Learned parameters of different shapes cannot be exchanged." }];
    const most = mostApart(one.data, other.data);
    if (!most) return [];
    const meaning = `Learned parameters differ by at most ${about(most.by)}.`;
    return [{ field, a: one.data[most.at], b: other.data[most.at], meaning }];
  });
}

/** Returns the index of the first difference and the largest relative difference of two lists of frequencies. */
function apart(a: Float64Array, b: Float64Array): { first: number; largest: number; at: number } {
  let [first, largest, at] = [-1, 0, -1];
  a.forEach((frequency, k) => {
    const difference = Math.abs(frequency - b[k]!) / Math.max(Math.abs(frequency), Math.abs(b[k]!)) || 0;
    if (difference > 0 && first < 0) first = k;
    // If many pairs differ equally, the first one is reported.
    if (difference > largest + 1e-12) [largest, at] = [difference, k];
  });
  return { first, largest, at };
}

/** Largest relative error of float32 frequencies. */
const rounding = 1e-6;

/** Compares frequencies, for all sequences or from some length on. */
function frequencyDifference(
  a: RotaryEncoding<any>,
  b: RotaryEncoding<any>,
): { difference: Difference; largest: number } | undefined {
  const lengths = [a, b].flatMap(lengthRanges).flatMap(([from, to]) => [from, to + 1]);
  const probed = [1, ...lengths.filter(Number.isFinite)].sort((one, other) => one - other);
  const found = probed
    .map((length) => ({ length, ...apart(a.frequenciesAt(length), b.frequenciesAt(length)) }))
    .filter(({ first }) => first >= 0);
  if (!found.length) return undefined;
  const most = found.reduce((one, other) => (other.largest > one.largest ? other : one));
  const from = found[0]!.length === 1 ? "" : `, in sequences of ${found[0]!.length} positions and more`;
  const kind =
    most.largest <= rounding ? "the rounding of float32" : `${about(100 * most.largest)} % at pair ${most.at}`;
  const difference = {
    field: "frequencies",
    a: a.frequenciesAt(most.length)[most.at],
    b: b.frequenciesAt(most.length)[most.at],
    meaning: `Radians per position differ from pair ${least(found.map(({ first }) => first))} on, at most by ${kind}${from}.`,
  };
  return { difference, largest: most.largest };
}

function compareRotary(a: RotaryEncoding<any>, b: RotaryEncoding<any>): Verdict {
  const differences: Difference[] = [];
  const differ = (field: string, left: unknown, right: unknown, meaning: string): boolean => {
    if (left === right) return false;
    differences.push({ field, a: left, b: right, meaning });
    return true;
  };
  const unequal = (note: string): Verdict => no(note, ...differences);
  if (differ("pairs", a.pairs, b.pairs, "Number of rotated pairs."))
    return unequal("Numbers of rotated pairs differ: neither encoding can replace the other.");
  const factor = "Multiplier of cos and sin; scores are multiplied by its square.";
  const magnitude = differ("attentionFactor", a.attentionFactor, b.attentionFactor, factor);
  const frequencies = frequencyDifference(a, b);
  if (frequencies) differences.push(frequencies.difference);
  if (a.dim !== b.dim) return unequal("Head dimensions differ.");
  if (frequencies && (frequencies.largest > rounding || a.spec.precision === b.spec.precision))
    return unequal(`Frequencies differ. ${frequencies.difference.meaning}`);
  if (magnitude) return unequal("The same rotation, but scores have a different scale.");
  return pairingVerdict(differences, a.spec as Values, b.spec as Values);
}

// Fields that determine which features and axes are rotated, and how.
const featureFields = [
  ...["sections", "interleavedSections", "axisOfPair", "rotaryStart", "axes", "axisDims", "axisOrder", "coordinates"],
  ...["start", "scale", "separateAxes", "scaleBase", "centre", "centreRounding"],
];

/** Compares the rotated features of encodings with equal frequencies. */
function pairingVerdict(differences: Difference[], a: Values, b: Values): Verdict {
  const verdict = (interchangeable: Interchangeable, note: string): Verdict => ({ differences, interchangeable, note });
  const [left, right] = [a["pairing"], b["pairing"]];
  const moved = featureFields.filter((name) => !equal(a[name] ?? null, b[name] ?? null));
  if (moved.length)
    return verdict(
      "no",
      `The same frequencies, but other features, axes, coordinates or magnitudes (${moved.join(", ")}).`,
    );
  if (left !== right && (left === "half" || right === "half"))
    return verdict(
      "permuted",
      "The same angles for other features: permute the rows of the query and key weights (permuteWeights), in each head from [a0 b0 a1 b1 …] to [a0 a1 … b0 b1 …] or back; otherwise scores are wrong.",
    );
  if (left !== right)
    return verdict(
      "scores",
      "The same angles and scores; rotated vectors have another feature order, so cached keys cannot be shared.",
    );
  if (a["precision"] !== b["precision"] || a["float16Angles"] !== b["float16Angles"])
    return verdict(
      "scores",
      `The same encoding except for the ${a["precision"] === b["precision"] ? "float16" : "float32"} rounding of angles, which grows with the position.`,
    );
  return { ...same, differences };
}

const same: Verdict = { differences: [], interchangeable: "yes", note: "Both compute the same values." };
const no = (note: string, ...differences: Difference[]): Verdict => ({ differences, interchangeable: "no", note });

/** Returns the largest difference of two lists, and its index. */
function mostApart(a: Float32Array, b: Float32Array): { by: number; at: number } | undefined {
  let most: { by: number; at: number } | undefined;
  a.forEach((value, at) => {
    const by = value === b[at] ? 0 : Math.abs(value - b[at]!);
    if (by > (most?.by ?? 0)) most = { by, at };
  });
  return most;
}

// Small tables do not have all of these positions: the last lists are for them.
const samplePositions = [[0, 1, 2, 3, 5, 7, 100, 10007], [0, 1, 2, 3, 5, 7], [0, 1], [0]];

/** Returns the rows of both tables at the first list of sample positions that both have. */
function sampleRows(a: TableEncoding<any>, b: TableEncoding<any>): [Float32Array, Float32Array] | undefined {
  for (const positions of samplePositions) {
    const rows = whereSupported((): [Float32Array, Float32Array] => [
      a.table({ positions }).data,
      b.table({ positions }).data,
    ]);
    if (rows) return rows;
  }
  return undefined;
}

function compareTables(a: TableEncoding<any>, b: TableEncoding<any>): Verdict {
  if (a.dim !== b.dim) return no("Numbers of features differ.");
  const rows = sampleRows(a, b);
  if (!rows) return compareSpecs(a, b);
  const most = mostApart(...rows);
  if (!most) return compareLearned(a, b);
  const meaning = `At positions 0, 1, 2 … rows differ by at most ${about(most.by)} (feature ${most.at % a.dim}).`;
  return no(`Rows differ. ${meaning}`, { field: "rows", a: rows[0][most.at], b: rows[1][most.at], meaning });
}

const sampleKeys = 33;

/** Whether biases differ only by a constant per row, which softmax cancels. */
function sameButForConstants(a: Float32Array, b: Float32Array): boolean {
  const constants = Array.from(a, (value, i) => value - b[i]!);
  return constants.every((value, i) => Math.abs(value - constants[i - (i % sampleKeys)]!) < 1e-6);
}

/**
 * Returns the biases of some queries and keys; undefined for kinds without positions on a line (windows of an image).
 */
function sampleBiases(
  a: BiasEncoding<any>,
  b: BiasEncoding<any>,
  queries: number,
): [Float32Array, Float32Array] | undefined {
  return whereSupported(() => [a.bias({ queries, keys: sampleKeys }).data, b.bias({ queries, keys: sampleKeys }).data]);
}

function compareBiases(a: BiasEncoding<any>, b: BiasEncoding<any>): Verdict {
  if (a.heads !== b.heads) return no("Numbers of heads differ.");
  const square = sampleBiases(a, b, sampleKeys);
  const last = sampleBiases(a, b, 1);
  if (!square || !last) return compareSpecs(a, b);
  const most = mostApart(...square);
  if (!most) return compareLearned(a, b);
  const by =
    most.by === Infinity
      ? "one masks keys that are visible in the other"
      : `biases differ by at most ${about(most.by)}`;
  const meaning = `Over ${sampleKeys} positions ${by}.`;
  const difference = { field: "bias", a: square[0][most.at], b: square[1][most.at], meaning };
  if (!sameButForConstants(...last)) return no(`Biases differ. ${meaning}`, difference);
  return {
    differences: [difference],
    interchangeable: "causal",
    note: "Up to the query's position, rows differ only by a constant, which softmax cancels: under a causal mask both are equal.",
  };
}

// Fields for initial values of learned parameters.
const initial = new Set(["std", "seed"]);

/**
 * Compares encodings whose samples are equal. That suffices for formulas; learned parameters may differ beyond the
 * samples.
 */
function compareLearned(a: Encoding<any>, b: Encoding<any>): Verdict {
  const shapes = parameterDifferences(a, b);
  const isLearned = Object.keys(a.parameters).length > 0;
  const fields = isLearned ? fieldDifferences(a, b).filter(({ field }) => !initial.has(field)) : [];
  if (shapes.length === 0 && fields.length === 0) return same;
  return no("The first positions are equal; learned parameters or their lookup differ beyond them.");
}

/** Compares encodings that cannot be sampled: they are equal if kind and fields are. */
function compareSpecs(a: Encoding<any>, b: Encoding<any>): Verdict {
  const alike = equal(effective(a), effective(b)) && parameterDifferences(a, b).length === 0;
  return alike ? same : no("Kinds or fields differ.");
}

function compareValues(a: Encoding<any>, b: Encoding<any>): Verdict {
  if (a instanceof RotaryEncoding && b instanceof RotaryEncoding) return compareRotary(a, b);
  if (a instanceof TableEncoding && b instanceof TableEncoding) return compareTables(a, b);
  if (a instanceof BiasEncoding && b instanceof BiasEncoding) return compareBiases(a, b);
  return compareSpecs(a, b);
}

/** See `compare` in web/src/explain.ts. */
export function compare(a: Encoding<any>, b: Encoding<any>): Comparison {
  const differences: Difference[] = [];
  const assumed = { a: a.assumed, b: b.assumed };
  if (a.kind !== b.kind)
    differences.push({
      field: "kind",
      a: a.kind,
      b: b.kind,
      meaning: `${titles[a.kind as Kind]} against ${titles[b.kind as Kind]}.`,
    });
  if (a.family !== b.family) {
    differences.push({ field: "family", a: a.family, b: b.family, meaning: "Where positions enter the model." });
    const note =
      a.kind === "none" || b.kind === "none"
        ? "One of the encodings has no positions."
        : `The families ${a.family} and ${b.family} enter the model at different points.`;
    return { same: false, interchangeable: "no", note, differences, assumed };
  }
  const verdict = compareValues(a, b);
  differences.push(...fieldDifferences(a, b), ...parameterDifferences(a, b), ...verdict.differences);
  const { interchangeable, note } = verdict;
  return { same: interchangeable === "yes", interchangeable, note, differences, assumed };
}
