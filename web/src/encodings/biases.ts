// Biases with further methods: slopes, table lookups, windows.
import type { BucketOptions, WindowResizeOptions } from "../base/call-options.js";
import { Operation } from "../base/calls.gen.js";
import { readOptions } from "../base/options.js";
import type { AlibiSpec, Spec, SwinSpec, T5Spec } from "../base/specs.gen.js";
import type { IdTensor, OwnedFloat32Array, Tensor } from "../base/types.js";
import { produce } from "../tensors/operand.js";
import { BiasEncoding, counts, biasPositionOptions } from "./bias.js";
import { addFallbackMethods } from "./encoding.js";

const bucketOptions = { ...biasPositionOptions, ...counts };
/** A bias that is linear in the distance, with one slope per head. */
export class AlibiBias<S extends Spec = AlibiSpec> extends BiasEncoding<S> {
  /** Copy of the slopes, [heads], bias per position of distance. To change them, write into `parameters.slopes.data`. */
  get slopes(): OwnedFloat32Array {
    return this.parameters["slopes"]?.data.slice() ?? new Float32Array(0);
  }
}

/** A bias that is looked up in a learned table. */
export class BucketBias<S extends Spec = T5Spec | SwinSpec> extends BiasEncoding<S> {
  /**
   * Returns the row of the table that each pair of query and key reads.
   *
   * These are `relative_position_bucket` of T5 and `relative_position_index` of Swin.
   * @param options Number of `queries` and `keys`, and their positions.
   * @returns Row indices, shape [queries, keys], int32.
   * @throws {PosencError} `invalid-argument`, `shape-mismatch` or `out-of-range` if the positions do not fit; `out-of-memory`.
   */
  buckets(options: BucketOptions): IdTensor {
    const read = readOptions(options, bucketOptions);
    const { queries, keys } = read;
    return this.core.withScratch(() => {
      const { fields } = this.readBiasPositions(read, queries, keys);
      const { data, dims } = produce(this.core, [queries, keys], undefined, (result) =>
        this.core.call(Operation.biasBuckets, this.handle, ...fields, result),
      ) as Tensor;
      return { type: "int32", data: new Int32Array(data.buffer), dims };
    });
  }
}

/** A bias between the grid cells of a window, looked up in a learned table. */
export class WindowBias<S extends Spec = SwinSpec> extends BucketBias<S> {
  /**
   * Returns a new bias for another window size, whose table is interpolated as PyTorch's `interpolate` does.
   *
   * Use it to run a Swin or BEiT model at another resolution. This bias stays unchanged. With `classToken` the last three rows of
   * the table are copied.
   * @param options `windowHeight` and `windowWidth` in grid cells (default: unchanged), `mode` (default "bicubic"), `antialias`.
   * @returns A new encoding with weights [(2 · windowHeight - 1)(2 · windowWidth - 1), heads], and three more rows with
   * `classToken`.
   * @throws {PosencError} `invalid-spec` if the window is not valid; `invalid-argument` if other options are not; `unsupported`
   * for kinds other than "swin"; `out-of-memory`.
   * @example
   * const larger = swin.resize({ windowHeight: 12, windowWidth: 12 });
   */
  resize(options: WindowResizeOptions): WindowBias<S> {
    type Resizing = { resizeWindow(bias: WindowBias<S>, options: WindowResizeOptions): WindowBias<S> };
    return this.core.parts.use<Resizing>("resize").resizeWindow(this, options);
  }
}

addFallbackMethods(BiasEncoding, AlibiBias, BucketBias, WindowBias);
