// Is it that family? What every attention bias must do, for every kind that the library lists.
import { describe, expect, it } from "vitest";
import { createBias, exampleSpec, ofFamily, pe } from "./helpers/library";
import type { Spec } from "./helpers/library";
import { expectSameBits, expectSameObject, randomTensor } from "./helpers/numbers";

/** Forms that are no function of j - i, each with what they are instead. */
const NOT_TOEPLITZ: { matches: (spec: Spec) => boolean; reason: string }[] = [
  { matches: (spec) => spec.kind === "alibi" && spec.form === "key", reason: "counts back from the last key" },
  { matches: (spec) => spec.kind === "alibi" && spec.form === "key-absolute", reason: "counts keys from the first" },
];

const VARIANTS: Record<string, Record<string, unknown>[]> = {
  alibi: [
    { form: "key" },
    { form: "key-absolute" },
    { heads: 5 },
    { heads: 12, maxBias: 16 },
    { heads: 6, activeHeads: 4 },
  ],
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
  const exempt = NOT_TOEPLITZ.some(({ matches }) => matches(spec));

  it("gives [heads, queries, keys]", () => {
    expect(whole.dims).toEqual([heads, queries, keys]);
    expect(whole.data.every(Number.isFinite)).toBe(true);
    expect(encoding.bias({ queries: 0, keys: 4 }).dims).toEqual([heads, 0, 4]);
    expect(encoding.bias({ queries: 3, keys: 0 }).dims).toEqual([heads, 3, 0]);
  });

  it.skipIf(exempt)("depends on the distance only", () => {
    for (let h = 0; h < heads; h++)
      for (let i = 1; i < queries; i++)
        for (let j = 1; j < keys; j++) expect(entry(h, i, j)).toBe(entry(h, i - 1, j - 1));
  });

  it.runIf(exempt)("depends on the key only", () => {
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
