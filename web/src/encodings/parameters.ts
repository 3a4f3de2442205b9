// Learned parameters of an encoding in wasm memory, and how values are written to them.
import { arrayType, checkAttached } from "../base/arrays.js";
import { Operation } from "../base/calls.gen.js";
import { checkLength, checkSameDims } from "../base/dims.js";
import { PosencError, invalid, show } from "../base/errors.js";
import type { ParameterData } from "../base/types.js";
import { ResidentTensor, type Home } from "../tensors/tensor.js";

/** A parameter of an encoding, or its gradient. Read and write `data`; disposing the encoding frees it. */
export class ParameterTensor extends ResidentTensor {}

/** The parameter `index` of the encoding `handle`, or its gradient. */
export function parameterTensor(
  owner: Omit<Home, "address">,
  handle: number,
  index: number,
  gradient: boolean,
): ParameterTensor {
  const core = owner.core();
  return core.withScratch(() => {
    const facts = core.borrow(8 * 10);
    core.call(Operation.parameterFacts, handle, index, gradient, facts);
    const [address, rank, ...dims] = core.doubles(facts, 10) as unknown as [number, number, ...number[]];
    // `instance` comes first: cloning reads properties in order, and the error of this one names what to send instead.
    const home = { instance: core, ...owner, address };
    return new ParameterTensor(dims.slice(0, rank), home);
  });
}

/** Copies the values of `data`, if all of them fit the parameter. */
export function checkParameter(target: ParameterTensor, data: unknown, name: string): Float32Array {
  const isTensor = data !== null && typeof data === "object" && "data" in data && "dims" in data;
  const values = (isTensor ? (data as { data: unknown }).data : data) as Float32Array;
  if (!Array.isArray(values) && !/^Float(32|64)/.test(arrayType(values)))
    throw invalid(name, `must be a tensor or an array of numbers, got ${show(data)}`);
  checkAttached(values, name);
  const dims = isTensor ? (data as { dims: readonly number[] }).dims : undefined;
  if (dims !== undefined && squeezed(dims) !== squeezed(target.dims)) checkSameDims(dims, target.dims, name);
  checkLength(values.length, target.dims, name);
  // A copy: the values may be a view of this parameter, or be computed by a getter.
  const copy = new Float32Array(target.size);
  for (let i = 0; i < copy.length; i++) {
    const value: unknown = values[i];
    if (!Number.isFinite(value)) throw invalid(name, `must hold finite numbers, got ${show(value)} at ${i}`);
    copy[i] = value as number;
  }
  return copy;
}

// Checkpoints keep dims of 1 that mean nothing: [1, positions, dim], [heads, 1, 1].
const squeezed = (dims: readonly number[]): string => dims.filter((dim) => dim !== 1).join();

export const nothingLearned = (call: string): PosencError =>
  new PosencError("unsupported", `${call}: this kind has no learned parameters`, call);

export type ParameterInput = ParameterData | Record<string, ParameterData>;

/** Pairs of a parameter's name and the data that were given for it. */
export function namedParameters(names: readonly string[], given: unknown): [string, unknown][] {
  if (names.length === 0) throw nothingLearned("load");
  const plain = Array.isArray(given) || ArrayBuffer.isView(given);
  if (plain || (given !== null && typeof given === "object" && "data" in given && "dims" in given)) {
    if (names.length > 1) throw invalid("load", `name the parameter: { ${names.join(", ")} }`);
    return [[names[0]!, given]];
  }
  if (given === null || typeof given !== "object") throw invalid("load", `must be a tensor, got ${show(given)}`);
  const entries = Object.entries(given).filter(([, data]) => data !== undefined);
  for (const [name] of entries)
    if (!names.includes(name)) throw invalid(name, `unknown parameter; known are ${names.join(", ")}`);
  return entries;
}
