// Masks, which say what is visible: from any array to bytes in wasm memory.
import type { Core, Region } from "./core.js";
import { invalid, show } from "./errors.js";
import { nothing } from "./tensor.js";
import type { ArrayLike2D, NumberArray } from "./types.js";

/** A mask as bytes in scratch; none: `nothing`. */
export function maskRegion(core: Core, mask: ArrayLike2D | NumberArray | undefined): Region {
  if (mask === undefined) return nothing;
  const plain = Array.isArray(mask) || ArrayBuffer.isView(mask);
  const data = core.steady(plain ? (mask as NumberArray) : (mask as ArrayLike2D | null)?.data);
  if (!Array.isArray(data) && !ArrayBuffer.isView(data))
    throw invalid("mask", `must be an array or { data, dims }, got ${show(mask)}`);
  const dims = plain ? [data.length] : (mask as ArrayLike2D).dims;
  if (!Array.isArray(dims) || dims.length > 8)
    throw invalid("mask", `dims must be an array of numbers, got ${show(dims)}`);
  const address = core.borrow(data.length);
  const bytes = core.bytes(address, data.length);
  for (let i = 0; i < data.length; i++) {
    const value: unknown = data[i];
    if (typeof value === "string" || Number.isNaN(value))
      throw invalid("mask", `must hold numbers or booleans, got ${show(value)}`);
    bytes[i] = Number(value) !== 0 ? 1 : 0;
  }
  return { address, length: data.length, dims };
}
