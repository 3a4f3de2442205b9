// Checks arrays, whose classes differ if they were made in another window, frame or vm context.
import { PosencError, invalid, show } from "./errors.js";
import type { NumberArray, OwnedInt32Array } from "./types.js";

/** Returns the kind of a value: "URL", "ArrayBuffer", "Object" … */
export const kindOf = (value: unknown): string => Object.prototype.toString.call(value).slice(8, -1);

/** Returns the name of a typed array, such as "Float32Array"; "" for other values. */
export const arrayType = (value: unknown): string =>
  ArrayBuffer.isView(value) ? (value as Float32Array)[Symbol.toStringTag] : "";

export const isNumberArray = (value: unknown): value is NumberArray =>
  Array.isArray(value) || (ArrayBuffer.isView(value) && arrayType(value) !== "DataView");

export const isBig = (value: unknown): boolean => arrayType(value).startsWith("Big");

/**
 * Throws if the memory of an array was transferred to another thread: the array is empty then, and reading it throws.
 */
export function checkAttached(value: unknown, field: string): void {
  const buffer = ArrayBuffer.isView(value)
    ? value.buffer
    : kindOf(value) === "ArrayBuffer"
      ? (value as ArrayBuffer)
      : undefined;
  if (!buffer || buffer.byteLength > 0) return;
  try {
    new Uint8Array(buffer);
  } catch {
    throw invalid(field, "data is detached: transferred, or read before wasm memory grew (read tensor.data again)");
  }
}

/** Throws if the value is not an array of numbers. `what` describes the expected array. */
export function checkNumbers(
  value: unknown,
  field: string,
  what = "an array of numbers",
): asserts value is NumberArray {
  if (!isNumberArray(value)) throw invalid(field, `must be ${what}, got ${show(value)}`);
  checkAttached(value, field);
}

/** Throws if the value is not an array of whole numbers, BigInts included; with `flags`, booleans are accepted too. */
export function checkWhole(value: unknown, field: string, what?: string, flags = false): asserts value is NumberArray {
  checkNumbers(value, field, what);
  if (/int/i.test(arrayType(value))) return;
  for (let i = 0; i < value.length; i++) {
    const one: unknown = value[i];
    if (!Number.isInteger(one) && typeof one !== "bigint" && !(flags && typeof one === "boolean"))
      throw invalid(field, `must hold whole numbers, got ${show(one)} at index ${i}`);
  }
}

/** Creates an array for position ids. Throws `out-of-memory`. */
export function idArray(length: number): OwnedInt32Array {
  try {
    // More ids do not fit into WebAssembly's memory, and allocating them may end the process later.
    if (length <= 2 ** 28) return new Int32Array(length);
  } catch {
    // Same error as for too many ids.
  }
  throw new PosencError("out-of-memory", `out of memory: cannot get ${4 * length} bytes for position ids`);
}
