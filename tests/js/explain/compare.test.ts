// Does compare() see what differs, and whether it matters to a trained model?
import { init } from "posenc";
import { compare, explain } from "posenc/explain";
import { describe, expect, it } from "vitest";
import { descriptions, exampleSpec, pe } from "../helpers/library";

const fields = (a: object, b: object) => compare(pe, a, b).differences.map(({ field }) => field);
const rope = { kind: "rope", dim: 128 };

describe("rotary encodings", () => {
  it("Llama 3 and Llama 3.1: other frequencies from pair 29 on, at most 8 times, which pair 35 is first to reach", () => {
    const llama31 = { ...rope, kind: "rope-llama3", base: 5e5, factor: 8, originalLength: 8192 };
    const { same, interchangeable, differences } = compare(pe, { ...rope, base: 5e5 }, llama31);
    expect([same, interchangeable]).toEqual([false, "no"]);
    expect(differences.map(({ field }) => field)).toEqual([
      ...["kind", "factor", "lowFrequencyFactor", "highFrequencyFactor", "originalLength", "frequencies"],
    ]);
    const { a, b, meaning } = differences.at(-1)!;
    expect((a as number) / (b as number)).toBeCloseTo(8, 12);
    expect(a as number).toBeCloseTo(500000 ** (-70 / 128), 15);
    expect(meaning).toBe("Radians per position differ from pair 29 on, at most by 87.5 % at pair 35.");
  });
  it("two configs of Hugging Face", () => {
    const config = { hidden_size: 4096, num_attention_heads: 32, rope_theta: 10000 };
    expect(
      compare(pe, config, { ...config, rope_parameters: { rope_type: "default", rope_theta: 10000 } }),
    ).toMatchObject({
      ...{ same: true, interchangeable: "yes", differences: [] },
    });
    expect(compare(pe, config, { ...config, rope_theta: 500000 }).differences[0]).toMatchObject({
      ...{ field: "base", a: 10000, b: 500000 },
    });
  });
  it("lists what configs of unknown model types do not determine", () => {
    const config = { head_dim: 64, hidden_size: 256, num_attention_heads: 4, rope_theta: 10000 };
    const unknown = { ...config, model_type: "brand-new" };
    const { assumed } = compare(pe, unknown, { ...config, model_type: "llama" });
    expect(assumed).toEqual({ a: ["rotaryDim", "pairing"], b: [] });
    expect(compare(pe, rope, pe.fromConfig(unknown)).assumed).toEqual({ a: [], b: ["rotaryDim", "pairing"] });
    expect(compare(pe, unknown, { kind: "sinusoidal", dim: 8 }).assumed.a).toEqual(["rotaryDim", "pairing"]);
  });
  it("another pairing: the weights must be permuted", () => {
    const result = compare(pe, rope, { ...rope, pairing: "interleaved" });
    expect([result.same, result.interchangeable]).toEqual([false, "permuted"]);
    expect(result.note).toMatch(/permute the rows of the query and key weights/);
    expect(result.differences.map(({ field, a, b }) => [field, a, b])).toEqual([["pairing", "half", "interleaved"]]);
  });
  it("interleaved in, half out: scores agree, cached keys do not", () => {
    const [a, b] = ["interleaved", "interleaved-to-half"].map((pairing) => ({ ...rope, pairing }));
    expect(compare(pe, a!, b!)).toMatchObject({ same: false, interchangeable: "scores" });
  });
  it("the note is true: permuted weights give the same scores", () => {
    const [T, dim] = [5, 8];
    const make = (pairing: "half" | "interleaved") => pe.create({ kind: "rope", dim, pairing });
    const x = Float32Array.from({ length: T * dim }, (_, i) => Math.sin(i * i + 1));
    const permuted = x.map((_, i) => x[i - (i % dim) + 2 * ((i % dim) % 4) + Math.floor((i % dim) / 4)]!);
    const weights = (pairing: "half" | "interleaved", data: Float32Array) => {
      const tensor = { data, dims: [1, 1, T, dim] };
      return pe.attentionWeights(tensor, tensor, { encoding: make(pairing) }).data;
    };
    const [left, right] = [weights("interleaved", x), weights("half", permuted)];
    left.forEach((weight, i) => expect(weight).toBeCloseTo(right[i]!, 6));
  });
  it("other kinds, the same numbers", () => {
    const result = compare(pe, rope, { ...rope, kind: "rope-linear", factor: 1 });
    expect([result.same, result.interchangeable]).toEqual([true, "yes"]);
    expect(result.differences.map(({ field }) => field)).toEqual(["kind", "factor"]);
  });
  it("defaults count as given", () => {
    expect(fields(rope, { ...rope, rotaryDim: 128, base: 10000 })).toEqual([]);
  });
  it("dynamic scaling differs beyond its length only", () => {
    const { differences } = compare(pe, rope, { ...rope, kind: "rope-dynamic", factor: 2, originalLength: 2048 });
    expect(differences.at(-1)!.meaning).toMatch(/from pair 1 on, .* in sequences of 2049 positions and more\.$/);
  });
  it("YaRN against linear: the magnitude differs as well", () => {
    const scaled = { ...rope, factor: 4, originalLength: 4096 };
    const { differences } = compare(pe, { ...rope, kind: "rope-linear", factor: 4 }, { ...scaled, kind: "rope-yarn" });
    expect(differences.find(({ field }) => field === "attentionFactor")).toMatchObject({ a: 1, b: 1.138629436111989 });
  });
  it("float32 angles are a matter of rounding", () => {
    expect(compare(pe, rope, { ...rope, precision: "float32" })).toMatchObject({
      ...{ same: false, interchangeable: "scores", note: expect.stringMatching(/rounding of angles/) },
    });
  });
  it("another width, another share", () => {
    expect(compare(pe, rope, { ...rope, dim: 64 }).note).toMatch(/^Numbers of rotated pairs/);
    expect(compare(pe, rope, { ...rope, rotaryDim: 64 }).interchangeable).toBe("no");
  });
});

describe("tables and biases", () => {
  it("sines beside or between cosines", () => {
    const result = compare(
      pe,
      { kind: "sinusoidal", dim: 64 },
      { kind: "sinusoidal", dim: 64, pairing: "concat", frequencyShift: 1 },
    );
    expect(result.differences.map(({ field }) => field)).toEqual(["pairing", "frequencyShift", "rows"]);
    expect(result.interchangeable).toBe("no");
  });
  it("short tables are compared as far as they go", () => {
    expect(compare(pe, { kind: "one-hot", dim: 4 }, { kind: "binary", dim: 4 })).toMatchObject({ same: false });
    expect(compare(pe, { kind: "one-hot", dim: 4 }, { kind: "one-hot", dim: 4 })).toMatchObject({ same: true });
  });
  it("the three forms of ALiBi are one under a causal mask", () => {
    const alibi = { kind: "alibi", heads: 8 };
    for (const form of ["key", "key-absolute"])
      expect(compare(pe, alibi, { ...alibi, form })).toMatchObject({ same: false, interchangeable: "causal" });
    expect(compare(pe, alibi, { ...alibi, maxBias: 16 }).interchangeable).toBe("no");
    expect(compare(pe, alibi, { ...alibi, heads: 4 }).note).toMatch(/^Numbers of heads/);
  });
  it("learned tables of other lengths are not the same, though their first rows are", () => {
    const spec = { kind: "learned", dim: 8, seed: 1 } as const;
    const result = compare(pe, { ...spec, length: 16 }, { ...spec, length: 32 });
    expect(result).toMatchObject({ same: false, interchangeable: "no" });
    expect(result.differences.map(({ field }) => field)).toContain("weights");
  });

  it("empty tables that are looked up in another way are not the same", () => {
    const spec = { kind: "t5", heads: 2 } as const;
    const result = compare(pe, { ...spec, maxDistance: 128 }, { ...spec, maxDistance: 512 });
    expect(result).toMatchObject({ same: false, interchangeable: "no" });
    expect(compare(pe, { ...spec }, { ...spec })).toMatchObject({ same: true, interchangeable: "yes" });
  });

  it("learned numbers count", () => {
    const slopes = Float32Array.of(1, 0.5);
    const { interchangeable, differences } = compare(
      pe,
      { kind: "alibi", heads: 2 },
      { kind: "alibi", heads: 2, slopes },
    );
    expect(interchangeable).toBe("no");
    const t5 = { kind: "t5", heads: 2 };
    expect(compare(pe, t5, t5).same).toBe(true);
    expect(compare(pe, t5, { ...t5, seed: 1 }).differences.map(({ field }) => field)).toEqual([
      "seed",
      "weights",
      "bias",
    ]);
    expect(differences[0]).toMatchObject({
      field: "slopes",
      a: 0.0625,
      b: 1,
      meaning: expect.stringMatching(/0\.9375/),
    });
  });
  it("is loaded by an instance's method of the same name, which answers the same", async () => {
    const other = { ...rope, base: 500 };
    expect(await pe.compare(rope, other)).toEqual(compare(pe, rope, other));
    await expect(pe.compare(rope, { kind: "rope", dim: 63 })).rejects.toThrow(/must be even/);
  });
  it("takes encodings of another instance", async () => {
    const core = await init({ variant: "scalar" });
    const [theirs, ours] = [core.create({ kind: "rope", dim: 64 }), pe.create({ kind: "rope", dim: 64 })];
    expect(compare(pe, theirs, ours)).toMatchObject({ same: true, differences: [] });
    expect(explain(pe, theirs)).toEqual(explain(pe, ours));
    const spec = { kind: "learned", length: 3, dim: 2 } as const;
    const table = core.create(spec).load([1, 2, 3, 4, 5, 6]);
    expect(compare(pe, table, pe.create(spec).load([1, 2, 3, 4, 5, 6])).same).toBe(true);
    expect(compare(pe, table, pe.create(spec).load([1, 2, 3, 4, 5, 7])).same).toBe(false);
    theirs.assumed = ["pairing"];
    expect(explain(pe, theirs).assumed).toEqual(["pairing"]);
    expect(compare(pe, ours, theirs).assumed).toEqual({ a: [], b: ["pairing"] });
  });
  it("other families enter at other places", () => {
    expect(fields(rope, { kind: "sinusoidal", dim: 128 })).toEqual(["kind", "family"]);
  });
});

describe("every kind", () => {
  it.each(descriptions.map((description) => [description.kind, description] as const))(
    "%s is itself",
    (_, description) => {
      const spec = exampleSpec(description);
      const before = pe.liveBytes;
      expect(compare(pe, spec, pe.create(spec as never))).toEqual({
        ...{ same: true, interchangeable: "yes", note: "Both compute the same values.", differences: [] },
        assumed: { a: [], b: [] },
      });
      expect(pe.liveBytes).toBe(before);
    },
  );
});
