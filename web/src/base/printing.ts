// What consoles show of the library's objects: one line each, not what is inside.
import { sizeOf } from "./dims.js";
import { fromBfloat16Bits, fromFloat16Bits } from "./float16.js";
import type { TensorType } from "./types.js";

/** `Name { field: value, … }`; what is undefined or null stays out. */
export function printed(object: object, fields: object): string {
  const parts = Object.entries(fields)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(
      ([name, value]) =>
        `${name}: ${Array.isArray(value) ? printedList(value, [value.length]) : JSON.stringify(value)}`,
    );
  return `${object.constructor.name} { ${parts.join(", ")} }`;
}

/** The first numbers along each axis, as nested lists. */
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

/** A number, also where only its 16 bits are there. */
function numberOf(bits: number, data: ArrayLike<number>, type?: TensorType): number {
  if (!(data instanceof Uint16Array)) return bits;
  return type === "bfloat16" ? fromBfloat16Bits(bits) : fromFloat16Bits(bits);
}

/** A property that loops, copies and consoles pass over. */
export function hide(object: object, name: string, value: unknown): void {
  Object.defineProperty(object, name, { value, writable: true, enumerable: false, configurable: true });
}
