// Tensors of runtimes on the GPU. The object of posenc/webgpu that works on them is passed in: none of its code is
// imported.
import { PosencError, invalid, show } from "../base/errors.js";
import { maybe, type Reader } from "../base/options.js";
import type { Gpu } from "../webgpu/gpu.js";
import type { GpuTensor, OwnGpuTensor } from "../webgpu/types.js";
import { classOf, makeTensor, type RuntimeTensor, type TensorClass } from "./tensors.js";

/** The option to work on tensors on the GPU. */
export interface GpuOption {
  /**
   * The result of `webgpu(pe, device)` of posenc/webgpu, on the runtime's device.
   *
   * Tensors on the GPU then stay there, and so do results computed from them. Without it, a tensor on the GPU is an
   * error.
   */
  gpu?: Gpu<any>;
}

export const aGpu: Reader<Gpu | undefined> = maybe((value, name) => {
  if (typeof (value as Partial<Gpu> | null)?.toOrt !== "function")
    throw invalid(name, `must come from webgpu() of posenc/webgpu, got ${show(value)}`);
  return value as Gpu;
});

const isOnGpu = (x: unknown): x is RuntimeTensor => (x as RuntimeTensor | null)?.location === "gpu-buffer";

/**
 * Returns the `gpu` that works on x, or undefined if x is on the CPU. Throws `unsupported` if x is on the GPU without
 * `gpu`.
 */
export function gpuFor(x: unknown, gpu: Gpu | undefined, field: string): Gpu | undefined {
  if (!isOnGpu(x)) return undefined;
  if (gpu) return gpu;
  throw new PosencError(
    "unsupported",
    `${field}: the tensor is on gpu-buffer; pass { gpu } from webgpu() of posenc/webgpu, or download the data (await tensor.getData())`,
    field,
  );
}

/** Returns a runtime's tensor in the form of posenc/webgpu. Tensors of transformers.js contain one of onnxruntime. */
export const fromRuntime = (gpu: Gpu, x: object): GpuTensor =>
  gpu.fromOrt((x as { ort_tensor?: object }).ort_tensor ?? (x as any));

/** Returns a tensor on the GPU in a runtime's class; without a class, unchanged. */
export function toRuntime<T>(gpu: Gpu, x: GpuTensor, Class: TensorClass<T> | undefined): T {
  if (!Class || "fromGpuBuffer" in Class) return (Class ? gpu.toOrt(x, Class as any) : x) as T;
  // transformers.js rebuilds tensors of other copies of onnxruntime from their fields, which loses how they are freed.
  const made = new Class("float32", new Float32Array(), [0]) as { ort_tensor?: object };
  if (!made.ort_tensor) throw invalid("Tensor", "must be Tensor of transformers.js or onnxruntime-web");
  made.ort_tensor = gpu.toOrt<object>(x, made.ort_tensor.constructor as any);
  return made as T;
}

/** Returns a CPU result as a runtime's tensor: on the GPU if there is one, otherwise as `makeTensor` does. */
export function resultFor<T>(
  gpu: Gpu | undefined,
  x: { type: string; data: unknown; dims: readonly number[] },
  Class: TensorClass<T> | undefined,
  like: unknown,
): T {
  if (!gpu?.onGpu) return makeTensor(x, Class, like);
  return toRuntime(gpu, gpu.tensor(x as { data: unknown; dims: readonly number[] }), Class ?? classOf(like));
}

/** Frees the tensors that are on the GPU. The garbage collector frees the others. */
export function freeOnGpu(tensors: Iterable<any>): void {
  for (const tensor of tensors) if (tensor?.location === "gpu-buffer") tensor.dispose();
}

/** Returns a copy of x, or of some of its rows, after `change` wrote into it. */
export function changedCopy(
  gpu: Gpu,
  x: GpuTensor,
  change: (copy: OwnGpuTensor) => void,
  ranges: readonly (readonly [number, number])[] = [[0, x.dims.at(-2) ?? 0]],
): OwnGpuTensor {
  const copy = gpu.keep(x, { ranges });
  try {
    change(copy);
  } catch (error) {
    copy.dispose();
    throw error;
  }
  return copy;
}
