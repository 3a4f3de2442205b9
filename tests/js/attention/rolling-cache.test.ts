// A cache under a policy, its encoding, and its snapshots: what once went wrong without a word.
import { describe, expect, it } from "vitest";
import { createBias, createRotary, loosely, pe, type Library } from "../helpers/library";
import { fresh } from "../helpers/fresh";
import { maxDifference, randomTensor, range, type PlainTensor } from "../helpers/numbers";
import { expectError, refusal } from "../helpers/refusals";

type Cache = ReturnType<Library["cache"]>;
const dim = 8;
const text = (length: number, seed = 1): PlainTensor => randomTensor([1, 1, length, dim], seed);
const part = (x: PlainTensor, first: number, count: number): PlainTensor => ({
  type: "float32",
  data: x.data.slice(first * dim, (first + count) * dim),
  dims: [1, 1, count, dim],
});
const gather = (x: PlainTensor, tokens: number[]): PlainTensor => ({
  type: "float32",
  data: Float32Array.from(tokens.flatMap((t) => [...x.data.subarray(t * dim, (t + 1) * dim)])),
  dims: [1, 1, tokens.length, dim],
});
const feed = (cache: Cache, x: PlainTensor, first: number, count: number): Cache =>
  cache.append(part(x, first, count), part(x, first, count));

const rope = createRotary({ kind: "rope", dim });

describe("a policy", () => {
  it("takes a prompt of 200 tokens, then a turn of 100, as if they came one by one", async () => {
    const { pe: own } = await fresh();
    const encoding = own.create({ kind: "rope", dim });
    using cache = own.cache({ heads: 1, dim, encoding, policy: { window: 60, sinks: 4 } });
    const x = text(300);
    const nominal = cache.bytes;
    for (const [first, count] of [
      [0, 200],
      [200, 100],
    ] as const) {
      feed(cache, x, first, count);
      const got = cache.attend(part(x, first, count)).data;
      for (let i = 0; i < count; i++) {
        const token = first + i;
        const tokens = token < 64 ? range(token + 1) : [...range(4), ...range(60, token - 59)];
        const [query, keys] = [part(x, token, 1), gather(x, tokens)];
        const wanted = own.attention(query, keys, keys, { encoding }).data;
        expect(maxDifference(got.slice(i * dim, (i + 1) * dim), wanted)).toBeLessThan(1e-6);
      }
    }
    // What a long turn took goes with the next token.
    expect(cache.bytes).toBeGreaterThan(nominal + 200);
    feed(cache, x, 0, 1);
    expect(cache.bytes).toBeLessThan(nominal + 4096);
    expect(cache.length + cache.dropped).toBe(301);
    expect(own.liveBytes).toBe(cache.bytes);
  });

  it("takes masks and biases for several tokens, too", () => {
    using cache = pe.cache({ heads: 1, dim, policy: { window: 5, sinks: 2 } });
    const x = text(20);
    feed(feed(cache, x, 0, 9), x, 9, 11);
    const columns = [0, 1, ...range(15, 5)];
    expect(cache.length).toBe(columns.length);
    const mask = range(11 * 17).map((i) => i % 7 !== 3);
    const bias = randomTensor([11, 17], 5);
    const got = cache.attend(part(x, 9, 11), { mask: { data: mask, dims: [11, 17] } as never, bias }).data;
    for (let i = 0; i < 11; i++) {
      const tokens = [0, 1, ...range(5, 5 + i)];
      const at = tokens.map((t) => 17 * i + columns.indexOf(t));
      const keys = gather(x, tokens);
      const options = {
        mask: at.map((j) => mask[j]!),
        bias: { data: Float32Array.from(at, (j) => bias.data[j]!), dims: [1, 7] },
      };
      const wanted = pe.attention(part(x, 9 + i, 1), keys, keys, options).data;
      expect(maxDifference(got.slice(i * dim, (i + 1) * dim), wanted)).toBeLessThan(1e-6);
    }
  });

  it("says what to do where a cache without one is full", () => {
    using cache = pe.cache({ heads: 1, dim, capacity: 8 });
    const message = refusal(() => feed(cache, text(9), 0, 9)).message;
    expect(message).toMatch(
      /^k: must have at most 8 tokens.*got 9; create the cache with a larger capacity or a policy/,
    );
  });
});

describe("truncate() behind a window", () => {
  const grown = (policy: object, tokens = 8): Cache => {
    const cache = pe.cache({ heads: 1, dim, policy: { window: 4, ...policy } });
    for (let t = 0; t < tokens; t++) feed(cache, text(20), t, 1);
    return cache;
  };

  it("refuses what would need tokens that were dropped, and says what to do", () => {
    using cache = grown({});
    expectError(
      refusal(() => cache.truncate(2)),
      "out-of-range",
      "length",
    );
    expect(refusal(() => cache.truncate(2)).message).toMatch(
      /^length: must be from 3 to 4: .*got 2; create the cache with policy \{ undo \}/,
    );
    expect([...(cache.positions as Float64Array)]).toEqual([4, 5, 6, 7]);
    // All of the last append may go without that.
    feed(cache, text(9), 0, 5);
    expect(cache.truncate(cache.length - 5).length).toBe(3);
  });

  it.each([{}, { sinks: 2 }])("takes back as many as `undo` says, exactly: %o", (more) => {
    for (let n = 1; n <= 4; n++) {
      using cache = grown({ ...more, undo: 4 }, 12);
      using other = grown({ ...more, undo: 4 }, 12 - n);
      cache.attend(part(text(9), 0, 1), { encoding: rope });
      cache.truncate(cache.length - n);
      expect(cache.positions).toEqual(other.positions);
      expect(cache.length + cache.dropped).toBe(12 - n);
      for (const one of [cache, other]) feed(one, text(20), 3, 1);
      expect(cache.positions).toEqual(other.positions);
      const [got, wanted] = [cache, other].map((one) => one.attend(part(text(9), 5, 1), { encoding: rope }).data);
      expect(maxDifference(got!, wanted!)).toBeLessThan(1e-6);
      const read = [cache, other].map((one) => one.read({ encoding: rope }));
      expect(maxDifference(read[0]!.k.data, read[1]!.k.data)).toBeLessThan(1e-6);
    }
    using cache = grown({ ...more, undo: 1 }, 12);
    expectError(
      refusal(() => cache.truncate(cache.length - 3)),
      "out-of-range",
      "length",
    );
    expect(cache.clear().length).toBe(0);
    expect(cache.dropped).toBe(0);
  });
});

describe("the encoding of a cache", () => {
  const x = text(6);
  const other = createRotary({ kind: "rope", dim, base: 500 });
  const q = part(x, 5, 1);
  const wanted = (encoding?: typeof rope): Float32Array =>
    pe.attention(q, x, x, { ...(encoding && { encoding }) }).data;

  it("is what attend and read use", () => {
    using cache = feed(pe.cache({ heads: 1, dim, capacity: 6, encoding: rope }), x, 0, 6);
    expect(cache.encoding).toBe(rope);
    expect(maxDifference(cache.attend(q).data, wanted(rope))).toBeLessThan(1e-6);
    expect(cache.attend(q, { encoding: createRotary({ kind: "rope", dim }) }).data).toEqual(cache.attend(q).data);
    expect(maxDifference(cache.attend(q, { encoding: null }).data, wanted())).toBeLessThan(1e-6);
    expect(maxDifference(cache.read().k.data, rope.apply({ ...x, data: x.data.slice() }).data)).toBeLessThan(1e-6);
    expect(maxDifference(cache.read({ encoding: null }).k.data, x.data)).toBeLessThan(1e-6);
    for (const call of [() => cache.attend(q, { encoding: other }), () => cache.read({ encoding: other })])
      expectError(refusal(call), "invalid-argument", "encoding");
    cache.encoding = other;
    expect(maxDifference(cache.attend(q).data, wanted(other))).toBeLessThan(1e-6);
  });

  it("is not forgotten, nor another one, unless a call says so", () => {
    using cache = feed(pe.cache({ heads: 1, dim, capacity: 6 }), x, 0, 6);
    expect(refusal(() => cache.attend(q, { encoding: loosely("rope") })).code).toBe("invalid-argument");
    cache.attend(q, { encoding: rope });
    expect(refusal(() => cache.attend(q)).message).toMatch(
      /^encoding: required, as attend\(\) used rope before; pass the same or null/,
    );
    expect(refusal(() => cache.attend(q, { encoding: other })).message).toMatch(
      /^encoding: must be .*; set cache.encoding/,
    );
    expectError(
      refusal(() => cache.attend(q, { encoding: createBias({ kind: "alibi", heads: 1 }) })),
      "invalid-argument",
      "encoding",
    );
    expect(maxDifference(cache.attend(q, { encoding: null }).data, wanted())).toBeLessThan(1e-6);
    expect(maxDifference(cache.attend(q, { encoding: rope }).data, wanted(rope))).toBeLessThan(1e-6);
    using second = pe.cache({ heads: 1, dim, capacity: 6 }).restore(structuredClone(cache.snapshot()));
    expectError(
      refusal(() => second.attend(q)),
      "invalid-argument",
      "encoding",
    );
    expect(second.attend(q, { encoding: rope }).data).toEqual(cache.attend(q, { encoding: rope }).data);
    using third = pe.cache({ heads: 1, dim, capacity: 6, encoding: other });
    expectError(
      refusal(() => third.restore(cache.snapshot())),
      "invalid-argument",
      "snapshot",
    );
  });
});

describe("a snapshot", () => {
  it.each(["float32", "float16", "int8"] as const)("is refused with any bit of it changed, %s", (type) => {
    using cache = pe.cache({ heads: 1, dim: 2, type, policy: { window: 3, sinks: 1, undo: 1 } });
    for (let t = 0; t < 6; t++) cache.append(randomTensor([1, 1, 1, 2], t), randomTensor([1, 1, 1, 2], 9));
    const q = randomTensor([1, 1, 1, 2], 3);
    const encoding = createRotary({ kind: "rope", dim: 2 });
    const before = cache.attend(q, { encoding }).data;
    const snapshot = cache.snapshot();
    for (let bit = 0; bit < 8 * snapshot.state.length; bit++) {
      const state = snapshot.state.slice();
      state[bit >> 3]! ^= 1 << (bit & 7);
      const error = refusal(() => cache.restore({ ...snapshot, state }));
      if (!/^snapshot: damaged, or created by a different posenc version/.test(error.message)) throw error;
    }
    expect(cache.attend(q, { encoding }).data).toEqual(before);
    expect(cache.restore(snapshot).attend(q, { encoding }).data).toEqual(before);
  });
});

describe("segments under a window", () => {
  it("count from the beginning of a sequence, though that was dropped", () => {
    const x = text(40);
    const segments = range(40).map((t) => Number(t >= 6) + Number(t >= 33));
    const temperature = { factor: 0.5, length: 4 };
    using windowed = pe.cache({ heads: 1, dim, encoding: rope, policy: { window: 9 } });
    using whole = pe.cache({ heads: 1, dim, encoding: rope, capacity: 40 });
    for (let t = 0; t < 40; t++) {
      for (const cache of [windowed, whole]) feed(cache, x, t, 1);
      const q = part(x, t, 1);
      const all = segments.slice(0, t + 1);
      const wanted = whole.attend(q, { segments: all, temperature, window: [8, 0] }).data;
      expect(maxDifference(windowed.attend(q, { segments: all, temperature }).data, wanted)).toBeLessThan(1e-6);
      const ends = [0, 6, 33, 40].filter((end) => end <= t).concat(t + 1);
      expect(maxDifference(windowed.attend(q, { cuSeqlens: ends, temperature }).data, wanted)).toBeLessThan(1e-6);
      const plain = whole.attend(q, { segments: all, window: [8, 0] }).data;
      const kept = all.slice(-windowed.length);
      expect(maxDifference(windowed.attend(q, { segments: kept }).data, plain)).toBeLessThan(1e-6);
      // What cannot be known from these is an error.
      const short = (): unknown => windowed.attend(q, { segments: kept, temperature });
      if (windowed.dropped > 0) expectError(refusal(short), "shape-mismatch", "segments");
    }
  });
});
