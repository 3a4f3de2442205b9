// Converts values between JavaScript and the GPU.
import { sizeOf, checkDims, checkLength } from "../base/dims.js";
import { PosencError, invalid, show } from "../base/errors.js";
import type {
  Float16ArrayLike,
  Float16Result,
  Float16Tensor,
  InputTensor,
  Tensor,
  TensorLike,
  OwnedUint16Array,
  OwnedUint8Array,
} from "../base/types.js";
import { arrayClassOf } from "../tensors/tensor.js";
import { checkOnCpu, checkType, isArrayLike, kindOf, optionsOf, rejectUnknown } from "./arguments.js";
import type { GpuType } from "./types.js";

/** The method of a posenc instance that converts values. */
export interface Converter {
  toFloat16(x: InputTensor): Float16Tensor;
}

/** A CPU tensor, which calls take and return under `fallback: "wasm"`, and which `read` returns. */
export interface CpuTensor {
  /** "float32" or "float16". */
  readonly type: GpuType;
  /** Elements, row-major: a `Float32Array`; for float16 a `Float16Array`, or the bits if the engine has none. */
  readonly data: any;
  /** Size of each dimension. */
  readonly dims: number[];
}

/** A result on the CPU, with a `dispose` like results on the GPU. */
export type OwnCpuTensor = (Tensor | Float16Result) & Endable;

/** An object with a `dispose` that is not needed. */
export interface Endable {
  /** Does nothing: the garbage collector frees the tensor. */
  dispose(): void;
  /** Does nothing, as `dispose`. It allows `using`. */
  [Symbol.dispose](): void;
}

const ofNothing = (): void => undefined;

export const ownCpu = ({ type, data, dims }: { type?: string; data: any; dims: readonly number[] }): OwnCpuTensor => {
  const tensor: CpuTensor = { type: type === "float16" ? type : "float32", data, dims: [...dims] };
  return { ...(tensor as Tensor), dispose: ofNothing, [Symbol.dispose]: ofNothing };
};

/** Returns a float16 array for bits: of values if the engine has `Float16Array`, otherwise of bits. */
export const float16Array = (bits: OwnedUint16Array): Float16ArrayLike | Uint16Array =>
  new (arrayClassOf("float16"))(bits.buffer, bits.byteOffset, bits.length);

/** Creates an array of zeros. Throws `out-of-memory`. */
export function zeros<A>(array: new (length: number) => A, count: number): A {
  try {
    return new array(count);
  } catch (cause) {
    throw new PosencError("out-of-memory", `dims: must fit in memory, got ${count} elements`, "dims", { cause });
  }
}

/** Copies elements of the same type; 16-bit ones by their bits, as one array may hold values and the other bits. */
export function copyElements(from: ArrayBufferView, to: ArrayBufferView): void {
  const [source, target] = [from, to].map((data) => {
    const { buffer, byteOffset, length, BYTES_PER_ELEMENT: width } = data as Float32Array;
    return width === 2 ? new Uint16Array(buffer, byteOffset, length) : (data as Float32Array);
  });
  target!.set(source!);
}

const arraysOf: Readonly<Record<GpuType, readonly string[]>> = {
  float32: ["Float32Array"],
  float16: ["Float16Array", "Uint16Array"],
};

/** Throws under `fallback` for inputs that are not CPU tensors, and for dtypes that a device does not support. */
export function checkCpu(x: unknown, field: string): asserts x is CpuTensor {
  if (x === null || typeof x !== "object")
    throw invalid(field, `must be a tensor { type, data, dims }, got ${show(x)}`);
  checkOnCpu(x, field);
  const { type = "float32", data, dims } = x as { type?: unknown; data?: unknown; dims?: unknown };
  if (!isArrayLike(data) || !Array.isArray(dims))
    throw invalid(field, `must be a tensor { type, data, dims }, got ${show(x)}`);
  checkType(type, field);
  if (!arraysOf[type].includes(kindOf(data)))
    throw invalid(field, `data of ${type} must be a ${arraysOf[type].join(" or ")}, got ${show(data)}`);
  checkDims(dims, field);
  checkLength(data.length, dims, field);
}

function checkValues(data: unknown): asserts data is ArrayLike<unknown> {
  if (!isArrayLike(data)) throw invalid("data", `must be an array of numbers, got ${show(data)}`);
}

/** Converts values to numbers. */
function numbersOf(values: ArrayLike<unknown>): ArrayLike<number> {
  if (ArrayBuffer.isView(values) && !kindOf(values).startsWith("Big")) return values as ArrayLike<number>;
  return Array.from(values, (value, i) => {
    if (typeof value !== "number" && typeof value !== "bigint")
      throw invalid("data", `must be an array of numbers, got ${show(value)} at index ${i}`);
    return Number(value);
  });
}

/** The arguments of `tensor`; `data` undefined means zeros. */
export interface Wanted {
  type: GpuType;
  data: ArrayLike<unknown> | undefined;
  dims: number[];
}

/** Reads the arguments of `tensor`. Throws `invalid-argument`, `shape-mismatch`, `unsupported`. */
export function wantedOf([first, second, third]: readonly unknown[]): Wanted {
  if (first !== null && typeof first === "object" && "dims" in first) {
    if (second !== undefined)
      throw invalid("options", `must be left out with a tensor, which has a type and dims, got ${show(second)}`);
    checkOnCpu(first, "x");
    const { type = "float32", data, dims } = first as { type?: unknown; data?: unknown; dims: unknown };
    checkType(type, "x");
    checkDims(dims);
    checkValues(data);
    return { type, data, dims };
  }
  const hasValues = Array.isArray(second);
  const given = (hasValues ? third : second) as { type?: unknown } | undefined;
  const { type = "float32", ...unknown } = optionsOf(given, '{ type: "float16" }');
  rejectUnknown(unknown, "type");
  checkType(type, "type");
  const dims: unknown = hasValues ? second : first;
  checkDims(dims);
  if (!hasValues) return { type, data: undefined, dims };
  checkValues(first);
  return { type, data: first, dims };
}

/** Creates a CPU tensor of zeros or values. Throws `shape-mismatch`, `invalid-argument`, `out-of-memory`. */
export function cpuTensor(pe: Converter, { type, data, dims }: Wanted): OwnCpuTensor {
  if (data !== undefined) checkLength(data.length, dims, "data");
  const count = sizeOf(dims);
  // Also without values: arrays that were transferred have none, and cannot be read.
  if (data === undefined || count === 0) {
    const made = type === "float16" ? float16Array(zeros(Uint16Array, count)) : zeros(Float32Array, count);
    return ownCpu({ type, data: made, dims });
  }
  if (type === "float16" && /^(Float16|Uint16)Array$/.test(kindOf(data)))
    return ownCpu({ type, data: (data as unknown as Float32Array).slice(), dims });
  const values = Float32Array.from(numbersOf(data));
  return ownCpu(type === "float16" ? pe.toFloat16({ data: values, dims } as TensorLike) : { data: values, dims });
}

/** Returns the bytes of a CPU tensor, padded to whole 32-bit words. */
export function wordsOf(data: ArrayBufferView): OwnedUint8Array {
  const bytes = new Uint8Array(4 * Math.ceil(data.byteLength / 4));
  bytes.set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
  return bytes;
}
