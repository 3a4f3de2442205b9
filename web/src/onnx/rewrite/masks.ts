// Masks of attention: their dtypes, the scores of masked keys, and masks of windows as new nodes.
import type { Value } from "../read/flow.js";
import { featureType } from "../read/ranks.js";
import { makerOf } from "../read/trace.js";
import type { DataType } from "../read/values.js";
import type { NewNodes } from "./new-nodes.js";
import { distancesIn, type Lengths } from "./token-distances.js";

const comparisons = ["And", "Equal", "Greater", "GreaterOrEqual", "IsNaN", "Less", "LessOrEqual", "Not", "Or", "Xor"];

/** Returns the dtype of a mask: "bool", or that of the values that are added to the scores. */
export const maskType = (mask: Value): DataType =>
  comparisons.includes(makerOf(mask)?.op ?? "") ? "bool" : featureType(mask);

/** Lowest values of float types: a row with only masked keys has no NaN. */
const lowest: Partial<Record<DataType, number>> = { float16: -65504, bfloat16: -3.38e38, float64: -1.7e308 };

export const lowestOf = (type: DataType): number => lowest[type] ?? -3.4e38;

/** Number of keys before and after its own position that a query attends to; Infinity: all. */
export interface Sides {
  readonly left: number;
  readonly right: number;
}

/** Adds the mask [queries, keys] of a window, or one with 4 dims [1, 1, queries, keys]. One side is finite. */
export function visibleIn(nodes: NewNodes, lengths: Lengths, { left, right }: Sides, rank?: 2 | 4): string {
  const distances = distancesIn(nodes, lengths, rank);
  const limit = (number: number): string => nodes.constant("int32", [number]);
  if (left === right) return nodes.add("Less", [nodes.add("Abs", [distances]), limit(left + 1)]);
  const [first, second] = [
    ...(left < Infinity ? [nodes.add("Less", [distances, limit(left + 1)])] : []),
    ...(right < Infinity ? [nodes.add("Greater", [distances, limit(-right - 1)])] : []),
  ];
  return second === undefined ? first! : nodes.add("And", [first!, second]);
}
