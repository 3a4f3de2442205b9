// Weights from a file in the format of safetensors: a header of JSON, then numbers. Source: Hugging Face's safetensors.

export interface Weight {
  shape: readonly number[];
  values: Float32Array;
}

interface Entry {
  dtype: string;
  shape: number[];
  data_offsets: [number, number];
}

/** float16 as float32; exact. */
function widen(half: number): number {
  const sign = half & 0x8000 ? -1 : 1;
  const exponent = (half >> 10) & 31;
  const fraction = half & 1023;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 31) return fraction ? NaN : sign * Infinity;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

function numbersOf(name: string, { dtype, data_offsets: [from, to] }: Entry, data: ArrayBuffer): Float32Array {
  if (dtype === "F32") return new Float32Array(data.slice(from, to));
  if (dtype === "F16") return Float32Array.from(new Uint16Array(data.slice(from, to)), widen);
  throw new Error(`${name}: type must be F16 or F32, got ${dtype}`);
}

/** All tensors of the file, by their names. */
export function readSafetensors(file: ArrayBuffer): Map<string, Weight> {
  const headerLength = file.byteLength < 8 ? Infinity : Number(new DataView(file).getBigUint64(0, true));
  if (8 + headerLength > file.byteLength) throw new Error("the file of weights is incomplete");
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(file, 8, headerLength))) as Record<string, Entry>;
  const data = file.slice(8 + headerLength);
  return new Map(
    Object.entries(header)
      .filter(([name]) => name !== "__metadata__")
      .map(([name, entry]) => [name, { shape: entry.shape, values: numbersOf(name, entry, data) }]),
  );
}
