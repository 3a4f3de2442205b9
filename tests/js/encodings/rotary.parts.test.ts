// Slices of features, given frequencies, crossing and remembered lengths, MLA's scale: what a rotation may be told beside its kind.
import { describe, expect, it } from "vitest";
import { createRotary, loosely, pe } from "../helpers/library";
import { copyOf, expectSameBits, maxDifference, randomTensor, range, row } from "../helpers/numbers";
import { refusedAt } from "../helpers/refusals";

describe("slices of features and given frequencies", () => {
  it("trailing features turn (DeepSeek-V4), and the output of attention is turned back", () => {
    const spec = { kind: "rope", dim: 24, rotaryDim: 8, rotaryStart: -1, pairing: "interleaved" };
    const encoding = createRotary(spec);
    const x = randomTensor([1, 2, 5, 24], 6);
    const rotated = encoding.apply(copyOf(x), { offset: 3 });
    const inner = createRotary({ kind: "rope", dim: 8, pairing: "interleaved" });
    const part = {
      ...x,
      data: Float32Array.from({ length: 80 }, (_, i) => x.data[Math.floor(i / 8) * 24 + 16 + (i % 8)]!),
      dims: [1, 2, 5, 8],
    };
    inner.apply(part, { offset: 3 });
    range(10).forEach((i) => {
      expectSameBits(row(rotated, i).slice(16), part.data.slice(8 * i, 8 * i + 8));
      expectSameBits(row(rotated, i).slice(0, 16), row(x, i).slice(0, 16));
    });
    // K = V: a query that sees one key gets that key's turned vector, and the turn of the distance is left.
    const [q, k] = [randomTensor([1, 1, 1, 24], 7), randomTensor([1, 1, 1, 24], 8)];
    const keys = encoding.apply(copyOf(k), { offset: 4 });
    const out = encoding.apply(pe.attention(q, keys, keys), { offset: 10, inverse: true });
    expect(maxDifference(out.data, encoding.apply(copyOf(k), { offset: -6 }).data)).toBeLessThan(1e-6);
  });

  it("frequencies replace the base, frequencyFactors divide what the rule gives", () => {
    const frequencies = [1, 0.5, 0.25, 0];
    expect([...createRotary({ kind: "rope", dim: 8, frequencies }).inverseFrequencies]).toEqual(frequencies);
    const yarn = { kind: "rope-yarn", dim: 8, factor: 4, originalLength: 64 };
    const factors = [1, 2, 4, 8];
    const divided = createRotary({ ...yarn, frequencyFactors: factors }).inverseFrequencies;
    createRotary(yarn).inverseFrequencies.forEach((frequency, k) =>
      expect(divided[k]).toBeCloseTo(frequency / factors[k]!, 15),
    );
    expect(() => createRotary({ kind: "rope", dim: 8, frequencies: [1] })).toThrow(
      /rope\.frequencies: must have one value per pair \(4\)/,
    );
  });

  it("keys cross from one length of LongRoPE or dynamic NTK to another as if turned afresh", () => {
    const x = randomTensor([1, 2, 6, 8], 9);
    const longrope = {
      kind: "rope-longrope",
      dim: 8,
      shortFactor: [1],
      longFactor: [1, 2, 3, 4],
      originalLength: 64,
      factor: 4,
    };
    for (const spec of [longrope, { kind: "rope-dynamic", dim: 8, factor: 4, originalLength: 64 }]) {
      const encoding = createRotary(spec);
      // Exactly L0 is short.
      expect([...encoding.frequenciesAt(64)]).toEqual([...encoding.frequenciesAt(1)]);
      const short = encoding.apply(copyOf(x), { offset: 58 });
      expectSameBits(short.data, encoding.apply(copyOf(x), { offset: 58, sequenceLength: 64 }).data);
      const moved = encoding.rerotate(copyOf(short), {
        from: encoding,
        to: encoding,
        offset: 58,
        fromSequenceLength: 64,
        sequenceLength: 65,
      });
      const fresh = encoding.apply(copyOf(x), { offset: 58, sequenceLength: 65 });
      expect(maxDifference(moved.data, fresh.data)).toBeLessThan(2e-6);
      expect(maxDifference(short.data, fresh.data)).toBeGreaterThan(1e-3);
    }
  });

  it("tells what MLA multiplies its scale by", () => {
    const yarn = { kind: "rope-yarn", dim: 64, originalLength: 4096 };
    expect(createRotary({ ...yarn, factor: 40, mscale: 1, mscaleAllDim: 1 }).softmaxFactor).toBeCloseTo(
      1.8738542070926265,
      14,
    );
    expect(createRotary({ ...yarn, factor: 40, mscale: 0.707, mscaleAllDim: 0.707 }).softmaxFactor).toBeCloseTo(
      1.5896261651208736,
      14,
    );
    expect(createRotary({ ...yarn, factor: 32, mscale: 1, mscaleAllDim: 1 }).softmaxFactor).toBeCloseTo(
      1.8132604340394958,
      14,
    );
    expect(createRotary({ ...yarn, factor: 40 }).softmaxFactor).toBe(1);
    expect(createRotary({ kind: "rope", dim: 64 }).softmaxFactor).toBe(1);
  });
});

describe("rememberedLength", () => {
  const dynamic = createRotary({ kind: "rope-dynamic", dim: 8, factor: 2, originalLength: 100 });
  it.each([
    [[50], 100],
    [[100], 100],
    [[400, 200], 400],
    [[400, 200, 100], 400],
    [[400, 200, 99], 100],
    [[400, 99, 150], 150],
    [Int32Array.of(300, 200), 300],
  ])("after calls of %j: %d", (calls, length) => expect(dynamic.rememberedLength(calls)).toBe(length));
  it("other kinds remember nothing", () =>
    expect(createRotary({ kind: "rope", dim: 8 }).rememberedLength([400, 200])).toBe(200));
  it.each([[[]], [[-1]], [["a"]], [null]])("refuses %j", (calls) =>
    expect(() => dynamic.rememberedLength(loosely(calls))).toThrow(refusedAt("lengths")),
  );
});
