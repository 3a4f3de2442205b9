// The options of a rewrite.
import type { Remap, ResizeTableOptions, Temperature } from "../base/call-options.js";
import type { KindsOf, Spec } from "../base/specs.gen.js";
import type { Tensor } from "../base/types.js";
import type { RotaryEncoding } from "../encodings/rotary.js";
import type { PositionalComponent } from "./component.js";

/** Options of `layerSpecs`. */
export interface LayerChoice {
  readonly part?: "text" | "vision" | "audio" | "encoder" | "decoder";
  readonly pairing?: "half" | "interleaved";
}

/** A layer of a model, as `layerSpecs` returns it. */
export interface LibraryLayerSpec {
  /** Part of the model that the layer belongs to. */
  readonly part: string;
  /** Kind of layer: "full_attention", "sliding_attention", … */
  readonly type: string;
  /** null: the layer has no positions. */
  readonly spec: Spec | null;
  /** A causal layer attends to keys at a distance below it; or [left, right]. */
  readonly window?: number | readonly [number, number];
  /** Remapping of distances (dual chunk attention of Qwen2.5-1M). */
  readonly remap?: Remap;
  /** Temperature of the queries. */
  readonly temperature?: Temperature;
  /** Fields that have Llama's values; "type": all layers are assumed to be alike. */
  readonly assumed: readonly string[];
}

/** The methods of a posenc instance that `audit` and `rewrite` call. `init()` of posenc returns one. */
export interface Library {
  /**
   * Creates an encoding from its spec.
   *
   * @param spec Spec of any kind.
   * @returns The encoding.
   * @throws {PosencError} `invalid-spec` if a field is unknown, missing, of the wrong type or out of range.
   */
  create(spec: Spec): unknown;
  /**
   * Creates the encoding of a model from its Hugging Face config.json.
   *
   * @param config The object of a config.json.
   * @param options Layer type and pair layout. Default: those that the config implies.
   * @returns The encoding, with the names of `assumed` and `ignored` fields.
   * @throws {PosencError} `invalid-argument`, `invalid-spec` or `unsupported`.
   */
  fromConfig(
    config: unknown,
    options?: { layerType?: string; pairing?: "half" | "interleaved" },
  ): {
    readonly family: string;
    readonly spec: Spec;
    readonly assumed: readonly string[];
    readonly ignored: readonly string[];
  };
  /**
   * Loads parts of the library. `rewrite` loads what reads configs and resizes tables.
   *
   * @param parts Names of parts.
   * @throws {PosencError} `load-failed`.
   */
  load?(...parts: readonly ("config" | "resize")[]): Promise<void>;
  /**
   * Returns the specs of a model's layers from its Hugging Face config.json. Without it, a config must have one rotation for
   * all layers, and its layers are not compared with the graph's.
   *
   * @param config The object of a config.json.
   * @param options Part of the model and pair layout.
   * @returns One entry per layer.
   * @throws {PosencError} `invalid-argument` or `unsupported`.
   */
  layerSpecs?(config: object, options?: LayerChoice): readonly LibraryLayerSpec[];
  /**
   * Returns the rows of a learned table for another length or grid.
   *
   * @param table Shape [rows, dim], float32.
   * @param options New length or grid, and interpolation.
   * @returns Shape [new rows, dim], float32.
   * @throws {PosencError} `invalid-argument` or `shape-mismatch`.
   */
  resizeTable(table: Tensor, options: ResizeTableOptions): Tensor;
}

/** Some fields of a spec; missing ones are taken from the component. */
type Part<S> = S extends { kind: string } ? Pick<S, "kind"> & Partial<S> : never;

/**
 * A new rotation. One of
 *
 * - a spec; missing `dim`, `base` and `pairing` are taken from the component;
 * - an encoding;
 * - the config.json of a model: each component gets the rotation that the config has for its layers.
 */
export type RotaryChoice =
  | Part<Extract<Spec, { kind: KindsOf["rotary"] }>>
  | RotaryEncoding
  | { readonly model_type: string; readonly [field: string]: unknown };
/**
 * A new bias: a spec of `alibi`, whose missing `heads` are taken from the component, or the `maxDistance` of `t5` and
 * `deberta`, whose buckets stay unchanged.
 */
export type BiasChoice = Part<Extract<Spec, { kind: "alibi" | "t5" | "deberta" }>>;

/**
 * A window: keys at a distance below a number ≥ 1, or [left, right]: numbers of keys before and after the query. Infinity: no
 * window.
 */
export type WindowSize = number | readonly [left: number, right: number];

/**
 * A value for all layers, a function that returns the value for a layer (undefined: no change), or the config.json of a model:
 * each layer gets the value that the config has for it.
 */
export type ByLayer<T> =
  T | ((layer: number) => T | undefined) | { readonly model_type: string; readonly [field: string]: unknown };

/** Options of `rewrite`: what changes. Everything else stays byte for byte. */
export interface RewriteOptions {
  /** New rotation of all rotary components, or a function that returns one for a component; undefined: no change. */
  readonly rotary?: RotaryChoice | ((component: PositionalComponent) => RotaryChoice | undefined);
  /** New bias of all bias components, or a function that returns one for a component; undefined: no change. */
  readonly bias?: BiasChoice | ((component: PositionalComponent) => BiasChoice | undefined);
  /**
   * New length of texts in tokens: rows of tables, and frequencies of rotations that depend on the length. Default: tables of
   * cosines and sines get as many rows as a scaled rotation needs, factor × `originalLength`; other tables keep theirs.
   */
  readonly length?: number;
  /**
   * New rows and columns of patches, for tables that are added to the patches of an image. Bicubic interpolation unless `resize`
   * is given.
   */
  readonly grid?: readonly number[];
  /** Interpolation of learned tables. undefined: learned tables of text keep their rows. */
  readonly resize?:
    | "nearest"
    | "linear"
    | "bicubic"
    | { readonly mode: "nearest" | "linear" | "bicubic"; readonly alignCorners?: boolean };
  /**
   * New window of the self-attention. Distances are differences of token indices, as in Transformers. A wider window than the
   * present one is possible only for fused operators with an attribute for it.
   */
  readonly window?: ByLayer<WindowSize>;
  /**
   * New distances between far tokens (SelfExtend, ReRoPE, dual chunk attention), for texts longer than in training: as the option
   * `remap` of `attention`. Cached keys stay rotated by their own positions; each call rotates them to the new ones, so caches of
   * the original model fit. Fused attention is replaced by its parts, which are slower.
   */
  readonly remap?: ByLayer<Remap>;
  /** Factor of the scores by the position of the query, as the option `temperature` of `attention`. */
  readonly temperature?: ByLayer<Temperature>;
  /** "float32": computes angles, and logarithms of distances, in float32 if the graph computes them in float16. */
  readonly angles?: "float32";
  /**
   * "inputs": cosines and sines of all rotations, or of those for which the function returns "inputs", become graph inputs
   * `rope_cos` and `rope_sin` (further ones `rope_cos.1`, …). `withRotaryTables` of posenc/transformers feeds them.
   */
  readonly tables?: "inputs" | ((component: PositionalComponent) => "inputs" | undefined);
  /**
   * `true`: the attention weights of each layer become outputs, float32 [batch, heads, queries, keys]: `attentions.0`, …; of
   * decoders `decoder_attentions.0`, … and `cross_attentions.0`, …, with `encoder_attentions.0`, … if the file has an encoder,
   * too. Three dims if batch and heads are one dim and the graph does not show the number of heads.
   */
  readonly attention?: boolean;
  /**
   * `true`: options that find nothing in this file are listed in `unused` of the result instead of throwing. For checkouts of
   * several files, of which each option changes some.
   */
  readonly partial?: boolean;
}
