// What every content-dependent relative encoding does, whatever its spec.
import type { RelativeEncoding } from "posenc";
import { expect } from "vitest";
import { pe } from "./library";
import type { Spec } from "./library";
import { maxDifference, randomTensor, range } from "./numbers";
import { Random } from "./random-spec";
import { tokensOf } from "./tokens";

/** Of kinds that turn rows. */
const defaultAxes = (encoding: RelativeEncoding): number => (encoding.spec as unknown as { axes?: number }).axes ?? 1;

export function checkRelative(encoding: RelativeEncoding, spec: Spec, random: Random): void {
  const heads = (spec.heads as number | undefined) || 2;
  const [queries, keys] = [random.whole(1, 6), random.whole(6, 9)];
  const seed = random.whole(1, 1e6);
  const dim = encoding.dim || 4;
  const q = randomTensor([1, heads, queries, dim], seed);
  const k = randomTensor([1, heads, keys, dim], seed + 1);
  const tokens = tokensOf(spec, heads, [queries, keys], dim, seed + 2);
  const axes = "apply" in encoding ? ((spec.axes as number | undefined) ?? defaultAxes(encoding)) : 1;
  const positionsFrom = (offset: number) =>
    axes > 1 ? { positions: range(axes).map((axis) => range(keys, offset + axis)) } : { offset };
  const at = positionsFrom(0);
  const logits = encoding.logits(q, k, { ...at, ...tokens });
  expect(logits.dims).toEqual([1, heads, queries, keys]);
  expect(logits.data.every(Number.isFinite), "all numbers are finite").toBe(true);
  // Moving queries and keys together changes nothing but roundings, but where waves are mixed, rotations do not commute, or
  // GRAPE-AP turns by places themselves.
  const moved = encoding.logits(q, k, { ...positionsFrom(random.whole(1, 100)), ...tokens });
  const size = logits.data.reduce((most, x) => Math.max(most, Math.abs(x)), 1);
  if (!["fope", "grape-ap"].includes(encoding.kind) && (encoding.kind !== "liere" || axes === 1))
    expect(maxDifference(moved.data, logits.data), "moved together").toBeLessThan(2e-6 * size);
  const weights = pe.attentionWeights(q, k, { encoding, scale: 1, at, ...tokens });
  for (let row = 0; row < heads * queries; row++) {
    const scores = logits.data.subarray(row * keys, (row + 1) * keys);
    const top = Math.max(...scores);
    const exponentials = Array.from(scores, (score) => Math.exp(score - top));
    const total = exponentials.reduce((sum, value) => sum + value, 0);
    const expected = exponentials.map((value) => value / total);
    expect(maxDifference(weights.data.subarray(row * keys, (row + 1) * keys), expected)).toBeLessThan(4e-6 * size);
  }
}
