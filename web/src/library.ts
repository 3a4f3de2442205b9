// Calls of every instance, whatever its build: tensors, conversion between dtypes, position ids.
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
  Float16Result,
  Float16Tensor,
  InputTensor,
  LibraryPart,
  Tensor,
  TensorLike,
  TensorType,
  Variant,
} from "./base/types.js";
import { toType } from "./tensors/conversion.js";
import { makeTensor } from "./tensors/make.js";
import { tensorType } from "./tensors/operand.js";
import type { WasmTensor, WasmTensorOf } from "./tensors/tensor.js";
import { part, type Code } from "./parts/code.js";
import type { Core } from "./wasm/core.js";
import { readParts } from "./wasm/parts.js";

/** Methods of the library that are not about one encoding. */
export abstract class Library {
  /** @internal */
  readonly core: Core;

  /** @internal */
  constructor(core: Core) {
    this.core = core;
  }

  /** The WebAssembly build in use. */
  get variant(): Variant {
    return this.core.variant;
  }

  /** The parts that are loaded: their calls can be made. */
  get parts(): readonly LibraryPart[] {
    return this.core.parts.names;
  }

  /**
   * Loads parts of the library that `init` did not, each once. Calls stay synchronous.
   *
   * `relative`, `training` and `cache` load `attention`, too. A call of a part that is not loaded throws `not-loaded`.
   * @param parts Names of parts, or "all".
   * @throws {PosencError} `load-failed` with the address if a part cannot be loaded; `invalid-argument` if a name is unknown.
   * @example
   * await pe.load("cache");
   */
  async load(...parts: (LibraryPart | "all")[]): Promise<void> {
    await this.core.load(readParts(parts.includes("all") ? "all" : parts));
  }

  /** Number of threads that `attention` uses, the caller's included: as requested from `init`, or 1 if there are no threads. */
  get threads(): number {
    return this.core.threads;
  }

  /** Bytes of tensors and caches in wasm memory that are not disposed. Learned parameters of encodings are not included. */
  get liveBytes(): number {
    return this.core.liveBytes;
  }

  /** Returns the build and the memory in use: an instance itself cannot be serialized. */
  toJSON(): object {
    return { variant: this.variant, liveBytes: this.liveBytes };
  }

  /** Returns the text that consoles show: class and build. */
  toString(): string {
    return this[inspected]();
  }

  /** @internal */
  [inspected](): string {
    const { variant, threads, liveBytes } = this;
    return printed(this, { variant, threads, liveBytes });
  }

  /**
   * Creates a tensor of zeros in wasm memory, where calls read and write float32 without copying.
   *
   * @param dims The shape, at most 8 whole numbers.
   * @param options `type`: "float32" (default), "float16" or "bfloat16". The last two take half the memory.
   * @returns Shape [...dims], dtype `type`. Free it with `dispose()` or `using`.
   * @throws {PosencError} `shape-mismatch` if `dims` are invalid; `invalid-argument` if they are not an array or `type` is
   * unknown; `out-of-memory`.
   * @example
   * const q = pe.tensor([1, 8, 128, 64]);
   */
  tensor(dims: readonly number[], options?: NoTypeOption): WasmTensor;
  /** Creates a tensor of zeros with the dtype `type` in wasm memory. */
  tensor<Type extends TensorType>(dims: readonly number[], options: TypeOption<Type>): WasmTensorOf<Type>;
  /**
   * Copies values into a new tensor in wasm memory.
   *
   * @param data Row-major values, rounded to `type`. With a 16-bit `type`, a Uint16Array is taken as bits.
   * @param dims The shape, at most 8 whole numbers.
   * @param options `type`: "float32" (default), "float16" or "bfloat16".
   * @returns Shape [...dims], dtype `type`. Free it with `dispose()` or `using`.
   * @throws {PosencError} `shape-mismatch` if `dims` are invalid or do not match `data`; `invalid-argument`, `out-of-memory`.
   * @example
   * const x = pe.tensor([1, 2, 3, 4], [2, 2], { type: "float16" });
   */
  tensor(data: ArrayLike<number>, dims: readonly number[], options?: NoTypeOption): WasmTensor;
  /** Copies values into a new tensor with the dtype `type` in wasm memory. */
  tensor<Type extends TensorType>(
    data: ArrayLike<number>,
    dims: readonly number[],
    options: TypeOption<Type>,
  ): WasmTensorOf<Type>;
  tensor(...args: readonly unknown[]): WasmTensor<any> {
    const hasData = args[1] !== undefined && kindOf(args[1]) !== "Object";
    const [data, dims, options = {}] = hasData ? args : [undefined, ...args];
    if (!hasData && (!Array.isArray(dims) || Array.isArray(dims[0])))
      throw invalid("dims", `must be an array of numbers, got ${show(dims)}; pass tensor(data, dims) with flat data`);
    checkDims(dims);
    const { type = "float32" } = readOptions(options as Partial<TypeOption>, { type: tensorType });
    return makeTensor(this.core, dims, type, data);
  }

  /**
   * Resizes a learned position table from one grid to another, as PyTorch's `interpolate` does.
   *
   * For checkpoints of ViT, CLIP, DINOv2, BEiT or Swin at another image size. `encoding.resize` does the same for an encoding.
   * @param table Shape [rows, dim] or [1, rows, dim].
   * @param options The new `grid` or `length`; `prefix` and `suffix` rows that stay; `from`, the old grid, default a square;
   * `mode`. `transpose` computes the gradient, from rows of `grid` to rows of `from`.
   * @returns Shape of the table with the new number of rows, float32; `out` if it was given.
   * @throws {PosencError} `shape-mismatch` if the table does not have the rows of `from`, or `out` has other dims;
   * `invalid-argument` if options are missing or contradict each other.
   * @example
   * const resized = pe.resizeTable(table, { grid: [24, 24], prefix: 1 }); // 14 × 14 and a class token: [197, dim] -> [577, dim]
   */
  resizeTable<Out extends InputTensor | undefined = undefined>(
    table: InputTensor,
    options: ResizeTableOptions & OutOption<Out>,
  ): ResultIn<Out, Tensor> {
    return part(this.core, "resize").resizeTable(this.core, table, options) as never;
  }

  /**
   * Converts float16 or bfloat16 to float32, exactly.
   *
   * @param x A tensor of any shape.
   * @returns Same dims, float32. A float32 tensor is returned unchanged.
   * @throws {PosencError} `unsupported` if x is on the GPU or of another dtype; `shape-mismatch` if its data do not
   * match its dims; `invalid-argument` if it is not a tensor.
   */
  toFloat32(x: Float16Tensor | Bfloat16Tensor): Tensor;
  /**
   * Returns a float32 tensor unchanged: the same object, not a copy.
   *
   * @param x A float32 tensor of any shape.
   * @returns `x`.
   * @throws {PosencError} As the first signature.
   */
  toFloat32<T extends TensorLike>(x: T): T;
  /**
   * Converts a tensor whose dtype is known only at run time to float32.
   *
   * @param x A tensor of any shape; float32, float16 or bfloat16.
   * @returns Same dims, float32. It is `x` itself if x is float32.
   * @throws {PosencError} As the first signature.
   */
  toFloat32(x: InputTensor): TensorLike;
  toFloat32(x: InputTensor): TensorLike {
    return toType(this.core, x, "x", "float32");
  }

  /**
   * Rounds a tensor to float16, to the nearest value, ties to even.
   *
   * Values from 65520 on become infinity.
   * @param x A tensor of any shape; float32, float16 or bfloat16.
   * @returns Same dims; data in a `Float16Array`, or their bits in a `Uint16Array` if the engine has none.
   * @throws {PosencError} `unsupported` if x is on the GPU or of another dtype; `shape-mismatch` if its data do not match its
   * dims; `invalid-argument` if it is not a tensor.
   */
  toFloat16(x: InputTensor): Float16Result {
    return toType(this.core, x, "x", "float16");
  }

  /**
   * Rounds a tensor to bfloat16, the upper 16 bits of float32, to the nearest value, ties to even.
   *
   * @param x A tensor of any shape; float32, float16 or bfloat16.
   * @returns Same dims; bits in a `Uint16Array`.
   * @throws {PosencError} `unsupported` if x is on the GPU or of another dtype; `shape-mismatch` if its data do not match its
   * dims; `invalid-argument` if it is not a tensor.
   */
  toBfloat16(x: InputTensor): Bfloat16Result {
    return toType(this.core, x, "x", "bfloat16");
  }

  /**
   * Reorders the rows of a query or key projection for the other pair layout; the model's scores do not change.
   * @param weights Shape [heads * dim, in], or a bias [heads * dim].
   * @param options `heads`, and the pair layouts `from` and `to`.
   * @returns Same shape and dtype.
   * @throws {PosencError} `invalid-argument` or `shape-mismatch`.
   */
  declare readonly permuteWeights: Code["config"]["permuteWeights"];
  /**
   * Returns the position ids of tokens, from an attention mask or from the lengths of packed sequences.
   * @param tokens Attention mask, shape [B, T] or [T], or { cuSeqlens }.
   * @param options Ids of padding and first tokens, `pastLength`, `packed`, `type`.
   * @returns Shape [B, T] or [T], without cached columns; int32 or int64.
   * @throws {PosencError} `invalid-argument` or `out-of-memory`.
   */
  declare readonly positionIds: Code["ids"]["positionIds"];
  /**
   * Returns the position ids of the patches of one or several grids.
   * @param grid [h, w] or [t, h, w], or a list of these.
   * @param options `mergeSize`, `columns`, `offset`, `type`.
   * @returns Shape [axes, T]; int32 or int64.
   * @throws {PosencError} `invalid-argument` or `out-of-memory`.
   */
  declare readonly gridPositionIds: Code["ids"]["gridPositionIds"];
  /**
   * Returns the M-RoPE position ids of a sequence of text, images and videos.
   * @param segments The parts of the sequence, in order.
   * @param options `mergeSize`, `after`, `offset`, `padding`, `type`.
   * @returns Shape [3, T]; int32 or int64; `delta` for the tokens that follow.
   * @throws {PosencError} `invalid-argument` or `out-of-memory`.
   */
  declare readonly mropePositionIds: Code["ids"]["mropePositionIds"];
  /**
   * Returns the position ids of ChatGLM-6B, in the prompt and in the generated text.
   * @param tokens Token ids, shape [B, T] or [T].
   * @param options `bosTokenId` and `maskPosition`; `gmask`, `type`.
   * @returns Shape [2, B, T] or [2, T]; int32 or int64.
   * @throws {PosencError} `invalid-argument` or `out-of-memory`.
   */
  declare readonly glmPositionIds: Code["ids"]["glmPositionIds"];
  /**
   * Returns the positions and the grid of each image in a batch of padded images.
   * @param pixelMask Shape [B, H, W] or [H, W]; 1 is visible, 0 is padding.
   * @returns One entry for each image: `positions` of its pixels, [H * W] for each axis, and the visible `grid`.
   * @throws {PosencError} `invalid-argument` if the mask is invalid.
   */
  declare readonly pixelPositions: Code["ids"]["pixelPositions"];

  /** Frees the scratch memory that is kept between calls, at most 16 MiB. */
  trim(): void {
    this.core.trim();
  }
}

/** Names of functions that are getters. */
export const partFunctions: PropertyKey[] = [];

/** Adds functions of a part: getters, as parts load later. */
function addFunctions<Name extends LibraryPart>(name: Name, ...functions: (keyof Code[Name])[]): void {
  partFunctions.push(...functions);
  for (const key of functions)
    Object.defineProperty(Library.prototype, key, {
      get(this: Library) {
        return part(this.core, name)[key];
      },
    });
}

addFunctions("config", "permuteWeights");
addFunctions("ids", "positionIds", "gridPositionIds", "mropePositionIds", "glmPositionIds", "pixelPositions");
