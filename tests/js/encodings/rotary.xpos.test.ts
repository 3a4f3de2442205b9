// xPos, and the temperature of attention: magnitudes that depend on positions.
import { describe, expect, it } from "vitest";
import { createRotary, loosely, pe } from "../helpers/library";
import { copyOf, dot, expectSameBits, maxDifference, randomTensor, range } from "../helpers/numbers";

const DIM = 24;
const spec = { kind: "xpos", dim: DIM, scaleBase: 16 };
const query = { role: "query" } as const;
const key = { role: "key" } as const;

describe.each(["half", "interleaved", "interleaved-to-half"])("xpos %s", (pairing) => {
  const encoding = createRotary({ ...spec, pairing });
  const rope = createRotary({ kind: "rope", dim: DIM, pairing });
  const x = randomTensor([2, 2, 19, DIM], 1);

  it("is RoPE times powers of ζ for queries, divided by them for keys", () => {
    const [cos, q, k] = [
      rope.tables({ length: 19 }).cos,
      encoding.tables({ length: 19, ...query }).cos,
      encoding.tables({ length: 19, ...key }).cos,
    ];
    cos.data.forEach((c, i) => {
      const [t, pair] = [Math.floor(i / 12), i % 12];
      const grown = ((2 * pair + 0.4 * DIM) / (1.4 * DIM)) ** ((t - 10) / 16);
      expect(Math.abs(q.data[i]! / (c * grown) - 1)).toBeLessThan(2e-7);
      expect(Math.abs((k.data[i]! * grown) / c - 1)).toBeLessThan(2e-7);
    });
  });

  it("gives scores that depend on the distance and decay with it, wherever it is centred", () => {
    const [a, b] = [randomTensor([1, 1, 1, DIM], 2), randomTensor([1, 1, 1, DIM], 3)];
    const score = (m: number, n: number, centre: number) => {
      const xpos = createRotary({ ...spec, pairing, centre });
      return dot(
        xpos.apply(copyOf(a), { positions: [m], ...query }).data,
        xpos.apply(copyOf(b), { positions: [n], ...key }).data,
      );
    };
    const near = score(9, 4, 0);
    for (const [m, n, centre] of [
      [9, 4, 7],
      [49, 44, 30],
      [8.5, 3.5, -20],
    ] as const)
      expect(Math.abs(score(m, n, centre) - near)).toBeLessThan(2e-6);
    expect(Math.abs(score(120, 0, 60))).toBeLessThan(Math.abs(near));
  });

  it("is undone by inverse, has transpose as its adjoint, moves keys", () => {
    for (const role of [query, key]) {
      const rotated = encoding.apply(copyOf(x), role);
      expect(maxDifference(encoding.apply(copyOf(rotated), { inverse: true, ...role }).data, x.data)).toBeLessThan(
        1e-6,
      );
      const g = randomTensor(x.dims, 4);
      const back = encoding.apply(copyOf(g), { transpose: true, ...role });
      expect(Math.abs(dot(rotated.data, g.data) - dot(x.data, back.data))).toBeLessThan(1e-4);
    }
    const sequenceLength = 40;
    const keys = encoding.apply(copyOf(x), { ...key, sequenceLength });
    const moved = encoding.rerotate(keys, { from: 0, to: 11, sequenceLength });
    expect(
      maxDifference(moved.data, encoding.apply(copyOf(x), { ...key, offset: 11, sequenceLength }).data),
    ).toBeLessThan(4e-6);
  });

  it("gives the same bits in wasm memory, in pieces and alone", () => {
    const long = randomTensor([1, 7, 600, DIM], 5);
    for (const role of [query, key]) {
      using resident = pe.tensor(long.data, long.dims);
      const inside = encoding.apply(resident, { ...role, sequenceLength: 600 }).data;
      expectSameBits(encoding.apply(copyOf(long), { ...role }).data, inside, "pieces");
      const lastRow = { ...long, data: long.data.slice(599 * DIM, 600 * DIM), dims: [1, 1, 1, DIM] };
      expectSameBits(
        encoding.apply(lastRow, { ...role, offset: 599, sequenceLength: 600 }).data,
        inside.slice(599 * DIM, 600 * DIM),
      );
    }
  });
});

describe("xpos", () => {
  it("must know the role, and refuses positions where float32 would overflow", () => {
    const encoding = createRotary({ kind: "xpos", dim: 8 });
    const x = randomTensor([1, 1, 2, 8], 6);
    expect(() => encoding.apply(copyOf(x))).toThrow(/role: must be "query" or "key"/);
    expect(() => encoding.tables({ length: 2 })).toThrow(/role/);
    expect(() => encoding.apply(copyOf(x), { role: loosely("value") })).toThrow(
      /role: must be "query" or "key", got "value"/,
    );
    expect(() => encoding.apply(copyOf(x), { ...key, positions: [0, 90_000] })).toThrow(
      /positions: must be within 32\d\d\d of the centre/,
    );
    expect(encoding.apply(copyOf(x), { ...key, positions: [0, 60_000] }).data.every(Number.isFinite)).toBe(true);
    expect(() => createRotary({ kind: "rope", dim: 8 }).apply(copyOf(x), query)).not.toThrow();
  });

  it("is centred on half the length, rounded up (torchscale) or down (FlashAttention), or where told", () => {
    const magnitudes = (more: object, sequenceLength: number) => {
      const { cos } = createRotary({ ...spec, ...more }).tables({ positions: range(6), sequenceLength, ...query });
      const { cos: plain } = createRotary({ kind: "rope", dim: DIM }).tables({ positions: range(6) });
      return range(6).filter((t) => cos.data[t * 12] === plain.data[t * 12]);
    };
    expect(magnitudes({}, 5)).toEqual([3]);
    expect(magnitudes({ centreRounding: "down" }, 5)).toEqual([2]);
    expect(magnitudes({}, 4)).toEqual([2]);
    expect(magnitudes({ centre: 1 }, 400)).toEqual([1]);
  });

  it("attention knows queries from keys, even if they are one tensor", () => {
    const q = randomTensor([1, 2, 9, DIM], 7);
    const encoding = createRotary(spec);
    const expected = pe.attentionWeights(encoding.apply(copyOf(q), query), encoding.apply(copyOf(q), key), {
      causal: true,
    });
    const got = pe.attentionWeights(q, q, { encoding, causal: true });
    expect(maxDifference(got.data, expected.data)).toBeLessThan(1e-6);
    const profile = pe.distanceProfile(encoding, { maxDistance: 300 }).data;
    expect(profile[0]).toBe(1);
    expect(Math.abs(profile[300]!)).toBeLessThan(0.05);
  });
});

describe("temperature", () => {
  const llama4 = { factor: 0.1, length: 8192, offset: 1 };

  it("grows with the logarithm of the position", () => {
    const positions = [0, 8190, 8191, 16_383, 1_000_000];
    const wanted = positions.map((p) => 1 + 0.1 * Math.log(1 + Math.floor((p + 1) / 8192)));
    const { data, dims } = pe.queryTemperature({ positions, temperature: llama4 });
    expect(dims).toEqual([5]);
    data.forEach((value, i) => expect(value).toBe(Math.fround(wanted[i]!)));
    expect([...pe.queryTemperature({ length: 3, offset: 8190, temperature: llama4 }).data].map((x) => x > 1)).toEqual([
      false,
      true,
      true,
    ]);
  });

  it("sharpens the scores of late queries, as scaled queries would", () => {
    const [q, k] = [randomTensor([2, 2, 4, 8], 1), randomTensor([2, 1, 7, 8], 2)];
    const temperature = { factor: 2, length: 2 };
    const at = { offset: 5 };
    const scaled = copyOf(q);
    const { data } = pe.queryTemperature({ length: 4, offset: 8, temperature });
    scaled.data.forEach((value, i) => (scaled.data[i] = value * data[Math.floor(i / 8) % 4]!));
    const got = pe.attentionWeights(q, k, { temperature, at, causal: true });
    expect(maxDifference(got.data, pe.attentionWeights(scaled, k, { at, causal: true }).data)).toBeLessThan(1e-6);
    expect(maxDifference(got.data, pe.attentionWeights(q, k, { at, causal: true }).data)).toBeGreaterThan(1e-2);
  });

  it.each([
    { factor: 1, length: 0 },
    { factor: NaN, length: 1 },
    { factor: 1, length: -2 },
    { factor: "1", length: 1 },
    { factor: 1 },
    3,
    null,
  ])("refuses %j", (temperature) => {
    const q = randomTensor([1, 1, 2, 4], 1);
    expect(() => pe.attention(q, q, q, { temperature: loosely(temperature) })).toThrow(/temperature/);
    expect(() => pe.queryTemperature({ length: 2, temperature: loosely(temperature) })).toThrow(/temperature/);
  });
});
