// Cached keys and values as a file, put back where they were and elsewhere: all rotations, pairings and dtypes.
import { appendCache, openCache, restoreCache, saveCache } from "posenc/cache-file";
import { describe, expect, it } from "vitest";
import { createRotary, exampleSpec, ofFamily, pe } from "../helpers/library";
import { expectSameBits, maxDifference, randomTensor, range } from "../helpers/numbers";
import { cacheOf, numbersOf, rotatedKeys, same, tokensOf, type CacheShape } from "../helpers/saved-caches";

const pairings = ["half", "interleaved"] as const;
const rotations = ofFamily("rotary").flatMap((entry) => pairings.map((pairing) => ({ entry, pairing })));

const at = (axes: number, tokens: number, first: number) =>
  range(axes).map((axis) => range(tokens).map((i) => first + (axis ? Math.floor(i / (axis + 1)) : i)));
const expectSameData = (actual: any, expected: any) => {
  expect(actual.dims).toEqual(expected.dims);
  if (expected.type === "float32") return expectSameBits(actual.data, expected.data);
  expect(actual.type).toBe("float16");
  expect([...actual.data]).toEqual([...expected.data]);
};

describe.each(rotations)("$entry.kind, $pairing", ({ entry, pairing }) => {
  const rotary = createRotary(exampleSpec(entry, { pairing }));
  const shape: CacheShape = { tokens: 300, dim: rotary.dim, valueDim: 6 };
  const positions = at(rotary.axes, shape.tokens, 0);
  const cache = cacheOf(shape, () => rotary, positions);
  const saved = async (more: object = {}) =>
    openCache(await saveCache(pe, cache, { encoding: same(rotary), positions, ...more }));

  it("has the same bits at the same positions", async () => {
    const restored: any = await restoreCache(pe, await saved(), { encoding: same(rotary) });
    expect(Object.keys(restored)).toEqual(Object.keys(cache));
    for (const [name, tensor] of Object.entries(cache)) expectSameData(restored[name], tensor);
  });

  it("has the keys of other positions elsewhere", async () => {
    const first = 1000;
    const restored: any = await restoreCache(pe, await saved(), { encoding: same(rotary), at: first });
    const wanted = rotatedKeys(shape, 0, rotary, at(rotary.axes, shape.tokens, first));
    const largest = wanted.data.reduce((most: number, x: number) => Math.max(most, Math.abs(x)), 1);
    expect(maxDifference(restored["past_key_values.0.key"].data, wanted.data as never)).toBeLessThan(1e-6 * largest);
    expectSameData(restored["past_key_values.0.value"], cache["past_key_values.0.value"]);
  });
});

describe.each(["float32", "float16"] as const)("a cache in %s", (cacheType) => {
  const rotaries = [
    { kind: "rope", dim: 16 },
    { kind: "rope", dim: 16, base: 500 },
  ].map((spec) => createRotary(spec));
  // Each third layer has no positions.
  const encoding = (layer: number) => (layer % 3 === 2 ? null : rotaries[layer % 3]!);
  const shape = { layers: 8, heads: 3, tokens: 257, dim: 16, valueDim: 4, type: cacheType };
  const cache = cacheOf(shape, encoding, [range(257)]);
  const limits = { float16: 3e-4, int8: 5e-3 };

  it.each(["float32", "float16", "int8"] as const)("stored as %s", async (type) => {
    const file = await openCache(await saveCache(pe, cache, { encoding, type }));
    expect([file.type, file.layers, file.length]).toEqual([type, 8, 257]);
    const restored: any = await restoreCache(pe, file, { encoding });
    for (const [name, tensor] of Object.entries(cache)) {
      expect(restored[name].type).toBe(cacheType);
      if (type === cacheType || type === "float32") expectSameData(restored[name], tensor);
      else expect(maxDifference(numbersOf(restored[name]), numbersOf(tensor))).toBeLessThan(limits[type]);
    }
    const moved: any = await restoreCache(pe, file, { encoding, at: 5000, type: "float32" });
    for (const layer of range(8)) {
      const wanted = rotatedKeys(shape, layer, encoding(layer), [range(257, 5000)]);
      const limit = type === "int8" ? 1e-2 : type === "float16" || cacheType === "float16" ? 6e-4 : 1e-6;
      expect(maxDifference(moved[`past_key_values.${layer}.key`].data, wanted.data as never)).toBeLessThan(limit);
    }
  });

  it.each([1, 2, 5, 8])("of %i layers", async (layers) => {
    const some = cacheOf({ ...shape, layers }, encoding, [range(257)]);
    const file = await openCache(await saveCache(pe, some, { encoding }));
    const restored: any = await restoreCache(pe, file, { encoding });
    for (const [name, tensor] of Object.entries(some)) expectSameData(restored[name], tensor);
    expect(file.layers).toBe(layers);
  });
});

describe("more tokens than the core sorts at once", () => {
  const encoding = same(null);
  // Any object with these two methods can take the place of an instance. It has no core.
  const plain = { toFloat32: (x: any) => pe.toFloat32(x), toFloat16: (x: any) => pe.toFloat16(x) };
  const cases = (["float32", "float16"] as const).flatMap((type) => [
    { type, to: "float32" as const },
    { type, to: "float16" as const },
  ]);
  it.each(cases)("$type to $to", async ({ type, to }) => {
    const cache = cacheOf({ heads: 3, tokens: 3001, dim: 16, valueDim: 4, type }, () => null, [range(3001)]);
    const file = await openCache(await saveCache(pe, cache, { encoding }));
    const parts = [
      { file, from: 5 },
      { file, to: 40 },
    ];
    const restored: any = await restoreCache(pe, parts, { encoding, type: to });
    const wanted: any = await restoreCache(plain, parts, { encoding, type: to });
    for (const name of Object.keys(cache)) expectSameData(restored[name], wanted[name]);
  });
});

describe("parts and files", () => {
  const rotary = createRotary({ kind: "rope", dim: 8 });
  const encoding = same(rotary);
  const shape = { tokens: 600, dim: 8 };
  const cache = cacheOf(shape, () => rotary, [range(600)]);
  const plain = { type: "float32", data: rotatedKeys(shape, 0, null, []).data, dims: [1, 2, 600, 8] };
  const keysAt = (from: number, to: number, first: number) =>
    rotary.apply(tokensOf(plain, from, to), { offset: first }).data;
  const key = "past_key_values.0.key";

  it("follow each other, moved or cut", async () => {
    const file = await openCache(await saveCache(pe, cache, { encoding }));
    const parts = [
      { file, to: 100 },
      { file, from: 300 },
      { file, from: 250, to: 260 },
    ];
    const restored: any = await restoreCache(pe, parts, { encoding, at: 7 });
    expect(restored[key].dims).toEqual([1, 2, 410, 8]);
    const pieces = [keysAt(0, 100, 7), keysAt(300, 600, 107), keysAt(250, 260, 407)];
    for (const [i, [from, to]] of [
      [0, 100],
      [100, 400],
      [400, 410],
    ].entries())
      expect(maxDifference(tokensOf(restored[key], from!, to!).data, pieces[i] as never)).toBeLessThan(1e-6);
    const values = restored["past_key_values.0.value"];
    expect(tokensOf(values, 100, 400).data).toEqual(tokensOf(cache["past_key_values.0.value"], 300, 600).data);
  });

  it("go into caches of pe.cache, and come from them", async () => {
    const make = (layout: "bhtd" | "bthd") => pe.cache({ heads: 2, dim: 8, capacity: 900, layout, encoding: rotary });
    const file = await openCache(await saveCache(pe, cache, { encoding, tokens: range(600, 5) }));
    for (const layout of ["bhtd", "bthd"] as const) {
      using direct = make(layout);
      await appendCache(
        pe,
        [direct],
        [
          { file, to: 3 },
          { file, from: 100 },
        ],
        { encoding, at: 40 },
      );
      expect(direct.positions).toEqual(Float64Array.from(range(503, 40)));
      const saved = await openCache(await saveCache(pe, [direct]));
      expect(saved.positions).toEqual([range(503, 40)]);
      using again = make(layout);
      await appendCache(pe, [again], saved, { encoding, at: 40 });
      const q = randomTensor(layout === "bhtd" ? [1, 2, 1, 8] : [1, 1, 2, 8], 3);
      const wanted = direct.attend(q).data;
      expect(maxDifference(again.attend(q).data, wanted)).toBeLessThan(1e-6);
      const restored: any = await restoreCache(pe, saved, { encoding });
      expect(maxDifference(tokensOf(restored[key], 3, 503).data, keysAt(100, 600, 3) as never)).toBeLessThan(1e-6);
    }
    expect(file.tokens).toEqual(range(600, 5));
  });

  it("cross the length at which LongRoPE changes its frequencies", async () => {
    const longrope = createRotary({
      ...{ kind: "rope-longrope", dim: 8, originalLength: 700, factor: 4 },
      ...{ shortFactor: [1], longFactor: [3] },
    });
    const short = cacheOf(shape, () => longrope, [range(600)], 600);
    const file = await openCache(await saveCache(pe, short, { encoding: same(longrope) }));
    for (const first of [0, 50, 500]) {
      const length = first + 600;
      const restored: any = await restoreCache(pe, file, { encoding: same(longrope), at: first });
      const wanted = rotatedKeys(shape, 0, longrope, [range(600, first)], length);
      expect(maxDifference(restored[key].data, wanted.data as never), String(first)).toBeLessThan(2e-6);
    }
  });

  it("report progress, and end when they are aborted", async () => {
    const deep = cacheOf({ ...shape, layers: 4 }, () => rotary, [range(600)]);
    const seen: string[] = [];
    const onProgress = ({ done, total }: { done: number; total: number }) => void seen.push(`${done}/${total}`);
    const file = await openCache(await saveCache(pe, deep, { encoding, onProgress }));
    expect(seen).toEqual(["1/4", "2/4", "3/4", "4/4"]);
    const controller = new AbortController();
    const work = restoreCache(pe, file, {
      encoding,
      signal: controller.signal,
      onProgress: ({ done }) => done === 3 && controller.abort(new Error("enough")),
    });
    await expect(work).rejects.toThrow("enough");
    using half = pe.cache({ heads: 2, dim: 8, capacity: 900 });
    const caches = range(4).map(() => pe.cache({ heads: 2, dim: 8, capacity: 900 }));
    const aborted = new AbortController();
    const onStep = ({ done }: { done: number }) => done === 5 && aborted.abort(new Error("enough"));
    const into = appendCache(pe, caches, file, { encoding, signal: aborted.signal, onProgress: onStep });
    await expect(into).rejects.toThrow("enough");
    expect(caches.map(({ length }) => length)).toEqual([0, 0, 0, 0]);
    for (const each of caches) each.dispose();
    expect(half.length).toBe(0);
  });
});

it("a text with an image takes fewer positions than tokens, and what follows begins after the largest", async () => {
  const mrope = createRotary({ kind: "rope-mrope", dim: 12, sections: [2, 2, 2] });
  const encoding = same(mrope);
  // A word, an image of 2 x 2 patches, two words.
  const positions = [
    [0, 1, 1, 1, 1, 3, 4],
    [0, 1, 1, 2, 2, 3, 4],
    [0, 1, 2, 1, 2, 3, 4],
  ];
  const shape = { tokens: 7, dim: 12 };
  const file = await openCache(
    await saveCache(
      pe,
      cacheOf(shape, () => mrope, positions),
      { encoding, positions },
    ),
  );
  expect(file.positions).toEqual(positions);
  const restored: any = await restoreCache(pe, [file, file], { encoding, at: [2, 3, 4] });
  const at = (by: number[]) => positions.map((axis, i) => axis.map((position) => position + by[i]!));
  // The first ends at 8, the largest of the axes.
  for (const [i, by] of [
    [2, 3, 4],
    [9, 9, 9],
  ].entries()) {
    const keys = tokensOf(restored["past_key_values.0.key"], 7 * i, 7 * i + 7).data;
    expect(maxDifference(keys, rotatedKeys(shape, 0, mrope, at(by)).data as never)).toBeLessThan(1e-6);
  }
});

it("files have the same checksums without the core", async () => {
  const rotary = createRotary({ kind: "rope", dim: 8 });
  const encoding = same(rotary);
  const methods = { toFloat32: (x: any) => pe.toFloat32(x), toFloat16: (x: any) => pe.toFloat16(x) };
  for (const tokens of [1, 3, 255, 256, 257, 700]) {
    const cache = cacheOf({ tokens, dim: 8, valueDim: 7 }, () => rotary, [range(tokens)]);
    for (const type of ["float32", "float16", "int8"] as const) {
      const [one, other] = [
        await saveCache(pe, cache, { encoding, type }),
        await saveCache(methods, cache, { encoding, type }),
      ];
      expect(new Uint8Array(await one.arrayBuffer())).toEqual(new Uint8Array(await other.arrayBuffer()));
      await restoreCache(methods, await openCache(one), { encoding });
    }
  }
});
