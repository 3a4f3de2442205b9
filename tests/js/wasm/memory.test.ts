// Who owns which memory? Nothing leaks, nothing goes stale when the wasm memory grows.
import { init } from "posenc";
import type { TensorLike } from "posenc";
import { describe, expect, it } from "vitest";
import { createRotary, createTable, loosely, pe } from "../helpers/library";
import { expectSameBits, expectSameObject, randomNumbers, randomTensor } from "../helpers/numbers";
import { caught, expectError } from "../helpers/refusals";
import { moduleBytes } from "../helpers/wasm";

describe("pe.tensor", () => {
  it("makes zeros, or a copy of data", () => {
    using zeros = pe.tensor([2, 3]);
    expect(zeros.dims).toEqual([2, 3]);
    expect([...zeros.data]).toEqual([0, 0, 0, 0, 0, 0]);
    const data = randomNumbers(6);
    using filled = pe.tensor(data, [2, 3]);
    expectSameBits(filled.data, data);
    filled.data[0] = 7;
    expect(data[0]).not.toBe(7);
  });

  it("may be empty, or have no dims at all", () => {
    using empty = pe.tensor([0, 4]);
    expect(empty.data).toHaveLength(0);
    using scalar = pe.tensor([]);
    expect(scalar.data).toHaveLength(1);
  });

  it("counts its bytes until it is disposed, once", () => {
    const before = pe.liveBytes;
    const tensor = pe.tensor([100, 10]);
    expect(pe.liveBytes - before).toBeGreaterThanOrEqual(4000);
    tensor.dispose();
    tensor.dispose();
    expect(pe.liveBytes).toBe(before);
  });

  it("is freed by `using`, also after an error", () => {
    const before = pe.liveBytes;
    const rope = createRotary({ kind: "rope", dim: 8 });
    expect(() => {
      using tensor = pe.tensor([1, 1, 3, 6]);
      rope.apply(tensor);
    }).toThrow();
    expect(pe.liveBytes).toBe(before);
  });

  it("belongs to the library that made it", async () => {
    const other = await init({ variant: "scalar" });
    using tensor = pe.tensor(randomNumbers(8), [1, 1, 1, 8]);
    const before = Float32Array.from(tensor.data);
    const rope = other.create({ kind: "rope", dim: 8 });
    const result = rope.apply(tensor, { offset: 5 });
    expectSameObject(result, tensor);
    expect([...tensor.data]).not.toEqual([...before]);
  });
});

describe("encodings", () => {
  it("belong to the library that made them", async () => {
    const other = await init({ variant: "scalar" });
    const encoding = other.create({ kind: "rope", dim: 8 });
    const q = randomTensor([1, 1, 1, 8]);
    expectError(await caught(() => pe.attention(q, q, q, { encoding })), "invalid-argument", "encoding");
  });
});

describe("data that is a part of a larger buffer", () => {
  const guard = 3;
  const dims = [1, 2, 3, 8];
  const within = () => {
    const buffer = randomNumbers(48 + 2 * guard, 6);
    return { buffer, tensor: { data: buffer.subarray(guard, guard + 48), dims } };
  };

  it.each([
    ["apply", (tensor: TensorLike) => createRotary({ kind: "rope", dim: 8 }).apply(tensor, { offset: 5 })],
    ["addTo", (tensor: TensorLike) => createTable({ kind: "sinusoidal", dim: 8 }).addTo(tensor, { offset: 5 })],
  ])("%s changes that part only", (_, call) => {
    const { buffer, tensor } = within();
    const before = Float32Array.from(buffer);
    const separate = { data: Float32Array.from(tensor.data), dims };
    call(tensor);
    call(separate);
    expectSameBits(buffer.subarray(guard, guard + 48), separate.data);
    expectSameBits(buffer.subarray(0, guard), before.subarray(0, guard));
    expectSameBits(buffer.subarray(guard + 48), before.subarray(guard + 48));
  });
});

describe("liveBytes", () => {
  it("comes back to where it was after calls of every family", () => {
    const before = pe.liveBytes;
    const rope = createRotary({ kind: "rope", dim: 8 });
    const table = createTable({ kind: "sinusoidal", dim: 8 });
    for (let round = 0; round < 20; round++) {
      rope.apply(randomTensor([2, 2, 50, 8]));
      rope.tables({ length: 100 });
      table.concatTo(randomTensor([2, 50, 8]));
      const q = randomTensor([1, 2, 40, 8]);
      pe.attention(q, q, q, { encoding: rope, causal: true });
    }
    expect(pe.liveBytes).toBe(before);
  });
});

describe("growth", () => {
  it("keeps earlier tensors valid and right", async () => {
    const fresh = await init((await moduleBytes("scalar")) as BufferSource);
    const data = randomNumbers(1000, 5);
    const tensor = fresh.tensor(data, [10, 100]);
    const stale = tensor.data;
    const big = fresh.tensor([24, 1024, 1024]);
    expect(stale.length, "the memory did not grow, so this tests nothing").toBe(0);
    expectSameBits(tensor.data, data);
    big.data[big.data.length - 1] = 3;
    expect(big.data.at(-1)).toBe(3);
    big.dispose();
    expectSameBits(tensor.data, data);
    tensor.dispose();
  });

  it("may happen in the middle of a call", async () => {
    const fresh = await init((await moduleBytes("simd")) as BufferSource);
    const rope = fresh.create({ kind: "rope", dim: 64 });
    const length = 70_000;
    using q = fresh.tensor(randomNumbers(64 * 3), [1, 1, 3, 64]);
    const before = Float32Array.from(q.data);
    const { cos, sin } = rope.tables({ length: 4 * length });
    expect(cos.data[0]).toBe(1);
    expect(sin.data.at(-1)).not.toBe(0);
    rope.apply(q, { offset: 3 });
    rope.apply(q, { offset: 3, inverse: true });
    before.forEach((value, index) => expect(q.data[index]).toBeCloseTo(value, 6));
  });
});

describe("data that lies in wasm memory", () => {
  it("is worked on where it is", async () => {
    const fresh = await init((await moduleBytes("scalar")) as BufferSource);
    const rope = fresh.create({ kind: "rope", dim: 8 });
    const numbers = randomNumbers(32, 3);
    using tensor = fresh.tensor(numbers, [1, 1, 4, 8]);
    const expected = rope.apply({ data: numbers.slice(8, 24), dims: [1, 1, 2, 8] }, { offset: 5 });
    rope.apply({ data: tensor.data.subarray(8, 24), dims: [1, 1, 2, 8] }, { offset: 5 });
    expectSameBits(tensor.data.subarray(8, 24), expected.data);
    expectSameBits(tensor.data.subarray(24), numbers.subarray(24));
    // A copy would make memory grow: there is a quarter of its room.
    const [rows, columns] = [1 << 11, 1 << 12];
    using large = fresh.tensor([rows, columns]);
    fresh.tensor([rows, columns / 4]).dispose();
    fresh.trim();
    const { buffer } = large.data;
    rope.apply({ data: large.data, dims: [1, rows, columns / 8, 8] });
    expect(Object.is(large.data.buffer, buffer)).toBe(true);
  });

  it("keeps its numbers in arguments when the call makes memory grow", async () => {
    const fresh = await init((await moduleBytes("simd")) as BufferSource);
    const table = fresh.create({ kind: "sinusoidal", dim: 256 });
    using positions = fresh.tensor(
      Float32Array.from({ length: 9000 }, (_, i) => i % 7),
      [9000],
    );
    using copied = fresh.tensor(positions.data, [9000]);
    expectSameBits(copied.data, positions.data);
    const stale = positions.data;
    const rows = table.table({ positions: positions.data });
    expectSameBits(rows.data, table.table({ positions: Array.from(positions.data) }).data);
    fresh.tensor([stale.buffer.byteLength / 4]).dispose();
    expect(stale.length, "the memory did not grow, so this tests nothing").toBe(0);
    expectError(await caught(() => fresh.similarity({ data: stale, dims: [90, 100] })), "invalid-argument", "table");
    expectError(await caught(() => fresh.tensor(stale, [9000])), "invalid-argument", "data");
  });

  it("has other dims in a view, until its owner ends", async () => {
    const tensor = pe.tensor(randomNumbers(12), [3, 4]);
    const view = tensor.view([4, 3]);
    expect([view.dims, view.size]).toEqual([[4, 3], 12]);
    view.data[11] = 5;
    expect(tensor.data[11]).toBe(5);
    expectSameBits(pe.similarity(view).data, pe.similarity({ data: tensor.data.slice(), dims: [4, 3] }).data);
    expectError(await caught(() => tensor.view([5])), "shape-mismatch", "dims");
    const { weights } = createTable({ kind: "learned", length: 2, dim: 3 });
    expectSameBits(weights.view([6]).data, weights.data);
    tensor.dispose();
    for (const use of [() => view.data, () => view.view([12]), () => tensor.view([12]), () => pe.similarity(view)])
      expectError(await caught(use), "disposed");
  });
});

describe("memory that was needed once", () => {
  it("is there again, also where it was more than half of all there is", async () => {
    const fresh = await init({ variant: "scalar" });
    const { core } = loosely(fresh);
    // Not touched, so that the machine need not have it.
    const ask = () => core.release(core.allocate(2.2e9));
    if (await caught(ask)) return; // This engine gives less.
    const rope = fresh.create({ kind: "rope", dim: 8 });
    for (let round = 0; round < 3; round++) {
      rope.tables({ length: 1 << 20 });
      expect(ask).not.toThrow();
    }
  });

  it("is not kept as scratch", async () => {
    const fresh = await init({ variant: "scalar" });
    const { core } = loosely(fresh);
    fresh.create({ kind: "rope", dim: 8 }).tables({ length: 1 << 20 });
    const kept = core.scratch.reduce((sum: number, { bytes }: { bytes: number }) => sum + bytes, 0);
    expect(kept).toBeLessThanOrEqual(16 * 2 ** 20);
  });
});

describe("memory above 2 GiB", () => {
  it("holds tensors, and is worked on like any other", async () => {
    const fresh = await init((await moduleBytes("simd")) as BufferSource);
    const { core } = loosely(fresh);
    // Not touched, so that the machine need not have it.
    const error = await caught(() => core.allocate(2.2e9));
    const isNode = typeof process !== "undefined" && process.versions?.node !== undefined;
    // Engines may give less.
    if (error) return expect([isNode, (error as { code?: string }).code]).toEqual([false, "out-of-memory"]);
    const rope = fresh.create({ kind: "rope", dim: 8 });
    const encoding = fresh.create({ kind: "alibi", heads: 2 });
    const numbers = randomNumbers(2 * 9 * 8);
    const low = { data: numbers, dims: [1, 2, 9, 8] };
    const high = fresh.tensor(numbers, low.dims);
    expect(high.data.byteOffset).toBeGreaterThan(2 ** 31);
    expectSameBits(rope.apply(high, { offset: 5 }).data, rope.apply(low, { offset: 5 }).data);
    expectSameBits(high.data, low.data);
    const out = fresh.tensor(low.dims);
    fresh.attention(high, high.view(low.dims), high.view(low.dims), { encoding, causal: true, out });
    expectSameBits(out.data, fresh.attention(low, low, low, { encoding, causal: true }).data);
  });
});

describe("results without `out`", () => {
  it("are JavaScript's: nothing to free, and not in wasm memory", () => {
    const q = randomTensor([1, 2, 3, 8]);
    const rope = createRotary({ kind: "rope", dim: 8 });
    const alibi = pe.create({ kind: "alibi", heads: 2 });
    const shaw = pe.create({ kind: "shaw", dim: 8, maxDistance: 2 });
    using inside = pe.tensor([1]);
    const before = pe.liveBytes;
    const results = [
      createTable({ kind: "sinusoidal", dim: 8 }).table({ length: 3 }),
      createTable({ kind: "sinusoidal", dim: 8 }).concatTo(randomTensor([3, 8])),
      ...Object.values(rope.tables({ length: 3 })),
      alibi.bias({ queries: 3, keys: 3 }),
      shaw.logits(q, q),
      pe.attention(q, q, q, { encoding: rope }),
      pe.attentionWeights(q, q),
      pe.similarity(randomTensor([3, 8])),
      pe.positionIds([0, 1, 1]),
    ];
    for (const { data } of results) expect(Object.is(data.buffer, inside.data.buffer)).toBe(false);
    expect(pe.liveBytes).toBe(before);
  });
});

describe("running out", () => {
  it.each([
    ["a tensor", () => pe.tensor([1 << 20, 1 << 12])],
    ["a table", () => createTable({ kind: "sinusoidal", dim: 1 << 16 }).table({ length: 1 << 20 })],
    ["rotary tables", () => createRotary({ kind: "rope", dim: 1 << 14 }).tables({ length: 1 << 20 })],
  ])("%s: an error, and smaller calls still work", async (_, call) => {
    const before = pe.liveBytes;
    expectError(await caught(call), "out-of-memory");
    expect(pe.liveBytes).toBe(before);
    expect(createTable({ kind: "sinusoidal", dim: 8 }).table({ length: 100 }).dims).toEqual([100, 8]);
  });
});

describe("disposing an encoding", () => {
  it("is optional, idempotent, and final", async () => {
    const rope = createRotary({ kind: "rope", dim: 8 });
    rope.dispose();
    rope.dispose();
    expectError(await caught(() => rope.apply(randomTensor([1, 1, 1, 8]))), "disposed");
    expectError(await caught(() => rope.tables({ length: 1 })), "disposed");
    const q = randomTensor([1, 1, 1, 8]);
    expectError(await caught(() => pe.attention(q, q, q, { encoding: rope })), "disposed");
    expect(rope.kind).toBe("rope");
    expect(Symbol.dispose in loosely(rope)).toBe(true);
  });

  it("leaves others of the same spec alone", () => {
    const [first, second] = [createRotary({ kind: "rope", dim: 8 }), createRotary({ kind: "rope", dim: 8 })];
    first.dispose();
    expect(second.tables({ length: 1 }).cos.data[0]).toBe(1);
  });
});
