/// <reference lib="esnext.disposable" preserve="true" />
// What the library is given and gives: tensors, positions, learned numbers, builds. No code.

/** The array types that positions, masks and ids may come in. */
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

/** A `Float32Array` over memory of its own: `Float32Array<ArrayBuffer>`, or `Float32Array` before TypeScript 5.7. */
export type OwnedFloat32Array = ReturnType<Float32ArrayConstructor["of"]>;

/** A `Float64Array` over memory of its own. */
export type OwnedFloat64Array = ReturnType<Float64ArrayConstructor["of"]>;

/** A `Uint8Array` over memory of its own. */
export type OwnedUint8Array = ReturnType<Uint8ArrayConstructor["of"]>;

/** A `Uint16Array` over memory of its own. */
export type OwnedUint16Array = ReturnType<Uint16ArrayConstructor["of"]>;

/** A `Uint32Array` over memory of its own. */
export type OwnedUint32Array = ReturnType<Uint32ArrayConstructor["of"]>;

/** An `Int32Array` over memory of its own. */
export type OwnedInt32Array = ReturnType<Int32ArrayConstructor["of"]>;

/** A `BigInt64Array` over memory of its own. */
export type OwnedBigInt64Array = ReturnType<BigInt64ArrayConstructor["of"]>;

/** A `Float16Array` over memory of its own, as far as the program's type library has one. */
export type OwnedFloat16Array = typeof globalThis extends {
  Float16Array: { of(...items: number[]): infer Owned extends HalfArray };
}
  ? Owned
  : HalfArray & { readonly buffer: ArrayBuffer };

/**
 * What onnxruntime and transformers.js tensors already are: row-major float32 data and its dimensions.
 * `data.length` must be the product of `dims`.
 */
export interface TensorLike {
  /** Undefined is "float32". */
  readonly type?: string;
  /** Row-major. */
  readonly data: Float32Array;
  /** Whole numbers, at most 8; [] holds one number. */
  readonly dims: readonly number[];
}

/** The types of numbers that calls read and write. All are computed with as float32. */
export type TensorType = "float32" | "float16" | "bfloat16";

/**
 * A tensor of onnxruntime or transformers.js as its own type, `ort.Tensor` or `Tensor`: what its data are shows when a call
 * reads it. Those of types that are no `TensorType` throw `unsupported`, and so do tensors on the GPU. TypeScript cannot tell:
 * `ort.TypedTensor<"int64">` fits wherever `ort.Tensor` does.
 */
export interface UntypedTensor {
  /** What the data are: "float32", "float16", "int64" … */
  readonly type: string;
  /** Row-major, where they are on the CPU. */
  readonly data: unknown;
  /** Whole numbers, at most 8. */
  readonly dims: readonly number[];
  /** "cpu", or where else the numbers lie. */
  readonly location: string;
}

/**
 * What calls take where they want numbers. Those of 16 bits become float32, exactly; what a call writes into such a tensor, in
 * place or as `out`, is rounded once, to the nearest, to even between two. A result without `out` is float32 where the call
 * does not say otherwise.
 */
export type InputTensor = TensorLike | HalfTensor | Bfloat16Tensor | UntypedTensor;

/** A result: plain memory that JavaScript owns. Nothing to free. */
export interface Tensor extends TensorLike {
  /** "float32". */
  readonly type: "float32";
  /** Row-major; as many values as `dims` say. */
  readonly data: OwnedFloat32Array;
  /** As the call documents them. */
  readonly dims: number[];
}

/** A `Float16Array`, as far as older type libraries know one. */
export interface HalfArray extends ArrayBufferView, ArrayLike<number> {
  readonly [Symbol.toStringTag]: "Float16Array";
}

/** What half-precision models take and give: a `Float16Array`, or its bits. */
export interface HalfTensor<Data extends HalfArray | Uint16Array = HalfArray | Uint16Array> {
  /** "float16". */
  readonly type: "float16";
  /** Row-major. */
  readonly data: Data;
  /** Whole numbers, at most 8. */
  readonly dims: readonly number[];
}

/** Numbers as float32 has them, without the lower 16 bits. */
export interface Bfloat16Tensor<Data extends Uint16Array = Uint16Array> {
  /** "bfloat16". */
  readonly type: "bfloat16";
  /** Their bits, row-major. */
  readonly data: Data;
  /** Whole numbers, at most 8. */
  readonly dims: readonly number[];
}

/** The arrays that hold numbers of a type. */
export interface TensorData {
  /** As they are. */
  float32: Float32Array;
  /** A `Float16Array` where the engine has one, else bits. */
  float16: HalfArray | Uint16Array;
  /** Bits. */
  bfloat16: Uint16Array;
}

/** A float16 result: a `Float16Array` if the engine has one, else its bits. */
export interface HalfResult<
  Data extends HalfArray | Uint16Array = OwnedFloat16Array | OwnedUint16Array,
> extends HalfTensor<Data> {
  /** As the call documents them. */
  readonly dims: number[];
}

/** A bfloat16 result: its bits. */
export interface Bfloat16Result extends Bfloat16Tensor<OwnedUint16Array> {
  /** As the call documents them. */
  readonly dims: number[];
}

/** A result of a type that was asked for. */
export type TensorOf<Type extends TensorType> = Type extends "float16"
  ? HalfResult
  : Type extends "bfloat16"
    ? Bfloat16Result
    : Tensor;

/** The array of a float16 result, which is of the kind of the input's. */
type HalfDataLike<Data> = 0 extends 1 & Data
  ? HalfResult["data"]
  : [Extract<Data, HalfArray | Uint16Array>] extends [never]
    ? HalfResult["data"]
    : Extract<Data, HalfArray | Uint16Array> extends infer Half
      ? Half extends Uint16Array
        ? OwnedUint16Array
        : OwnedFloat16Array
      : never;

/** The results of inputs whose type may be one of several: `type` tells which. */
type ResultOfTypes<Type extends TensorType, Data> = Type extends "float16"
  ? HalfResult<HalfDataLike<Data>>
  : TensorOf<Type>;

/**
 * A result of the type that the input `Input` has. If TypeScript cannot tell which that is (`ort.Tensor`, `Tensor` of
 * transformers.js), the result is a union; its `type` tells its members apart.
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
  /** What the ids are. */
  readonly type: T extends BigInt64Array ? "int64" : "int32";
  /** Row-major. */
  readonly data: T;
  /** As the call documents them. */
  readonly dims: number[];
}

/** Position ids or a mask with their dimensions, such as an `attention_mask` of transformers.js. */
export interface ArrayLike2D {
  /** Row-major. */
  readonly data: NumberArray;
  /** [B, T] mostly. */
  readonly dims: readonly number[];
}

/**
 * Numbers, fractions and negatives too: [T] shared by all batch rows, or one run for each, [B * T]. Or one such array for
 * each axis. Or a tensor of them, [T], [B, T] or [axes, B, T], such as `position_ids`. Or what `positionIds`,
 * `gridPositionIds` and `mropePositionIds` give.
 */
export type Positions =
  NumberArray | readonly NumberArray[] | ArrayLike2D | UntypedTensor | { readonly positions: ArrayLike2D };

/** Flags or ids: an array, or { data, dims } such as a tensor of a tokenizer. */
export type MaskLike =
  | NumberArray
  | UntypedTensor
  | readonly (boolean | number | bigint)[]
  | { readonly data: NumberArray | readonly (boolean | number | bigint)[]; readonly dims: readonly number[] };

/** Cosines and sines, [positions, pairs] each. */
export interface RotaryTables<T extends InputTensor = Tensor> {
  /** cos(position · frequency), times the attention factor. */
  cos: T;
  /** sin(position · frequency), times the attention factor. */
  sin: T;
}

/** The four terms of (x + e)ᵀ Wqᵀ Wk (x + e), [T, T] each. */
export interface ScoreTerms {
  /** xᵀ Wqᵀ Wk x. */
  contentContent: Tensor;
  /** xᵀ Wqᵀ Wk e: what a word asks of places. */
  contentPosition: Tensor;
  /** eᵀ Wqᵀ Wk x: what a place asks of words. */
  positionContent: Tensor;
  /** eᵀ Wqᵀ Wk e. */
  positionPosition: Tensor;
}

/** Learned numbers from outside: a tensor of the parameter's dims, or just its numbers, row-major. */
export type ParameterData = InputTensor | Float32Array | readonly number[];

/**
 * What `encoding.spec` is: a spec with each field filled in. Lists are plain arrays, or null where none was given; learned
 * numbers stand in `encoding.parameters` instead.
 */
export type Filled<S> = {
  readonly [Name in keyof S as Extract<S[Name], InputTensor> extends never ? Name : never]-?:
    | Exclude<S[Name], ArrayLike<number> | undefined>
    | (Extract<S[Name], ArrayLike<number>> extends never ? never : readonly number[]);
};

/** The WebAssembly builds, the fastest first. */
export type Variant = "relaxed" | "simd" | "scalar";

/** `WebAssembly.Module`, which a program's types may not know (Node's), or hold for anything at all (the browsers'). */
export type WasmModule = typeof globalThis extends { WebAssembly: { Module: { prototype: infer M } } }
  ? M & object
  : never;

/** The bytes of the WebAssembly module, or where to get them. */
export type Source = URL | string | Response | ArrayBuffer | ArrayBufferView | WasmModule;

/** Where `init` gets WebAssembly, and which build of it. */
export interface InitOptions {
  /** Default: the file beside the JavaScript, or the bytes inside it. */
  source?: Source;
  /** `auto` (default): the fastest build that this engine runs correctly. */
  variant?: "auto" | Variant;
  /**
   * How many threads share the work of `attention`: 1 (default) to 64, such as `navigator.hardwareConcurrency`. More than one
   * need a page that is `crossOriginIsolated`, or Node; elsewhere, and from posenc/core and the script, there is one:
   * `pe.threads` tells. Results have the same bits.
   */
  threads?: number;
}
