// Keys and values as a file stores them: token by token, in one of three dtypes.
import { invalid } from "../base/errors.js";
import { Operation } from "../base/calls.gen.js";
import type { OwnedFloat32Array, OwnedUint16Array, OwnedUint8Array } from "../base/types.js";
import { fromRuntime, gpuFor } from "../transformers/gpu.js";
import type { RuntimeTensor } from "../transformers/tensors.js";
import type { Core } from "../wasm/core.js";
import type { Gpu } from "../webgpu/gpu.js";
import type { CacheFileType } from "./format.js";

/** The methods of a posenc instance that cache files call. `init()` of posenc returns one. */
export interface CacheLibrary {
  /**
   * Returns the elements of a tensor as float32.
   *
   * @param x Tensor [...], float32, float16 or bfloat16.
   * @returns Tensor, shape [...].
   * @throws {PosencError} `invalid-argument`, `out-of-memory`.
   */
  toFloat32(x: any): { readonly data: Float32Array };
  /**
   * Returns the nearest float16 numbers.
   *
   * @param x Tensor [...].
   * @returns Tensor, shape [...].
   * @throws {PosencError} `invalid-argument`, `out-of-memory`.
   */
  toFloat16(x: any): { readonly data: unknown };
}

/** Returns the core of an instance; undefined for other objects with these methods. */
export const coreOf = (pe: object): Core | undefined => (pe as { core?: Core }).core;

/** Floats; those of float16 as bits. */
export interface Floats {
  readonly type: "float32" | "float16";
  readonly data: OwnedFloat32Array | OwnedUint16Array;
}

/** Floats of tokens [tokens, heads, width]. */
export interface Rows extends Floats {
  readonly heads: number;
  readonly width: number;
}

/** Returns the elements of a runtime's tensor; `gpu` reads those on the GPU. Throws `unsupported` without it. */
export async function dataOf(tensor: RuntimeTensor, gpu: Gpu | undefined, field: string): Promise<unknown> {
  const on = gpuFor(tensor, gpu, field);
  // The runtime's own getData would move the tensor to the CPU.
  return on ? (await on.read(fromRuntime(on, tensor))).data : tensor.data;
}

type View = { readonly buffer: ArrayBufferLike; readonly byteOffset: number; readonly length: number };
export const bitsOf = (data: unknown): OwnedUint16Array => {
  const { buffer, byteOffset, length } = data as View;
  return new Uint16Array(buffer as ArrayBuffer, byteOffset, length);
};
export const arrayOf = (type: Rows["type"], length: number): Rows["data"] =>
  type === "float32" ? new Float32Array(length) : new Uint16Array(length);

/** A tensor of a cache: [1, heads, tokens, width], or [1, tokens, heads, width] with `isByToken`. */
export interface Given {
  readonly type: "float32" | "float16";
  readonly data: unknown;
  readonly dims: readonly number[];
  readonly isByToken?: boolean;
}

/** Calls `each` with the index of a row by head, then token, of `all` tokens of which `first` is the first, and by token, then head. */
function eachRow(
  [heads, tokens]: readonly [number, number],
  [first, all]: readonly [number, number],
  each: (byHead: number, byToken: number) => void,
): void {
  for (let head = 0; head < heads; head++)
    for (let token = 0; token < tokens; token++) each(head * all + first + token, token * heads + head);
}

/** Copies a row. A loop is slow until the engine has compiled it, long after a page has loaded. */
function copyRow(from: Rows["data"], first: number, to: Rows["data"], start: number, width: number): void {
  to.set(from.subarray(first, first + width), start);
}

/** Returns the elements of a tensor, token by token. */
export function byToken({ type, data, dims, isByToken }: Given): Rows {
  const [, first = 0, second = 0, width = 0] = dims;
  const [tokens, heads] = isByToken ? [first, second] : [second, first];
  const all = type === "float16" ? bitsOf(data) : (data as OwnedFloat32Array);
  if (isByToken) return { type, data: all.slice(), heads, width };
  const rows = arrayOf(type, all.length);
  eachRow([heads, tokens], [0, tokens], (from, to) => copyRow(all, from * width, rows, to * width, width));
  return { type, data: rows, heads, width };
}

/** Bytes that the core sorts by heads at once: in the second-level cache, and few fresh pages of memory. */
const sortedBytes = 2 ** 17;

/** Writes rows into a tensor [1, heads, all, width] from token `first` on, in the tensor's dtype. */
export function putByHead(pe: CacheLibrary, rows: Rows, tensor: Floats, first: number, all: number): void {
  const core = coreOf(pe);
  if (core && rows.data.length > 0) return putByCore(core, rows, tensor, first, all);
  const { data, heads, width } = asFloats(pe, rows, tensor.type);
  const tokens = data.length / (heads * width);
  eachRow([heads, tokens], [first, all], (to, from) => copyRow(data, from * width, tensor.data, to * width, width));
}

/** The core's conversions by the dtype that they return. */
const conversions = { float32: Operation.float32FromFloat16, float16: Operation.float16FromFloat32 } as const;

/** The same, with a copy for each head in place of one for each row. */
function putByCore(core: Core, rows: Rows, tensor: Floats, first: number, all: number): void {
  const { heads, width } = rows;
  const [from, to] = [bytesOf(rows.data), bytesOf(tensor.data)];
  const [row, converted] = [width * rows.data.BYTES_PER_ELEMENT, width * tensor.data.BYTES_PER_ELEMENT];
  const tokens = from.length / (heads * row);
  const together = Math.max(1, Math.floor(sortedBytes / (heads * row)));
  for (let begin = 0; begin < tokens; begin += together)
    core.withScratch(() => {
      const count = Math.min(together, tokens - begin);
      const length = count * heads * row;
      const [address, sorted] = [core.borrow(length), core.borrow(length)];
      core.bytes(address, length).set(from.subarray(begin * heads * row, begin * heads * row + length));
      core.call(Operation.rowsByHead, { address, length }, count, heads, sorted);
      let result = sorted;
      if (rows.type !== tensor.type) {
        result = core.borrow(count * heads * converted);
        core.call(conversions[tensor.type], { address: sorted, length: count * heads * width }, result);
      }
      for (let head = 0; head < heads; head++)
        to.set(
          core.bytes(result + head * count * converted, count * converted),
          (head * all + first + begin) * converted,
        );
    });
}

/** Copies tokens from one tensor [1, heads, tokens, width] into another. */
export function copyTokens(
  from: { readonly data: Rows["data"]; readonly tokens: number; readonly first: number },
  to: { readonly data: Rows["data"]; readonly tokens: number; readonly first: number },
  count: number,
  { heads, width }: { readonly heads: number; readonly width: number },
): void {
  for (let head = 0; head < heads; head++) {
    const start = (head * from.tokens + from.first) * width;
    to.data.set(from.data.subarray(start, start + count * width), (head * to.tokens + to.first) * width);
  }
}

/** Returns rows in another dtype. */
export function asFloats(pe: CacheLibrary, rows: Rows, type: Rows["type"]): Rows {
  if (rows.type === type) return rows;
  const { data, heads, width } = rows;
  const x = { type: rows.type, data, dims: [data.length / (heads * width), heads, width] };
  if (type === "float32") return { ...rows, type, data: pe.toFloat32(x).data.slice() };
  return { ...rows, type, data: bitsOf(pe.toFloat16(x).data).slice() };
}

/** The bytes that a file has of rows; of int8 also the scale of each head of each token. */
export interface Stored {
  readonly data: OwnedUint8Array;
  readonly scales?: OwnedUint8Array;
}

const bytesOf = (data: Rows["data"]): OwnedUint8Array => new Uint8Array(data.buffer, data.byteOffset, data.byteLength);

/** Returns rows as a file stores them. Throws `invalid-argument` for numbers that are not finite. */
export function stored(pe: CacheLibrary, rows: Rows, type: CacheFileType, name: string): Stored {
  if (type !== "int8") return { data: bytesOf(asFloats(pe, rows, type).data) };
  const { data } = asFloats(pe, rows, "float32");
  const { width } = rows;
  const scales = new Float32Array(data.length / width);
  const bytes = new Int8Array(data.length);
  for (let row = 0; row < scales.length; row++) {
    let most = 0;
    for (let i = row * width; i < (row + 1) * width; i++) most = Math.max(most, Math.abs(data[i]!));
    if (!Number.isFinite(most)) throw invalid("cache", `${name} has numbers that are not finite`);
    const scale = (scales[row] = most / 127);
    for (let i = row * width; scale > 0 && i < (row + 1) * width; i++) bytes[i] = Math.round(data[i]! / scale);
  }
  return { data: new Uint8Array(bytes.buffer), scales: new Uint8Array(scales.buffer) };
}

/** Returns the floats of bytes that a file stores: a view of them if possible. */
export function unstored(
  { data, scales }: { readonly data: Uint8Array; readonly scales?: Uint8Array },
  type: CacheFileType,
  heads: number,
  width: number,
): Rows {
  const { buffer, byteOffset, byteLength } = data.byteOffset % 4 ? data.slice() : data;
  if (type === "float32")
    return { type, data: new Float32Array(buffer as ArrayBuffer, byteOffset, byteLength / 4), heads, width };
  if (type === "float16")
    return { type, data: new Uint16Array(buffer as ArrayBuffer, byteOffset, byteLength / 2), heads, width };
  const factors = new Float32Array(scales!.slice().buffer);
  const values = new Int8Array(buffer, byteOffset, byteLength);
  const floats = new Float32Array(values.length);
  for (let row = 0; row < factors.length; row++)
    for (let i = row * width; i < (row + 1) * width; i++) floats[i] = values[i]! * factors[row]!;
  return { type: "float32", data: floats, heads, width };
}
