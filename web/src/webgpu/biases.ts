// Biases from the core: a whole matrix, or one value per distance.
import type { BiasOptions } from "../base/call-options.js";
import { Operation } from "../base/calls.gen.js";
import { invalid, isCount, show } from "../base/errors.js";
import type { OwnedFloat32Array } from "../base/types.js";
import type { BiasEncoding } from "../encodings/bias.js";
import type { CpuTensor } from "./cpu-tensors.js";

/** Options that distinguish keys by more than their distance from the query. */
const byKey = ["keyPositions", "mask", "attentionMask", "segments", "cuSeqlens"] as const;

/** Whether the bias depends only on positions, so that its shape is always [heads, queries, keys]. */
export const dependsOnIndexOnly = (options: BiasOptions): boolean => byKey.every((name) => options[name] === undefined);

/** Checks options that are added here before the core checks them. Throws `invalid-argument`. */
export function checkCounts(options: BiasOptions): void {
  for (const name of ["queries", "keys"] as const)
    if (!isCount(options[name]))
      throw invalid(name, `must be a whole number from 0 to 2147483647, got ${show(options[name])}`);
  const { offset } = options;
  if (offset !== undefined && typeof offset !== "number")
    throw invalid("offset", `must be a number, got ${show(offset)}`);
}

/** Whether the bias of each query is the bias of the previous one, shifted by one key. */
const dependsOnDistanceOnly = (encoding: BiasEncoding<any>): boolean =>
  encoding.numbersOf(Operation.biasFacts, 1)[0] === 1;

/**
 * Returns the bias as `encoding.bias` does, [heads, queries, keys].
 *
 * With `isShort`, if that determines all values, [heads, distances]: the last query with queries + keys - 1 keys.
 * `lowest` replaces -Infinity for masked keys.
 */
export function biasValues(
  encoding: BiasEncoding<any>,
  options: BiasOptions,
  lowest: number | undefined,
  isShort: boolean,
): CpuTensor & { data: OwnedFloat32Array } {
  const { queries, keys, offset = keys - queries } = options;
  const short =
    isShort && Math.min(queries, keys) > 1 && dependsOnIndexOnly(options) && dependsOnDistanceOnly(encoding);
  const made = encoding.bias(
    short ? { ...options, queries: 1, keys: queries + keys - 1, offset: offset + queries - 1 } : options,
  );
  const data = made.data as OwnedFloat32Array;
  if (lowest !== undefined) for (let i = 0; i < data.length; i++) if (data[i] === -Infinity) data[i] = lowest;
  return { type: "float32", data, dims: short ? [encoding.heads, queries, keys] : [...made.dims] };
}
