// Does explain() tell what a spec really does? Expected numbers were worked out apart from the library, from the papers'
// formulas and the published configs.
import { describe, expect, it } from "vitest";
import type { PairRun, RotaryExplanation } from "posenc";
import { explain } from "posenc/explain";
import { createAny, descriptions, exampleSpec, loosely, pe } from "../helpers/library";

const rotary = (spec: object, options?: object) => explain(pe, spec, options) as RotaryExplanation;
const runs = (pairs: PairRun[]) => pairs.map(({ first, last, change }) => [first, last, change]);

const llama31 = {
  ...{ model_type: "llama", hidden_size: 4096, num_attention_heads: 32, max_position_embeddings: 131072 },
  rope_theta: 500000,
  rope_scaling: {
    ...{ rope_type: "llama3", factor: 8, low_freq_factor: 1, high_freq_factor: 4 },
    original_max_position_embeddings: 8192,
  },
};

describe("Llama 3.1 8B, from its config", () => {
  const explained = rotary(llama31);
  it("leaves the pairs with wavelengths below 8192 / 4, divides those above 8192 by 8, blends between", () => {
    expect(runs(explained.pairs)).toEqual([
      [0, 28, "unchanged"],
      [29, 34, "blended"],
      [35, 63, "slowed"],
    ]);
    const [, blended, slowed] = explained.pairs;
    expect(blended!.ratio[0]).toBeCloseTo(0.19021074364065022, 12);
    expect(blended!.ratio[1]).toBeCloseTo(0.8281684118371798, 12);
    expect(slowed!.ratio).toEqual([0.125, 0.125]);
  });
  it("rotates its slowest pair once in 20 million positions", () => {
    expect(explained.longestWavelength).toBeCloseTo(20473564.138970874, 5);
    expect(explained.wavelengths[0]).toBeCloseTo(2 * Math.PI, 14);
  });
  it("counts rotations in the trained context, or in the one asked for", () => {
    expect(explained.contextLength).toBe(8192);
    expect([explained.rotations![31], explained.rotations![32]].map((count) => count!.toFixed(6))).toEqual([
      "1.117030",
      "0.684293",
    ]);
    expect(rotary(llama31, { contextLength: 131072 }).rotations![31]).toBeCloseTo(16 * 1.1170301736314878, 10);
  });
  it("says so in a paragraph", () => {
    expect(explained.summary).toBe(
      "RoPE with Llama 3 scaling on 128 features of a head, 64 pairs (half), base 500000: pairs with more than 4 " +
        "rotations in 8192 positions are unchanged, those with fewer than 1 are divided by 8, those between are " +
        "blended. Compared to plain RoPE, pairs 0 to 28 are unchanged, pairs 29 to 34 are blended (× 0.8282 to 0.1902), " +
        "pairs 35 to 63 are 8 times slower. The fastest pair rotates once in 6.283 positions, the slowest in " +
        "20,473,564. In 8,192 positions 32 of 64 pairs rotate at least once.",
    );
  });
  it("has one regime and no magnitude", () => {
    expect([explained.regimes, explained.attentionFactor]).toEqual([[], 1]);
  });
});

describe("the other scaling rules", () => {
  it("YaRN: Qwen2.5 with factor 4", () => {
    const spec = { kind: "rope-yarn", dim: 128, base: 1e6, factor: 4, originalLength: 32768 };
    const explained = rotary(spec);
    expect(runs(explained.pairs)).toEqual([
      [0, 23, "unchanged"],
      [24, 39, "blended"],
      [40, 63, "slowed"],
    ]);
    expect(explained.pairs[1]!.ratio[1]).toBeCloseTo(0.9558823529411764, 12);
    expect(explained.pairs[1]!.ratio[0]).toBeCloseTo(0.2941176470588236, 12);
    expect(explained.longestWavelength).toBeCloseTo(20253023.176193584, 5);
    expect(explained.attentionFactor).toBeCloseTo(1.138629436111989, 14);
    expect(explained.summary).toContain("cos and sin are multiplied by 1.139, scores by 1.296.");
  });
  it("linear: all pairs, by the factor", () => {
    const explained = explain(pe, { kind: "rope-linear", dim: 128, factor: 4 });
    expect(runs(explained.pairs)).toEqual([[0, 63, "slowed"]]);
    expect(explained.pairs[0]!.ratio[0]).toBeCloseTo(0.25, 14);
    expect(explained.longestWavelength).toBeCloseTo(217640.57252310697, 7);
    expect([explained.contextLength, explained.rotations]).toEqual([undefined, undefined]);
  });
  it("NTK: the fastest stays, the slowest gets all of the factor", () => {
    const explained = explain(pe, { kind: "rope-ntk", dim: 128, factor: 4 });
    expect(runs(explained.pairs)).toEqual([
      [0, 0, "unchanged"],
      [1, 62, "blended"],
      [63, 63, "slowed"],
    ]);
    expect(explained.pairs[1]!.ratio.map((ratio) => ratio.toFixed(12))).toEqual(["0.255562140203", "0.978235664333"]);
    expect(explained.longestWavelength).toBeCloseTo(217640.57252310697, 7);
  });
  it("dynamic NTK: nothing up to the trained length, then slower and slower", () => {
    const explained = explain(pe, { kind: "rope-dynamic", dim: 128, factor: 2, originalLength: 2048 });
    expect(runs(explained.pairs)).toEqual([[0, 63, "unchanged"]]);
    expect(explained.regimes.map(({ fromLength, toLength }) => [fromLength, toLength])).toEqual([
      [1, 2048],
      [4096, 4096],
      [8192, 8192],
      [16384, 16384],
    ]);
    const slowest = explained.regimes.map(({ longestWavelength }) => longestWavelength);
    const expected = [54410.143130776742, 163230.42939233023, 380871.00191543717, 816152.1469616512];
    slowest.forEach((period, i) => expect(period / expected[i]!).toBeCloseTo(1, 13));
    expect(explained.regimes[1]!.pairs.at(-1)!.ratio[0]).toBeCloseTo(1 / 3, 12);
  });
  it("LongRoPE: two lists of divisors", () => {
    const lists = { shortFactor: [1, 1, 1.1, 1.25], longFactor: [1, 2, 8, 32] };
    const explained = explain(pe, { kind: "rope-longrope", dim: 8, ...lists, originalLength: 4096, factor: 32 });
    const [short, long] = explained.regimes;
    expect([short!.toLength, long!.fromLength, long!.toLength]).toEqual([4096, 4097, Infinity]);
    expect(runs(short!.pairs)).toEqual([
      [0, 1, "unchanged"],
      [2, 3, "slowed"],
    ]);
    expect(runs(long!.pairs)).toEqual([
      [0, 0, "unchanged"],
      [1, 3, "slowed"],
    ]);
    expect(long!.pairs[1]!.ratio.map((ratio) => ratio.toFixed(12))).toEqual(["0.031250000000", "0.500000000000"]);
    expect(explained.longestWavelength).toBeCloseTo(2 * Math.PI * 1250, 9);
    expect(long!.longestWavelength).toBeCloseTo(2 * Math.PI * 32000, 8);
    expect(explained.attentionFactor).toBeCloseTo(1.1902380714238083, 14);
  });
  it("a share of the pairs: the others stand still", () => {
    const explained = explain(pe, { kind: "rope-proportional", dim: 64, rotaryDim: 16 });
    expect(runs(explained.pairs)).toEqual([
      [0, 7, "unchanged"],
      [8, 31, "still"],
    ]);
    expect(explained.wavelengths[8]).toBe(Infinity);
    expect(explained.longestWavelength).toBeCloseTo(2 * Math.PI * 10000 ** (7 / 32), 9);
  });
  it("float32 frequencies are not taken for scaled ones", () => {
    const spec = { kind: "rope-llama3", dim: 128, base: 5e5, factor: 8, originalLength: 8192 };
    expect(runs(rotary({ ...spec, precision: "float32" }).pairs)).toEqual(runs(rotary(spec).pairs));
  });
});

describe("tables", () => {
  it("sinusoidal: wavelengths from 2π to 2π · base^(1 - 2/dim)", () => {
    const { wavelengths, shiftable } = explain(pe, { kind: "sinusoidal", dim: 512 });
    expect(wavelengths!.length).toBe(256);
    expect(wavelengths![0]).toBeCloseTo(2 * Math.PI, 14);
    expect(wavelengths![255]! / (2 * Math.PI * 10000 ** (510 / 512))).toBeCloseTo(1, 14);
    expect(shiftable).toBe(true);
    expect(explain(pe, { kind: "sinusoidal", dim: 7 }).shiftable).toBe(false);
  });
  it("sinusoidal: scaled positions have shorter waves", () => {
    expect(explain(pe, { kind: "sinusoidal", dim: 4, scale: 1000 }).wavelengths![0]).toBeCloseTo(Math.PI / 500, 12);
  });
  it("periodic: 4, 8, 16 …", () => {
    const { wavelengths } = explain(pe, { kind: "periodic", dim: 3 });
    [4, 8, 16].forEach((period, i) => expect(wavelengths![i]! / period).toBeCloseTo(1, 6));
  });
  it("others have none", () => {
    expect(explain(pe, { kind: "one-hot", dim: 16 }).wavelengths).toBeUndefined();
    expect(explain(pe, { kind: "binary", dim: 8 }).summary).toContain("positions 0 to 255");
  });
});

describe("biases", () => {
  it("ALiBi: where each head's weight has halved, and fallen to 1/e", () => {
    const { slopes, reach } = explain(pe, { kind: "alibi", heads: 8 });
    expect(Array.from(slopes!)).toEqual([1, 2, 3, 4, 5, 6, 7, 8].map((power) => 2 ** -power));
    expect(reach!.nat).toEqual([2, 4, 8, 16, 32, 64, 128, 256]);
    expect(reach!.halved).toEqual([2, 3, 6, 12, 23, 45, 89, 178]);
  });
  it("T5: no slopes, no reach before it is trained, its learned numbers", () => {
    const { slopes, reach, parameters } = explain(pe, { kind: "t5", heads: 8, std: 0 });
    expect([slopes, parameters]).toEqual([undefined, { weights: [32, 8] }]);
    expect(reach!.halved.every((distance) => distance === Infinity)).toBe(true);
  });
  it("T5: reach of given numbers", () => {
    // Buckets 0 to 3 of each side are one distance each; the first keys to the left lose 0.5 a step.
    const weights = Array.from({ length: 32 }, (_, bucket) => (bucket < 16 ? -0.5 * bucket : 0));
    const { reach, summary } = explain(pe, { kind: "t5", heads: 1, weights });
    expect([reach!.halved, reach!.nat, reach!.masked]).toEqual([[2], [2], [Infinity]]);
    expect(summary).toContain("halves at a distance of 2");
  });
  it("heads without a slope reach for ever", () => {
    expect(explain(pe, { kind: "alibi", heads: 3, activeHeads: 1 }).reach!.nat).toEqual([256, Infinity, Infinity]);
  });
});

describe("every kind", () => {
  it.each(descriptions.map(({ kind }) => kind))("%s: the paragraph names the numbers of its spec", (kind) => {
    const description = descriptions.find((entry) => entry.kind === kind)!;
    const spec = exampleSpec(description);
    const { summary } = explain(pe, spec as never) as { summary: string };
    expect(summary).toContain(description.title);
    expect(summary.length).toBeGreaterThan(70);
    expect(summary).not.toMatch(/undefined|NaN|null|\[object|function/);
    for (const field of description.fields)
      if (field.required && field.type !== "choice") {
        const [number] = [spec[field.name]].flat() as [number];
        expect(summary.replaceAll(",", ""), field.name).toMatch(new RegExp(`(^|[^\\d.])${number}([^\\d]|$)`));
      }
  });
  it("takes an encoding, its spec or a config, and leaves nothing behind", () => {
    const before = pe.liveBytes;
    const rope = pe.create({ kind: "rope", dim: 64 });
    expect(explain(pe, rope)).toEqual(explain(pe, { kind: "rope", dim: 64 }));
    expect(explain(pe, { model_type: "llama", head_dim: 64, rope_theta: 10000 })).toEqual(explain(pe, rope));
    expect(pe.liveBytes).toBe(before);
  });
  it.each(descriptions.map((description) => [description.kind, description] as const))(
    "says the same of a spec as of its encoding: %s",
    (_, description) => {
      const spec = exampleSpec(description) as never;
      const encoding = loosely(createAny(spec));
      expect(explain(pe, spec)).toEqual(explain(pe, encoding));
      encoding.dispose();
    },
  );
  it("needs no memory for learned numbers that it says nothing of", () => {
    const { parameters } = explain(pe, { kind: "learned", length: 65536, dim: 4096 });
    expect(parameters).toEqual({ weights: [65536, 4096] });
  });
  it("is loaded by an instance's method of the same name, which answers the same", async () => {
    const spec = { kind: "alibi", heads: 8 } as const;
    expect(await pe.explain(spec)).toEqual(explain(pe, spec));
    expect((await pe.explain({ head_dim: 64, rope_theta: 10000 }, { contextLength: 128 })).kind).toBe("rope");
    await expect(pe.explain({ kind: "rope", dim: 63 } as never)).rejects.toThrow(/rope\.(dim|rotaryDim): must be even/);
  });
  it("refuses what it cannot explain, by name", () => {
    expect(() => explain(pe, { kind: "rope", dim: 63 } as never)).toThrow(/rope\.(dim|rotaryDim): must be even/);
    expect(() => explain(pe, loosely(7))).toThrow(/config: must be the object/);
    expect(() => explain(pe, { kind: "rope", dim: 64 }, loosely({ contextLength: -1 }))).toThrow(
      /contextLength: must be a number > 0, got -1/,
    );
    expect(() => explain(pe, { kind: "rope", dim: 64 }, loosely({ length: 1 }))).toThrow(/length: unknown option/);
  });
});
