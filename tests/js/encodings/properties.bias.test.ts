// Is it that family? What every attention bias must do, for every kind that the library lists.
import { describe, expect, it } from "vitest";
import { createBias, exampleSpec, ofFamily, pe } from "../helpers/library";
import type { Spec } from "../helpers/library";
import { expectSameBits, expectSameObject, randomTensor } from "../helpers/numbers";

/** Forms that count keys, from the last or from the first, and do not look at the query. */
const dependsOnKey = (spec: Spec) => spec.kind === "alibi" && spec.form !== undefined && spec.form !== "relative";
/** What is a function of more than j - i: two axes, the query's own place. */
const dependsOnMore = ({ kind, length }: Spec) => kind.startsWith("swin") || (kind === "fire" && length === 2);

const VARIANTS: Record<string, Record<string, unknown>[]> = {
  alibi: [
    { form: "key" },
    { form: "key-absolute" },
    { heads: 5 },
    { heads: 12, maxBias: 16 },
    { heads: 6, activeHeads: 4 },
  ],
  swin: [{ classToken: true }, { heads: 3, windowHeight: 3, windowWidth: 3, std: 1 }],
  "swin-v2": [
    { heads: 3, windowHeight: 3, windowWidth: 3, width: 5 },
    { pretrainedHeight: 7, pretrainedWidth: 2, seed: 3 },
  ],
  kerple: [{ form: "power" }, { form: "weighted", seed: 2 }, { form: "log-power" }, { bidirectional: true }],
  sandwich: [{ bidirectional: true }, { heads: 3, dim: 6, base: 100 }],
  fire: [{ bidirectional: true }, { heads: 3, width: 5, length: 2 }],
  mask: [{ causal: false, windowLeft: 2, windowRight: 1 }, { heads: 2, hidden: -1e4 }, { windowLeft: 0 }],
  t5: [{ bidirectional: false }, { heads: 3, buckets: 7, maxDistance: 5, seed: 3 }, { std: 0 }],
};

const specs: [string, Spec][] = ofFamily("bias").flatMap((description) =>
  [{}, ...(VARIANTS[description.kind] ?? [])].map((changes): [string, Spec] => [
    `${description.kind} ${JSON.stringify(changes)}`,
    exampleSpec(description, changes),
  ]),
);

describe.each(specs)("%s", (_, spec) => {
  const encoding = createBias(spec);
  const { heads } = encoding;
  const [queries, keys] = [9, 9];
  const whole = encoding.bias({ queries, keys });
  const entry = (h: number, i: number, j: number) => whole.data[(h * queries + i) * keys + j]!;

  it("gives [heads, queries, keys]", () => {
    expect(whole.dims).toEqual([heads, queries, keys]);
    expect(whole.data.every((value) => Number.isFinite(value) || (spec.kind === "mask" && value === -Infinity))).toBe(
      true,
    );
    expect(encoding.bias({ queries: 0, keys: 4 }).dims).toEqual([heads, 0, 4]);
    expect(encoding.bias({ queries: 3, keys: 0 }).dims).toEqual([heads, 3, 0]);
  });

  it.skipIf(dependsOnKey(spec) || dependsOnMore(spec))("depends on the distance only", () => {
    for (let h = 0; h < heads; h++)
      for (let i = 1; i < queries; i++)
        for (let j = 1; j < keys; j++) expect(entry(h, i, j)).toBe(entry(h, i - 1, j - 1));
  });

  it.runIf(dependsOnMore(spec))("does not depend on the distance only", () => {
    const pairs = Array.from({ length: (queries - 1) * (keys - 1) }, (_v, n) => [
      1 + Math.floor(n / (keys - 1)),
      1 + (n % (keys - 1)),
    ]);
    expect(pairs.some(([i, j]) => entry(0, i!, j!) !== entry(0, i! - 1, j! - 1))).toBe(true);
  });

  it.runIf(dependsOnKey(spec))("depends on the key only", () => {
    for (let h = 0; h < heads; h++)
      for (let i = 1; i < queries; i++) for (let j = 0; j < keys; j++) expect(entry(h, i, j)).toBe(entry(h, 0, j));
    expect(entry(0, 0, 1)).not.toBe(entry(0, 0, 0));
  });

  it("gives the last queries by default, as a cache needs it", () => {
    const last = encoding.bias({ queries: 2, keys });
    const named = encoding.bias({ queries: 2, keys, offset: keys - 2 });
    expectSameBits(named.data, last.data);
    for (let h = 0; h < heads; h++) {
      const expected = whole.data.subarray((h * queries + queries - 2) * keys, (h + 1) * queries * keys);
      expectSameBits(last.data.subarray(h * 2 * keys, (h + 1) * 2 * keys), expected, `head ${h}`);
    }
  });

  it("takes the positions of the keys", () => {
    const positions = Array.from({ length: keys }, (_value, index) => index);
    expectSameBits(encoding.bias({ queries, keys, keyPositions: positions }).data, whole.data);
  });

  it("writes into `out`, the same bits, and returns that object", () => {
    const plain = randomTensor([heads, queries, keys]);
    expectSameObject(encoding.bias({ queries, keys, out: plain }), plain);
    expectSameBits(plain.data, whole.data);
    using inside = pe.tensor([heads, queries, keys]);
    expectSameObject(encoding.bias({ queries, keys, out: inside }), inside);
    expectSameBits(inside.data, whole.data);
  });
});

describe("alibi", () => {
  const bias = (form: string, at: object) =>
    Array.from(createBias({ kind: "alibi", heads: 1, form }).bias(at as never).data);
  const slope = 2 ** -8;

  it("relative is minus the slope times the distance, on both sides", () => {
    expect(bias("relative", { queries: 3, keys: 3 }).map((value) => value / slope)).toEqual(
      [...[0, -1, -2], ...[-1, 0, -1], ...[-2, -1, 0]].map((value) => value || 0),
    );
  });

  it("key counts back from the last key, key-absolute from the first", () => {
    expect(bias("key", { queries: 1, keys: 3 }).map((value) => value / slope + 0)).toEqual([-2, -1, 0]);
    expect(bias("key-absolute", { queries: 1, keys: 3 }).map((value) => value / slope + 0)).toEqual([0, 1, 2]);
  });

  it("has falling slopes, and none beyond activeHeads", () => {
    const { slopes } = createBias({ kind: "alibi", heads: 8 });
    expect([...slopes]).toEqual([1, 2, 3, 4, 5, 6, 7, 8].map((h) => 2 ** -h));
    const some = createBias({ kind: "alibi", heads: 6, activeHeads: 4 }).slopes;
    expect([...some]).toEqual([0.25, 0.0625, 0.015625, 0.00390625, 0, 0]);
  });
});
