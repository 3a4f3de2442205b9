// Long calls of attention in chunks of queries: between two of them the worker reads its messages.
import type { ChunkRange } from "../attention/chunks.js";
import { KeyValueCache } from "../attention/cache.js";
import { tokenOptions } from "../encodings/scores.js";
import { part } from "../parts/code.js";
import type { Bfloat16Result, Float16Result, InputTensor, TensorLike } from "../base/types.js";
import type { Core } from "../wasm/core.js";
import { ResidentTensor, WasmTensor } from "../tensors/tensor.js";

/** What is needed of the library. */
export interface Instance {
  readonly core: Core;
  tensor(data: ArrayLike<number>, dims: readonly number[]): WasmTensor;
  tensor(dims: readonly number[]): WasmTensor;
  toFloat32(x: InputTensor): TensorLike;
  toFloat16(x: InputTensor): Float16Result;
  toBfloat16(x: InputTensor): Bfloat16Result;
}

interface AnyTensor {
  type?: string;
  dims: readonly number[];
  data: { length: number; buffer: ArrayBuffer };
}

/** Shorter calls are made at once: products of features. */
const fewProducts = 2 ** 26;
/** Options that are tensors of floats. Masks may be tensors of any type, which each chunk reads as they are. */
const tensorOptions: readonly string[] = ["bias", "gateKeys", ...Object.keys(tokenOptions)];
/** Wanted duration of a chunk, in ms. */
const wanted = 50;

const isTensor = (value: unknown): value is AnyTensor =>
  typeof value === "object" && value !== null && "dims" in value && "data" in value;

/** Tensors of a call as float32 in wasm memory, where the chunks read them without copying them again. */
class Residents {
  private readonly own: WasmTensor[] = [];

  constructor(private readonly pe: Instance) {}

  of(value: unknown): unknown {
    if (!isTensor(value) || (value instanceof ResidentTensor && value.type === "float32")) return value;
    const { dims, data } = this.pe.toFloat32(value as never);
    return this.keep(this.pe.tensor(data, [...dims]));
  }

  keep(tensor: WasmTensor): WasmTensor {
    this.own.push(tensor);
    return tensor;
  }

  dispose(): void {
    for (const tensor of this.own) tensor.dispose();
  }
}

/** Returns a result in the dtype of q. */
function like(pe: Instance, q: AnyTensor, out: WasmTensor): object {
  if (q.type !== "float16" && q.type !== "bfloat16") return { type: "float32", data: out.data.slice(), dims: out.dims };
  const rounded = q.type === "float16" ? pe.toFloat16(out) : pe.toBfloat16(out);
  const { data } = rounded;
  return q.data instanceof Uint16Array ? { ...rounded, data: new Uint16Array(data.buffer) } : rounded;
}

/** A call of `attention` or `attend`. */
interface Long {
  inputs: readonly AnyTensor[];
  options: Readonly<Record<string, unknown>>;
  /** Number of keys, and the head dimension of values. */
  keys: number;
  width: number;
  call(inputs: readonly never[], options: object, range: ChunkRange): unknown;
}

/** Returns the call of a method; undefined: another method, or arguments that it will reject. */
function callOf(pe: Instance, target: object, name: string, args: readonly unknown[]): Long | undefined {
  const count = target instanceof KeyValueCache ? 1 : 3;
  const inputs = args.slice(0, count) as AnyTensor[];
  const options = (args[count] ?? {}) as Record<string, unknown>;
  if (inputs.length < count || !inputs.every(isTensor)) return undefined;
  if (target instanceof KeyValueCache && name === "attend") {
    const { length: keys } = target;
    const { valueDim: width } = target.toJSON() as { valueDim: number };
    return { inputs, options, keys, width, call: ([q], given, range) => target.attendChunks(q!, given, range) };
  }
  if (target === pe && name === "attention") {
    const { attention } = part(pe.core, "attention");
    const keys = inputs[1]!.dims[options["layout"] === "bthd" ? 1 : 2] ?? 0;
    const call: Long["call"] = ([q, k, v], given, range) => attention(pe.core, q!, k!, v!, given, range);
    return { inputs, options, keys, width: inputs[2]!.dims.at(-1) ?? 0, call };
  }
  return undefined;
}

const isFloat32 = (value: unknown): value is WasmTensor => value instanceof WasmTensor && value.type === "float32";

/** Makes a long call of `attention` or `attend` in chunks. Returns undefined if the call is another one, or short. */
export async function inChunks(
  pe: Instance,
  target: object,
  name: string,
  args: readonly unknown[],
  step: (done: number, total: number) => Promise<void>,
): Promise<object | undefined> {
  const long = callOf(pe, target, name, args);
  if (!long) return undefined;
  const { inputs, options, keys, width, call } = long;
  const [q] = inputs as [AnyTensor];
  const given = options["out"];
  if (!(q.data.length * keys * 2 > fewProducts) || !(given === undefined || isFloat32(given))) return undefined;
  const residents = new Residents(pe);
  try {
    const held = inputs.map((input) => residents.of(input)) as never[];
    const kept = Object.entries(options).map(([name, value]) => [
      name,
      tensorOptions.includes(name) ? residents.of(value) : value,
    ]);
    const out = given ?? residents.keep(pe.tensor([...q.dims.slice(0, -1), width]));
    await eachChunk((range) => void call(held, { ...Object.fromEntries(kept), out }, range), step);
    return given ?? like(pe, q, out);
  } finally {
    residents.dispose();
  }
}

/** Makes a call chunk by chunk: as many at once as take the wanted time. */
async function eachChunk(
  call: (range: ChunkRange) => void,
  step: (done: number, total: number) => Promise<void>,
): Promise<void> {
  let most = 1;
  for (let done = 0, total = 1; done < total;) {
    const before = performance.now();
    const range = { first: done, most, all: 0 };
    call(range);
    total = range.all;
    done = Math.min(total, done + most);
    await step(done, total);
    const took = Math.max(1, performance.now() - before);
    most = Math.max(1, Math.min(4 * most, Math.round((most * wanted) / took)));
  }
}
