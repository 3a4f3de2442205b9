// Elements of a file's tensors.
import { PosencError } from "../../base/errors.js";
import type { OwnedFloat64Array } from "../../base/types.js";
import type { Constant } from "./flow.js";
import type { ModelGraph, Tensor } from "./graph.js";
import { textIn, type Source } from "../../base/source.js";
import { fromBfloat16Bits, fromFloat16Bits } from "../../base/float16.js";
import { damaged, type Range } from "./protobuf.js";

/** Values of TensorProto.DataType that positions may have. */
const dataTypes = {
  1: "float32",
  2: "uint8",
  3: "int8",
  4: "uint16",
  5: "int16",
  6: "int32",
  7: "int64",
  9: "bool",
  10: "float16",
  11: "float64",
  12: "uint32",
  13: "uint64",
  16: "bfloat16",
} as const;
export type DataType = (typeof dataTypes)[keyof typeof dataTypes];

export const typeOf = (tensor: Tensor): DataType | undefined => typeNamed(tensor.type);
export const typeNamed = (number: number): DataType | undefined => dataTypes[number as keyof typeof dataTypes];
export const typeNumber = (type: DataType): number =>
  Number(Object.entries(dataTypes).find(([, name]) => name === type)![0]);
/** Whether the dtype is a float. */
export const isFloat = (type: DataType | undefined): boolean => !!type && /float/.test(type);
/** Whether the dtype is a 16-bit float. */
export const isNarrow = (type: DataType | undefined): type is "float16" | "bfloat16" =>
  type === "float16" || type === "bfloat16";
export const countOf = (tensor: Tensor): number => tensor.dims.reduce((all, dim) => all * dim, 1);

type Decode = (view: DataView, at: number) => number;
const decoders: Record<DataType, readonly [bytes: number, decode: Decode]> = {
  float32: [4, (view, at) => view.getFloat32(at, true)],
  uint8: [1, (view, at) => view.getUint8(at)],
  int8: [1, (view, at) => view.getInt8(at)],
  uint16: [2, (view, at) => view.getUint16(at, true)],
  int16: [2, (view, at) => view.getInt16(at, true)],
  int32: [4, (view, at) => view.getInt32(at, true)],
  int64: [8, (view, at) => Number(view.getBigInt64(at, true))],
  bool: [1, (view, at) => view.getUint8(at)],
  float16: [2, (view, at) => fromFloat16Bits(view.getUint16(at, true))],
  float64: [8, (view, at) => view.getFloat64(at, true)],
  uint32: [4, (view, at) => view.getUint32(at, true)],
  uint64: [8, (view, at) => Number(view.getBigUint64(at, true))],
  bfloat16: [2, (view, at) => fromBfloat16Bits(view.getUint16(at, true))],
};

/** Decoders of elements in separate fields: 16-bit floats are stored as their bits. */
const fromBits: Partial<Record<DataType, (bits: number) => number>> = {
  float16: fromFloat16Bits,
  bfloat16: fromBfloat16Bits,
};

/** Maximum size of tensors that are read. Larger ones contain no positions of interest. */
const mostBytes = 134217728;

/** A model's file and its external files. */
export class Files {
  private readonly known = new Map<Tensor, OwnedFloat64Array>();

  constructor(
    readonly source: Source,
    readonly model: ModelGraph,
    private readonly external: ReadonlyMap<string, Source>,
  ) {}

  private async bytes(range: Range): Promise<Uint8Array> {
    const { pieces } = this.model;
    return pieces.has(range) ? pieces.slice(range) : this.source.read(range.start, range.end - range.start);
  }

  private async outside(tensor: Tensor, location: string, start: number, length: number): Promise<Uint8Array> {
    const file = this.external.get(location);
    if (!file)
      throw new PosencError(
        "load-failed",
        `externalData: "${location}" has the values of ${tensor.name}; pass { ${JSON.stringify(location)}: file }`,
        "externalData",
      );
    if (start + length > file.size) {
      const text = await textIn(file);
      throw damaged(text ? `${location} is ${text}` : `${tensor.name} is beyond the end of ${location}`);
    }
    return file.read(start, length);
  }

  /**
   * Returns `count` elements from `first` on, by default all. undefined: the dtype is unknown, or there are too many.
   * Throws `load-failed` if the file contradicts itself, or if external data are missing.
   */
  async numbers(
    constant: Constant,
    first = 0,
    count = countOf(constant.tensor),
  ): Promise<OwnedFloat64Array | undefined> {
    const { tensor, numbers } = constant;
    if (numbers) return Float64Array.from(numbers.slice(first, first + count));
    const whole = countOf(tensor);
    const isWhole = first === 0 && count === whole;
    const all = this.known.get(tensor);
    if (all) return isWhole ? all : all.subarray(first, first + count);
    const type = typeOf(tensor);
    // Elements in typed fields are read all at once.
    const asked = tensor.data.form === "typed" ? whole : count;
    if (!type || asked * decoders[type][0] > mostBytes) return undefined;
    const read = await this.decode(tensor, type, first, count);
    if (read && isWhole) this.known.set(tensor, read);
    return read;
  }

  private async decode(
    tensor: Tensor,
    type: DataType,
    first: number,
    count: number,
  ): Promise<OwnedFloat64Array | undefined> {
    const [size, decode] = decoders[type];
    const { data } = tensor;
    const whole = countOf(tensor) * size;
    if (data.form === "none") return whole === 0 ? new Float64Array() : undefined;
    if (data.form === "typed")
      return (await this.typed(data.field, data.ranges, type, tensor)).subarray(first, first + count);
    let bytes: Uint8Array;
    if (data.form === "external") {
      if (data.length !== undefined && data.length < whole) throw damaged(`${tensor.name} has too few bytes`);
      bytes = await this.outside(tensor, data.location, data.offset + first * size, count * size);
    } else {
      const { start, end } = data.range;
      if (end - start !== whole)
        throw damaged(`${tensor.name} has ${end - start} bytes, its dims [${tensor.dims}] ${whole}`);
      bytes = await this.bytes({ start: start + first * size, end: start + (first + count) * size });
    }
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const out = new Float64Array(count);
    for (let i = 0; i < count; i++) out[i] = decode(view, i * size);
    return out;
  }

  private async typed(
    field: number,
    ranges: readonly Range[],
    type: DataType,
    tensor: Tensor,
  ): Promise<OwnedFloat64Array> {
    const size = countOf(tensor);
    const numbers = (than: string): PosencError =>
      damaged(`${tensor.name} has ${than} values than its dims [${tensor.dims}]`);
    // An element has at least one byte: larger dims do not allocate more memory.
    const bytes = ranges.reduce((all, { start, end }) => all + end - start, 0);
    const out = new Float64Array(Math.min(size, bytes));
    let filled = 0;
    const put = (value: number): void => {
      if (filled === size) throw numbers("more");
      out[filled++] = value;
    };
    for (const range of ranges) {
      const listed = await this.bytes(range);
      const view = new DataView(listed.buffer, listed.byteOffset, listed.byteLength);
      if (field === 4) for (let at = 0; at + 4 <= listed.length; at += 4) put(view.getFloat32(at, true));
      else if (field === 10) for (let at = 0; at + 8 <= listed.length; at += 8) put(view.getFloat64(at, true));
      else for (const bits of varints(listed)) put(fromBits[type]?.(bits) ?? bits);
    }
    if (filled < size) throw numbers("fewer");
    return out;
  }
}

function* varints(bytes: Uint8Array): Generator<number> {
  for (let at = 0; at < bytes.length;) {
    let value = 0n;
    for (let shift = 0n, byte = 128; byte >= 128; shift += 7n) {
      if (at >= bytes.length || shift > 63n) throw damaged("invalid varint");
      byte = bytes[at++]!;
      value |= BigInt(byte & 127) << shift;
    }
    yield Number(BigInt.asIntN(64, value));
  }
}
