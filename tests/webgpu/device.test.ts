// What the device is asked for, what happens when it goes, and what is refused before anything is written.
import { webgpu, type GpuTensor } from "posenc/webgpu";
import { describe, expect, it } from "vitest";
import { expectMistakesNamed, expectNothingRaw } from "../js/helpers/gpu-mistakes";
import { loosely, pe } from "../js/helpers/library";
import { randomTensor } from "../js/helpers/numbers";
import { counting, device, expectSame, gpu, newDevice, usage } from "./device";

const rope = pe.create({ kind: "rope", dim: 16 });
const alibi = pe.create({ kind: "alibi", heads: 2 });
const sinusoidal = pe.create({ kind: "sinusoidal", dim: 16 });
const x = randomTensor([1, 2, 6, 16]);

async function caught(work: () => unknown): Promise<{ code?: string; field?: string; message?: string }> {
  try {
    await work();
    return {};
  } catch (error) {
    const { code, field, message } = loosely(error);
    return { code, field, message };
  }
}

describe("a device", () => {
  it("has room to the next 16 bytes, as onnxruntime copies them", () => {
    const sizes = [0, 1, 3, 18].map((count) => gpu.tensor([count]).buffer.size);
    expect(sizes).toEqual([16, 16, 16, 80]);
    expect(gpu.tensor([9], { type: "float16" }).buffer.size).toBe(32);
  });

  it("is asked for nothing in a second call", async () => {
    const own = await newDevice();
    const { made } = counting(own);
    const here = await webgpu(pe, own);
    const tensor = here.tensor(x);
    const out = here.tensor([2, 6, 6]);
    const tables = { cos: here.tensor([6, 8]), sin: here.tensor([6, 8]) };
    const kept = here.tensor([1, 2, 4, 16]);
    const all = (offset: number): void => {
      here.rotate(tensor, { encoding: rope, offset });
      here.rotate(tensor, { encoding: rope, positions: [1, 2, 3, 4, 5, 6 + offset] });
      here.rerotate(tensor, { encoding: rope, from: 10, to: offset });
      here.rerotate(tensor, { encoding: rope, from: [0, 1, 2, 9, 10, 11 + offset], to: 0 });
      here.add(tensor, sinusoidal, { offset });
      here.bias(alibi, { queries: 6, keys: 6, out });
      here.tables(rope, { length: 6, offset, out: tables });
      here.keep(tensor, { sinks: 1, window: 3, out: kept });
    };
    all(3);
    const after = { ...made };
    all(3);
    expect(made).toEqual(after);
    // Nor at new places, once the oldest numbers make room.
    const steps = (first: number): void => {
      for (let step = first; step < first + 40; step++) here.rotate(tensor, { encoding: rope, offset: step });
    };
    steps(100);
    const later = { ...made };
    steps(200);
    expect(made).toEqual(later);
    expect(made["createShaderModule"]).toBe(1);
    await here.settled();
    here.destroy();
    own.destroy();
  });

  it("has no buffer left after 1,000 rounds", async () => {
    const own = await newDevice();
    const { live, made } = counting(own);
    for (let round = 0; round < 1000; round++) {
      const here = await webgpu(pe, own);
      const tensor = here.tensor(round % 10 ? [1, 2, 6, 16] : x.dims);
      if (round % 50 === 0) here.rotate(tensor, { encoding: rope, offset: round });
      tensor.dispose();
      here.destroy();
    }
    expect(made["createBuffer"]).toBeGreaterThanOrEqual(1000);
    expect(live()).toBe(0);
    own.destroy();
  });

  it("may be lost in the middle", async () => {
    const own = await newDevice();
    const [here, careful] = [await webgpu(pe, own), await webgpu(pe, own, { fallback: "wasm" })];
    const tensor = here.tensor(x);
    here.rotate(tensor, { encoding: rope });
    const reading = caught(() => here.read(tensor));
    own.destroy();
    expect(await reading).toMatchObject({ code: "disposed" });
    await own.lost;
    const lost = { code: "disposed", field: "device" };
    expect(await caught(() => here.rotate(tensor, { encoding: rope }))).toMatchObject(lost);
    expect(await caught(() => here.tensor([4]))).toMatchObject(lost);
    expect(await caught(() => careful.rotate(tensor, { encoding: rope }))).toMatchObject(lost);
    expect(await caught(() => webgpu(pe, own))).toMatchObject(lost);
    expect(careful.onGpu).toBe(false);
    const onCpu = careful.tensor(x);
    expectSame(
      loosely(careful.rotate(onCpu, { encoding: rope })).data,
      rope.apply(randomTensor(x.dims)).data,
      "on the CPU",
    );
    here.destroy();
    careful.destroy();
    expect(await caught(() => here.tensor([4]))).toMatchObject({ code: "disposed", field: "gpu" });
  });

  it("may be one of its own", async () => {
    const here = await webgpu(pe);
    expect(here.onGpu).toBe(true);
    here.destroy();
    expect(here.onGpu).toBe(false);
  });
});

describe("errors", () => {
  const dims = x.dims;
  const buffer = (options: Partial<GPUBufferDescriptor> = {}): GPUBuffer =>
    device.createBuffer({ size: 4 * x.data.length, usage: usage.all, ...options });
  const tensor = (more: object = {}): GpuTensor => ({ type: "float32", buffer: buffer(), dims, ...more });

  it("come before anything is written", async () => {
    const refused: [x: unknown, options: object, error: object][] = [
      [x, {}, { code: "invalid-argument", field: "x" }],
      [tensor({ buffer: buffer({ size: 64 }) }), {}, { code: "shape-mismatch", field: "x" }],
      [tensor({ offset: 4 }), {}, { code: "shape-mismatch", field: "x" }],
      [tensor({ offset: 3 }), {}, { code: "invalid-argument", field: "offset" }],
      [tensor({ buffer: buffer({ usage: usage.storage }) }), {}, { code: "invalid-argument", field: "x" }],
      [tensor({ buffer: buffer({ usage: usage.copyTarget }) }), {}, { code: "invalid-argument", field: "x" }],
      [tensor({ buffer: buffer({ mappedAtCreation: true }) }), {}, { code: "invalid-argument", field: "x" }],
      [tensor({ type: "int32" }), {}, { code: "unsupported", field: "x" }],
      [tensor({ dims: [2, 6, 16] }), {}, { code: "shape-mismatch", field: "x" }],
      [tensor({ dims: [1, 2, 12, 8] }), {}, { code: "shape-mismatch", field: "x" }],
      [tensor(), { positions: [1, 2] }, { code: "shape-mismatch", field: "positions" }],
      [tensor(), { offset: Infinity }, { code: "invalid-argument" }],
      [tensor(), { layout: "hbtd" }, { code: "invalid-argument", field: "layout" }],
      [tensor(), { ofset: 1 }, { code: "invalid-argument", field: "ofset" }],
      [tensor(), { encoding: alibi }, { code: "unsupported", field: "encoding" }],
      [tensor(), { encoding: {} }, { code: "invalid-argument", field: "encoding" }],
    ];
    for (const [given, options, error] of refused)
      expect(await caught(() => gpu.rotate(given as GpuTensor, loosely({ encoding: rope, ...options })))).toMatchObject(error); // prettier-ignore
    const good = gpu.tensor(x);
    for (const [, options] of refused.filter(([, options]) => Object.keys(options).length))
      await caught(() => gpu.rotate(good, loosely({ encoding: rope, ...options })));
    expectSame((await gpu.read(good)).data, x.data, "untouched");
  });

  it("of limits, options and other families", async () => {
    expect(await caught(() => gpu.tensor([2 ** 15, 2 ** 15]))).toMatchObject({ code: "out-of-range", field: "dims" });
    expect(await caught(() => gpu.tensor([2, 3], loosely({ type: "int8" })))).toMatchObject({ code: "unsupported" });
    expect(await caught(() => gpu.tensor([2, 3], loosely({ typ: "float16" })))).toMatchObject({ field: "typ" });
    expect(await caught(() => gpu.tensor([1, 2], [2], loosely({ typ: 1 })))).toMatchObject({ field: "typ" });
    expect(await caught(() => gpu.tensor([1, 2], [3]))).toMatchObject({ code: "shape-mismatch" });
    expect(await caught(() => webgpu(pe, loosely({})))).toMatchObject({ code: "invalid-argument", field: "device" });
    expect(await caught(() => webgpu(loosely({}), device))).toMatchObject({ code: "invalid-argument", field: "pe" });
    expect(await caught(() => webgpu(pe, device, loosely({ fallBack: "wasm" })))).toMatchObject({ field: "fallBack" });
    const cache = gpu.tensor(x);
    expect(await caught(() => gpu.keep(cache, {}))).toMatchObject({ code: "invalid-argument", field: "ranges" });
    expect(await caught(() => gpu.keep(cache, { ranges: [[4, 9]] }))).toMatchObject({ field: "ranges" });
    expect(await caught(() => gpu.keep(cache, loosely({ window: 2, sink: 1 })))).toMatchObject({
      code: "invalid-argument",
      field: "sink",
      message: "sink: unknown option; known are ranges, sinks, window, axis, out",
    });
    expect(await caught(() => gpu.keep(cache, { window: 2, axis: 7 }))).toMatchObject({ field: "axis" });
    expect(await caught(() => gpu.keep(cache, { window: 6, out: cache }))).toMatchObject({ field: "out" });
    expect(await caught(() => gpu.tables(rope, { length: 2, out: { cos: cache, sin: gpu.tensor(x) } }))).toMatchObject({ code: "shape-mismatch", field: "out" }); // prettier-ignore
    expect(await caught(() => gpu.add(cache, sinusoidal, loosely({ dropout: 0.5 })))).toMatchObject({
      field: "dropout",
    });
    expectSame((await gpu.read(cache)).data, x.data, "untouched");
  });

  it("of mistakes are those of the fallback", () => expectMistakesNamed(gpu));
  it("of wrong arguments are the library's only", async () => {
    await expectNothingRaw(gpu);
    await caught(() => gpu.settled());
  });

  it("that only the device knows come later: another device's buffer, a destroyed one", async () => {
    const own = await newDevice();
    const stranger = own.createBuffer({ size: 4 * x.data.length, usage: usage.all });
    const theirs = { type: "float32", buffer: stranger, dims } as const;
    const error = { code: "invalid-argument", field: "x" };
    gpu.rotate(theirs, { encoding: rope });
    expect(await caught(() => gpu.settled())).toMatchObject(error);
    expect(await caught(() => gpu.rotate(theirs, { encoding: rope }))).toMatchObject(error);
    const gone = gpu.tensor(x);
    gone.dispose();
    gpu.rotate(gone, { encoding: rope });
    expect(await caught(() => gpu.settled())).toMatchObject(error);
    expect(await caught(() => gpu.settled())).toEqual({});
    own.destroy();
  });
});
