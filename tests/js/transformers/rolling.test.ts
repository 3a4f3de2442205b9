// Caches that drop tokens and turn the rest: what is in them is what fresh rotations, and pe.cache, have. Real models:
// tests/transformers.
import { shiftCache, withRollingCache, withRotaryTables } from "posenc/transformers";
import { describe, expect, it } from "vitest";
import { DynamicCache, dim, generate, heads, int64, makeDecoder, statesOf } from "../helpers/decoder";
import { createRotary, loosely, pe } from "../helpers/library";
import { expectSameBits, expectSameObject, maxDifference, range } from "../helpers/numbers";
import { expectError, refusal } from "../helpers/refusals";
import { RuntimeTensor } from "../helpers/runtime-tensor";

const rope = createRotary({ kind: "rope", dim });
const yarn = createRotary({ kind: "rope-yarn", dim, base: 100, factor: 4, originalLength: 16 });
const factors = { shortFactor: [1, 1, 1, 1], longFactor: [1, 2, 3, 4] };
const longrope = createRotary({ kind: "rope-longrope", dim, originalLength: 16, factor: 4, ...factors });

const dims = (length: number, batch = 1) => [batch, heads, length, dim];

/** A cache of tokens with one layer for each encoding. */
function cacheOf(ids: number[][], layers: (typeof rope | null)[]): Record<string, RuntimeTensor> {
  const at = dims(ids[0]!.length, ids.length);
  const entries = layers.flatMap((rotary, layer) => [
    [`past_key_values.${layer}.key`, new RuntimeTensor("float32", statesOf(ids, layer, rotary), at)],
    [`past_key_values.${layer}.value`, new RuntimeTensor("float32", statesOf(ids, layer), at)],
  ]);
  return Object.assign(new DynamicCache(), Object.fromEntries(entries));
}

/** That a cache has these tokens, turned as if they had never stood elsewhere. */
function expectTokens(cache: Record<string, any>, ids: number[][], layers: (typeof rope | null)[], most = 2e-6) {
  layers.forEach((rotary, layer) => {
    const { [`past_key_values.${layer}.key`]: key, [`past_key_values.${layer}.value`]: value } = cache;
    expect([key.dims, value.dims]).toEqual([dims(ids[0]!.length, ids.length), dims(ids[0]!.length, ids.length)]);
    expectSameBits(value.data, statesOf(ids, layer));
    if (rotary) expect(maxDifference(key.data, statesOf(ids, layer, rotary))).toBeLessThan(most);
    else expectSameBits(key.data, statesOf(ids, layer, null));
  });
}

const kept = (ids: number[], sinks: number, window: number) => [...ids.slice(0, sinks), ...ids.slice(-window)];

describe("shiftCache", () => {
  it("leaves what is told, turned for where it stands then, layer by layer", () => {
    const layers = [rope, null, yarn];
    const rows = [range(20, 1), range(20, 100)];
    const cache = cacheOf(rows, layers);
    expect(shiftCache(cache, (layer) => layers[layer]!, { sinks: 3, window: 6 })).toBe(11);
    expectTokens(
      cache,
      rows.map((row) => kept(row, 3, 6)),
      layers,
    );
    expect(cache["past_key_values.0.key"]).toBeInstanceOf(RuntimeTensor);
    expect(shiftCache(cache, rope, { sinks: 4, window: 6 })).toBe(0);
    expect(shiftCache(cache, (layer) => layers[layer]!, { window: 2 })).toBe(7);
    expectTokens(
      cache,
      rows.map((row) => row.slice(-2)),
      layers,
    );
  });

  it("goes by the layers of a config", async () => {
    const config = {
      model_type: "smollm3",
      hidden_size: heads * dim,
      num_attention_heads: heads,
      num_hidden_layers: 2,
    };
    const layers = await pe.layers({ ...config, no_rope_layers: [1, 0], rope_theta: 500 });
    const rotaries = layers.map(({ encoding }) => encoding as typeof rope | null);
    expect(rotaries.map((rotary) => rotary?.kind)).toEqual(["rope", undefined]);
    const cache = cacheOf([range(9, 1)], rotaries);
    shiftCache(cache, layers, { window: 5 });
    expectTokens(cache, [range(5, 5)], rotaries);
  });

  it("has float16, objects that version 3 keeps, and what does not grow", () => {
    const key = pe.toFloat16({ data: statesOf([range(12, 1)], 0, rope), dims: dims(12) });
    const state = new RuntimeTensor("float32", new Float32Array(4), [1, 4]);
    const cache: Record<string, any> = {
      "past_key_values.0.decoder.key": new RuntimeTensor("float16", key.data, dims(12)),
      "past_key_values.0.encoder.key": state,
      "past_conv.1": state,
    };
    shiftCache(cache, rope, { sinks: 2, window: 4 });
    const { type, data } = cache["past_key_values.0.decoder.key"];
    const wanted = statesOf([kept(range(12, 1), 2, 4)], 0, rope);
    expect(maxDifference(pe.toFloat32({ type, data, dims: dims(6) }).data, wanted)).toBeLessThan(2 ** -10);
    expectSameObject(cache["past_key_values.0.encoder.key"], state);
  });

  it("turns nothing for a bias", () => {
    const cache = cacheOf([range(6, 1)], [null]);
    shiftCache(cache, pe.create({ kind: "alibi", heads }), { window: 2 });
    expectTokens(cache, [range(2, 5)], [null]);
  });

  it("moves text on all axes of M-RoPE", () => {
    const mrope = createRotary({ kind: "rope-mrope", dim, sections: [2, 1, 1] });
    const cache = cacheOf([range(12, 1)], [mrope, rope]);
    shiftCache(cache, (layer) => [mrope, rope][layer]!, { sinks: 2, window: 5 });
    expectTokens(cache, [kept(range(12, 1), 2, 5)], [mrope, rope]);
    // An image of 2 × 2 patches takes two positions; text after it moves as far on each axis.
    const [time, rows, columns] = [
      [0, 1, 1, 1, 1, 3, 4, 5],
      [0, 1, 1, 2, 2, 3, 4, 5],
      [0, 1, 2, 1, 2, 3, 4, 5],
    ];
    const states = (some: number[], first: number) =>
      mrope.apply(
        { data: statesOf([some.map((i) => i + 1)], 0, null), dims: dims(some.length) },
        { positions: [time!, rows!, columns!].map((axis) => some.map((i) => axis[i]! - first)) },
      ).data;
    const image = cacheOf([range(8, 1)], [null]);
    image["past_key_values.0.key"] = new RuntimeTensor("float32", states(range(8), 0), dims(8));
    shiftCache(image, mrope, { window: 7 });
    expect(maxDifference(image["past_key_values.0.key"].data, states(range(7, 1), 1))).toBeLessThan(2e-6);
  });

  it("of lengths within which frequencies stay", () => {
    const cache = cacheOf([range(16, 1)], [longrope]);
    shiftCache(cache, longrope, { window: 4 });
    expectTokens(cache, [range(4, 13)], [longrope]);
    expectError(
      refusal(() => shiftCache(cacheOf([range(17, 1)], [longrope]), longrope, { window: 4 })),
      "unsupported",
      "encoding",
    );
  });

  it("after an error the cache is as it was", () => {
    const cache = cacheOf([range(8, 1)], [rope, rope]);
    const before = { ...cache };
    const wide = createRotary({ kind: "rope", dim: 16 });
    const shift = () => shiftCache(cache, (layer) => (layer ? wide : rope), { window: 2 });
    expectError(refusal(shift), "shape-mismatch", "x");
    for (const name of Object.keys(before)) expectSameObject(cache[name], before[name]!);
  });

  const shift = (encoding: unknown, change: object = {}, options: object = { window: 2 }) =>
    refusal(() => shiftCache({ ...cacheOf([range(8, 1)], [rope]), ...change }, loosely(encoding), loosely(options)));
  const elsewhere = { type: "float32", dims: dims(8), location: "gpu-buffer" };
  it.each<[string, string, string, () => ReturnType<typeof refusal>]>([
    ["no cache", "invalid-argument", "cache", () => refusal(() => shiftCache(loosely(undefined), rope, { window: 2 }))],
    ["what is no key or value", "unsupported", "cache", () => shift(rope, { "past_indexer.0.key": elsewhere })],
    ["other dims", "unsupported", "cache", () => shift(rope, { "past_key_values.1.key": { dims: [1, 2, 3] } })],
    [
      "lengths that differ",
      "shape-mismatch",
      "cache",
      () => shift(rope, { "past_key_values.1.key": { dims: dims(7) } }),
    ],
    ["the GPU", "unsupported", "past_key_values.0.key", () => shift(rope, { "past_key_values.0.key": elsewhere })],
    ["no gpu", "invalid-argument", "gpu", () => shift(rope, {}, { window: 2, gpu: {} })],
    [
      "a length that changes all",
      "unsupported",
      "encoding",
      () => shift(pe.create({ kind: "rope-dynamic", dim, factor: 2, originalLength: 4 })),
    ],
    ["axes", "unsupported", "encoding", () => shift(pe.create({ kind: "rope-axial", dim, axes: 2 }))],
    ["a table", "unsupported", "encoding", () => shift(pe.create({ kind: "sinusoidal", dim }))],
    ["no encoding", "invalid-argument", "encoding", () => shift({})],
    ["too few layers", "invalid-argument", "encoding", () => shift([])],
    ["a layer that nobody knows", "unsupported", "encoding", () => shift([{ encoding: null, note: "unknown" }])],
    ["no window", "invalid-argument", "window", () => shift(rope, {}, {})],
  ])("refuses %s", (_, code, field, call) => expectError(call(), code, field));
});

describe("withRollingCache", () => {
  const layers = [rope, null];
  const encoding = (layer: number) => layers[layer]!;
  const setUp = (options: object = {}) => {
    const made = makeDecoder(layers);
    const undo = withRollingCache(made.model, encoding, { sinks: 2, window: 8, ...options });
    return { ...made, undo };
  };

  it.each([3, 4] as const)("has what pe.cache has, token by token, in version %d", async (version) => {
    const { model, passes } = setUp({ evict: 1 });
    const ids = range(60, 1);
    const policy = pe.cache({ heads, dim, policy: { sinks: 2, window: 8 } });
    const cache = await generate(model, [ids.slice(0, 4)], [ids.slice(4)], { version });
    for (const id of ids)
      policy.append({ data: statesOf([[id]], 0, null), dims: dims(1) }, { data: statesOf([[id]], 0), dims: dims(1) });
    expectTokens(cache, [kept(ids, 2, 8)], layers);
    // What the next token will see.
    shiftCache(cache, encoding, { sinks: 2, window: 7 });
    const { k, v } = policy.read({ encoding: rope });
    expect(maxDifference(cache["past_key_values.0.key"].data, k.data)).toBeLessThan(2e-6);
    expectSameBits(cache["past_key_values.0.value"].data, v.data);
    expect(Math.max(...passes.flatMap(({ positions }) => positions))).toBe(9);
    expect(passes.slice(-50).every(({ mask, positions }) => mask === 10 && positions.join() === "9")).toBe(true);
  });

  it("lets an eighth of the window leave at once, unless told", async () => {
    const masks = async (options: object) => {
      const { model, passes } = setUp({ window: 16, ...options });
      await generate(model, [range(16, 1)], [range(9, 100)]);
      return passes.slice(1).map(({ mask }) => mask);
    };
    expect(await masks({})).toEqual([17, 18, 17, 18, 17, 18, 17, 18, 17]);
    expect(await masks({ evict: 4 })).toEqual([17, 18, 15, 16, 17, 18, 15, 16, 17]);
  });

  it("lets a long prompt through in parts, of each row", async () => {
    const { model, passes } = setUp({ evict: 1 });
    const rows = [range(30, 1), range(30, 100)];
    const cache = await generate(model, rows, [[77], [78]]);
    expectTokens(
      cache,
      rows.map((row, i) => kept([...row, 77 + i], 2, 8)),
      layers,
    );
    expect(passes.map(({ ids }) => ids[0]!.length)).toEqual([10, 4, 4, 4, 8, 1]);
    expect(passes.every(({ mask, positions }) => mask <= 10 && positions.at(-1)! < 10)).toBe(true);
  });

  it("without a cache of the caller's, too", async () => {
    const { model } = setUp();
    const input_ids = int64([range(25, 1)]);
    const outputs: any = await model._forward(model, { input_ids, attention_mask: int64([Array(25).fill(1)]) });
    expect(outputs["present.0.key"].dims[2]).toBe(10);
    expect(outputs.logits.dims).toEqual([1, 7]);
  });

  it("goes on with a conversation of which all ids are given", async () => {
    const { model, passes, undo } = setUp({ evict: 1 });
    const spoken = range(30, 1);
    const cache: any = await generate(model, [spoken.slice(0, 5)], [spoken.slice(5)]);
    expect([cache.get_seq_length(), Object.keys(cache).length]).toEqual([30, 4]);
    const all = [...spoken, ...range(3, 200)];
    await generate(model, [all], [[300]], { cache });
    expect(passes.slice(-2).map(({ ids }) => ids)).toEqual([[[200, 201, 202]], [[300]]]);
    expectTokens(cache, [kept([...all, 300], 2, 8)], layers);
    undo();
    expect(cache.get_seq_length()).toBe(10);
  });

  it("moves position ids that are given", async () => {
    const { model, passes } = setUp({ evict: 1 });
    const cache = await generate(model, [range(10, 1)], [[50, 51]]);
    const attention_mask = int64([Array(13).fill(1)]);
    await model._forward(model, {
      input_ids: int64([[52]]),
      attention_mask,
      position_ids: int64([[12]]),
      past_key_values: cache,
    });
    expect(passes.at(-1)!.positions).toEqual([9]);
  });

  it("comes last, and is undone", async () => {
    const { model, passes, undo } = setUp();
    expectError(
      refusal(() => withRollingCache(model, encoding, { window: 4 })),
      "invalid-argument",
      "model",
    );
    const sessions = { model: { inputNames: ["rope_cos", "rope_sin"] } };
    expectError(
      refusal(() => withRotaryTables(Object.assign(model, { sessions }), rope)),
      "invalid-argument",
      "model",
    );
    undo();
    undo[Symbol.dispose]();
    await generate(model, [range(20, 1)], [[50]]);
    expect(passes.at(-1)!.positions).toEqual([20]);
  });

  it("refuses in a forward pass what has no place in a window", async () => {
    const { model } = setUp();
    const run = (inputs: object) => model._forward(model, inputs);
    const input_ids = int64([range(3, 1)]);
    const hidden = { input_ids, attention_mask: int64([[0, 1, 1]]) };
    await expect(run(hidden)).rejects.toMatchObject({ code: "unsupported", field: "attention_mask" });
    await expect(run({ input_ids, decoder_input_ids: input_ids })).rejects.toMatchObject({ field: "model" });
    const long = { input_ids: int64([range(30, 1)]), attention_mask: int64([Array(30).fill(1)]) };
    const pixel_values = new RuntimeTensor("float32", new Float32Array(4), [1, 4]);
    await expect(run({ ...long, pixel_values })).rejects.toMatchObject({ code: "unsupported", field: "pixel_values" });
  });

  it.each<[string, string, string, (model: any) => unknown]>([
    ["no model", "invalid-argument", "model", () => withRollingCache(loosely({}), rope, { window: 4 })],
    ["no window", "invalid-argument", "window", (model) => withRollingCache(model, rope, { window: 0 })],
    [
      "more than all at once",
      "invalid-argument",
      "evict",
      (model) => withRollingCache(model, rope, { window: 4, evict: 5 }),
    ],
    [
      "frequencies that change before it is full",
      "unsupported",
      "encoding",
      (model) => withRollingCache(model, longrope, { window: 17 }),
    ],
  ])("refuses %s", (_, code, field, call) =>
    expectError(
      refusal(() => call(makeDecoder([rope]).model)),
      code,
      field,
    ),
  );
});
