// Converts the weights of query and key projections from one pair layout to the other.
import { arrayType, checkAttached, isNumberArray } from "../base/arrays.js";
import { checkDims, sizeOf } from "../base/dims.js";
import { PosencError, invalid, show } from "../base/errors.js";
import { count, maybe, must, oneOf, or, type Read, readOptions, tensor } from "../base/options.js";
import type { NumberArray } from "../base/types.js";

/** Weights of any numeric type (also float16 as Uint16Array), since rows are only moved. */
export interface WeightsLike {
  /** Type name of the runtime; copied to the result. */
  readonly type?: string;
  /** Row-major values, as many as the product of `dims`. */
  readonly data: Exclude<NumberArray, readonly number[]>;
  /** [heads * dim, in], or [heads * dim] for a bias. */
  readonly dims: readonly number[];
}

/** Options of `permuteWeights`. */
export interface PermuteOptions {
  /** Number of heads of this projection; for keys the number of key heads. */
  heads: number;
  /** Head dimension. Default: rows / heads. */
  dim?: number;
  /** Number of features per head that are rotated, even. Default `dim` - `rotaryStart`. The others keep their index. */
  rotaryDim?: number;
  /** Index of the first rotated feature. Default 0. */
  rotaryStart?: number;
  /** Pair layout of the weights. */
  from: "half" | "interleaved";
  /** Pair layout of the result. */
  to: "half" | "interleaved";
  /** Receives the result; may be the weights themselves. Default: a new array. */
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

/** The rotated rows of a head: the first, and the number of pairs. */
function slice(options: Read<typeof permuteOptions>, rows: number): { dim: number; first: number; pairs: number } {
  const { heads, dim = Math.floor(rows / heads), rotaryStart: first, rotaryDim = dim - first } = options;
  if (heads * dim !== rows)
    throw new PosencError("shape-mismatch", `weights: ${rows} rows are not ${heads} heads of ${dim}`, "weights");
  if (rotaryDim % 2 !== 0) throw invalid("rotaryDim", `must be even, got ${rotaryDim}`);
  if (first + rotaryDim > dim) throw invalid("rotaryDim", `${first} + ${rotaryDim} features exceed the head's ${dim}`);
  return { dim, first, pairs: rotaryDim / 2 };
}

/**
 * Reorders the rows of a query or key projection from one pair layout to the other.
 *
 * Permute the projections of queries and keys, so that a model runs with the other `pairing`; all scores stay the same. Rows
 * 2k and 2k + 1 of a head in layout "interleaved" are rows k and k + rotaryDim / 2 in layout "half". Swap `from` and `to` to
 * undo it.
 * @param weights Weights [heads * dim, in], or a bias [heads * dim], of any numeric type. Unchanged unless they are `out`.
 * @param options Number of `heads`, pair layouts `from` and `to`, `rotaryDim` of partial rotations; `out` receives the result.
 * @returns Reordered weights with the dims and the type of `weights`; `out` if it was given.
 * @throws {PosencError} `shape-mismatch` if the rows are not `heads` heads or `out` differs in type or dims; `invalid-argument`
 * if an option is not valid.
 * @example
 * const wq = pe.permuteWeights({ data, dims: [4096, 4096] }, { heads: 32, from: "interleaved", to: "half" });
 * @see Hugging Face's Llama conversion script, `permute`
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
  const featureIndex = (layout: string, pair: number, second: number): number =>
    first + (layout === "half" ? pair + second * pairs : 2 * pair + second);
  for (let head = 0; head < heads; head++)
    for (let i = 0; i < 2 * pairs; i++) {
      const [pair, second] = [i >> 1, i & 1];
      const row = (head * dim + featureIndex(from, pair, second)) * width;
      target.set(source.subarray(row, row + width), (head * dim + featureIndex(to, pair, second)) * width);
    }
  return (out ?? { type: weights.type, data: target as Data, dims: [...weights.dims] }) as WeightsLike;
}
