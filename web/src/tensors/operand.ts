// How tensors reach the core, and how results come back from it: in place, or by a copy.
import { arrayType, checkAttached, isNumberArray, kindOf } from "../base/arrays.js";
import { Operation } from "../base/calls.gen.js";
import { checkDims, checkLength, checkSameDims, sizeOf } from "../base/dims.js";
import { PosencError, invalid, show } from "../base/errors.js";
import { maybe, oneOf, withoutEffect } from "../base/options.js";
import type { Region } from "../base/regions.js";
import type { InputTensor, Tensor, TensorOf, TensorType } from "../base/types.js";
import type { Core, Span } from "../wasm/core.js";
import { halfArrayOf, ResidentTensor, type HalfArrayClass } from "./tensor.js";

/** Refuses what is no tensor, or is one whose numbers lie elsewhere: to ask for their `data` would throw. */
export function checkPlace(x: unknown, field: string): asserts x is object {
  if (x === null || typeof x !== "object") throw notTensor(x, field);
  const { location } = x as { location?: unknown };
  if (typeof location === "string" && location !== "cpu" && location !== "cpu-pinned")
    throw new PosencError(
      "unsupported",
      `${field}: the tensor is on ${location}; download it first: { data: await tensor.getData(), dims: tensor.dims }`,
      field,
    );
}

/** What to make a tensor of, for those who gave numbers without dims, or something else. */
function notTensor(x: unknown, field: string): Error {
  const dims: number[] = [];
  for (let inner = x; isNumberArray(inner) && dims.length < 8; inner = inner[0]) dims.push(inner.length);
  if (dims.length === 0 && kindOf(x) === "Encoding")
    return invalid(
      field,
      "must be a tensor { data, dims }, got an encoding; pass its numbers: encoding.table({ length })",
    );
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

/** How numbers of 16 bits become float32, and come back. */
const conversions = {
  float16: [Operation.float32FromFloat16, Operation.float16FromFloat32],
  bfloat16: [Operation.float32FromBfloat16, Operation.bfloat16FromFloat32],
} as const;

const arraysOf: Record<TensorType, readonly string[]> = {
  float32: ["Float32Array"],
  float16: ["Float16Array", "Uint16Array"],
  bfloat16: ["Uint16Array"],
};

/** What a result's numbers are. */
export const tensorType = maybe(oneOf(...(Object.keys(arraysOf) as TensorType[])));

/** So many numbers of 16 bits pass at once, which stay in cache. */
const halvesAtOnce = 65536;

/** A run of a tensor's numbers. */
export type Run = readonly [start: number, length: number];

/** A tensor as a call has read it, once: what its getters would answer later does not matter. */
export class Operand implements Region {
  /** float32 in wasm memory; 0 until what JavaScript owns, or has 16 bits, has been given a place there. */
  address: number;
  private readonly half: (typeof conversions)[keyof typeof conversions] | undefined;
  /** Where 16 bits pass. */
  private staging = 0;

  constructor(
    private readonly core: Core,
    readonly field: string,
    readonly type: TensorType,
    readonly dims: readonly number[],
    readonly length: number,
    /** In wasm memory; 0: JavaScript owns it. */
    private readonly place: number,
    /** What JavaScript owns; numbers of 16 bits as these. */
    private readonly own?: Float32Array | Uint16Array,
    /** An array for results like this. */
    readonly Numbers = halfArrayOf(type),
  ) {
    this.half = conversions[type as "float16"];
    this.address = this.half ? 0 : place;
  }

  /** Does the core work on its very numbers? */
  get resident(): boolean {
    return !this.own && !this.half;
  }

  /** The bytes that it takes, and of what. */
  get span(): Span {
    const { own, core, field, half, length } = this;
    const start = own ? own.byteOffset : this.place;
    return { field, home: own ? own.buffer : core, start, end: start + (half ? 2 : 4) * length };
  }

  /** Gets a place for its numbers as float32, or for so many of them. */
  reserve(count?: number): number {
    this.address = this.core.borrow(4 * (count ?? this.length));
    this.stage(count);
    return this.address;
  }

  /** Gets a place for 16 bits on their way. */
  stage(count = Math.min(this.length, halvesAtOnce)): void {
    if (this.half) this.staging ||= this.core.borrow(2 * count);
  }

  /** Copies runs of its numbers to float32 at `address`, one after the other, or back from there. */
  move(address: number, runs: readonly Run[], isBack = false): void {
    const { core, half, own, place } = this;
    const view = (at: number, length: number): Float32Array | Uint16Array =>
      half ? core.halves(at, length) : core.floats(at, length);
    // 16 bits in one piece of wasm memory are read and written where they are.
    const direct = half && !own && runs.length === 1;
    const at = direct ? place + 2 * runs[0]![0] : half ? this.staging : address;
    const count = runs.reduce((sum, [, length]) => sum + length, 0);
    if (half && isBack) core.call(half[1], { address, length: count }, at);
    let next = at;
    for (const [start, length] of direct ? [] : runs) {
      const here = view(next, length);
      const there = (own ?? view(place, this.length)).subarray(start, start + length);
      if (isBack) there.set(here);
      else here.set(there);
      next += here.byteLength;
    }
    if (half && !isBack) core.call(half[0], { address: at, length: count }, address);
  }

  private moveAll(address: number, isBack: boolean): void {
    const { length } = this;
    const step = this.half ? halvesAtOnce : length;
    for (let start = 0; start < length; start += step)
      this.move(address + 4 * start, [[start, Math.min(step, length - start)]], isBack);
  }

  /** Its numbers as float32 at `address`. */
  load(address: number): void {
    this.stage();
    this.moveAll(address, false);
  }

  /** Its numbers, if it was given a place of its own for them, back to where they came from. */
  store(): void {
    if (this.resident) return;
    this.checkApart();
    this.moveAll(this.address, true);
  }

  /** The core has seen float32: that bits in wasm memory are no learned numbers is asked here, before they change. */
  checkApart(): void {
    const { core, own, place, half, length } = this;
    if (own) checkAttached(own, this.field);
    else if (half)
      for (const handle of core.handles) {
        const words = Math.ceil(length / 2);
        core.call(Operation.checkApart, handle, { address: place & ~3, length: words, dims: [words] });
      }
  }
}

/** Reads and checks a tensor: of a known type, on the CPU, or the reason why not. */
export function operand(core: Core, x: unknown, field: string): Operand {
  if (x instanceof Operand) return x;
  if (x instanceof ResidentTensor) {
    const address = x.addressIn(core);
    if (address !== undefined) return new Operand(core, field, x.type, [...x.dims], x.size, address);
  }
  checkPlace(x, field);
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
  const place = core.owns(given) ? byteOffset : 0;
  const own = place ? undefined : type === "float32" ? given : new Uint16Array(buffer, byteOffset, length);
  const Numbers = given.constructor as HalfArrayClass;
  return new Operand(core, field, type as TensorType, [...dims], length, place, own, Numbers);
}

/** Is it a type of 16 bits? */
export const isHalf = (type: unknown): type is keyof typeof conversions => Object.hasOwn(conversions, type as string);

/** Are these the bits of numbers of that type? */
export const holdsBits = (type: unknown, data: unknown): boolean => isHalf(type) && arrayType(data) === "Uint16Array";

/** Where a tensor's floats are in wasm memory, or undefined for one that JavaScript owns or that has 16 bits. */
export const residentRegion = (x: Operand): Region | undefined => (x.resident ? x : undefined);

/** The tensor as float32 in wasm memory: where it lives, or a copy in scratch. */
export function readable(core: Core, x: unknown, field: string): Operand {
  const tensor = operand(core, x, field);
  if (!tensor.resident && !tensor.address) tensor.load(tensor.reserve());
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

/** `produce` for several results by name; those without dims are left out. */
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
      // All of them, before the first is written.
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

/** The type of a result that is nowhere yet, and of 16 bits its array. */
export interface Like {
  type: TensorType;
  Numbers?: HalfArrayClass;
}

/** What new results are like: `out` is what it is. */
export function likeType(type: TensorType | undefined, out: unknown): Like | undefined {
  if (type && out) throw withoutEffect("type", "out has one");
  return type && { type };
}

/**
 * Makes a result: `fill` writes it in wasm memory, then it is handed to `out` or to a fresh array, of float32 or `like`. `out`
 * may be `source`, but share memory with no other tensor of the call. The core checks its dims, which it gets as they are.
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

/** Numbers in wasm memory as a tensor that JavaScript owns. */
export function made(
  core: Core,
  { address, length, dims }: Region,
  { type, Numbers = halfArrayOf(type) }: Like = { type: "float32" },
): TensorOf<TensorType> {
  if (type === "float32") return { type, data: core.floats(address, length).slice(), dims: [...dims] };
  const bits = new Uint16Array(length);
  const target = new Operand(core, "result", type, dims, length, 0, bits);
  target.stage();
  target.address = address;
  target.store();
  return { type, data: new Numbers(bits.buffer), dims: [...dims] } as TensorOf<TensorType>;
}
