// Biases that have more than others of their family: slopes, a table to look up, a window.
import type { BucketOptions, ResizeOptions, WindowResizeOptions } from "../base/call-options.js";
import { Operation } from "../base/calls.gen.js";
import { PosencError } from "../base/errors.js";
import { flag, maybe, number, readOptions } from "../base/options.js";
import type { AlibiSpec, Spec, SwinSpec, T5Spec } from "../base/specs.gen.js";
import type { IdTensor, OwnedFloat32Array, Tensor } from "../base/types.js";
import { produce } from "../tensors/operand.js";
import { resized, resizeOptions } from "../tensors/resize.js";
import { BiasEncoding, counts, placeOptions } from "./bias.js";
import { createHandle, filled, lend } from "./encoding.js";

const bucketOptions = { ...placeOptions, ...counts };
const windowOptions = {
  windowHeight: maybe(number),
  windowWidth: maybe(number),
  mode: resizeOptions.mode,
  antialias: flag,
};

/** A bias that is a straight line for each head. */
export class AlibiBias<S extends Spec = AlibiSpec> extends BiasEncoding<S> {
  /** What each head charges for a step of distance, [heads]: a copy; `parameters.slopes` are the numbers themselves. */
  get slopes(): OwnedFloat32Array {
    return this.parameters["slopes"]?.data.slice() ?? new Float32Array(0);
  }
}

/** A bias that is looked up in a learned table. */
export class BucketBias<S extends Spec = T5Spec | SwinSpec> extends BiasEncoding<S> {
  /**
   * Which row of the learned table each query reads for each key: the published `relative_position_bucket` or
   * `relative_position_index`. Returns [queries, keys] int32. Throws: invalid-argument, out-of-range.
   */
  buckets(options: BucketOptions): IdTensor {
    const read = readOptions(options, bucketOptions);
    const { queries, keys } = read;
    return this.core.withScratch(() => {
      const { fields } = this.placesOf(read, queries, keys);
      const { data, dims } = produce(this.core, [queries, keys], undefined, (result) =>
        this.core.call(Operation.biasBuckets, this.handle, ...fields, result),
      ) as Tensor;
      return { type: "int32", data: new Int32Array(data.buffer), dims };
    });
  }
}

/** A bias of the places in a window, looked up in a learned table. */
export class WindowBias<S extends Spec = SwinSpec> extends BucketBias<S> {
  /**
   * A new bias for another window, its table interpolated from this one's, which stays as it is, as PyTorch's `interpolate`
   * does it: weights [(2 · height - 1)(2 · width - 1), heads] of the old window become those of the new one. The three rows of a
   * class token stay. Throws: invalid-spec, invalid-argument, out-of-memory.
   */
  resize(options: WindowResizeOptions): WindowBias<S> {
    if (this.kind !== "swin") throw new PosencError("unsupported", `resize: ${this.kind} has no window`, "resize");
    const how = readOptions(options, windowOptions);
    const old = this.spec as unknown as Required<SwinSpec>;
    const { windowHeight = old.windowHeight, windowWidth = old.windowWidth } = how;
    const spec = { ...this.spec, windowHeight, windowWidth };
    const displacements = (height: number, width: number): number[] => [2 * height - 1, 2 * width - 1];
    const from = displacements(old.windowHeight, old.windowWidth);
    const made = new WindowBias<S>(this.core, createHandle(this.core, spec), spec);
    return filled(made, (other) =>
      resized(this.core, this.parameters["weights"]!, {
        ...readOptions<ResizeOptions, typeof resizeOptions>({}, resizeOptions),
        mode: how.mode,
        antialias: how.antialias,
        from,
        grid: displacements(windowHeight, windowWidth),
        suffix: old.classToken ? 3 : 0,
        out: other.parameters["weights"]!,
      }),
    );
  }
}

lend(BiasEncoding, AlibiBias, BucketBias, WindowBias);
