// Devices, buffers and tensors on the GPU by their shape alone: a program's types may not know WebGPU. No code.

/** A `GPUBuffer`, as far as it matters here. */
export interface GpuBuffer {
  /** Bytes. */
  readonly size: number;
  /** Flags of `GPUBufferUsage`. */
  readonly usage: number;
  /** "unmapped" where the GPU may use it. */
  readonly mapState?: string;
  /** Frees it. */
  destroy(): void;
}

/** A `GPUDevice`: that of a runtime, such as `env.webgpu.device` of onnxruntime-web, or one of the page's own. */
export interface GpuDevice {
  /** What it can bind and hold. */
  readonly limits: object;
  /** Where work is submitted. */
  readonly queue: object;
  /** Settles once the device is gone. */
  readonly lost: Promise<unknown>;
  /** Frees it, and all that it made. */
  destroy(): void;
}

/** The types of numbers on the GPU. Float16 needs no `shader-f16`; all are computed with as float32 and rounded once. */
export type GpuType = "float32" | "float16";

/** Numbers in a buffer on the GPU, row-major. */
export interface GpuTensor<Buffer extends GpuBuffer = GpuBuffer> {
  /** "float32" or "float16". */
  readonly type: GpuType;
  /** With the usage STORAGE, COPY_SRC and COPY_DST; what lies beside the tensor stays as it is. */
  readonly buffer: Buffer;
  /** Whole numbers. */
  readonly dims: readonly number[];
  /** Where it begins, in bytes, a multiple of the size of a number. Default 0. */
  readonly offset?: number;
}

/** The program's own type of GPU buffers, if its type libraries have one. */
export type DeviceBuffer = typeof globalThis extends { GPUBuffer: { prototype: infer Buffer extends GpuBuffer } }
  ? Buffer
  : GpuBuffer;

/** A tensor that the library made on the GPU: it is yours to free. */
export interface OwnGpuTensor extends GpuTensor<DeviceBuffer> {
  /** Frees the buffer. */
  dispose(): void;
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
