// Learned numbers: an encoding's parameters in wasm memory, and how they get there.
import type { Core } from "./core.js";
import { PosencError, invalid, show } from "./errors.js";
import { ResidentTensor, sizeOf } from "./tensor.js";
import type { ParameterData } from "./types.js";

/** A parameter of an encoding, or its gradient: read and write `data`; it lives and ends with the encoding. */
export class ParameterTensor extends ResidentTensor {
  /** @internal */
  constructor(
    dims: readonly number[],
    private readonly location: number,
    private readonly core: () => Core,
  ) {
    super(dims);
  }

  get data(): Float32Array {
    return this.core().floats(this.location, this.size);
  }

  /** @internal */
  addressIn(core: Core): number | undefined {
    return this.core() === core ? this.location : undefined;
  }
}

/** The parameter `index` of the encoding `handle`, or its gradient; `core` throws once the encoding is disposed. */
export function parameterTensor(core: () => Core, handle: number, index: number, gradient: boolean): ParameterTensor {
  const home = core();
  return home.withScratch(() => {
    const facts = home.borrow(8 * 10);
    home.begin(handle).number(index).flag(gradient).number(facts).call("parameterFacts");
    const [location, rank, ...dims] = home.doubles(facts, 10) as unknown as [number, number, ...number[]];
    return new ParameterTensor(dims.slice(0, rank), location, core);
  });
}

/** The numbers of `data`, if all of them fit the parameter. */
export function checkParameter(target: ParameterTensor, data: unknown, name: string): ArrayLike<number> {
  const isTensor = data !== null && typeof data === "object" && "data" in data && "dims" in data;
  const values = isTensor ? (data as { data: unknown }).data : data;
  if (!Array.isArray(values) && !(values instanceof Float32Array) && !(values instanceof Float64Array))
    throw invalid(name, `must be a tensor or an array of numbers, got ${show(data)}`);
  const dims = isTensor ? (data as { dims: readonly number[] }).dims : undefined;
  const fits = values.length === target.size && (dims === undefined || sizeOf(dims) === target.size);
  if (!fits || (dims !== undefined && squeezed(dims) !== squeezed(target.dims)))
    throw new PosencError(
      "shape-mismatch",
      `${name}: must have dims [${target.dims.join(", ")}], got ${dims ? `[${dims.join(", ")}]` : `${values.length} numbers`}`,
      name,
    );
  for (let i = 0; i < values.length; i++)
    if (!Number.isFinite(values[i])) throw invalid(name, `must hold finite numbers, got ${show(values[i])} at ${i}`);
  return values;
}

// Checkpoints keep dims of 1 that mean nothing: [1, positions, dim], [heads, 1, 1].
const squeezed = (dims: readonly number[]): string => dims.filter((dim) => dim !== 1).join();

export const nothingLearned = (call: string): PosencError =>
  new PosencError("unsupported", `${call}: this kind has no learned numbers`, call);

export type ParameterInput = ParameterData | Record<string, ParameterData>;

/** What was given for which of the parameters `names`. */
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
