// The interface to the core: calls, memory that the caller owns, scratch, and errors. Callers use tensors and specs;
// the core is C++.
import { checkNumbers, isBig } from "../base/arrays.js";
import type { Calls, Operation } from "../base/calls.gen.js";
import { PosencError, show, type ErrorCode } from "../base/errors.js";
import { hide } from "../base/printing.js";
import type { LibraryPart, NumberArray, Variant } from "../base/types.js";
import { Frame, type CoreModule } from "./frame.js";
import { LoadedParts } from "./loaded-parts.js";

/** Memory of a tensor of the current call: bytes of a buffer, or of the core's memory. */
export interface Span {
  field: string;
  home: unknown;
  start: number;
  end: number;
}

const smallestScratch = 4096;
/** Bytes of scratch that are kept for the next call; more is freed after each call. */
const keptScratch = 16 * 2 ** 20;

/** In the order of variant() in cpp/bindings/bindings.cpp. */
const variants: readonly Variant[] = ["scalar", "simd", "relaxed"];

let cores = 0;

/** Adds a property that throws when the core is cloned or posted; the error names an alternative. */
function rejectClones(core: object): void {
  const get = (): never => {
    throw new PosencError(
      "unsupported",
      "posenc: instances, encodings and tensors cannot be cloned or posted: send encoding.spec or tensor.data.slice(), and init() there",
      "posenc",
    );
  };
  Object.defineProperty(core, "clone", { enumerable: true, get });
}

export class Core {
  /** Must be the first property, as properties are read in order. */
  protected readonly cloneCheck = rejectClones(this);
  readonly module!: CoreModule;
  /** Frameworks that make reactive proxies skip objects that are not plain. */
  readonly [Symbol.toStringTag] = "Core";
  /** Distinguishes instances, also through proxies. */
  readonly id = ++cores;
  /** Bytes of tensors that are not disposed. */
  liveBytes = 0;
  private readonly frame!: Frame;
  private scratch: { address: number; bytes: number }[] = [];
  private scratchInUse = 0;
  private busy = false;
  /** The error that ended the instance: after a trap, the memory of WebAssembly is in an undefined state. */
  private failure: unknown;
  /** Called when the instance has ended. */
  onStop?: () => void;
  /** Number of threads, this one included. `endThreads` ends the others. */
  threads = 1;
  endThreads?: () => void;
  readonly parts!: LoadedParts;
  /** Tensors of the current call. */
  readonly spans: Span[] = [];
  /** Handles of the encodings in the current call. */
  handles: number[] = [];

  constructor(module: CoreModule) {
    hide(this, "module", module);
    hide(this, "frame", new Frame(module));
    hide(this, "parts", new LoadedParts());
  }

  get variant(): Variant {
    return variants[this.module.variant()]!;
  }

  /** Runs a call of the core. Throws its error. */
  call<O extends Operation>(operation: O, ...given: Calls[O]): void {
    if (operation >= this.parts.checkedFrom) this.parts.needFor(operation);
    this.frame.write(given);
    this.running();
    let worked: number;
    try {
      worked = this.module._posenc_call(operation);
    } catch (error) {
      return this.stop(error);
    }
    if (!worked) this.raise();
  }

  /** Loads parts, each once. */
  async load(parts: readonly LibraryPart[]): Promise<void> {
    this.running();
    await this.parts.load(parts);
  }

  /** Runs WebAssembly. A trap or a stack overflow ends the instance. */
  private inside<T>(work: () => T): T {
    this.running();
    try {
      return work();
    } catch (error) {
      return this.stop(error);
    }
  }

  private stop(error: unknown): never {
    this.failure = error ?? "unknown";
    this.onStop?.();
    this.endThreads?.();
    return this.running() as never;
  }

  private running(): void {
    if (this.failure !== undefined)
      throw new PosencError(
        "disposed",
        `posenc: this instance stopped after an internal failure (${String(this.failure)}); call init() again`,
        undefined,
        { cause: this.failure },
      );
  }

  raise(): never {
    const address = this.inside(() => this.module.lastError());
    // A copy: TextDecoder does not read shared memory.
    const text = new TextDecoder().decode(this.bytes(address, this.frame.first).slice());
    const [code, field, message] = text.split("\x1f");
    const hint =
      code === "out-of-memory" ? `; dispose() unused objects (pe.liveBytes is ${this.liveBytes}), or trim()` : "";
    throw new PosencError(code as ErrorCode, message! + hint, field);
  }

  // Memory.

  allocate(bytes: number): number {
    const allocate = (): number => this.inside(() => this.module.allocate(bytes));
    const address = allocate();
    if (address) return address;
    // Frees scratch that no call uses, to make room.
    for (const slot of this.scratch.slice(this.scratchInUse)) this.giveBack(slot);
    return allocate() || this.raise();
  }

  /**
   * Runs one call, with scratch that lives until it returns. Buffers are kept for the next call.
   *
   * Getters and proxies in arguments may run any code. That code must not access the memory of the current call.
   */
  withScratch<T>(work: () => T): T {
    this.idle();
    this.busy = true;
    this.handles = [];
    try {
      return work();
    } finally {
      this.busy = false;
      this.scratchInUse = 0;
      if (this.spans.length > 0) this.spans.length = 0;
      let kept = 0;
      for (const slot of this.scratch) if ((kept += slot.bytes) > keptScratch) kept -= this.giveBack(slot);
    }
  }

  /** Runs `work` as part of the current call, or as a new call. */
  joinCall<T>(work: () => T): T {
    return this.busy ? work() : this.withScratch(work);
  }

  /**
   * Throws if a call is running or the instance has ended. Each entry into an instance is checked here or in
   * withScratch.
   */
  idle(): this {
    this.running();
    return this.assertIdle();
  }

  /**
   * Throws if a call is running. Unlike `idle`, allows an instance that has ended: its objects can still be disposed.
   */
  assertIdle(): this {
    if (this.busy)
      throw new PosencError(
        "invalid-argument",
        "posenc: called during another call of this instance, by a getter or a proxy in the arguments",
      );
    return this;
  }

  /**
   * Throws if a result shares memory with an earlier tensor of the call. It may be exactly `source`, but not a part of
   * it.
   */
  separate(result: Span, source?: Span): void {
    const { field, home, start, end } = result;
    for (const span of this.spans) {
      if (span.home !== home || start >= span.end || span.start >= end) continue;
      if (span.field === source?.field && span.start === start && span.end === end) continue;
      throw new PosencError("invalid-argument", `${field}: shares memory with ${span.field}`, field);
    }
  }

  /** Whether an array is in this instance's memory. */
  owns(values: ArrayBufferView): boolean {
    const { module } = this;
    return module.owns ? module.owns(values.buffer) : values.buffer === module.HEAPU8.buffer;
  }

  /** Returns values that stay valid when memory grows: growth detaches views of it. */
  copyIfWasmBacked<T>(values: T): T {
    return ArrayBuffer.isView(values) && this.owns(values)
      ? ((values as unknown as Float32Array).slice() as T)
      : values;
  }

  /** Returns memory for this call only (inside withScratch). */
  borrow(bytes: number): number {
    let slot = this.scratch[this.scratchInUse];
    if (!slot || slot.bytes < bytes) {
      slot ??= this.scratch[this.scratchInUse] = { address: 0, bytes: 0 };
      this.giveBack(slot);
      const size = Math.max(bytes, smallestScratch);
      slot.address = this.allocate(size);
      slot.bytes = size;
    }
    this.scratchInUse++;
    return slot.address;
  }

  private giveBack(slot: { address: number; bytes: number }): number {
    const { address, bytes } = slot;
    slot.address = slot.bytes = 0;
    this.release(address);
    return bytes;
  }

  // After the end of the instance, nothing needs to be freed.

  release(address: number): void {
    if (this.failure === undefined && address) this.inside(() => this.module.release(address));
  }

  destroyEncoding(handle: number): void {
    if (this.failure === undefined) this.inside(() => this.module.destroyEncoding(handle));
  }

  destroyCache(address: number): void {
    if (this.failure === undefined) this.inside(() => this.module.destroyCache(address));
  }

  /** Returns scratch to the module's allocator. */
  trim(): void {
    for (const slot of this.idle().scratch) this.giveBack(slot);
  }

  // Views are created for each use: memory growth detaches old ones.

  floats(address: number, length: number): Float32Array {
    return this.module.HEAPF32.subarray(address / 4, address / 4 + length);
  }

  doubles(address: number, length: number): Float64Array {
    return this.module.HEAPF64.subarray(address / 8, address / 8 + length);
  }

  uint16s(address: number, length: number): Uint16Array {
    return new Uint16Array(this.module.HEAPU8.buffer, address, length);
  }

  bytes(address: number, length: number): Uint8Array {
    return this.module.HEAPU8.subarray(address, address + length);
  }

  /** Copies an array of any type to scratch as doubles. */
  borrowDoubles(given: NumberArray, field: string): number {
    checkNumbers(given, field);
    const values = this.copyIfWasmBacked(given);
    const address = this.borrow(8 * values.length);
    const target = this.doubles(address, values.length);
    if (ArrayBuffer.isView(values) && !isBig(values)) {
      target.set(values as Float64Array);
      return address;
    }
    for (let i = 0; i < values.length; i++) {
      const value: unknown = values[i];
      if (typeof value !== "number" && typeof value !== "bigint")
        throw new PosencError("invalid-argument", `${field}: must be numbers, got ${show(value)}`, field);
      target[i] = Number(value);
    }
    return address;
  }
}
