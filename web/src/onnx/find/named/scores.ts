// The addends of attention scores before a softmax.
import type { Flow, Step, Value } from "../../read/flow.js";
import { isFused, type Sites } from "../sites.js";
import { sourceConstant, formOps, scalarOf } from "../../read/trace.js";

/** One of the sums of scores. */
export interface Addend {
  readonly value: Value;
  /** Whether it was padded, sliced or gathered on its way, so that scores of distances are aligned with their keys. */
  readonly isSkewed: boolean;
  /** Whether it was padded and sliced: the relative shift of Transformer-XL. */
  readonly isShifted: boolean;
}

/** Scores of an attention: its layer, undefined for cross-attention, and its addends. */
export interface Scores {
  readonly softmax: Step;
  readonly layer: number | undefined;
  readonly addends: readonly Addend[];
}

const mostValues = 200;
const firstOnly = new Set([...formOps, "Clip", "Max", "Min", "Split", "Tanh"]);
const shifting = new Set(["Gather", "GatherElements", "GatherND", "Pad", "ScatterElements", "Slice"]);

/** Returns the inputs that a step passes on as addends; undefined: its output is an addend. */
function passed(step: Step): readonly (Value | undefined)[] | undefined {
  const { op, ins } = step;
  if (op === "Add" || op === "Sub" || op === "Concat" || op === "Sum") return ins;
  if (op === "Where") return ins.slice(1);
  if (firstOnly.has(op)) return ins.slice(0, 1);
  if (shifting.has(op)) return sourceConstant(ins[0]) ? undefined : ins.slice(0, 1);
  if (op === "Mul" || op === "Div") {
    if (ins.some(scalarOf)) return ins.filter((value) => !scalarOf(value));
    // A factor per head, or a gate.
    return ins.filter((value) => !sourceConstant(value));
  }
  return undefined;
}

/** Returns 1 for padding, 2 for slices, 4 for gathers. */
function wayOf(op: string): number {
  if (op === "Pad" || op === "Concat") return 1;
  return op === "Slice" ? 2 : shifting.has(op) ? 4 : 0;
}

function addendsOf(scores: Value | undefined): Addend[] {
  const found: Addend[] = [];
  const seen = new Map<Value, number>(scores ? [[scores, 0]] : []);
  for (const [value, way] of seen) {
    const next = value.maker && value.maker.op !== "Softmax" ? passed(value.maker) : undefined;
    if (!next) {
      found.push({ value, isSkewed: way > 0, isShifted: (way & 3) === 3 });
      continue;
    }
    const skews = way | wayOf(value.maker!.op);
    for (const one of next) {
      if (seen.size >= mostValues) break;
      if (one && !seen.has(one)) seen.set(one, skews);
    }
  }
  return found;
}

/** Returns the index of the input of fused attention that is added to its scores. */
const biasInput = (step: Step): number => (step.op === "MultiHeadAttention" || step.node.domain !== "" ? 5 : 3);

/** The scores of every attention. */
export function scoresOf(flow: Flow, sites: Sites): Scores[] {
  return flow.steps.flatMap((step) => {
    if (sites.crosses(step) === undefined) return [];
    const at = isFused(step) ? biasInput(step) : 0;
    return [{ softmax: step, layer: sites.layerOf(step), addends: addendsOf(step.ins[at]) }];
  });
}

const productOps = new Set(["Einsum", "FusedMatMul", "MatMul"]);
export const isProductStep = (step: Step | undefined): step is Step =>
  !!step && productOps.has(step.op) && step.ins.length === 2 && !!step.ins[0] && !!step.ins[1];

const scaling = new Set([...formOps, "Mul", "Div"]);
/** Returns the value before form changes and products with a scalar. */
export function unscaled(value: Value): Value {
  let at = value;
  for (let left = 64; left > 0 && at.maker && scaling.has(at.maker.op); left--) {
    const { op, ins } = at.maker;
    const next = formOps.has(op) ? ins[0] : scalarOf(ins[1]) ? ins[0] : scalarOf(ins[0]) ? ins[1] : undefined;
    if (!next) return at;
    at = next;
  }
  return at;
}
