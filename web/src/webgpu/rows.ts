// Rows to add and positions to keep: their values from the core, and both calls on the CPU.
import type { TableAt } from "../base/call-options.js";
import { sizeOf } from "../base/dims.js";
import { PosencError, invalid, show } from "../base/errors.js";
import type { OwnedFloat32Array } from "../base/types.js";
import type { TableEncoding } from "../encodings/table.js";
import { copyElements, zeros, type Converter, type CpuTensor } from "./cpu-tensors.js";
import { rowsFor } from "./rotation.js";

/**
 * Returns the rows that `addTo` adds to a tensor of these dims. It adds them to zeros, so that `addTo` checks its
 * options.
 */
export function tableRows(encoding: TableEncoding<any>, dims: readonly number[], at: TableAt): OwnedFloat32Array {
  const [length = 0, dim = 0] = dims.slice(-2);
  const rows = rowsFor(at, sizeOf(dims.slice(0, -2)), length);
  const data = zeros(Float32Array, rows * length * dim);
  encoding.addTo({ data, dims: dims.length < 2 ? [...dims] : [rows, length, dim] }, at);
  return data;
}

/** Throws unless the rows have the last of these dims. */
export function checkRows(rows: CpuTensor, dims: readonly number[]): void {
  if (!ArrayBuffer.isView(rows?.data as unknown) || !Array.isArray(rows.dims))
    throw invalid("rows", `must be an encoding, or a tensor of the CPU { data, dims }, got ${show(rows)}`);
  const last = dims.slice(dims.length - rows.dims.length);
  if (rows.dims.join() !== last.join() || rows.data.length !== sizeOf(last))
    throw new PosencError(
      "shape-mismatch",
      `rows: must be the last of x's dims, [${dims.join(", ")}], got [${rows.dims.join(", ")}]`,
      "rows",
    );
}

/** The methods of an instance that add in place on the CPU. */
export interface Adder extends Converter {
  toFloat32(x: any): { data: Float32Array };
}

export function addRows<T extends CpuTensor>(pe: Adder, x: T, rows: CpuTensor): T {
  const sums = pe.toFloat32(x).data;
  const numbers = pe.toFloat32(rows).data;
  const added = sums.map((value, i) => value + numbers[i % numbers.length]!);
  const { dims } = x;
  const isFloat16 = x.type === "float16";
  copyElements(isFloat16 ? pe.toFloat16({ data: added, dims }).data : added, x.data as Float32Array);
  return x;
}

/** Returns some positions along an axis. */
export function keptRows(x: CpuTensor, axis: number, kept: readonly number[]): CpuTensor {
  const { type, data, dims } = x;
  const inner = sizeOf(dims.slice(axis + 1));
  const outer = sizeOf(dims.slice(0, axis));
  const made = zeros(data.constructor as new (length: number) => Float32Array, outer * kept.length * inner);
  for (let o = 0, at = 0; o < outer; o++)
    for (const position of kept) {
      const from = (o * dims[axis]! + position) * inner;
      made.set(data.subarray(from, from + inner), at);
      at += inner;
    }
  return { type, data: made, dims: [...dims.slice(0, axis), kept.length, ...dims.slice(axis + 1)] };
}
