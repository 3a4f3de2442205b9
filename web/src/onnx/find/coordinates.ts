// Counts the coordinates of angles: rows and columns of patches, stacked before they are multiplied by frequencies.
import { attributeOf, type Step, type Value } from "../read/flow.js";
import { constantValues } from "../read/constant-values.js";
import { sourceConstant, formOps } from "../read/trace.js";
import type { Files } from "../read/values.js";

const passes = new Set([...formOps, "Add", "Div", "Mul", "Sub"]);
const mostSteps = 32;
const mostAxes = 4;

/** Whether a step concatenates values along a new last dim. */
async function isStack({ op, ins, node }: Step, files: Files): Promise<boolean> {
  if (op !== "Concat" || ins.length < 2 || ins.length > mostAxes || new Set(ins).size < ins.length) return false;
  if (attributeOf(node, "axis")?.i !== -1) return false;
  for (const value of ins) {
    const maker = value?.maker;
    const axes = maker?.op === "Unsqueeze" ? await constantValues(maker.ins[1], files) : undefined;
    if (axes?.[0] !== -1) return false;
  }
  return true;
}

/** Returns the number of coordinates of which angles are made; 1: positions of one kind. */
export async function coordinateCount(positions: Value | undefined, files: Files): Promise<number> {
  let at = positions;
  for (let left = mostSteps; left > 0 && at?.maker; left--) {
    const step: Step = at.maker;
    if (await isStack(step, files)) return step.ins.length;
    if (!passes.has(step.op)) return 1;
    at = step.ins.find((value) => value && !sourceConstant(value));
  }
  return 1;
}

/** Whether positions are divided by their number. */
export function areShares(positions: Value | undefined): boolean {
  let at = positions;
  for (let left = mostSteps; left > 0 && at?.maker && passes.has(at.maker.op); left--) {
    const { op, ins }: Step = at.maker;
    if (op === "Div" && ins.every((value) => value && !sourceConstant(value))) return true;
    at = ins.find((value) => value && !sourceConstant(value));
  }
  return false;
}
