// The dims of tensors: whole numbers, whose product is the number of elements.
import { PosencError, invalid, isCount, show } from "./errors.js";

export const sizeOf = (dims: readonly number[]): number => dims.reduce((product, dim) => product * dim, 1);

/** Throws if dims are not whole numbers whose product fits a Float32Array. The core checks everything else. */
export function checkDims(dims: unknown, field = "dims"): asserts dims is number[] {
  if (!Array.isArray(dims)) throw invalid(field, `must be an array of numbers, got ${show(dims)}`);
  if (dims.length > 8) throw new PosencError("shape-mismatch", `${field}: at most 8 dims, got ${dims.length}`, field);
  for (const dim of dims)
    if (!isCount(dim))
      throw new PosencError(
        "shape-mismatch",
        `${field}: must be whole numbers from 0 to 2147483647, got [${dims.map(show).join(", ")}]`,
        field,
      );
}

/** Throws if the number of elements is not the product of the dims. */
export function checkLength(length: number, dims: readonly number[], field: string): void {
  if (length !== sizeOf(dims))
    throw new PosencError(
      "shape-mismatch",
      `${field}: dims [${dims.join(", ")}] need ${sizeOf(dims)} elements, data has ${length}`,
      field,
    );
}

/** Throws if the dims are not the wanted ones. */
export function checkSameDims(dims: readonly number[], wanted: readonly number[], field: string): void {
  if (dims.join() !== wanted.join())
    throw new PosencError(
      "shape-mismatch",
      `${field}: must be [${wanted.join(", ")}], got [${dims.join(", ")}]`,
      field,
    );
}
