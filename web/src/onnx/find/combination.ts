// How a table's rows or cosines and sines are first combined with features: by a product or a sum.
import { isFused } from "./sites.js";
import { sourceConstant, Following, formOps } from "../read/trace.js";
import type { Step, Value } from "../read/flow.js";

/** Operators that select, order or join values and leave each as it is. */
export const selectOps: ReadonlySet<string> = new Set([
  ...formOps,
  "Concat",
  "DequantizeLinear",
  "Gather",
  "GatherElements",
  "GatherND",
  "ScatterND",
  "Slice",
  "Split",
  "Where",
]);

/** Operators that rotate features by the cosines and sines they are given. */
export const rotators: ReadonlySet<string> = new Set(["GroupQueryAttention", "MRotaryEmbedding", "RotaryEmbedding"]);
const sums: ReadonlySet<string> = new Set(["Add", "SkipLayerNormalization", "EmbedLayerNormalization"]);

const product = 1;
const sum = 2;

/** Whether a step only scales by another constant. */
const scales = ({ op, ins }: Step, by: Value): boolean =>
  op === "Mul" && ins.some((value) => value !== by && sourceConstant(value));

function bitsOf(step: Step, by: Value): number | undefined {
  if (selectOps.has(step.op) || scales(step, by)) return undefined;
  if (step.op === "Mul" || rotators.has(step.op)) return product;
  return sums.has(step.op) || isFused(step) ? sum : 0;
}

const combinations = new Following(bitsOf);

/**
 * Returns how values are combined with features: "product", "sum" (also with scores, inside fused attention), or
 * undefined: by a projection or a matrix product.
 */
export function combinationOf(values: readonly Value[]): "product" | "sum" | undefined {
  const combined = combinations.of(values);
  return combined & product ? "product" : combined & sum ? "sum" : undefined;
}
