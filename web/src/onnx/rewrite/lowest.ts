// Scores of masked keys.
import type { DataType } from "../read/values.js";

/** Lowest values of float types: a row with only masked keys has no NaN. */
const lowest: Partial<Record<DataType, number>> = { float16: -65504, bfloat16: -3.38e38, float64: -1.7e308 };

export const lowestOf = (type: DataType): number => lowest[type] ?? -3.4e38;
