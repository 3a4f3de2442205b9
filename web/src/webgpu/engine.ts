// Runs kernels on a device. Pipelines, bind groups and uniforms are created once and reused.
import { PosencError } from "../base/errors.js";
import { Memory } from "./memory.js";
import { fields, shader, type Kernel, type Parameters } from "./shaders.js";
import type { Buffer, Device, GpuBuffer } from "./types.js";

/** Flags of GPUBufferUsage, which is not defined in engines without WebGPU. */
export const usage = { read: 0x1, source: 0x4, target: 0x8, uniform: 0x40, storage: 0x80 };
const tensorUsage = usage.source | usage.target | usage.storage;

/** The buffers of a kernel; `x` is written. */
export interface Bindings {
  x: GpuBuffer;
  source?: GpuBuffer;
  numbers?: GpuBuffer;
  plan?: GpuBuffer;
}

/** A device and its state. */
export class Engine {
  /** Values that come from the core. */
  readonly memory: Memory;
  /** Buffers that the device rejected. */
  readonly rejected = new WeakSet<GpuBuffer>();
  isLost = false;
  private module: object | undefined;
  private readonly pipelines = new Map<string, object>();
  private readonly groups = new WeakMap<GpuBuffer, Map<string, object>>();
  private readonly numbers = new WeakMap<GpuBuffer, number>();
  private count = 0;
  private shared: { groupLayout: object; layout: object; uniform: GpuBuffer; empty: GpuBuffer } | undefined;
  private readonly pending = new Set<Promise<void>>();
  private problem: PosencError | undefined;

  constructor(readonly device: Device) {
    const roomy = (bytes: number): number => Math.min(2 ** Math.ceil(Math.log2(Math.max(bytes, 256))), this.most);
    this.memory = new Memory(device, (bytes) => this.buffer(Math.max(bytes, roomy(bytes))));
    const lose = (): void => void (this.isLost = true);
    device.lost.then(lose, lose);
  }

  /** Maximum number of bytes of a buffer that kernels can bind. */
  private get most(): number {
    const { maxBufferSize, maxStorageBufferBindingSize } = this.device.limits;
    return Math.min(maxBufferSize, maxStorageBufferBindingSize);
  }

  /** Creates a buffer of whole words. Throws `out-of-range`. */
  buffer(bytes: number, flags = tensorUsage): Buffer {
    const { most } = this;
    // onnxruntime copies 16 bytes at a time, even beyond the end of a tensor.
    const size = Math.max(4 * Math.ceil(bytes / 4), Math.min(16 * Math.max(1, Math.ceil(bytes / 16)), most));
    if (size > most)
      throw new PosencError("out-of-range", `dims: need ${size} bytes, the device has buffers of ${most}`, "dims");
    return this.watched("out-of-memory", [], () => this.device.createBuffer({ size, usage: flags }));
  }

  /** Runs a kernel. `copy`: words of x that are copied to `source` first. */
  run(
    kernel: Kernel,
    isFloat16: boolean,
    parameters: Parameters,
    bindings: Bindings,
    copy?: readonly [from: number, words: number],
  ): void {
    const threads = parameters.threads ?? 0;
    if (threads === 0) return;
    const { device } = this;
    const given = [bindings.x, bindings.source].filter((buffer) => buffer !== undefined);
    this.watched("validation", given, () => {
      const { uniform } = this.parts();
      const most = device.limits.maxComputeWorkgroupsPerDimension;
      const groups = Math.ceil(threads / 64);
      const across = Math.min(groups, most);
      device.queue.writeBuffer(
        uniform,
        0,
        Uint32Array.from(fields, (name) => parameters[name] ?? 0),
      );
      const encoder = device.createCommandEncoder();
      if (copy) encoder.copyBufferToBuffer(bindings.x, 4 * copy[0], bindings.source!, 0, 4 * copy[1]);
      const pass = encoder.beginComputePass();
      pass.setPipeline(this.pipeline(kernel, isFloat16));
      pass.setBindGroup(0, this.group(bindings));
      pass.dispatchWorkgroups(across, Math.ceil(groups / across));
      pass.end();
      device.queue.submit([encoder.finish()]);
    });
  }

  /** Returns the bytes of a tensor, once all earlier work is done. */
  async read(buffer: GpuBuffer, from: number, bytes: number): Promise<ArrayBuffer> {
    const { device } = this;
    const begin = from - (from % 4);
    const size = Math.max(4, 4 * Math.ceil((from + bytes - begin) / 4));
    const staging = this.buffer(size, usage.read | usage.target);
    try {
      this.watched("validation", [buffer], () => {
        const encoder = device.createCommandEncoder();
        encoder.copyBufferToBuffer(buffer, begin, staging, 0, size);
        device.queue.submit([encoder.finish()]);
      });
      await this.settled();
      await staging.mapAsync(1);
      return staging.getMappedRange().slice(from - begin, from - begin + bytes);
    } catch (error) {
      if (error instanceof PosencError) throw error;
      throw new PosencError(
        "disposed",
        "device: the GPUDevice was lost; request a new one and call webgpu(pe, device) again",
        "device",
        { cause: error },
      );
    } finally {
      staging.destroy();
    }
  }

  /** Throws the errors that the device has reported since the last call. */
  async settled(): Promise<void> {
    await Promise.all(this.pending);
    const { problem } = this;
    this.problem = undefined;
    if (problem) throw problem;
  }

  destroy(): void {
    this.memory.destroy();
    for (const buffer of this.shared ? [this.shared.uniform, this.shared.empty] : []) buffer.destroy();
    this.shared = undefined;
  }

  /**
   * Records errors that the device reports for this work. It reports them asynchronously, and the work then has no
   * effect.
   */
  private watched<T>(filter: "validation" | "out-of-memory", buffers: readonly GpuBuffer[], work: () => T): T {
    this.device.pushErrorScope(filter);
    try {
      return work();
    } finally {
      const heard = this.device.popErrorScope().then(
        (error) => {
          this.pending.delete(heard);
          if (!error || this.isLost) return;
          for (const buffer of buffers) this.rejected.add(buffer);
          this.problem ??=
            filter === "validation"
              ? rejectedBuffer("x", error.message)
              : new PosencError("out-of-memory", `dims: the device has no memory left: ${error.message}`, "dims");
        },
        () => void this.pending.delete(heard),
      );
      this.pending.add(heard);
    }
  }

  private parts(): NonNullable<typeof this.shared> {
    if (this.shared) return this.shared;
    const { device } = this;
    const types = ["uniform", "storage", "read-only-storage", "read-only-storage", "read-only-storage"];
    const entries = types.map((type, binding) => ({ binding, visibility: 4, buffer: { type } }));
    const groupLayout = device.createBindGroupLayout({ entries });
    return (this.shared = {
      groupLayout,
      layout: device.createPipelineLayout({ bindGroupLayouts: [groupLayout] }),
      uniform: device.createBuffer({ size: 4 * fields.length, usage: usage.uniform | usage.target }),
      empty: device.createBuffer({ size: 16, usage: usage.storage }),
    });
  }

  private pipeline(kernel: Kernel, isFloat16: boolean): object {
    const name = `${kernel} ${isFloat16}`;
    const known = this.pipelines.get(name);
    if (known) return known;
    const { device } = this;
    this.module ??= device.createShaderModule({ code: shader() });
    const compute = { module: this.module, entryPoint: kernel, constants: { half: Number(isFloat16) } };
    const made = device.createComputePipeline({ layout: this.parts().layout, compute });
    this.pipelines.set(name, made);
    return made;
  }

  private group({ x, source, numbers, plan }: Bindings): object {
    const { groupLayout, uniform, empty } = this.parts();
    const buffers = [x, source ?? empty, numbers ?? empty, plan ?? empty];
    const key = buffers.map((buffer) => this.numberOf(buffer)).join();
    const ofBuffer = this.groups.get(x) ?? new Map<string, object>();
    const known = ofBuffer.get(key);
    if (known) return known;
    const most = this.device.limits.maxStorageBufferBindingSize;
    const entries = [uniform, ...buffers].map((buffer, binding) => ({
      binding,
      resource: { buffer, size: 4 * Math.floor(Math.min(buffer.size, most) / 4) },
    }));
    const made = this.device.createBindGroup({ layout: groupLayout, entries });
    // A buffer with that many bind groups will get more.
    if (ofBuffer.size >= 64) ofBuffer.clear();
    this.groups.set(x, ofBuffer.set(key, made));
    return made;
  }

  private numberOf(buffer: GpuBuffer): number {
    const known = this.numbers.get(buffer) ?? ++this.count;
    this.numbers.set(buffer, known);
    return known;
  }
}

export const rejectedBuffer = (field: string, why: string): PosencError =>
  new PosencError(
    "invalid-argument",
    `${field}: the device rejected the buffer (destroyed, or from another device): ${why}`,
    field,
  );
