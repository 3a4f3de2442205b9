// Numbers between JavaScript and the GPU.
import { sizeOf, checkDims, checkLength } from "../base/dims.js";
import { invalid, show } from "../base/errors.js";
import type {
  HalfArray,
  HalfResult,
  HalfTensor,
  InputTensor,
  Tensor,
  TensorLike,
  OwnedUint16Array,
  OwnedUint8Array,
} from "../base/types.js";
import { halfArrayOf } from "../tensors/tensor.js";
import type { GpuType } from "./types.js";

/** What of an instance converts numbers. */
export interface Converter {
  toFloat16(x: InputTensor): HalfTensor;
}

/** A tensor of the CPU: what calls take and give under `fallback: "wasm"`, and what `read` gives. */
export interface CpuTensor {
  /** "float32" or "float16". */
  readonly type: GpuType;
  /** Row-major: a `Float32Array`; of float16 a `Float16Array`, or bits where the engine has none. */
  readonly data: any;
  /** Whole numbers. */
  readonly dims: number[];
}

/** A result on the CPU, which can be disposed as those on the GPU. */
export type OwnCpuTensor = (Tensor | HalfResult) & Endable;

/** What can be disposed, though nothing needs it. */
export interface Endable {
  /** Does nothing: the garbage collector frees it. */
  dispose(): void;
  [Symbol.dispose](): void;
}

const ofNothing = (): void => undefined;

export const ownCpu = ({ type, data, dims }: { type?: string; data: any; dims: readonly number[] }): OwnCpuTensor => {
  const tensor: CpuTensor = { type: type === "float16" ? type : "float32", data, dims: [...dims] };
  return { ...(tensor as Tensor), dispose: ofNothing, [Symbol.dispose]: ofNothing };
};

/** Arrays of float16: numbers where the engine has them, else bits. */
export const halves = (bits: OwnedUint16Array): HalfArray | Uint16Array =>
  new (halfArrayOf("float16"))(bits.buffer, bits.byteOffset, bits.length);

/** A tensor of the CPU from zeros, numbers, or another one. Throws: shape-mismatch, invalid-argument. */
export function cpuTensor(pe: Converter, data: unknown, dims: unknown, type: GpuType | undefined): OwnCpuTensor {
  checkDims(dims);
  if (data === undefined) {
    const count = sizeOf(dims);
    const isHalf = type === "float16";
    return ownCpu({
      type: type ?? "float32",
      data: isHalf ? halves(new Uint16Array(count)) : new Float32Array(count),
      dims,
    });
  }
  if (!Array.isArray(data) && !ArrayBuffer.isView(data))
    throw invalid("data", `must be an array of numbers, got ${show(data)}`);
  const numbers = data as unknown as ArrayLike<number>;
  checkLength(numbers.length, dims, "data");
  if (type !== "float16") return ownCpu({ data: Float32Array.from(numbers), dims });
  const name = Object.prototype.toString.call(data);
  if (/Float16|Uint16/.test(name)) return ownCpu({ type, data: (data as Float32Array).slice(), dims });
  return ownCpu(pe.toFloat16({ data: Float32Array.from(numbers), dims } as TensorLike));
}

/** The bytes of a tensor of the CPU, filled up to whole words. */
export function wordsOf(data: ArrayBufferView): OwnedUint8Array {
  const bytes = new Uint8Array(4 * Math.ceil(data.byteLength / 4));
  bytes.set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
  return bytes;
}
