// Biases as JavaScript sees them: masks, scores in place, buckets, learned numbers, attention.
import { explain } from "posenc/explain";
import { describe, expect, it } from "vitest";
import { createAny, createBias, exampleSpec, loosely, ofFamily, pe } from "../helpers/library";
import { expectSameBits, expectSameObject, randomTensor } from "../helpers/numbers";
import { refusal } from "../helpers/refusals";

const kinds = ofFamily("bias").map((entry) => [entry.kind, exampleSpec(entry)] as const);
const codeOf = (call: () => unknown) => refusal(call).code;

describe.each(kinds)("%s", (_, spec) => {
  const encoding = createBias(spec);
  const { heads } = encoding;
  const [queries, keys] = [5, 7];
  const counts = { queries, keys };
  const plain = encoding.bias(counts);
  const visible = (row: number, key: number) => (row + key) % 3 !== 1;
  const mask = {
    data: Uint8Array.from({ length: 2 * keys }, (_v, i) => +visible(Math.floor(i / keys), i % keys)),
    dims: [2, keys],
  };

  it("hides keys with -Infinity", () => {
    const one = encoding.bias({ ...counts, attentionMask: mask.data.slice(0, keys) });
    expect(one.dims).toEqual([heads, queries, keys]);
    const both = encoding.bias({ ...counts, attentionMask: mask });
    expect(both.dims).toEqual([2, heads, queries, keys]);
    expectSameBits(both.data.subarray(0, one.data.length), one.data);
    both.data.forEach((value, i) => {
      const row = Math.floor(i / plain.data.length);
      expect(value).toBe(visible(row, i % keys) ? plain.data[i % plain.data.length] : -Infinity);
    });
  });

  it("is applied to scores in place", () => {
    for (const dims of [
      [heads, queries, keys],
      [2, heads, queries, keys],
    ]) {
      const scores = randomTensor(dims);
      using inside = pe.tensor(scores.data, dims);
      expectSameObject(encoding.applyTo(scores, { attentionMask: dims.length > 3 ? mask : undefined }), scores);
      expectSameObject(encoding.applyTo(inside, dims.length > 3 ? { attentionMask: mask } : {}), inside);
      expectSameBits(inside.data, scores.data);
    }
    const zeros = encoding.applyTo({ data: new Float32Array(plain.data.length), dims: plain.dims });
    zeros.data.forEach((value, i) => expect(value).toBe(plain.data[i]! + 0));
  });

  it("is what attention adds", () => {
    const [q, k] = [randomTensor([2, heads, queries, 6], 1), randomTensor([2, heads, keys, 6], 2)];
    const inside = pe.attentionWeights(q, k, { encoding, attentionMask: mask });
    const separately = pe.attentionWeights(q, k, { bias: encoding.bias({ ...counts, attentionMask: mask }) });
    inside.data.forEach((value, i) => expect(Math.abs(value - separately.data[i]!)).toBeLessThan(1e-6));
  });

  it.runIf(spec.kind.startsWith("swin"))("has no profile: it goes by two axes", () => {
    expect(codeOf(() => pe.distanceProfile(encoding, { maxDistance: 6 }))).toBe("unsupported");
    expect(explain(pe, encoding).reach).toBeUndefined();
  });

  it.skipIf(spec.kind.startsWith("swin"))("has a profile: the last query's row, read backwards", () => {
    const { data, dims } = pe.distanceProfile(encoding, { maxDistance: 6 });
    expect(dims).toEqual([heads, 7]);
    const row = encoding.bias({ queries: 1, keys: 7 }).data;
    data.forEach((value, i) => expect(value).toBe(row[Math.floor(i / 7) * 7 + 6 - (i % 7)]));
  });

  it("refuses what does not fit", () => {
    const scores = randomTensor([heads, queries, keys]);
    const before = scores.data.slice();
    const refused = (options: object) => codeOf(() => encoding.applyTo(scores, loosely(options)));
    expect(refused({ mask: [1, 0] })).toBe("shape-mismatch");
    expect(refused({ mask })).toBe("shape-mismatch");
    expect(refused({ mask: "yes" })).toBe("invalid-argument");
    expect(refused({ offset: NaN })).toBe("invalid-argument");
    expect(refused({ keyPositions: [1] })).toBe("shape-mismatch");
    expect(refused({ queries: 3 })).toBe("invalid-argument");
    expect(codeOf(() => encoding.applyTo(randomTensor([queries, keys])))).toBe("shape-mismatch");
    expectSameBits(scores.data, before);
    expect(codeOf(() => encoding.bias(loosely({ ...counts, mask: null })))).toBe("invalid-argument");
  });
});

describe("t5", () => {
  const weights = Float32Array.from({ length: 32 * 2 }, (_, i) => i);
  const encoder = pe.create({ kind: "t5", heads: 2, weights });

  it("reads its table by bucket", () => {
    const { data, dims, type } = encoder.buckets({ queries: 2, keys: 4, offset: 1 });
    expect({ dims, type }).toEqual({ dims: [2, 4], type: "int32" });
    expect([...data]).toEqual([...[1, 0, 17, 18], ...[2, 1, 0, 17]]);
    const bias = encoder.bias({ queries: 2, keys: 4, offset: 1 });
    data.forEach((bucket, i) => {
      expect(bias.data[i]).toBe(2 * bucket);
      expect(bias.data[8 + i]).toBe(2 * bucket + 1);
    });
  });

  it("takes new numbers at any time", () => {
    const trained = pe.create({ kind: "t5", heads: 1, std: 0 });
    expect([...trained.bias({ queries: 1, keys: 3 }).data]).toEqual([0, 0, 0]);
    trained.parameters["weights"]!.data[1] = 0.5;
    expect([...trained.bias({ queries: 1, keys: 3 }).data]).toEqual([0, 0.5, 0]);
    expect(codeOf(() => trained.load(new Float32Array(31)))).toBe("shape-mismatch");
  });

  it("gives a decoder one bucket for all that is ahead", () => {
    const decoder = pe.create({ kind: "t5", heads: 1, bidirectional: false });
    expect([...decoder.buckets({ queries: 1, keys: 4, offset: 1 }).data]).toEqual([1, 0, 0, 0]);
  });
});

describe("swin", () => {
  const spec = { kind: "swin", heads: 2, windowHeight: 2, windowWidth: 3 } as const;
  const weights = Float32Array.from({ length: 15 * 2 }, (_, i) => i);
  const window = { queries: 6, keys: 6 };

  it("goes by the displacement on both axes", () => {
    const swin = pe.create({ ...spec, weights });
    const { data } = swin.buckets(window);
    for (let i = 0; i < 6; i++)
      for (let j = 0; j < 6; j++) {
        const [down, right] = [Math.floor(i / 3) - Math.floor(j / 3), (i % 3) - (j % 3)];
        expect(data[i * 6 + j]).toBe((down + 1) * 5 + right + 2);
      }
    expect(swin.parameters["weights"]!.dims).toEqual([15, 2]);
    expect(pe.create({ ...spec, classToken: true }).parameters["weights"]!.dims).toEqual([18, 2]);
  });

  it("refuses places outside of its window, in attention too", () => {
    const swin = createBias(spec);
    expect(codeOf(() => swin.bias({ queries: 6, keys: 7 }))).toBe("out-of-range");
    expect(codeOf(() => swin.buckets({ queries: 6, keys: 6, offset: -1 }))).toBe("out-of-range");
    const [q, k] = [randomTensor([1, 2, 7, 4], 1), randomTensor([1, 2, 7, 4], 2)];
    expect(codeOf(() => pe.attentionWeights(q, k, { encoding: swin }))).toBe("out-of-range");
  });
});

describe("a window resized", () => {
  const ramp = (height: number, width: number) =>
    Float32Array.from({ length: (2 * height - 1) * (2 * width - 1) }, (_, i) => Math.floor(i / (2 * width - 1)));
  const swin = pe.create({ kind: "swin", heads: 1, windowHeight: 3, windowWidth: 4, weights: ramp(3, 4) });

  it("keeps what is high high and what is wide wide", () => {
    const resized = swin.resize({ windowHeight: 5, mode: "bilinear" });
    expect(resized.spec).toEqual({ ...swin.spec, windowHeight: 5 });
    const { data, dims } = resized.parameters["weights"]!;
    expect(dims).toEqual([9 * 7, 1]);
    // 5 rows of displacements become 9: half-pixel centres, clamped at the border.
    data.forEach((value, i) => {
      const centre = Math.min(Math.max(((Math.floor(i / 7) + 0.5) * 5) / 9 - 0.5, 0), 4);
      expect(value).toBeCloseTo(centre, 5);
    });
    expectSameBits(swin.resize({}).parameters["weights"]!.data, swin.parameters["weights"]!.data);
  });

  it("keeps the class token's numbers", () => {
    const weights = Float32Array.from({ length: 12 }, (_, i) => i);
    const beit = pe.create({ kind: "swin", heads: 1, windowHeight: 2, windowWidth: 2, classToken: true, weights });
    expect([...beit.resize({ windowWidth: 4 }).parameters["weights"]!.data.slice(-3)]).toEqual([9, 10, 11]);
  });

  it("is for windows", () => {
    expect(codeOf(() => createBias({ kind: "t5", heads: 1 }).resize({ windowHeight: 3 }))).toBe("unsupported");
    expect(codeOf(() => swin.resize({ windowHeight: 0 }))).toBe("invalid-spec");
    expect(codeOf(() => swin.resize(loosely({ mode: "best" })))).toBe("invalid-argument");
    expect(codeOf(() => swin.resize(loosely({ grid: [3, 3] })))).toBe("invalid-argument");
  });
});

describe("kerple", () => {
  it("has the numbers of its form only", () => {
    const names = (form: string) => Object.keys(createBias({ kind: "kerple", heads: 2, form }).parameters);
    expect(names("log")).toEqual(["amplitude", "rate"]);
    expect(names("power")).toEqual(["amplitude", "exponent"]);
    expect(names("weighted")).toEqual(["amplitude", "exponent", "weightRate", "weightExponent"]);
    expect(names("log-power")).toEqual(["amplitude", "rate", "exponent"]);
    expect(codeOf(() => createAny({ kind: "kerple", heads: 1, exponent: [1] }))).toBe("invalid-argument");
  });

  it("weighs scores before it adds, in applyTo and in attention", () => {
    const kerple = pe.create({
      ...{ kind: "kerple", heads: 1, form: "weighted" },
      ...{ amplitude: [0.5], exponent: [1], weightRate: [Math.LN2], weightExponent: [1] },
    });
    const scores = { data: Float32Array.of(8, 8, 8), dims: [1, 1, 3] };
    [...kerple.applyTo(scores).data].forEach((value, i) => expect(value).toBeCloseTo([1, 3.5, 8][i]!, 5));
    const [q, k] = [randomTensor([1, 1, 4, 4], 1), randomTensor([1, 1, 4, 4], 2)];
    const raw = new Float32Array(16);
    for (let i = 0; i < 16; i++)
      for (let c = 0; c < 4; c++) raw[i]! += (q.data[(i >> 2) * 4 + c]! * k.data[(i & 3) * 4 + c]!) / 2;
    const logits = kerple.applyTo({ data: raw, dims: [1, 4, 4] }).data;
    pe.attentionWeights(q, k, { encoding: kerple }).data.forEach((weight, i) => {
      const row = logits.subarray(i & ~3, (i & ~3) + 4);
      expect(weight).toBeCloseTo(Math.exp(logits[i]!) / row.reduce((sum, logit) => sum + Math.exp(logit), 0), 5);
    });
  });
});

describe("mask", () => {
  it("is attention's own causal mask and window", () => {
    const [q, k] = [randomTensor([1, 3, 5, 4], 1), randomTensor([1, 3, 9, 4], 2)];
    const inside = pe.attentionWeights(q, k, { causal: true, window: [2, 2] });
    const encoding = pe.create({ kind: "mask", windowLeft: 2 });
    expectSameBits(pe.attentionWeights(q, k, { encoding }).data, inside.data);
    expect([...pe.create({ kind: "mask", hidden: -1e4 }).bias({ queries: 1, keys: 2, offset: 0 }).data]).toEqual([
      0, -1e4,
    ]);
  });
});

describe("buckets", () => {
  it("are for kinds with a table", () => {
    const alibi = createBias({ kind: "alibi", heads: 2 });
    expect(codeOf(() => alibi.buckets({ queries: 1, keys: 1 }))).toBe("unsupported");
    const t5 = createBias({ kind: "t5", heads: 2 });
    expect(codeOf(() => t5.buckets(loosely({ keys: 1 })))).toBe("invalid-argument");
    expect(codeOf(() => t5.buckets({ queries: 1.5, keys: 1 }))).toBe("invalid-argument");
    expect(t5.buckets({ queries: 0, keys: 3 }).dims).toEqual([0, 3]);
  });
});

describe("one head", () => {
  it("is shared by all heads of attention", () => {
    const encoding = loosely(createAny({ kind: "alibi", heads: 1 }));
    const [q, k] = [randomTensor([1, 3, 2, 4], 1), randomTensor([1, 3, 2, 4], 2)];
    const weights = pe.attentionWeights(q, k, { encoding });
    expectSameBits(weights.data, pe.attentionWeights(q, k, { bias: encoding.bias({ queries: 2, keys: 2 }) }).data);
  });
});
