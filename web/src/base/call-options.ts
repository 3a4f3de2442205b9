// The options of calls. `readOptions` holds each against what the call reads. No code.
import type { Family, Kind } from "./specs.gen.js";
import type { InputTensor, MaskLike, NumberArray, Positions, TensorType } from "./types.js";

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
 * shares no memory with an input, another result, or the encoding's learned parameters and gradients (`invalid-argument`). Only
 * `backward` of rotations and biases and `applyBackward` of turning encodings may have their `gradOut` as `out`, and
 * `permuteWeights` its weights. `apply`, `rerotate`,
 * `addTo` and `applyTo` work in place, on their one tensor.
 */
export interface OutOption<Out extends InputTensor | undefined = InputTensor | undefined> {
  /** Receives the result; the call returns it. Default: a new tensor. */
  out?: Out;
}

/** What a call with `out` returns: that tensor, or without one a new result. */
export type ResultIn<Out, New> = {
  // By name, so that TypeScript does not infer `Out` from the type of the variable that the result goes into.
  given: Exclude<Out, undefined>;
  made: New;
}[Out extends InputTensor ? "given" : "made"];

/** What the numbers of a new result are. */
export interface TypeOption<Type = TensorType> {
  /** "float16" and "bfloat16" are float32 rounded once, to the nearest, to even between two. Default "float32". */
  type: Type;
}

/**
 * The type of a new result, "float32" by default: "float16" and "bfloat16" round float32 to the nearest value. A result that
 * goes into `out` has that tensor's type. A `type` of another value that may be missing is a type error: the result could be
 * of either.
 */
export type NewTypeOption<Type extends TensorType, Out> = [Type] extends ["float32"]
  ? Partial<TypeOption<Out extends InputTensor ? never : Type>>
  : TypeOption<Out extends InputTensor ? never : Type>;

/** Without `type` a new result has float32. */
export interface NoTypeOption {
  /** Not given. */
  type?: undefined;
}

/** Any encoding, as far as options know one: what `pe.create` and `pe.fromConfig` answer. */
export interface EncodingLike {
  /** Those of the family "table" are added to the features instead. */
  readonly family: Family;
  /** As in its spec. */
  readonly kind: Kind;
}

/** No encoding has this: attention cannot apply a table, and TypeScript says so. Call `addTo` of the table instead. */
export interface TablesAreAddedToFeatures {
  /** Add the table to the features before you make queries and keys of them. */
  readonly useAddToBeforeAttention: never;
}

/** An encoding that attention can apply: of one of the families `F`, unless that can only be "table". */
export type AttentionEncoding<F extends Family = Family> = EncodingLike & {
  readonly family: F;
} & ([F] extends ["table"] ? TablesAreAddedToFeatures : unknown);

/** A rotary encoding. */
export interface RotaryLike extends EncodingLike {
  /** Only these turn keys. */
  readonly family: "rotary";
}

/** None. */
export interface NoneLike extends EncodingLike {
  /** What it turns stays as it is. */
  readonly kind: "none";
}

/**
 * Where things stand. Without anything: positions 0, 1, 2 …
 * `offset` moves the first position (a KV cache of `offset` tokens); `positions` gives each one; encodings with several
 * axes (images, video) take those of each axis, or `grid`. All within ±2^48.
 */
export interface At {
  /** How many positions. Default: as many as x has, `positions` gives or `grid` holds. */
  length?: number;
  /** The first position; the others follow one by one. Default 0. */
  offset?: number;
  /** Each position; not beside `offset`. */
  positions?: Positions;
  /** All places of a grid, row by row: [height, width], [frames, height, width]. Beside `positions`: its size. */
  grid?: readonly number[];
}

/** Where the rows of a table stand. */
export interface TableAt extends At {
  /** Class tokens before the places of `grid`; they get rows of zeros. Default 0. */
  prefix?: number;
}

/** For rotations whose frequencies go by the length of the sequence. */
export interface SequenceOption {
  /**
   * The sequence length that `rope-dynamic`, `rope-qwen` and `rope-longrope` go by, and half of which `xpos` is centred on.
   * Default: the largest position + 1.
   */
  sequenceLength?: number;
}

/** Where queries or keys stand that are turned. */
export interface RotaryAt extends At, SequenceOption {}

/** Class tokens of learned rotations. */
export interface PrefixOption {
  /** Tokens before the places of `grid`, which learned rotations (`rope-mixed`, `liere`) leave as they are. Default 0. */
  prefix?: number;
}

/** Where keys or queries of attention stand, as many as there are of them. */
export interface AttentionAt extends Omit<At, "length">, SequenceOption, PrefixOption {}

/** Where queries or keys stand whose rows a learned map changes, and which way. */
export interface TurnOptions extends At, PrefixOption, LayoutOption {
  /** Undoes `apply`. */
  inverse?: boolean;
  /** By the transposed maps: the gradient of `apply`. */
  transpose?: boolean;
}

/** `bhtd` = [batch, heads, positions, dim], `bthd` = [batch, positions, heads, dim]. */
export type Layout = "bhtd" | "bthd";

/** How the dims of queries, keys and values are ordered. */
export interface LayoutOption {
  /** Default "bhtd". */
  layout?: Layout;
}

/** Dropout after the sum, as PyTorch has it: x 0 or x / (1 - dropout). */
export interface DropoutOptions {
  /** Probability in [0, 1) that an element becomes 0; the others are divided by 1 - dropout. */
  dropout?: number;
  /** The same seed drops the same elements, in every build and engine. Default 0. */
  seed?: number;
  /** `false` switches dropout off. Default true. */
  training?: boolean;
}

/** For rotations that treat queries and keys differently. */
export interface RoleOption {
  /** Is it queries or keys that turn? `xpos` must know; to all others it is the same. */
  role?: "query" | "key";
}

/** Where queries or keys stand, and which way they turn. */
export interface ApplyOptions extends RotaryAt, LayoutOption, RoleOption {
  /** Rotate back and divide by the attention factor: undoes `apply`. */
  inverse?: boolean;
  /** Rotate back and multiply by the attention factor: the gradient of `apply`. */
  transpose?: boolean;
}

/**
 * `from` and `to`: positions, or a rotary encoding (then `positions` or `offset` say where the keys stand). For kinds that
 * go by the sequence length, `fromSequenceLength` is the one the keys were turned in and `sequenceLength` the new one.
 */
export interface RerotateOptions extends RotaryAt, LayoutOption {
  /** Where the keys stand, or the encoding that turned them. */
  from: Positions | number | RotaryLike;
  /** Where they are to stand, or the encoding that they are for. */
  to: Positions | number | RotaryLike;
  /** Default: `sequenceLength`. */
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

/** How many queries and keys there are, where they stand, and which keys are hidden. */
export interface BiasOptions extends ApplyBiasOptions {
  /** Rows of the result. */
  queries: number;
  /** Columns of the result. */
  keys: number;
}

/** How many queries and keys there are, and where they stand. */
export interface BucketOptions extends BiasPlaces {
  /** Rows of the result. */
  queries: number;
  /** Columns of the result. */
  keys: number;
}

/**
 * Scores of a query at position p are multiplied by 1 + factor · ln(1 + ⌊(p + offset) / length⌋).
 * Llama 4: { factor: 0.1, length: 8192, offset: 1 }; Ministral 3: { factor: β, length: L0 }.
 */
export interface StepTemperature {
  /** Default. */
  rule?: "steps";
  /** How much the logarithm counts. */
  factor: number;
  /** Positions in which it rises by a step, > 0. */
  length: number;
  /** Default 0. */
  offset?: number;
}

/**
 * Scores of a query at position p are multiplied by max(1, ln(p + offset + 1) / ln(length)): LogN (Qwen 1, ReRoPE).
 * Source: Su 2021, kexue.fm/archives/8823.
 */
export interface LogTemperature {
  /** By the logarithm of the position. */
  rule: "log-n";
  /** Positions that the model was trained on, > 1. */
  length: number;
  /** Default 0. */
  offset?: number;
}

/** What scores of a query are multiplied by. */
export type Temperature = StepTemperature | LogTemperature;

/**
 * Keys nearer than `window` to a query at position p stand where they are; others at position j are seen at ⌊p / group⌋ +
 * window - window / group - ⌊j / group⌋. Keys after the query are near. Source: Jin et al. 2024, arXiv:2401.01325.
 */
export interface SelfExtend {
  /** The rule. */
  kind: "self-extend";
  /** So many positions count as one, a whole number ≥ 1. */
  group: number;
  /** A whole number ≥ 1. LongLM's versions agree only for multiples of `group`; for others this is the one of its Llama. */
  window: number;
}

/**
 * Keys at a distance |d| < `window` stand where they are, others are seen at window + leak · (d - window); with leak 0,
 * keys after the query are seen at `window`, too, as in the original. Source: Su 2023, kexue.fm/archives/9708. The
 * original multiplies queries, too: `temperature: { rule: "log-n", length }` with the trained length.
 */
export interface ReRope {
  /** The rule. */
  kind: "rerope";
  /** A whole number ≥ 1. */
  window: number;
  /** From 0 (default: ReRoPE) to 1 (plain distances): Leaky ReRoPE's 1 / scaling factor. */
  leak?: number;
}

/**
 * Dual chunk attention: keys are turned by their place in a chunk of c = chunk - local; queries p against the keys of their
 * chunk (and of later ones, which the original hides) by p mod c, of the chunk before by min(p mod c + c, chunk), of older
 * chunks by min(2c - 1, chunk). Source: An et al. 2024, arXiv:2402.17463; Qwen2.5-1M, arXiv:2501.15383.
 */
export interface DualChunk {
  /** The rule. */
  kind: "dual-chunk";
  /** The largest distance, a whole number > local: `chunk_size`. */
  chunk: number;
  /** How far distances reach into the chunk before, a whole number ≥ 0: `local_size`. */
  local: number;
  /**
   * Scores are multiplied by max(1, 1 + ln(sequence length / trained) / 10), as Qwen2.5-1M does:
   * `original_max_position_embeddings`. Default: they are not.
   */
  trained?: number;
}

/** What becomes of the distances that a rotation sees, so that a model reads more than it was trained on. */
export type Remap = SelfExtend | ReRope | DualChunk;

/** What some relative encodings read of each token, which are the keys; queries are the last of them. */
export interface TokenOptions {
  /**
   * `forget`, `path`, `data-dependent-alibi`: logarithms of the gates that each token closes on those before it, [B, Hq, Tk]
   * ("bthd": [B, Tk, Hq]); twice as many heads where the gates are bidirectional. `path` can go without.
   */
  logGates?: InputTensor;
  /** `path`: the direction of each token's reflection, like k, of length 1. */
  directions?: InputTensor;
  /** `path`: how far each token reflects, 0 to 2, [B, Hk, Tk] ("bthd": [B, Tk, Hk]). */
  strengths?: InputTensor;
  /**
   * `grape-ap`, `per-row-alibi`: a row for each token and query head, [B, Hq, Tk, width] ("bthd": [B, Tk, Hq, width]), of any even
   * width or of 2 · gateDim.
   */
  gateRows?: InputTensor;
}

/** Which positions attention has, what it may see, how scores are made. */
export interface AttentionOptions<F extends Family = Family> extends LayoutOption, VisibilityOptions, TokenOptions {
  /**
   * Rotary encodings turn q and k inside; bias encodings are added to the scaled scores; relative encodings join q·k
   * before the scale (and Shaw's the values).
   */
  encoding?: AttentionEncoding<F>;
  /** Query i sees key j only if j <= i + (keys - queries): the last query sees the last key. */
  causal?: boolean;
  /** w: keys nearer than w to the query (w = 1: itself only); [left, right]: that many keys on either side. */
  window?: number | readonly [number, number];
  /** Added to the scaled scores: [Tq, Tk], [H, Tq, Tk] or [B or 1, H or 1, Tq, Tk]. */
  bias?: InputTensor;
  /**
   * Default 1 / sqrt(width of q); DeBERTa divides by the number of its terms, too: 1 / sqrt(width * terms). Models with
   * another one say so in their config (Gemma, Granite, DeepSeek …; page Configs) or in their code (T5: 1).
   */
  scale?: number;
  /** Scores become softcap * tanh(score / softcap) before bias and mask (Gemma 2). */
  softcap?: number;
  /** Scores of far queries are sharpened (Llama 4's layers without positions, Ministral 3, Qwen 1); see `Temperature`. */
  temperature?: Temperature;
  /**
   * Distances beyond those of the training count as smaller ones: SelfExtend, ReRoPE, dual chunk attention; see `Remap`. For
   * every rotary encoding whose positions have one axis, but for xpos. Positions stay those of `at`; for kinds that go by the
   * sequence length, so does the length.
   */
  remap?: Remap;
  /** One logit per query head that joins the softmax and is then dropped (gpt-oss). */
  sinks?: NumberArray;
  /** Where the keys stand; queries are the last of them unless `queryAt` says otherwise. */
  at?: AttentionAt;
  /** Where the queries stand. Default: they are the last of the keys. */
  queryAt?: AttentionAt;
  /** `cope` only: keys like k whose products with q open the gates (default: k itself). */
  gateKeys?: InputTensor;
}

/** What a cache is made for. */
export interface CacheOptions<F extends Family = Family> extends LayoutOption {
  /** Heads of keys and values. */
  heads: number;
  /** Width of keys. */
  dim: number;
  /** Width of values. Default: `dim`. */
  valueDim?: number;
  /**
   * How many tokens there is room for. Default under a policy: sinks + window + undo + the larger of 64 and window / 4; longer
   * appends take more memory, until the next append.
   */
  capacity?: number;
  /** What `attend` and `read` use unless they are told otherwise. */
  encoding?: AttentionEncoding<F> | null;
  /** Rows that are generated together. Default 1. */
  batch?: number;
  /** How numbers are stored: float16 in half of the memory, int8 (a scale for each row and head) in a quarter. Default "float32". */
  type?: "float32" | "float16" | "int8";
  /** Which tokens it keeps. Default: all of them, until it is full. */
  policy?: CachePolicy;
}

/**
 * A sliding window: the last `window` tokens stay. With `sinks` the first ones stay, too, and positions are counted inside the
 * cache, so that models go on beyond their length. Source: Xiao et al. 2023, arXiv:2309.17453.
 */
export interface CachePolicy {
  /** How many tokens a query sees, itself and those right before it. */
  window: number;
  /** How many of the first tokens all queries see besides. Default 0. */
  sinks?: number;
  /** How many of the newest tokens `truncate` may take back: as many that left the window are kept for that. Default 0. */
  undo?: number;
}

/** Where appended tokens stand. Default: they go on from the last. */
export type CacheAt = Pick<At, "offset" | "positions">;

/** The options of `attention`, except layout and positions, which are the cache's, and `gateKeys`, which caches do not store. */
export interface AttendOptions<F extends Family = Family> extends Omit<
  AttentionOptions,
  "layout" | "at" | "queryAt" | "encoding" | "gateKeys"
> {
  /** Default: the cache's. null: none, for this call. */
  encoding?: AttentionEncoding<F> | null;
}

/** What a cache is read out as. */
export interface ReadingOptions {
  /** What turns the keys: a rotary one. Default: the cache's, or none. null: none. */
  encoding?: RotaryLike | NoneLike | null;
  /** Where keys and values go. */
  out?: { k?: InputTensor; v?: InputTensor };
}

/** Where the keys stand (queries are the last of them unless `queryAt` says otherwise), and which of them are hidden. */
export interface LogitsOptions
  extends
    Pick<At, "offset" | "positions" | "grid">,
    PrefixOption,
    VisibilityOptions,
    TokenOptions,
    Pick<AttentionOptions, "causal" | "window" | "layout" | "queryAt"> {}

/** How many queries a bias of gates is for, and which keys are hidden. */
export interface GateBiasOptions extends LayoutOption, VisibilityOptions, Pick<AttentionOptions, "causal" | "window"> {
  /** The last so many of the tokens. Default: all of them. */
  queries?: number;
}

/** The same for positions that follow from what queries and keys say. */
export interface ContextLogitsOptions extends LogitsOptions, Pick<AttentionOptions, "gateKeys"> {}

/** Which rows these are, and where they stand. */
export interface ExpandOptions extends Pick<At, "offset" | "positions">, LayoutOption {
  /** Queries and keys are expanded differently. */
  role: "query" | "key";
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

/** The same for plain tensors. */
export interface ResizeTableOptions extends ResizeOptions {
  /** The gradient: the table is that of a result (of `grid` or `length`), what comes back that of its table (`from`). */
  transpose?: boolean;
}

/** Another window for `swin`; what is left out stays as it is. */
export interface WindowResizeOptions extends Pick<ResizeOptions, "mode" | "antialias"> {
  /** Places in a column. */
  windowHeight?: number;
  /** Places in a row. */
  windowWidth?: number;
}
