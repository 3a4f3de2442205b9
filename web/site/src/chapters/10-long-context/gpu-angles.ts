// Cosines and sines of position times frequency, as a shader computes them, and as the processor does with the same roundings.
import { findAdapter } from "../../lib/adapter.ts";
import type { Posenc } from "../../lib/engine.svelte.ts";
import { dim, inHalf, largestHalf } from "./precision.ts";

export type Width = "float16" | "float32";
export const widths: Width[] = ["float16", "float32"];
/** A cosine and a sine for each position and pair, one after the other. */
export type Hands = Float32Array;

export interface Shaded {
  /** "card": a GPU; "software": a program that does what one would. */
  kind: "card" | "software";
  name: string;
  /** Undefined: what it cannot compute with. */
  hands: Partial<Record<Width, Hands>>;
}

const words = { float16: "f16", float32: "f32" };

const shader = (width: Width): string => `${width === "float16" ? "enable f16;" : ""}
@group(0) @binding(0) var<storage, read> positions: array<u32>;
@group(0) @binding(1) var<storage, read> frequencies: array<f32>;
@group(0) @binding(2) var<storage, read_write> hands: array<vec2f>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let pairs = arrayLength(&frequencies);
  if (id.x >= arrayLength(&hands)) { return; }
  let angle = ${words[width]}(positions[id.x / pairs]) * ${words[width]}(frequencies[id.x % pairs]);
  hands[id.x] = vec2f(f32(cos(angle)), f32(sin(angle)));
}`;

// Flags of GPUBufferUsage, which TypeScript does not name.
const [mapRead, copySource, copyTarget, storage] = [0x1, 0x4, 0x8, 0x80];

async function shade(device: GPUDevice, width: Width, positions: Uint32Array, frequencies: Float32Array) {
  const size = 8 * positions.length * frequencies.length;
  const sent = [positions, frequencies].map((numbers) => {
    const buffer = device.createBuffer({ size: numbers.byteLength, usage: storage | copyTarget });
    device.queue.writeBuffer(buffer, 0, numbers as Float32Array<ArrayBuffer>);
    return buffer;
  });
  const made = device.createBuffer({ size, usage: storage | copySource });
  const staging = device.createBuffer({ size, usage: mapRead | copyTarget });
  const module = device.createShaderModule({ code: shader(width) });
  const pipeline = await device.createComputePipelineAsync({ layout: "auto", compute: { module } });
  const entries = [...sent, made].map((buffer, binding) => ({ binding, resource: { buffer } }));
  const encoder = device.createCommandEncoder();
  const pass = encoder.beginComputePass();
  pass.setPipeline(pipeline);
  pass.setBindGroup(0, device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries }));
  pass.dispatchWorkgroups(Math.ceil(size / 8 / 64));
  pass.end();
  encoder.copyBufferToBuffer(made, 0, staging, 0, size);
  device.queue.submit([encoder.finish()]);
  await staging.mapAsync(mapRead);
  return new Float32Array(staging.getMappedRange().slice(0));
}

/** On this page's GPU; undefined where it has none, or where that fails. */
export async function shadedHands(positions: Uint32Array, frequencies: Float32Array): Promise<Shaded | undefined> {
  const found = await findAdapter();
  if (!found) return undefined;
  const hasHalf = found.adapter.features.has("shader-f16");
  const device = await found.adapter.requestDevice({ requiredFeatures: hasHalf ? ["shader-f16"] : [] });
  try {
    const hands: Shaded["hands"] = { float32: await shade(device, "float32", positions, frequencies) };
    if (hasHalf) hands.float16 = await shade(device, "float16", positions, frequencies);
    return { kind: found.isSoftware ? "software" : "card", name: found.name, hands };
  } finally {
    device.destroy();
  }
}

/** The same steps on the processor: position, frequency and product rounded, the cosine exact and rounded last. */
export function processorHands(pe: Posenc, width: Width, positions: Uint32Array, frequencies: Float32Array): Hands {
  const rounded = (numbers: ArrayLike<number>): Float32Array =>
    width === "float16" ? inHalf(pe, numbers) : Float32Array.from(numbers);
  const [places, rates] = [rounded(positions), rounded(frequencies)];
  const products = new Float32Array(places.length * rates.length);
  products.forEach((_, i) => (products[i] = places[Math.floor(i / rates.length)] * rates[i % rates.length]));
  const hands = new Float64Array(2 * products.length);
  rounded(products).forEach((angle, i) => hands.set([Math.cos(angle), Math.sin(angle)], 2 * i));
  return rounded(hands);
}

export interface AngleErrors {
  /** In turns, of each position: the largest of all pairs, and that of the chosen one. NaN: no such position. */
  worst: number[];
  one: number[];
}

const pairs = dim / 2;

/** How far hands point from the exact ones, {cos, sin} of the library; the largest over `samples` positions in a row. */
export function angleErrors(
  hands: Hands,
  exact: { cos: Float32Array; sin: Float32Array },
  { positions, samples, width, pair }: { positions: Uint32Array; samples: number; width: Width; pair: number },
): AngleErrors {
  const errors: AngleErrors = { worst: [], one: [] };
  for (let first = 0; first < positions.length; first += samples) {
    let [worst, one] = [0, 0];
    for (let i = first * pairs; i < (first + samples) * pairs; i += 1) {
      const [c, s] = [hands[2 * i], hands[2 * i + 1]];
      const [x, y] = [exact.cos[i], exact.sin[i]];
      const error = Math.abs(Math.atan2(s * x - c * y, c * x + s * y)) / (2 * Math.PI);
      worst = Math.max(worst, error);
      if (i % pairs === pair) one = Math.max(one, error);
    }
    const exists = width === "float32" || positions.subarray(first, first + samples).every((p) => p <= largestHalf);
    errors.worst.push(exists ? worst : NaN);
    errors.one.push(exists ? one : NaN);
  }
  return errors;
}
