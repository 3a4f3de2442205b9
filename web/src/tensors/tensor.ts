// Tensors that live in wasm memory.
import { checkDims, checkLength, sizeOf } from "../base/dims.js";
import { PosencError, whereSupported } from "../base/errors.js";
import { inspected } from "../base/inspected.js";
import { printedList } from "../base/printing.js";
import type { HalfArray, TensorData, TensorType } from "../base/types.js";
import type { Core } from "../wasm/core.js";

export type HalfArrayClass = new (buffer: ArrayBuffer, start?: number, length?: number) => HalfArray | Uint16Array;

/** The engine's own array of numbers of a 16-bit type, or that of their bits. */
export const halfArrayOf = (type: TensorType): HalfArrayClass =>
  (type === "float16" && (globalThis as { Float16Array?: HalfArrayClass }).Float16Array) || Uint16Array;

/** Where a tensor's numbers are in wasm memory, for as long as their owner lives. */
export interface Home {
  readonly address: number;
  /** Throws `disposed`, once the owner has ended. */
  core(): Core;
  /** A view of the numbers gets out: they must stay from now on, whether the owner is reachable or not. */
  keep(): void;
}

/** A tensor in wasm memory: calls work on it without copying. */
export class ResidentTensor<Type extends TensorType = "float32"> {
  /** What its numbers are. */
  readonly type: Type;
  /** Whole numbers, at most 8. */
  readonly dims: number[];
  /** How many numbers. */
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
   * A view of the numbers, valid until wasm memory grows or they are freed: take it anew after each call. Memory that was
   * seen so is never freed by itself, only by `dispose()` of its owner.
   */
  get data(): TensorData[Type] {
    this.home.keep();
    return this.numbers();
  }

  /**
   * The same memory with other dims, of as many numbers. It ends with the tensor it is a view of, whose memory is not
   * freed by itself while the view is in use. Throws: shape-mismatch, disposed.
   */
  view(dims: readonly number[]): ResidentTensor<Type> {
    this.home.core();
    checkDims(dims);
    checkLength(this.size, dims, "dims");
    return new ResidentTensor(dims, this.home, this.type);
  }

  /** What it is, without its numbers: `Array.from(tensor.data)` has those. */
  toJSON(): object {
    return { type: this.type, dims: this.dims };
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
    return new (halfArrayOf(type))(buffer as ArrayBuffer, home.address, size) as TensorData[Type];
  }

  /** @internal Where it lies in this instance's memory. */
  addressIn(core: Core): number | undefined {
    return this.home.core().id === core.id ? this.home.address : undefined;
  }

  /** Frameworks that wrap what they watch leave alone what is no plain object. */
  get [Symbol.toStringTag](): string {
    return "ResidentTensor";
  }
}

/**
 * A tensor in wasm memory: calls work on it without copying, on those of 16 bits by way of float32. `data` is a view that is
 * always valid, also after the memory has grown; take it anew after each call. Free it with `dispose()` or `using`: memory
 * whose `data` was taken is not freed by itself. Throws: `disposed` when used after that.
 */
export class WasmTensor<Type extends TensorType = "float32"> extends ResidentTensor<Type> {
  /** @internal Tensors are made by `pe.tensor`. */
  constructor(core: Core, dims: readonly number[], type: TensorType = "float32") {
    super(dims, new Allocation(core, (type === "float32" ? 4 : 2) * sizeOf(dims)), type);
  }

  /** Was its memory freed? */
  get disposed(): boolean {
    return (this.home as Allocation).ended;
  }

  /** Frees its memory; used afterwards it throws `disposed`. Twice does no harm. */
  dispose(): void {
    (this.home as Allocation).end();
  }

  [Symbol.dispose](): void {
    this.dispose();
  }
}

/** A tensor of one of these types. */
export type WasmTensorOf<Type extends TensorType> = Type extends TensorType ? WasmTensor<Type> : never;

/** What is freed: once, whoever asks for it. */
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

// A safety net for tensors that only calls have seen; it never runs in fully synchronous code.
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
    this.holding.core.quiet();
    this.keep();
    free(this.holding);
  }
}
