// Finds cross-attention: layers of a decoder that attend to the tokens of an encoder in the same file.
import type { Step, Value } from "../read/flow.js";
import { isProduct, isFused, productBelow } from "../find/sites.js";

/** Maximum number of values that are followed on each side: values that queries and keys share are near. */
const mostFollowed = 128;
/** Operators whose inputs are all features; of other operators only the first input is. */
const combiningOps = new Set([
  "Add",
  "Concat",
  "Div",
  "Einsum",
  "Gemm",
  "MatMul",
  "Mul",
  "SkipLayerNormalization",
  "Sub",
]);
const ends = new Set(["Cos", "Range", "Shape", "Sin", "Size", "Softmax"]);

/** Returns the features from which a step computes others. */
function featuresOf({ op, ins, branches }: Step): (Value | undefined)[] {
  const own = op === "Where" ? ins.slice(1) : combiningOps.has(op) ? ins : ins.slice(0, 1);
  return [...own, ...branches.flat()];
}

/** Returns the values from which features are computed, nearest first, up to other attention. */
function madeOf(features: Value | undefined): Set<Value> {
  const found = new Set<Value>();
  const add = (value: Value | undefined): void => {
    if (value && !value.constant && found.size < mostFollowed) found.add(value);
  };
  add(features);
  for (const { maker } of found) {
    if (!maker || ends.has(maker.op) || isProduct(maker) || isFused(maker)) continue;
    featuresOf(maker).forEach(add);
  }
  return found;
}

/** Returns queries and keys of attention; undefined: they are in one tensor. */
function sidesOf(step: Step): readonly [queries: Value, keys: Value] | undefined {
  const [queries, keys] = (isFused(step) ? step : productBelow(step))?.ins ?? [];
  if (!queries || !keys || (step.op === "Attention" && step.node.domain !== "")) return undefined;
  return [queries, keys];
}

/** Whether keys belong to other tokens than the queries. */
export function attendsElsewhere(step: Step): boolean {
  const sides = sidesOf(step);
  if (!sides) return false;
  const [queries, keys] = sides.map(madeOf) as [Set<Value>, Set<Value>];
  for (const value of queries) if (keys.has(value)) return false;
  // Queries and keys that are not projected here come from another graph, which may compute both from the same tokens.
  return isProjected(queries) && isProjected(keys);
}

const isProjected = (made: ReadonlySet<Value>): boolean =>
  [...made].some(({ maker }) => maker !== undefined && /MatMul|Gemm/.test(maker.op) && !isProduct(maker));

/** Returns all steps that compute the keys of some layers. */
export function stepsOfKeys(steps: Iterable<Step>): Set<Step> {
  const values = new Set<Value>();
  for (const step of steps) {
    const keys = sidesOf(step)?.[1];
    if (keys) values.add(keys);
  }
  const found = new Set<Step>();
  for (const { maker } of values) {
    if (!maker || found.has(maker) || maker.op === "Shape") continue;
    found.add(maker);
    for (const value of isFused(maker) ? maker.ins : featuresOf(maker)) if (value) values.add(value);
  }
  return found;
}
