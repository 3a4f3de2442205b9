// Tables that have more than others of their family: sinusoids can be shifted, learned rows be trained and resized.
import type { ResultIn, OutOption, ResizeOptions } from "../base/call-options.js";
import { Operation } from "../base/calls.gen.js";
import { sizeOf } from "../base/dims.js";
import { PosencError, invalid, show } from "../base/errors.js";
import { readOptions, tensor } from "../base/options.js";
import type { LearnedSpec, SinusoidalSpec, Spec } from "../base/specs.gen.js";
import type { InputTensor, Tensor } from "../base/types.js";
import { produce } from "../tensors/operand.js";
import { resized, resizeOptions, resizePlan } from "../tensors/resize.js";
import { createHandle, filled, lend } from "./encoding.js";
import type { ParameterTensor } from "./parameters.js";
import { TableEncoding } from "./table.js";

/** Sinusoids of texts: a table whose rows turn into each other. */
export class SinusoidalTable<S extends Spec = SinusoidalSpec> extends TableEncoding<S> {
  /**
   * The shift operator T_k as a rotation for each pair: PE(m + k) = T_k PE(m).
   * Returns [dim/2, 2, 2]. Throws: unsupported (an odd dim), invalid-argument. Source: Vaswani et al. 2017, section 3.5.
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
  /** A row for each position, [length, dim] in wasm memory: write into its `data` to change them. */
  get weights(): ParameterTensor {
    return this.rowsOf(this.parameters, "weights");
  }

  /** The gradient of `weights`, [length, dim]. Throws: out-of-memory. */
  get gradient(): ParameterTensor {
    return this.rowsOf(this.gradients, "gradient");
  }

  /**
   * A new table for another grid or length, interpolated between the rows of this one, which stays as it is. A ViT of 14 × 14
   * patches and a class token on 24 × 16: `resize({ grid: [24, 16], prefix: 1 })`; weights [197, dim] become [385, dim].
   * As PyTorch's `interpolate`: places are the middles of cells, the edge goes on beyond itself, bicubic has a = -0.75;
   * `antialias` is Pillow's. Rows that the spec's `start` skips are kept before those of `prefix`; `length` counts them, too.
   * Throws: invalid-argument, shape-mismatch, out-of-memory.
   */
  resize(options: ResizeOptions): LearnedTable<S> {
    const { weights } = this;
    const { start = 0 } = this.spec as { start?: number };
    const read = readOptions(options, resizeOptions);
    const how = { ...read, prefix: read.prefix + start };
    const { to, kept } = resizePlan(weights.dims[0]!, how);
    const spec = { ...this.spec, length: kept + sizeOf(to) };
    // Without a deviation no first values are drawn.
    const handle = createHandle(this.core, { ...spec, std: 0 });
    return filled(new LearnedTable<S>(this.core, handle, spec), (made) =>
      resized(this.core, weights, { ...how, out: made.weights }),
    );
  }

  private rowsOf({ weights }: Readonly<Record<string, ParameterTensor>>, field: string): ParameterTensor {
    if (!weights) throw new PosencError("unsupported", `${field}: ${this.kind} is no learned table`, field);
    return weights;
  }
}

lend(TableEncoding, SinusoidalTable, LearnedTable);
