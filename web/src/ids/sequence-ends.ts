// Packed sequences, from their cumulative lengths.
import { checkWhole } from "../base/arrays.js";
import { invalid, isCount } from "../base/errors.js";

/** Reads the ends of packed sequences, after a leading 0. */
export function sequenceEnds(cuSeqlens: unknown): number[] {
  checkWhole(cuSeqlens, "cuSeqlens", "the cumulative lengths [0, …]");
  const ends = Array.from<number | bigint, number>(cuSeqlens, Number);
  if (ends[0] !== 0 || !ends.every((end, i) => isCount(end) && end >= (ends[i - 1] ?? 0)))
    throw invalid("cuSeqlens", "must be whole numbers that begin with 0 and never decrease");
  return ends;
}
