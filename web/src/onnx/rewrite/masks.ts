// Masks of attention: their dtypes, and the scores of masked keys.
import type { Value } from "../read/flow.js";
import { featureType } from "../read/ranks.js";
import { makerOf } from "../read/trace.js";
import type { DataType } from "../read/values.js";

const comparisons = ["And", "Equal", "Greater", "GreaterOrEqual", "IsNaN", "Less", "LessOrEqual", "Not", "Or", "Xor"];

/** Returns the dtype of a mask: "bool", or that of the values that are added to the scores. */
export const maskType = (mask: Value): DataType =>
  comparisons.includes(makerOf(mask)?.op ?? "") ? "bool" : featureType(mask);

/** Lowest values of float types: a row with only masked keys has no NaN. */
const lowest: Partial<Record<DataType, number>> = { float16: -65504, bfloat16: -3.38e38, float64: -1.7e308 };

export const lowestOf = (type: DataType): number => lowest[type] ?? -3.4e38;
