// Biases in a graph: ALiBi by its slopes, T5 and DeBERTa by the logarithm in their buckets.
import type { Spec } from "../../base/specs.gen.js";
import { attributeOf, type Constant, type Flow, type Step, type Value } from "../read/flow.js";
import { sourceConstant, formOps, forward, makerOf, scalarOf, usersOf, type Arrival } from "../read/trace.js";
import { countOf, isFloat, isNarrow, typeNamed, typeOf, type DataType, type Files } from "../read/values.js";

export interface FoundBias {
  readonly family: "bias" | "relative";
  readonly form: "slopes" | "baked-slopes" | "buckets" | "windowed";
  readonly type: DataType;
  readonly heads?: number;
  /** Number of keys of a baked bias. */
  readonly rows?: number;
  /** Number of buckets of a relative encoding whose head dimension the graph does not show. */
  readonly buckets?: number;
  readonly maxDistance?: number;
  readonly spec?: Spec;
  readonly error?: number;
  readonly constants: readonly Constant[];
  readonly steps: readonly Step[];
  readonly users: readonly Value[];
  readonly parts: BiasParts;
}

/** Values that change for another bias. */
export type BiasParts =
  | { readonly form: "windowed" }
  | { readonly form: "slopes" | "baked-slopes"; readonly value: Value; readonly keys: number }
  | { readonly form: "baked-matrix"; readonly value: Value; readonly tokens: number }
  | {
      readonly form: "buckets";
      readonly kind: "t5" | "deberta";
      /**
       * log(maxDistance / exact), by which logarithms are divided, or its inverse, by which they are multiplied. For
       * DeBERTa log((maxDistance - 1) / exact).
       */
      readonly spread: Value;
      readonly isInverse: boolean;
      /** Number of distances with a separate bucket. */
      readonly exact: number;
      /** Number of further buckets; for DeBERTa, that number minus one. */
      readonly more: number;
      readonly maxDistance: number;
      /** The steps x / exact, its logarithm, that / spread, and that · more. */
      readonly chain: readonly [first: Step, log: Step, divide: Step, multiply: Step];
    };

export type Buckets = Extract<BiasParts, { form: "buckets" }>;

/**
 * Returns ALiBi's slopes, 2^(-maxBias h / heads), interleaved if heads are not a power of 2: Press et al. 2022
 * (arXiv:2108.12409), section 3.
 */
export function alibiSlopes(heads: number, maxBias = 8): number[] {
  const closest = 2 ** Math.floor(Math.log2(heads));
  const of = (count: number): number[] => Array.from({ length: count }, (_, h) => 2 ** ((-maxBias * (h + 1)) / count));
  const others = of(2 * closest).filter((_, i) => i % 2 === 0);
  return [...of(closest), ...others.slice(0, heads - closest)];
}

const slopesTolerance = 2e-3;
/** Fewer heads than this fit some maxBias by chance. */
const fewestHeads = 4;

/** Returns the shortest decimal number for maxBias with these slopes, to the precision of their dtype. */
function maxBiasOf(slopes: readonly number[], isNarrowed: boolean): number {
  const exact = -Math.log2(slopes[2 ** Math.floor(Math.log2(slopes.length)) - 1]!);
  for (let digits = 1; digits < 7; digits++) {
    const short = Number(exact.toPrecision(digits));
    if (Math.abs(short - exact) < (isNarrowed ? 5e-3 : 2e-6)) return short;
  }
  return exact;
}

/**
 * Returns the spec of ALiBi with these slopes, and the largest relative error of a slope: the paper's slopes times a
 * common factor, or slopes of another maxBias. undefined: they are not ALiBi's.
 */
export function matchSlopes(signed: readonly number[], type: DataType): { spec: Spec; error: number } | undefined {
  const slopes = signed.map(Math.abs);
  const heads = slopes.length;
  const errorOf = (rule: readonly number[], factor: number): number =>
    Math.max(...slopes.map((slope, h) => Math.abs(slope / (factor * rule[h]!) - 1)));
  const paper = alibiSlopes(heads);
  const factor = slopes[0]! / paper[0]!;
  const error = errorOf(paper, factor);
  const isPaper = Math.abs(factor - 1) < slopesTolerance;
  if (error <= slopesTolerance) return { spec: { kind: "alibi", heads, ...(!isPaper && { slopes }) }, error };
  const maxBias = heads < fewestHeads ? 0 : maxBiasOf(slopes, isNarrow(type));
  const other = maxBias > 0 ? errorOf(alibiSlopes(heads, maxBias), 1) : 1;
  return other <= slopesTolerance ? { spec: { kind: "alibi", heads, maxBias }, error: other } : undefined;
}

const mostHeads = 256;

async function* slopesOf(value: Value, files: Files): AsyncGenerator<FoundBias> {
  const constant = value.constant!;
  const { dims } = constant.tensor;
  const type = typeOf(constant.tensor);
  const wide = dims.filter((dim) => dim !== 1);
  const heads = wide[0];
  if (!type || !isFloat(type) || !heads || heads < 2 || heads > mostHeads || wide.length > 2) return;
  const products = usersOf(value, wide.length === 2 ? ["Mul", "Slice", "Add"] : ["Mul"]);
  if (products.length === 0) return;
  const numbers = await files.numbers(constant);
  if (!numbers) return;
  const keys = wide[1] ?? 1;
  // For a bias over distances, the slope is the step between keys.
  const slopes = Array.from({ length: heads }, (_, h) =>
    wide.length === 1 ? numbers[h]! : numbers[h * keys + 1]! - numbers[h * keys]!,
  );
  if (!slopes.every((slope) => slope !== 0 && Number.isFinite(slope) && slope > 0 === slopes[0]! > 0)) return;
  const match = matchSlopes(slopes, type);
  if (!match || (wide.length === 2 && !isStraight(numbers, slopes, keys))) return;
  yield {
    family: "bias",
    form: wide.length === 2 ? "baked-slopes" : "slopes",
    type,
    heads,
    ...(wide.length === 2 && { rows: keys }),
    ...match,
    constants: [constant],
    steps: products,
    users: products.flatMap((step) => step.outs),
    parts: { form: wide.length === 2 ? "baked-slopes" : "slopes", value, keys },
  };
}

function isStraight(numbers: Float64Array, slopes: readonly number[], keys: number): boolean {
  return slopes.every((slope, h) => {
    const at = h * keys;
    for (let j = 2; j < keys; j++)
      if (Math.abs(numbers[at + j]! - numbers[at]! - j * slope) > 1e-3 * Math.abs(j * slope)) return false;
    return true;
  });
}

/** Returns the factor of x / constant or x · constant. */
async function ratioOf(step: Step | undefined, files: Files): Promise<number | undefined> {
  if (step?.op !== "Div" && step?.op !== "Mul") return undefined;
  const at = scalarOf(step.ins[1]) ? 1 : step.op === "Mul" && scalarOf(step.ins[0]) ? 0 : undefined;
  const number = at === undefined ? undefined : (await files.numbers(scalarOf(step.ins[at])!))?.[0];
  return number === undefined ? undefined : step.op === "Div" ? 1 / number : number;
}

const formsButCast = new Set([...formOps].filter((op) => op !== "Cast"));

/** Returns the Cast of a logarithm's distances to 16-bit floats; undefined: there is none. */
export function narrowing({
  chain: [first],
}: Buckets): readonly [cast: Step, type: "float16" | "bfloat16"] | undefined {
  const distance = first.ins.find((value) => !scalarOf(value));
  const cast = makerOf(distance, formsButCast);
  const type = cast?.op === "Cast" ? typeNamed(attributeOf(cast.node, "to")?.i ?? 0) : undefined;
  return cast && isNarrow(type) ? [cast, type] : undefined;
}

/** Maximum number of form changes between the steps of a logarithm. */
const mostForms = 16;

function onlyUser(step: Step | undefined): Step | undefined {
  let at = step?.outs[0]?.users;
  for (let left = mostForms; left > 0 && at?.length === 1 && formOps.has(at[0]!.op); left--) at = at[0]!.outs[0]?.users;
  return at?.length === 1 ? at[0] : undefined;
}

/** log(x / exact) / spread · more, as in the buckets of T5 and DeBERTa. */
interface Logarithm {
  readonly first: Step;
  readonly steps: readonly [log: Step, divide: Step, multiply: Step];
  readonly exact: number;
  readonly more: number;
  /** exact · e^spread: the distance at which the logarithm's buckets end. */
  readonly farthest: number;
  readonly spread: Arrival;
}

async function logarithmOf(log: Step, files: Files): Promise<Logarithm | undefined> {
  const first = makerOf(log.ins[0]);
  const before = await ratioOf(first, files);
  const divide = onlyUser(log);
  const ratio = await ratioOf(divide, files);
  const multiply = onlyUser(divide);
  const more = await ratioOf(multiply, files);
  const spread = divide?.ins.map((value) => sourceConstant(value)).find((arrival) => arrival);
  if (!first || !before || !ratio || more === undefined || !divide || !multiply || !spread) return undefined;
  const exact = 1 / before;
  return { first, steps: [log, divide, multiply], exact, more, farthest: exact * Math.exp(1 / ratio), spread };
}

function partsOf(
  kind: "t5" | "deberta",
  { first, steps, exact, more, spread }: Logarithm,
  maxDistance: number,
): BiasParts {
  const [, divide] = steps;
  const [isInverse, chain] = [divide.op === "Mul", [first, ...steps] as const];
  return { form: "buckets", kind, spread: spread.value, isInverse, exact, more, maxDistance, chain };
}

/** Maximum numbers of values between distances and buckets, and of steps that read buckets. */
const mostFollowed = 400;
const mostGathers = 400;

/** Finds T5's bias: the bucket is a row of a table [buckets, heads]. Raffel et al. 2020 (arXiv:1910.10683). */
function t5Of(logarithm: Logarithm): FoundBias | undefined {
  const { steps, exact, more, farthest, spread } = logarithm;
  const gathers: Step[] = [];
  forward(
    steps[2].outs,
    (step) => {
      if (step.op === "Gather" && sourceConstant(step.ins[0]) && gathers.length < mostGathers) gathers.push(step);
      return step.op === "Gather" || step.op === "Softmax" || step.op === "Shape";
    },
    mostFollowed,
  );
  const table = gathers[0] && sourceConstant(gathers[0].ins[0]);
  const type = table && typeOf(table.constant.tensor);
  if (!table || !type || table.constant.tensor.dims.length !== 2) return undefined;
  const [rows = 0, heads = 0] = table.constant.tensor.dims;
  const bidirectional = rows === 2 * (Math.round(exact) + Math.round(more));
  const maxDistance = Math.round(farthest);
  return {
    family: "bias",
    form: "buckets",
    type,
    heads,
    rows,
    spec: { kind: "t5", heads, buckets: rows, maxDistance, bidirectional },
    error: Math.abs(farthest / maxDistance - 1),
    constants: [table.constant, spread.constant],
    steps: [...steps, ...gathers],
    users: gathers.flatMap((step) => step.outs),
    parts: partsOf("t5", logarithm, maxDistance),
  };
}

/**
 * Finds DeBERTa's encoding: buckets are rounded up, next to exact distances on both sides. He et al. 2021
 * (arXiv:2006.03654).
 */
function debertaOf(logarithm: Logarithm): FoundBias | undefined {
  const { steps, exact, more, farthest, spread } = logarithm;
  const maxDistance = Math.round(farthest + 1);
  const type = typeOf(spread.constant.tensor);
  if (!type || onlyUser(steps[2])?.op !== "Ceil" || Math.abs(more - (exact - 1)) > 1e-3) return undefined;
  return {
    family: "relative",
    form: "buckets",
    type,
    buckets: 2 * Math.round(exact),
    maxDistance,
    error: Math.abs((farthest + 1) / maxDistance - 1),
    constants: [spread.constant],
    steps,
    users: steps[2].outs,
    parts: partsOf("deberta", logarithm, maxDistance),
  };
}

export async function* findBiases(flow: Flow, files: Files): AsyncGenerator<FoundBias> {
  for (const step of flow.steps) {
    const logarithm = step.op === "Log" && step.node.domain === "" ? await logarithmOf(step, files) : undefined;
    const found = logarithm && (t5Of(logarithm) ?? debertaOf(logarithm));
    if (found) yield found;
  }
  for (const value of flow.constants) if (countOf(value.constant!.tensor) <= 1048576) yield* slopesOf(value, files);
}
