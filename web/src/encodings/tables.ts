// Tables with further methods: shifting sinusoids, learned rows.
import type { ResultIn, OutOption, ResizeOptions } from "../base/call-options.js";
import { Operation } from "../base/calls.gen.js";
import { PosencError, invalid, show } from "../base/errors.js";
import { readOptions, tensor } from "../base/options.js";
import type { LearnedSpec, SinusoidalSpec, Spec } from "../base/specs.gen.js";
import type { InputTensor, Tensor } from "../base/types.js";
import { produce } from "../tensors/operand.js";
import { addFallbackMethods } from "./encoding.js";
import type { ParameterTensor } from "./parameters.js";
import { TableEncoding } from "./table.js";

/** A table of sinusoids of one position. A rotation shifts one row to another. */
export class SinusoidalTable<S extends Spec = SinusoidalSpec> extends TableEncoding<S> {
  /**
   * Returns the operator T_k that shifts a row by k positions, PE(m + k) = T_k PE(m).
   *
   * T_k rotates each pair of features by k · frequency.
   * @param k Shift in positions, a finite number within ±2^48.
   * @param options `out` receives the result.
   * @returns One matrix for each pair, shape [dim / 2, 2, 2], float32; `out` if it was given.
   * @throws {PosencError} `unsupported` if `dim` is odd; `invalid-argument` if `k` is not such a number; `shape-mismatch` if
   * `out` has other dims.
   * @see Vaswani et al. 2017, arXiv:1706.03762, section 3.5
   */
  shift<Out extends InputTensor | undefined = undefined>(
    k: number,
    options: OutOption<Out> = {},
  ): ResultIn<Out, Tensor> {
    const { out } = readOptions(options, { out: tensor });
    if (typeof k !== "number") throw invalid("k", `must be a number, got ${show(k)}`);
    return this.core.withScratch(() =>
      produce(this.core, [this.facts[2]!, 2, 2], out, (result) =>
        this.core.call(Operation.tableShift, this.handle, k, result),
      ),
    ) as never;
  }
}

/** A table whose rows are learned. */
export class LearnedTable<S extends Spec = LearnedSpec> extends TableEncoding<S> {
  /** Learned row of each position, [length, dim] in wasm memory; write into `data` to change them. */
  get weights(): ParameterTensor {
    return this.rowsOf(this.parameters, "weights");
  }

  /**
   * The gradient of `weights`, [length, dim] in wasm memory.
   *
   * @throws {PosencError} `out-of-memory`
   */
  get gradient(): ParameterTensor {
    return this.rowsOf(this.gradients, "gradient");
  }

  /**
   * Returns a new table for another grid or length, interpolated from this one as PyTorch's `interpolate` does.
   *
   * Use it to run a ViT at another image size. This table stays unchanged. Coordinates are cell centers, the outermost rows
   * continue beyond the edge, bicubic has a = -0.75; `antialias` is Pillow's. Rows that the spec's `start` skips are kept
   * before the `prefix` rows; `length` includes them.
   * @param options New `grid` or `length`; `prefix` and `suffix` rows to keep; `from`, the old grid (default: a square, or all
   * rows); `mode`, default "bicubic" for grids, "linear" for one axis.
   * @returns A new encoding with `weights` of shape [new length, dim].
   * @throws {PosencError} `invalid-argument` if the options are not valid; `shape-mismatch` if the table does not have the rows
   * of `from`, `prefix` and `suffix`; `invalid-spec` if the new table has no rows or too many; `out-of-memory`.
   * @example
   * // 14 × 14 patches and a class token become 24 × 16: weights [197, dim] become [385, dim].
   * const resized = vit.resize({ grid: [24, 16], prefix: 1 });
   */
  resize(options: ResizeOptions): LearnedTable<S> {
    type Resizing = { resizeLearned(table: LearnedTable<S>, options: ResizeOptions): LearnedTable<S> };
    return this.core.parts.use<Resizing>("resize").resizeLearned(this, options);
  }

  private rowsOf({ weights }: Readonly<Record<string, ParameterTensor>>, field: string): ParameterTensor {
    if (!weights) throw new PosencError("unsupported", `${field}: requires a learned table, got ${this.kind}`, field);
    return weights;
  }
}

addFallbackMethods(TableEncoding, SinusoidalTable, LearnedTable);
