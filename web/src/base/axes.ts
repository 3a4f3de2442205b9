// Numbers for the axes of positions.
import { checkNumbers } from "./arrays.js";
import { PosencError, invalid, show } from "./errors.js";
import type { Reader } from "./options.js";

/** Reads a number for all axes, or one per axis. */
export const perAxis: Reader<number[]> = (value, name) => {
  const list = typeof value === "number" ? [value] : value;
  checkNumbers(list, name);
  const numbers = Array.from<number | bigint, number>(list, Number);
  if (numbers.length > 0 && numbers.every(Number.isFinite)) return numbers;
  throw invalid(name, `must be a finite number, or one per axis, got ${show(value)}`);
};

/** Throws `shape-mismatch` if there are neither one number nor one per axis. */
export function checkAxes(numbers: readonly number[], axes: number, name: string): void {
  if (numbers.length === 1 || numbers.length === axes) return;
  const message = `${name}: must be one number or one per axis (${axes}), got ${numbers.length} numbers`;
  throw new PosencError("shape-mismatch", message, name);
}
