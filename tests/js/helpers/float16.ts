// Numbers of 16 bits by their definitions: what each means, and which is nearest.
import { expect } from "vitest";
import { loosely, pe } from "./library";
import { range } from "./numbers";

export type NarrowType = "float16" | "bfloat16";
export const narrowTypes: NarrowType[] = ["float16", "bfloat16"];

/** Bits of the exponent, and of the fraction. */
const formats = { float16: [5, 10], bfloat16: [8, 7] } as const;

/** sign · 2^(exponent - bias) · 1.fraction, or · 2^(1 - bias) · 0.fraction. */
export function valueOf(bits: number, type: NarrowType): number {
  const [exponentBits, fractionBits] = formats[type];
  const most = 2 ** exponentBits - 1;
  const [exponent, fraction] = [(bits >> fractionBits) & most, bits & (2 ** fractionBits - 1)];
  const unit = 2 ** (Math.max(1, exponent) - (most >> 1) - fractionBits);
  const size =
    exponent === most ? (fraction ? NaN : Infinity) : ((exponent > 0 ? 2 ** fractionBits : 0) + fraction) * unit;
  return bits & 0x8000 ? -size : size;
}

/** The bits of infinity. */
export const infinityOf = (type: NarrowType): number => 0x7fff & -(2 ** formats[type][1]);

/** What is not negative, in its order; beyond the largest one more step counts as infinity. */
const sizes = Object.fromEntries(
  narrowTypes.map((type) => {
    const finite = range(infinityOf(type)).map((bits) => valueOf(bits, type));
    return [type, [...finite, 2 * finite.at(-1)! - finite.at(-2)!]];
  }),
) as Record<NarrowType, number[]>;

/** The nearest number's bits, to even between two; 0x7fff for NaN. */
export function nearest(x: number, type: NarrowType): number {
  if (Number.isNaN(x)) return 0x7fff;
  const size = Math.abs(x);
  const all = sizes[type];
  let [low, high] = [0, all.length - 1];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (all[middle]! <= size) low = middle;
    else high = middle;
  }
  const [below, above] = [size - all[low]!, all[high]! - size];
  const bits = below < above || (below === above && low % 2 === 0) ? low : high;
  return bits | (x < 0 || Object.is(x, -0) ? 0x8000 : 0);
}

export const rounded = (data: ArrayLike<number>, type: NarrowType): Uint16Array<ArrayBuffer> =>
  Uint16Array.from(data, (value) => nearest(value, type));

/** What calls are given, bits as such, and what they see. */
export const widened = (bits: ArrayLike<number>, type: NarrowType): Float32Array<ArrayBuffer> =>
  Float32Array.from(bits, (value) => valueOf(value, type));

/** The bits of a tensor's numbers; of NaN 0x7fff. */
export function bitsOf({ type, data }: { type?: unknown; data: unknown }): number[] {
  const view = data as ArrayBufferView;
  const bits = new Uint16Array(view.buffer, view.byteOffset, view.byteLength / 2);
  return [...bits].map((value) => (Number.isNaN(valueOf(value, type as NarrowType)) ? 0x7fff : value));
}

/** Of many numbers: `toEqual` takes a second for a few hundred thousand. */
export function expectBits(tensor: { type?: unknown; data: unknown }, wanted: ArrayLike<number>): void {
  const bits = bitsOf(tensor);
  expect(bits.length).toBe(wanted.length);
  const at = bits.findIndex((value, i) => value !== wanted[i]);
  if (at >= 0) expect.fail(`[${at}]: ${bits[at]} is not ${wanted[at]}`);
}

export const Float16 = (globalThis as { Float16Array?: new (buffer: ArrayBuffer) => { length: number } }).Float16Array;

/** How numbers of 16 bits may be handed over. */
export const homes: Record<string, (type: NarrowType, bits: Uint16Array<ArrayBuffer>, dims: number[]) => any> = {
  bits: (type, data, dims) => ({ type, data, dims }),
  // They begin at an odd place: no float could.
  "part of a buffer": (type, bits, dims) => {
    const data = new Uint16Array(bits.length + 2).fill(7);
    data.set(bits, 1);
    return { type, data: data.subarray(1, -1), dims };
  },
  wasm: (type, bits, dims) => pe.tensor(bits, dims, { type }),
  "a view of wasm": (type, bits, dims) => ({ type, data: pe.tensor(bits, dims, { type }).data, dims }),
  ...(Float16 && {
    Float16Array: (type: NarrowType, bits: Uint16Array<ArrayBuffer>, dims: number[]) => ({
      type,
      data: type === "float16" ? new Float16(bits.slice().buffer) : bits,
      dims,
    }),
  }),
};

export const narrowTensor = (type: NarrowType, data: ArrayLike<number>, dims = [data.length]): any =>
  loosely({ type, data: rounded(data, type), dims });
