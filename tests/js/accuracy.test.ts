// Are the angles right, far out too? Against 50-digit truth where the fixtures hold it, and against whole-number
// arithmetic of our own (helpers/exact.ts) everywhere else.
import { describe, expect, it } from "vitest";
import { exactCosSin, exactFrequency } from "./helpers/exact";
import { goldenCase } from "./helpers/fixtures";
import { createRotary, createTable } from "./helpers/library";

const DIM = 128;
const PAIRS = DIM / 2;
const BASES = [1e4, 5e5, 1e6];

/** float32 rounding alone is up to 3e-8; these leave room for a last bit, more where a float64 angle would fail. */
const TOLERANCE: [position: number, tolerance: number][] = [
  [0, 0],
  [1, 6e-8],
  [1000, 6e-8],
  [131_071, 6e-8],
  [1_000_000, 6e-8],
  [16_777_217, 6e-8],
  [2_147_483_647, 1.3e-7],
  [-1_000_000, 6e-8],
  [-2_147_483_647, 1.3e-7],
  [0.25, 6e-8],
  [1234.5678, 6e-8],
  [999_999.5, 6e-8],
];

const toleranceAt = (position: number) => (Math.abs(position) > 2 ** 30 ? 1.3e-7 : 6e-8);

describe("the oracle", () => {
  it.each(["far-positions-theta10000", "far-positions-theta1000000-b"])("agrees with the 50 digits of %s", (name) => {
    const { params, inputs, targets } = goldenCase(`accuracy/${name}`);
    const positions = Array.from(inputs.positions!.data as BigInt64Array, Number);
    let worst = 0;
    positions.forEach((position, t) => {
      for (let k = 0; k < PAIRS; k++) {
        const { cos, sin } = exactCosSin(position, params.rope_theta as number, k, DIM);
        const at = t * PAIRS + k;
        worst = Math.max(worst, Math.abs(cos - Number(targets.cos!.array.data[at])));
        worst = Math.max(worst, Math.abs(sin - Number(targets.sin!.array.data[at])));
      }
    });
    expect(worst).toBeLessThan(1e-15);
  });

  it("knows a few values", () => {
    expect(exactCosSin(0, 10000, 3, 8)).toEqual({ cos: 1, sin: 0 });
    expect(exactCosSin(1, 10000, 0, 8).sin).toBeCloseTo(Math.sin(1), 15);
    expect(exactCosSin(-2.5, 10000, 0, 8).cos).toBeCloseTo(Math.cos(2.5), 15);
    expect(exactFrequency(10000, 2, 8)).toBe(0.01);
  });
});

describe.each(["far-positions-theta10000", "far-positions-theta1000000-b"])("rotary tables against %s", (name) => {
  const { params, inputs, targets } = goldenCase(`accuracy/${name}`);
  const positions = inputs.positions!.data as BigInt64Array;
  const rope = createRotary({ kind: "rope", dim: params.head_dim, base: params.rope_theta });
  const tables = rope.tables({ positions });

  it.each(Array.from(positions, Number))("position %i", (position) => {
    const t = Array.from(positions, Number).indexOf(position);
    for (const name of ["cos", "sin"] as const) {
      const truth = targets[name]!.array.data as Float64Array;
      for (let k = 0; k < PAIRS; k++) {
        const error = Math.abs(tables[name].data[t * PAIRS + k]! - truth[t * PAIRS + k]!);
        expect(error, `${name} of pair ${k}`).toBeLessThanOrEqual(toleranceAt(position));
      }
    }
  });
});

describe.each(BASES)("base %i", (base) => {
  const rope = createRotary({ kind: "rope", dim: DIM, base });

  it.each(TOLERANCE)("rotary tables at position %f are within %e", (position, tolerance) => {
    const { cos, sin } = rope.tables({ positions: [position] });
    for (let k = 0; k < PAIRS; k++) {
      const exact = exactCosSin(position, base, k, DIM);
      expect(Math.abs(cos.data[k]! - exact.cos), `cos of pair ${k}`).toBeLessThanOrEqual(tolerance);
      expect(Math.abs(sin.data[k]! - exact.sin), `sin of pair ${k}`).toBeLessThanOrEqual(tolerance);
    }
  });

  it.each(TOLERANCE)("sinusoidal rows at position %f are within %e", (position, tolerance) => {
    const { data } = createTable({ kind: "sinusoidal", dim: DIM, base }).table({ positions: [position] });
    for (let k = 0; k < PAIRS; k++) {
      const exact = exactCosSin(position, base, k, DIM);
      expect(Math.abs(data[2 * k]! - exact.sin), `sine ${k}`).toBeLessThanOrEqual(tolerance);
      expect(Math.abs(data[2 * k + 1]! - exact.cos), `cosine ${k}`).toBeLessThanOrEqual(tolerance);
    }
  });

  it("frequencies are the nearest float64, or its neighbour", () => {
    rope.inverseFrequencies.forEach((frequency, k) => {
      const exact = exactFrequency(base, k, DIM);
      expect(Math.abs(frequency - exact) / exact).toBeLessThanOrEqual(2 ** -52);
    });
  });

  it("rotated vectors are as near as float32 allows", () => {
    const x = Float32Array.from({ length: DIM }, (_, index) => Math.fround(Math.cos(index)));
    const position = 16_777_217;
    const tensor = { data: Float32Array.from(x), dims: [1, 1, 1, DIM] };
    const { data } = rope.apply(tensor, { positions: [position] });
    for (let k = 0; k < PAIRS; k++) {
      const { cos, sin } = exactCosSin(position, base, k, DIM);
      const [a, b] = [x[k]!, x[k + PAIRS]!];
      expect(Math.abs(data[k]! - (a * cos - b * sin))).toBeLessThan(3e-7);
      expect(Math.abs(data[k + PAIRS]! - (a * sin + b * cos))).toBeLessThan(3e-7);
    }
  });
});

describe('precision "float32" follows the float32 steps', () => {
  const { params, inputs, targets } = goldenCase("accuracy/far-positions-theta10000");
  const base = params.rope_theta as number;
  const positions = Array.from(inputs.positions!.data as BigInt64Array, Number);
  const rope = createRotary({ kind: "rope", dim: DIM, base, precision: "float32" });
  const frequencies = rope.inverseFrequencies;

  it("has frequencies that are float32 numbers, within a last bit of the published ones", () => {
    const published = targets.inv_freq!.array.data as Float64Array;
    frequencies.forEach((frequency, k) => {
      expect(Math.fround(frequency)).toBe(frequency);
      expect(Math.abs(frequency - Number(published[k])) / frequency).toBeLessThan(2 ** -22);
    });
  });

  it("rounds position and angle, so that far positions differ from the truth as the pipelines do", () => {
    const { cos, sin } = rope.tables({ positions });
    let farthest = 0;
    positions.forEach((position, t) => {
      for (let k = 0; k < PAIRS; k++) {
        const angle = Math.fround(Math.fround(position) * frequencies[k]!);
        const at = t * PAIRS + k;
        expect(Math.abs(cos.data[at]! - Math.cos(angle))).toBeLessThan(1.2e-7);
        expect(Math.abs(sin.data[at]! - Math.sin(angle))).toBeLessThan(1.2e-7);
        farthest = Math.max(farthest, Math.abs(cos.data[at]! - Number(targets.cos!.array.data[at])));
      }
    });
    expect(farthest).toBeGreaterThan(0.5);
  });
});
