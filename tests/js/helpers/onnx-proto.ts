// Small ONNX models, encoded by hand: https://github.com/onnx/onnx/blob/main/onnx/onnx.proto
type Bytes = Uint8Array<ArrayBuffer>;

export function varint(value: number | bigint): number[] {
  const out = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  for (; rest >= 128n; rest >>= 7n) out.push(Number(rest & 127n) | 128);
  return [...out, Number(rest)];
}

export function join(...parts: readonly (Uint8Array | readonly number[])[]): Bytes {
  const out = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

/** A field of so many bytes. */
export function bytes(number: number, content: Uint8Array | string | readonly number[]): Bytes {
  const value = typeof content === "string" ? new TextEncoder().encode(content) : content;
  return join(varint(number * 8 + 2), varint(value.length), value);
}
export const integer = (number: number, value: number | bigint): Bytes => join(varint(number * 8), varint(value));

export const rawOf = (data: ArrayBufferView) => new Uint8Array(data.buffer, data.byteOffset, data.byteLength);

/** The content of a TensorProto: `more` are the fields that hold its numbers. */
export const tensor = (name: string, type: number, dims: readonly (number | bigint)[], ...more: Uint8Array[]): Bytes =>
  join(...dims.map((dim) => integer(1, dim)), integer(2, type), bytes(8, name), ...more);
export const raw = (data: ArrayBufferView): Bytes => bytes(9, rawOf(data));
export const floats = (name: string, dims: readonly number[], data: readonly number[]): Bytes =>
  tensor(name, 1, dims, raw(Float32Array.from(data)));
/** The fields that say where in another file the numbers are. */
export const external = (entries: Readonly<Record<string, string>>): Bytes =>
  join(
    ...Object.entries(entries).map(([key, value]) => bytes(13, join(bytes(1, key), bytes(2, value)))),
    integer(14, 1),
  );

const longs = (values: readonly number[]): Bytes => raw(BigInt64Array.from(values, BigInt));
/** A scalar of int64. */
export const int = (name: string, value: number): Bytes => tensor(name, 7, [], longs([value]));
/** A vector of int64. */
export const ints = (name: string, values: readonly number[]): Bytes => tensor(name, 7, [values.length], longs(values));

/** The content of a NodeProto: node("Mul", "a b", "c"), names apart by blanks; `attributes` as they are encoded. */
export const node = (op: string, inputs: string, outputs: string, ...attributes: Uint8Array[]): Bytes =>
  join(
    ...(inputs ? inputs.split(" ") : []).map((name) => bytes(1, name)),
    ...outputs.split(" ").map((name) => bytes(2, name)),
    bytes(4, op),
    ...attributes.map((attribute) => bytes(5, attribute)),
  );
export const tensorAttribute = (name: string, value: Uint8Array): Bytes =>
  join(bytes(1, name), bytes(5, value), integer(20, 4));
export const graphAttribute = (name: string, value: Uint8Array): Bytes =>
  join(bytes(1, name), bytes(6, value), integer(20, 5));

/** Attributes of whole numbers. */
export const attributes = {
  integer: (name: string, value: number): Bytes => join(bytes(1, name), integer(3, value), integer(20, 2)),
  integers: (name: string, values: readonly number[]): Bytes =>
    join(bytes(1, name), ...values.map((value) => integer(8, value)), integer(20, 7)),
};

export interface Parts {
  nodes?: readonly Uint8Array[];
  constants?: readonly Uint8Array[];
  inputs?: readonly string[];
}

/** The content of a GraphProto. */
export const graphOf = ({ nodes = [], constants = [], inputs = [] }: Parts): Bytes =>
  join(
    ...nodes.map((one) => bytes(1, one)),
    bytes(2, "small"),
    ...constants.map((one) => bytes(5, one)),
    ...inputs.map((name) => bytes(11, bytes(1, name))),
  );
export const opset = bytes(8, integer(2, 18));
/** A ModelProto. */
export const modelOf = (parts: Parts): Bytes => join(integer(1, 8), opset, bytes(7, graphOf(parts)));

/** Base 10000: [1, 0.1, 0.01, 0.001]. */
export const frequencies = [1, 0.1, 0.01, 0.001];
/** Of `inv`, cosines and sines that turn x. */
export const rotation = [
  node("Mul", "position_ids inv", "angle"),
  node("Cos", "angle", "cos"),
  node("Sin", "angle", "sin"),
  node("Mul", "x cos", "y"),
  node("Mul", "x sin", "z"),
];
const given = ["position_ids", "x"];
/** A model with one rotation, whose frequencies are the tensor "inv". */
export const rotating = (inv: Uint8Array): Bytes => modelOf({ nodes: rotation, constants: [inv], inputs: given });
/** The same, with a Constant node in place of the initializer. */
export const rotatingBy = (...attributes: Uint8Array[]): Bytes =>
  modelOf({ nodes: [node("Constant", "", "inv", ...attributes), ...rotation], inputs: given });
export const smallest = rotating(floats("inv", [4], frequencies));
