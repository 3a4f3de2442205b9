// The software adapter, a device on it, and what is counted of it.
import { webgpu } from "posenc/webgpu";
import { expect } from "vitest";
import { pe } from "../js/helpers/library";

export async function newDevice(): Promise<GPUDevice> {
  const adapter = await navigator.gpu.requestAdapter();
  if (!adapter) throw new Error("Chromium has no adapter: was it started with --use-webgpu-adapter=swiftshader?");
  return adapter.requestDevice();
}

/** Flags of GPUBufferUsage, which TypeScript's library does not name. */
export const usage = { copySource: 0x4, copyTarget: 0x8, storage: 0x80, all: 0x8c };

export const device = await newDevice();
export const gpu = await webgpu(pe, device);
export type Gpu = typeof gpu;

const makers = ["createBuffer", "createShaderModule", "createBindGroup", "createComputePipeline"] as const;

/** How often a device made something, and how many buffers it still has. */
export function counting(device: GPUDevice): { made: Record<string, number>; live: () => number } {
  const made: Record<string, number> = {};
  const live = new Set<GPUBuffer>();
  for (const name of makers) {
    const make = (device[name] as (options: unknown) => unknown).bind(device);
    Object.assign(device, {
      [name]: (options: unknown) => {
        made[name] = (made[name] ?? 0) + 1;
        const result = make(options);
        if (name === "createBuffer") watch(result as GPUBuffer);
        return result;
      },
    });
  }
  function watch(buffer: GPUBuffer): void {
    live.add(buffer);
    const destroy = buffer.destroy.bind(buffer);
    buffer.destroy = () => {
      live.delete(buffer);
      return destroy();
    };
  }
  return { made, live: () => live.size };
}

export const float16Bits = (x: { data: unknown }): Uint16Array => {
  const { buffer, byteOffset, length } = x.data as Uint16Array;
  return new Uint16Array(buffer, byteOffset, length);
};

/** The same numbers; 0 and -0 are one, as devices may add zeros in another order. */
export function expectSame(actual: ArrayLike<number>, expected: ArrayLike<number>, what: string): void {
  expect(actual.length, what).toBe(expected.length);
  for (let i = 0; i < actual.length; i++)
    if (actual[i] !== expected[i] && !(Number.isNaN(actual[i]) && Number.isNaN(expected[i])))
      expect.fail(`${what} [${i}]: ${actual[i]} instead of ${expected[i]}`);
}

/** float16 numbers of bits. */
export const numbersOf = (bits: Uint16Array): Float32Array =>
  pe.toFloat32({ type: "float16", data: bits, dims: [bits.length] }).data as Float32Array;
