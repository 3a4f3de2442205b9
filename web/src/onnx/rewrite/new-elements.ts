// A constant with new elements.
import { PosencError } from "../../base/errors.js";
import { tensorMessage } from "./encode.js";
import type { Value } from "../read/flow.js";
import { typeOf, type DataType } from "../read/values.js";

/** Options for new elements: dims and dtype, unchanged by default. */
export interface ElementOptions {
  readonly dims?: readonly number[] | undefined;
  readonly type?: DataType | undefined;
}

/** Returns the TensorProto of a constant with new elements, under its name or another one. */
export function tensorOf(
  { name: shown, constant }: Value,
  numbers: ArrayLike<number>,
  { dims, type }: ElementOptions,
  name = constant!.tensor.name,
): Uint8Array {
  const { tensor } = constant!;
  const shape = dims ?? tensor.dims;
  if (numbers.length !== shape.reduce((all, dim) => all * dim, 1))
    throw new PosencError("shape-mismatch", `model: ${shown} is [${shape}], got ${numbers.length} values`, "model");
  return tensorMessage(name, type ?? typeOf(tensor)!, shape, numbers);
}
