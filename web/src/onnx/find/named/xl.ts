// Sinusoids of distances projected to separate keys: Transformer-XL (Dai et al. 2019, arXiv:1901.02860) and Conformers.
import type { Spec } from "../../../base/specs.gen.js";
import { putInto, type Constant, type Step, type Value } from "../../read/flow.js";
import { matchFrequencies } from "../match.js";
import type { Facts, Named } from "./facts.js";
import { isProductStep, unscaled, type Scores } from "./scores.js";
import { walkBack, from, hasWeights } from "./sources.js";
import { sourceConstant, formOps, scalarOf } from "../../read/trace.js";
import { columnsOf, halvesOf, type Rows } from "../cos-sin-tables.js";
import { countOf, isFloat, isNarrow, typeOf, type DataType } from "../../read/values.js";

/** Sinusoids before a projection: computed, or rows of a constant. */
interface Sinusoids {
  readonly constant: Constant;
  readonly steps: readonly Step[];
  readonly base?: number | undefined;
  /** Number of features of the sinusoids; undefined: the graph has only keys computed from them. */
  readonly width?: number;
}

/** Keys of distances in the scores of a layer. */
interface DistanceKeys extends Sinusoids {
  readonly product: Step;
  readonly scores: Scores;
  /** The bias v of queries for keys of distances. */
  readonly bias: Value | undefined;
}

const maxValues = 200;
const beforeProjection = new Set([...formOps, "Add", "Concat", "Dropout", "Gather", "Mul", "Slice", "Split"]);

/** Returns the projection of an operand of a product. A bias may be added after it. */
function projectionOf(operand: Value): Step | undefined {
  let found: Step | undefined;
  walkBack(
    operand,
    ({ maker }) => {
      if (maker && hasWeights(maker)) found ??= maker;
      return !maker || hasWeights(maker) || !beforeProjection.has(maker.op);
    },
    64,
  );
  return found;
}

/** Returns the base of frequencies that fall by one ratio. */
function baseOf(frequencies: ArrayLike<number>, type: DataType): number | undefined {
  if (frequencies.length < 2) return undefined;
  const spec = matchFrequencies(frequencies, isNarrow(type) ? 1e-3 : 2e-5)?.spec;
  return spec?.kind === "rope" ? (spec.base ?? 10000) : undefined;
}

/** Whether the squares of two columns sum to 1 in every row. */
function areCosSin(cos: Rows, sin: Rows, tolerance: number): boolean {
  return cos.values.every((value, i) => Math.abs(Math.hypot(value, sin.values[i]!) - 1) < tolerance);
}

/** Maximum number of rows of a table that are examined. Rows in its middle suffice. */
const mostRows = 256;

/** Returns the frequencies of a constant [rows, width] of sinusoids. Each constant is examined once. */
async function tableOf(constant: Constant, at: Named): Promise<number[] | undefined> {
  if (!examined.has(constant)) examined.set(constant, await examine(constant, at));
  return examined.get(constant);
}
const examined = new WeakMap<Constant, number[] | undefined>();

async function examine(constant: Constant, { files }: Named): Promise<number[] | undefined> {
  const type = typeOf(constant.tensor);
  const [rows = 0, width = 0, ...more] = constant.tensor.dims.filter((dim) => dim > 1);
  if (!isFloat(type) || more.length > 0 || rows < 3 || width < 4 || width % 2 !== 0) return undefined;
  const first = Math.max(0, Math.floor((rows - mostRows) / 2));
  const values = await files.numbers(constant, first * width, Math.min(rows, mostRows) * width);
  if (!values) return undefined;
  const table: Rows = { values, rows: values.length / width, width };
  const even = columnsOf(table, (k) => 2 * k, width / 2);
  const odd = columnsOf(table, (k) => 2 * k + 1, width / 2);
  const twoHalves = halvesOf(table, false);
  const tolerance = isNarrow(type) ? 1e-2 : 1e-4;
  const pair = areCosSin(odd, even, tolerance)
    ? { cos: odd, sin: even }
    : areCosSin(twoHalves.cos, twoHalves.sin, tolerance) && twoHalves;
  if (!pair) return undefined;
  // Angles between rows: less than half a rotation for the highest frequency.
  const { cos, sin } = pair;
  return Array.from({ length: width / 2 }, (_, k) => {
    const [a, b] = [k, k + width / 2];
    const sine = sin.values[b]! * cos.values[a]! - cos.values[b]! * sin.values[a]!;
    return Math.abs(Math.atan2(sine, cos.values[b]! * cos.values[a]! + sin.values[b]! * sin.values[a]!));
  });
}

/** Returns the cosine and sine, or the table of them, from which a projection's input is computed. */
async function sinusoidsIn(input: Value, at: Named): Promise<Sinusoids | undefined> {
  const steps: Step[] = [];
  const constants: Constant[] = [];
  walkBack(
    input,
    (value) => {
      const step = value.maker;
      if (step?.op === "Cos" || step?.op === "Sin") steps.push(step);
      else if (value.constant && isFloat(typeOf(value.constant.tensor))) constants.push(value.constant);
      return !!step && hasWeights(step);
    },
    maxValues,
  );
  const wide = constants.filter(({ tensor }) => countOf(tensor) > 1);
  const hasBoth = steps.some(({ op }) => op === "Cos") && steps.some(({ op }) => op === "Sin");
  const angles = hasBoth ? wide.find(({ tensor }) => tensor.dims.filter((dim) => dim > 1).length === 1) : undefined;
  if (angles) {
    const numbers = await at.files.numbers(angles);
    const base = numbers && numbers.length <= 8192 ? baseOf(numbers, typeOf(angles.tensor)!) : undefined;
    return { constant: angles, steps: [...steps, ...productsOf(steps)], base, width: 2 * countOf(angles.tensor) };
  }
  for (const constant of wide) {
    const frequencies = await tableOf(constant, at);
    if (frequencies)
      return {
        constant,
        steps: [],
        base: baseOf(frequencies, typeOf(constant.tensor)!),
        width: 2 * frequencies.length,
      };
  }
  return undefined;
}

/** Returns the sinusoids that are multiplied with weights. For a fixed length they are a constant. */
async function sinusoidsOf({ ins }: Step, at: Named): Promise<Sinusoids | undefined> {
  const [first, second] = ins;
  const isFolded = sourceConstant(first) && sourceConstant(second);
  const inputs = isFolded ? [first, second] : [first, second].filter((value) => !sourceConstant(value));
  for (const input of inputs) {
    const sinusoids = input && (await sinusoidsIn(input, at));
    if (sinusoids) return sinusoids;
  }
  return undefined;
}

const productsOf = (sinusoids: readonly Step[]): Step[] => [
  ...new Set(sinusoids.flatMap(({ ins }) => (ins[0]?.maker ? [ins[0].maker] : []))),
];

const beforeBias = new Set([...formOps, "Div", "Mul"]);
interface Bias {
  readonly value: Value;
  /** The value to which it is added. */
  readonly queries: Value;
}

/** Returns the constant [heads, dim] that is added to the features of a product. */
function biasOf(features: Value): Bias | undefined {
  let at: Value | undefined = features;
  for (let left = 16; left > 0 && at?.maker; left--) {
    const { op, ins }: Step = at.maker;
    if (op === "Add") {
      for (const [i, one] of ins.entries()) {
        const bias = sourceConstant(one);
        const queries = ins[1 - i];
        if (queries && bias?.constant.tensor.dims.filter((dim) => dim > 1).length === 2)
          return { value: bias.value, queries: unscaled(queries) };
      }
      return undefined;
    }
    if (!beforeBias.has(op)) return undefined;
    at = ins.find((value, i) => value && (formOps.has(op) ? i === 0 : !scalarOf(value)));
  }
  return undefined;
}

async function distanceKeysOf(
  product: Step,
  isSkewed: boolean,
  scores: Scores,
  at: Named,
): Promise<DistanceKeys | undefined> {
  for (const [i, operand] of product.ins.entries()) {
    const features = product.ins[1 - i]!;
    if (at.sources.of(operand) & from.input || !(at.sources.of(features) & from.input)) continue;
    const projection = projectionOf(operand!);
    const sinusoids = projection && (await sinusoidsOf(projection, at));
    const bias = biasOf(features);
    // Sinusoids of positions, unlike those of distances, are not shifted, and their queries have no bias.
    if (sinusoids && (bias || isSkewed))
      return { ...sinusoids, steps: [...sinusoids.steps, projection!], product, scores, bias: bias?.value };
    const keys = isSkewed && bias ? sourceConstant(operand)?.constant : undefined;
    if (keys && multipliesContent(bias!, scores, at))
      return { constant: keys, steps: [], product, scores, bias: bias!.value };
  }
  return undefined;
}

/**
 * Whether the same queries, with another bias, are multiplied with content keys. The constant of shifted scores then
 * has keys of distances.
 */
function multipliesContent(bias: Bias, { addends }: Scores, { sources }: Named): boolean {
  return addends.some(({ value: { maker } }) => {
    if (!isProductStep(maker) || !maker.ins.every((operand) => sources.of(operand) & from.input)) return false;
    return maker.ins.some((operand) => {
      const other = biasOf(operand!);
      return !!other && other.value !== bias.value && other.queries === bias.queries;
    });
  });
}

function described(distanceKeys: readonly DistanceKeys[]): Facts {
  const [{ constant, base, width }] = distanceKeys as [DistanceKeys];
  const biases = new Set<Constant>();
  for (const { scores, bias } of distanceKeys) {
    if (bias) biases.add(bias.constant!);
    // The bias u of queries for content keys.
    for (const { value } of bias ? scores.addends : [])
      for (const operand of isProductStep(value.maker) ? value.maker.ins : []) {
        const other = biasOf(operand!);
        if (other) biases.add(other.value.constant!);
      }
  }
  const [heads, dim] = [...biases][0]?.tensor.dims.filter((one) => one > 1) ?? [];
  const isKnown = heads !== undefined && dim !== undefined && base !== undefined && width !== undefined;
  const spec = {
    kind: "transformer-xl",
    dim,
    heads,
    ...(width !== heads! * dim! && { modelDim: width }),
    base,
  } as Spec;
  return {
    family: "relative",
    form: "transformer-xl",
    layers: [...new Set(distanceKeys.flatMap(({ scores }) => scores.layer ?? []))].sort((a, b) => a - b),
    ...(heads !== undefined && { heads, dim: dim! }),
    type: typeOf(constant.tensor)!,
    ...(isKnown && { spec }),
    constants: [constant, ...biases],
    steps: [...new Set(distanceKeys.flatMap(({ steps, product }) => [...steps, product]))],
  };
}

/** Finds Transformer-XL's encoding. Layers whose sinusoids come from one constant are one component. */
export async function findTransformerXl(at: Named, all: readonly Scores[]): Promise<Facts[]> {
  const byConstant = new Map<Constant, DistanceKeys[]>();
  const seen = new Set<Step>();
  for (const scores of all)
    for (const { value, isSkewed } of scores.addends) {
      const product = value.maker;
      if (!isProductStep(product) || seen.has(product)) continue;
      seen.add(product);
      const distanceKeys = await distanceKeysOf(product, isSkewed, scores, at);
      if (distanceKeys) putInto(byConstant, distanceKeys.constant, distanceKeys);
    }
  return [...byConstant.values()].map(described);
}
