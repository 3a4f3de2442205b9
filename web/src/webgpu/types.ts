// Devices, buffers and tensors on the GPU as structural types: a program's type libraries may lack WebGPU. No code.

/** A `GPUBuffer`: the properties that are read here. */
export interface GpuBuffer {
  /** Size in bytes. */
  readonly size: number;
  /** Flags of `GPUBufferUsage`. */
  readonly usage: number;
  /** "unmapped" if the GPU may use it. */
  readonly mapState?: string;
  /** Frees the buffer. */
  destroy(): void;
}

/**
 * A `GPUDevice`: the device of a runtime, such as `env.webgpu.device` of onnxruntime-web, or one that the page created.
 */
export interface GpuDevice {
  /** Largest sizes and counts that it supports. */
  readonly limits: object;
  /** The queue that work is submitted to. */
  readonly queue: object;
  /** Settles once the device is lost. */
  readonly lost: Promise<unknown>;
  /** Frees the device and everything that it created. */
  destroy(): void;
}

/** Types of tensors on the GPU. float16 needs no `shader-f16`: calls compute in float32 and round once. */
export type GpuType = "float32" | "float16";

/** A tensor in a buffer on the GPU, row-major. */
export interface GpuTensor<Buffer extends GpuBuffer = GpuBuffer> {
  /** "float32" or "float16". */
  readonly type: GpuType;
  /** Buffer with the usage STORAGE, COPY_SRC and COPY_DST. Bytes outside of the tensor stay unchanged. */
  readonly buffer: Buffer;
  /** Size of each dimension. */
  readonly dims: readonly number[];
  /** First byte of the tensor in the buffer, a multiple of the size of an element. Default 0. */
  readonly offset?: number;
}

/** The program's own type of GPU buffers, if its type libraries have one. */
export type DeviceBuffer = typeof globalThis extends { GPUBuffer: { prototype: infer Buffer extends GpuBuffer } }
  ? Buffer
  : GpuBuffer;

/** A tensor that the library created on the GPU. You own it: call `dispose()` when you no longer need it. */
export interface OwnGpuTensor extends GpuTensor<DeviceBuffer> {
  /** Frees the buffer. */
  dispose(): void;
  /** Calls `dispose()` at the end of a block with `using`. */
  [Symbol.dispose](): void;
}

/** The parts of WebGPU that the library calls. */
export interface Device extends GpuDevice {
  readonly limits: Record<"maxBufferSize" | "maxStorageBufferBindingSize" | "maxComputeWorkgroupsPerDimension", number>;
  readonly queue: {
    writeBuffer(buffer: GpuBuffer, offset: number, data: ArrayBufferView): void;
    submit(commands: object[]): void;
    onSubmittedWorkDone(): Promise<unknown>;
  };
  createBuffer(options: object): Buffer;
  createShaderModule(options: object): object;
  createBindGroupLayout(options: object): object;
  createPipelineLayout(options: object): object;
  createComputePipeline(options: object): object;
  createBindGroup(options: object): object;
  createCommandEncoder(): Encoder;
  pushErrorScope(filter: string): void;
  popErrorScope(): Promise<{ message: string } | null>;
}

/** A buffer that is read back. */
export interface Buffer extends GpuBuffer {
  mapAsync(mode: number): Promise<void>;
  getMappedRange(): ArrayBuffer;
  unmap(): void;
}

interface Encoder {
  beginComputePass(): {
    setPipeline(pipeline: object): void;
    setBindGroup(index: number, group: object): void;
    dispatchWorkgroups(x: number, y: number): void;
    end(): void;
  };
  copyBufferToBuffer(source: GpuBuffer, from: number, target: GpuBuffer, to: number, bytes: number): void;
  finish(): object;
}
