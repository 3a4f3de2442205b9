// Worked examples in print: the formula's values, and where a print differs from its own formula.
import { describe, expect, it } from "vitest";
import { createTable } from "./helpers/library";
import { maxDifference, row } from "./helpers/numbers";

describe("five words, four features", () => {
  // PE(m) = [sin m, cos m, sin(m / 10000^(2/4)), cos(m / 10000^(2/4))], m = 1 … 5.
  const table = createTable({ kind: "sinusoidal", dim: 4 }).table({ length: 5, offset: 1 });

  it("begins with the sine and cosine of the position, as printed", () => {
    const printed = [
      [0.8415, 0.5403],
      [0.9093, -0.4161],
      [0.1411, -0.99],
      [-0.7568, -0.6536],
      [-0.9589, 0.2837],
    ];
    printed.forEach((pair, i) => expect(maxDifference(row(table, i).subarray(0, 2), pair)).toBeLessThan(5.1e-5));
  });

  it("goes on with those of a hundredth", () => {
    // An article prints [0.9950, 0.0998] … [0.8775, 0.4794] here: cosine and sine of m/10, in that order, where its
    // own text says 10^(2/4). The paper's formula has 10000^(2/4) = 100.
    for (let m = 1; m <= 5; m++)
      expect(maxDifference(row(table, m - 1).subarray(2), [Math.sin(m / 100), Math.cos(m / 100)])).toBeLessThan(6e-8);
  });

  it("has the article's second pair at base 100, cosine first", () => {
    const printed = [
      [0.995, 0.0998],
      [0.9801, 0.1987],
      [0.9553, 0.2958],
      [0.9209, 0.3899],
      [0.8775, 0.4794],
    ];
    // The print rounds 0.29552, 0.38942 and 0.92106 wrongly or cuts them.
    const other = createTable({ kind: "sinusoidal", dim: 4, base: 100, order: "cos-sin" });
    const rows = other.table({ length: 5, offset: 1 });
    printed.forEach((pair, i) => expect(maxDifference(row(rows, i).subarray(2), pair)).toBeLessThan(5.1e-4));
  });
});

describe("512 features, position 1", () => {
  const first = createTable({ kind: "sinusoidal", dim: 512 }).table({ positions: [1] }).data;

  it("begins with sin 1, cos 1", () => {
    expect(maxDifference(first.subarray(0, 2), [Math.sin(1), Math.cos(1)])).toBeLessThan(6e-8);
  });

  it("has frequency 10000^(-2/512) = 0.9647 next", () => {
    // An article prints sin(0.0001), cos(0.0001) here and cos(0.9999) at the end: the frequencies are the other way round.
    const next = 10000 ** (-2 / 512);
    expect(next).toBeCloseTo(0.9647, 4);
    expect(maxDifference(first.subarray(2, 4), [Math.sin(next), Math.cos(next)])).toBeLessThan(6e-8);
  });

  it("ends with the cosine of 10000^(-510/512)", () => {
    expect(first[511]).toBeCloseTo(Math.cos(10000 ** (-510 / 512)), 7);
    expect(10000 ** (-510 / 512)).toBeCloseTo(0.0001037, 7);
  });
});
