// What a value depends on: positions, counting constants, inputs of the model, and whether a network mixed them.
import { integerOf, type Flow, type Step, type Value } from "../../read/flow.js";
import { sourceConstant, formOps } from "../../read/trace.js";
import { countOf, isFloat, typeOf } from "../../read/values.js";

/** Bits for the values that a value depends on. */
export const from = {
  /** Positions whose number is known when the model runs: ids, a range up to a length, a running sum. */
  position: 1,
  /** Whole numbers in a constant, or a range between constants: positions of a fixed count, or indices of features. */
  count: 2,
  /** Inputs of the model. */
  input: 4,
  /** A layer of a network. */
  layer: 8,
} as const;

/** Operators whose later inputs are shapes, axes and bounds. */
const shaped = new Set([...formOps, "Pad", "Resize", "Slice", "Split", "Trilu"]);
/** Operators whose results are functions of single elements. */
const elementwise = [
  ..."Abs Add And Ceil Clip Concat Cos DequantizeLinear Div Dropout Equal Exp Floor GatherElements GatherND".split(" "),
  ..."Greater GreaterOrEqual Identity IsNaN Less LessOrEqual Log Max Min Mod Mul Neg Not Or Pow Reciprocal".split(" "),
  ..."Round ScatterElements ScatterND Sign Sin Sqrt Sub Sum Where Xor".split(" "),
];
const plain = new Set([...shaped, ...elementwise]);
const productOps = new Set(["Einsum", "FusedMatMul", "Gemm", "MatMul"]);

/** Returns the inputs of a step from whose elements its results are computed. */
export const dataOf = ({ op, ins, branches }: Step): readonly (Value | undefined)[] =>
  op === "If" ? branches.flat() : shaped.has(op) ? ins.slice(0, 1) : ins;

/** Whether a step is a product with a constant matrix: a layer, and not the outer product of positions and frequencies. */
export function hasWeights({ op, ins }: Step): boolean {
  if (!productOps.has(op) && op !== "Conv") return false;
  return ins.slice(0, 2).some((value) => {
    const dims = sourceConstant(value)?.constant.tensor.dims.filter((dim) => dim > 1);
    return !!dims && dims.length > 1;
  });
}

function bitsOfConstant(value: Value): number {
  const { tensor } = value.constant!;
  return !isFloat(typeOf(tensor)) && countOf(tensor) > 1 ? from.count : 0;
}

function readsRows({ op, ins }: Step): boolean {
  const dims = op === "Gather" ? sourceConstant(ins[0])?.constant.tensor : undefined;
  return !!dims && isFloat(typeOf(dims)) && dims.dims.filter((dim) => dim > 1).length > 1;
}

/** Returns the bits of a step, from the bits of its inputs. */
function bitsOfStep(step: Step, bits: number, bitsOf: (value: Value | undefined) => number): number {
  const { op, ins } = step;
  if (op === "Shape" || op === "Size") return 0;
  if (op === "NonZero") return from.position;
  // The axis, its second input, is not a position.
  if (op === "CumSum") return bitsOf(ins[0]) & from.layer ? bits : from.position;
  if (op === "Range") return ins.every((value) => sourceConstant(value)) ? from.count : from.position;
  if (op === "Gather" && sourceConstant(ins[1]) && !sourceConstant(ins[0])) return bitsOf(ins[0]);
  if (op === "If" || op === "ConstantOfShape" || op === "EyeLike") return op === "If" ? bits : 0;
  if (productOps.has(op)) return bits | (hasWeights(step) || bits & from.input ? from.layer : 0);
  if (op === "Gather") return bits | (readsRows(step) ? from.layer : 0);
  return plain.has(op) ? bits : bits | from.layer;
}

/** Dependencies of values. Each is determined once: asking for all of them is linear. */
export class Sources {
  private readonly known = new Map<Value, number>();

  /** Returns the bits of a value. */
  of(value: Value | undefined): number {
    const left = value ? [value] : [];
    for (let at = left.at(-1); at; at = left.at(-1)) {
      const bits = this.known.get(at) ?? this.given(at);
      const before = bits === undefined ? this.wanted(at.maker!) : [];
      if (before.length > 0) {
        left.push(...before);
        continue;
      }
      left.pop();
      this.known.set(at, bits ?? this.made(at.maker!));
    }
    return value ? this.known.get(value)! : 0;
  }

  private given(value: Value): number | undefined {
    if (value.constant) return bitsOfConstant(value);
    if (value.maker) return undefined;
    // The names of inputs are the model's interface.
    return /position/.test(value.name) ? from.position : from.input;
  }

  private wanted(step: Step): Value[] {
    if (step.op === "Shape" || step.op === "Size") return [];
    return dataOf(step).filter((value): value is Value => !!value && !this.known.has(value));
  }

  private made(step: Step): number {
    const bitsOf = (value: Value | undefined): number => (value ? (this.known.get(value) ?? 0) : 0);
    const bits = dataOf(step).reduce((all, value) => all | bitsOf(value), 0);
    const { subgraphs, op } = step;
    return bitsOfStep(step, subgraphs.length > 0 && op !== "If" ? bits | from.input | from.layer : bits, bitsOf);
  }
}

/**
 * Walks over the values from whose elements a value is computed, nearest first. `stop` returns whether to stop at a
 * value.
 */
export function walkBack(value: Value | undefined, stop: (value: Value) => boolean, most: number): void {
  const seen = new Set<Value>(value ? [value] : []);
  for (const at of seen) {
    if (stop(at) || !at.maker || at.maker.op === "Shape") continue;
    for (const one of dataOf(at.maker)) {
      if (seen.size >= most) break;
      if (one) seen.add(one);
    }
  }
}

/**
 * Walks over the values that are computed from some values, nearest first, over at most `most` steps. `continues` returns
 * whether to continue after a step.
 */
export function downstream(values: readonly Value[], continues: (step: Step) => boolean, most: number): void {
  const seen = new Set<Value>(values);
  let left = most;
  for (const value of seen)
    for (const step of value.users) {
      if (left-- <= 0) return;
      if (continues(step)) for (const out of step.outs) seen.add(out);
    }
}

/** Whether an index is a difference of two positions. */
export function isDifference(index: Value, sources: Sources): boolean {
  const counts = (value: Value | undefined): boolean => (sources.of(value) & (from.position | from.count)) !== 0;
  let found = false;
  walkBack(
    index,
    ({ maker }) => {
      const isSum =
        maker?.op === "Sub" || (maker?.op === "Add" && maker.ins.some((value) => value?.maker?.op === "Neg"));
      if (isSum && counts(maker.ins[0]) && counts(maker.ins[1])) found = true;
      return found;
    },
    64,
  );
  return found;
}

/**
 * Returns the constant matrix from which an index is computed element by element; undefined: it depends on other values
 * too.
 */
export function indexMatrixOf(index: Value, sources: Sources): Value | undefined {
  if (sources.of(index) & ~from.count) return undefined;
  const found: Value[] = [];
  walkBack(
    index,
    (value) => {
      if (value.constant && countOf(value.constant.tensor) > 1) found.push(value);
      return false;
    },
    64,
  );
  const isMatrix = found[0]?.constant!.tensor.dims.filter((dim) => dim > 1).length === 2;
  return found.length === 1 && isMatrix ? found[0] : undefined;
}

/** Returns the axis of a Gather as written in the file. */
export const axisOf = (step: Step): number => integerOf(step.node, "axis", 0);
/** Returns the steps with some operators, in the order of the file. */
export const stepsOf = (flow: Flow, ...ops: string[]): Step[] =>
  flow.steps.filter(({ op, node }) => ops.includes(op) && node.domain === "");
