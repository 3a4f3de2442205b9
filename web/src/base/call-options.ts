// Types of call options, which `readOptions` checks at run time. No code.
import type { Family, Kind } from "./specs.gen.js";
import type { InputTensor, MaskLike, NumberArray, Positions, TensorType } from "./types.js";

/**
 * Options that limit which keys a query attends to.
 *
 * They combine with `causal` and `window`: a query attends to a key only if all of them allow it. Mask values are
 * booleans, integers (0 = masked), or floats that are 0 or 1. Pass values that are added to scores, such as -Infinity,
 * as `bias`. The result of a query that attends to no key is 0. Masked keys and their values never affect a query, even
 * if they contain NaN.
 */
export interface VisibilityOptions {
  /**
   * Mask, broadcast from the right to [batch, heads, queries, keys], as in PyTorch. An array without dims has shape
   * [keys].
   */
  mask?: MaskLike;
  /** Hugging Face attention mask, [batch, keys] or [keys]. */
  attentionMask?: MaskLike;
  /**
   * Sequence id of each key in packed sequences, [keys] or [batch, keys]; any integers.
   *
   * Tokens attend only to tokens of the same sequence. Queries are the last of the keys. Positions that are not given
   * start again in each sequence, even if its keys are not adjacent. If they are adjacent, these positions equal
   * `pe.positionIds(segments, { packed: true })`.
   */
  segments?: MaskLike;
  /**
   * Packed sequences as cumulative lengths [0, n1, n1 + n2, …], the same for all batch elements. Replaces `segments`.
   */
  cuSeqlens?: NumberArray;
}

/**
 * The option that writes the result into an existing tensor. Its dims must equal the dims of the result.
 *
 * The result must share no memory with an input, another result, or the encoding's learned parameters and gradients;
 * otherwise the call throws `invalid-argument`. These calls are the exceptions:
 *
 * - `backward` of rotations and biases and `applyBackward` of `TransformRelative` accept their `gradOut` as `out`.
 * - `permuteWeights` accepts its weights as `out`.
 * - `apply`, `rerotate`, `addTo` and `applyTo` have no `out`: they change their tensor in place.
 */
export interface OutOption<Out extends InputTensor | undefined = InputTensor | undefined> {
  /** Receives the result; the call returns it. Default: a new tensor. */
  out?: Out;
}

/** The result of a call with `out`: that tensor if it was given, otherwise a new result. */
export type ResultIn<Out, New> = {
  // Looked up by name, so that TypeScript does not infer `Out` from the variable that receives the result.
  given: Exclude<Out, undefined>;
  made: New;
}[Out extends InputTensor ? "given" : "made"];

/** The dtype of a new result. */
export interface TypeOption<Type = TensorType> {
  /**
   * "float32" (default), "float16" or "bfloat16". The 16-bit floats are float32 rounded once, to the nearest value,
   * ties to even.
   */
  type: Type;
}

/**
 * The dtype of a new result, "float32" by default. "float16" and "bfloat16" are float32 rounded to the nearest value.
 *
 * A result written into `out` has the dtype of `out`. TypeScript rejects options whose `type` is optional and not
 * "float32": the result could have either dtype.
 */
export type NewTypeOption<Type extends TensorType, Out> = [Type] extends ["float32"]
  ? Partial<TypeOption<Out extends InputTensor ? never : Type>>
  : TypeOption<Out extends InputTensor ? never : Type>;

/** Options without `type`: a new result is float32. */
export interface NoTypeOption {
  /** Not set: a new result is float32. */
  type?: undefined;
}

/** Any encoding, as `pe.create` and `pe.fromConfig` return it, reduced to what options need. */
export interface EncodingLike {
  /** The family. Encodings of the family "table" are added to the features instead. */
  readonly family: Family;
  /** The kind, as in the spec. */
  readonly kind: Kind;
}

/**
 * Makes TypeScript reject a table as the `encoding` of attention: no encoding has this property.
 *
 * Attention cannot apply a table. Call `addTo` of the table instead.
 */
export interface TablesAreAddedToFeatures {
  /** Add the table to the features before you compute queries and keys from them. */
  readonly useAddToBeforeAttention: never;
}

/**
 * An encoding that attention can apply, of one of the families `F`. TypeScript rejects it if that can only be "table".
 */
export type AttentionEncoding<F extends Family = Family> = EncodingLike & {
  readonly family: F;
} & ([F] extends ["table"] ? TablesAreAddedToFeatures : unknown);

/** A rotary encoding. */
export interface RotaryLike extends EncodingLike {
  /** "rotary": only encodings of this family rotate keys. */
  readonly family: "rotary";
}

/** The `none` encoding: no positional information. */
export interface NoneLike extends EncodingLike {
  /** "none": keys stay unchanged. */
  readonly kind: "none";
}

/**
 * Positions of a call. Default: 0, 1, 2 …
 *
 * Use `offset` to set the first position, such as the length of a KV cache, or `positions` to set each one. Encodings
 * with several axes (images, video) take one array of positions for each axis, or `grid`. All positions are within
 * ±2^48.
 */
export interface At {
  /** Number of positions. Default: the number in x, in `positions` or in `grid`. */
  length?: number;
  /** The first position; the next ones follow in steps of 1. Default 0. */
  offset?: number;
  /** Each position. Cannot be combined with `offset`. */
  positions?: Positions;
  /**
   * Grid size, [height, width] or [frames, height, width]. Positions are all cells, row by row. With `positions`, only
   * the size.
   */
  grid?: readonly number[];
}

/** Positions of the rows of a table. */
export interface TableAt extends At {
  /** Number of class tokens before the cells of `grid`. Their rows are zeros. Default 0. */
  prefix?: number;
}

/** The sequence length, for rotations that depend on it. */
export interface SequenceOption {
  /**
   * Sequence length. It sets the frequencies of `rope-dynamic`, `rope-qwen` and `rope-longrope`, and half of it is the
   * centre of `xpos`. Default: the largest position + 1.
   */
  sequenceLength?: number;
}

/** Positions of queries or keys to rotate. */
export interface RotaryAt extends At, SequenceOption {}

/** Number of class tokens, for learned rotations. */
export interface PrefixOption {
  /**
   * Number of tokens before the cells of `grid`, which learned rotations (`rope-mixed`, `liere`) leave unchanged.
   * Default 0.
   */
  prefix?: number;
}

/** Positions of the keys or queries of attention, one for each of them. */
export interface AttentionAt extends Omit<At, "length">, SequenceOption, PrefixOption {}

/** Positions and direction of a learned position-dependent transform of queries or keys. */
export interface TransformOptions extends At, PrefixOption, LayoutOption {
  /** true: undoes `apply` called with the same options. Default false. */
  inverse?: boolean;
  /** true: applies the transposed transforms, which gives the gradient of `apply` with respect to x. Default false. */
  transpose?: boolean;
}

/** Order of dims: `bhtd` = [batch, heads, positions, dim], `bthd` = [batch, positions, heads, dim]. */
export type Layout = "bhtd" | "bthd";

/** The order of the dims of queries, keys and values. */
export interface LayoutOption {
  /** "bhtd" (default) or "bthd". */
  layout?: Layout;
}

/** Dropout after the addition, as in PyTorch: each element is multiplied by 0 or by 1 / (1 - dropout). */
export interface DropoutOptions {
  /** Probability in [0, 1) that an element becomes 0. The remaining elements are divided by 1 - dropout. Default 0. */
  dropout?: number;
  /** Seed. Equal seeds zero the same elements, in every build and engine. Default 0. */
  seed?: number;
  /** false switches dropout off. Default true. */
  training?: boolean;
}

/** Whether x holds queries or keys, for rotations that treat them differently. */
export interface RoleOption {
  /** "query" or "key". Required by `xpos`, without effect on all other kinds. */
  role?: "query" | "key";
}

/** Positions of queries or keys, and the direction of the rotation. */
export interface ApplyOptions extends RotaryAt, LayoutOption, RoleOption {
  /** Rotates back and divides by the attention factor, which undoes `apply`. */
  inverse?: boolean;
  /** Rotates back and multiplies by the attention factor: the gradient of `apply`. */
  transpose?: boolean;
}

/**
 * Old and new positions or encodings of keys to re-rotate.
 *
 * `from` and `to` are positions or rotary encodings. With an encoding, `positions` or `offset` are the positions of the
 * keys. If frequencies depend on the sequence length, the keys were rotated for `fromSequenceLength`, and
 * `sequenceLength` is the new one.
 */
export interface RerotateOptions extends RotaryAt, LayoutOption {
  /** Current positions of the keys, or the encoding that rotated them. */
  from: Positions | number | RotaryLike;
  /** New positions of the keys, or their new encoding. */
  to: Positions | number | RotaryLike;
  /** Sequence length for which the keys were rotated. Default: `sequenceLength`. */
  fromSequenceLength?: number;
}

/** Positions of queries and keys relative to each other. */
export interface BiasPositions {
  /** Position of the first query relative to the first key. Default: `keys - queries`. */
  offset?: number;
  /** Position of each key, [keys] or [batch * keys], if it is not its index (padding, packed sequences). */
  keyPositions?: Exclude<Positions, readonly NumberArray[]>;
}

/** Positions and masks of a bias that is added to scores. The scores of masked keys become -Infinity. */
export interface ApplyBiasOptions extends BiasPositions, VisibilityOptions {}

/** Number of queries and keys, their positions, and masks. The bias of masked keys is -Infinity. */
export interface BiasOptions extends ApplyBiasOptions {
  /** Number of queries: rows of the result. */
  queries: number;
  /** Number of keys: columns of the result. */
  keys: number;
}

/** Number of queries and keys, and their positions. */
export interface BucketOptions extends BiasPositions {
  /** Number of queries: rows of the result. */
  queries: number;
  /** Number of keys: columns of the result. */
  keys: number;
}

/**
 * Multiplies the scores of a query at position p by 1 + factor · ln(1 + ⌊(p + offset) / length⌋).
 *
 * Llama 4 uses { factor: 0.1, length: 8192, offset: 1 }, Ministral 3 { factor: β, length: L0 }.
 */
export interface StepTemperature {
  /** The rule. "steps" is the default. */
  rule?: "steps";
  /** Factor of the logarithm. */
  factor: number;
  /** Number of positions per step, > 0. */
  length: number;
  /** Number that is added to each position. Default 0. */
  offset?: number;
}

/**
 * Multiplies the scores of a query at position p by max(1, ln(p + offset + 1) / ln(length)): LogN (Qwen 1, ReRoPE).
 * @see Su 2021, kexue.fm/archives/8823
 */
export interface LogTemperature {
  /** The rule. */
  rule: "log-n";
  /** Number of positions that the model was trained on, > 1. */
  length: number;
  /** Number that is added to each position. Default 0. */
  offset?: number;
}

/** Multiplies the scores of a query at position p by 1 + factor · ln(max(1, (p + offset + 1) / length)): Inkling. */
export interface SmoothTemperature {
  /** The rule. */
  rule: "log";
  /** Factor of the logarithm. */
  factor: number;
  /** Number of positions without a factor, > 0. */
  length: number;
  /** Number that is added to each position. Default 0. */
  offset?: number;
}

/** A factor on the scores of each query that depends on its position. */
export type Temperature = StepTemperature | LogTemperature | SmoothTemperature;

/**
 * SelfExtend: exact distances to near keys, grouped positions for far ones.
 *
 * For a query at position p and a key at position j the distance is
 *
 * - p - j if it is less than `window`, which includes keys after the query;
 * - ⌊p / group⌋ + window - window / group - ⌊j / group⌋ otherwise.
 * @see Jin et al. 2024, arXiv:2401.01325, eq. 3
 */
export interface SelfExtend {
  /** The rule. */
  kind: "self-extend";
  /** Number of positions that count as one, a whole number ≥ 1. */
  group: number;
  /**
   * Distance from which positions are grouped, a whole number ≥ 1.
   *
   * Use a multiple of `group`: for other values LongLM's code differs between models, and posenc follows its code for
   * Llama.
   */
  window: number;
}

/**
 * ReRoPE: distances d with |d| < `window` stay exact, all others become window + leak · (d - window).
 *
 * With leak 0, far keys after the query have the distance `window` too, as in the original. The original also
 * multiplies queries: pass `temperature: { rule: "log-n", length }` with the trained length.
 * @see Su 2023, kexue.fm/archives/9708
 */
export interface ReRope {
  /** The rule. */
  kind: "rerope";
  /** Distances below it stay exact, a whole number ≥ 1. */
  window: number;
  /** From 0 (default: ReRoPE) to 1 (unchanged distances). Leaky ReRoPE: 1 / scaling factor. */
  leak?: number;
}

/**
 * Dual chunk attention: keys are rotated by their index in a chunk of c = chunk - local tokens.
 *
 * A query at position p is rotated by
 *
 * - p mod c, against keys of its chunk, and of later chunks, which the original masks;
 * - min(p mod c + c, chunk), against keys of the previous chunk;
 * - min(2c - 1, chunk), against keys of older chunks.
 * @see An et al. 2024, arXiv:2402.17463, eq. 2-8; Qwen2.5-1M, arXiv:2501.15383
 */
export interface DualChunk {
  /** The rule. */
  kind: "dual-chunk";
  /** The largest distance, a whole number > local. `chunk_size` of a config. */
  chunk: number;
  /**
   * Number of positions by which exact distances reach into the previous chunk, a whole number ≥ 0. `local_size` of a
   * config.
   */
  local: number;
  /**
   * Trained length, `original_max_position_embeddings` of a config.
   *
   * Scores are multiplied by max(1, 1 + ln(sequence length / trained) / 10), as in Qwen2.5-1M. Default: scores are not
   * multiplied.
   */
  trained?: number;
}

/** Maps the distances of a rotation to smaller ones, so that a model reads longer texts than it was trained on. */
export type Remap = SelfExtend | ReRope | DualChunk;

/** Per-token inputs of some relative encodings. The tokens are the keys unless noted; queries are the last of them. */
export interface TokenOptions {
  /**
   * Kinds `forget`, `path`, `data-dependent-alibi`: logarithms of the gates that each token applies to the tokens
   * before it.
   *
   * Shape [B, Hq, Tk], or [B, Tk, Hq] with `layout: "bthd"`; twice as many heads if gates are bidirectional. Optional
   * for `path`.
   */
  logGates?: InputTensor;
  /** Kind `path`: direction of each token's reflection, a unit vector; shape of k. */
  directions?: InputTensor;
  /**
   * Kind `path`: strength of each token's reflection, 0 to 2; shape [B, Hk, Tk], or [B, Tk, Hk] with `layout: "bthd"`.
   */
  strengths?: InputTensor;
  /**
   * Kinds `grape-ap`, `per-row-alibi`: features of each token and query head.
   *
   * Shape [B, Hq, Tk, width], or [B, Tk, Hq, width] with `layout: "bthd"`. The width is even, for `per-row-alibi` 2 ·
   * gateDim.
   */
  gateRows?: InputTensor;
  /**
   * Kind `inkling`: relative states of the queries only, a projection of their hidden states (r_proj).
   *
   * Shape [B, Hq, Tq, relativeDim], or [B, Tq, Hq, relativeDim] with `layout: "bthd"`.
   */
  relativeStates?: InputTensor;
}

/** Positions, masks and score functions of attention. */
export interface AttentionOptions<F extends Family = Family> extends LayoutOption, VisibilityOptions, TokenOptions {
  /**
   * The encoding that attention applies. Default: none.
   *
   * - Rotary encodings rotate copies of q and k.
   * - Bias encodings are added to the scaled scores.
   * - Relative encodings change q·k before the scale; Shaw's also changes the values.
   */
  encoding?: AttentionEncoding<F>;
  /**
   * Query i attends to key j only if j <= i + (keys - queries): the last query attends to all keys. With more queries than
   * keys, the first ones attend to no key, and their result is 0. Default false; true in `cache.attend`.
   */
  causal?: boolean;
  /**
   * w: keys at a distance less than w from the query (w = 1: the query's own token only); [left, right]: that many keys
   * on each side. Default: no window.
   */
  window?: number | readonly [number, number];
  /** Values that are added to the scaled scores: [Tq, Tk], [H, Tq, Tk] or [B or 1, H or 1, Tq, Tk]. */
  bias?: InputTensor;
  /**
   * Factor of the scores. Default: 1 / sqrt(head dimension of q).
   *
   * The default for DeBERTa is 1 / sqrt(dim * terms): it also divides by the number of its terms. Models with another
   * scale have it in their config (Gemma, Granite, DeepSeek …; page Configs) or in their code (T5: 1).
   */
  scale?: number;
  /** Scores become softcap * tanh(score / softcap) before bias and mask (Gemma 2). */
  softcap?: number;
  /**
   * Sharpens the scores of queries at large positions (Llama 4's layers without positions, Ministral 3, Qwen 1); see
   * `Temperature`.
   */
  temperature?: Temperature;
  /**
   * Maps distances that are longer than the trained ones to smaller ones: SelfExtend, ReRoPE or dual chunk attention;
   * see `Remap`.
   *
   * Works with every rotary encoding whose positions have one axis, except `xpos`. It does not change the positions in
   * `at`, nor the sequence length of kinds that depend on it.
   */
  remap?: Remap;
  /** Learned logits, one for each query head, [Hq]. Each joins the softmax of its head without a value (gpt-oss). */
  sinks?: NumberArray;
  /** Positions of the keys. Default: 0, 1, 2 … The queries have the last of these positions unless `queryAt` is given. */
  at?: AttentionAt;
  /** Positions of the queries. Default: the positions of the last Tq keys. */
  queryAt?: AttentionAt;
  /** Kind `cope` only: vectors of the shape of k whose products with q open the gates. Default: k. */
  gateKeys?: InputTensor;
}

/** Sizes, dtype, encoding and policy of a cache. */
export interface CacheOptions<F extends Family = Family> extends LayoutOption {
  /** Number of heads of keys and values. */
  heads: number;
  /** Head dimension of keys. */
  dim: number;
  /** Head dimension of values. Default: `dim`. */
  valueDim?: number;
  /**
   * Number of tokens that fit. Required without a `policy`.
   *
   * Default with a policy: sinks + window + undo + max(64, ⌈window / 4⌉). A longer append takes more memory until the
   * next append.
   */
  capacity?: number;
  /** The encoding that `attend` and `read` use by default. null: no encoding. */
  encoding?: AttentionEncoding<F> | null;
  /** Number of sequences that are generated together. Default 1. */
  batch?: number;
  /**
   * How elements are stored: "float32" (default), "float16" in half of the memory, or "int8" in a quarter.
   *
   * int8 has one scale for each token and head.
   */
  type?: "float32" | "float16" | "int8";
  /** Which tokens the cache keeps. Default: all of them, until it is full. */
  policy?: CachePolicy;
}

/**
 * A sliding window: the cache keeps the last `window` tokens.
 *
 * With `sinks` it also keeps the first tokens, and positions are counted inside the cache, so that generation can
 * continue beyond the model's length.
 * @see Xiao et al. 2023, arXiv:2309.17453
 */
export interface CachePolicy {
  /** Number of tokens that a query attends to: itself and the tokens right before it. */
  window: number;
  /** Number of first tokens (sink tokens) that all queries attend to as well. Default 0. */
  sinks?: number;
  /**
   * Number of tokens that `truncate` can remove in addition to the tokens of the last append. As many tokens that left the
   * window are kept for it. Default 0.
   */
  undo?: number;
}

/** Positions of appended tokens. Default: they continue after the last token. */
export type CacheAt = Pick<At, "offset" | "positions">;

/**
 * Options of `cache.attend`: the options of `attention` without layout and positions, which the cache has, and without
 * `gateKeys`, which it does not store.
 */
export interface AttendOptions<F extends Family = Family> extends Omit<
  AttentionOptions,
  "layout" | "at" | "queryAt" | "encoding" | "gateKeys"
> {
  /** The encoding. Default: the cache's. null: no encoding in this call. */
  encoding?: AttentionEncoding<F> | null;
}

/** Encoding and outputs of `cache.read`. */
export interface ReadingOptions {
  /** The rotary encoding that rotates the keys. Default: the cache's, if it has one. null: no encoding. */
  encoding?: RotaryLike | NoneLike | null;
  /** Tensors that receive the keys and the values. */
  out?: { k?: InputTensor; v?: InputTensor };
}

/** Positions of the keys, and masks. Queries are the last of the keys unless `queryAt` is given. */
export interface LogitsOptions
  extends
    Pick<At, "offset" | "positions" | "grid">,
    PrefixOption,
    VisibilityOptions,
    TokenOptions,
    Pick<AttentionOptions, "causal" | "window" | "layout" | "queryAt"> {}

/** Number of queries of a bias of gates, and masks. */
export interface GateBiasOptions extends LayoutOption, VisibilityOptions, Pick<AttentionOptions, "causal" | "window"> {
  /** Number of queries, the last of the tokens. Default: all of them. */
  queries?: number;
}

/** Number of keys of a bias of relative states, positions, temperature, and masks. */
export interface RelativeLogitsOptions
  extends
    LayoutOption,
    VisibilityOptions,
    Pick<AttentionOptions, "causal" | "window" | "at" | "queryAt" | "temperature"> {
  /** Number of keys; the queries are the last of them. Default: the number of queries. */
  keys?: number;
}

/** `LogitsOptions` for encodings whose positions are content-dependent. */
export interface ContextLogitsOptions extends LogitsOptions, Pick<AttentionOptions, "gateKeys"> {}

/** Role and positions of the rows to expand. */
export interface ExpandOptions extends Pick<At, "offset" | "positions">, LayoutOption {
  /** "query" or "key": they are expanded differently. */
  role: "query" | "key";
}

/** Resizes a learned table from one grid to another, as PyTorch's `interpolate` does. */
export interface ResizeOptions {
  /** The new grid, [height, width]. */
  grid?: readonly number[];
  /** The new number of rows of a table with one axis, `prefix` and `suffix` included. */
  length?: number;
  /** Grid of the existing rows, [height, width]. Default: a square; with `length`, all rows. */
  from?: readonly number[];
  /** Number of rows before the grid that stay unchanged (class tokens). Default 0. */
  prefix?: number;
  /** Number of rows after the grid that stay unchanged (BEiT). Default 0. */
  suffix?: number;
  /** Interpolation. Default: "bicubic" for grids (ViT, CLIP), "linear" for one axis. */
  mode?: "nearest" | "linear" | "bilinear" | "bicubic";
  /** Uses wider kernels if the grid shrinks, and Pillow's bicubic (timm). Default false. */
  antialias?: boolean;
  /** true: the outermost cells keep their rows. false (default): coordinates are the centres of cells. */
  alignCorners?: boolean;
  /**
   * Number that is added to each new size before the step is computed. 0.1: DINOv2's `interpolate_offset`. Default 0.
   */
  scaleOffset?: number;
}

/** Options of `pe.resizeTable`. */
export interface ResizeTableOptions extends ResizeOptions {
  /**
   * Computes the gradient: the input is the gradient of a resized table (`grid` or `length`), the result is the
   * gradient of its source (`from`).
   */
  transpose?: boolean;
}

/** New window size of `swin`. */
export interface WindowResizeOptions extends Pick<ResizeOptions, "mode" | "antialias"> {
  /** New height of the window in cells. Default: unchanged. */
  windowHeight?: number;
  /** New width of the window in cells. Default: unchanged. */
  windowWidth?: number;
}
