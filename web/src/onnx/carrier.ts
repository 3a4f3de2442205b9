// What a model says of its positions, component by component.
import type { Spec } from "../base/specs.gen.js";
import type { OwnedFloat64Array } from "../base/types.js";
import type { Fits } from "./find/match.js";
import type { DataType } from "./read/values.js";

/** Something in a model that knows positions. */
export interface Carrier {
  /** That of the encodings that do the same. */
  readonly family: "table" | "rotary" | "bias" | "relative";
  /**
   * How the graph has it: `frequencies`, `tables` or `cache` of a rotation; `slopes`, `baked-slopes`, `buckets` or `windowed` of a bias;
   * `gathered`, `added`, `resized` or `frequencies` of a table. If `changeable` is false: `shaw`, `transformer-xl`, `decomposed` or
   * `convolution` of a relative encoding, `offsets` or `network` of a bias, `computed-from-mask` of a table.
   */
  readonly form: string;
  /** false: `rewrite` cannot change it, and leaves it as it is. undefined: `rewrite` can change it. */
  readonly changeable?: false;
  /** Layers that use it, from 0 on; empty: the graph does not tell. */
  readonly layers: readonly number[];
  /** Heads that a bias has. */
  readonly heads?: number;
  /** Features that a rotation turns, or width of a table's rows. */
  readonly dim?: number;
  /** Which features make a pair; undefined where the graph does not tell. */
  readonly pairing?: "half" | "interleaved";
  /** Rows of a table, buckets, or offsets; of a convolution, the width of its kernel in tokens. */
  readonly rows?: number;
  /** Rows and columns of patches, where the graph tells. */
  readonly grid?: readonly [number, number];
  /** What its numbers are stored as. */
  readonly type: DataType;
  /** What cosines and sines are multiplied by: YaRN, LongRoPE. */
  readonly attentionFactor?: number;
  /** Radians per position of each pair, [pairs]. */
  readonly frequencies?: OwnedFloat64Array;
  /** The rule that the numbers follow; undefined: none that is known without more. */
  readonly spec?: Spec;
  /**
   * Values of fields of `spec` that give the same frequencies as the one in `spec`: { originalLength: [768, 1024] } if either is
   * what the model was made with. undefined: no other value is known to fit.
   */
  readonly fits?: Fits;
  /** The largest difference from the rule: relative for frequencies and slopes, absolute for cosines and sines. */
  readonly error?: number;
  /** Longest text, in tokens, that its rows are enough for. */
  readonly maxLength?: number;
  /** Of DeBERTa, whose width the graph does not tell: how many buckets distances have, and up to which. */
  readonly buckets?: number;
  /** Of DeBERTa: the distance, in tokens, where buckets end. */
  readonly maxDistance?: number | undefined;
  /** The tensors that hold its numbers, and nodes that use them, by the names they have in the file. */
  readonly where: { readonly tensors: readonly string[]; readonly nodes: readonly string[] };
}
