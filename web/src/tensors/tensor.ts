// Tensors in wasm memory.
import { checkDims, checkLength, sizeOf } from "../base/dims.js";
import { PosencError, whereSupported } from "../base/errors.js";
import { inspected } from "../base/inspected.js";
import { printedList } from "../base/printing.js";
import type { Float16ArrayLike, TensorData, TensorType } from "../base/types.js";
import type { Core } from "../wasm/core.js";

export type Float16ArrayClass = new (
  buffer: ArrayBuffer,
  start?: number,
  length?: number,
) => Float16ArrayLike | Uint16Array;

/** The class of arrays for a 16-bit type: `Float16Array` if the engine has it, else `Uint16Array` for the bits. */
export const arrayClassOf = (type: TensorType): Float16ArrayClass =>
  (type === "float16" && (globalThis as { Float16Array?: Float16ArrayClass }).Float16Array) || Uint16Array;

/** Address of a tensor's values in wasm memory, valid until their owner is disposed. */
export interface Home {
  readonly address: number;
  /** Throws `disposed` if the owner was disposed. */
  core(): Core;
  /** Called when a caller gets a view of the values: from then on they are not freed automatically. */
  keep(): void;
}

/** A tensor in wasm memory. Calls work on float32 values without copying them. */
export class ResidentTensor<Type extends TensorType = "float32"> {
  /** Data type of the values. */
  readonly type: Type;
  /** Size of each dimension, at most 8 dimensions. */
  readonly dims: number[];
  /** Number of values. */
  readonly size: number;

  /** @internal */
  constructor(
    dims: readonly number[],
    /** @internal */ protected readonly home: Home,
    type: TensorType = "float32",
  ) {
    this.type = type as Type;
    this.dims = [...dims];
    this.size = sizeOf(dims);
  }

  /**
   * View of the values, valid until wasm memory grows or they are freed. Read this property again after each call.
   *
   * After `data` was read, the memory is not freed automatically, only by `dispose()` of its owner.
   */
  get data(): TensorData[Type] {
    this.home.keep();
    return this.numbers();
  }

  /**
   * Returns a tensor on the same memory with other dims.
   *
   * Disposing this tensor also ends the view. While the view is in use, the memory is not freed automatically.
   * @param dims New dims, whose product is the number of values; at most 8.
   * @returns A view with the given dims, of the same type.
   * @throws {PosencError} `shape-mismatch` if the number of values differs or a dim is not valid; `invalid-argument` if `dims` is
   * not an array; `disposed` if the memory was freed.
   */
  view(dims: readonly number[]): ResidentTensor<Type> {
    this.home.core();
    checkDims(dims);
    checkLength(this.size, dims, "dims");
    return new ResidentTensor(dims, this.home, this.type);
  }

  /** Type and dims, without the values; use `Array.from(tensor.data)` for those. */
  toJSON(): object {
    return { type: this.type, dims: this.dims };
  }

  /** Returns the text that consoles show: class and first elements. */
  toString(): string {
    return this[inspected]();
  }

  /** @internal */
  [inspected](): string {
    const { constructor, type, dims } = this;
    const numbers = whereSupported(() => printedList(this.numbers(), dims, type)) ?? "(disposed)";
    return `${constructor.name} ${type} [${dims.join(", ")}] ${numbers}`;
  }

  /** @internal `data` for use inside a call. */
  numbers(): TensorData[Type] {
    const { type, size, home } = this;
    const core = home.core();
    if (type === "float32") return core.floats(home.address, size) as TensorData[Type];
    const { buffer } = core.module.HEAPU8;
    return new (arrayClassOf(type))(buffer as ArrayBuffer, home.address, size) as TensorData[Type];
  }

  /** @internal Its address in this instance's memory. */
  addressIn(core: Core): number | undefined {
    return this.home.core().id === core.id ? this.home.address : undefined;
  }

  /** "ResidentTensor". Frameworks with reactive proxies (Vue) leave objects with a tag as they are. */
  get [Symbol.toStringTag](): string {
    return "ResidentTensor";
  }
}

/**
 * A tensor in wasm memory. Calls work on float32 values without copying them, on 16-bit floats by way of float32.
 *
 * `data` is a view of the values; read it again after each call, since memory may have grown. Free the tensor with `dispose()` or
 * `using`: after `data` was read, it is not freed automatically. A disposed tensor throws `disposed` when it is used.
 */
export class WasmTensor<Type extends TensorType = "float32"> extends ResidentTensor<Type> {
  /** @internal Tensors are made by `pe.tensor`. */
  constructor(core: Core, dims: readonly number[], type: TensorType = "float32") {
    super(dims, new Allocation(core, (type === "float32" ? 4 : 2) * sizeOf(dims)), type);
  }

  /** True after `dispose()`. */
  get disposed(): boolean {
    return (this.home as Allocation).ended;
  }

  /** Frees the memory. A second call has no effect; any other use throws `disposed`. */
  dispose(): void {
    (this.home as Allocation).end();
  }

  /** Calls `dispose()` at the end of a block with `using`. */
  [Symbol.dispose](): void {
    this.dispose();
  }
}

/** A tensor of one of these types. */
export type WasmTensorOf<Type extends TensorType> = Type extends TensorType ? WasmTensor<Type> : never;

/** Memory that is freed once, by whichever caller comes first. */
interface Holding {
  core: Core;
  address: number;
  bytes: number;
  ended: boolean;
}

function free(holding: Holding): void {
  if (holding.ended) return;
  holding.ended = true;
  holding.core.release(holding.address);
  holding.core.liveBytes -= holding.bytes;
}

// A safety net for tensors whose `data` was never read; it never runs in fully synchronous code.
const leaks = typeof FinalizationRegistry === "undefined" ? undefined : new FinalizationRegistry<Holding>(free);

/** Memory of a tensor and of its views. */
class Allocation implements Home {
  private readonly holding: Holding;

  constructor(core: Core, bytes: number) {
    this.holding = { core, address: core.idle().allocate(bytes), bytes, ended: false };
    core.liveBytes += bytes;
    leaks?.register(this, this.holding, this.holding);
  }

  get address(): number {
    return this.holding.address;
  }

  get ended(): boolean {
    return this.holding.ended;
  }

  core(): Core {
    if (this.ended) throw new PosencError("disposed", "tensor: used after dispose()", "tensor");
    return this.holding.core;
  }

  keep(): void {
    leaks?.unregister(this.holding);
  }

  end(): void {
    if (this.ended) return;
    this.holding.core.assertIdle();
    this.keep();
    free(this.holding);
  }
}
