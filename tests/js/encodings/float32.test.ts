// Does `precision: "float32"` give what PyTorch gives? Against the float32 arrays of the golden cases, which other tests
// leave aside for the truth.
import { describe, expect, it } from "vitest";
import { float32Outputs } from "../../golden/float32.mjs";
import type { Float32Output } from "../../golden/float32.mjs";
import { ulps } from "../helpers/exact";
import { goldenCase, goldenCases } from "../helpers/fixtures";
import { createRotary, pe } from "../helpers/library";

const cases = [...goldenCases].map(([name, json]) => ({ name, outputs: float32Outputs(pe, json) }));

/** Where the two have other numbers, as float32. */
const different = ({ ours, reference }: Float32Output) =>
  Array.from(reference.keys()).filter((at) => Math.fround(Number(ours[at])) !== reference[at]);

const farthest = ({ ours, reference }: Float32Output) =>
  reference.reduce((worst, value, at) => Math.max(worst, Math.abs(Number(ours[at]) - value)), 0);

const isFrequencies = ({ name }: Float32Output) => name.startsWith("inv_freq");
const withFrequencies = cases.filter(({ outputs }) => outputs.some(isFrequencies));

describe.each(withFrequencies)("$name", ({ outputs }) => {
  const frequencies = outputs.filter(isFrequencies);
  const same = frequencies.every((output) => different(output).length === 0);

  it("has PyTorch's frequencies, or neighbours where a scaling rule has more steps", () => {
    for (const { ours, reference } of frequencies)
      reference.forEach((value, at) =>
        expect(Math.abs(Number(ours[at]) - value)).toBeLessThanOrEqual(value * 2 ** -20),
      );
  });

  const cosSin = outputs.filter(({ name }) => name === "cos" || name === "sin");
  // PyTorch's sines and cosines are good to 3.5 last places, and a magnitude may multiply them.
  it.runIf(same && cosSin.length > 0)("has its cosines and sines but for their last bits", () => {
    for (const output of cosSin)
      expect(farthest(output), output.name).toBeLessThan(
        2.5 * 2 ** -24 * Math.max(1, ...output.reference.map(Math.abs)),
      );
  });
});

// Dynamic NTK's base and the ramp of DeepSeek-V2's file are reached by float32 steps of their own.
const otherSteps = ["rope/deepseek-v2-lite", "rope/internlm2-7b-above", "rope/internlm2-7b-inv_freq-by-seq_len"];

it("frequencies are the same bits in all cases but those whose reference scales them by more float32 steps", () => {
  const unequal = withFrequencies.filter(({ outputs }) =>
    outputs.filter(isFrequencies).some((output) => different(output).length > 0),
  );
  expect(withFrequencies.length).toBeGreaterThan(20);
  expect(unequal.map(({ name }) => name).sort()).toEqual(otherSteps);
});

/** What PyTorch gave far out: cos and sin of 64 pairs at each position, the truth, and the float32 angles. */
function farCase(name: string, base: number) {
  const { inputs, targets } = goldenCase(`accuracy/${name}`);
  const outputs = float32Outputs(pe, goldenCases.get(`accuracy/${name}`));
  const frequencies = createRotary({ kind: "rope", dim: 128, base, precision: "float32" }).inverseFrequencies;
  return Array.from(inputs.positions!.data as BigInt64Array, Number).map((position, t) => ({
    position,
    frequencies,
    cosSin: (["cos", "sin"] as const).flatMap((func) =>
      Array.from(frequencies, (frequency, pair) => {
        const at = t * frequencies.length + pair;
        const angle = Math.fround(Math.fround(position) * frequency);
        const torch = outputs.find(({ name }) => name === func)!.reference[at]!;
        return { func, pair, torch, truth: Number(targets[func]!.array.data[at]), rounded: Math[func](angle) };
      }),
    ),
  }));
}
const far = farCase("far-positions-theta10000", 1e4);
const farOfMillion = farCase("far-positions-theta1000000-b", 1e6);

describe("PyTorch's own tables", () => {
  it.each([
    [1e6, 0.05],
    [2 ** 24 + 1, 0.9],
    [2 ** 31 - 1, 2],
  ])("at position %i are off by %f", (position, error) => {
    const { cosSin } = far.find((row) => row.position === position)!;
    const off = Math.max(...cosSin.map(({ torch, truth }) => Math.abs(torch - truth)));
    expect(Math.abs(off / error - 1)).toBeLessThan(0.05);
  });

  it("are waves of their float32 angles to less than two last places, but not to one", () => {
    const off = [...far, ...farOfMillion].flatMap(({ cosSin }) =>
      cosSin.map(({ torch, rounded }) => ulps(torch, rounded)),
    );
    expect(Math.max(...off)).toBeLessThan(2);
    expect(Math.max(...off)).toBeGreaterThan(1);
  });

  it.each([
    [65_536, 1.8e-6],
    [2 ** 24 + 1, 3.6e-4],
  ])("of base 1e6 differ at %i by %f from those of the nearest power, in one pair of 64", (position, error) => {
    const { frequencies, cosSin } = farOfMillion.find((row) => row.position === position)!;
    const nearest = Array.from(frequencies, (_, pair) => Math.fround(1 / Math.fround(1e6 ** (pair / 64))));
    const others = Array.from(frequencies.keys()).filter((pair) => frequencies[pair] !== nearest[pair]);
    expect(others.length).toBe(1);
    const off = cosSin
      .filter(({ pair }) => pair === others[0])
      .map(({ func, pair, torch }) =>
        Math.abs(torch - Math[func](Math.fround(Math.fround(position) * nearest[pair]!))),
      );
    expect(Math.abs(Math.max(...off) / error - 1)).toBeLessThan(0.1);
  });
});
