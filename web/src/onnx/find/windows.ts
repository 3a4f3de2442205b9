// Attention windows of layers: an attribute of fused attention, or a constant that distances are compared with.
import { integerOf, putInto, type Constant, type Flow, type Step, type Value } from "../read/flow.js";
import { isFused, selectsScores, sitesOf } from "./sites.js";
import { backward, formOps, scalarOf } from "../read/trace.js";
import type { Files } from "../read/values.js";

/** Values that may be a window, and the layers whose attention they reach. */
export interface FoundWindow {
  readonly form: "attribute" | "compared";
  readonly size: number;
  readonly layers: readonly number[];
}

const comparisons = new Set(["Less", "LessOrEqual", "Greater", "GreaterOrEqual", "Trilu"]);
const arithmetic = new Set([...formOps, "Abs", "Add", "Neg", "Sub"]);

/** Masks compare with smaller numbers for other reasons. */
export const leastWindow = 8;

/** Maximum number of sizes that are followed: each takes time proportional to the graph. */
const mostSizes = 64;

/** Returns the scalars in the sides of a comparison, up to a position or a length. */
function scalarsOf(sides: readonly (Value | undefined)[]): Constant[] {
  const found: Constant[] = [];
  for (const side of sides)
    backward(
      side,
      (value) => {
        const constant = scalarOf(value);
        if (constant) found.push(constant);
        return !!constant || !value.maker || !arithmetic.has(value.maker.op);
      },
      32,
    );
  return found;
}

/**
 * Whether a step uses a value to select something else than visible keys: biases by T5's buckets, or one of two scores by the
 * distance.
 */
const selects = (step: Step, by: Value): boolean =>
  (step.op === "Gather" && step.ins[1] === by) || (step.ins[0] === by && selectsScores(step));

export async function findWindows(flow: Flow, files: Files): Promise<FoundWindow[]> {
  const sites = sitesOf(flow);
  const found: FoundWindow[] = [];
  // Comparisons with the same size are followed together.
  const compared = new Map<number, Value[]>();
  for (const step of flow.steps) {
    if (isFused(step)) {
      const layer = sites.layerOf(step);
      // The standard operator has the number of keys before the query, from opset 25 on.
      const size = integerOf(step.node, "local_window_size", integerOf(step.node, "left_window_size", -2) + 1);
      if (layer !== undefined && size > 0) found.push({ form: "attribute", size, layers: [layer] });
    }
    if (!comparisons.has(step.op) || step.node.domain !== "") continue;
    for (const constant of scalarsOf(step.op === "Trilu" ? step.ins.slice(1) : step.ins)) {
      const size = Math.abs((await files.numbers(constant))?.[0] ?? 0);
      if (size > 1 && (compared.has(size) || compared.size < mostSizes))
        for (const out of step.outs) putInto(compared, size, out);
    }
  }
  for (const [size, values] of compared) {
    const layers = sites.reachedBy(values, selects);
    if (layers.length > 0) found.push({ form: "compared", size, layers });
  }
  return found;
}

/** Returns the number of layers with attention. */
export const layerCountOf = (flow: Flow): number => sitesOf(flow).all.length;
