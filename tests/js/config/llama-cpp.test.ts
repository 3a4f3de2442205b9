// Options of llama.cpp: with ggml's formulas they give the frequencies and magnitudes of the spec.
import { llamaCppOptions } from "posenc/config";
import { describe, expect, it } from "vitest";
import { createRotary, loosely } from "../helpers/library";
import type { Spec } from "posenc";

/** ggml's rope_yarn: frequencies of pairs, and the magnitude. */
function byGgml(wllama: Readonly<Record<string, string | number>>, width: number) {
  const number = (name: string, fallback: number) => Number(wllama[name] ?? fallback);
  const [base, scale] = [number("rope_freq_base", 10000), number("rope_freq_scale", 1)];
  const isYarn = wllama["rope_scaling_type"] === "LLAMA_ROPE_SCALING_TYPE_YARN";
  const end = (beta: number) =>
    (width * Math.log(number("yarn_orig_ctx", 1) / (beta * 2 * Math.PI))) / (2 * Math.log(base));
  const low = Math.max(0, Math.floor(end(number("yarn_beta_fast", 32))));
  const high = Math.min(width - 1, Math.ceil(end(number("yarn_beta_slow", 1))));
  const frequencies = Array.from({ length: width / 2 }, (_, i) => {
    const plain = base ** ((-2 * i) / width);
    const ramp = isYarn ? 1 - Math.min(1, Math.max(0, (i - low) / Math.max(0.001, high - low))) : 0;
    return scale * plain * (1 - ramp) + plain * ramp;
  });
  return { frequencies, magnitude: isYarn ? 1 + 0.1 * Math.log(1 / scale) : 1 };
}

describe("options give the same rotation", () => {
  it.each<[string, Spec]>([
    ["plain", { kind: "rope", dim: 64, base: 500000 }],
    ["linear", { kind: "rope-linear", dim: 64, factor: 4 }],
    ["NTK", { kind: "rope-ntk", dim: 64, factor: 8, base: 10000 }],
    ["NTK of a part", { kind: "rope-ntk", dim: 64, rotaryDim: 32, factor: 8 }],
    ["YaRN", { kind: "rope-yarn", dim: 128, factor: 4, originalLength: 32768, base: 1000000 }],
    [
      "YaRN with another ramp",
      { kind: "rope-yarn", dim: 64, factor: 16, originalLength: 4096, betaFast: 24, betaSlow: 2 },
    ],
  ])("%s", (_, spec) => {
    const { wllama } = llamaCppOptions(spec);
    const rope = createRotary(spec as never);
    const { frequencies, magnitude } = byGgml(wllama, rope.rotaryDim);
    rope.inverseFrequencies.forEach((own, i) => expect(own / frequencies[i]!).toBeCloseTo(1, 9));
    expect(rope.attentionFactor).toBeCloseTo(magnitude, 9);
  });
  it("are those of the program, too", () => {
    const spec = { kind: "rope-yarn", dim: 128, factor: 4, originalLength: 32768, betaFast: 24 } as const;
    expect(llamaCppOptions(spec).flags.join(" ")).toBe(
      "--rope-scaling yarn --rope-freq-base 10000 --rope-scale 4 --yarn-orig-ctx 32768 --yarn-beta-fast 24",
    );
  });
});

describe("rules without options", () => {
  const scaled = { dim: 64, factor: 4, originalLength: 4096 };
  it.each<[object, string]>([
    [{ kind: "rope-llama3", ...scaled, lowFrequencyFactor: 1, highFrequencyFactor: 4 }, "no options for rope-llama3"],
    [{ kind: "rope-yarn", ...scaled, truncate: false }, "rounds the ends"],
    [{ kind: "rope-yarn", ...scaled, mscale: 1, mscaleAllDim: 1 }, "reads attentionFactor"],
    [{ kind: "alibi", heads: 8 }, "no options for alibi"],
  ])("%o", (spec, message) => {
    expect(() => llamaCppOptions(loosely(spec))).toThrow(
      expect.objectContaining({ code: "unsupported", field: "spec" }),
    );
    expect(() => llamaCppOptions(loosely(spec))).toThrow(message);
  });
  it.each([null, undefined, "rope", {}])("%o", (spec) => {
    expect(() => llamaCppOptions(loosely(spec))).toThrow(
      expect.objectContaining({ code: "invalid-argument", field: "spec" }),
    );
  });
});
