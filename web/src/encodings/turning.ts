// Relative encodings that change rows of queries and keys by maps of where they stand, and keep their width.
import type { ResultIn, OutOption, TurnOptions } from "../base/call-options.js";
import { Direction, HeadLayout, Operation } from "../base/calls.gen.js";
import { invalid } from "../base/errors.js";
import { flag, layout, readOptions, tensor } from "../base/options.js";
import type { PositionRegion } from "../base/regions.js";
import type { KindsWith, Spec } from "../base/specs.gen.js";
import type { InputTensor, OwnedFloat64Array, Tensor } from "../base/types.js";
import { checkLengthOf, places, positionRegion, prefix, type Where } from "../positions/at.js";
import { operand, produceFrom, readable } from "../tensors/operand.js";
import { RelativeEncoding } from "./relative.js";

const backwardOptions = { ...places, prefix, layout, out: tensor };
const turnOptions = { ...places, prefix, layout, inverse: flag, transpose: flag };

/** The options of the `apply` whose gradient is wanted. */
export interface TurnBackwardOptions extends Omit<TurnOptions, "inverse" | "transpose"> {}

/**
 * A relative encoding that changes rows of queries and keys by learned maps of where they stand: turn both with `apply`, or
 * give it to `pe.attention`. `heads` are those of keys; query heads share them in groups.
 */
export class TurningRelative<S extends Spec = Extract<Spec, { kind: KindsWith["apply"] }>> extends RelativeEncoding<S> {
  /**
   * Changes queries or keys in place: x [B, H, T, D] ("bhtd") or [B, T, H, D] ("bthd"); returns x. Places are those of a
   * `grid` row by row, after `prefix` tokens that have none and stay as they are, or `positions`: one array for each axis, of [T],
   * [B * T] or, where heads stand at places of their own, [B * H * T] numbers. `inverse` undoes it, `transpose` is its gradient.
   * Throws: shape-mismatch, invalid-argument, out-of-range, out-of-memory; unsupported for the inverse of what is no rotation.
   */
  apply<T extends InputTensor>(x: T, options: TurnOptions = {}): T {
    const at = readOptions(options, turnOptions);
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
   * The gradient of `apply` (give the same options): adds that of the learned numbers to `gradients`. x as it was before,
   * gradOut the gradient of what it became, both [B, H, T, D] and untouched. Returns the gradient of x, of the same dims.
   * Throws: as `apply`.
   */
  applyBackward<Out extends InputTensor | undefined = undefined>(
    x: InputTensor,
    gradOut: InputTensor,
    options: TurnBackwardOptions & OutOption<Out> = {},
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
   * Radians for each unit of an axis, [axes * heads * pairs] one after another, as learned now; one head where all share it.
   * Empty for kinds that do not turn pairs (`liere`).
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
