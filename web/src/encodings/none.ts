// No positional encoding, as an encoding.
import type { ApplyOptions, TableAt } from "../base/call-options.js";
import { readOptions } from "../base/options.js";
import type { KindsWith, Spec } from "../base/specs.gen.js";
import type { InputTensor } from "../base/types.js";
import { operand } from "../tensors/operand.js";
import { BiasEncoding } from "./bias.js";
import { applyOptions } from "./rotary.js";
import { tableOptions } from "./table.js";

/**
 * No positional information, for comparisons without a special case in your code.
 *
 * It is a bias of 0 for any number of heads. It also has `addTo` of tables and `apply` of rotary encodings, which change nothing.
 */
export class NoEncoding<S extends Spec = Extract<Spec, { kind: KindsWith["addTo"] }>> extends BiasEncoding<S> {
  /**
   * Returns the features unchanged, in place of a table's `addTo`.
   *
   * @param x Features, shape [..., T, dim].
   * @param options Positions. Their names and types are checked; they have no effect.
   * @returns `x`.
   * @throws {PosencError} `invalid-argument` if x is not a tensor or an option is unknown.
   */
  addTo<T extends InputTensor>(x: T, options: TableAt = {}): T {
    readOptions(options, tableOptions);
    return this.unchanged(x);
  }

  /**
   * Returns queries or keys unchanged, in place of a rotary encoding's `apply`.
   *
   * @param x Queries or keys, shape [B, H, T, D], or [B, T, H, D] with `layout: "bthd"`.
   * @param options Options of `apply`. Their names and types are checked; they have no effect.
   * @returns `x`.
   * @throws {PosencError} `invalid-argument` if x is not a tensor or an option is unknown.
   */
  apply<T extends InputTensor>(x: T, options: ApplyOptions = {}): T {
    readOptions(options, applyOptions);
    return this.unchanged(x);
  }

  private unchanged<T extends InputTensor>(x: T): T {
    this.handleIn(this.core);
    operand(this.core, x, "x");
    return x;
  }
}
