// Float tensors of runtimes in other dtypes.
import { PosencError, show } from "../base/errors.js";
import type { InputTensor, Tensor, TensorOf, TensorType } from "../base/types.js";
import { toType } from "../tensors/conversion.js";
import { checkCpuTensor, is16Bit } from "../tensors/operand.js";
import type { Core } from "../wasm/core.js";
import type { RuntimeTensor } from "./tensors.js";

/** Returns a copy of a float tensor as float32, which posenc's calls may change. */
export function copyAsFloats(core: Core, x: RuntimeTensor, field: string): Tensor {
  checkCpuTensor(x, field);
  const { data, dims } = toType(core, x as InputTensor, field, "float32");
  return { type: "float32", data: is16Bit(x.type) ? data : data.slice(), dims: [...dims] };
}

/** Returns a result in the requested float dtype; float16 in an array like the one of `like`. */
export function asType(core: Core, x: Tensor, type: unknown = "float32", like?: RuntimeTensor): TensorOf<TensorType> {
  if (type === "float32") return x;
  if (is16Bit(type))
    return toType(core, x, "result", type, like?.type === type ? (like.data as Uint16Array) : undefined);
  throw new PosencError("invalid-argument", `type: must be "float32" or "float16", got ${show(type)}`, "type");
}
