// Are the angles right, far out too? Against 50-digit truth where the fixtures hold it, and against whole-number
// arithmetic of our own (helpers/exact.ts) everywhere else.
import { describe, expect, it } from "vitest";
import {
  PI,
  divide,
  exactCosSin,
  exactFrequency,
  fixed,
  inverseFrequency,
  multiply,
  ulps,
  cosSinOf,
} from "./helpers/exact";
import { goldenCase } from "./helpers/fixtures";
import { createRotary, createTable } from "./helpers/library";
import { FARTHEST, worstPositions, worstAngles } from "./helpers/worst-positions";

const DIM = 128;
const PAIRS = DIM / 2;
const BASES = [1e4, 5e5, 1e6];

/** Near and far, negative, between whole numbers. */
const POSITIONS = [
  ...[0, 1, 1000, 131_071, 1_000_000, 16_777_217, 2_147_483_647, FARTHEST, -1_000_000, -2_147_483_647, -FARTHEST],
  ...[0.25, 1234.5678, 999_999.5, -5.5],
];

/** Half a last place of 1, and one of the number itself: the nearest float32 or its neighbour. */
function expectExact(got: number, truth: number, what: string) {
  const off = ulps(got, truth);
  const good = Math.abs(got - truth) <= 3e-8 && off <= 1;
  expect(good, good ? undefined : `${what}: ${got} instead of ${truth}, ${off} last places off`).toBe(true);
}

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
        expectExact(tables[name].data[t * PAIRS + k]!, truth[t * PAIRS + k]!, `${name} of pair ${k} at ${position}`);
      }
    }
  });
});

describe.each(BASES)("base %i", (base) => {
  const rope = createRotary({ kind: "rope", dim: DIM, base });

  const sinusoidal = createTable({ kind: "sinusoidal", dim: DIM, base });

  it.each(POSITIONS)("rotary tables and sinusoidal rows at position %f", (position) => {
    const { cos, sin } = rope.tables({ positions: [position] });
    const { data } = sinusoidal.table({ positions: [position] });
    for (let k = 0; k < PAIRS; k++) {
      const exact = exactCosSin(position, base, k, DIM);
      for (const got of [cos.data[k]!, data[2 * k + 1]!]) expectExact(got, exact.cos, `cos of pair ${k}`);
      for (const got of [sin.data[k]!, data[2 * k]!]) expectExact(got, exact.sin, `sin of pair ${k}`);
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

describe("beside zeros, where an angle's last bit is all there is", () => {
  it("known places of dim 2", () => {
    const rope = createRotary({ kind: "rope", dim: 2 });
    for (const position of [14885392687, 3587785776203]) {
      const { cos, sin } = rope.tables({ positions: [position] });
      const exact = exactCosSin(position, 10000, 0, 2);
      expectExact(cos.data[0]!, exact.cos, `cos at ${position}`);
      expectExact(sin.data[0]!, exact.sin, `sin at ${position}`);
    }
  });

  it("the worst whole positions up to 2^48 of all usual bases, on both sides", () => {
    const worst = worstAngles();
    for (const base of new Set(worst.map((angle) => angle.base))) {
      const rope = createRotary({ kind: "rope", dim: DIM, base });
      const here = worst.filter((angle) => angle.base === base);
      for (const side of [1, -1]) {
        const { cos, sin } = rope.tables({ positions: here.map(({ position }) => side * position) });
        here.forEach((angle, t) => {
          const what = `base ${base}, pair ${angle.pair} at ${side * angle.position}`;
          expectExact(cos.data[t * PAIRS + angle.pair]!, angle.cos, `cos of ${what}`);
          expectExact(sin.data[t * PAIRS + angle.pair]!, side * angle.sin, `sin of ${what}`);
        });
      }
    }
  });

  /** cos and sin of `frequency` in `row` at the positions where they are nearest to 0, in steps of `unit`. */
  function expectWorst(frequency: bigint, unit: number, row: (position: number) => { cos?: number; sin: number }) {
    for (const steps of worstPositions(multiply(frequency, fixed(unit))))
      for (const position of [steps * unit, -steps * unit]) {
        const exact = cosSinOf(multiply(fixed(position), frequency));
        const { cos, sin } = row(position);
        if (cos !== undefined) expectExact(cos, exact.cos, `cos at ${position}`);
        expectExact(sin, exact.sin, `sin at ${position}`);
      }
  }

  const tablesOf = (spec: { kind: string; [field: string]: unknown }, pair: number) => {
    const rotary = createRotary(spec);
    return (position: number) => {
      const positions = Array.from({ length: rotary.axes }, () => [position]);
      const { cos, sin } = rotary.tables(rotary.axes === 1 ? { positions: positions[0]! } : { positions });
      return { cos: cos.data[pair]!, sin: sin.data[pair]! };
    };
  };

  it.each([0.5, 2 ** -7, 2 ** -30])("positions in steps of %f", (unit) => {
    for (const pair of [0, 1, 20, 63])
      expectWorst(inverseFrequency(10000, 2 * pair, DIM), unit, tablesOf({ kind: "rope", dim: DIM }, pair));
  });

  it("frequencies that a rule has scaled, and frequencies of a checkpoint", () => {
    const frequency = inverseFrequency(10000, 10, 64);
    const spec = { dim: 64, base: 10000 };
    expectWorst(divide(frequency, fixed(3)), 1, tablesOf({ kind: "rope-linear", ...spec, factor: 3 }, 5));
    // (base · 8^(64/62))^(-10/64) = θ · 8^(-10/62)
    const scaled = multiply(frequency, inverseFrequency(8, 10, 62));
    expectWorst(scaled, 1, tablesOf({ kind: "rope-ntk", ...spec, factor: 8 }, 5));
    expectWorst(fixed(0.7), 1, tablesOf({ kind: "rope", dim: 4, frequencies: [1, 0.7] }, 1));
    expectWorst(fixed(Math.fround(0.3)), 1, tablesOf({ kind: "rope", dim: 4, frequencies: [1, Math.fround(0.3)] }, 1));
  });

  it("coordinates of axes, scaled and shifted", () => {
    const spec = { kind: "rope-axial", dim: 64, base: 100 };
    expectWorst(inverseFrequency(100, 6, 32), 1, tablesOf(spec, 3));
    expectWorst(multiply(fixed(0.3), inverseFrequency(100, 6, 32)), 1, tablesOf({ ...spec, scale: 0.3 }, 19));
  });

  it("sinusoids of scaled positions, of images, sines alone", () => {
    const frequency = inverseFrequency(10000, 6, 32);
    const rowOf = (spec: { kind: string; [field: string]: unknown }, sine: number, cosine?: number) => {
      const table = createTable(spec);
      return (position: number) => {
        const positions = Array.from({ length: table.axes }, () => [position]);
        const { data } = table.table(table.axes === 1 ? { positions: positions[0]! } : { positions });
        return { sin: data[sine]!, ...(cosine === undefined ? {} : { cos: data[cosine]! }) };
      };
    };
    expectWorst(frequency, 1, rowOf({ kind: "sinusoidal", dim: 32, pairing: "concat" }, 3, 19));
    expectWorst(multiply(frequency, fixed(0.1)), 1, rowOf({ kind: "sinusoidal", dim: 32, scale: 0.1 }, 6, 7));
    expectWorst(multiply(frequency, fixed(1000.3)), 1, rowOf({ kind: "sinusoidal", dim: 32, scale: 1000.3 }, 6, 7));
    expectWorst(frequency, 1, rowOf({ kind: "sinusoidal-2d", dim: 64 }, 38, 39));
    expectWorst(multiply(frequency, fixed(0.7)), 1, rowOf({ kind: "sinusoidal-2d", dim: 64, scale: 0.7 }, 6, 7));
    // Half turns per 2^k positions: the zeros are whole positions, and exactly 0.
    expectWorst(PI / 2n ** 4n, 1, rowOf({ kind: "periodic", dim: 8 }, 3));
    const { data } = createTable({ kind: "periodic", dim: 8 }).table({ positions: [2 ** 40, FARTHEST] });
    expect([...data]).toEqual(Array(16).fill(0));
  });

  it.each([1, 2 ** -45])("Fourier features of coordinates in steps of %f", (unit) => {
    const fourier = createTable({ kind: "fourier", dim: 8, form: "linear", maxFrequency: 4.4 });
    Array.from(fourier.parameters.frequencies!.data).forEach((cycles, k) => {
      expectWorst(2n * multiply(fixed(cycles), PI), unit, (position) => {
        const { data } = fourier.table({ positions: [position] });
        return { sin: data[k]!, cos: data[k + 4]! };
      });
    });
  });

  it("magnitudes of xPos, which are rounded once more", () => {
    const rope = tablesOf({ kind: "rope", dim: 64 }, 5);
    const xpos = createRotary({ kind: "xpos", dim: 64, scaleBase: 1e12, centre: 0 });
    for (const position of worstPositions(inverseFrequency(10000, 10, 64), 6e13)) {
      const { cos, sin } = xpos.tables({ positions: [position], role: "query" });
      const growth = ((10 + 0.4 * 64) / (1.4 * 64)) ** (position / 1e12);
      const plain = rope(position);
      expect(ulps(cos.data[5]!, plain.cos * growth)).toBeLessThanOrEqual(0.501);
      expect(ulps(sin.data[5]!, plain.sin * growth)).toBeLessThanOrEqual(0.501);
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
