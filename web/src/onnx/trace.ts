// Ways through a graph: what a value is made of where only its form, its type or its order changes, and where it goes.
import { attributeOf, type Constant, type Step, type Value } from "./flow.js";

/** Their first input is all they look at, and each of its numbers stays what it is. */
export const formOps = new Set([
  "Cast",
  "Expand",
  "Flatten",
  "Identity",
  "Reshape",
  "Squeeze",
  "Tile",
  "Transpose",
  "Unsqueeze",
]);
const isSame = (step: Step): boolean => step.op === "Concat" && step.ins.every((value) => value === step.ins[0]);

/** The step before those that change the form alone. */
export function makerOf(value: Value | undefined, ops: ReadonlySet<string> = formOps): Step | undefined {
  let at = value;
  while (at?.maker && (ops.has(at.maker.op) || isSame(at.maker))) at = at.maker.ins[0];
  return at?.maker;
}

/** A constant as it arrives. */
export interface Arrival {
  readonly constant: Constant;
  /** TensorProto.DataType, after casts. */
  readonly type: number;
  readonly value: Value;
}

/** The constant that a value is, up to its form; undefined: it is none. */
export function constantBehind(value: Value | undefined, ops: ReadonlySet<string> = formOps): Arrival | undefined {
  let type: number | undefined;
  let at = value;
  while (at?.maker && ops.has(at.maker.op)) {
    if (at.maker.op === "Cast") type ??= attributeOf(at.maker.node, "to")?.i;
    at = at.maker.ins[0];
  }
  const constant = at?.constant;
  return at && constant ? { constant, type: type ?? constant.tensor.type, value: at } : undefined;
}

/** The one number of a constant. */
export function scalarOf(value: Value | undefined): Constant | undefined {
  const constant = constantBehind(value)?.constant;
  return constant && constant.tensor.dims.every((dim) => dim === 1) ? constant : undefined;
}

/** All that is made of some values: `stop` is asked at each step whether to go on from there. */
export function forward(from: readonly Value[], stop: (step: Step, by: Value) => boolean): void {
  const seen = new Set<Value>(from);
  const left = [...from];
  const visit = (value: Value): void => {
    if (!seen.has(value)) left.push(value);
    seen.add(value);
  };
  for (let value = left.pop(); value; value = left.pop()) {
    value.becomes.forEach(visit);
    for (const step of value.users) if (!stop(step, value)) step.outs.forEach(visit);
  }
}

const goesOn = new Set([
  ...formOps,
  "Concat",
  "DequantizeLinear",
  "Gather",
  "GatherElements",
  "GatherND",
  "Slice",
  "Split",
  "ScatterND",
]);

/** What features meet some values in: products, as what is rotated does, or sums, as what is added to them. */
export function meetingOf(values: readonly Value[]): "product" | "sum" | undefined {
  const met = new Set<string>();
  forward(values, (step) => {
    if (!goesOn.has(step.op)) met.add(step.op);
    return !goesOn.has(step.op);
  });
  if (met.has("Mul")) return "product";
  const sums = ["Add", "SkipLayerNormalization", "EmbedLayerNormalization"];
  return sums.some((op) => met.has(op)) ? "sum" : undefined;
}

/** All that a value is made of, the nearest first, as far as `stop` lets it. */
export function backward(from: Value | undefined, stop: (value: Value) => boolean, most = 400): void {
  const seen = new Set<Value>();
  const left = from ? [from] : [];
  for (const value of left) {
    if (seen.has(value)) continue;
    if (seen.size >= most) return;
    seen.add(value);
    if (stop(value)) continue;
    for (const one of value.maker?.ins ?? []) if (one) left.push(one);
    for (const branch of value.maker?.branches ?? []) for (const one of branch) if (one) left.push(one);
  }
}
