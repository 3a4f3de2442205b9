// The library in a worker: the same results as here, objects that stay there, errors that arrive.
import { init } from "posenc/worker";
import { afterAll, describe, expect, it } from "vitest";
import { createRotary, pe } from "../helpers/library";
import { expectSameBits, randomTensor, range } from "../helpers/numbers";
import { caught, expectError } from "../helpers/refusals";

const there = await init({ parts: "all" });
afterAll(() => there.terminate());

const rope = createRotary({ kind: "rope", dim: 8 });
const ropeThere = await there.create({ kind: "rope", dim: 8 });

describe("results", () => {
  it("attention of every dtype, with masks, biases and an encoding of the worker", async () => {
    const [q, k, v] = range(3).map((seed) => randomTensor([1, 4, 40, 8], seed));
    const bias = randomTensor([4, 40, 40], 5);
    const mask = Uint8Array.from({ length: 40 }, (_, i) => Number(i % 7 !== 3));
    for (const type of ["float32", "float16", "bfloat16"] as const) {
      const typed = type === "float16" ? pe.toFloat16(q!) : type === "bfloat16" ? pe.toBfloat16(q!) : q!;
      const options = { bias, mask, causal: true, window: 9, at: { offset: 3 } };
      const here = pe.attention(typed, k!, v!, { ...options, encoding: rope });
      const result = await there.attention(typed, k!, v!, { ...options, encoding: ropeThere });
      expect({ type: result.type, dims: result.dims }).toEqual({ type: here.type, dims: here.dims });
      expect(result.data.constructor).toBe(here.data.constructor);
      expectSameBits(result.data as Float32Array, here.data as Float32Array);
    }
  });

  it("calls in place change the tensor of the page, calls with `out` write into it", async () => {
    const [x, y] = [randomTensor([1, 2, 3, 8]), randomTensor([1, 2, 3, 8])];
    expect(await ropeThere.apply(x, { offset: 5 })).toBe(x);
    expectSameBits(x.data, rope.apply(y, { offset: 5 }).data);
    const out = { data: new Float32Array(48), dims: [1, 2, 3, 8] };
    expect(await there.attention(x, x, x, { out })).toBe(out);
    expectSameBits(out.data, pe.attention(y, y, y).data);
    const gradients = { q: { data: new Float32Array(48), dims: [1, 2, 3, 8] } };
    const given = await there.attentionBackward(x, x, x, x, { out: gradients });
    expect(given.q).toBe(gradients.q);
    expectSameBits(gradients.q.data, pe.attentionBackward(y, y, y, y).q.data);
  });

  it("one tensor given several times is one", async () => {
    const x = randomTensor([1, 2, 3, 8]);
    const error = await caught(() => there.attention(x, x, x, { out: x }));
    expectError(error, "invalid-argument", "out");
  });

  it("large tensors, which are copied piece by piece", async () => {
    const x = randomTensor([1, 8, 20_000, 8]);
    const y = { ...x, data: x.data.slice() };
    const [turned, after] = await Promise.all([ropeThere.apply(x), ropeThere.apply(randomTensor([1, 1, 1, 8]))]);
    expectSameBits(turned.data, rope.apply(y).data);
    expect(after.dims).toEqual([1, 1, 1, 8]);
  });

  it("tables, ids, position-dependent facts, encodings of layers", async () => {
    expect(await ropeThere.inverseFrequencies).toEqual(rope.inverseFrequencies);
    expect(await ropeThere.spec).toEqual(rope.spec);
    const ids = await there.positionIds(Int32Array.of(1, 1, 0, 1));
    expect(ids).toEqual(pe.positionIds(Int32Array.of(1, 1, 0, 1)));
    const config = { model_type: "llama", hidden_size: 64, num_attention_heads: 8, num_hidden_layers: 2 };
    const layers = await there.layers({ ...config, max_position_embeddings: 64 });
    expect(layers.map(({ type }) => type)).toEqual(["full_attention", "full_attention"]);
    // Layers with equal specs share an encoding, here as there.
    expect(layers[0]!.encoding).toBe(layers[1]!.encoding);
    expect((await there.explain({ kind: "rope", dim: 8 })).summary).toBe(
      (await pe.explain({ kind: "rope", dim: 8 })).summary,
    );
  });

  it("a cache and learned parameters stay there", async () => {
    const x = randomTensor([1, 2, 6, 8]);
    const cache = await there.cache({ heads: 2, dim: 8, capacity: 16, encoding: ropeThere });
    expect(await cache.append(x, x)).toBe(cache);
    const here = pe.cache({ heads: 2, dim: 8, capacity: 16, encoding: rope }).append(x, x);
    expectSameBits((await cache.attend(x)).data, here.attend(x).data);
    await cache.assign("encoding", null);
    expect(await cache.encoding).toBe(null);
    here.encoding = null;
    expectSameBits((await cache.attend(x)).data, here.attend(x).data);
    expect(await cache.length).toBe(6);
    here.dispose();
    await cache.dispose();
    expectError(await caught(() => cache.length), "disposed", "cache");
    const learned = await there.create({ kind: "learned", length: 3, dim: 2, weights: randomTensor([3, 2]) });
    const { weights } = await learned.parameters;
    expectSameBits((await weights!.data).slice(), randomTensor([3, 2]).data);
    await weights!.assign("data", Float32Array.of(1, 2, 3, 4, 5, 6));
    expect([...(await learned.table({ length: 2 })).data]).toEqual([1, 2, 3, 4]);
  });

  it("tensors of the worker, of every dtype", async () => {
    const x = randomTensor([1, 1, 4, 8]);
    const tensor = await there.tensor(x.data, x.dims, { type: "float16" });
    expect(await ropeThere.apply(tensor)).toBe(tensor);
    const here = pe.tensor(x.data, [...x.dims], { type: "float16" });
    rope.apply(here);
    expect(Array.from((await tensor.data) as ArrayLike<number>)).toEqual(Array.from(here.data as ArrayLike<number>));
    here.dispose();
    {
      using short = await there.tensor([2]);
      expect(await short.dims).toEqual([2]);
    }
    await tensor.dispose();
    expect(await tensor.disposed).toBe(true);
  });
});

describe("memory", () => {
  it("moves to the worker if that is asked for", async () => {
    const x = randomTensor([1, 2, 3, 8]);
    const y = randomTensor([1, 2, 3, 8]);
    const { buffer } = x.data;
    const result = await ropeThere.apply(x, { offset: 2, transfer: true });
    expect(buffer.byteLength).toBe(0);
    expect(result === x).toBe(false);
    expectSameBits(result.data, rope.apply(y, { offset: 2 }).data);
  });

  it("stays if it is only a part of its buffer", async () => {
    const all = new Float32Array(60).fill(1);
    const x = { data: all.subarray(4, 52), dims: [1, 2, 3, 8] };
    await ropeThere.apply(x, { offset: 2, transfer: true });
    expect([...all]).toEqual(Array(60).fill(1));
  });
});

describe("errors", () => {
  it("are the library's, with their field", async () => {
    expectError(await caught(() => there.create({ kind: "rope", dim: 7 })), "invalid-spec", "dim");
    const x = randomTensor([1, 2, 3, 8]);
    expectError(await caught(() => ropeThere.apply(x, { ofset: 1 } as never)), "invalid-argument", "ofset");
    expectError(await caught(() => ropeThere.apply({ ...x, location: "gpu-buffer" })), "unsupported", "x");
  });

  const wrong: [string, () => Promise<unknown>, string][] = [
    ["functions", () => ropeThere.apply(((): void => {}) as never), "argument 1"],
    ["encodings of the page", () => there.attention(...three(), { encoding: rope as never }), "encoding"],
    ["promises", () => there.attention(...three(), { encoding: there.create({ kind: "none" }) as never }), "encoding"],
    ["signals", () => there.attention(...three(), { signal: 3 as never }), "signal"],
    ["progress", () => there.attention(...three(), { onProgress: 3 as never }), "onProgress"],
    ["transfer", () => there.attention(...three(), { transfer: 1 as never }), "transfer"],
  ];
  const three = () => range(3).map(() => randomTensor([1, 2, 3, 8])) as [Q, Q, Q];
  type Q = ReturnType<typeof randomTensor>;
  it.each(wrong)("%s", async (_, call, field) => {
    expectError(await caught(call), "invalid-argument", field);
    expect((await there.attention(...three())).dims).toEqual([1, 2, 3, 8]);
  });

  it("objects of another worker", async () => {
    const other = await init();
    const error = await caught(() => other.distanceProfile(ropeThere, { maxDistance: 3 }));
    expectError(error, "invalid-argument", "argument 1");
    other.terminate();
    expectError(await caught(() => other.variant), "disposed");
    expectError(await caught(() => other.create({ kind: "none" })), "disposed");
  });

  it("of `init`", async () => {
    expectError(await caught(() => init({ parts: ["attentoin" as never] })), "invalid-argument", "parts");
    expectError(await caught(() => init({ worker: {} as never })), "invalid-argument", "worker");
    expectError(await caught(() => init({ source: new Uint8Array(8) })), "load-failed", "source");
    const reason = new Error("not now");
    expect(await caught(() => init({ signal: AbortSignal.abort(reason) }))).toBe(reason);
  });

  it.runIf(typeof Worker !== "undefined")("a worker that does not start", async () => {
    const worker = new Worker(new URL("/nowhere.js", location.href));
    expectError(await caught(() => init({ worker })), "load-failed", "worker");
  });

  it("a part that is not loaded", async () => {
    const small = await init();
    const loaded = (await small.parts).length;
    if (loaded < 7) {
      expectError(await caught(() => small.attention(...three())), "not-loaded", "parts");
      await small.load("attention");
    }
    expect((await small.attention(...three())).dims).toEqual([1, 2, 3, 8]);
    small.terminate();
  });
});
