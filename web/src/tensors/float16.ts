// float16 on its way in and out: the core works in float32.
import { arrayType, checkAttached } from "../base/arrays.js";
import { Operation } from "../base/calls.gen.js";
import { checkDims, checkLength } from "../base/dims.js";
import { invalid, show } from "../base/errors.js";
import type { HalfArray, HalfTensor, InputTensor, Tensor, TensorLike } from "../base/types.js";
import type { Core } from "../wasm/core.js";
import { checkPlace, operand, readable } from "./operand.js";

type HalfArrayClass = new (buffer: ArrayBuffer) => HalfArray | Uint16Array;

/** The engine's own array of halves; without one, their bits. */
const halfArrayClass = (): HalfArrayClass =>
  (globalThis as { Float16Array?: HalfArrayClass }).Float16Array ?? Uint16Array;

const isHalves = (data: unknown): data is HalfArray | Uint16Array =>
  ["Float16Array", "Uint16Array"].includes(arrayType(data));

export function toFloat32(core: Core, x: InputTensor | HalfTensor, field: string): TensorLike {
  checkPlace(x, field);
  if (x.type !== "float16") {
    operand(core, x, field);
    return x as TensorLike;
  }
  const { data, dims } = x as HalfTensor;
  if (!isHalves(data)) throw invalid(field, `data must be a Float16Array or Uint16Array, got ${show(data)}`);
  checkAttached(data, field);
  checkDims(dims, field);
  checkLength(data.length, dims, field);
  const count = data.length;
  const bytes = core.steady(new Uint8Array(data.buffer, data.byteOffset, 2 * count));
  return core.withScratch(() => {
    const [from, to] = [core.borrow(2 * count), core.borrow(4 * count)];
    core.bytes(from, 2 * count).set(bytes);
    core.call(Operation.float32FromFloat16, { address: from, length: count }, to);
    return { type: "float32", data: core.floats(to, count).slice(), dims: [...dims] } satisfies Tensor;
  });
}

/** `like`: halves whose array type is wanted. */
export function toFloat16(core: Core, x: InputTensor, field: string, like?: HalfTensor["data"]): HalfTensor {
  const tensor = operand(core, x, field);
  const { length: count, dims } = tensor;
  checkLength(count, dims, field);
  return core.withScratch(() => {
    const { address } = readable(core, tensor, field);
    const to = core.borrow(2 * count);
    core.call(Operation.float16FromFloat32, { address, length: count }, to);
    const { buffer } = core.bytes(to, 2 * count).slice();
    const Halves = (like?.constructor as HalfArrayClass | undefined) ?? halfArrayClass();
    return { type: "float16", data: new Halves(buffer as ArrayBuffer), dims: [...dims] };
  });
}
