// How many heads attention weights have whose batch and heads are one dim.
import type { Step, Value } from "../read/flow.js";
import { backward, constantBehind, formOps, forward, scalarOf } from "../read/trace.js";
import { countOf, type Files } from "../read/values.js";

/** Maximum numbers of values that are followed. */
const mostFollowed = 48;
const mostHeads = 1024;
const products = new Set(["MatMul", "Gemm", "Einsum", "MatMulNBits", "QLinearMatMul", "MatMulInteger"]);
const isWhole = (number: number | undefined): number is number =>
  Number.isInteger(number) && number! > 0 && number! <= mostHeads;

/** The numbers of elements that the heads of a layer have together: rows of the projection behind its values. */
function widthBehind(product: Step): number | undefined {
  let width: number | undefined;
  forward(
    product.outs,
    ({ op, ins, node }, by) => {
      if (!products.has(op)) return !formOps.has(op);
      const dims = constantBehind(ins[ins[0] === by ? 1 : 0])?.constant.tensor.dims;
      const isTurned = node.attributes.some(({ name, i }) => name === "transB" && i === 1);
      if (dims?.length === 2) width ??= dims[isTurned ? 1 : 0];
      return true;
    },
    mostFollowed,
  );
  return width;
}

/** The whole number that a length is multiplied by. */
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

/** Maximum number of dims of what has heads. */
const mostLengths = 8;
const partsOf = (shape: Value): readonly (Value | undefined)[] =>
  shape.maker?.op === "Concat" ? shape.maker.ins.slice(0, mostLengths) : [shape];

/** The numbers that a shape is made of; undefined for those that the graph computes. */
async function lengthsOf(shape: Value, files: Files): Promise<(number | undefined)[]> {
  const numbersOf = async (part: Value | undefined): Promise<(number | undefined)[]> => {
    const constant = constantBehind(part)?.constant;
    if (constant && countOf(constant.tensor) > mostLengths) return [undefined];
    return (constant && Array.from((await files.numbers(constant)) ?? [undefined])) ?? [undefined];
  };
  const parts = partsOf(shape);
  return (await Promise.all(parts.map(numbersOf))).flat();
}

/** Lengths of the features behind the weights if their batch and heads are two dims again. */
function shapeAfter(product: Step): Value | undefined {
  const next = product.outs[0]?.users.find(({ op }) => op === "Reshape");
  return next?.ins[1];
}

/** The shapes of what values are made of, the last one first. */
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

/** `product`: of weights and values. undefined: the graph does not tell. */
export async function headsOf(product: Step, files: Files): Promise<number | undefined> {
  const width = widthBehind(product);
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
