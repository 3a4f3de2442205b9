// Converts tensors from one dtype to another.
import { checkLength } from "../base/dims.js";
import type { InputTensor, TensorOf, TensorType } from "../base/types.js";
import type { Core } from "../wasm/core.js";
import { made, operand, readable } from "./operand.js";
import type { Float16ArrayClass } from "./tensor.js";

/**
 * Converts `x` to another dtype. A float32 tensor is returned unchanged for "float32". `like`: float16 array whose type
 * is used.
 */
export function toType<Type extends TensorType>(
  core: Core,
  x: InputTensor,
  field: string,
  type: Type,
  like?: ArrayBufferView,
): TensorOf<Type> {
  const tensor = operand(core, x, field);
  checkLength(tensor.length, tensor.dims, field);
  if (tensor.type === type && type === "float32") return x as TensorOf<Type>;
  const ArrayClass = like?.constructor as Float16ArrayClass | undefined;
  return core.withScratch(
    () => made(core, readable(core, tensor, field), { type, ...(ArrayClass && { ArrayClass }) }) as TensorOf<Type>,
  );
}
