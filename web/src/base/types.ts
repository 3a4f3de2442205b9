/// <reference lib="esnext.disposable" preserve="true" />
// Types of arguments and results: tensors, positions, learned parameters, builds. No code.

/** The array types of positions, masks and ids. */
export type NumberArray =
  | readonly number[]
  | Float32Array
  | Float64Array
  | Int8Array
  | Uint8Array
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint32Array
  | BigInt64Array
  | BigUint64Array;

/*
 * Since TypeScript 5.7 arrays name the memory they are views of: `Blob`, `Response`, `crypto.subtle` and `copyToChannel` take
 * `Float32Array<ArrayBuffer>` only. Older versions do not know that syntax, so these types come from what `of` returns.
 */

/** A `Float32Array` on its own buffer: `Float32Array<ArrayBuffer>`, or `Float32Array` before TypeScript 5.7. */
export type OwnedFloat32Array = ReturnType<Float32ArrayConstructor["of"]>;

/** A `Float64Array` on its own buffer. */
export type OwnedFloat64Array = ReturnType<Float64ArrayConstructor["of"]>;

/** A `Uint8Array` on its own buffer. */
export type OwnedUint8Array = ReturnType<Uint8ArrayConstructor["of"]>;

/** A `Uint16Array` on its own buffer. */
export type OwnedUint16Array = ReturnType<Uint16ArrayConstructor["of"]>;

/** A `Uint32Array` on its own buffer. */
export type OwnedUint32Array = ReturnType<Uint32ArrayConstructor["of"]>;

/** An `Int32Array` on its own buffer. */
export type OwnedInt32Array = ReturnType<Int32ArrayConstructor["of"]>;

/** A `BigInt64Array` on its own buffer. */
export type OwnedBigInt64Array = ReturnType<BigInt64ArrayConstructor["of"]>;

/** A `Float16Array` on its own buffer, or a similar type if the program's type library has no `Float16Array`. */
export type OwnedFloat16Array = typeof globalThis extends {
  Float16Array: { of(...items: number[]): infer Owned extends Float16ArrayLike };
}
  ? Owned
  : Float16ArrayLike & { readonly buffer: ArrayBuffer };

/**
 * A float32 tensor: row-major data and its dims. Tensors of onnxruntime and transformers.js have this form.
 *
 * `data.length` must be the product of `dims`.
 */
export interface TensorLike {
  /** "float32"; undefined means the same. */
  readonly type?: string;
  /** Elements, row-major. */
  readonly data: Float32Array;
  /** Size of each dimension: at most 8 whole numbers. [] means one element. */
  readonly dims: readonly number[];
}

/** The dtypes that calls read and write. All of them are computed in float32. */
export type TensorType = "float32" | "float16" | "bfloat16";

/**
 * A tensor of onnxruntime or transformers.js with its general type, `ort.Tensor` or `Tensor`.
 *
 * Calls check the dtype when they read it. They throw `unsupported` if it is not a `TensorType`, or if the tensor is on
 * the GPU. TypeScript cannot check this: `ort.TypedTensor<"int64">` is accepted wherever `ort.Tensor` is.
 */
export interface UntypedTensor {
  /** The dtype: "float32", "float16", "int64" … */
  readonly type: string;
  /** Elements, row-major, if they are on the CPU. */
  readonly data: unknown;
  /** Size of each dimension: at most 8 whole numbers. */
  readonly dims: readonly number[];
  /** The memory that holds the elements: "cpu" or another one. */
  readonly location: string;
}

/**
 * A tensor that calls accept as input: float32, float16 or bfloat16.
 *
 * 16-bit floats are converted to float32, exactly. A call that writes into such a tensor, in place or as `out`, rounds
 * once, to the nearest value, ties to even. A result without `out` is float32 unless the call documents another dtype.
 */
export type InputTensor = TensorLike | Float16Tensor | Bfloat16Tensor | UntypedTensor;

/** A float32 result in memory that JavaScript owns. It needs no `dispose()`. */
export interface Tensor extends TensorLike {
  /** Always "float32". */
  readonly type: "float32";
  /** Elements, row-major; as many as the product of `dims`. */
  readonly data: OwnedFloat32Array;
  /** Size of each dimension, as the call documents. */
  readonly dims: number[];
}

/** A `Float16Array`, for type libraries that do not have it. */
export interface Float16ArrayLike extends ArrayBufferView, ArrayLike<number> {
  /** Distinguishes it from other typed arrays. */
  readonly [Symbol.toStringTag]: "Float16Array";
}

/** A float16 tensor: a `Float16Array`, or its bits in a `Uint16Array`. */
export interface Float16Tensor<Data extends Float16ArrayLike | Uint16Array = Float16ArrayLike | Uint16Array> {
  /** Always "float16". */
  readonly type: "float16";
  /** Elements or their bits, row-major. */
  readonly data: Data;
  /** Size of each dimension: at most 8 whole numbers. */
  readonly dims: readonly number[];
}

/** A bfloat16 tensor. Each element has the upper 16 bits of a float32. */
export interface Bfloat16Tensor<Data extends Uint16Array = Uint16Array> {
  /** Always "bfloat16". */
  readonly type: "bfloat16";
  /** Bits of the elements, row-major. */
  readonly data: Data;
  /** Size of each dimension: at most 8 whole numbers. */
  readonly dims: readonly number[];
}

/** The array type that holds the elements of each dtype. */
export interface TensorData {
  /** The values. */
  float32: Float32Array;
  /** A `Float16Array` if the engine has it, otherwise the bits. */
  float16: Float16ArrayLike | Uint16Array;
  /** The bits. */
  bfloat16: Uint16Array;
}

/** A float16 result: a `Float16Array` if the engine has it, otherwise its bits in a `Uint16Array`. */
export interface Float16Result<
  Data extends Float16ArrayLike | Uint16Array = OwnedFloat16Array | OwnedUint16Array,
> extends Float16Tensor<Data> {
  /** Size of each dimension, as the call documents. */
  readonly dims: number[];
}

/** A bfloat16 result: its bits in a `Uint16Array`. */
export interface Bfloat16Result extends Bfloat16Tensor<OwnedUint16Array> {
  /** Size of each dimension, as the call documents. */
  readonly dims: number[];
}

/** A result with the requested dtype. */
export type TensorOf<Type extends TensorType> = Type extends "float16"
  ? Float16Result
  : Type extends "bfloat16"
    ? Bfloat16Result
    : Tensor;

/** The array type of a float16 result, which is the array type of the input. */
type Float16DataLike<Data> = 0 extends 1 & Data
  ? Float16Result["data"]
  : [Extract<Data, Float16ArrayLike | Uint16Array>] extends [never]
    ? Float16Result["data"]
    : Extract<Data, Float16ArrayLike | Uint16Array> extends infer Half
      ? Half extends Uint16Array
        ? OwnedUint16Array
        : OwnedFloat16Array
      : never;

/** Results for inputs with one of several dtypes. `type` distinguishes them. */
type ResultOfTypes<Type extends TensorType, Data> = Type extends "float16"
  ? Float16Result<Float16DataLike<Data>>
  : TensorOf<Type>;

/**
 * A result with the dtype of `Input`.
 *
 * If TypeScript does not know that dtype (`ort.Tensor`, `Tensor` of transformers.js), the result is a union. Its `type`
 * distinguishes the members.
 */
export type ResultLike<Input extends InputTensor> = [Input] extends [{ readonly data: Float32Array }]
  ? Tensor
  : Input extends { readonly data: Float32Array }
    ? Tensor
    : Input extends { readonly type: infer Type; readonly data: infer Data }
      ? ResultOfTypes<string extends Type ? TensorType : Extract<Type, TensorType>, Data>
      : never;

/** A tensor of position ids. */
export interface IdTensor<T extends Int32Array | BigInt64Array = OwnedInt32Array> {
  /** The dtype: "int32" or "int64". */
  readonly type: T extends BigInt64Array ? "int64" : "int32";
  /** Ids, row-major. */
  readonly data: T;
  /** Size of each dimension, as the call documents. */
  readonly dims: number[];
}

/** Position ids or a mask with dims, such as an `attention_mask` of transformers.js. */
export interface ArrayLike2D {
  /** Elements, row-major. */
  readonly data: NumberArray;
  /** Size of each dimension, usually [B, T]. */
  readonly dims: readonly number[];
}

/**
 * Positions: any numbers, including fractions and negative ones. One of
 *
 * - an array, [T] for all batch elements or [B * T] for each;
 * - one such array for each axis;
 * - a tensor, [T], [B, T] or [axes, B, T], such as `position_ids`;
 * - a result of `positionIds`, `gridPositionIds` or `mropePositionIds`.
 */
export type Positions =
  NumberArray | readonly NumberArray[] | ArrayLike2D | UntypedTensor | { readonly positions: ArrayLike2D };

/** Mask values or ids: an array, or { data, dims } such as a tensor of a tokenizer. */
export type MaskLike =
  | NumberArray
  | UntypedTensor
  | readonly (boolean | number | bigint)[]
  | { readonly data: NumberArray | readonly (boolean | number | bigint)[]; readonly dims: readonly number[] };

/** Cosines and sines of all angles, each [positions, pairs]. */
export interface RotaryTables<T extends InputTensor = Tensor> {
  /** cos(position · frequency) times the attention factor. */
  cos: T;
  /** sin(position · frequency) times the attention factor. */
  sin: T;
}

/**
 * The four terms of the scores (x + e)ᵀ Wqᵀ Wk (x + e), each of shape [T, T]: queries, then keys.
 *
 * x are the features of tokens, e the features of positions. The scores are not divided by √P.
 */
export interface ScoreTerms {
  /** xᵀ Wqᵀ Wk x: content of the query to content of the key. */
  contentContent: Tensor;
  /** xᵀ Wqᵀ Wk e: content of the query to position of the key. */
  contentPosition: Tensor;
  /** eᵀ Wqᵀ Wk x: position of the query to content of the key. */
  positionContent: Tensor;
  /** eᵀ Wqᵀ Wk e: position of the query to position of the key. */
  positionPosition: Tensor;
}

/** Values of a learned parameter: a tensor with the parameter's dims, or only its elements, row-major. */
export type ParameterData = InputTensor | Float32Array | readonly number[];

/**
 * The type of `encoding.spec`: a spec with all fields filled in.
 *
 * Lists are plain arrays, or null if the spec had none. Learned parameters are not included: they are in
 * `encoding.parameters`.
 */
export type Filled<S> = {
  readonly [Name in keyof S as Extract<S[Name], InputTensor> extends never ? Name : never]-?:
    | Exclude<S[Name], ArrayLike<number> | undefined>
    | (Extract<S[Name], ArrayLike<number>> extends never ? never : readonly number[]);
};

/** The WebAssembly builds, fastest first. */
export type Variant = "relaxed" | "simd" | "scalar";

/** `WebAssembly.Module`. Type libraries may not have it (Node), or may accept any object as it (browsers). */
export type WasmModule = typeof globalThis extends { WebAssembly: { Module: { prototype: infer M } } }
  ? M & object
  : never;

/** The bytes of the WebAssembly module, or their address. */
export type Source = URL | string | Response | ArrayBuffer | ArrayBufferView | WasmModule;

/**
 * Parts of the library that load when they are asked for. The base has tables, rotations and biases.
 *
 * - `attention`: `attention`, its weights and logits, `similarity`, `scoreTerms` …
 * - `relative`: encodings of the family relative
 * - `training`: `backward`, `step`, `zeroGradients`
 * - `cache`: `pe.cache`
 * - `resize`: `resizeTable`, and `resize` of tables and biases
 * - `config`: `fromConfig`, `permuteWeights` and `describe`
 * - `ids`: `positionIds`, `gridPositionIds` …; posenc/ids has them, too
 */
export type LibraryPart = "attention" | "relative" | "training" | "cache" | "resize" | "config" | "ids";

/** Source, build and parts of the WebAssembly module, and number of threads. */
export interface InitOptions {
  /** Default: the file next to the JavaScript file, or the bytes inside it. */
  source?: Source;
  /** "auto" (default): the fastest build that this engine runs correctly. */
  variant?: "auto" | Variant;
  /**
   * Number of threads that share the work of `attention`: 1 (default) to 64, such as `navigator.hardwareConcurrency`.
   *
   * More than one thread requires Node, or a page that is `crossOriginIsolated`. Elsewhere, and with the script build,
   * there is one. `pe.threads` returns the actual number. Results are bit-identical for any number.
   */
  threads?: number;
  /**
   * Parts to load with the base; `pe.load` loads others later. Builds that come in one piece always have all of them: in
   * Node, in posenc/inline and the script build, with `source`, and with more than one thread.
   */
  parts?: "all" | readonly LibraryPart[];
}
