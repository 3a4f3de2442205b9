// What all entries of the package offer on an instance, whatever its build: tensors, their formats, ids.
import { checkAttached, isBig, isNumberArray } from "./base/arrays.js";
import type { NewOption, OutOption, ResizeTableOptions } from "./base/call-options.js";
import { checkDims, checkLength } from "./base/dims.js";
import { invalid, show, type PosencError } from "./base/errors.js";
import type { HalfTensor, InputTensor, Tensor, TensorLike, Variant } from "./base/types.js";
import { gridPositionIds, mropePositionIds, pixelPositions } from "./ids/grid-ids.js";
import { positionIds } from "./ids/position-ids.js";
import { toFloat16, toFloat32 } from "./tensors/float16.js";
import { permuteWeights } from "./tensors/layout.js";
import { resizeTable } from "./tensors/resize.js";
import { WasmTensor } from "./tensors/tensor.js";
import type { Core } from "./wasm/core.js";

/** One running instance. All work is synchronous, on one thread. */
export abstract class Library {
  /** @internal */
  readonly core: Core;

  /** @internal */
  constructor(core: Core) {
    this.core = core;
  }

  /** The build in use. */
  get variant(): Variant {
    return this.core.variant;
  }

  /** Bytes of wasm tensors that were not disposed yet; learned numbers of encodings come on top. */
  get liveBytes(): number {
    return this.core.liveBytes;
  }

  /** What is small: an instance stays where it is. */
  toJSON(): object {
    return { variant: this.variant, liveBytes: this.liveBytes };
  }

  /**
   * A tensor [...dims] in wasm memory, of zeros or of given data. Free it with `dispose()` or `using`.
   * Throws: shape-mismatch, invalid-argument, out-of-memory.
   */
  tensor(dims: readonly number[]): WasmTensor;
  tensor(data: ArrayLike<number>, dims: readonly number[]): WasmTensor;
  tensor(...args: [readonly number[]] | [ArrayLike<number>, readonly number[]]): WasmTensor {
    const [data, dims] = args.length === 1 ? [undefined, args[0]] : args;
    checkDims(dims);
    const numbers = data && this.numbersOf(data);
    if (numbers) checkLength(numbers.length, dims, "data");
    const tensor = new WasmTensor(this.core, dims);
    if (numbers) tensor.numbers().set(numbers);
    else tensor.numbers().fill(0);
    return tensor;
  }

  /** The same call, its result written into `out`, which it returns. */
  resizeTable<T extends InputTensor = Tensor>(table: InputTensor, options: ResizeTableOptions & OutOption<T>): T;
  /**
   * A learned table of one grid made into one of another (ViT, CLIP, DINOv2, BEiT, Swin checkpoints): what
   * `encoding.resize` does, for plain tensors. table [rows, dim] or [1, rows, dim]; returns the same with other rows.
   * `transpose` is its gradient, from rows of `grid` to rows of `from`.
   * Throws: shape-mismatch, invalid-argument.
   */
  resizeTable(table: InputTensor, options: ResizeTableOptions & NewOption): Tensor;
  resizeTable<T extends InputTensor = Tensor>(
    table: InputTensor,
    options: ResizeTableOptions & Partial<OutOption<T>>,
  ): T | Tensor {
    return resizeTable(this.core, table, options);
  }

  /** float16 as float32 of the same dims, exactly; a tensor that is float32 already comes back as it is. Throws: unsupported. */
  toFloat32(x: HalfTensor): Tensor;
  toFloat32<T extends TensorLike>(x: T): T;
  toFloat32(x: InputTensor | HalfTensor): TensorLike;
  toFloat32(x: InputTensor | HalfTensor): TensorLike {
    return toFloat32(this.core, x, "x");
  }

  /**
   * The float16 numbers nearest to these, of the same dims, to even between two; infinity from 65520 on. Data: a
   * `Float16Array`, or where the engine has none their bits. Throws: unsupported.
   */
  toFloat16(x: InputTensor): HalfTensor {
    return toFloat16(this.core, x, "x");
  }

  /**
   * The rows of a query or key projection in the other pair layout, weights [heads * dim, in] or a bias [heads * dim]: the
   * model's scores stay the same. Throws: invalid-argument, shape-mismatch.
   */
  readonly permuteWeights = permuteWeights;
  /** Position ids of an attention mask [B, T], or of packed sequences { cuSeqlens }. Throws: invalid-argument. */
  readonly positionIds = positionIds;
  /** Position ids [axes, T] of the patches of a grid, or of several. Throws: invalid-argument. */
  readonly gridPositionIds = gridPositionIds;
  /** M-RoPE's position ids [3, T] of text, images and videos in a row. Throws: invalid-argument. */
  readonly mropePositionIds = mropePositionIds;
  /** Positions and grid of each image in a pixel mask [B, H, W] or [H, W]. Throws: invalid-argument. */
  readonly pixelPositions = pixelPositions;

  /** Gives back the working memory that is kept between calls, at most 16 MiB. */
  trim(): void {
    this.core.trim();
  }

  /** Numbers that stay as they are while memory grows. */
  private numbersOf(data: unknown): ArrayLike<number> {
    const refused = (): PosencError => invalid("data", `must be an array of numbers, got ${show(data)}`);
    if (Array.isArray(data))
      return Float32Array.from(data, (value: unknown) => {
        if (typeof value !== "number") throw refused();
        return value;
      });
    if (!isNumberArray(data) || isBig(data)) throw refused();
    checkAttached(data, "data");
    return this.core.steady(data as Float32Array);
  }
}
