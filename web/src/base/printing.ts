// Prints the library's objects in consoles: one line each, without internals.
import { sizeOf } from "./dims.js";
import { fromBfloat16Bits, fromFloat16Bits } from "./float16.js";
import type { TensorType } from "./types.js";

/** Formats an object as `Name { field: value, … }`; fields that are undefined or null are omitted. */
export function printed(object: object, fields: object): string {
  const parts = Object.entries(fields)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(
      ([name, value]) =>
        `${name}: ${Array.isArray(value) ? printedList(value, [value.length]) : JSON.stringify(value)}`,
    );
  return `${object.constructor.name} { ${parts.join(", ")} }`;
}

/** Formats the first elements along each axis as nested lists. */
export function printedList(data: ArrayLike<number>, dims: readonly number[], type?: TensorType): string {
  const list = (start: number, axis: number): string => {
    if (axis === dims.length) return String(Number(numberOf(data[start]!, data, type).toPrecision(5)));
    const stride = sizeOf(dims.slice(axis + 1));
    const all = dims[axis]!;
    const shown = axis < dims.length - 3 ? Math.min(all, 1) : all > 6 ? 3 : all;
    const parts = Array.from({ length: shown }, (_, i) => list(start + i * stride, axis + 1));
    return `[${[...parts, ...(shown < all ? ["…"] : [])].join(", ")}]`;
  };
  return list(0, 0);
}

/** Returns an element as a number, also from 16 bits. */
function numberOf(bits: number, data: ArrayLike<number>, type?: TensorType): number {
  if (!(data instanceof Uint16Array)) return bits;
  return type === "bfloat16" ? fromBfloat16Bits(bits) : fromFloat16Bits(bits);
}

/** Defines a property that loops, copies and consoles skip. */
export function hide(object: object, name: string, value: unknown): void {
  Object.defineProperty(object, name, { value, writable: true, enumerable: false, configurable: true });
}
