// Writes Protocol buffers: the few messages that a changed model needs.
import { PosencError } from "../../base/errors.js";
import type { OwnedUint8Array } from "../../base/types.js";
import { toFloat16Bits } from "../../base/float16.js";
import { typeNumber, type DataType } from "../read/values.js";

const utf8 = new TextEncoder();

const signedByte = (value: number, index: number): number => {
  const bits = Number((BigInt.asUintN(64, BigInt(value)) >> BigInt(7 * index)) & 127n);
  return index < 9 ? bits | 128 : bits;
};

export function varint(value: number): number[] {
  // Negative numbers have the ten bytes of their two's complement.
  if (value < 0) return Array.from({ length: 10 }, (_, i) => signedByte(value, i));
  const out = [];
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) out.push((rest % 128) | 128);
  return [...out, rest];
}

export function joined(parts: readonly Uint8Array[]): OwnedUint8Array {
  const out = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

/** Returns a field with its content. */
export const field = (number: number, content: Uint8Array | string): Uint8Array => {
  const bytes = typeof content === "string" ? utf8.encode(content) : content;
  return joined([Uint8Array.from([...varint(number * 8 + 2), ...varint(bytes.length)]), bytes]);
};
export const integerField = (number: number, value: number): Uint8Array =>
  Uint8Array.from([...varint(number * 8), ...varint(value)]);

type Encode = (view: DataView, at: number, value: number) => void;
const round = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, Math.round(value)));
const toBrainBits = (value: number): number => {
  const view = new DataView(new ArrayBuffer(4));
  view.setFloat32(0, value);
  const bits = view.getUint32(0);
  // Rounds to nearest, ties to even.
  return Number.isNaN(value) ? 0x7fc0 : ((bits + 0x7fff + ((bits >>> 16) & 1)) >>> 16) & 0xffff;
};
const whole = (value: number): number => {
  if (Number.isSafeInteger(value)) return value;
  throw new PosencError("unsupported", `source: an integer tensor cannot hold ${value}`, "source");
};
const encoders: Partial<Record<DataType, readonly [bytes: number, encode: Encode]>> = {
  float32: [4, (view, at, value) => view.setFloat32(at, value, true)],
  float64: [8, (view, at, value) => view.setFloat64(at, value, true)],
  float16: [2, (view, at, value) => view.setUint16(at, toFloat16Bits(value), true)],
  bfloat16: [2, (view, at, value) => view.setUint16(at, toBrainBits(value), true)],
  uint8: [1, (view, at, value) => view.setUint8(at, round(value, 0, 255))],
  int8: [1, (view, at, value) => view.setInt8(at, round(value, -128, 127))],
  bool: [1, (view, at, value) => view.setUint8(at, value)],
  int32: [4, (view, at, value) => view.setInt32(at, whole(value), true)],
  int64: [8, (view, at, value) => view.setBigInt64(at, BigInt(whole(value)), true)],
};

/** Returns elements in the form of raw_data. */
export function rawNumbers(type: DataType, numbers: ArrayLike<number>): Uint8Array {
  const encoder = encoders[type];
  if (!encoder) throw new PosencError("unsupported", `source: tensors of ${type} cannot be changed`, "source");
  const [size, encode] = encoder;
  const out = new Uint8Array(numbers.length * size);
  const view = new DataView(out.buffer);
  for (let i = 0; i < numbers.length; i++) encode(view, i * size, numbers[i]!);
  return out;
}

/** Returns the content of a TensorProto. */
export function tensorMessage(
  name: string,
  type: DataType,
  dims: readonly number[],
  numbers: ArrayLike<number>,
): Uint8Array {
  return joined([
    field(1, Uint8Array.from(dims.flatMap(varint))),
    integerField(2, typeNumber(type)),
    ...(name ? [field(8, name)] : []),
    field(9, rawNumbers(type, numbers)),
  ]);
}

/** Returns the content of an AttributeProto: name, i, type INT. */
export const integerAttribute = (name: string, value: number): Uint8Array =>
  joined([field(1, name), integerField(3, value), integerField(20, 2)]);
/** Returns the content of an AttributeProto: name, ints, type INTS. */
const listAttribute = (name: string, values: readonly number[]): Uint8Array =>
  joined([field(1, name), ...values.map((value) => integerField(8, value)), integerField(20, 7)]);
/** Returns the attribute of a Constant with a tensor: name, t, type TENSOR. */
export const tensorAttribute = (tensor: Uint8Array): Uint8Array =>
  joined([field(1, "value"), field(5, tensor), integerField(20, 4)]);

/** Returns the content of a Constant node with a TensorProto. */
export const constantOf = (name: string, tensor: Uint8Array): Uint8Array =>
  joined([field(2, name), field(3, name), field(4, "Constant"), field(5, tensorAttribute(tensor))]);
/** Returns the content of a Constant node with these elements; without dims, a scalar. */
export const constantNode = (
  name: string,
  type: DataType,
  numbers: ArrayLike<number>,
  dims: readonly number[] = [],
): Uint8Array => constantOf(name, tensorMessage("", type, dims, numbers));

/** Integers, and lists of them, by name. */
export type NodeAttributes = Readonly<Record<string, number | readonly number[]>>;

/** Returns the content of a NodeProto. */
export function nodeMessage(
  op: string,
  inputs: readonly string[],
  outputs: readonly string[],
  name: string,
  attributes: NodeAttributes = {},
  domain = "",
): Uint8Array {
  return joined([
    ...inputs.map((input) => field(1, input)),
    ...outputs.map((output) => field(2, output)),
    field(3, name),
    field(4, op),
    ...Object.entries(attributes).map(([key, value]) =>
      field(5, typeof value === "number" ? integerAttribute(key, value) : listAttribute(key, value)),
    ),
    ...(domain ? [field(7, domain)] : []),
  ]);
}

/** Returns the content of a ValueInfoProto. A dim is a number or a name; undefined: dims are unknown. */
export function valueInfo(
  name: string,
  type: DataType,
  dims: readonly (string | number)[] | undefined,
): OwnedUint8Array {
  const dim = (one: string | number): Uint8Array =>
    field(1, typeof one === "string" ? field(2, one) : integerField(1, one));
  const shape = dims ? [field(2, joined(dims.map(dim)))] : [];
  return joined([field(1, name), field(2, field(1, joined([integerField(1, typeNumber(type)), ...shape])))]);
}
