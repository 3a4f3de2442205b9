// The lane of the GPU: what there is of one, and how long its calls take. Without one nothing of it is loaded.
import type { Gpu } from "posenc/webgpu";
import { findAdapter } from "../../lib/adapter.ts";
import type { Posenc } from "../../lib/engine.svelte.ts";
import { isForGpu, type CaseName } from "./cases.ts";
import { gpuWays, type GpuWay } from "./gpu-ways.ts";
import { sampleLength, type Effort } from "./stopwatch.ts";

/** "none": no WebGPU; "software": a program that does what a GPU would, whose times mean nothing; "card": a GPU. */
export type GpuKind = "none" | "software" | "card";

export interface GpuLane {
  kind: GpuKind;
  name: string;
  /** A piece of work at a size; undefined where there is no kernel for it, or no GPU. */
  wayOf(name: CaseName, size: number[]): GpuWay | undefined;
  /** Once the GPU has done all that it was asked for. */
  settled(): Promise<unknown>;
  end(): void;
}

const nothing: GpuLane = { kind: "none", name: "", wayOf: () => undefined, settled: async () => {}, end() {} };

export async function startLane(pe: Posenc): Promise<GpuLane> {
  const found = await findAdapter();
  if (!found) return nothing;
  const { webgpu } = await import("posenc/webgpu");
  const device = await found.adapter.requestDevice();
  const gpu: Gpu = await webgpu(pe, device);
  return {
    kind: found.isSoftware ? "software" : "card",
    name: found.name,
    wayOf: (name, size) => (isForGpu(name) ? gpuWays[name](gpu, pe, size) : undefined),
    settled: () => device.queue.onSubmittedWorkDone(),
    end() {
      gpu.destroy();
      device.destroy();
    },
  };
}

/** Milliseconds a call, of as many calls as fill the sample once the GPU has done them all. */
async function sample({ run }: GpuWay, lane: GpuLane, length: number): Promise<number> {
  for (let runs = 1; ; runs *= 2) {
    const start = performance.now();
    for (let i = 0; i < runs; i += 1) run();
    await lane.settled();
    const passed = performance.now() - start;
    if (passed >= length) return passed / runs;
  }
}

/** Samples of the GPU alone: each is as long as those of the other contenders. */
export async function raceOnGpu(way: GpuWay, lane: GpuLane, effort: Effort, step: number): Promise<number[]> {
  const samples: number[] = [];
  for (let round = 0; round < effort.rounds; round += 1)
    samples.push(await sample(way, lane, sampleLength(effort, step)));
  return samples;
}
