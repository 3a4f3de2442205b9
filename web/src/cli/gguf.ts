// Reads the header of a GGUF file: its metadata, and the few tensors about positions. Weights are never read.
// https://github.com/ggml-org/ggml/blob/master/docs/gguf.md
import { PosencError } from "../base/errors.js";
import { fromFloat16Bits } from "../base/float16.js";
import type { RandomAccess } from "../base/source.js";

export type GgufValue = number | bigint | boolean | string | GgufValue[];

export interface GgufHeader {
  readonly version: number;
  /** By key, without long arrays such as a tokenizer's vocabulary. */
  readonly metadata: Readonly<Record<string, GgufValue>>;
  /** Number of tensors in the file. */
  readonly tensorCount: number;
  /** The tensors that scale rotations, by name: `rope_freqs.weight`, `rope_factors_long.weight` … */
  readonly factors: Readonly<Record<string, Float64Array>>;
}

/** Number of bytes that are read at once. */
const window = 262144;
/** Headers contain vocabularies of some megabytes. */
const mostHeader = 268435456;
const mostEntries = 65536;
const mostTensors = 1048576;
const mostDepth = 4;
/** Longer arrays are about tokens. */
const mostItems = 4096;
/** Limit for items of arrays that are read one by one: more than any vocabulary. */
const mostWalked = 2097152;
const mostFactors = 65536;
const mostDims = 8;

const wrong = (what: string): PosencError => new PosencError("load-failed", `source: ${what}`, "source");

/** Reads a file sequentially. */
class Cursor {
  at = 0;
  walked = 0;
  private buffer: Uint8Array = new Uint8Array(0);
  private start = 0;

  constructor(private readonly source: RandomAccess) {}

  /** Returns the next bytes. */
  async take(length: number): Promise<DataView> {
    if (length > this.left) throw wrong(`the file ends in the middle of the header, at byte ${this.source.size}`);
    if (this.at + length > mostHeader) throw wrong(`the header has more than ${mostHeader} bytes`);
    if (this.at + length > this.start + this.buffer.length || this.at < this.start) {
      this.buffer = await this.source.read(this.at, Math.min(Math.max(length, window), this.left));
      this.start = this.at;
      if (this.buffer.length < length) throw wrong("the file became shorter");
    }
    const view = new DataView(this.buffer.buffer, this.buffer.byteOffset + this.at - this.start, length);
    this.at += length;
    return view;
  }
  get left(): number {
    return this.source.size - this.at;
  }
  skip(length: number): void {
    if (length > this.left) throw wrong("a value is longer than the file");
    this.at += length;
  }
  async number(): Promise<number> {
    return (await this.take(4)).getUint32(0, true);
  }
  /** Reads a length or a count. */
  async count(most: number, what: string): Promise<number> {
    const count = (await this.take(8)).getBigUint64(0, true);
    if (count > BigInt(most)) throw wrong(`${what} is ${count}, more than ${most}`);
    return Number(count);
  }
  async text(most: number, what: string): Promise<string> {
    const length = await this.count(Math.min(most, this.left), `the length of ${what}`);
    const { buffer, byteOffset } = await this.take(length);
    return new TextDecoder().decode(new Uint8Array(buffer, byteOffset, length));
  }
}

type Scalar = readonly [bytes: number, read: (view: DataView) => number | bigint | boolean];
const whole = (value: bigint): number | bigint =>
  value <= BigInt(Number.MAX_SAFE_INTEGER) && value >= BigInt(Number.MIN_SAFE_INTEGER) ? Number(value) : value;
const scalars: Readonly<Record<number, Scalar>> = {
  0: [1, (view) => view.getUint8(0)],
  1: [1, (view) => view.getInt8(0)],
  2: [2, (view) => view.getUint16(0, true)],
  3: [2, (view) => view.getInt16(0, true)],
  4: [4, (view) => view.getUint32(0, true)],
  5: [4, (view) => view.getInt32(0, true)],
  6: [4, (view) => view.getFloat32(0, true)],
  7: [1, (view) => view.getUint8(0) !== 0],
  10: [8, (view) => whole(view.getBigUint64(0, true))],
  11: [8, (view) => whole(view.getBigInt64(0, true))],
  12: [8, (view) => view.getFloat64(0, true)],
};
const textType = 8;
const arrayType = 9;

/** Returns the next value; undefined: it is long and was skipped. */
async function valueOf(cursor: Cursor, type: number, key: string, depth = 0): Promise<GgufValue | undefined> {
  const scalar = scalars[type];
  if (scalar) return scalar[1](await cursor.take(scalar[0]));
  if (type === textType) return cursor.text(mostHeader, key);
  if (type !== arrayType) throw wrong(`${key} has type ${type}, which GGUF does not define`);
  if (depth === mostDepth) throw wrong(`${key} has arrays nested more than ${mostDepth} deep`);
  const itemType = await cursor.number();
  // Each item takes at least one byte.
  const items = await cursor.count(cursor.left, `the number of items of ${key}`);
  const size = scalars[itemType]?.[0];
  if (size !== undefined && items > mostItems) {
    cursor.skip(items * size);
    return undefined;
  }
  cursor.walked += items;
  if (cursor.walked > mostWalked) throw wrong(`arrays have more than ${mostWalked} items`);
  const list: GgufValue[] = [];
  for (let i = 0; i < items; i++) {
    if (itemType === textType && items > mostItems) {
      cursor.skip(await cursor.count(cursor.left, `the length of ${key}`));
      continue;
    }
    const item = await valueOf(cursor, itemType, key, depth + 1);
    if (item !== undefined && items <= mostItems) list.push(item);
  }
  return list.length === items ? list : undefined;
}

async function readMetadata(cursor: Cursor, entries: number): Promise<Record<string, GgufValue>> {
  const metadata = new Map<string, GgufValue | undefined>();
  for (let i = 0; i < entries; i++) {
    const key = await cursor.text(65535, "a key");
    if (metadata.has(key)) throw wrong(`the key ${JSON.stringify(key)} appears twice`);
    metadata.set(key, await valueOf(cursor, await cursor.number(), key));
  }
  const known = [...metadata].filter((entry): entry is [string, GgufValue] => entry[1] !== undefined);
  return Object.fromEntries(known);
}

interface FactorTensor {
  readonly name: string;
  readonly length: number;
  readonly type: number;
  /** Offset in bytes from the start of the tensors. */
  readonly offset: number;
}

/** Finds the tensors that scale rotations. */
async function findFactors(cursor: Cursor, tensors: number): Promise<FactorTensor[]> {
  const found: FactorTensor[] = [];
  for (let i = 0; i < tensors; i++) {
    const name = await cursor.text(65535, "a tensor's name");
    const dims = await cursor.number();
    if (dims > mostDims) throw wrong(`${name} has ${dims} dims`);
    let length = 1;
    for (let dim = 0; dim < dims; dim++) length *= await cursor.count(2 ** 48, `a dim of ${name}`);
    const type = await cursor.number();
    const offset = await cursor.count(Number.MAX_SAFE_INTEGER, `the offset of ${name}`);
    if (/^rope_(freqs|factors_\w+)\.weight$/.test(name)) found.push({ name, length, type, offset });
  }
  return found;
}

const float32 = 0;
const float16 = 1;

async function readFactors(source: RandomAccess, begin: number, tensor: FactorTensor): Promise<Float64Array> {
  const { name, length, type, offset } = tensor;
  if (type !== float32 && type !== float16)
    throw wrong(`${name} has type ${type}; only float32 and float16 are supported`);
  const size = type === float32 ? 4 : 2;
  if (length > mostFactors) throw wrong(`${name} has ${length} values, more than any head has`);
  if (begin + offset + length * size > source.size) throw wrong(`${name} is beyond the end of the file`);
  const bytes = await source.read(begin + offset, length * size);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Float64Array.from({ length }, (_, i) =>
    type === float32 ? view.getFloat32(4 * i, true) : fromFloat16Bits(view.getUint16(2 * i, true)),
  );
}

/** Throws `load-failed` for other or damaged files, `unsupported` for version 1 and big-endian files. */
export async function readGguf(source: RandomAccess): Promise<GgufHeader> {
  const cursor = new Cursor(source);
  if (source.size < 24 || (await cursor.number()) !== 0x46554747)
    throw wrong("is not a GGUF file: it does not begin with GGUF");
  const version = await cursor.number();
  if (version !== 2 && version !== 3) {
    const what = version !== 0 && version % 65536 === 0 ? "the file is big-endian" : `the file has version ${version}`;
    throw new PosencError(
      "unsupported",
      `source: ${what}; only little-endian versions 2 and 3 are supported`,
      "source",
    );
  }
  const tensorCount = await cursor.count(mostTensors, "the number of tensors");
  const metadata = await readMetadata(cursor, await cursor.count(mostEntries, "the number of keys"));
  const factorTensors = await findFactors(cursor, tensorCount);
  const { "general.alignment": alignment = 32 } = metadata;
  if (typeof alignment !== "number" || !Number.isInteger(alignment) || alignment < 1)
    throw wrong(`general.alignment is ${String(alignment)}`);
  const begin = Math.ceil(cursor.at / alignment) * alignment;
  const factors: [string, Float64Array][] = [];
  for (const tensor of factorTensors) factors.push([tensor.name, await readFactors(source, begin, tensor)]);
  return { version, metadata, tensorCount, factors: Object.fromEntries(factors) };
}
