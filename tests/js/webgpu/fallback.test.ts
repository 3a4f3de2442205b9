// posenc/webgpu where there is no GPU: the same calls through WebAssembly, or an error. With one: tests/webgpu.
import { addPositional, attentionBias, rotaryInputs, shiftCache } from "posenc/transformers";
import { fromOrt, webgpu, type CpuTensor } from "posenc/webgpu";
import { describe, expect, it } from "vitest";
import { expectMistakesNamed, expectNothingRaw } from "../helpers/gpu-mistakes";
import { loosely, pe } from "../helpers/library";
import { copyOf, expectSameBits, randomTensor, range } from "../helpers/numbers";

const rope = pe.create({ kind: "rope", dim: 8 });
const alibi = pe.create({ kind: "alibi", heads: 2 });
const sinusoidal = pe.create({ kind: "sinusoidal", dim: 8 });
const x = randomTensor([1, 2, 6, 8]);

/** A device that is lost already: where there is none the calls do the same, but browsers may have one. */
const lost = { createComputePipeline() {}, lost: Promise.resolve(), limits: {}, queue: {}, destroy() {} };
const cpu = await webgpu(pe, lost, { fallback: "wasm" });
const numbers = (tensor: unknown): Float32Array => (tensor as CpuTensor).data;

describe("without a GPU", () => {
  it("is an error, unless told", async () => {
    await expect(webgpu(pe, lost)).rejects.toMatchObject({ code: "disposed", field: "device" });
    const { navigator } = globalThis as { navigator?: { gpu?: object } };
    if (!navigator?.gpu) await expect(webgpu(pe)).rejects.toMatchObject({ code: "unsupported", field: "device" });
    expect(cpu.onGpu).toBe(false);
  });

  it("calls are those of the core", async () => {
    const at = { encoding: rope, offset: 3 };
    expectSameBits(numbers(cpu.rotate(cpu.tensor(x), at)), rope.apply(copyOf(x), { offset: 3 }).data);
    const moved = rope.rerotate(copyOf(x), { from: 4, to: 0 });
    expectSameBits(numbers(cpu.rerotate(cpu.tensor(x), { encoding: rope, from: 4, to: 0 })), moved.data);
    expectSameBits(numbers(cpu.tables(rope, { length: 3 }).cos), rope.tables({ length: 3 }).cos.data);
    expectSameBits(numbers(cpu.bias(alibi, { queries: 2, keys: 3 })), alibi.bias({ queries: 2, keys: 3 }).data);
    expectSameBits(numbers(cpu.add(cpu.tensor(x), sinusoidal)), sinusoidal.addTo(copyOf(x)).data);
    const rows = randomTensor([6, 8], 2);
    const sums = x.data.map((value, i) => value + rows.data[i % 48]!);
    expectSameBits(numbers(cpu.add(cpu.tensor(x), rows)), sums);
    const table = randomTensor([4, 8]);
    expectSameBits(numbers(cpu.resize(table, { grid: [3, 3] })), pe.resizeTable(table, { grid: [3, 3] }).data);
    expect((await cpu.read(cpu.tensor([2, 3]))).dims).toEqual([2, 3]);
  });

  it("the helpers for transformers.js give tensors of the CPU", () => {
    const bias = attentionBias<CpuTensor>(alibi, { queries: 2, keys: 3, gpu: cpu });
    expectSameBits(bias.data, attentionBias<CpuTensor>(alibi, { queries: 2, keys: 3 }).data);
    const { cos } = rotaryInputs<CpuTensor>(rope, { length: 3, gpu: cpu });
    expectSameBits(cos.data, rope.tables({ length: 3 }).cos.data);
    const hidden = { ...randomTensor([1, 3, 8]), type: "float32" };
    expectSameBits(addPositional(hidden, sinusoidal, { gpu: cpu }).data, addPositional(hidden, sinusoidal).data);
    const cache = { "past_key_values.0.key": copyOf(x) };
    expect(shiftCache(cache, rope, { sinks: 1, window: 2, gpu: cpu })).toBe(3);
    expect(cache["past_key_values.0.key"].dims).toEqual([1, 2, 3, 8]);
  });

  it("positions of a cache stay", () => {
    const kept = cpu.keep(x, { sinks: 1, window: 2 });
    expect(kept.dims).toEqual([1, 2, 3, 8]);
    const rows = range(2).flatMap((head) => [0, 4, 5].map((t) => 8 * (6 * head + t)));
    expectSameBits(numbers(kept), Float32Array.from(rows.flatMap((at) => [...x.data.subarray(at, at + 8)])));
    const out = cpu.tensor([1, 2, 3, 8]);
    expect(cpu.keep(x, { ranges: [[0, 3]], out })).toBe(out);
    expect(() => cpu.keep(x, { ranges: [[0, 2]], out })).toThrow(/out: must be \[1, 2, 2, 8\]/);
  });

  it("float16 is rounded once", () => {
    const half = cpu.tensor(x.data, x.dims, { type: "float16" });
    expect(half.type).toBe("float16");
    cpu.rotate(half, { encoding: rope });
    const expected = pe.toFloat32(rope.apply(pe.toFloat16(x))).data;
    expectSameBits(pe.toFloat32(half as never).data as Float32Array, expected as Float32Array);
    expect(cpu.bias(alibi, { queries: 1, keys: 2, type: "float16" }).type).toBe("float16");
  });

  it("mistakes are named", () => expectMistakesNamed(cpu));
  it("wrong arguments throw errors of the library only", () => expectNothingRaw(cpu));

  it("bfloat16 is refused, as on a device", () => {
    const half = { type: "bfloat16", data: new Uint16Array(96), dims: [1, 2, 6, 8] };
    const at = { encoding: rope };
    for (const call of [
      () => cpu.rotate(loosely(half), at),
      () => cpu.keep(loosely(half), { window: 1 }),
      () => cpu.add(loosely(half), sinusoidal),
    ])
      expect(call).toThrow(/^x: must be float32 or float16, got "bfloat16"$/);
    expect([...half.data].some(Boolean)).toBe(false);
  });

  it("tensors of a device are refused", () => {
    const theirs = { type: "float32", buffer: { size: 4, usage: 0, destroy() {} }, dims: [1] } as const;
    expect(() => cpu.rotate(theirs, { encoding: rope })).toThrow(/device: the GPUDevice was lost/);
    expect(() => fromOrt(loosely({ type: "float32", dims: [1], location: "cpu" }))).toThrow(/on gpu-buffer, got "cpu"/);
  });

  it("the kernels' text can be read", () => {
    expect(cpu.wgsl(rope)).toMatch(/^\/\/ rope\b[^]*fn rotate\(/);
    expect(() => cpu.wgsl(loosely({ family: "relative", kind: "shaw" }))).toThrow(/no kernel for shaw/);
  });

  it("nothing goes on after destroy()", async () => {
    const other = await webgpu(pe, lost, { fallback: "wasm" });
    other.destroy();
    other.destroy();
    expect(() => other.tensor([1])).toThrow(/gpu: used after destroy\(\)/);
  });
});
