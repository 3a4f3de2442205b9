// Tensors of transformers.js and onnxruntime, recognised by their properties: neither library is imported, and a page
// may contain two copies of either, for which instanceof fails.
import type { ArrayLike2D } from "../base/types.js";

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
