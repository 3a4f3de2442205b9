// Arguments of a cache that do not fit: errors name an argument of the call, and the cache stays as it was.
import { describe, expect, it } from "vitest";
import { createRelative, createRotary, loosely, pe } from "../helpers/library";
import { randomTensor } from "../helpers/numbers";
import { expectError, refusal } from "../helpers/refusals";

type Cache = ReturnType<typeof pe.cache>;
const dim = 12;
const tokens = (count: number, heads = 2) => randomTensor([1, heads, count, dim], 1);
const make = (options: object = {}): Cache => pe.cache(loosely({ heads: 2, dim, capacity: 8, ...options }));
const append = (cache: Cache, count: number, options: object = {}): Cache =>
  cache.append(tokens(count), tokens(count), options);
const indexed = (count: number, axes: number) => ({
  positions: Array.from({ length: axes }, () => Array.from({ length: count }, (_, i) => i)),
});

describe("attend", () => {
  it.each<[what: string, q: ReturnType<typeof tokens>, message: RegExp]>([
    ["other heads", tokens(1, 3), /^q: must have a multiple of 2 heads like the cache, got \[1, 3, 1, 12\]$/],
    ["another batch", randomTensor([2, 2, 1, dim]), /^q: batch must match the cache \(1\), got \[2, 2, 1, 12\]$/],
    ["another dim", randomTensor([1, 2, 1, 8]), /^q: last dim must match the cache \(12\), got \[1, 2, 1, 8\]$/],
  ])("names q: %s", (_, q, message) => {
    for (const policy of [undefined, { window: 2, sinks: 1 }]) {
      using cache = append(make({ policy }), 5);
      const error = refusal(() => cache.attend(q));
      expectError(error, "shape-mismatch", "q");
      expect(error.message).toMatch(message);
    }
  });

  it("takes a multiple of the cache's heads in either layout", () => {
    using cache = append(make(), 3);
    expect(cache.attend(tokens(1, 6)).dims).toEqual([1, 6, 1, dim]);
    using other = pe.cache({ heads: 2, dim, capacity: 8, layout: "bthd" });
    const k = randomTensor([1, 3, 2, dim]);
    other.append(k, k);
    expect(other.attend(randomTensor([1, 1, 6, dim])).dims).toEqual([1, 1, 6, dim]);
    expect(refusal(() => other.attend(randomTensor([1, 1, 5, dim]))).message).toMatch(
      /^q: must have a multiple of 2 heads.*got \[1, 1, 5, 12\]/,
    );
  });

  it("names the encoding whose values have another width", () => {
    using cache = make({ valueDim: 4 });
    cache.append(tokens(1), randomTensor([1, 2, 1, 4]));
    const shaw = createRelative({ kind: "shaw", dim, maxDistance: 2 });
    const error = refusal(() => cache.attend(tokens(1), { encoding: shaw }));
    expectError(error, "shape-mismatch", "encoding");
  });

  it("does not list gateKeys, which it rejects", () => {
    using cache = append(make(), 1);
    expect(refusal(() => cache.attend(tokens(1), loosely({ unheard: 1 }))).message).not.toMatch(/gateKeys/);
    const error = refusal(() => cache.attend(tokens(1), loosely({ gateKeys: tokens(1) })));
    expectError(error, "invalid-argument", "gateKeys");
  });
});

describe("append", () => {
  const rope = createRotary({ kind: "rope", dim });
  const mrope = createRotary({ kind: "rope-mrope", dim, sections: [2, 2, 2] });
  const axial = createRotary({ kind: "rope-axial", dim });
  const refused: [what: string, encoding: object, axes: number][] = [
    ["two axes for text", rope, 2],
    ["two of three", mrope, 2],
    ["one for an image", axial, 1],
    ["two for text of a relative encoding", createRelative({ kind: "shaw", dim, maxDistance: 2 }), 2],
  ];
  it.each(refused)("rejects positions with other axes than the encoding: %s", (_, encoding, axes) => {
    using cache = make({ encoding });
    const options = axes === 1 ? {} : indexed(3, axes);
    expectError(
      refusal(() => append(cache, 3, options)),
      "shape-mismatch",
      "positions",
    );
    expect(cache.length).toBe(0);
    expect(append(cache, 0, axes === 1 ? {} : indexed(0, axes)).length).toBe(0);
  });

  it("rejects other axes after attend(), and the cache stays as it was", () => {
    using cache = append(make(), 2);
    const before = cache.attend(tokens(2), { encoding: rope }).data;
    expect(refusal(() => append(cache, 1, indexed(1, 3))).message).toBe("positions: must have 1 axis, got 3");
    expect(cache.positions).toEqual(Float64Array.of(0, 1));
    expect(cache.attend(tokens(2), { encoding: rope }).data).toEqual(before);
    // The next encoding decides.
    cache.encoding = mrope;
    append(cache, 1, indexed(1, 3));
    expect(cache.attend(tokens(1)).dims).toEqual([1, 2, 1, dim]);
  });

  it("takes one position for all axes of M-RoPE, and any axes without an encoding that uses them", () => {
    using cache = make({ encoding: mrope });
    append(append(append(cache, 1), 2, indexed(2, 3)), 1, { positions: [9] });
    expect(cache.attend(tokens(1)).dims).toEqual([1, 2, 1, dim]);
    using grid = make({ encoding: axial });
    append(append(grid, 4, indexed(4, 2)), 1);
    expect(grid.attend(tokens(1)).dims).toEqual([1, 2, 1, dim]);
    for (const encoding of [undefined, null]) expect(append(make({ encoding }), 2, indexed(2, 2)).length).toBe(2);
  });

  it("does not need an encoding of an earlier call that was disposed", () => {
    const own = createRotary({ kind: "rope", dim });
    using cache = append(make(), 1);
    cache.attend(tokens(1), { encoding: own });
    own.dispose();
    expect(append(cache, 1).attend(tokens(1), { encoding: rope }).dims).toEqual([1, 2, 1, dim]);
  });

  it("with sinks takes the offset of the first tokens only", () => {
    using cache = make({ capacity: undefined, policy: { window: 4, sinks: 1 } });
    for (const positions of [
      [0, 1, 2],
      [5, 6, 7],
      [0, 2, 4],
    ])
      expectError(
        refusal(() => append(cache, 3, { positions })),
        "unsupported",
        "positions",
      );
    append(cache, 3, { offset: 2 });
    for (const offset of [5, 6])
      expectError(
        refusal(() => append(cache, 1, { offset })),
        "unsupported",
        "offset",
      );
    expect(append(cache, 1).positions).toEqual(Float64Array.of(2, 3, 4, 5));
    expect(append(cache.clear(), 1, { offset: 7 }).positions).toEqual(Float64Array.of(7));
  });
});

describe("restore", () => {
  const saved = append(make(), 3).snapshot();
  it.each<[what: string, restore: () => unknown, message: RegExp]>([
    [
      "a small cache",
      () => make({ capacity: 2 }).restore(saved),
      /at most 2 tokens \(.*capacity\), got 3; create .* larger/,
    ],
    ["other heads", () => make({ heads: 4 }).restore(saved), /heads must match the cache \(4\), got 2$/],
    [
      "JSON",
      () => make().restore(JSON.parse(JSON.stringify(saved))),
      /state must be a Uint8Array, got Object; JSON loses it: use structuredClone/,
    ],
    [
      "a list",
      () => make().restore(loosely({ ...saved, state: [...saved.state] })),
      /got an array.* structuredClone or Indexed/,
    ],
  ])("names what differs: %s", (_, restore, message) => {
    const error = refusal(restore);
    expectError(error, "invalid-argument", "snapshot");
    expect(error.message).toMatch(message);
  });

  it("takes a structured clone, in a cache with just enough capacity", () => {
    expect(make({ capacity: 3 }).restore(structuredClone(saved)).length).toBe(3);
  });
});

it("a cache without capacity and policy asks for one of both", () => {
  expect(refusal(() => make({ capacity: undefined })).message).toBe("capacity: required without policy: { window }");
});
