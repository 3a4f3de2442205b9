// ONNX models as bytes, without any library: the few protobuf messages that small graphs need (onnx.proto3).

const varintField = 0;
const bytesField = 2;
const floatField = 5;

function varint(value) {
  const bytes = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  for (; rest >= 128n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
  return Uint8Array.from([...bytes, Number(rest)]);
}

function join(chunks) {
  const out = new Uint8Array(chunks.reduce((total, { length }) => total + length, 0));
  let at = 0;
  for (const chunk of chunks) {
    out.set(chunk, at);
    at += chunk.length;
  }
  return out;
}

const tag = (field, wire) => varint((field << 3) | wire);
const integer = (field, value) => join([tag(field, varintField), varint(value)]);
const bytes = (field, value) => join([tag(field, bytesField), varint(value.length), value]);
const text = (field, value) => bytes(field, new TextEncoder().encode(value));
const floatValue = (field, value) => join([tag(field, floatField), new Uint8Array(Float32Array.of(value).buffer)]);

/** TensorProto.DataType */
export const elementTypes = new Map([
  [Float32Array, { code: 1, name: "float32" }],
  [Int32Array, { code: 6, name: "int32" }],
  [BigInt64Array, { code: 7, name: "int64" }],
  [Uint16Array, { code: 10, name: "float16" }],
]);
const typeOf = (data) => elementTypes.get(data.constructor);
const codes = Object.fromEntries(Array.from(elementTypes.values(), ({ code, name }) => [name, code]));

/** TensorProto */
function tensor(name, { data, dims }) {
  const raw = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  return join([...dims.map((dim) => integer(1, dim)), integer(2, typeOf(data).code), text(8, name), bytes(9, raw)]);
}

/** AttributeProto: whole numbers, { float }, and lists of whole numbers. */
function attribute(name, value) {
  const [float32, int, ints] = [1, 2, 7];
  if (Array.isArray(value)) return join([text(1, name), ...value.map((one) => integer(8, one)), integer(20, ints)]);
  if (typeof value === "object") return join([text(1, name), floatValue(2, value.float), integer(20, float32)]);
  return join([text(1, name), integer(3, value), integer(20, int)]);
}

/** NodeProto; an optional input that is left out is "". */
function nodeProto({ op, domain = "", inputs, outputs, attributes = {} }) {
  return join([
    ...inputs.map((name) => text(1, name)),
    ...outputs.map((name) => text(2, name)),
    text(4, op),
    ...Object.entries(attributes).map(([name, value]) => bytes(5, attribute(name, value))),
    text(7, domain),
  ]);
}

/** ValueInfoProto; a dim that differs from call to call has a name in place of a number. */
function value(name, code, dims) {
  const shape = join(dims.map((dim) => bytes(1, typeof dim === "string" ? text(2, dim) : integer(1, dim))));
  return join([text(1, name), bytes(2, bytes(1, join([integer(1, code), bytes(2, shape)])))]);
}

const each = (object, field, write) => Object.entries(object).map(([name, one]) => bytes(field, write(name, one)));

/** The type of an input or output: that of its data, or the one that is named. */
const codeOf = ({ type, data }) => (data ? typeOf(data).code : codes[type]);

/**
 * ModelProto. constants: { name: { data, dims } }; inputs: the same, or { name: { type, dims } }; outputs:
 * { name: { type, dims } }, or for float32 { name: dims }; nodes: { op, domain?, inputs, outputs, attributes? }.
 */
export function onnxModel({ inputs = {}, constants = {}, outputs, nodes }) {
  const graph = join([
    ...nodes.map((one) => bytes(1, nodeProto(one))),
    text(2, "posenc"),
    ...each(constants, 5, tensor),
    ...each(inputs, 11, (name, input) => value(name, codeOf(input), input.dims)),
    ...each(outputs, 12, (name, output) =>
      Array.isArray(output) ? value(name, codes.float32, output) : value(name, codeOf(output), output.dims),
    ),
  ]);
  const opsets = { "": 23, "com.microsoft": 1 };
  const irVersion = 10;
  return join([integer(1, irVersion), bytes(7, graph), ...each(opsets, 8, opsetId)]);
}

const opsetId = (domain, version) => join([text(1, domain), integer(2, version)]);

/** node("Mul", "a b", "c", { … }): names apart by blanks, "-" for an input that is left out. */
export function node(op, inputs, outputs, attributes = {}, domain = "") {
  const names = inputs.split(" ").map((name) => (name === "-" ? "" : name));
  return { op, domain, inputs: names, outputs: outputs.split(" "), attributes };
}
export const microsoft = (...given) => ({ ...node(...given), domain: "com.microsoft" });

// Constants from lists of numbers.
export const float = (data, dims) => ({ data: Float32Array.from(data), dims });
export const int32 = (data, dims = [data.length]) => ({ data: Int32Array.from(data), dims });
export const int64 = (data, dims = [data.length]) => ({ data: BigInt64Array.from(data, BigInt), dims });
