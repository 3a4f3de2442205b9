// What every rotation does, whatever its spec.
import type { RotaryEncoding } from "posenc";
import { expect } from "vitest";
import { ropeMagnitude } from "./formulas";
import { copyOf, dot, maxDifference, norm, randomTensor, range, row } from "./numbers";
import type { Spec } from "./library";
import { Random } from "./random-spec";

const COUNT = 5;

/** Positions for each axis of the encoding, moved by `shift`. */
function randomPositions(encoding: RotaryEncoding, random: Random, shift: number): number[] | number[][] {
  const axis = () => range(COUNT).map(() => random.whole(0, 40) + shift);
  return encoding.axes > 1 ? range(encoding.axes).map(axis) : axis();
}

export function checkRotation(encoding: RotaryEncoding, spec: Spec, random: Random): void {
  const seed = random.whole(1, 1e6);
  const hasRoles = spec.kind === "xpos";
  // The same sequence length for all calls: kinds that go by it must not change their frequencies on the way.
  const sequenceLength = hasRoles ? 100 : random.whole(64, 5000);
  // Coordinates that go by the grid's size need the same one, too.
  const grid = encoding.axes > 1 ? { grid: range(encoding.axes).map(() => 64) } : {};
  const at = (shift: number) => ({
    positions: randomPositions(encoding, new Random(seed), shift),
    sequenceLength,
    ...grid,
  });
  const factor = ropeMagnitude(spec);
  const q = randomTensor([1, 2, COUNT, encoding.dim], seed);
  const k = randomTensor([1, 2, COUNT, encoding.dim], seed + 1);
  const rotate = (x: typeof q, role: "query" | "key", shift: number) =>
    encoding.apply(copyOf(x), { ...at(shift), ...(hasRoles ? { role } : {}) });
  const rotated = rotate(q, "query", 0);

  expect(rotated.data.every(Number.isFinite), "all numbers are finite").toBe(true);
  if (!hasRoles) expectNorms(rotated.data, q.data, encoding, factor);
  const back = encoding.apply(copyOf(rotated), {
    ...at(0),
    ...(hasRoles ? { role: "query" } : {}),
    inverse: true,
  });
  expect(maxDifference(back.data, q.data), "apply, then inverse").toBeLessThan(3e-6 * (hasRoles ? 100 : 1));
  expectScoresMove(
    rotated.data,
    rotate(k, "key", 0).data,
    rotate(q, "query", 7).data,
    rotate(k, "key", 7).data,
    encoding,
  );
}

/** Angles, sines and cosines are rounded to 11 bits. */
const isFloat16 = ({ spec }: RotaryEncoding): boolean => (spec as unknown as Spec)["float16Angles"] === true;

function expectNorms(rotated: Float32Array, given: Float32Array, encoding: RotaryEncoding, factor: number): void {
  const { dim, pairs } = encoding;
  const whole = 2 * pairs === dim;
  const digits = isFloat16(encoding) ? 3 : 5;
  for (let index = 0; index < given.length; index += dim) {
    const before = given.subarray(index, index + dim);
    const after = rotated.subarray(index, index + dim);
    // Features that do not turn keep their size, the others get the factor.
    if (whole) expect(norm(after) / norm(before) / factor).toBeCloseTo(1, digits);
    else if (factor === 1) expect(norm(after) / norm(before)).toBeCloseTo(1, digits);
  }
}

/** A score depends on the distance between its two places only. */
function expectScoresMove(
  q: Float32Array,
  k: Float32Array,
  movedQ: Float32Array,
  movedK: Float32Array,
  encoding: RotaryEncoding,
): void {
  const { dim, spec } = encoding;
  // Rounded angles are those of other places: far ones, or many turns, of quite other ones.
  if ((spec as unknown as Spec).precision === "float32" || isFloat16(encoding)) return;
  for (let i = 0; i < COUNT; i++)
    for (let j = 0; j < COUNT; j++) {
      const score = dot(row({ data: q, dims: [dim] }, i), row({ data: k, dims: [dim] }, j));
      const moved = dot(row({ data: movedQ, dims: [dim] }, i), row({ data: movedK, dims: [dim] }, j));
      const size = norm(row({ data: q, dims: [dim] }, i)) * norm(row({ data: k, dims: [dim] }, j));
      expect(Math.abs(score - moved), `score of places ${i} and ${j}`).toBeLessThan(4e-6 * Math.max(1, size));
    }
}
