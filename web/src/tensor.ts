// Tensors: plain ones that JavaScript owns, ones that live in wasm memory, and how either reaches the core.
import type { Core, Region } from "./core.js";
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

/** A float32 tensor in wasm memory. */
export abstract class ResidentTensor implements Tensor {
  readonly type = "float32";
  readonly dims: number[];
  readonly size: number;

  /** @internal */
  constructor(dims: readonly number[]) {
    this.dims = [...dims];
    this.size = sizeOf(dims);
  }

  /** A view that is valid until the next call: memory growth renews it. */
  abstract get data(): Float32Array;
  /** @internal Where it lies in this instance's memory. */
  abstract addressIn(core: Core): number | undefined;
}

/**
 * A float32 tensor in wasm memory: calls work on it without copying. `data` is a view that is always valid, also after the
 * memory has grown; take it anew after each call. Free it with `dispose()` or `using`.
 * Throws: `disposed` when used after that.
 */
export class WasmTensor extends ResidentTensor {
  private core: Core | undefined;
  private readonly address: number;

  /** @internal Tensors are made by `pe.tensor`. */
  constructor(core: Core, dims: readonly number[]) {
    super(dims);
    this.address = core.allocate(4 * this.size);
    this.core = core;
    core.liveBytes += 4 * this.size;
    leaks?.register(this, { core, address: this.address, bytes: 4 * this.size }, this);
  }

  get data(): Float32Array {
    const core = this.alive();
    return core.floats(this.address, this.size);
  }

  get disposed(): boolean {
    return !this.core;
  }

  /** @internal */
  addressIn(core: Core): number | undefined {
    return this.alive() === core ? this.address : undefined;
  }

  dispose(): void {
    if (!this.core) return;
    leaks?.unregister(this);
    free({ core: this.core, address: this.address, bytes: 4 * this.size });
    this.core = undefined;
  }

  [Symbol.dispose](): void {
    this.dispose();
  }

  private alive(): Core {
    if (!this.core) throw new PosencError("disposed", "tensor: used after dispose()", "tensor");
    return this.core;
  }
}

interface Holding {
  core: Core;
  address: number;
  bytes: number;
}

function free({ core, address, bytes }: Holding): void {
  core.module.release(address);
  core.liveBytes -= bytes;
}

// A safety net only: it never runs in fully synchronous code.
const leaks = typeof FinalizationRegistry === "undefined" ? undefined : new FinalizationRegistry<Holding>(free);

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

/** Refuses what is not float32 on the CPU, by name and with the reason. */
export function checkTensor(x: unknown, field: string): asserts x is TensorLike {
  if (x instanceof ResidentTensor) return;
  checkPlace(x, field);
  const { type } = x as { type?: unknown };
  if (type !== undefined && type !== "float32") {
    const hint = type === "float16" ? " (toFloat32 and toFloat16 convert)" : "";
    throw new PosencError("unsupported", `${field}: must be float32, got ${show(type)}${hint}`, field);
  }
  const { data, dims } = x as { data?: unknown; dims?: unknown };
  if (!(data instanceof Float32Array)) throw invalid(field, `data must be a Float32Array, got ${show(data)}`);
  checkDims(dims, field);
}

/** Where a tensor's floats are in wasm memory, or undefined for one that JavaScript owns. */
export function residentRegion(core: Core, x: TensorLike): Region | undefined {
  if (!(x instanceof ResidentTensor)) return undefined;
  const address = x.addressIn(core);
  return address === undefined ? undefined : { address, length: x.size, dims: x.dims };
}

/** The tensor in wasm memory: where it lives, or a copy in scratch. */
export function readable(core: Core, x: unknown, field: string): Region {
  checkTensor(x, field);
  const resident = residentRegion(core, x);
  if (resident) return resident;
  const address = core.borrow(4 * x.data.length);
  core.floats(address, x.data.length).set(x.data);
  return { address, length: x.data.length, dims: x.dims };
}

/** What the core takes for an argument that was not given. */
export const nothing: Region = { address: 0, length: 0, dims: [] };

/** `produce` for what begins as a copy of `source`, whose dims the core compares. */
export function produceFrom<T extends TensorLike>(
  core: Core,
  source: TensorLike,
  out: T | undefined,
  change: (result: Region) => void,
): T | Tensor {
  return produce(core, [...source.dims], out, (result) => {
    if (result.length === source.data.length) core.floats(result.address, result.length).set(source.data);
    change(result);
  });
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
    results[name] = produce(core, [...dims[name]!], out[name], (region) => {
      regions[name] = region;
      next(index + 1);
    });
  };
  next(0);
  return results as Record<Name, Tensor>;
}

/** A region for a shape that has no memory yet: for checks that come before any copying. */
export const shapeOnly = (x: TensorLike): Region => ({ address: 0, length: x.data.length, dims: x.dims });

/**
 * Makes a result: `fill` writes it in wasm memory, then it is handed to `out` or to a fresh Float32Array.
 * `out` is checked by the core, which gets its real dims.
 */
export function produce<T extends TensorLike = Tensor>(
  core: Core,
  dims: number[],
  out: T | undefined,
  fill: (result: Region) => void,
): T | Tensor {
  if (out !== undefined) {
    checkTensor(out, "out");
    const resident = residentRegion(core, out);
    if (resident) {
      fill(resident);
      return out;
    }
    const address = core.borrow(4 * out.data.length);
    fill({ address, length: out.data.length, dims: out.dims });
    out.data.set(core.floats(address, out.data.length));
    return out;
  }
  const length = sizeOf(dims);
  const address = core.borrow(4 * length);
  fill({ address, length, dims });
  return { type: "float32", data: core.floats(address, length).slice(), dims };
}
