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

/**
 * What onnxruntime and transformers.js tensors already are: row-major float32 data and its dimensions.
 * `data.length` must be the product of `dims`.
 */
export interface TensorLike {
  /** Undefined is "float32"; all others throw `unsupported`. */
  readonly type?: string;
  /** Row-major. */
  readonly data: Float32Array;
  /** Whole numbers, at most 8; [] holds one number. */
  readonly dims: readonly number[];
}

/**
 * A tensor of onnxruntime or transformers.js as its own type, `ort.Tensor` or `Tensor`: what its data are shows when a call
 * reads it. Where float32 is wanted, other types throw `unsupported`, and so do tensors on the GPU. TypeScript cannot tell:
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

/** What calls take where they want float32. */
export type InputTensor = TensorLike | UntypedTensor;

/** A result: plain memory that JavaScript owns. Nothing to free. */
export interface Tensor extends TensorLike {
  /** "float32". */
  readonly type: "float32";
  /** Row-major, as many as `dims` say. */
  readonly data: Float32Array;
  /** As the call tells them. */
  readonly dims: number[];
}

/** A `Float16Array`, as far as older type libraries know one. */
export interface HalfArray extends ArrayBufferView, ArrayLike<number> {
  readonly [Symbol.toStringTag]: "Float16Array";
}

/** What half-precision models take and give: a `Float16Array`, or its bits. */
export interface HalfTensor {
  /** "float16". */
  readonly type: "float16";
  /** Row-major. */
  readonly data: HalfArray | Uint16Array;
  /** Whole numbers, at most 8. */
  readonly dims: readonly number[];
}

/** A tensor of position ids. */
export interface IdTensor<T extends Int32Array | BigInt64Array = Int32Array> {
  /** What the ids are. */
  readonly type: "int32" | "int64";
  /** Row-major. */
  readonly data: T;
  /** As the call tells them. */
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
}
