// No positional encoding, as an encoding.
import type { ApplyOptions, DropoutOptions, TableAt } from "../base/call-options.js";
import { readOptions } from "../base/options.js";
import type { KindsWith, Spec } from "../base/specs.gen.js";
import type { InputTensor } from "../base/types.js";
import { operand, type Operand } from "../tensors/operand.js";
import { BiasEncoding } from "./bias.js";
import { createHandle } from "./encoding.js";
import { applyOptions } from "./rotary.js";
import { addOptions, dropoutOf, TableEncoding } from "./table.js";

/**
 * No positional information, for comparisons without a special case in your code.
 *
 * It is a bias of 0 for any number of heads. It also has `addTo` of tables and `apply` of rotary encodings, which change nothing;
 * only dropout changes features.
 */
export class NoEncoding<S extends Spec = Extract<Spec, { kind: KindsWith["addTo"] }>> extends BiasEncoding<S> {
  /**
   * Returns the features unchanged, in place of a table's `addTo`. Only dropout changes them.
   *
   * @param x Features, shape [..., T, dim]; float32, float16 or bfloat16. With dropout it changes.
   * @param options Positions, which are checked by name and type and have no effect; dropout, as a table of zeros applies it.
   * @returns `x`.
   * @throws {PosencError} `invalid-argument` if x is not a tensor or an option is invalid; with dropout, `shape-mismatch` if x
   * has fewer than 2 dims, and `out-of-memory`.
   */
  addTo<T extends InputTensor>(x: T, options: TableAt & DropoutOptions = {}): T {
    const { rate, seed } = dropoutOf(readOptions(options, addOptions));
    const { dims, length } = this.read(x);
    return rate > 0 && length > 0 ? this.dropped(x, dims, rate, seed) : x;
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
    this.read(x);
    return x;
  }

  /** Applies dropout to x, by adding a table of zeros. */
  private dropped<T extends InputTensor>(x: T, dims: readonly number[], dropout: number, seed: number): T {
    const spec = { kind: "learned", length: 1, dim: dims.at(-1) ?? 0, std: 0 } as const;
    const zeros = new TableEncoding(this.core, createHandle(this.core, spec), spec);
    try {
      return zeros.addTo(x, { positions: new Uint8Array(dims.at(-2) ?? 0), dropout, seed });
    } finally {
      zeros.dispose();
    }
  }

  private read(x: InputTensor): Operand {
    this.handleIn(this.core);
    return operand(this.core, x, "x");
  }
}
