// Files that are no cache files, damaged, or of another model; and options that are wrong.
import { fingerprint, openCache, restoreCache, saveCache } from "posenc/cache-file";
import { describe, expect, it } from "vitest";
import { createBias, createRelative, createRotary, createTable, loosely, pe } from "../helpers/library";
import { randomTensor, range } from "../helpers/numbers";
import { caught, expectError } from "../helpers/refusals";
import { bytesOf, cacheOf, same } from "../helpers/saved-caches";

const rope = createRotary({ kind: "rope", dim: 8 });
const encoding = same(rope);
const shape = { tokens: 20, dim: 8 };
const cache = () => cacheOf(shape, () => rope, [range(20)]);
const saved = async (options: object = {}) => saveCache(pe, cache(), { encoding, ...options });
const opened = async (options: object = {}) => openCache(await saved(options));

const header = (json: object | string, length?: number) => {
  const text = new TextEncoder().encode(typeof json === "string" ? json : JSON.stringify(json));
  const bytes = new Uint8Array(8 + text.length);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(length ?? text.length), true);
  bytes.set(text, 8);
  return bytes;
};

describe("openCache refuses", () => {
  const info = { format: "posenc-cache", version: "1", info: "{}" };
  const sums = { checksums: {} };
  it.each<[string, Uint8Array, RegExp]>([
    ["nothing", new Uint8Array(), /not a cache file: it has fewer than 8 bytes/],
    ["a header beyond the end", header({}, 1000), /not a cache file, or cut off: its header is longer than the file/],
    ["text", header("hello"), /its header is not JSON/],
    ["weights", header({ weight: { dtype: "F32", shape: [1], data_offsets: [0, 4] } }), /another format/],
    ["a list", header("[]"), /another format/],
    ["another version", header({ __metadata__: { ...info, version: "7" }, ...sums }), /has version 7 of the format/],
    ["other metadata", header({ __metadata__: info, ...sums }), /damaged or cut off/],
  ])("%s", async (_, bytes, message) => {
    const error = await caught(() => openCache(bytes as never));
    expectError(error, "invalid-argument", "source");
    expect((error as Error).message).toMatch(message);
  });

  it("what is no file", async () => {
    for (const source of [undefined, null, 5, "contract.cache", {}, [], { size: 5 }])
      expectError(await caught(() => openCache(loosely(source))), "invalid-argument", "source");
    const other = { size: 100, read: () => new Uint8Array(3) };
    expectError(await caught(() => openCache(other)), "load-failed", "source");
  });

  it("files that are cut anywhere, and each changed byte, before or while it is restored", async () => {
    const bytes = await bytesOf(await saved({ tokens: range(20), type: "int8" }));
    const restored = (from: Uint8Array) =>
      caught(async () => restoreCache(pe, await openCache(from as never), { encoding }));
    expect(await restored(bytes)).toBeUndefined();
    for (const size of [0, 7, 8, 50, bytes.length >> 1, bytes.length - 1])
      expectError(await restored(bytes.slice(0, size)), "invalid-argument", "source");
    expectError(await restored(Uint8Array.of(...bytes, 0)), "invalid-argument", "source");
    for (let i = 0; i < bytes.length; i += 3) {
      const damaged = bytes.slice();
      damaged[i]! ^= 1 << (i & 7);
      expectError(await restored(damaged), "invalid-argument", "source");
    }
  });
});

describe("restoreCache refuses", () => {
  const refused = async (options: object, files: unknown, code: string, field: string | RegExp, message?: RegExp) => {
    const error = await caught(() => restoreCache(pe, loosely(files), { encoding, ...options }));
    expectError(error, code, field);
    if (message) expect((error as Error).message).toMatch(message);
  };
  it("another rotation", async () => {
    const file = await opened();
    const other = (spec: object) => ({ encoding: same(createRotary({ kind: "rope", dim: 8, ...spec })) });
    await refused(other({ base: 500 }), file, "invalid-argument", "encoding", /layer 0: .* base 10000, .* base 500/);
    await refused(other({ pairing: "interleaved" }), file, "invalid-argument", "encoding", /pairing "half"/);
    await refused({ encoding: same(null) }, file, "invalid-argument", "encoding", /have rope, the model's no rotation/);
    const axes = (sections: number[]) => createRotary({ kind: "rope-mrope", dim: 8, sections });
    const sectioned = await openCache(await saveCache(pe, cache(), { encoding: same(axes([1, 1, 2])) }));
    await refused({ encoding: same(axes([2, 1, 1])) }, sectioned, "invalid-argument", "encoding", /sections \[1,1,2\]/);
    const long = (factor: number) =>
      createRotary({ kind: "rope-longrope", dim: 8, originalLength: 64, shortFactor: [1], longFactor: [factor] });
    const short = await openCache(await saveCache(pe, cache(), { encoding: same(long(4)) }));
    await refused({ encoding: same(long(8)) }, short, "invalid-argument", "encoding", /longFactor \[4\]/);
    const plain = await openCache(await saveCache(pe, cache(), { encoding: same(null) }));
    await refused({}, plain, "invalid-argument", "encoding", /have no rotation, the model's rope/);
    const learned = createRotary({ kind: "rope", dim: 8, frequencies: [1, 0.5, 0.25, 0.125] });
    const learnedFile = await openCache(await saveCache(pe, cache(), { encoding: same(learned) }));
    (learned as any).parameters.frequencies.data[1] = 0.75;
    await refused(
      { encoding: same(learned) },
      learnedFile,
      "invalid-argument",
      "encoding",
      /other learned frequencies/,
    );
  });
  it("other models", async () => {
    const file = await opened({ model: { id: "tiny", weights: "1234" } });
    await refused(
      { model: { id: "large" } },
      file,
      "invalid-argument",
      "model",
      /id: the file is of "tiny", not of "large"/,
    );
    await refused({}, [file, await opened({ model: { id: "large" } })], "invalid-argument", "model");
    await restoreCache(pe, file, { encoding, model: { id: "tiny", tokenizer: "any" } });
    const deep = cacheOf({ ...shape, layers: 2 }, () => rope, [range(20)]);
    await refused({}, [file, await openCache(await saveCache(pe, deep, { encoding }))], "invalid-argument", "files");
    const wide = cacheOf({ ...shape, heads: 4 }, () => rope, [range(20)]);
    await refused({}, [file, await openCache(await saveCache(pe, wide, { encoding }))], "invalid-argument", "files");
    await refused({ encoding: [{ encoding: rope }, { encoding: rope }] }, file, "invalid-argument", "encoding");
  });
  it("prompts that begin otherwise", async () => {
    const file = await opened({ tokens: range(20, 100) });
    await restoreCache(pe, file, { encoding, tokens: range(30, 100) });
    const prompt = BigInt64Array.from(range(20, 100), BigInt);
    await restoreCache(
      pe,
      [
        { file, from: 5 },
        { file, to: 5 },
      ].reverse(),
      { encoding, tokens: prompt },
    );
    await refused({ tokens: range(20, 101) }, file, "invalid-argument", "tokens", /token 0 is 101, not 100/);
    await refused({ tokens: range(19, 100) }, file, "invalid-argument", "tokens", /token 19 is undefined, not 119/);
    await refused({ tokens: "text" }, file, "invalid-argument", "tokens");
    await refused({ tokens: [] }, await opened(), "invalid-argument", "files", /must have tokens/);
  });
  it("wrong parts and options", async () => {
    const file = await opened();
    for (const files of [[], undefined, {}, [file, 5], { file: {} }])
      await refused({}, files, "invalid-argument", "files");
    await refused({}, { file, from: 20 }, "invalid-argument", "from");
    await refused({}, { file, from: 5, to: 5 }, "invalid-argument", "from");
    await refused({}, { file, to: 21 }, "invalid-argument", "to");
    await refused({ at: NaN }, file, "invalid-argument", "at");
    await refused({ at: [1, 2] }, file, "shape-mismatch", "at");
    await refused({ at: 2 ** 49 }, file, "out-of-range", /.*/);
    await refused({ model: { name: "x" } }, file, "invalid-argument", "model");
    await refused({ type: "int8" }, file, "invalid-argument", "type");
    await refused({ signal: {} }, file, "invalid-argument", "signal");
    await refused({ onProgress: 5 }, file, "invalid-argument", "onProgress");
    await refused({ encoding: undefined }, file, "invalid-argument", "encoding");
  });
  it("to move keys that cannot move", async () => {
    const absolute = createTable({ kind: "sinusoidal", dim: 8 });
    const relative = createRelative({ kind: "shaw", dim: 8, maxDistance: 4 });
    for (const one of [absolute, relative]) {
      const file = await openCache(await saveCache(pe, cache(), { encoding: loosely(() => one) }));
      await restoreCache(pe, file, { encoding: loosely(() => one) });
      await refused({ encoding: () => one, at: 5 }, file, "unsupported", "encoding", /cannot be moved/);
    }
    const alibi = createBias({ kind: "alibi", heads: 2 });
    const file = await openCache(await saveCache(pe, cache(), { encoding: loosely(() => alibi) }));
    await restoreCache(pe, file, { encoding: loosely(() => alibi), at: 5 });
    const dynamic = createRotary({ kind: "rope-dynamic", dim: 8, factor: 2, originalLength: 10 });
    const long = await openCache(await saveCache(pe, cache(), { encoding: same(dynamic) }));
    await restoreCache(pe, long, { encoding: same(dynamic) });
    await refused({ encoding: same(dynamic), at: 5 }, long, "unsupported", "encoding", /rope-dynamic changed/);
  });
});

describe("saveCache refuses", () => {
  const refused = async (given: unknown, options: object, code: string, field: string) =>
    expectError(await caught(() => saveCache(pe, loosely(given), { encoding, ...options })), code, field);
  it("caches that are none, empty, of several texts, or with other states", async () => {
    for (const given of [undefined, null, 5, [], [{}]]) await refused(given, {}, "invalid-argument", "cache");
    await refused({}, {}, "invalid-argument", "cache");
    await refused(
      cacheOf({ ...shape, tokens: 0 }, () => rope, [[]]),
      {},
      "invalid-argument",
      "cache",
    );
    const key = "past_key_values.0.key";
    await refused({ [key]: cache()[key] }, {}, "invalid-argument", "cache");
    const value = "past_key_values.0.value";
    await refused({ ...cache(), [value]: randomTensor([1, 2, 19, 8]) }, {}, "shape-mismatch", "cache");
    const two = Object.fromEntries(Object.keys(cache()).map((name) => [name, randomTensor([2, 2, 20, 8])]));
    await refused(two, {}, "unsupported", "cache");
    await refused({ ...cache(), past_conv: {} }, {}, "unsupported", "cache");
    await refused({ ...cache(), [key]: { ...cache()[key], type: "int64" } }, {}, "invalid-argument", "cache");
  });
  it("wrong options", async () => {
    await refused(cache(), { encoding: undefined }, "invalid-argument", "encoding");
    await refused(cache(), { encoding: same(createRotary({ kind: "rope", dim: 16 })) }, "shape-mismatch", "encoding");
    await refused(cache(), { tokens: range(19) }, "shape-mismatch", "tokens");
    await refused(cache(), { tokens: [0.5] }, "invalid-argument", "tokens");
    await refused(cache(), { positions: range(19) }, "invalid-argument", "positions");
    await refused(cache(), { positions: "0" }, "invalid-argument", "positions");
    await refused(cache(), { type: "float64" }, "invalid-argument", "type");
    await refused(cache(), { model: 5 }, "invalid-argument", "model");
    const broken = cache();
    broken["past_key_values.0.value"].data[3] = NaN;
    await refused(broken, { type: "int8" }, "invalid-argument", "cache");
  });
});

it("a fingerprint tells files apart", async () => {
  const one = randomTensor([1, 100000]).data;
  const [a, b] = [new Uint8Array(one.buffer), new Uint8Array(one.slice().buffer)];
  expect(await fingerprint(a)).toMatch(/^[0-9a-f]{16}$/);
  expect(await fingerprint(new Blob([a]))).toBe(await fingerprint(b));
  b[b.length - 1]! ^= 1;
  expect(await fingerprint(a)).not.toBe(await fingerprint(b));
  expectError(await caught(() => fingerprint(new Uint8Array())), "invalid-argument", "source");
});
