// Relative encodings with further methods: buckets of distances, contextual positions, expanded rows.
import type { ContextLogitsOptions, ExpandOptions, LogitsOptions, ResultIn, OutOption } from "../base/call-options.js";
import { AttentionRows, HeadLayout, Operation, Role } from "../base/calls.gen.js";
import { checkNumbers } from "../base/arrays.js";
import { layout, must, readOptions, role, tensor } from "../base/options.js";
import type { CopeSpec, DebertaSpec, GrapeASpec, PopeSpec, ShawSpec, Spec } from "../base/specs.gen.js";
import type { InputTensor, NumberArray, OwnedInt32Array, Tensor } from "../base/types.js";
import { positionRegion, run } from "../positions/at.js";
import { produce, readable } from "../tensors/operand.js";
import { addFallbackMethods } from "./encoding.js";
import { GatedRelative, GatedRowRelative, RowRelative, StateRelative } from "./gated.js";
import { RelativeEncoding } from "./relative.js";
import { attentionRows } from "./scores.js";
import type { LogitsGradients, LogitsGradientsOut, Written } from "./training.js";
import { TransformRelative } from "./transforms.js";

const expandOptions = { ...run, role: must(role), layout, out: tensor };

/** A relative encoding that sorts distances into buckets. */
export class BucketRelative<S extends Spec = ShawSpec | DebertaSpec> extends RelativeEncoding<S> {
  /**
   * Returns the bucket of each distance.
   *
   * For `shaw` and `nezha` it is the row of the tables, for `deberta` the signed bucket.
   * @param distances Key position - query position, finite numbers within ±2^49.
   * @returns Shape [distances.length], int32.
   * @throws {PosencError} `invalid-argument` if a distance is not a finite number; `out-of-range` if it is beyond ±2^49.
   */
  bucketOf(distances: NumberArray): OwnedInt32Array {
    checkNumbers(distances, "distances");
    return this.core.withScratch(() => {
      const count = distances.length;
      const address = this.core.borrowDoubles(distances, "distances");
      const result = this.core.borrow(4 * count);
      this.core.call(Operation.relativeBuckets, this.handle, { address, length: count }, result);
      const { buffer, byteOffset } = this.core.bytes(result, 4 * count);
      return new Int32Array(buffer, byteOffset, count).slice();
    });
  }
}

/** A relative encoding whose positions are computed from queries and keys. */
export class ContextRelative<S extends Spec = CopeSpec> extends RelativeEncoding<S> {
  /**
   * Computes the contextual distance of each key from each query, the sum of the gates from the key to the query.
   *
   * It is at most `maxPosition` - 1, and 0 for masked keys.
   * @param q Queries, shape [B, Hq, Tq, D], or [B, Tq, Hq, D] with `layout: "bthd"`.
   * @param k Keys, shape [B, Hk, Tk, D] in the same layout. Hq is a multiple of Hk.
   * @param options Options of `logits`; `out` receives the result.
   * @returns Shape [B, Hq, Tq, Tk], float32; `out` if it was given.
   * @throws {PosencError} `shape-mismatch`, `invalid-argument`, `out-of-range`, `unsupported` or `out-of-memory`, as `logits`.
   * @see Golovneva et al. 2024, arXiv:2405.18719, eq. 2 to 5
   */
  contextPositions<Out extends InputTensor | undefined = undefined>(
    q: InputTensor,
    k: InputTensor,
    options: ContextLogitsOptions & OutOption<Out> = {},
  ): ResultIn<Out, Tensor> {
    return this.rows("positions", q, k, options);
  }
}

/** The calls of `ContextRelative` that take the further option `gateKeys`: the keys from which gates are computed. */
export interface ContextRelative<S extends Spec = CopeSpec> {
  /**
   * Computes attention scores before any scale, as `RelativeEncoding.logits`, with the further option `gateKeys`.
   *
   * @param q Queries, shape [B, Hq, Tq, D], or [B, Tq, Hq, D] with `layout: "bthd"`.
   * @param k Keys, shape [B, Hk, Tk, D] in the same layout. Hq is a multiple of Hk.
   * @param options Positions, masks, `gateKeys` (shape of k) from which the gates are computed, default k; `out` receives the
   * result.
   * @returns Shape [B, Hq, Tq, Tk], float32; `out` if it was given.
   * @throws {PosencError} `shape-mismatch`, `invalid-argument` or `out-of-range` if the inputs or options do not fit;
   * `unsupported` if a per-token input such as `logGates` is given; `out-of-memory`.
   */
  logits<Out extends InputTensor | undefined = undefined>(
    q: InputTensor,
    k: InputTensor,
    options?: ContextLogitsOptions & OutOption<Out>,
  ): ResultIn<Out, Tensor>;
  /**
   * Computes the gradients of `logits`, called with the same options, and of `gateKeys` if they were given.
   *
   * Adds the gradients of the parameters to `gradients`.
   * @param q Queries of the forward call, shape [B, Hq, Tq, D], or [B, Tq, Hq, D] with `layout: "bthd"`.
   * @param k Keys of the forward call, shape [B, Hk, Tk, D] in the same layout.
   * @param gradOut Gradient of the scores, shape [B, Hq, Tq, Tk].
   * @param options Options of the forward call; the tensors of `out` receive the gradients of their names.
   * @returns Gradients of `q`, `k` and `gateKeys`, each with the dims of its input, float32. Tensors of `out` are returned by
   * their names.
   * @throws {PosencError} `shape-mismatch`, `invalid-argument`, `out-of-range`, `unsupported` or `out-of-memory`, as `logits`.
   */
  backward<Out extends Partial<LogitsGradients<InputTensor>> = {}>(
    q: InputTensor,
    k: InputTensor,
    gradOut: InputTensor,
    options?: ContextLogitsOptions & LogitsGradientsOut<Out>,
  ): Written<LogitsGradients, Out>;
}

/** A relative encoding that expands queries and keys to magnitudes and phases. */
export class PolarRelative<S extends Spec = PopeSpec> extends RelativeEncoding<S> {
  /**
   * Expands queries or keys to the rows whose products are the attention scores.
   *
   * Each rotated feature becomes magnitude · cos and magnitude · sin, interleaved; the other features follow. If the queries are
   * the last of Tk keys, pass `offset: Tk - Tq`.
   * @param x Queries or keys, shape [B, H, T, D], or [B, T, H, D] with `layout: "bthd"`.
   * @param options `role` (required), positions, `layout`; `out` receives the result.
   * @returns Shape [B, H, T, D + rotaryDim] in the layout of x, float32; `out` if it was given.
   * @throws {PosencError} `shape-mismatch`, `invalid-argument` or `out-of-range` if x or the options do not fit; `out-of-memory`.
   * @see Gopalakrishnan et al. 2025, arXiv:2509.10534
   */
  expand<Out extends InputTensor | undefined = undefined>(
    x: InputTensor,
    options: ExpandOptions & OutOption<Out>,
  ): ResultIn<Out, Tensor> {
    const read = readOptions(options, expandOptions);
    const { role, layout, out } = read;
    return this.core.withScratch(() => {
      const source = readable(this.core, x, "x");
      const positions = positionRegion(this.core, read, source.dims[layout === HeadLayout.bhtd ? 2 : 1] ?? 0);
      const width = this.dim + ((this.spec as { rotaryDim?: number }).rotaryDim || this.dim);
      return produce(this.core, [...source.dims.slice(0, -1), width], out, (result) =>
        this.core.call(Operation.relativeExpand, this.handle, source, role === Role.key, layout, positions, result),
      );
    }) as never;
  }
}

/** A relative encoding that adds a bias, computed from queries and keys, to scaled scores. */
export class BiasedRelative<S extends Spec = GrapeASpec> extends RelativeEncoding<S> {
  /**
   * Computes the bias that is added to scaled scores, for attention that is computed elsewhere.
   *
   * Masked keys get -Infinity.
   * @param q Queries, shape [B, Hq, Tq, D], or [B, Tq, Hq, D] with `layout: "bthd"`.
   * @param k Keys, shape [B, Hk, Tk, D] in the same layout. Hq is a multiple of Hk.
   * @param options Options of `logits`; `out` receives the result.
   * @returns Shape [B, Hq, Tq, Tk], float32; `out` if it was given.
   * @throws {PosencError} `shape-mismatch`, `invalid-argument`, `out-of-range`, `unsupported` or `out-of-memory`, as `logits`.
   */
  biasOf<Out extends InputTensor | undefined = undefined>(
    q: InputTensor,
    k: InputTensor,
    options: LogitsOptions & OutOption<Out> = {},
  ): ResultIn<Out, Tensor> {
    return attentionRows(this.core, AttentionRows.logits, q, k, { ...this.logitsOptions(options), scale: 0 }) as never;
  }
}

addFallbackMethods(
  RelativeEncoding,
  BucketRelative,
  ContextRelative,
  PolarRelative,
  BiasedRelative,
  GatedRelative,
  RowRelative,
  GatedRowRelative,
  StateRelative,
  TransformRelative,
);
