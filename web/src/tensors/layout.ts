// From one pair layout to the other, once and for all, in the weights that make queries and keys.
import { arrayType, checkAttached, isNumberArray } from "../base/arrays.js";
import { checkDims, sizeOf } from "../base/dims.js";
import { PosencError, invalid, show } from "../base/errors.js";
import { count, maybe, must, oneOf, or, type Read, readOptions, tensor } from "../base/options.js";
import type { NumberArray } from "../base/types.js";

/** Weights of any number type (also float16 as Uint16Array): only rows move. */
export interface WeightsLike {
  /** As the runtime calls it; carried over. */
  readonly type?: string;
  /** Row-major, as many as `dims` say. */
  readonly data: Exclude<NumberArray, readonly number[]>;
  /** [heads * dim, in], or [heads * dim] of a bias. */
  readonly dims: readonly number[];
}

/** Which rows of a projection belong together, and where they go. */
export interface PermuteOptions {
  /** Heads of this projection: for keys the number of key heads. */
  heads: number;
  /** Width of a head. Default: rows / heads. */
  dim?: number;
  /** Features of a head that turn. Default `dim`; the others stay where they are. */
  rotaryDim?: number;
  /** First of them. Default 0. */
  rotaryStart?: number;
  /** The pair layout that the weights have. */
  from: "half" | "interleaved";
  /** The one that they get. */
  to: "half" | "interleaved";
  /** Where the result goes; may be the weights themselves. */
  out?: WeightsLike;
}

/** Weights in another pair layout, with data of the same type. */
export type Permuted<T extends WeightsLike> = WeightsLike & { readonly data: ReturnType<T["data"]["slice"]> };

type Data = WeightsLike["data"];

const pairLayout = must(oneOf("half", "interleaved"));
const permuteOptions = {
  heads: must(count(1)),
  dim: maybe(count(1)),
  rotaryDim: maybe(count()),
  rotaryStart: or(count(), 0),
  from: pairLayout,
  to: pairLayout,
  out: tensor,
};

function checkWeights(x: unknown, field: string): asserts x is WeightsLike {
  const { data, dims } = (x ?? {}) as { data?: unknown; dims?: unknown };
  if (!isNumberArray(data) || Array.isArray(data))
    throw invalid(field, `must be { data, dims } with a typed array, got ${show(x)}`);
  checkAttached(data, field);
  checkDims(dims, field);
  if (dims.length < 1 || dims.length > 2 || sizeOf(dims) !== data.length)
    throw new PosencError(
      "shape-mismatch",
      `${field}: must be [heads * dim, in] or [heads * dim], got [${dims.join(", ")}] with ${data.length} values`,
      field,
    );
}

/** Which rows of a head turn: first, and how many pairs. */
function slice(options: Read<typeof permuteOptions>, rows: number): { dim: number; first: number; pairs: number } {
  const { heads, dim = Math.floor(rows / heads), rotaryStart: first, rotaryDim = dim - first } = options;
  if (heads * dim !== rows)
    throw new PosencError("shape-mismatch", `weights: ${rows} rows are not ${heads} heads of ${dim}`, "weights");
  if (rotaryDim % 2 !== 0) throw invalid("rotaryDim", `must be even, got ${rotaryDim}`);
  if (first + rotaryDim > dim) throw invalid("rotaryDim", `${first} + ${rotaryDim} features exceed the head's ${dim}`);
  return { dim, first, pairs: rotaryDim / 2 };
}

/**
 * Reorders the rows of a query or key projection so that a model with one pair layout runs with the other: interleaved
 * rows 2k, 2k + 1 of each head are half rows k, k + rotaryDim / 2. All scores stay the same. weights [heads * dim, in], or
 * a bias [heads * dim], untouched; returns the same shape. from and to swapped undo it.
 * Throws: invalid-argument, shape-mismatch. Source: the `permute` of Hugging Face's Llama conversion.
 */
export function permuteWeights<T extends WeightsLike>(
  weights: T,
  options: PermuteOptions & { out?: undefined },
): Permuted<T>;
/** Writes the result into `out`, which may be the weights themselves, and returns it. */
export function permuteWeights<T extends WeightsLike>(weights: WeightsLike, options: PermuteOptions & { out: T }): T;
export function permuteWeights(weights: WeightsLike, options: PermuteOptions): WeightsLike {
  const read = readOptions(options, permuteOptions);
  checkWeights(weights, "weights");
  const { dim, first, pairs } = slice(read, weights.dims[0]!);
  const { heads, from, to } = read;
  const out: WeightsLike | undefined = read.out;
  if (out !== undefined) {
    checkWeights(out, "out");
    if (out.dims.join() !== weights.dims.join() || arrayType(out.data) !== arrayType(weights.data))
      throw new PosencError("shape-mismatch", "out: must be like the weights in type and shape", "out");
  }
  const width = weights.dims[1] ?? 1;
  // `out` may be the weights themselves.
  const source = (out ? weights.data.slice() : weights.data) as Float32Array;
  const target = (out ? out.data : weights.data.slice()) as Float32Array;
  if (out) target.set(source);
  const place = (layout: string, pair: number, second: number): number =>
    first + (layout === "half" ? pair + second * pairs : 2 * pair + second);
  for (let head = 0; head < heads; head++)
    for (let i = 0; i < 2 * pairs; i++) {
      const [pair, second] = [i >> 1, i & 1];
      const row = (head * dim + place(from, pair, second)) * width;
      target.set(source.subarray(row, row + width), (head * dim + place(to, pair, second)) * width);
    }
  return (out ?? { type: weights.type, data: target as Data, dims: [...weights.dims] }) as WeightsLike;
}
