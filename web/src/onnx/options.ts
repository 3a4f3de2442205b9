// What a rewrite is asked for.
import type { ResizeTableOptions } from "../base/call-options.js";
import type { KindsOf, Spec } from "../base/specs.gen.js";
import type { Tensor } from "../base/types.js";
import type { RotaryEncoding } from "../encodings/rotary.js";
import type { Carrier } from "./find.js";

/** What makes encodings: what `init()` of posenc gives. */
export interface Library {
  /** An encoding. Throws: invalid-spec. */
  create(spec: Spec): unknown;
  /** The encoding of a config.json. Throws: invalid-argument, invalid-spec, unsupported. */
  fromConfig(
    config: unknown,
    options?: { layerType?: string; pairing?: "half" | "interleaved" },
  ): {
    readonly family: string;
    readonly spec: Spec;
    readonly assumed: readonly string[];
    readonly ignored: readonly string[];
  };
  /** The rows of a table for another length or grid: [rows, dim]. Throws: invalid-argument, shape-mismatch. */
  resizeTable(table: Tensor, options: ResizeTableOptions): Tensor;
}

/** Some fields of a spec: those that are left out are the carrier's. */
type Part<S> = S extends { kind: string } ? Pick<S, "kind"> & Partial<S> : never;

/**
 * A spec whose dim, base and pairing are the carrier's where it does not say; an encoding; or a config.json, of models
 * whose layers all have the same rotation.
 */
export type RotaryChoice =
  | Part<Extract<Spec, { kind: KindsOf["rotary"] }>>
  | RotaryEncoding
  | { readonly model_type: string; readonly [field: string]: unknown };
/** A spec of `alibi` whose heads are the carrier's; of `t5` and `deberta` the `maxDistance`, as the buckets are the graph's. */
export type BiasChoice = Part<Extract<Spec, { kind: "alibi" | "t5" | "deberta" }>>;

/** What is changed; all else stays byte for byte. */
export interface RewriteOptions {
  /** Of all rotations, or of those for which the function answers. */
  readonly rotary?: RotaryChoice | ((carrier: Carrier) => RotaryChoice | undefined);
  /** Of all biases, or of those for which the function answers. */
  readonly bias?: BiasChoice | ((carrier: Carrier) => BiasChoice | undefined);
  /** How long texts become: rows of tables, and what rotations go by that depend on the length. */
  readonly length?: number;
  /** Rows and columns of patches, for tables that are added to those of an image: by bicubic interpolation unless told. */
  readonly grid?: readonly number[];
  /** How learned tables get their other rows: without it they stay. */
  readonly resize?:
    | "nearest"
    | "linear"
    | "bicubic"
    | { readonly mode: "nearest" | "linear" | "bicubic"; readonly alignCorners?: boolean };
  /** Angles that are computed in float16 are computed in float32. */
  readonly angles?: "float32";
  /**
   * "inputs": cosines and sines of all rotations, or of those for which the function says so, become inputs `rope_cos` and
   * `rope_sin` (of further ones `rope_cos.1`, …), as `withRotaryTables` of posenc/transformers feeds them.
   */
  readonly tables?: "inputs" | ((carrier: Carrier) => "inputs" | undefined);
  /**
   * `true`: each layer's attention weights become outputs, float32 [batch, heads, queries, keys]: `attentions.0`, …; of decoders
   * `decoder_attentions.0`, … and `cross_attentions.0`, …
   */
  readonly attention?: boolean;
}
