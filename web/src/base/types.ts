/// <reference lib="esnext.disposable" preserve="true" />
// The public vocabulary of the library: tensors, positions, options. No code.

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
  readonly type?: string;
  readonly data: Float32Array;
  readonly dims: readonly number[];
}

/** A result: plain memory that JavaScript owns. Nothing to free. */
export interface Tensor extends TensorLike {
  readonly type: "float32";
  readonly data: Float32Array;
  readonly dims: number[];
}

/** A `Float16Array`, as far as older type libraries know one. */
export interface HalfArray extends ArrayBufferView, ArrayLike<number> {
  readonly [Symbol.toStringTag]: "Float16Array";
}

/** What half-precision models take and give: a `Float16Array`, or its bits. */
export interface HalfTensor {
  readonly type: "float16";
  readonly data: HalfArray | Uint16Array;
  readonly dims: readonly number[];
}

/** A tensor of position ids. */
export interface IdTensor<T extends Int32Array | BigInt64Array = Int32Array> {
  readonly type: "int32" | "int64";
  readonly data: T;
  readonly dims: number[];
}

/** Position ids or a mask with their dimensions, such as an `attention_mask` of transformers.js. */
export interface ArrayLike2D {
  readonly data: NumberArray;
  readonly dims: readonly number[];
}

/**
 * Numbers, fractions and negatives too: [T] shared by all batch rows, or one run for each, [B * T]. Or one such array for
 * each axis. Or a tensor of them, [T], [B, T] or [axes, B, T], such as `position_ids`. Or what `positionIds`,
 * `gridPositionIds` and `mropePositionIds` give.
 */
export type Positions = NumberArray | readonly NumberArray[] | ArrayLike2D | { readonly positions: ArrayLike2D };

/** Flags or ids: an array, or { data, dims } such as a tensor of a tokenizer. */
export type MaskLike =
  | NumberArray
  | readonly (boolean | number | bigint)[]
  | { readonly data: NumberArray | readonly (boolean | number | bigint)[]; readonly dims: readonly number[] };

/**
 * Which keys a query sees, beside `causal` and `window`: those that all of this lets it see. Flags are booleans, integers
 * (0 = hidden), or floats that are 0 or 1; numbers that are added to scores, such as -Infinity, are a `bias`. What hidden
 * keys and their values hold, NaN too, reaches nothing that does not see them. A query that sees no key gives 0.
 */
export interface VisibilityOptions {
  /** Broadcasts from the right to [batch, heads, queries, keys], as PyTorch's; an array without dims is [keys]. */
  mask?: MaskLike;
  /** Hugging Face's: [batch, keys] or [keys]. */
  attentionMask?: MaskLike;
  /**
   * Packed sequences do not see each other: the id of each key's, [keys] or [batch, keys], any integers. Queries are the
   * last of the keys. Places that are not given are counted in each sequence as if it stood alone, wherever its keys lie;
   * where they lie together, that is `pe.positionIds(segments, { packed: true })`.
   */
  segments?: MaskLike;
  /** The same as cumulative lengths [0, n1, n1 + n2, …], for all batch rows. */
  cuSeqlens?: NumberArray;
}

/**
 * Writes the result into a tensor that exists already (its dims must be those of the result). One rule for all calls: a result
 * shares no memory with an input, another result, or the encoding's learned numbers and gradients (invalid-argument). Only
 * `backward` of rotations and biases may have its `gradOut` as `out`, `permuteWeights` its weights. `apply`, `rerotate`,
 * `addTo` and `applyTo` work in place, on their one tensor.
 */
export interface OutOption<T extends TensorLike = TensorLike> {
  out: T;
}

/** Cosines and sines, [positions, pairs] each. */
export interface RotaryTables<T extends TensorLike = Tensor> {
  cos: T;
  sin: T;
}

/** Without `out` the result is a tensor of its own. */
export interface NewOption {
  out?: undefined;
}

/**
 * Where things stand. Without anything: positions 0, 1, 2 …
 * `offset` moves the first position (a KV cache of `offset` tokens); `positions` gives each one; encodings with several
 * axes (images, video) take those of each axis, or `grid`. All within ±2^48.
 */
export interface At {
  length?: number;
  offset?: number;
  positions?: Positions;
  /** All places of a grid, row by row: [height, width], [frames, height, width]. Beside `positions`: its size. */
  grid?: readonly number[];
  /** Tables only: class tokens before the places of `grid`; they get rows of zeros. Default 0. */
  prefix?: number;
  /**
   * Rotary only: the sequence length that `rope-dynamic` and `rope-longrope` go by, and half of which `xpos` is centred on.
   * Default: the largest position + 1.
   */
  sequenceLength?: number;
}

/** `bhtd` = [batch, heads, positions, dim], `bthd` = [batch, positions, heads, dim]. */
export type Layout = "bhtd" | "bthd";

export interface LayoutOption {
  layout?: Layout;
}

export interface DropoutOptions {
  /** Probability in [0, 1) that an element becomes 0; the others are divided by 1 - dropout. */
  dropout?: number;
  /** The same seed drops the same elements, in every build and engine. Default 0. */
  seed?: number;
  /** `false` switches dropout off. Default true. */
  training?: boolean;
}

export interface RoleOption {
  /** Is it queries or keys that turn? `xpos` must know; to all others it is the same. */
  role?: "query" | "key";
}

export interface ApplyOptions extends At, LayoutOption, RoleOption {
  /** Rotate back and divide by the attention factor: undoes `apply`. */
  inverse?: boolean;
  /** Rotate back and multiply by the attention factor: the gradient of `apply`. */
  transpose?: boolean;
}

/**
 * `from` and `to`: positions, or a rotary encoding (then `positions` or `offset` say where the keys stand). For kinds that
 * go by the sequence length, `fromSequenceLength` is the one the keys were turned in and `sequenceLength` the new one.
 */
export interface RerotateOptions extends At, LayoutOption {
  from: Positions | number | object;
  to: Positions | number | object;
  fromSequenceLength?: number;
}

/** Where queries and keys stand to each other. */
export interface BiasPlaces {
  /** Position of the first query relative to the first key. Default `keys - queries`. */
  offset?: number;
  /** Position of each key, where it is not its index (padding, packed sequences): [keys], or [batch * keys]. */
  keyPositions?: Exclude<Positions, readonly NumberArray[]>;
}

/** Hidden keys get -Infinity. */
export interface ApplyBiasOptions extends BiasPlaces, VisibilityOptions {}

export interface BiasOptions extends ApplyBiasOptions {
  queries: number;
  keys: number;
}

export interface BucketOptions extends BiasPlaces {
  queries: number;
  keys: number;
}

/**
 * Scores of a query at position p are multiplied by 1 + factor · ln(1 + ⌊(p + offset) / length⌋).
 * Llama 4: { factor: 0.1, length: 8192, offset: 1 }; Ministral 3: { factor: β, length: L0 }.
 */
export interface Temperature {
  factor: number;
  length: number;
  /** Default 0. */
  offset?: number;
}

export interface AttentionOptions extends LayoutOption, VisibilityOptions {
  /**
   * Rotary encodings turn q and k inside; bias encodings are added to the scaled scores; relative encodings join q·k
   * before the scale (and Shaw's the values).
   */
  encoding?: object;
  /** Query i sees key j only if j <= i + (keys - queries): the last query sees the last key. */
  causal?: boolean;
  /** w: keys nearer than w to the query (w = 1: itself only); [left, right]: that many keys on either side. */
  window?: number | readonly [number, number];
  /** Added to the scaled scores: [Tq, Tk], [H, Tq, Tk] or [B or 1, H or 1, Tq, Tk]. */
  bias?: TensorLike;
  /**
   * Default 1 / sqrt(width of q); DeBERTa divides by the number of its terms, too: 1 / sqrt(width * terms). Models with
   * another one say so in their config (Gemma, Granite, DeepSeek …; page Configs) or in their code (T5: 1).
   */
  scale?: number;
  /** Scores become softcap * tanh(score / softcap) before bias and mask (Gemma 2). */
  softcap?: number;
  /** Scores of far queries are sharpened (Llama 4's layers without positions, Ministral 3); see `Temperature`. */
  temperature?: Temperature;
  /** One logit per query head that joins the softmax and is then dropped (gpt-oss). */
  sinks?: NumberArray;
  /** Where the keys stand; queries are the last of them unless `queryAt` says otherwise. */
  at?: At;
  queryAt?: At;
  /** `cope` only: keys like k whose products with q open the gates (default: k itself). */
  gateKeys?: TensorLike;
}

/** Where the keys stand (queries are the last of them unless `queryAt` says otherwise), and which of them are hidden. */
export interface LogitsOptions
  extends
    Pick<At, "offset" | "positions">,
    VisibilityOptions,
    Pick<AttentionOptions, "causal" | "window" | "layout" | "queryAt" | "gateKeys"> {}

/** Which rows these are, and where they stand. */
export interface ExpandOptions extends Pick<At, "offset" | "positions">, LayoutOption {
  role: "query" | "key";
}

export interface ScoreTerms {
  contentContent: Tensor;
  contentPosition: Tensor;
  positionContent: Tensor;
  positionPosition: Tensor;
}

/** How a learned table of one grid becomes one of another, as PyTorch's `interpolate` does it. */
export interface ResizeOptions {
  /** The new grid: [height, width]. */
  grid?: readonly number[];
  /** For tables of one axis: the new number of rows, prefix and suffix included. */
  length?: number;
  /** The grid that the rows are of. Default: a square, or all rows. */
  from?: readonly number[];
  /** Rows before the grid that stay as they are: class tokens. Default 0. */
  prefix?: number;
  /** Rows after it that stay as they are (BEiT). Default 0. */
  suffix?: number;
  /** Default "bicubic" for grids (ViT, CLIP), "linear" for one axis. */
  mode?: "nearest" | "linear" | "bilinear" | "bicubic";
  /** Wider kernels where the grid shrinks, and Pillow's bicubic (timm). Default false. */
  antialias?: boolean;
  /** The outermost places keep their rows. Default false: places are the middles of cells. */
  alignCorners?: boolean;
  /** Added to each new size before the step is computed: 0.1 gives DINOv2's `interpolate_offset`. Default 0. */
  scaleOffset?: number;
}

export interface ResizeTableOptions extends ResizeOptions {
  /** The gradient: the table is that of a result (of `grid` or `length`), what comes back that of its table (`from`). */
  transpose?: boolean;
}

/** Another window for `swin`; what is left out stays as it is. */
export interface WindowResizeOptions extends Pick<ResizeOptions, "mode" | "antialias"> {
  windowHeight?: number;
  windowWidth?: number;
}

/** Learned numbers from outside: a tensor of the parameter's dims, or just its numbers, row-major. */
export type ParameterData = TensorLike | Float32Array | readonly number[];

/**
 * What `encoding.spec` is: a spec with each field filled in. Lists are plain arrays, or null where none was given; learned
 * numbers stand in `encoding.parameters` instead.
 */
export type Filled<S> = {
  readonly [Name in keyof S as Extract<S[Name], TensorLike> extends never ? Name : never]-?:
    | Exclude<S[Name], ArrayLike<number> | undefined>
    | (Extract<S[Name], ArrayLike<number>> extends never ? never : readonly number[]);
};

export type Variant = "relaxed" | "simd" | "scalar";

/** `WebAssembly.Module`, which a program's types may not know (Node's), or hold for anything at all (the browsers'). */
export type WasmModule = typeof globalThis extends { WebAssembly: { Module: { prototype: infer M } } }
  ? M & object
  : never;

/** The bytes of the WebAssembly module, or where to get them. */
export type Source = URL | string | Response | ArrayBuffer | ArrayBufferView | WasmModule;

export interface InitOptions {
  source?: Source;
  /** `auto` (default): the fastest build that this engine runs correctly. */
  variant?: "auto" | Variant;
}
