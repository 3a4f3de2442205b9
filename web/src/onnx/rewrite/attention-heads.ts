// The number of heads of attention weights whose batch and heads are one dim.
import type { Step, Value } from "../read/flow.js";
import { backward, sourceConstant, formOps, forward, scalarOf } from "../read/trace.js";
import { countOf, type Files } from "../read/values.js";

/** Maximum number of values that are followed. */
const mostFollowed = 48;
const mostHeads = 1024;
const products = new Set(["MatMul", "Gemm", "Einsum", "MatMulNBits", "QLinearMatMul", "MatMulInteger"]);
const isWhole = (number: number | undefined): number is number =>
  Number.isInteger(number) && number! > 0 && number! <= mostHeads;

/** Returns the total number of features of the heads of a layer: rows of the projection after its values. */
function widthOf(product: Step): number | undefined {
  let width: number | undefined;
  forward(
    product.outs,
    ({ op, ins, node }, by) => {
      if (!products.has(op)) return !formOps.has(op);
      const dims = sourceConstant(ins[ins[0] === by ? 1 : 0])?.constant.tensor.dims;
      const isTransposed = node.attributes.some(({ name, i }) => name === "transB" && i === 1);
      if (dims?.length === 2) width ??= dims[isTransposed ? 1 : 0];
      return true;
    },
    mostFollowed,
  );
  return width;
}

/** Returns the integer by which a length is multiplied. */
async function factorOf(value: Value | undefined, files: Files): Promise<number | undefined> {
  const scalars: Value[] = [];
  backward(
    value,
    ({ maker }) => {
      if (maker?.op !== "Mul") return maker === undefined || !formOps.has(maker.op);
      for (const side of maker.ins) if (side && scalarOf(side)) scalars.push(side);
      return true;
    },
    mostFollowed,
  );
  const scalar = scalarOf(scalars[0]);
  return scalar && (await files.numbers(scalar))?.[0];
}

/** Maximum number of dims of a tensor with heads. */
const mostLengths = 8;
const partsOf = (shape: Value): readonly (Value | undefined)[] =>
  shape.maker?.op === "Concat" ? shape.maker.ins.slice(0, mostLengths) : [shape];

/** Returns the elements of a shape; undefined for those that the graph computes. */
async function lengthsOf(shape: Value, files: Files): Promise<(number | undefined)[]> {
  const numbersOf = async (part: Value | undefined): Promise<(number | undefined)[]> => {
    const constant = sourceConstant(part)?.constant;
    if (constant && countOf(constant.tensor) > mostLengths) return [undefined];
    return (constant && Array.from((await files.numbers(constant)) ?? [undefined])) ?? [undefined];
  };
  const parts = partsOf(shape);
  return (await Promise.all(parts.map(numbersOf))).flat();
}

/** Returns the shape of the features after the weights if batch and heads are separate dims there. */
function shapeAfter(product: Step): Value | undefined {
  const next = product.outs[0]?.users.find(({ op }) => op === "Reshape");
  return next?.ins[1];
}

/** Returns the shapes of the tensors from which values are computed, last one first. */
function shapesBefore(product: Step): Value[] {
  const shapes: Value[] = [];
  backward(
    product.ins[1],
    ({ maker }) => {
      if (maker?.op === "Reshape" && maker.ins[1]) shapes.push(maker.ins[1]);
      return !maker || products.has(maker.op) || maker.op === "Shape" || maker.op === "Concat";
    },
    mostFollowed,
  );
  return shapes;
}

/** Returns the number of heads; undefined: the graph does not show it. `product`: the product of weights and values. */
export async function headsOf(product: Step, files: Files): Promise<number | undefined> {
  const width = widthOf(product);
  const fits = (heads: number | undefined): heads is number =>
    isWhole(heads) && (width === undefined || width % heads === 0);
  const after = shapeAfter(product);
  const apart = after ? await lengthsOf(after, files) : [];
  // [batch, heads, rows, columns, dim], or [batch, heads, tokens, dim].
  if (apart.length > 3 && fits(apart[1])) return apart[1];
  for (const shape of shapesBefore(product)) {
    for (const part of partsOf(shape)) {
      const factor = await factorOf(part, files);
      if (fits(factor)) return factor;
    }
    const lengths = await lengthsOf(shape, files);
    const dim = lengths.at(-1);
    if (width !== undefined && isWhole(dim) && isWhole(width / dim)) return width / dim;
    // [batch, tokens, 3, heads, dim]
    if (lengths.length === 5 && lengths[2] === 3 && fits(lengths[3])) return lengths[3];
  }
  return undefined;
}
