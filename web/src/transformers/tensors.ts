// Tensors of transformers.js and onnxruntime, recognised by their properties: neither library is imported, and a page
// may contain two copies of either, for which instanceof fails.
import { PosencError, show } from "../base/errors.js";
import type { ArrayLike2D, InputTensor, Tensor, TensorOf, TensorType } from "../base/types.js";
import { toType } from "../tensors/conversion.js";
import { checkCpuTensor, is16Bit } from "../tensors/operand.js";
import type { Core } from "../wasm/core.js";

/** The properties that tensors of transformers.js and onnxruntime have in common. */
export interface RuntimeTensor {
  /** The dtype: "float32", "float16", "int64" … */
  readonly type: string;
  /** Elements, row-major. */
  readonly data: unknown;
  /** Size of each dimension. */
  readonly dims: readonly number[];
  /** The memory that holds the elements: "cpu" or another one. */
  readonly location?: string;
}

/** A mask or ids: a runtime's tensor, or { data, dims }. */
export type IdsLike = RuntimeTensor | ArrayLike2D;

/** The class `Tensor` of transformers.js or onnxruntime. */
export type TensorClass<T = RuntimeTensor> = new (type: any, data: any, dims: any) => T;

/** The class of results. Default: the class of an input that is a runtime's tensor. */
export interface TensorOption<T = RuntimeTensor> {
  /** Results are `new Tensor(type, data, dims)`. Without it, results are like the input, or plain { type, data, dims }. */
  Tensor?: TensorClass<T>;
}

/** The float dtypes of models. */
export type FloatType = "float32" | "float16";

/**
 * Returns the class of a runtime's tensor. Only runtimes' tensors have a `location`; plain objects and posenc's tensors
 * do not.
 */
export function classOf(x: unknown): TensorClass<any> | undefined {
  const { location, constructor } = (x ?? {}) as { location?: unknown; constructor?: unknown };
  return typeof location === "string" && constructor !== Object ? (constructor as TensorClass) : undefined;
}

/** Creates a result with the given class, or like `like`. */
export function makeTensor<T>(
  { type, data, dims }: { type: string; data: unknown; dims: readonly number[] },
  Tensor: TensorClass<T> | undefined,
  like?: unknown,
): T {
  const Class = Tensor ?? classOf(like);
  return Class ? new Class(type, data, [...dims]) : ({ type, data, dims } as T);
}

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
