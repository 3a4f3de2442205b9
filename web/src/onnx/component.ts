// The positional components of a model.
import type { Spec } from "../base/specs.gen.js";
import type { OwnedFloat64Array } from "../base/types.js";
import type { Fits } from "./find/match.js";
import type { DataType } from "./read/values.js";

/** A positional component of a graph: a rotation, bias, table or relative encoding. */
export interface PositionalComponent {
  /** Family of the encodings that do the same. */
  readonly family: "table" | "rotary" | "bias" | "relative";
  /**
   * Form of the component in the graph.
   *
   * - Rotation: `frequencies`, `tables` or `cache`. If `changeable` is false, also `inputs`: its tables are inputs of the graph, and
   *   `remapped`: far tokens have other distances.
   * - Bias: `slopes`, `baked-slopes`, `buckets` or `windowed`. If `changeable` is false: `offsets` or `network`.
   * - Table: `gathered`, `added`, `resized` or `frequencies`. If `changeable` is false: `computed-from-mask`.
   * - Relative encoding, with `changeable` false: `shaw`, `transformer-xl`, `decomposed` or `convolution`.
   */
  readonly form: string;
  /** false: `rewrite` cannot change it and leaves it unchanged. undefined: `rewrite` can change it. */
  readonly changeable?: false;
  /** Indices of the layers that use it, from 0; empty if the graph does not show them. */
  readonly layers: readonly number[];
  /** Number of heads of a bias. */
  readonly heads?: number;
  /** Number of features that a rotation rotates, or of a table's rows. */
  readonly dim?: number;
  /** Pair layout of a rotation; undefined if the graph does not show it. */
  readonly pairing?: "half" | "interleaved";
  /** Number of rows of a table, of buckets or of offsets; for a convolution, the size of its kernel in tokens. */
  readonly rows?: number;
  /** Rows and columns of patches, if the graph shows them. */
  readonly grid?: readonly [number, number];
  /** Data type in which its values are stored. */
  readonly type: DataType;
  /** Factor of cosines and sines (YaRN, LongRoPE). */
  readonly attentionFactor?: number;
  /** Frequency of each pair in radians per position, [pairs]. */
  readonly frequencies?: OwnedFloat64Array;
  /** Spec of the rule that its values follow; undefined if the graph alone does not determine one. */
  readonly spec?: Spec;
  /**
   * Values of `spec` fields that give the same frequencies as `spec`. undefined: no other value is known.
   *
   * { originalLength: [768, 1024] }: the model was made with either value.
   */
  readonly fits?: Fits;
  /** Largest difference from the rule: relative for frequencies and slopes, absolute for cosines and sines. */
  readonly error?: number;
  /** Length in tokens of the longest text for which it has enough rows. */
  readonly maxLength?: number;
  /** DeBERTa, whose head dimension the graph does not show: number of buckets of distances. */
  readonly buckets?: number;
  /** DeBERTa: distance in tokens at which buckets end. */
  readonly maxDistance?: number | undefined;
  /** Names in the file of the tensors that hold its values and of the nodes that use them. */
  readonly where: { readonly tensors: readonly string[]; readonly nodes: readonly string[] };
}
