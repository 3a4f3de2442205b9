// What every table does, whatever its spec.
import { expect } from "vitest";
import { expectSameBits, maxDifference, randomTensor, range, row } from "./numbers";
import type { AnyTable, Spec } from "./library";
import { Random } from "./random-spec";

/** Rows that depend on more than their own place. */
const DEPENDS_ON_THE_CALL: Record<string, (spec: Spec) => boolean> = {
  normalized: (spec) => !spec.length,
  "sinusoidal-2d": (spec) => spec.normalize === true || spec.baseSize !== undefined,
  "sinusoidal-3d": (spec) => spec.normalize === true || spec.baseSize !== undefined,
  fourier: (spec) => spec.coordinates !== undefined && spec.coordinates !== "index",
};

/** How many places there are at all; the others have no end. */
function positionCount(encoding: AnyTable): number {
  const { kind, dim } = encoding;
  const { length, start } = encoding.spec as { length?: number; start?: number };
  if (kind === "one-hot") return dim;
  if (kind === "binary") return 2 ** Math.min(dim, 20);
  return kind === "learned" ? length! - start! : Infinity;
}

function someWhere(encoding: AnyTable, random: Random): { at: object; count: number; axes: number[][] } {
  const { axes } = encoding;
  if (axes > 1) {
    const grid = range(axes).map(() => random.whole(1, 4));
    const count = grid.reduce((product, size) => product * size, 1);
    const axesOfGrid = range(axes).map((axis) => {
      const after = grid.slice(axis + 1).reduce((product, size) => product * size, 1);
      return range(count).map((index) => Math.floor(index / after) % grid[axis]!);
    });
    return { at: { grid }, count, axes: axesOfGrid };
  }
  const count = Math.min(random.whole(1, 9), positionCount(encoding));
  return { at: { length: count }, count, axes: [range(count)] };
}

export function checkTable(encoding: AnyTable, spec: Spec, random: Random): void {
  const { at, count, axes } = someWhere(encoding, random);
  const whole = encoding.table(at);
  expect(whole.dims).toEqual([count, encoding.dim]);
  expect(whole.data.every(Number.isFinite), "all numbers are finite").toBe(true);
  const positions = axes.length > 1 ? { positions: axes, ...at } : { positions: axes[0]! };
  expectSameBits(encoding.table(positions).data, whole.data, "positions given one by one");
  checkAdding(encoding, at, whole, random);
  if (DEPENDS_ON_THE_CALL[spec.kind]?.(spec)) return;
  const index = random.whole(0, count - 1);
  const one = axes.map((axis) => [axis[index]!]);
  const single = encoding.table({ positions: axes.length > 1 ? one : one[0]! });
  expectSameBits(single.data, row(whole, index), "a row by itself");
  checkShift(encoding, random);
}

function checkAdding(
  encoding: AnyTable,
  at: object,
  whole: { data: Float32Array; dims: number[] },
  random: Random,
): void {
  const x = randomTensor([2, ...whole.dims], random.whole(1, 1e6));
  const sum = x.data.map((value, index) => Math.fround(value + whole.data[index % whole.data.length]!));
  const joined = encoding.concatTo(x, at);
  expect(joined.dims).toEqual([2, whole.dims[0], 2 * encoding.dim]);
  expectSameBits(row(joined, 0).subarray(encoding.dim), row(whole, 0), "beside the features");
  expectSameBits(encoding.addTo(x, at).data, sum, "added to the features");
}

/** PE(m + k) = T_k PE(m), wherever there is such an operator. */
function checkShift(encoding: AnyTable, random: Random): void {
  if (encoding.kind !== "sinusoidal" || encoding.dim % 2) return;
  const { pairing, paddingIndex, start = 0, scale = 1, precision } = encoding.spec as Record<string, any>;
  if (precision === "float32" || paddingIndex >= 0 || start !== 0) return;
  const [m, k] = [random.whole(0, 50), random.whole(-20, 50)];
  const shift = encoding.shift(k).data;
  const [before, after] = [m, m + k].map((p) => encoding.table({ positions: [p] }).data) as [
    Float32Array,
    Float32Array,
  ];
  const pairs = encoding.dim / 2;
  const moved = new Float32Array(encoding.dim);
  for (let i = 0; i < pairs; i++) {
    const [a, b] = pairing === "interleaved" ? [2 * i, 2 * i + 1] : [i, pairs + i];
    const [p, q, r, s] = shift.subarray(4 * i, 4 * i + 4) as unknown as [number, number, number, number];
    moved[a] = p * before[a]! + q * before[b]!;
    moved[b] = r * before[a]! + s * before[b]!;
  }
  expect(maxDifference(moved, after), `shift by ${k} from ${m}, scale ${scale}`).toBeLessThan(4e-7);
}
