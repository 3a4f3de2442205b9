// How tensors reach the core, and how results come back from it: in place, or by a copy.
import { arrayType, checkAttached } from "../base/arrays.js";
import { Operation } from "../base/calls.gen.js";
import { checkDims, checkLength, checkSameDims, sizeOf } from "../base/dims.js";
import { PosencError, invalid, show } from "../base/errors.js";
import type { Region } from "../base/regions.js";
import type { InputTensor, Tensor, TensorLike } from "../base/types.js";
import type { Core, Span } from "../wasm/core.js";
import { ResidentTensor } from "./tensor.js";

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

/**
 * `produce` for what begins as a copy of `source`; `out` may be `source` itself, but share no memory with what the encoding
 * has learned. It is written once the core has done its work, and not before. The core sees nothing but the copy: that the
 * source has the numbers and `out` the dims is checked here.
 */
export function produceFrom<T extends InputTensor>(
  core: Core,
  encoding: number,
  source: Operand,
  out: T | undefined,
  change: (result: Region) => void,
): T | Tensor {
  checkLength(source.length, source.dims, source.field);
  core.spans.push(source.span);
  const fill = (result: Region): void => {
    const { length, dims } = result;
    checkSameDims(dims, source.dims, "out");
    const isResident = result instanceof Operand && !result.own;
    const isSource = isResident && result.address === source.address;
    if (isSource) return change(result);
    if (isResident) core.call(Operation.checkApart, encoding, result);
    const copy = isResident ? { address: core.borrow(4 * length), length, dims } : result;
    core.floats(copy.address, length).set(source.data);
    change(copy);
    if (isResident) core.floats(result.address, length).set(core.floats(copy.address, length));
  };
  return produce(core, [...source.dims], out, fill, "out", source);
}

/** `produce` for several results by name; those without dims are left out. */
export function produceAll<Name extends string>(
  core: Core,
  dims: Partial<Record<Name, readonly number[] | undefined>>,
  out: Partial<Record<Name, InputTensor>>,
  fill: (results: Partial<Record<Name, Region>>) => void,
): Record<Name, Tensor> {
  const names = (Object.keys(dims) as Name[]).filter((name) => dims[name] !== undefined);
  const regions: Partial<Record<Name, Region>> = {};
  const results: Partial<Record<Name, InputTensor>> = {};
  const next = (index: number): void => {
    const name = names[index];
    if (name === undefined) return fill(regions);
    const [field, shape] = [`out.${name}`, dims[name]!];
    const keep = (region: Region): void => {
      checkSameDims(region.dims, shape, field);
      regions[name] = region;
      next(index + 1);
    };
    results[name] = produce(core, [...shape], out[name], keep, field);
  };
  next(0);
  return results as Record<Name, Tensor>;
}

/**
 * Makes a result: `fill` writes it in wasm memory, then it is handed to `out` or to a fresh Float32Array. `out` may be
 * `source`, but share memory with no other tensor of the call. The core checks its dims, which it gets as they are.
 */
export function produce<T extends InputTensor = Tensor>(
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
    checkLength(target.length, target.dims, field);
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
