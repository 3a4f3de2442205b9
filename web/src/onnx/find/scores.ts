// The scores of attention layers: products of queries and keys, up to the softmax.
import type { Step, Value } from "../read/flow.js";
import { backward, formOps, scalarOf } from "../read/trace.js";
import { productBelow, productIn } from "./sites.js";

/** Maximum number of steps between the scores and a softmax: casts, sinks, the subtraction of the largest score. */
const mostSteps = 8;
const passes = new Set(["Cast", "Identity"]);

/**
 * Returns the masked scores [..., queries, keys] of a layer, before columns of sinks are added; undefined: the graph computes
 * them in another way.
 */
export function scoresOf(softmax: Step): Value | undefined {
  let scores = softmax.ins[0]!;
  for (let at = scores, left = mostSteps; at.maker && left > 0; left--) {
    const { op, ins }: Step = at.maker;
    if (op === "Concat") {
      const [own, ...others]: Value[] = ins.filter((value) => productIn(value)) as Value[];
      if (!own || others.length > 0) return undefined;
      scores = at = own;
    } else if (passes.has(op) || (op === "Sub" && ins[1]?.maker?.op === "ReduceMax")) at = ins[0]!;
    else break;
  }
  return scores.maker && scores;
}

const carriers = new Set([...formOps, "Concat", "Slice"]);
/** Whether a step passes on keys, possibly times a scalar. */
const isCarried = ({ op, ins }: Step): boolean =>
  carriers.has(op) || (op === "Mul" && ins.some((value) => scalarOf(value)));
const buffers = new Set(["IndexPut", "ScatterElements", "ScatterND", "TensorScatter"]);

/** Returns the operator that writes keys into a buffer of fixed length; undefined: keys are in order, the newest last. */
export function bufferOf(softmax: Step): string | undefined {
  let found: string | undefined;
  backward(productBelow(softmax)?.ins[1], ({ maker }) => {
    if (maker && buffers.has(maker.op)) found ??= maker.op;
    return found !== undefined || (!!maker && !isCarried(maker));
  });
  return found;
}
