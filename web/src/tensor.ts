// Tensors: plain ones that JavaScript owns, ones that live in wasm memory, and how either reaches the core.
import { arrayType, checkAttached } from "./arrays.js";
import type { Core, Region, Span } from "./core.js";
import { PosencError, invalid, isCount, show } from "./errors.js";
import type { Tensor, TensorLike } from "./types.js";

export const sizeOf = (dims: readonly number[]): number => dims.reduce((product, dim) => product * dim, 1);

/** dims as whole numbers whose product fits a Float32Array; the core words all other complaints. */
export function checkDims(dims: unknown, field = "dims"): asserts dims is number[] {
  if (!Array.isArray(dims)) throw invalid(field, `must be an array of numbers, got ${show(dims)}`);
  if (dims.length > 8) throw new PosencError("shape-mismatch", `${field}: at most 8 dims, got ${dims.length}`, field);
  for (const dim of dims)
    if (!isCount(dim))
      throw new PosencError(
        "shape-mismatch",
        `${field}: must be whole numbers from 0 to 2147483647, got [${dims.map(show).join(", ")}]`,
        field,
      );
}

/** Are there as many numbers as the dims say? */
export function checkLength(length: number, dims: readonly number[], field: string): void {
  if (length !== sizeOf(dims))
    throw new PosencError(
      "shape-mismatch",
      `${field}: dims [${dims.join(", ")}] need ${sizeOf(dims)} elements, data has ${length}`,
      field,
    );
}

/** Where a tensor's numbers are in wasm memory, for as long as their owner lives. */
export interface Home {
  readonly address: number;
  /** Throws `disposed`, once the owner has ended. */
  core(): Core;
  /** A view of the numbers gets out: they must stay from now on, whether the owner is reachable or not. */
  keep(): void;
}

/** A float32 tensor in wasm memory: calls work on it without copying. */
export class ResidentTensor implements Tensor {
  readonly type = "float32";
  readonly dims: number[];
  readonly size: number;

  /** @internal */
  constructor(
    dims: readonly number[],
    /** @internal */ protected readonly home: Home,
  ) {
    this.dims = [...dims];
    this.size = sizeOf(dims);
  }

  /**
   * A view of the numbers, valid until wasm memory grows or they are freed: take it anew after each call. Memory that was
   * seen so is never freed by itself, only by `dispose()` of its owner.
   */
  get data(): Float32Array {
    this.home.keep();
    return this.numbers();
  }

  /**
   * The same memory with other dims, of as many numbers. It ends with the tensor it is a view of, whose memory is not
   * freed by itself while the view is in use. Throws: shape-mismatch, disposed.
   */
  view(dims: readonly number[]): ResidentTensor {
    this.home.core();
    checkDims(dims);
    checkLength(this.size, dims, "dims");
    return new ResidentTensor(dims, this.home);
  }

  /** What it is, without its numbers: `Array.from(tensor.data)` has those. */
  toJSON(): object {
    return { type: this.type, dims: this.dims };
  }

  /** @internal `data` for use inside a call. */
  numbers(): Float32Array {
    return this.home.core().floats(this.home.address, this.size);
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
 * A float32 tensor in wasm memory: calls work on it without copying. `data` is a view that is always valid, also after the
 * memory has grown; take it anew after each call. Free it with `dispose()` or `using`: memory whose `data` was taken is
 * not freed by itself. Throws: `disposed` when used after that.
 */
export class WasmTensor extends ResidentTensor {
  /** @internal Tensors are made by `pe.tensor`. */
  constructor(core: Core, dims: readonly number[]) {
    super(dims, new Allocation(core, 4 * sizeOf(dims)));
  }

  get disposed(): boolean {
    return (this.home as Allocation).ended;
  }

  dispose(): void {
    (this.home as Allocation).end();
  }

  [Symbol.dispose](): void {
    this.dispose();
  }
}

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

/** Refuses what is no tensor, or is one whose numbers lie elsewhere: to ask for their `data` would throw. */
export function checkPlace(x: unknown, field: string): asserts x is object {
  if (x === null || typeof x !== "object") throw invalid(field, `must be a tensor { data, dims }, got ${show(x)}`);
  const { location } = x as { location?: unknown };
  if (typeof location === "string" && location !== "cpu" && location !== "cpu-pinned")
    throw new PosencError(
      "unsupported",
      `${field}: the tensor is on ${location}; download it first (await tensor.getData())`,
      field,
    );
}

/** A tensor as a call has read it, once: what its getters would answer later does not matter. */
export class Operand implements TensorLike, Region {
  constructor(
    private readonly core: Core,
    readonly field: string,
    readonly dims: readonly number[],
    readonly length: number,
    /** In wasm memory; 0 until what JavaScript owns has been given a place there. */
    public address: number,
    /** What JavaScript owns. */
    readonly own?: Float32Array,
  ) {}

  get data(): Float32Array {
    return this.own ?? this.core.floats(this.address, this.length);
  }

  /** Its numbers back to where they came from. */
  store(): void {
    const { own, core, address, length } = this;
    if (!own) return;
    checkAttached(own, this.field);
    own.set(core.floats(address, length));
  }

  /** The bytes that it takes, and of what. */
  get span(): Span {
    const { own, core, field } = this;
    const start = own ? own.byteOffset : this.address;
    return { field, home: own ? own.buffer : core, start, end: start + 4 * this.length };
  }
}

/** Reads and checks a tensor: float32 on the CPU, or the reason why not. */
export function operand(core: Core, x: unknown, field: string): Operand {
  if (x instanceof Operand) return x;
  if (x instanceof ResidentTensor) {
    const address = x.addressIn(core);
    if (address !== undefined) return new Operand(core, field, [...x.dims], x.size, address);
  }
  checkPlace(x, field);
  const { type, data, dims } = x as { type?: unknown; data?: unknown; dims?: unknown };
  if (type !== undefined && type !== "float32") {
    const hint = type === "float16" ? " (toFloat32 and toFloat16 convert)" : "";
    throw new PosencError("unsupported", `${field}: must be float32, got ${show(type)}${hint}`, field);
  }
  if (arrayType(data) !== "Float32Array") throw invalid(field, `data must be a Float32Array, got ${show(data)}`);
  const floats = data as Float32Array;
  checkAttached(floats, field);
  checkDims(dims, field);
  const [address, own] = core.owns(floats) ? [floats.byteOffset] : [0, floats];
  return new Operand(core, field, [...dims], floats.length, address, own);
}

/** Where a tensor's floats are in wasm memory, or undefined for one that JavaScript owns. */
export const residentRegion = (x: Operand): Region | undefined => (x.own ? undefined : x);

/** The tensor in wasm memory: where it lives, or a copy in scratch. */
export function readable(core: Core, x: unknown, field: string): Operand {
  const tensor = operand(core, x, field);
  const { own, length } = tensor;
  if (own && !tensor.address) {
    tensor.address = core.borrow(4 * length);
    core.floats(tensor.address, length).set(own);
  }
  core.spans.push(tensor.span);
  return tensor;
}

/** What the core takes for an argument that was not given. */
export const nothing: Region = { address: 0, length: 0, dims: [] };

/** `produce` for what begins as a copy of `source`, whose dims the core compares; `out` may be `source` itself. */
export function produceFrom<T extends TensorLike>(
  core: Core,
  source: Operand,
  out: T | undefined,
  change: (result: Region) => void,
): T | Tensor {
  core.spans.push(source.span);
  const fill = (result: Region): void => {
    const { address, length } = result;
    // Where the core refuses the call, `out` is to hold what it held.
    const before = out && out !== (source as unknown) && core.floats(address, length).slice();
    if (length === source.length) core.floats(address, length).set(source.data);
    try {
      change(result);
    } catch (error) {
      if (before) core.floats(address, length).set(before);
      throw error;
    }
  };
  return produce(core, [...source.dims], out, fill, "out", source);
}

/** `produce` for several results by name; those without dims are left out. */
export function produceAll<Name extends string>(
  core: Core,
  dims: Partial<Record<Name, readonly number[] | undefined>>,
  out: Partial<Record<Name, TensorLike>>,
  fill: (results: Partial<Record<Name, Region>>) => void,
): Record<Name, Tensor> {
  const names = (Object.keys(dims) as Name[]).filter((name) => dims[name] !== undefined);
  const regions: Partial<Record<Name, Region>> = {};
  const results: Partial<Record<Name, TensorLike>> = {};
  const next = (index: number): void => {
    const name = names[index];
    if (name === undefined) return fill(regions);
    const keep = (region: Region): void => {
      regions[name] = region;
      next(index + 1);
    };
    results[name] = produce(core, [...dims[name]!], out[name], keep, `out.${name}`);
  };
  next(0);
  return results as Record<Name, Tensor>;
}

/**
 * Makes a result: `fill` writes it in wasm memory, then it is handed to `out` or to a fresh Float32Array. `out` may be
 * `source`, but share memory with no other tensor of the call. The core checks its dims, which it gets as they are.
 */
export function produce<T extends TensorLike = Tensor>(
  core: Core,
  dims: number[],
  out: T | undefined,
  fill: (result: Region) => void,
  field = "out",
  source?: Operand,
): T | Tensor {
  if (out !== undefined) {
    const target = operand(core, out, field);
    const { span } = target;
    core.separate(span, source?.span);
    core.spans.push(span);
    if (target.own) target.address = core.borrow(4 * target.length);
    fill(target);
    target.store();
    return out;
  }
  const length = sizeOf(dims);
  const address = core.borrow(4 * length);
  fill({ address, length, dims });
  return { type: "float32", data: core.floats(address, length).slice(), dims };
}
