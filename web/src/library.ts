// What all entries of the package offer on an instance, whatever its build: tensors, their formats, ids.
import { kindOf } from "./base/arrays.js";
import type { ResultIn, NoTypeOption, OutOption, ResizeTableOptions, TypeOption } from "./base/call-options.js";
import { checkDims } from "./base/dims.js";
import { invalid, show } from "./base/errors.js";
import { inspected } from "./base/inspected.js";
import { readOptions } from "./base/options.js";
import { printed } from "./base/printing.js";
import type {
  Bfloat16Result,
  Bfloat16Tensor,
  HalfResult,
  HalfTensor,
  InputTensor,
  Tensor,
  TensorLike,
  TensorType,
  Variant,
} from "./base/types.js";
import { glmPositionIds } from "./ids/glm-ids.js";
import { gridPositionIds, mropePositionIds, pixelPositions } from "./ids/grid-ids.js";
import { positionIds } from "./ids/position-ids.js";
import { toType } from "./tensors/conversion.js";
import { permuteWeights } from "./tensors/layout.js";
import { makeTensor } from "./tensors/make.js";
import { resizeTable } from "./tensors/resize.js";
import { tensorType } from "./tensors/operand.js";
import type { WasmTensor, WasmTensorOf } from "./tensors/tensor.js";
import type { Core } from "./wasm/core.js";

/** One running instance. All work is synchronous. */
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

  /** How many threads share the work of `attention`, the caller's among them: as `init` was asked, or 1 where that cannot be. */
  get threads(): number {
    return this.core.threads;
  }

  /** Bytes of wasm tensors that were not disposed yet; learned numbers of encodings come on top. */
  get liveBytes(): number {
    return this.core.liveBytes;
  }

  /** What is small: an instance stays where it is. */
  toJSON(): object {
    return { variant: this.variant, liveBytes: this.liveBytes };
  }

  /** @internal */
  [inspected](): string {
    const { variant, threads, liveBytes } = this;
    return printed(this, { variant, threads, liveBytes });
  }

  /**
   * A tensor [...dims] in wasm memory, of zeros or of given data: float32, or with `type` numbers of 16 bits, in half the
   * memory, to which data are rounded; a Uint16Array then holds their bits. Free it with `dispose()` or `using`.
   * Throws: shape-mismatch, invalid-argument, out-of-memory.
   */
  tensor(dims: readonly number[], options?: NoTypeOption): WasmTensor;
  tensor<Type extends TensorType>(dims: readonly number[], options: TypeOption<Type>): WasmTensorOf<Type>;
  tensor(data: ArrayLike<number>, dims: readonly number[], options?: NoTypeOption): WasmTensor;
  tensor<Type extends TensorType>(
    data: ArrayLike<number>,
    dims: readonly number[],
    options: TypeOption<Type>,
  ): WasmTensorOf<Type>;
  tensor(...args: readonly unknown[]): WasmTensor<any> {
    const hasData = args[1] !== undefined && kindOf(args[1]) !== "Object";
    const [data, dims, options = {}] = hasData ? args : [undefined, ...args];
    if (!hasData && (!Array.isArray(dims) || Array.isArray(dims[0])))
      throw invalid("dims", `must be an array of numbers, got ${show(dims)} alone; pass tensor(data, dims), data flat`);
    checkDims(dims);
    const { type = "float32" } = readOptions(options as Partial<TypeOption>, { type: tensorType });
    return makeTensor(this.core, dims, type, data);
  }

  /**
   * A learned table of one grid made into one of another (ViT, CLIP, DINOv2, BEiT, Swin checkpoints): what
   * `encoding.resize` does, for plain tensors. table [rows, dim] or [1, rows, dim]; returns the same with other rows.
   * `transpose` is its gradient, from rows of `grid` to rows of `from`.
   * Throws: shape-mismatch, invalid-argument.
   */
  resizeTable<Out extends InputTensor | undefined = undefined>(
    table: InputTensor,
    options: ResizeTableOptions & OutOption<Out>,
  ): ResultIn<Out, Tensor> {
    return resizeTable(this.core, table, options) as never;
  }

  /**
   * float16 or bfloat16 as float32 of the same dims, exactly; a tensor that is float32 already comes back as it is.
   * Throws: unsupported.
   */
  toFloat32(x: HalfTensor | Bfloat16Tensor): Tensor;
  toFloat32<T extends TensorLike>(x: T): T;
  toFloat32(x: InputTensor): TensorLike;
  toFloat32(x: InputTensor): TensorLike {
    return toType(this.core, x, "x", "float32");
  }

  /**
   * The float16 numbers nearest to these, of the same dims, to even between two; infinity from 65520 on. Data: a
   * `Float16Array`, or where the engine has none their bits. Throws: unsupported.
   */
  toFloat16(x: InputTensor): HalfResult {
    return toType(this.core, x, "x", "float16");
  }

  /**
   * The bfloat16 numbers nearest to these, of the same dims, to even between two: the upper 16 bits of float32, rounded. Data:
   * their bits. Throws: unsupported.
   */
  toBfloat16(x: InputTensor): Bfloat16Result {
    return toType(this.core, x, "x", "bfloat16");
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
  /** ChatGLM-6B's position ids [2, B, T]: in the prompt and in what is written. Throws: invalid-argument. */
  readonly glmPositionIds = glmPositionIds;
  /** Positions and grid of each image in a pixel mask [B, H, W] or [H, W]. Throws: invalid-argument. */
  readonly pixelPositions = pixelPositions;

  /** Gives back the working memory that is kept between calls, at most 16 MiB. */
  trim(): void {
    this.core.trim();
  }
}
