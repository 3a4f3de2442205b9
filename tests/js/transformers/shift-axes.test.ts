// Shifts of cached keys by axis: after an image leaves, the later tokens move by other numbers than it had tokens.
import { shiftCache } from "posenc/transformers";
import { describe, expect, it } from "vitest";
import { pe } from "../helpers/library";
import { maxDifference, randomTensor, range } from "../helpers/numbers";
import { caught, expectError } from "../helpers/refusals";

const [heads, dim] = [2, 16];
// A word, a picture of 2 x 2 patches, three words.
const before = [
  [0, 1, 1, 1, 1, 3, 4, 5],
  [0, 1, 1, 2, 2, 3, 4, 5],
  [0, 1, 2, 1, 2, 3, 4, 5],
];
const tokens = before[0]!.length;
const [sinks, window] = [1, 3];
const kept = [0, 5, 6, 7];
const specs = [
  { kind: "rope-mrope", dim, sections: [2, 3, 3] },
  { kind: "rope-mrope", dim, sections: [4, 2, 2], interleavedSections: true },
];

/** A cache of one layer, its keys rotated at these positions, as one object that version 3 of transformers.js keeps. */
function cacheOf(encoding: any) {
  const plain = randomTensor([1, heads, tokens, dim], 7);
  const keys = encoding.apply({ data: plain.data.slice(), dims: plain.dims }, { positions: before });
  const tensor = (data: Float32Array) => ({ type: "float32", data, dims: [1, heads, tokens, dim], location: "cpu" });
  return {
    plain,
    cache: { "past_key_values.0.key": tensor(keys.data), "past_key_values.0.value": tensor(plain.data.slice()) } as any,
  };
}

describe.each(specs)("%o", (spec) => {
  const encoding = pe.create(spec as never) as any;
  it.each<[string, number | number[]]>([
    ["one number for all axes", -2],
    ["a number per axis", [-2, -3, -1.5]],
  ])("%s", (_, delta) => {
    const { plain, cache } = cacheOf(encoding);
    expect(shiftCache(cache, encoding, { sinks, window, delta })).toBe(tokens - sinks - window);
    const after = before.map((axis, i) =>
      kept.map((token) =>
        token < sinks ? axis[token]! : axis[token]! + (typeof delta === "number" ? delta : delta[i]!),
      ),
    );
    const rows = range(heads).flatMap((h) =>
      kept.flatMap((token) => [...plain.data.subarray((h * tokens + token) * dim, (h * tokens + token + 1) * dim)]),
    );
    const wanted = { data: Float32Array.from(rows), dims: [1, heads, kept.length, dim] };
    encoding.apply(wanted, { positions: after });
    const { data, dims } = cache["past_key_values.0.key"];
    expect(dims).toEqual(wanted.dims);
    expect(maxDifference(data, wanted.data)).toBeLessThan(1e-5);
  });

  it("refuses another number of axes, and leaves the cache", async () => {
    const { cache } = cacheOf(encoding);
    const had = cache["past_key_values.0.key"];
    const refused = (delta: unknown) => caught(() => shiftCache(cache, encoding, { sinks, window, delta } as never));
    expectError(await refused([1, 2]), "shape-mismatch", "delta");
    expectError(await refused([1, NaN, 2]), "invalid-argument", "delta");
    expectError(await refused("1"), "invalid-argument", "delta");
    expect(cache["past_key_values.0.key"]).toBe(had);
  });
});
