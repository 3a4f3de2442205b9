// Reading the arrays of a case. No node imports: the same file runs in a browser.

const ARRAY_TYPES = {
  float32: Float32Array,
  float64: Float64Array,
  int64: BigInt64Array,
  int32: Int32Array,
  uint8: Uint8Array,
};

/** The case itself is broken: that is a failure, not something the library lacks. */
export class Malformed extends Error {}

/** The number of elements of a shape. */
export const sizeOf = (dims) => dims.reduce((product, dim) => product * dim, 1);

/** `{shape, dtype, data_base64}` → `{dtype, dims, data}`. */
export function decodeArray(stored, name) {
  const isObject = stored !== null && typeof stored === "object";
  if (!isObject || !Array.isArray(stored.shape) || typeof stored.data_base64 !== "string") {
    throw new Malformed(`${name}: not an array of {shape, dtype, data_base64}`);
  }
  const type = ARRAY_TYPES[stored.dtype];
  if (!type) throw new Malformed(`${name}: unknown dtype ${JSON.stringify(stored.dtype)}`);
  const bytes = decodeBase64(stored.data_base64, name);
  const expected = sizeOf(stored.shape) * type.BYTES_PER_ELEMENT;
  if (bytes.length !== expected) {
    throw new Malformed(`${name}: ${bytes.length} bytes where [${stored.shape}] ${stored.dtype} takes ${expected}`);
  }
  return { dtype: stored.dtype, dims: stored.shape, data: new type(bytes.buffer) };
}

/** The bytes of base64. `atob` and not `Buffer`, because browsers have no Buffer. */
export function decodeBase64(text, name) {
  let binary;
  try {
    binary = atob(text);
  } catch {
    throw new Malformed(`${name}: data_base64 is not base64`);
  }
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

/** Integers of any array type as plain numbers. */
export const toNumbers = (data) => Array.from(data, Number);

/** A fresh float32 tensor-like, so that calls in place leave the case alone. */
export function copyTensor(array, dims = array.dims) {
  return { type: "float32", data: Float32Array.from(array.data), dims: [...dims] };
}

/** Some rows of a row-major matrix. */
export function pickRows({ data, dims }, rows) {
  const width = sizeOf(dims.slice(1));
  const picked = new data.constructor(rows.length * width);
  rows.forEach((row, index) => picked.set(data.subarray(row * width, (row + 1) * width), index * width));
  return { data: picked, dims: [rows.length, ...dims.slice(1)] };
}

/** Some entries of the last axis. */
export function pickColumns({ data, dims }, columns) {
  const width = dims.at(-1);
  const rows = data.length / width;
  const picked = new data.constructor(rows * columns.length);
  for (let row = 0; row < rows; row++) {
    columns.forEach((column, index) => (picked[row * columns.length + index] = data[row * width + column]));
  }
  return { data: picked, dims: [...dims.slice(0, -1), columns.length] };
}

/** The same block `count` times, as broadcasting over a leading axis gives it. */
export function repeatBlock({ data, dims }, count) {
  const repeated = new data.constructor(data.length * count);
  for (let index = 0; index < count; index++) repeated.set(data, index * data.length);
  return { data: repeated, dims: [count, ...dims] };
}

/** Blocks of equal shape, one after the other along their first axis. */
export function joinBlocks(blocks) {
  const joined = new Float32Array(blocks.reduce((length, block) => length + block.data.length, 0));
  let start = 0;
  for (const block of blocks) {
    joined.set(block.data, start);
    start += block.data.length;
  }
  const first = blocks.reduce((count, block) => count + block.dims[0], 0);
  return { data: joined, dims: [first, ...blocks[0].dims.slice(1)] };
}

/** The same data under other dims. */
export const reshape = ({ data }, dims) => ({ data, dims });

/** A vector with its dims. */
export const vector = (data) => ({ data, dims: [data.length] });
