// Relative encodings that apply learned position-dependent transforms to queries and keys, and keep the head dimension.
import type { ResultIn, OutOption, TransformOptions } from "../base/call-options.js";
import { Direction, HeadLayout, Operation } from "../base/calls.gen.js";
import { invalid } from "../base/errors.js";
import { flag, layout, readOptions, tensor } from "../base/options.js";
import type { PositionRegion } from "../base/regions.js";
import type { KindsWith, Spec } from "../base/specs.gen.js";
import type { InputTensor, OwnedFloat64Array, Tensor } from "../base/types.js";
import { checkLengthOf, positionOptions, positionRegion, prefix, type Where } from "../positions/at.js";
import { operand, produceFrom, readable } from "../tensors/operand.js";
import { RelativeEncoding } from "./relative.js";

const backwardOptions = { ...positionOptions, prefix, layout, out: tensor };
const transformOptions = { ...positionOptions, prefix, layout, inverse: flag, transpose: flag };

/** Options of the gradient of `apply`. */
export interface TransformBackwardOptions extends Omit<TransformOptions, "inverse" | "transpose"> {}

/**
 * A relative encoding that transforms queries and keys by learned position-dependent maps.
 *
 * Transform both with `apply`, or pass the encoding to `pe.attention`. `heads` of the spec is the number of key heads; query
 * heads share them in groups.
 */
export class TransformRelative<
  S extends Spec = Extract<Spec, { kind: KindsWith["apply"] }>,
> extends RelativeEncoding<S> {
  /**
   * Transforms queries or keys in place: `x` itself changes.
   *
   * `grid` sets the coordinates row by row, after `prefix` tokens that stay unchanged. `positions` is one array per axis, of
   * [T] or [B * T] values, or [B * H * T] if heads have different positions. `inverse` undoes it, `transpose` is its gradient.
   * @param x Queries or keys, shape [B, H, T, D], or [B, T, H, D] with `layout: "bthd"`. It changes.
   * @param options Positions, `layout`, `inverse` or `transpose`.
   * @returns `x`.
   * @throws {PosencError} `shape-mismatch`, `invalid-argument` or `out-of-range` if x or the options do not fit; `unsupported`
   * for the `inverse` of maps that are not rotations (`fope`); `out-of-memory`. `x` is unchanged then.
   * @example
   * pe.create({ kind: "rope-mixed", dim: 64, heads: 12 }).apply(q, { grid: [14, 14], prefix: 1 });
   */
  apply<T extends InputTensor>(x: T, options: TransformOptions = {}): T {
    const at = readOptions(options, transformOptions);
    const tensor = operand(this.core, x, "x");
    if (at.inverse && at.transpose) throw invalid("transpose", "give either inverse or transpose, not both");
    const direction = at.inverse ? Direction.inverse : at.transpose ? Direction.transpose : Direction.forward;
    return this.core.withScratch(() => {
      const positions = this.positionsOf(tensor, at, at.layout);
      const region = readable(this.core, tensor, "x");
      this.core.call(Operation.relativeApply, this.handle, region, at.layout, positions, direction);
      tensor.store();
      return x;
    });
  }

  /**
   * Computes the gradients of `apply`, called with the same options.
   *
   * Adds the gradients of the parameters to `gradients`.
   * @param x Queries or keys before `apply`, shape [B, H, T, D], or [B, T, H, D] with `layout: "bthd"`. It stays unchanged.
   * @param gradOut Gradient of the transformed x, of the same shape. It stays unchanged unless it is `out`.
   * @param options Positions and `layout` of the forward call; `out` receives the result, and may be `gradOut`.
   * @returns Gradient of x, in the shape of x, such as [B, H, T, D]; float32. If `out` was given, `out`.
   * @throws {PosencError} `shape-mismatch`, `invalid-argument` or `out-of-range` if the inputs or options do not fit;
   * `out-of-memory`.
   */
  applyBackward<Out extends InputTensor | undefined = undefined>(
    x: InputTensor,
    gradOut: InputTensor,
    options: TransformBackwardOptions & OutOption<Out> = {},
  ): ResultIn<Out, Tensor> {
    const at = readOptions(options, backwardOptions);
    const gradient = operand(this.core, gradOut, "gradOut");
    return this.core.withScratch(() => {
      const input = readable(this.core, x, "x");
      const positions = this.positionsOf(input, at, at.layout);
      return produceFrom(this.core, this.handle, gradient, at.out, (result) =>
        this.core.call(Operation.relativeApplyBackward, this.handle, input, result, at.layout, positions),
      );
    }) as never;
  }

  /**
   * Current frequencies in radians per unit of an axis, [axes * heads * pairs]; one head if all heads share them.
   *
   * Empty for kinds that do not rotate pairs (`liere`).
   */
  get frequencies(): OwnedFloat64Array {
    return this.core.withScratch(() => {
      const read = (length: number): Float64Array => {
        const address = this.core.borrow(8 * length);
        this.core.call(Operation.relativeFrequencies, this.handle, { address, length });
        return this.core.doubles(address, length);
      };
      const [count = 0] = read(1);
      return read(1 + count).slice(1);
    });
  }

  private positionsOf(x: { dims: readonly number[] }, at: Where, layout: HeadLayout): PositionRegion {
    const count = x.dims[layout === HeadLayout.bhtd ? 2 : 1] ?? 0;
    checkLengthOf(at, count);
    return positionRegion(this.core, at, count);
  }
}
