// Passes tensors to the core and results back: in place, or by a copy.
import { arrayType, checkAttached, isNumberArray, kindOf } from "../base/arrays.js";
import { Operation } from "../base/calls.gen.js";
import { checkDims, checkLength, checkSameDims, sizeOf } from "../base/dims.js";
import { PosencError, invalid, show } from "../base/errors.js";
import { maybe, oneOf, withoutEffect } from "../base/options.js";
import type { Region } from "../base/regions.js";
import type { InputTensor, Tensor, TensorOf, TensorType } from "../base/types.js";
import type { Core, Span } from "../wasm/core.js";
import { arrayClassOf, ResidentTensor, type Float16ArrayClass } from "./tensor.js";

/** Throws if x is not a tensor, or is not on the CPU: reading its `data` would throw. */
export function checkCpuTensor(x: unknown, field: string): asserts x is object {
  if (x === null || typeof x !== "object") throw notTensor(x, field);
  const { location } = x as { location?: unknown };
  if (typeof location === "string" && location !== "cpu" && location !== "cpu-pinned")
    throw new PosencError(
      "unsupported",
      `${field}: the tensor is on ${location}; download it first: { data: await tensor.getData(), dims: tensor.dims }`,
      field,
    );
}

/** Returns the error for values that are not tensors, with a hint how to make one of them. */
function notTensor(x: unknown, field: string): Error {
  const dims: number[] = [];
  for (let inner = x; isNumberArray(inner) && dims.length < 8; inner = inner[0]) dims.push(inner.length);
  if (dims.length === 0 && kindOf(x) === "Encoding")
    return invalid(field, "must be a tensor { data, dims }, got an encoding; pass encoding.table({ length })");
  const isPlain = kindOf(x) === "Object" && x!.constructor === Object;
  const got = isPlain
    ? `{ ${Object.keys(x as object)
        .slice(0, 4)
        .join(", ")} }`
    : show(x);
  const flat = dims.length > 1 ? "numbers.flat(Infinity)" : "numbers";
  const data = Array.isArray(x) ? `Float32Array.from(${flat})` : "numbers";
  const hint = dims.length > 0 ? `; pass { data: ${data}, dims: [${dims.join(", ")}] } with the shape as dims` : "";
  return invalid(field, `must be a tensor { data, dims }, got ${got}${hint}`);
}

/** Conversions of 16-bit floats to float32 and back. */
const conversions = {
  float16: [Operation.float32FromFloat16, Operation.float16FromFloat32],
  bfloat16: [Operation.float32FromBfloat16, Operation.bfloat16FromFloat32],
} as const;

const arraysOf: Record<TensorType, readonly string[]> = {
  float32: ["Float32Array"],
  float16: ["Float16Array", "Uint16Array"],
  bfloat16: ["Uint16Array"],
};

/** Reads the dtype of a result. */
export const tensorType = maybe(oneOf(...(Object.keys(arraysOf) as TensorType[])));

/** Number of 16-bit floats that are converted at once; they fit in the CPU's cache. */
const convertedAtOnce = 65536;

/** A run of a tensor's elements. */
export type Run = readonly [start: number, length: number];

/** A tensor whose properties a call has read once: later changes of its getters have no effect. */
export class Operand implements Region {
  /**
   * Address of the float32 elements in wasm memory; 0 for JavaScript memory or 16-bit floats until memory is reserved.
   */
  address: number;
  private readonly conversion: (typeof conversions)[keyof typeof conversions] | undefined;
  /** Address of 16-bit floats during conversion. */
  private staging = 0;

  constructor(
    private readonly core: Core,
    readonly field: string,
    readonly type: TensorType,
    readonly dims: readonly number[],
    readonly length: number,
    /** Address in wasm memory; 0: JavaScript owns the memory. */
    private readonly source: number,
    /** Array that JavaScript owns; 16-bit floats as bits. */
    private readonly own?: Float32Array | Uint16Array,
    /** Array class of results with the same dtype. */
    readonly ArrayClass = arrayClassOf(type),
  ) {
    this.conversion = conversions[type as "float16"];
    this.address = this.conversion ? 0 : source;
  }

  /** Whether the core works directly on its elements. */
  get resident(): boolean {
    return !this.own && !this.conversion;
  }

  /** The bytes that it takes, and the memory that has them. */
  get span(): Span {
    const { own, core, field, conversion, length } = this;
    const start = own ? own.byteOffset : this.source;
    return { field, home: own ? own.buffer : core, start, end: start + (conversion ? 2 : 4) * length };
  }

  /** Reserves memory for its elements as float32, or for `count` of them. */
  reserve(count?: number): number {
    this.address = this.core.borrow(4 * (count ?? this.length));
    this.stage(count);
    return this.address;
  }

  /** Reserves memory for 16-bit floats during conversion. */
  stage(count = Math.min(this.length, convertedAtOnce)): void {
    if (this.conversion) this.staging ||= this.core.borrow(2 * count);
  }

  /** Copies runs of its elements to float32 at `address`, one after the other, or back from there. */
  move(address: number, runs: readonly Run[], isBack = false): void {
    const { core, conversion, own, source } = this;
    const view = (at: number, length: number): Float32Array | Uint16Array =>
      conversion ? core.uint16s(at, length) : core.floats(at, length);
    // 16-bit floats in a single run of wasm memory are read and written without staging.
    const direct = conversion && !own && runs.length === 1;
    const at = direct ? source + 2 * runs[0]![0] : conversion ? this.staging : address;
    const count = runs.reduce((sum, [, length]) => sum + length, 0);
    if (conversion && isBack) core.call(conversion[1], { address, length: count }, at);
    let next = at;
    for (const [start, length] of direct ? [] : runs) {
      const here = view(next, length);
      const there = (own ?? view(source, this.length)).subarray(start, start + length);
      if (isBack) there.set(here);
      else here.set(there);
      next += here.byteLength;
    }
    if (conversion && !isBack) core.call(conversion[0], { address: at, length: count }, address);
  }

  private moveAll(address: number, isBack: boolean): void {
    const { length } = this;
    const step = this.conversion ? convertedAtOnce : length;
    for (let start = 0; start < length; start += step)
      this.move(address + 4 * start, [[start, Math.min(step, length - start)]], isBack);
  }

  /** Copies its elements to float32 at `address`. */
  load(address: number): void {
    this.stage();
    this.moveAll(address, false);
  }

  /** Copies its elements back to the tensor if they were in reserved memory. */
  store(): void {
    if (this.resident) return;
    this.checkApart();
    this.moveAll(this.address, true);
  }

  /**
   * Throws if its 16-bit floats in wasm memory are learned parameters. The core, which saw only float32, cannot check
   * that.
   */
  checkApart(): void {
    const { core, own, source, conversion, length } = this;
    if (own) checkAttached(own, this.field);
    else if (conversion)
      for (const handle of core.handles) {
        const words = Math.ceil(length / 2);
        core.call(Operation.checkApart, handle, { address: source & ~3, length: words, dims: [words] });
      }
  }
}

/** Reads and checks a tensor: it must have a known dtype and be on the CPU. */
export function operand(core: Core, x: unknown, field: string): Operand {
  if (x instanceof Operand) return x;
  if (x instanceof ResidentTensor) {
    const address = x.addressIn(core);
    if (address !== undefined) return new Operand(core, field, x.type, [...x.dims], x.size, address);
  }
  checkCpuTensor(x, field);
  const { type = "float32", data, dims } = x as { type?: unknown; data?: unknown; dims?: unknown };
  const arrays = Object.hasOwn(arraysOf, type as string) && arraysOf[type as TensorType];
  if (!arrays)
    throw new PosencError(
      "unsupported",
      `${field}: must be float32, float16 or bfloat16, got ${show(type)}; convert: { data: Float32Array.from(data, Number), dims }`,
      field,
    );
  if (data === undefined) throw notTensor(x, field);
  if (!arrays.includes(arrayType(data))) {
    const hint =
      type === "float32"
        ? isNumberArray(data) && "; convert: Float32Array.from(data, Number)"
        : arrayType(data) === "Float32Array" && '; a Float32Array is of type "float32"';
    throw invalid(field, `data must be a ${arrays.join(" or ")}, got ${show(data)}${hint || ""}`);
  }
  const given = data as Float32Array;
  checkAttached(given, field);
  if (dims === undefined)
    throw invalid(field, `dims is missing${"shape" in x ? ": shape is called dims here" : ""}; pass { data, dims }`);
  checkDims(dims, field);
  const { buffer, byteOffset, length } = given;
  const source = core.owns(given) ? byteOffset : 0;
  const own = source ? undefined : type === "float32" ? given : new Uint16Array(buffer, byteOffset, length);
  const ArrayClass = given.constructor as Float16ArrayClass;
  return new Operand(core, field, type as TensorType, [...dims], length, source, own, ArrayClass);
}

/** Whether it is a 16-bit dtype. */
export const is16Bit = (type: unknown): type is keyof typeof conversions => Object.hasOwn(conversions, type as string);

/** Whether the data are bits of that dtype. */
export const holdsBits = (type: unknown, data: unknown): boolean => is16Bit(type) && arrayType(data) === "Uint16Array";

/**
 * Returns the region of a tensor's float32 elements in wasm memory; undefined for JavaScript memory or 16-bit floats.
 */
export const residentRegion = (x: Operand): Region | undefined => (x.resident ? x : undefined);

/** Returns a tensor as float32 in wasm memory: its own memory, or a copy in scratch. */
export function readable(core: Core, x: unknown, field: string): Operand {
  const tensor = operand(core, x, field);
  if (!tensor.resident && !tensor.address) tensor.load(tensor.reserve());
  core.spans.push(tensor.span);
  return tensor;
}

/**
 * Calls `produce` for a result that starts as a copy of `source`. `out` may be `source`, but must share no memory with
 * learned parameters. It is written only after the core has finished. As the core works on the copy, data of the source
 * and dims of `out` are checked here.
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
    const isResident = result instanceof Operand && result.resident;
    const isSource = isResident && result.address === source.address;
    if (isSource) return change(result);
    if (isResident) core.call(Operation.checkApart, encoding, result);
    const copy = isResident ? { address: core.borrow(4 * length), length, dims } : result;
    source.load(copy.address);
    change(copy);
    if (isResident) core.floats(result.address, length).set(core.floats(copy.address, length));
  };
  return produce(core, [...source.dims], out, fill, { source });
}

/** Calls `produce` for several results by name. Results without dims are omitted. */
export function produceAll<Name extends string>(
  core: Core,
  dims: Partial<Record<Name, readonly number[] | undefined>>,
  out: Partial<Record<Name, InputTensor>>,
  fill: (results: Partial<Record<Name, Region>>) => void,
  like?: Like,
): Record<Name, Tensor> {
  const names = (Object.keys(dims) as Name[]).filter((name) => dims[name] !== undefined);
  const regions: Partial<Record<Name, Region>> = {};
  const results: Partial<Record<Name, InputTensor>> = {};
  const next = (index: number): void => {
    const name = names[index];
    if (name === undefined) {
      fill(regions);
      // Checks all results before the first is written.
      for (const region of Object.values(regions)) if (region instanceof Operand) region.checkApart();
      return;
    }
    const [field, shape] = [`out.${name}`, dims[name]!];
    const keep = (region: Region): void => {
      checkSameDims(region.dims, shape, field);
      regions[name] = region;
      next(index + 1);
    };
    results[name] = produce(core, [...shape], out[name], keep, { field, like });
  };
  next(0);
  return results as Record<Name, Tensor>;
}

/** The dtype of a new result, and the array class of 16-bit floats. */
export interface Like {
  type: TensorType;
  ArrayClass?: Float16ArrayClass;
}

/** Returns the dtype of a new result; `out` has its own. */
export function likeType(type: TensorType | undefined, out: unknown): Like | undefined {
  if (type && out) throw withoutEffect("type", "out has a type");
  return type && { type };
}

/**
 * Makes a result. `fill` writes it in wasm memory, then it is copied to `out` or to a new array, float32 or as `like`.
 *
 * `out` may be `source`, but must share no memory with another tensor of the call. The core checks its dims.
 */
export function produce<T extends InputTensor = Tensor>(
  core: Core,
  dims: number[],
  out: T | undefined,
  fill: (result: Region) => void,
  how?: { source: Operand },
): T | Tensor;
export function produce<T extends InputTensor>(
  core: Core,
  dims: number[],
  out: T | undefined,
  fill: (result: Region) => void,
  how: { field?: string; like: Like | undefined },
): T | TensorOf<TensorType>;
export function produce(
  core: Core,
  dims: number[],
  out: InputTensor | undefined,
  fill: (result: Region) => void,
  { field = "out", source, like }: { field?: string; source?: Operand; like?: Like | undefined } = {},
): InputTensor {
  if (out !== undefined) {
    const target = operand(core, out, field);
    const { span } = target;
    checkLength(target.length, target.dims, field);
    core.separate(span, source?.span);
    core.spans.push(span);
    if (!target.resident) target.reserve();
    fill(target);
    target.store();
    return out;
  }
  const length = sizeOf(dims);
  const result = { address: core.borrow(4 * length), length, dims };
  fill(result);
  return made(core, result, like);
}

/** Copies elements in wasm memory to a tensor that JavaScript owns. */
export function made(
  core: Core,
  { address, length, dims }: Region,
  { type, ArrayClass = arrayClassOf(type) }: Like = { type: "float32" },
): TensorOf<TensorType> {
  if (type === "float32") return { type, data: core.floats(address, length).slice(), dims: [...dims] };
  const bits = new Uint16Array(length);
  const target = new Operand(core, "result", type, dims, length, 0, bits);
  target.stage();
  target.address = address;
  target.store();
  return { type, data: new ArrayClass(bits.buffer), dims: [...dims] } as TensorOf<TensorType>;
}
