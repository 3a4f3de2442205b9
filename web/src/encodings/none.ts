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
 * No positions at all, for comparisons that need no special case: a bias of 0 that fits attention of any heads, and beside it
 * the calls by which tables and rotations change features, which change nothing here.
 */
export class NoEncoding<S extends Spec = Extract<Spec, { kind: KindsWith["addTo"] }>> extends BiasEncoding<S> {
  /** As of a table, of which nothing is added: x [..., T, dim] stays as it is. Returns x. Throws: invalid-argument. */
  addTo<T extends InputTensor>(x: T, options: TableAt = {}): T {
    readOptions(options, tableOptions);
    return this.unchanged(x);
  }

  /**
   * As of a rotation, by which nothing turns: x [B, H, T, D] ("bhtd") or [B, T, H, D] ("bthd") stays as it is. Returns x.
   * Throws: invalid-argument.
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
