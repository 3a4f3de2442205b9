// Biases of the scores by offset: rows of a table, or values that a network computes from offsets.
import type { Spec } from "../../../base/specs.gen.js";
import { integerOf, putInto, type Constant, type Step, type Value } from "../../read/flow.js";
import type { Facts, Named } from "./facts.js";
import { describeFolded, foldedOf, type Folded } from "./folded.js";
import type { Scores } from "./scores.js";
import { axisOf, walkBack, from, hasWeights, isDifference, indexMatrixOf } from "./sources.js";
import { sourceConstant, formOps } from "../../read/trace.js";
import { countOf, isFloat, typeOf } from "../../read/values.js";

const tableOps = new Set([...formOps, "DequantizeLinear"]);
const readers = new Set(["Gather", "GatherElements", "GatherND"]);

/** Values of a table that a step selects for each query and key. */
interface Picked {
  readonly table: Value;
  readonly step: Step;
  readonly heads: number;
  readonly rows: number;
}

/** Finds reads of a table by offsets: constant indices that repeat rows, or a difference of positions. */
function picked(step: Step, { sources }: Named): Picked | undefined {
  const table = sourceConstant(step.ins[0], tableOps);
  const index = step.ins[1];
  const dims = table?.constant.tensor.dims.filter((dim) => dim > 1) ?? [];
  if (!table || !index || !isFloat(typeOf(table.constant.tensor)) || dims.length === 0 || dims.length > 2)
    return undefined;
  const isFirst = step.op !== "Gather" || axisOf(step) === 0;
  const [rows = 0, heads = 1] = dims.length === 1 ? dims : isFirst ? dims : [...dims].reverse();
  const constant = sourceConstant(index)?.constant ?? indexMatrixOf(index, sources)?.constant;
  const isOfPairs = constant
    ? countOf(constant.tensor) > rows && rows > 2
    : (sources.of(index) & (from.layer | from.input)) === 0 && isDifference(index, sources);
  return isOfPairs ? { table: table.value, step, heads, rows } : undefined;
}

function offsets(all: readonly Picked[], layers: readonly number[]): Facts {
  const [{ table, heads, rows }] = all as [Picked];
  return {
    family: "bias",
    form: "offsets",
    layers,
    heads,
    rows,
    type: typeOf(table.constant!.tensor)!,
    constants: [table.constant!],
    steps: [...new Set(all.map(({ step }) => step))],
  };
}

const bends = new Set([
  "BiasGelu",
  "Elu",
  "Erf",
  "FastGelu",
  "Gelu",
  "LeakyRelu",
  "Relu",
  "Sigmoid",
  "Softplus",
  "Tanh",
]);

/** A network that computes biases from constant offsets. */
interface Network {
  readonly coordinates: Constant;
  readonly steps: readonly Step[];
  /** The constant weights of its layers, the last layer first. */
  readonly weights: readonly Constant[];
}

/**
 * Finds the network behind a bias: Liu et al. 2022 (arXiv:2111.09883), section 3.3; also the dynamic biases of
 * CrossFormer.
 */
function networkOf(value: Value): Network | undefined {
  const layers: Step[] = [];
  const inputs: Constant[] = [];
  let bend = false;
  let picks = false;
  walkBack(
    value,
    ({ maker }) => {
      if (!maker) return true;
      if (hasWeights(maker)) layers.push(maker);
      bend ||= layers.length > 0 && bends.has(maker.op);
      picks ||= layers.length === 0 && readers.has(maker.op);
      return false;
    },
    200,
  );
  const weights: Constant[] = [];
  for (const { ins } of layers) {
    const [first, second] = ins.slice(0, 2).map((one) => sourceConstant(one)?.constant);
    if (first && second) inputs.push(first);
    const own = second ?? first;
    if (own) weights.push(own);
  }
  const [coordinates] = inputs;
  if (layers.length < 2 || !bend || !picks || !coordinates) return undefined;
  return { coordinates, steps: layers, weights };
}

/** Maximum number of coordinates that are compared. */
const mostCoordinates = 32768;

/** Returns the spec of offsets of a window, spaced by logarithms: coordinates [1, 2 · height - 1, 2 · width - 1, 2]. */
async function specOf({ coordinates, weights }: Network, heads: number, { files }: Named): Promise<Spec | undefined> {
  const [rows = 0, columns = 0, axes = 0] = coordinates.tensor.dims.slice(-3);
  const isLarge = countOf(coordinates.tensor) > mostCoordinates;
  if (isLarge || axes !== 2 || rows % 2 === 0 || columns % 2 === 0 || rows < 3 || columns < 3) return undefined;
  const numbers = await files.numbers(coordinates);
  if (!numbers || numbers.length !== rows * columns * 2) return undefined;
  const [windowHeight, windowWidth] = [(rows + 1) / 2, (columns + 1) / 2];
  const spaced = (offset: number, size: number): number =>
    (Math.sign(offset) * Math.log2(1 + (8 * Math.abs(offset)) / (size - 1))) / 3;
  const sizeBy = (edge: number, window: number): number => Math.round((8 * (window - 1)) / (8 ** edge - 1)) + 1;
  const height = sizeBy(Math.abs(numbers[0]!), windowHeight);
  const width = sizeBy(Math.abs(numbers[1]!), windowWidth);
  const isSpaced = numbers.every((number, at) => {
    const cell = at >> 1;
    const offset = at % 2 ? (cell % columns) - windowWidth + 1 : Math.floor(cell / columns) - windowHeight + 1;
    return Math.abs(number - (at % 2 ? spaced(offset, width) : spaced(offset, height))) < 2e-3;
  });
  const units = weights[0]?.tensor.dims.filter((dim) => dim !== heads).at(-1);
  if (!isSpaced || !units) return undefined;
  const trained = {
    ...(height !== windowHeight && { pretrainedHeight: height }),
    ...(width !== windowWidth && { pretrainedWidth: width }),
  };
  return { kind: "swin-v2", heads, windowHeight, windowWidth, ...trained, width: units };
}

async function network(found: Network, layers: readonly number[], at: Named): Promise<Facts> {
  const [last] = found.weights;
  const wide = last!.tensor.dims.filter((dim) => dim > 1);
  const isTransposed = integerOf(found.steps[0]!.node, "transB", 0) !== 0;
  const heads = wide.length === 2 ? wide.at(isTransposed ? 0 : -1) : undefined;
  const { dims } = found.coordinates.tensor;
  const spec = heads === undefined ? undefined : await specOf(found, heads, at);
  return {
    family: "bias",
    form: "network",
    layers,
    ...(heads !== undefined && { heads }),
    rows: countOf(found.coordinates.tensor) / (dims.at(-1) || 1),
    type: typeOf(last!.tensor)!,
    ...(spec && { spec }),
    constants: [found.coordinates, ...found.weights],
    steps: found.steps,
  };
}

const sorted = (all: readonly Scores[]): number[] =>
  [...new Set(all.flatMap(({ layer }) => layer ?? []))].sort((a, b) => a - b);

/** Finds biases of offsets among the addends of scores. `taken`: constants of known components. */
export async function findOffsets(at: Named, all: readonly Scores[], taken: ReadonlySet<Constant>): Promise<Facts[]> {
  const tables = new Map<Constant, [Picked, Scores][]>();
  const networks = new Map<Constant, [Network, Scores][]>();
  const folded = new Map<Constant, [Folded, Scores][]>();
  const known = new Map<Value, Picked | Network | Folded | undefined>();
  const ask = async (value: Value): Promise<Picked | Network | Folded | undefined> => {
    const step = value.maker;
    if (at.sources.of(value) & from.input) return undefined;
    const read = step && ((readers.has(step.op) ? picked(step, at) : undefined) ?? networkOf(value));
    return read ?? foldedOf(value, at);
  };
  for (const scores of all)
    for (const { value } of scores.addends) {
      if (!known.has(value)) known.set(value, await ask(value));
      const one = known.get(value);
      if (!one) continue;
      if ("table" in one) putInto(tables, one.table.constant!, [one, scores]);
      else if ("constant" in one) putInto(folded, one.constant, [one, scores]);
      else putInto(networks, one.weights[0]!, [one, scores]);
    }
  const isFree = (constant: Constant): boolean => !taken.has(constant);
  const layersOf = (list: readonly [unknown, Scores][]): number[] => sorted(list.map(([, scores]) => scores));
  const found: Facts[] = [];
  for (const [constant, list] of tables)
    if (isFree(constant))
      found.push(
        offsets(
          list.map(([one]) => one),
          layersOf(list),
        ),
      );
  for (const list of networks.values())
    if (list[0]![0].weights.every(isFree)) found.push(await network(list[0]![0], layersOf(list), at));
  for (const [constant, list] of folded) if (isFree(constant)) found.push(describeFolded(list[0]![0], layersOf(list)));
  return found;
}
