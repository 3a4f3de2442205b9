// Tensors on the GPU: creation, checks before a call, and conversion between runtimes.
import { checkDims, sizeOf } from "../base/dims.js";
import { PosencError, invalid, show } from "../base/errors.js";
import { checkType, isGpuTensor } from "./arguments.js";
import { rejectedBuffer, usage, type Engine } from "./engine.js";
import type { DeviceBuffer, GpuBuffer, GpuTensor, GpuType, OwnGpuTensor } from "./types.js";

/** A tensor on the GPU after a call has checked it. */
export interface Checked {
  buffer: GpuBuffer;
  dims: readonly number[];
  isFloat16: boolean;
  /** Index of its first element in the buffer; `size` is the number of elements. */
  first: number;
  size: number;
  /** The words that contain it: index of the first, and count. */
  words: readonly [first: number, count: number];
}

const bytesOf = (type: GpuType): number => (type === "float16" ? 2 : 4);

/** Throws for tensors that the device cannot use. The device reports later if the buffer belongs to another device. */
export function check(engine: Engine, x: unknown, field: string): Checked {
  if (!isGpuTensor(x))
    throw invalid(field, `must be a tensor on the GPU { type, buffer, dims }, got ${show(x)}; gpu.tensor(x) makes one`);
  const { type, buffer, dims, offset = 0 } = x;
  checkType(type, field);
  checkDims(dims, field);
  checkUsable(engine, buffer, field);
  const width = bytesOf(type);
  if (!Number.isInteger(offset) || offset < 0 || offset % width)
    throw invalid("offset", `must be a multiple of ${width} bytes, got ${show(offset)}`);
  const size = sizeOf(dims);
  const end = offset + width * size;
  if (end > buffer.size)
    throw new PosencError(
      "shape-mismatch",
      `${field}: ${type} [${dims.join(", ")}] needs ${end} bytes, the buffer has ${buffer.size}`,
      field,
    );
  const most = engine.device.limits.maxStorageBufferBindingSize;
  if (end > most || (end % 4 && end + 2 > buffer.size))
    throw new PosencError(
      "out-of-range",
      `${field}: ends at byte ${end}, the device binds whole words up to ${Math.min(most, buffer.size)}`,
      field,
    );
  const from = Math.floor(offset / 4);
  const words = [from, size && Math.ceil(end / 4) - from] as const;
  return { buffer, dims, isFloat16: type === "float16", first: offset / width, size, words };
}

function checkUsable(engine: Engine, buffer: GpuBuffer, field: string): void {
  const missing = (["storage", "source", "target"] as const).filter((name) => (buffer.usage & usage[name]) === 0);
  if (missing.length) throw invalid(field, "must have a buffer with the usage STORAGE | COPY_SRC | COPY_DST");
  if ((buffer.mapState ?? "unmapped") !== "unmapped") throw invalid(field, `has a buffer that is ${buffer.mapState}`);
  if (engine.rejected.has(buffer)) throw rejectedBuffer(field, "rejected before");
}

/** Creates a tensor of zeros. */
export function create(engine: Engine, dims: readonly number[], type: GpuType): OwnGpuTensor {
  checkDims(dims);
  checkType(type, "type");
  const buffer = engine.buffer(bytesOf(type) * sizeOf(dims));
  const dispose = (): void => buffer.destroy();
  return { type, buffer: buffer as GpuBuffer as DeviceBuffer, dims: [...dims], dispose, [Symbol.dispose]: dispose };
}

/** As checkSameDims of base/dims, which would become a part of the files that posenc/ids loads. */
export function checkOut(dims: readonly number[], wanted: readonly number[]): void {
  if (dims.join() !== wanted.join())
    throw new PosencError("shape-mismatch", `out: must be [${wanted.join(", ")}], got [${dims.join(", ")}]`, "out");
}

/** Returns `out` if it has these dims, or a new tensor. */
export function resultOf(engine: Engine, out: unknown, dims: readonly number[], type: GpuType): GpuTensor {
  if (out === undefined) return create(engine, dims, type);
  checkOut(check(engine, out, "out").dims, dims);
  return out as GpuTensor;
}

/** A tensor of onnxruntime on the GPU: the properties that are read here. */
export interface OrtTensor {
  /** "float32" or "float16". */
  readonly type: string;
  /** Size of each dimension. */
  readonly dims: readonly number[];
  /** "gpu-buffer". */
  readonly location: string;
}

/** Class `Tensor` of onnxruntime-web. */
export interface OrtTensorClass<T> {
  /**
   * Creates a tensor around a GPU buffer.
   *
   * @param buffer A GPUBuffer.
   * @param options `dataType`, `dims` and `dispose` of the tensor.
   * @returns The tensor, with these dims.
   * @throws {PosencError} None: onnxruntime throws an `Error` if it does not accept the buffer or options.
   */
  fromGpuBuffer(buffer: any, options: any): T;
}

/**
 * Returns a tensor of onnxruntime on the GPU as the calls of this entry take it.
 *
 * Such tensors are outputs of sessions with `preferredOutputLocation: "gpu-buffer"`.
 * @param x A tensor of onnxruntime with `location` "gpu-buffer".
 * @returns A tensor with the same buffer, dims and type. The buffer stays onnxruntime's.
 * @throws {PosencError} `invalid-argument` if x is not on the GPU; `unsupported` if it is neither float32 nor float16.
 * @example
 * gpu.rotate(fromOrt(keys), { encoding: rope });
 */
export function fromOrt(x: OrtTensor): GpuTensor<any> {
  if (x === null || typeof x !== "object" || x.location !== "gpu-buffer")
    throw invalid(
      "x",
      `must be a tensor of onnxruntime on gpu-buffer, got ${show((x as OrtTensor | null)?.location ?? x)}`,
    );
  const { type, dims, gpuBuffer: buffer } = x as OrtTensor & { gpuBuffer?: GpuBuffer };
  checkType(type, "x");
  checkDims(dims, "x");
  if (!isGpuTensor({ buffer })) throw invalid("x", `must have a GPUBuffer as gpuBuffer, got ${show(buffer)}`);
  return { type, buffer: buffer!, dims: [...dims] };
}

/**
 * Returns a tensor on the GPU as a tensor of onnxruntime.
 *
 * Its `dispose` frees the buffer if the library created it.
 * @param x A tensor on the GPU, without `offset`.
 * @param Tensor Class `Tensor` of onnxruntime-web.
 * @returns A tensor with the same buffer, dims and type.
 * @throws {PosencError} `invalid-argument` if an argument is invalid; `unsupported` if x has an offset, because onnxruntime takes
 * buffers from their first byte.
 * @example
 * await session.run({ bias: toOrt(gpu.bias(alibi, { queries: 16, keys: 16, finite: true }), ort.Tensor) });
 */
export function toOrt<T>(x: GpuTensor, Tensor: OrtTensorClass<T>): T {
  if (!isGpuTensor(x)) throw invalid("x", `must be a tensor on the GPU { type, buffer, dims }, got ${show(x)}`);
  checkType(x.type, "x");
  checkDims(x.dims, "x");
  if (x.offset) throw new PosencError("unsupported", "offset: must be 0 for onnxruntime", "offset");
  if (typeof Tensor?.fromGpuBuffer !== "function") throw invalid("Tensor", "must be Tensor of onnxruntime-web");
  const dispose = (x as Partial<OwnGpuTensor>).dispose;
  return Tensor.fromGpuBuffer(x.buffer, { dataType: x.type, dims: [...x.dims], ...(dispose && { dispose }) });
}
