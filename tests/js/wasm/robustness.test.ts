// Several instances at once, memory up to its end and back.
import { init } from "posenc";
import { describe, expect, it } from "vitest";
import { fresh } from "../helpers/fresh";
import { createTable, loosely } from "../helpers/library";
import { expectSameBits, expectSameObject, randomNumbers } from "../helpers/numbers";
import { caught, expectError } from "../helpers/refusals";
import { moduleBytes } from "../helpers/wasm";

describe("the edge of memory", () => {
  const megabytes = (count: number) => [count, 1 << 18];

  it("is an error however one comes to it, and what was there is still right", async () => {
    const { pe, memory } = await fresh();
    const kept = pe.tensor(randomNumbers(1000, 3), [1000]);
    const before = Float32Array.from(kept.data);
    const held = [];
    let error: unknown;
    // Most of it at once, as tensors take seconds to be filled with zeros; engines may give less.
    const { core } = loosely(pe);
    const taken = [1024, 1024, 512, 512].map((size) => core.module.allocate(size * 2 ** 20)).filter(Boolean);
    // Ever smaller pieces, until not even a megabyte is left: 4 GiB, or what the engine gives.
    for (let size = 512; size >= 1;) {
      try {
        held.push(pe.tensor(megabytes(size)));
      } catch (problem) {
        error = problem;
        size /= 2;
      }
    }
    expectError(error, "out-of-memory");
    const full = memory();
    expect(full, "the memory is full").toBeGreaterThan(2 ** 30);
    const rope = pe.create({ kind: "rope", dim: 64 });
    expectError(await caught(() => rope.tables({ length: 1 << 16 })), "out-of-memory");
    const q = { data: randomNumbers(1 << 19), dims: [1, 1, 1 << 13, 64] };
    expectError(await caught(() => pe.attention(q, q, q)), "out-of-memory");
    expectError(await caught(() => pe.create({ kind: "learned", length: 1 << 14, dim: 64 })), "out-of-memory");
    expectSameBits(kept.data, before);
    for (const tensor of held) tensor.dispose();
    for (const address of taken) core.module.release(address);
    expect(pe.liveBytes).toBe(4000);
    // The same calls work again, in the same memory.
    expect(rope.tables({ length: 1 << 16 }).cos.data[0]).toBe(1);
    expect(pe.create({ kind: "learned", length: 1 << 14, dim: 64 }).weights.size).toBe(1 << 20);
    expect(memory()).toBe(full);
    expectSameBits(kept.data, before);
  });
});

describe("two instances at once", () => {
  it("share nothing: each has its memory, its encodings and its count", async () => {
    const first = await fresh();
    const second = await fresh();
    const tensor = first.pe.tensor(randomNumbers(8), [1, 1, 1, 8]);
    expect([first.pe.liveBytes, second.pe.liveBytes]).toEqual([32, 0]);
    const ropes = [first, second].map(({ pe }) => pe.create({ kind: "rope", dim: 8 }));
    const rotated = ropes.map((rope) => rope.apply({ data: randomNumbers(8), dims: [1, 1, 1, 8] }, { offset: 9 }).data);
    expectSameBits(rotated[0]!, rotated[1]!);
    const grown = second.memory();
    first.pe.tensor([32, 1024, 1024]).dispose();
    expect(second.memory()).toBe(grown);
    ropes[0]!.dispose();
    expect(ropes[1]!.tables({ length: 1 }).cos.data[0]).toBe(1);
    tensor.dispose();
  });
});

describe("init from two places at once", () => {
  it("loads once, also where the first is still loading", async () => {
    const bytes = await moduleBytes("simd");
    const started = Array.from({ length: 8 }, () => init(bytes));
    const [first, ...others] = await Promise.all(started);
    for (const other of others) expectSameObject(other, first);
  });

  it("fails for all who wait for the same download, and works for all who ask again", async () => {
    const source = "http://127.0.0.1:9/nowhere.wasm";
    const errors = await Promise.all([1, 2, 3].map(() => caught(() => init(source))));
    for (const error of errors) expectError(error, "load-failed");
    const original = globalThis.fetch;
    const bytes = (await moduleBytes("simd")) as BufferSource;
    globalThis.fetch = async () => new Response(bytes, { headers: { "content-type": "application/wasm" } });
    try {
      const [first, second] = await Promise.all([init(source), init(source)]);
      expectSameObject(first, second);
      expectSameBits(
        first.create({ kind: "sinusoidal", dim: 8 }).table({ length: 9 }).data,
        createTable({ kind: "sinusoidal", dim: 8 }).table({ length: 9 }).data,
      );
    } finally {
      globalThis.fetch = original;
    }
  });
});
