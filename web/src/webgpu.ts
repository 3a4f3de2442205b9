/**
 * Positional encodings of tensors that stay on the GPU: rotations, biases and tables on the buffers of a WebGPU device,
 * such as the buffers of onnxruntime-web and transformers.js. Requires an instance of the library, which computes the
 * values. Loads nothing itself.
 * @module posenc/webgpu
 */
import { PosencError, invalid, show } from "./base/errors.js";
import { Engine } from "./webgpu/engine.js";
import { Gpu, type PosencLike } from "./webgpu/gpu.js";
import { optionsOf, rejectUnknown } from "./webgpu/arguments.js";
import type { WebgpuOptions } from "./webgpu/options.js";
import type { Device, GpuDevice } from "./webgpu/types.js";

export { PosencError, type ErrorCode } from "./base/errors.js";
export { Gpu, type PosencLike, type Result } from "./webgpu/gpu.js";
export type { CpuTensor, Endable, OwnCpuTensor } from "./webgpu/cpu-tensors.js";
export type * from "./webgpu/options.js";
export { fromOrt, toOrt, type OrtTensor, type OrtTensorClass } from "./webgpu/tensors.js";
export type { GpuBuffer, GpuDevice, GpuTensor, GpuType, OwnGpuTensor } from "./webgpu/types.js";

/** Requests a new device with the largest buffers that its adapter supports. */
async function ownDevice(): Promise<Device | undefined> {
  const { gpu } = (globalThis.navigator ?? {}) as { gpu?: { requestAdapter(): Promise<any> } };
  const adapter = await gpu?.requestAdapter();
  if (!adapter) return undefined;
  const { maxBufferSize, maxStorageBufferBindingSize } = adapter.limits;
  return adapter.requestDevice({ requiredLimits: { maxBufferSize, maxStorageBufferBindingSize } });
}

function checkDevice(device: unknown): asserts device is Device {
  const { createComputePipeline, lost } = device as Partial<Device>;
  if (typeof createComputePipeline !== "function" || typeof lost?.then !== "function")
    throw invalid("device", `must be a GPUDevice, got ${show(device)}`);
}

/**
 * Returns the library's calls for tensors on a GPU device.
 *
 * With `fallback: "wasm"`, all calls take and return CPU tensors if there is no device, or once the device is lost. Without
 * `fallback`, both are errors.
 * @param pe Instance of the library, from `init()` of any entry. It creates the encodings.
 * @param device The device of the runtime whose tensors you pass: `await env.webgpu.device` of onnxruntime-web, once it has
 * made a session. undefined or null: creates a device, which `destroy()` frees.
 * @param options `fallback`; default: none.
 * @returns The calls; with `fallback`, `onGpu` shows whether they run on the GPU.
 * @throws {PosencError} `invalid-argument` if an argument is invalid. Without `fallback` also `unsupported` if there is no
 * WebGPU or no adapter, and `disposed` if the device was lost.
 * @example
 * const gpu = await webgpu(pe, device, { fallback: "wasm" });
 */
export async function webgpu(
  pe: PosencLike,
  device: GpuDevice | null | undefined,
  options: WebgpuOptions & { fallback: "wasm" },
): Promise<Gpu<true>>;
/**
 * Returns the library's calls for tensors on a GPU device. Results are on the GPU.
 *
 * @param pe Instance of the library, from `init()` of any entry. It creates the encodings.
 * @param device The device of the runtime whose tensors you pass: `await env.webgpu.device` of onnxruntime-web, once it has made
 * a session. undefined or null: creates a device, which `destroy()` frees.
 * @param options `fallback: "wasm"` makes calls take and return CPU tensors if there is no device. Default: an error.
 * @returns The calls.
 * @throws {PosencError} `unsupported` if there is no WebGPU or no adapter; `disposed` if the device was lost; `invalid-argument`
 * if an argument is invalid.
 * @example
 * const gpu = await webgpu(pe, await ort.env.webgpu.device);
 */
export async function webgpu(pe: PosencLike, device?: GpuDevice | null, options?: WebgpuOptions): Promise<Gpu>;
export async function webgpu(
  pe: PosencLike,
  device?: GpuDevice | null,
  options?: WebgpuOptions,
): Promise<Gpu<boolean>> {
  const { fallback, ...unknown } = optionsOf(options, '{ fallback: "wasm" }');
  rejectUnknown(unknown, "fallback");
  if (fallback !== undefined && fallback !== "wasm") throw invalid("fallback", `must be "wasm", got ${show(fallback)}`);
  if (typeof pe?.resizeTable !== "function") throw invalid("pe", `must come from init(), got ${show(pe)}`);
  if (device !== undefined && device !== null) checkDevice(device);
  const used = device ?? (await ownDevice().catch(() => undefined));
  if (!used && !fallback)
    throw new PosencError("unsupported", "device: this browser has no WebGPU, or no adapter", "device");
  if (!used) return new Gpu(pe, undefined, true, () => undefined);
  const engine = new Engine(used as Device);
  // A device that is lost says so now.
  await undefined;
  if (engine.isLost && !fallback)
    throw new PosencError(
      "disposed",
      "device: the GPUDevice was lost; request a new one and call webgpu(pe, device) again",
      "device",
    );
  return new Gpu(pe, engine, fallback !== undefined, () => {
    engine.destroy();
    if (!device) used.destroy();
  });
}
