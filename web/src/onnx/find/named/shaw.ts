// Vectors of distances that are multiplied with queries or keys: Shaw et al. 2018 (arXiv:1803.02155), and the
// decomposed positions of images (MViT v2: Li et al. 2022, arXiv:2112.01526; SAM).
import type { Spec } from "../../../base/specs.gen.js";
import { integerOf, putInto, type Constant, type Step, type Value } from "../../read/flow.js";
import type { Facts, Named } from "./facts.js";
import { distancesOf } from "./distances.js";
import { isProductStep, unscaled, type Addend, type Scores } from "./scores.js";
import { axisOf, downstream, from, isDifference, indexMatrixOf } from "./sources.js";
import { sourceConstant, formOps, scalarOf } from "../../read/trace.js";
import { countOf, isFloat, typeOf, type Files } from "../../read/values.js";

/** A table of distances, and how a product reads it. */
export interface Read {
  readonly table: Value;
  /** Steps between the table and the product. */
  readonly steps: readonly Step[];
  /** Indices of the rows; undefined: the table is sliced to the length, or has a row for each pair already. */
  readonly index?: Value;
  readonly rows: number;
  readonly dim: number;
}

/** A table that is multiplied with features. */
interface TableProduct extends Read {
  readonly product: Step;
  readonly features: Value;
  readonly scores: Scores;
}

const mostSteps = 32;
const passing = new Set([...formOps, "DequantizeLinear", "Dropout", "Pad", "Resize", "Slice"]);

type Way = Pick<Addend, "isSkewed" | "isShifted">;

/** Walks back from an operand of a product to the table of distances that it reads. */
async function readOf(
  operand: Value,
  { isSkewed, isShifted }: Way,
  { files, sources }: Named,
): Promise<Read | undefined> {
  const steps: Step[] = [];
  let at: Value = operand;
  let isCut = false;
  for (let left = mostSteps; left > 0 && at.maker; left--) {
    const step = at.maker;
    const { op, ins } = step;
    steps.push(step);
    if (op === "Gather" && axisOf(step) === 0 && sourceConstant(ins[0], passing)) break;
    const isScaled = (op === "Mul" || op === "Div") && scalarOf(ins[1]);
    if ((!passing.has(op) && !isScaled) || !ins[0]) return undefined;
    isCut ||= op === "Pad" || (op === "Slice" && ins.slice(1, 3).some((bound) => bound && !sourceConstant(bound)));
    at = ins[0];
  }
  const last = steps.at(-1);
  const reader = last?.op === "Gather" ? last : undefined;
  const table = reader ? sourceConstant(reader.ins[0], passing) : at.constant && { value: at, constant: at.constant };
  if (!table || !isFloat(typeOf(table.constant.tensor))) return undefined;
  const wide = table.constant.tensor.dims.filter((dim) => dim > 1);
  const [rows = 0, dim = 0] = wide.slice(-2);
  const read = { table: table.value, steps, rows, dim };
  if (reader) {
    const index = reader.ins[1]!;
    return wide.length === 2 && (await isByDistance(index, { sources })) ? { ...read, index } : undefined;
  }
  const width = wide.length === 3 ? await bands.of(table.constant, files) : undefined;
  // Scores that are shifted like scores of distances were computed from vectors of distances.
  const isOfDistances = isShifted || (isCut && isSkewed && rows % 2 === 1);
  if (!width) return isOfDistances && wide.length === 2 ? read : undefined;
  return { ...read, rows: wide.reduce((all, one) => all + one, 0) - width - 1, dim: width };
}

/**
 * Returns a table without indices in the orientation in which it is multiplied: by its first dim unless it is
 * transposed.
 */
function oriented(read: Read, { op, node }: Step, operand: number): Read {
  const isUnread = !read.index && read.table.constant!.tensor.dims.filter((dim) => dim > 1).length === 2;
  const isTransposed = integerOf(node, "transB", 0) !== 0 || read.steps.some((step) => step.op === "Transpose");
  if (!isUnread || op === "Einsum" || operand === 0 || isTransposed) return read;
  return { ...read, rows: read.dim, dim: read.rows };
}

/**
 * Whether rows are selected for each query and key: by a constant matrix of indices, or by a difference of positions.
 */
async function isByDistance(index: Value, { sources }: Pick<Named, "sources">): Promise<boolean> {
  const constant = sourceConstant(index)?.constant;
  if (constant) return constant.tensor.dims.filter((dim) => dim > 1).length === 2;
  if (indexMatrixOf(index, sources)) return true;
  return (sources.of(index) & from.layer) === 0 && isDifference(index, sources);
}

/** Maximum number of elements of a folded table that are read. */
const mostRead = 1048576;

/** Head dimensions of the vectors in folded tables. Each table is examined once. */
const bands = {
  known: new WeakMap<Constant, number | undefined>(),
  async of(constant: Constant, files: Files): Promise<number | undefined> {
    if (!this.known.has(constant)) {
      const dims = constant.tensor.dims.filter((dim) => dim > 1);
      const [rows, ...others] = dims as [number, number, number];
      const row = others[0]! * others[1]!;
      // A few of its rows suffice.
      const some = Math.min(rows, Math.floor(mostRead / row));
      const numbers = some > 2 ? await files.numbers(constant, 0, some * row) : undefined;
      this.known.set(constant, numbers && widthOfBands(numbers, [some, others[0]!, others[1]!]));
    }
    return this.known.get(constant);
  },
};

/**
 * Returns the number of features of vectors that are equal for all pairs with one distance, in a constant of three dims
 * whose order an optimiser chose. undefined: they are not equal.
 */
function widthOfBands(numbers: Float64Array, dims: readonly [number, number, number]): number | undefined {
  if (numbers.every((number) => number === numbers[0])) return undefined;
  const strides = [dims[1] * dims[2], dims[2], 1];
  for (const feature of [2, 0, 1]) {
    const [row, column] = [0, 1, 2].filter((axis) => axis !== feature) as [number, number];
    const step = strides[row]! + strides[column]!;
    let isSame = dims[row]! > 2 && dims[column]! > 2;
    for (let i = 0; isSame && i + 1 < dims[row]!; i++)
      for (let j = 0; isSame && j + 1 < dims[column]!; j++)
        for (let k = 0; isSame && k < dims[feature]!; k++) {
          const at = i * strides[row]! + j * strides[column]! + k * strides[feature]!;
          isSame = numbers[at] === numbers[at + step];
        }
    if (isSame) return dims[feature];
  }
  return undefined;
}

async function tableProductOf({ value, ...way }: Addend, scores: Scores, at: Named): Promise<TableProduct | undefined> {
  const product = value.maker;
  if (!isProductStep(product)) return undefined;
  for (const [i, operand] of product.ins.entries()) {
    const features = product.ins[1 - i]!;
    if (at.sources.of(operand) & from.input || !(at.sources.of(features) & from.input)) continue;
    const found = await readOf(operand!, way, at);
    const read = found && oriented(found, product, i);
    if (read) return { ...read, product, features: unscaled(features), scores };
  }
  return undefined;
}

const skewed: Way = { isSkewed: true, isShifted: false };

/** Finds the table that is multiplied with the weights of an attention: distances of values. */
async function valuesOf({ softmax }: Scores, at: Named): Promise<Read | undefined> {
  const products: Step[] = [];
  downstream(
    softmax.outs,
    (step) => {
      if (isProductStep(step)) products.push(step);
      return formOps.has(step.op) || ["Dropout", "Pad", "Slice", "Where", "Mul"].includes(step.op);
    },
    64,
  );
  for (const { ins } of products.slice(0, 4))
    for (const operand of ins) {
      const read = at.sources.of(operand) & from.input ? undefined : await readOf(operand!, skewed, at);
      if (read) return read;
    }
  return undefined;
}

/** Returns the number of heads into which features were split: the number before the head dimension in a shape. */
async function headsOf({ product, dim }: TableProduct, { files }: Named): Promise<number | undefined> {
  for (const operand of product.ins) {
    let at = operand;
    for (let left = 8; left > 0 && at?.maker; left--) {
      const { op, ins }: Step = at.maker;
      const shape = op === "Reshape" ? ins[1] : undefined;
      const parts = shape?.maker?.op === "Concat" ? shape.maker.ins.slice(0, 8) : [shape];
      const numbers: (number | undefined)[] = [];
      for (const part of parts) {
        const constant = sourceConstant(part)?.constant;
        const isSmall = constant && countOf(constant.tensor) <= 8;
        numbers.push(...((isSmall && (await files.numbers(constant))) || [undefined]));
      }
      const heads = numbers[numbers.lastIndexOf(dim) - 1];
      if (heads !== undefined && heads > 1) return heads;
      if (!formOps.has(op) && op !== "Mul" && op !== "Div") break;
      at = ins[0];
    }
  }
  return undefined;
}

const layersOf = (tableProducts: readonly TableProduct[]): number[] =>
  [...new Set(tableProducts.flatMap(({ scores }) => scores.layer ?? []))].sort((a, b) => a - b);

async function shaw(tableProducts: readonly TableProduct[], at: Named): Promise<Facts> {
  const [first] = tableProducts;
  const { table, rows, dim, index } = first!;
  const values = await valuesOf(first!.scores, at);
  const heads = await headsOf(first!, at);
  const ends = index && (await distancesOf(index, rows, at));
  const isEven = ends && ends.left === ends.right;
  const far = isEven ? { maxDistance: ends.left } : { maxLeft: ends?.left, maxRight: ends?.right };
  return {
    family: "relative",
    form: "shaw",
    layers: layersOf(tableProducts),
    ...(heads !== undefined && { heads }),
    dim,
    rows,
    type: typeOf(table.constant!.tensor)!,
    // Rows outside of a cut window count as zeros, which the spec cannot express.
    ...(ends && { spec: { kind: "shaw", dim, ...far, withValues: !!values } as Spec }),
    constants: [table.constant!, ...(values && values.table !== table ? [values.table.constant!] : [])],
    steps: [...tableProducts.flatMap(({ steps, product }) => [...steps, product]), ...(values?.steps ?? [])],
  };
}

function decomposed(tableProducts: readonly TableProduct[]): Facts {
  const [{ dim, rows, table }] = tableProducts as [TableProduct];
  return {
    family: "relative",
    form: "decomposed",
    layers: layersOf(tableProducts),
    dim,
    ...(tableProducts.every((one) => one.rows === rows) && { rows }),
    type: typeOf(table.constant!.tensor)!,
    constants: [...new Set(tableProducts.map((one) => one.table.constant!))],
    steps: tableProducts.flatMap(({ steps, product }) => [...steps, product]),
  };
}

/** Finds tables of distances, grouped by the tables of the attention that reads them. */
export async function findShaw(at: Named, all: readonly Scores[]): Promise<Facts[]> {
  const byTables = new Map<string, TableProduct[]>();
  const numbers = new Map<Value, number>();
  const numberOf = (value: Value): number => numbers.get(value) ?? (numbers.set(value, numbers.size), numbers.size - 1);
  const seen = new Map<Value, TableProduct | undefined>();
  for (const scores of all) {
    const own: TableProduct[] = [];
    for (const addend of scores.addends) {
      if (!seen.has(addend.value)) seen.set(addend.value, await tableProductOf(addend, scores, at));
      const tableProduct = seen.get(addend.value);
      if (tableProduct && countOf(tableProduct.table.constant!.tensor) > 0) own.push({ ...tableProduct, scores });
    }
    const tables = [...new Set(own.map(({ table }) => table))];
    const isTogether = tables.length > 1 && new Set(own.map(({ features }) => features)).size === 1;
    if (isTogether) for (const one of own) putInto(byTables, `d ${tables.map(numberOf).join()}`, one);
    else for (const one of own) putInto(byTables, `s ${numberOf(one.table)}`, one);
  }
  const found: Facts[] = [];
  for (const [key, tableProducts] of byTables)
    found.push(key.startsWith("d") ? decomposed(tableProducts) : await shaw(tableProducts, at));
  return found;
}
