// Does `precision: "float32"` give what PyTorch gives? Against the float32 arrays of the golden cases, which other tests
// leave aside for the truth.
import { describe, expect, it } from "vitest";
import { float32Outputs } from "../golden/float32.mjs";
import type { Float32Output } from "../golden/float32.mjs";
import { goldenCases } from "./helpers/fixtures";
import { pe } from "./helpers/library";

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

  const waves = outputs.filter(({ name }) => name === "cos" || name === "sin");
  // PyTorch's sines and cosines are good to 3.5 last places, and a magnitude may multiply them.
  it.runIf(same && waves.length > 0)("has its cosines and sines but for their last bits", () => {
    for (const output of waves)
      expect(farthest(output), output.name).toBeLessThan(
        2.5 * 2 ** -24 * Math.max(1, ...output.reference.map(Math.abs)),
      );
  });
});

it("frequencies are the same bits in all cases but those whose reference scales them by more float32 steps", () => {
  const equal = withFrequencies.filter(({ outputs }) =>
    outputs.filter(isFrequencies).every((output) => different(output).length === 0),
  );
  expect(withFrequencies.length).toBeGreaterThan(20);
  expect(equal.length / withFrequencies.length).toBeGreaterThan(0.85);
});
