// The other calls on the GPU against the core, tensors that begin anywhere, and `out`.
import { describe, expect, it, vi } from "vitest";
import { createRotary, createTable, loosely, ofFamily, pe } from "../js/helpers/library";
import { copyOf, maxDifference, randomNumbers, randomTensor, range } from "../js/helpers/numbers";
import { Random, randomSpecs } from "../js/helpers/random-spec";
import { device, expectSame, gpu, float16Bits, newDevice, numbersOf, usage } from "./device";
import { asFloat16 } from "./random-calls";

declare const __FUZZ_SEED__: number;
const rope = pe.create({ kind: "rope", dim: 16 });

describe("rotate", () => {
  const cases = ["half", "interleaved", "interleaved-to-half"].flatMap((pairing) =>
    [6, 7, 8].flatMap((dim) => [0, 1, -1].map((rotaryStart) => ({ pairing, dim, rotaryStart, rotaryDim: 4 }))),
  );
  it.each(cases)("float16 that begins between words: %o", async (fields) => {
    const encoding = createRotary({ kind: "rope", ...fields });
    const x = asFloat16(randomTensor([2, 3, 5, fields.dim]));
    const size = float16Bits(x).length;
    for (const first of [0, 1, 2]) {
      const buffer = device.createBuffer({ size: 4 * Math.ceil((size + first + 3) / 2), usage: usage.all });
      const all = new Uint16Array(buffer.size / 2).fill(0x1234);
      all.set(float16Bits(x), first);
      device.queue.writeBuffer(buffer, 0, all);
      gpu.rotate({ type: "float16", buffer, dims: x.dims, offset: 2 * first }, { encoding, offset: 3 });
      const expected = float16Bits(encoding.apply({ ...x, data: float16Bits(x).slice() }, { offset: 3 }));
      all.set(expected, first);
      const after = await gpu.read({ type: "float16", buffer, dims: [all.length] });
      expectSame(numbersOf(float16Bits(after)), numbersOf(all), `from ${first}`);
      buffer.destroy();
    }
  });

  it("moves keys: positions, lengths, encodings", async () => {
    const dynamic = pe.create({ kind: "rope-dynamic", dim: 16, factor: 4, originalLength: 64 });
    const k = randomTensor([2, 2, 5, 16]);
    const calls = [
      [rope, { from: 100, to: 4 }],
      [rope, { from: range(5), to: [0, 1, 2, 2, 3] }],
      [dynamic, { from: rope, to: dynamic, offset: 7, sequenceLength: 300 }],
      [dynamic, { from: 0, to: 0, fromSequenceLength: 64, sequenceLength: 200 }],
      [rope, { from: range(10), to: range(10, 5), layout: "bthd" }],
    ] as const;
    for (const [encoding, how] of calls) {
      const x = copyOf(k);
      if ("layout" in how) x.dims = [2, 5, 2, 16];
      const moved = gpu.tensor(x);
      expect(gpu.rerotate(moved, loosely({ encoding, ...how }))).toBe(moved);
      expectSame((await gpu.read(moved)).data, encoding.rerotate(x, loosely(how)).data, JSON.stringify(how.to));
    }
  });

  it("asks the core once, for one row of the batch or where places differ for all", async () => {
    const own = createRotary({ kind: "rope", dim: 16 });
    const rows = [0, 7, 1, 8, 2, 9];
    const calls = [
      [{ offset: 4 }, 1],
      [{ positions: [3, 1] }, 1],
      [{ positions: rows }, 3],
      [{ positions: { data: BigInt64Array.from(rows, BigInt), dims: [3, 2] } }, 3],
      [{ positions: { data: Int32Array.from(rows), dims: [1, 3, 2] } }, 3],
    ] as const;
    const x = randomTensor([3, 2, 2, 16]);
    const apply = vi.spyOn(own, "apply");
    for (const [at, asked] of calls) {
      const rotated = gpu.rotate(gpu.tensor(x), { encoding: own, ...loosely(at) });
      expect(apply.mock.calls.map(([{ dims }]) => dims[0])).toEqual([asked]);
      expectSame((await gpu.read(rotated)).data, rope.apply(copyOf(x), loosely(at)).data, String(asked));
      apply.mockClear();
    }
    const wrong = { positions: [1, 2, 3] };
    const refusal = (call: () => unknown) => expect(call).toThrow(/positions: must have 2 or 6 values, got 3/);
    refusal(() => gpu.rotate(gpu.tensor(x), { encoding: own, ...wrong }));
    refusal(() => rope.apply(copyOf(x), wrong));
  });

  it("turns as learned frequencies say now", async () => {
    const learned = createRotary({ kind: "rope", dim: 4, frequencies: [1, 0.5] });
    for (const frequency of [0.25, 0.75]) {
      learned.parameters["frequencies"]!.data[0] = frequency;
      const x = randomTensor([1, 1, 3, 4]);
      const rotated = gpu.rotate(gpu.tensor(x), { encoding: learned });
      expectSame((await gpu.read(rotated)).data, learned.apply(x).data, `frequency ${frequency}`);
    }
  });
});

describe("tables", () => {
  it("are those of the core, new or in `out`", async () => {
    const { cos, sin } = rope.tables({ offset: 2 ** 31 - 5, length: 5 });
    const made = gpu.tables(rope, { offset: 2 ** 31 - 5, length: 5 });
    expect([made.cos.dims, made.sin.dims]).toEqual([cos.dims, sin.dims]);
    expectSame((await gpu.read(made.cos)).data, cos.data, "cos");
    const out = { cos: gpu.tensor([3, 8], { type: "float16" }), sin: gpu.tensor([3, 8], { type: "float16" }) };
    expect(gpu.tables(rope, { length: 3, out }).sin).toBe(out.sin);
    const half = rope.tables({ length: 3, type: "float16" });
    expectSame(numbersOf(float16Bits(await gpu.read(out.sin))), numbersOf(float16Bits(half.sin)), "sin, float16");
  });
});

describe("tables of a second call", () => {
  it("are neither computed nor sent again", async () => {
    const own = createRotary({ kind: "rope", dim: 16 });
    const tables = vi.spyOn(own, "tables");
    for (const options of [{ length: 5 }, { length: 5 }, { length: 5, offset: 3 }, { positions: [3, 4, 5, 6, 7] }]) {
      const { cos, sin } = gpu.tables(own, options as { length: number });
      const expected = rope.tables(options as { length: number });
      expect([cos.dims, sin.dims]).toEqual([expected.cos.dims, expected.sin.dims]);
      expectSame((await gpu.read(cos)).data, expected.cos.data, `cos ${JSON.stringify(options)}`);
      expectSame((await gpu.read(sin)).data, expected.sin.data, `sin ${JSON.stringify(options)}`);
    }
    expect(tables).toHaveBeenCalledTimes(3);
    const out = { cos: gpu.tensor([4, 8]), sin: gpu.tensor([4, 8]) };
    expect(() => gpu.tables(own, { length: 5, out })).toThrow(/must be \[5, 8\]/);
    own.dispose();
    expect(() => gpu.tables(own, { length: 5 })).toThrow(/dispose/);
  });
  it("are computed again if frequencies were learned", async () => {
    const learned = createRotary({ kind: "rope", dim: 4, frequencies: [1, 0.5] });
    for (const frequency of [0.25, 0.75]) {
      learned.parameters["frequencies"]!.data[0] = frequency;
      const { cos } = gpu.tables(learned, { length: 3 });
      expectSame((await gpu.read(cos)).data, learned.tables({ length: 3 }).cos.data, `frequency ${frequency}`);
    }
  });
});

describe.each(ofFamily("table"))("add $kind", (description) => {
  it("adds the rows of the core", async () => {
    const random = new Random(__FUZZ_SEED__);
    for (const spec of randomSpecs(description, 20, __FUZZ_SEED__)) {
      const encoding = createTable(spec);
      const axes = encoding.axes;
      const [batch, count] = [random.whole(1, 3), 6];
      const given = range((random.chance(0.5) ? batch : 1) * count).map((i) => i % 4);
      const at = axes > 1 ? { grid: [2, 3, 1].slice(0, axes) } : { positions: given };
      const x = randomTensor([batch, count, encoding.dim]);
      const call = (add: () => unknown) => {
        try {
          return add();
        } catch (error) {
          return String(error);
        }
      };
      const expected = copyOf(x);
      const refusal = call(() => encoding.addTo(expected, at));
      const [whole, half] = [gpu.tensor(x), gpu.tensor(asFloat16(x))];
      const result = call(() => gpu.add(whole, encoding, at));
      expect(typeof result === "string" ? result : "").toBe(typeof refusal === "string" ? refusal : "");
      expectSame((await gpu.read(whole)).data, expected.data, JSON.stringify(spec));
      if (typeof refusal === "string") continue;
      gpu.add(half, encoding, at);
      const rounded = float16Bits(encoding.addTo(asFloat16(x), at));
      expectSame(numbersOf(float16Bits(await gpu.read(half))), numbersOf(rounded), `float16 ${JSON.stringify(spec)}`);
    }
    expect.assertions(expect.getState().assertionCalls);
  });
});

describe("rows", () => {
  it("of the CPU are added", async () => {
    const rows = randomTensor([3, 4]);
    const x = gpu.add(gpu.tensor(new Float32Array(24).fill(1), [2, 3, 4]), rows);
    expectSame(
      (await gpu.read(x)).data,
      [...rows.data, ...rows.data].map((value) => Math.fround(1 + value)),
      "sum",
    );
    expect(() => gpu.add(x, randomTensor([4, 3]))).toThrow(/rows: must be the last of x's dims/);
  });

  it.each([
    { grid: [4, 5] },
    { grid: [2, 2], mode: "bilinear", antialias: true },
    { grid: [7, 3], prefix: 1, suffix: 1, from: [4, 2] },
    { length: 20, mode: "bicubic", alignCorners: true },
    { length: 4, mode: "nearest" },
    { grid: [5, 5], from: [3, 3], scaleOffset: 0.1 },
  ])("are resized: %o", async (how) => {
    const rows = "from" in how ? (how.prefix ? 10 : 9) : 9;
    const table = randomTensor([1, rows, 6]);
    const expected = pe.resizeTable(table, loosely(how));
    const made = gpu.resize(gpu.tensor(table), loosely(how));
    expect(made.dims).toEqual(expected.dims);
    expect(maxDifference((await gpu.read(made)).data, expected.data)).toBeLessThan(1e-6);
  });

  it("are kept: sinks and window, ranges, any axis", async () => {
    const x = randomTensor([2, 2, 7, 3]);
    const rows = (kept: number[]) =>
      range(4).flatMap((head) => kept.flatMap((t) => [...x.data.subarray((head * 7 + t) * 3, (head * 7 + t + 1) * 3)]));
    for (const tensor of [gpu.tensor(x), gpu.tensor(asFloat16(x))]) {
      const numbers = async (kept: typeof tensor) => {
        const read = await gpu.read(kept);
        return read.type === "float16" ? numbersOf(float16Bits(read)) : read.data;
      };
      const wanted = (kept: number[]) =>
        tensor.type === "float16"
          ? numbersOf(
              float16Bits(
                asFloat16({ type: "float32", data: Float32Array.from(rows(kept)), dims: [12 * kept.length] }),
              ),
            )
          : Float32Array.from(rows(kept));
      const kept = gpu.keep(tensor, { sinks: 2, window: 3 });
      expect(kept.dims).toEqual([2, 2, 5, 3]);
      expectSame(await numbers(kept), wanted([0, 1, 4, 5, 6]), "sinks and window");
      expectSame(await numbers(gpu.keep(tensor, { sinks: 4, window: 9 })), wanted(range(7)), "all");
      expectSame(await numbers(gpu.keep(tensor, { ranges: [[5, 6], [0, 2]] })), wanted([5, 0, 1]), "ranges"); // prettier-ignore
      expect(gpu.keep(tensor, { window: 1, axis: 0 }).dims).toEqual([1, 2, 7, 3]);
    }
  });

  it("hide with a finite number where asked", async () => {
    const alibi = pe.create({ kind: "alibi", heads: 2 });
    const how = { queries: 3, keys: 3, mask: [true, false, true] };
    const finite = (await gpu.read(gpu.bias(alibi, { ...how, finite: true }))).data as Float32Array;
    const plain = alibi.bias(how).data;
    expectSame(
      finite,
      plain.map((value) => (value === -Infinity ? -3.4028234663852886e38 : value)),
      "finite",
    );
    expect(plain.includes(-Infinity)).toBe(true);
  });
});

describe("text and tensors", () => {
  it("the kernels' text compiles", async () => {
    const own = await newDevice();
    for (const encoding of [rope, pe.create({ kind: "alibi", heads: 2 }), pe.create({ kind: "sinusoidal", dim: 8 })]) {
      const { messages } = await own.createShaderModule({ code: gpu.wgsl(encoding) }).getCompilationInfo();
      expect(messages.map(({ message }) => message)).toEqual([]);
    }
    expect(() => gpu.wgsl(pe.create({ kind: "deberta", dim: 8, heads: 2 } as never))).toThrow(/no kernel for deberta/);
    own.destroy();
  });

  it("come and go between CPU, GPU and onnxruntime", async () => {
    const numbers = randomNumbers(7);
    const half = gpu.tensor(numbers, [7], { type: "float16" });
    expectSame(numbersOf(float16Bits(await gpu.read(half))), numbersOf(float16Bits(asFloat16({ type: "float32", data: numbers, dims: [7] }))), "float16"); // prettier-ignore
    class Tensor {
      constructor(
        readonly gpuBuffer: GPUBuffer,
        readonly options: { dataType: string; dims: number[]; dispose?: () => void },
      ) {}
      readonly location = "gpu-buffer";
      get type() {
        return this.options.dataType;
      }
      get dims() {
        return this.options.dims;
      }
      static fromGpuBuffer = (buffer: GPUBuffer, options: any) => new Tensor(buffer, options);
    }
    const there = gpu.toOrt(half, Tensor);
    expect([there.type, there.dims]).toEqual(["float16", [7]]);
    expect(gpu.fromOrt(there).buffer).toBe(half.buffer);
    expect(() => gpu.fromOrt({ type: "float32", dims: [1], location: "cpu" })).toThrow(/must be a tensor of onnxruntime on gpu-buffer/); // prettier-ignore
    expect(() => gpu.fromOrt({ type: "int64", dims: [7], location: "gpu-buffer" })).toThrow(
      /must be float32 or float16/,
    );
  });
});
