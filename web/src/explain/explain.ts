// Describes an encoding by values and one paragraph. The core computes all values: this file has no formulas.
import { invalid, show, whereSupported } from "../base/errors.js";
import type { RopeSpec } from "../base/specs.gen.js";
import { BiasEncoding } from "../encodings/bias.js";
import { createEncoding } from "../encodings/create.js";
import type { Encoding } from "../encodings/encoding.js";
import { RotaryEncoding } from "../encodings/rotary.js";
import { TableEncoding } from "../encodings/table.js";
import type { Core } from "../wasm/core.js";
import type {
  BiasExplanation,
  Explanation,
  PairChange,
  PairRun,
  RotaryExplanation,
  RotaryRegime,
  TableExplanation,
} from "./explanation.js";
import { distanceProfile } from "./insight.js";
import { least, most } from "./words.js";
import { summaryOf } from "./summaries.js";

/** Returns the fields that all explanations have. Summary and parameters are filled in last. */
const beginningOf = ({ assumed, ignored }: Encoding<any>) => ({ summary: "", parameters: {}, assumed, ignored });

// Float32 frequencies that a rule leaves unchanged differ by rounding.
const toleranceOf = (encoding: Encoding<any>): number =>
  (encoding.spec as { precision?: string }).precision === "float32" ? 1e-6 : 1e-12;

const near = (a: number, b: number, tolerance: number): boolean => Math.abs(a - b) <= tolerance * Math.abs(b);

/**
 * Returns the frequencies of plain RoPE with as many pairs: for rotaryDim if that sets the exponent, else for the whole
 * head.
 */
function plainFrequencies(encoding: RotaryEncoding<any>): Float64Array {
  const { dim, rotaryDim, base, precision } = encoding.spec as Record<string, unknown>;
  const whole = encoding.pairs * 2 !== encoding.rotaryDim;
  const spec = { kind: "rope", dim, base, precision, ...(whole ? {} : { rotaryDim }) } as RopeSpec;
  const plain = createEncoding(encoding.core, spec) as RotaryEncoding;
  const frequencies = plain.inverseFrequencies;
  plain.dispose();
  return frequencies;
}

/**
 * Groups adjacent pairs with the same change. `own`: each pair has its own divisor, so that a blend cannot be
 * recognised.
 */
function pairRuns(frequencies: Float64Array, plain: Float64Array, tolerance: number, own: boolean): PairRun[] {
  const ratios = Array.from(frequencies, (frequency, k) => frequency / plain[k]!);
  const slowest = least(ratios.filter((ratio) => ratio > 0));
  const changeOf = (ratio: number): PairChange => {
    if (ratio === 0) return "still";
    if (near(ratio, 1, tolerance)) return "unchanged";
    if (ratio > 1) return "faster";
    return own || near(ratio, slowest, tolerance) ? "slowed" : "blended";
  };
  const runs: PairRun[] = [];
  ratios.forEach((ratio, k) => {
    const change = changeOf(ratio);
    const run = runs.at(-1);
    if (run?.change !== change) runs.push({ first: k, last: k, change, ratio: [ratio, ratio] });
    else {
      run.last = k;
      run.ratio = [Math.min(run.ratio[0], ratio), Math.max(run.ratio[1], ratio)];
    }
  });
  return runs;
}

/** Returns the ranges of sequence lengths with different frequencies, as [from, to]. */
export function lengthRanges(encoding: RotaryEncoding<any>): [number, number][] {
  const { originalLength: trained } = encoding.spec as { originalLength?: number };
  if (trained === undefined) return [];
  const at = (length: number): string => encoding.frequenciesAt(length).join();
  const [short, long, longer] = [at(trained), at(2 * trained), at(4 * trained)];
  if (short === long) return [];
  const beyond: [number, number][] =
    long === longer ? [[trained + 1, Infinity]] : [2, 4, 8].map((times) => [times * trained, times * trained]);
  return [[1, trained], ...beyond];
}

function explainRotary(encoding: RotaryEncoding<any>, context: number | undefined): RotaryExplanation {
  const spec = encoding.spec as Record<string, unknown>;
  // The blocks of several axes are not a rule that changes frequencies.
  const plain = encoding.kind === "rope-axial" ? encoding.inverseFrequencies : plainFrequencies(encoding);
  const own = "longFactor" in spec || !!(spec["frequencyFactors"] as number[] | null)?.length;
  const regime = (fromLength: number, toLength: number): RotaryRegime => {
    const frequencies = encoding.frequenciesAt(fromLength);
    const wavelengths = frequencies.map((frequency) => (2 * Math.PI) / frequency);
    const pairs = pairRuns(frequencies, plain, toleranceOf(encoding), own);
    return { fromLength, toLength, wavelengths, pairs, longestWavelength: most(wavelengths.filter(Number.isFinite)) };
  };
  const { wavelengths, pairs, longestWavelength } = regime(1, Infinity);
  const contextLength = context ?? (spec["originalLength"] as number | undefined);
  return {
    kind: encoding.kind,
    family: "rotary",
    ...beginningOf(encoding),
    wavelengths,
    pairs,
    longestWavelength,
    attentionFactor: encoding.attentionFactor,
    contextLength,
    rotations: contextLength === undefined ? undefined : wavelengths.map((wavelength) => contextLength / wavelength),
    regimes: lengthRanges(encoding).map((range) => regime(...range)),
  };
}

/** Returns the frequencies of sines without cosines, measured from their slope at 0. */
function measuredFrequencies(encoding: TableEncoding<any>): Float64Array {
  const step = 2 ** -20;
  return Float64Array.from(encoding.table({ positions: [step] }).data, (sine) => sine / step);
}

function explainTable(encoding: TableEncoding<any>): TableExplanation {
  const frequencies = encoding.kind === "periodic" ? measuredFrequencies(encoding) : encoding.sinusoidFrequencies();
  const wavelengths = frequencies.map((frequency) => Math.abs((2 * Math.PI) / frequency));
  return {
    kind: encoding.kind,
    family: "table",
    ...beginningOf(encoding),
    dim: encoding.dim,
    wavelengths: wavelengths.length ? wavelengths : undefined,
    shiftable: encoding.sinusoidFrequencies().length * 2 === encoding.dim,
  };
}

const farthest = 65536;
/** If no key is masked up to this distance, nor at the largest one, none is assumed to be masked between them. */
const nearby = 4096;

/** Returns, for each head, the first distance at which the bias is `depth` below the bias at distance 0. */
const reachIn = (profile: Float32Array, heads: number, depth: number): number[] =>
  Array.from({ length: heads }, (_, head) => {
    const width = profile.length / heads;
    const row = profile.subarray(head * width, (head + 1) * width);
    // Not findIndex, which is 40× slower for millions of values.
    let at = 0;
    while (at < width && !(row[at]! - row[0]! <= -depth)) at++;
    return at < width ? at : Infinity;
  });

/** Returns the reach of each head; undefined for kinds without distances along a line. */
const reaches = (core: Core, encoding: BiasEncoding<any>): BiasExplanation["reach"] =>
  whereSupported(() => {
    const { heads } = encoding;
    // The profiles of all heads have at most 64 MiB.
    const limit = Math.min(farthest, Math.floor(2 ** 24 / heads));
    const hidesFar = encoding.bias({ queries: 1, keys: 1, offset: limit }).data.includes(-Infinity);
    const isFound = (reached: number[]): boolean => reached.every(Number.isFinite);
    for (let distance = 256; ; distance *= 4) {
      const { data } = distanceProfile(core, encoding, distance);
      const [halved, nat, masked] = [Math.LN2, 1, Infinity].map((depth) => reachIn(data, heads, depth));
      const isDone = isFound(halved!) && isFound(nat!) && (isFound(masked!) || (!hidesFar && distance >= nearby));
      if (distance >= limit || isDone) return { halved: halved!, nat: nat!, masked: masked! };
    }
  });

function explainBias(core: Core, encoding: BiasEncoding<any>): BiasExplanation {
  return {
    kind: encoding.kind,
    family: "bias",
    ...beginningOf(encoding),
    heads: encoding.heads,
    slopes: encoding.parameters["slopes"]?.data.slice(),
    reach: reaches(core, encoding),
  };
}

function facts(core: Core, encoding: Encoding<any>, context: number | undefined): Explanation {
  if (encoding instanceof RotaryEncoding) return explainRotary(encoding, context);
  if (encoding instanceof TableEncoding) return explainTable(encoding);
  if (encoding instanceof BiasEncoding) return explainBias(core, encoding);
  return { kind: encoding.kind, family: "relative", ...beginningOf(encoding) };
}

/** See `explain` in web/src/explain.ts. */
export function explain(core: Core, encoding: Encoding<any>, contextLength: number | undefined): Explanation {
  if (contextLength !== undefined && !(typeof contextLength === "number" && contextLength > 0))
    throw invalid("contextLength", `must be a number > 0, got ${show(contextLength)}`);
  const explanation = facts(core, encoding, contextLength);
  for (const [name, { dims }] of Object.entries(encoding.parameters)) explanation.parameters[name] = [...dims];
  const { assumed } = encoding;
  const open = assumed.length ? ` The model type is unknown; assumed as in Llama: ${assumed.join(", ")}.` : "";
  explanation.summary = summaryOf(explanation, encoding.spec as Record<string, unknown>) + open;
  return explanation;
}
