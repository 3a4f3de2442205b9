// No positional encoding, as an encoding: every call takes it, and nothing comes of it.
import { NoEncoding, type Tensor } from "posenc";
import { describe, expect, it } from "vitest";
import { createBias, createRotary, createTable, loosely, pe } from "../helpers/library";
import { copyOf, expectSameBits, expectSameObject, randomTensor, range } from "../helpers/numbers";
import { expectError, refusal } from "../helpers/refusals";

const none = pe.create({ kind: "none" });
// Of several tiles, and several heads to a key.
const [q, k, v] = [randomTensor([2, 6, 70, 5], 1), randomTensor([2, 3, 90, 5], 2), randomTensor([2, 3, 90, 4], 3)];

describe("attention", () => {
  const options = [
    {},
    { causal: true, window: 40, softcap: 2 },
    { causal: true, temperature: { factor: 0.1, length: 8 }, at: { offset: 30 } },
  ];
  it.each(options)("has the bits of attention without an encoding: %j", (options) => {
    const inside = { ...options, encoding: none };
    expectSameBits(pe.attention(q, k, v, inside).data, pe.attention(q, k, v, options).data);
    expectSameBits(pe.attentionWeights(q, k, inside).data, pe.attentionWeights(q, k, options).data);
    const gradOut = randomTensor([2, 6, 70, 4], 4);
    const [got, wanted] = [inside, options].map((how) => pe.attentionBackward(q, k, v, gradOut, how));
    for (const name of ["q", "k", "v"] as const) expectSameBits(got![name].data, wanted![name].data, name);
  });

  it("takes places of any number of axes, as a rotation of images does", () => {
    const [x, plain] = [randomTensor([1, 2, 6, 4], 5), pe.attention];
    const wanted = plain.call(pe, x, x, x) as Tensor;
    for (const at of [{ grid: [2, 3] }, { positions: [range(6), range(6, 9), range(6)] }, { positions: range(6, -3) }])
      expectSameBits(pe.attention(x, x, x, { encoding: none, at }).data, wanted.data, JSON.stringify(at));
  });

  it("of a cache is that without an encoding, and its keys are as they were given", () => {
    using cache = pe.cache({ heads: 3, dim: 5, valueDim: 4, capacity: 100, batch: 2 });
    cache.append(k, v);
    const query = randomTensor([2, 6, 1, 5], 6);
    expectSameBits(cache.attend(query, { encoding: none }).data, cache.attend(query).data);
    expectSameBits(cache.read({ encoding: none }).k.data, cache.read().k.data);
  });
});

describe("the calls of its family and of others", () => {
  it("add nothing and turn nothing", () => {
    const x = randomTensor([1, 2, 3, 4], 7);
    const before = x.data.slice();
    expect(none).toBeInstanceOf(NoEncoding);
    expectSameObject(none.addTo(x, { offset: 5 }), x);
    expectSameObject(none.apply(x, { offset: 5, inverse: true, layout: "bthd" }), x);
    expectSameObject(none.applyTo(x), x);
    expectSameBits(x.data, before);
    expect([...none.bias({ queries: 1, keys: 3, attentionMask: { data: [0, 1, 1], dims: [1, 3] } }).data]).toEqual([
      -Infinity,
      0,
      0,
    ]);
    expect([...pe.distanceProfile(none, { maxDistance: 3 }).data]).toEqual([0, 0, 0, 0]);
    expect(none.parameters).toEqual({});
  });

  it.each(["float32", "float16", "bfloat16"] as const)("drop what a table of zeros drops: %s", (type) => {
    const zeros = createTable({ kind: "learned", length: 9, dim: 4, std: 1 }).load(new Float32Array(36));
    const x = randomTensor([2, 2, 3, 4], 8);
    const copy = (): any => (type === "float32" ? copyOf(x) : type === "float16" ? pe.toFloat16(x) : pe.toBfloat16(x));
    for (const options of [
      { dropout: 0.5 },
      { dropout: 0.25, seed: 7, offset: 3 },
      { dropout: 0.5, training: false },
      { dropout: 0 },
      { dropout: 0.5, grid: [3] },
    ]) {
      const [dropped, wanted] = [none, zeros].map((encoding) => loosely(encoding).addTo(copy(), options).data);
      expect([...dropped], JSON.stringify(options)).toEqual([...wanted]);
    }
    const given = copy();
    expectSameObject(none.addTo(given, { dropout: 0.5, seed: 1 }), given);
    expect([...given.data].filter((value) => value === 0).length).toBeGreaterThan(10);
    expect(loosely(none.addTo({ data: new Float32Array(0), dims: [2, 0, 0] }, { dropout: 0.5 })).dims).toEqual([
      2, 0, 0,
    ]);
    zeros.dispose();
  });

  it("refuse what a table refuses of dropout", () => {
    const x = randomTensor([1, 3, 4], 9);
    const before = x.data.slice();
    for (const [options, field] of [
      [{ dropout: 1 }, "dropout"],
      [{ dropout: "0.1" }, "dropout"],
      [{ seed: 1 }, "seed"],
      [{ dropout: 0.1, seed: -1 }, "seed"],
    ] as const)
      expectError(
        refusal(() => none.addTo(x, loosely(options))),
        "invalid-argument",
        field,
      );
    expectSameBits(x.data, before);
  });

  it("refuse what is no tensor and no option", () => {
    const x = randomTensor([1, 2, 3, 4], 7);
    expectError(
      refusal(() => none.apply(loosely(null))),
      "invalid-argument",
      "x",
    );
    expectError(
      refusal(() => none.addTo(x, loosely({ offsett: 1 }))),
      "invalid-argument",
      "offsett",
    );
    const ended = pe.create({ kind: "none" });
    ended.dispose();
    expectError(
      refusal(() => ended.addTo(x)),
      "disposed",
      "encoding",
    );
  });
});

describe("in words", () => {
  it("is explained", async () => {
    const { summary, reach } = await pe.explain(none);
    expect(summary).toMatch(/^No positional encoding: 0 for every query and key, in 1 head;/);
    expect(reach!.halved).toEqual([Infinity]);
  });

  it("is compared with encodings of every family", async () => {
    const others = [createRotary({ kind: "rope", dim: 8 }), createTable({ kind: "sinusoidal", dim: 8 })];
    for (const other of [...others, createBias({ kind: "alibi", heads: 1 })]) {
      const { same, interchangeable, differences } = await pe.compare(none, other);
      expect([same, interchangeable, differences[0]!.field]).toEqual([false, "no", "kind"]);
    }
    expect((await pe.compare(none, others[0]!)).note).toBe("One of the encodings has no positions.");
    expect((await pe.compare(none, { kind: "none" })).same).toBe(true);
  });
});
