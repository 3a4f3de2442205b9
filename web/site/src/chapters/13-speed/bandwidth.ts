// How many bytes a second go through work that hardly computes anything, by the size of the buffer it works on.
import type { Posenc } from "../../lib/engine.svelte.ts";
import type { SizeName } from "./cases.ts";
import { startMachine } from "./machine.ts";
import { clockStep, race, type Effort } from "./stopwatch.ts";

export const streamNames = ["multiply", "copy", "rope", "plain"] as const;
export type StreamName = (typeof streamNames)[number];

export interface BandwidthResult {
  /** Bytes of the buffer. */
  sizes: number[];
  /** GB/s, read and written; NaN where the browser has no SIMD. */
  rates: Record<StreamName, number[]>;
}

const powers: Record<SizeName, [number, number]> = { usual: [14, 26], small: [14, 23], tiny: [14, 16] };
const efforts: Record<SizeName, Effort> = {
  usual: { rounds: 5, sampleMilliseconds: 8, warmUpMilliseconds: 25 },
  small: { rounds: 5, sampleMilliseconds: 5, warmUpMilliseconds: 15 },
  tiny: { rounds: 1, sampleMilliseconds: 0.2, warmUpMilliseconds: 0 },
};

// All heads of a position stand together ("bthd"): the cosines and sines of a position serve all of them.
const heads = 32;
const dim = 64;
// So near to 1 that the numbers stay what they are for a million runs.
const factor = 0.99999994;

function multiplyPlainly(x: Float32Array): void {
  for (let i = 0; i < x.length; i += 1) x[i] *= factor;
}

/** GB/s of each way on a buffer of that many bytes, of its best round. */
function measure(pe: Posenc, bytes: number, effort: Effort, clock: number): Record<StreamName, number> {
  const machine = startMachine(bytes);
  const rope = pe.create({ kind: "rope", dim });
  const x = pe.tensor([1, bytes / (4 * heads * dim), heads, dim]);
  x.data.fill(1);
  const plain = new Float32Array(bytes / 4).fill(1);
  const runs = [
    ...(machine ? [() => machine.multiply(bytes), () => machine.copy(bytes)] : []),
    () => rope.apply(x, { layout: "bthd" }),
    () => multiplyPlainly(plain),
  ];
  const rates = race(runs, effort, clock, () => {}).map((samples, index) => {
    // The copy reads one half and writes the other: half of what the others move.
    const moved = machine && index === 1 ? bytes : 2 * bytes;
    return moved / Math.min(...samples) / 1e6;
  });
  rope.dispose();
  x.dispose();
  pe.trim();
  const [multiply, copy, turned, slow] = machine ? rates : [NaN, NaN, ...rates];
  return { multiply, copy, rope: turned, plain: slow };
}

/** Bytes of the buffers, from the smallest to the largest. */
export function bufferSizes(sizeName: SizeName): number[] {
  const [first, last] = powers[sizeName];
  return Array.from({ length: last - first + 1 }, (_, index) => 2 ** (first + index));
}

export function runBandwidth(
  pe: Posenc,
  sizeName: SizeName,
  report: (share: number, partial: BandwidthResult) => void,
): BandwidthResult {
  const sizes = bufferSizes(sizeName);
  const clock = clockStep();
  const result: BandwidthResult = { sizes: [], rates: { multiply: [], copy: [], rope: [], plain: [] } };
  for (const bytes of sizes) {
    const rates = measure(pe, bytes, efforts[sizeName], clock);
    result.sizes.push(bytes);
    for (const name of streamNames) result.rates[name].push(rates[name]);
    report(result.sizes.length / sizes.length, structuredClone(result));
  }
  return result;
}
