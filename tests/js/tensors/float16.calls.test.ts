// Tensors of 16 bits in all calls: what is written is what the same call makes of float32, rounded once.
import { describe, expect, it } from "vitest";
import {
  bitsOf,
  expectBits,
  Float16,
  narrowTensor,
  narrowTypes,
  homes,
  rounded,
  valueOf,
  widened,
  type NarrowType,
} from "../helpers/float16";
import { createRotary, createTable, loosely, pe } from "../helpers/library";
import { expectSameBits, expectSameObject, normalNumbers, range, sizeOf } from "../helpers/numbers";
import { expectError, refusal } from "../helpers/refusals";
import { tensorCalls, type TensorCall } from "../helpers/tensor-calls";

/** Tensors that calls are given as they are; of the others they are given the data, as positions and masks. */
const floats = /^(x|q|k|v|gateKeys|bias|scores|grad\w+|table|wq|wk|out.*)$/;
const without = ["toFloat32", "toFloat16", "toBfloat16", "tensor", "create", "load", "permuteWeights"];
const calls = Object.entries(tensorCalls).flatMap(([group, methods]) =>
  Object.entries(methods as Record<string, TensorCall[]>)
    .filter(([method]) => !without.includes(method))
    .flatMap(([method, list]) => list.map((call, i) => [`${group}.${method} ${i || ""}`.trim(), call] as const)),
);

/** Which type a tensor has: that one, or with "mixed" now this and now that. */
const typeAt = (type: NarrowType | "mixed", i: number): NarrowType | undefined =>
  type === "mixed" ? [...narrowTypes, undefined][i % 3] : type;

describe.each(Object.keys(homes))("%s", (home) => {
  it.each(calls)("%s", (_, call) => {
    for (const type of [...narrowTypes, "mixed"] as const) {
      const names = Object.entries(call.dims).map(([name, dims], i) => {
        const its = floats.test(name) ? typeAt(type, i) : undefined;
        const numbers = normalNumbers(sizeOf(dims), i + 1);
        return { name, dims, type: its, bits: its && rounded(numbers, its), numbers };
      });
      const plain = names.map(({ name, dims, type, bits, numbers }) => [
        name,
        { data: type ? widened(bits!, type) : numbers.slice(), dims },
      ]);
      const given = names.map(({ name, dims, type, bits, numbers }) => [
        name,
        type ? homes[home]!(type, bits!, dims) : { data: numbers, dims },
      ]);
      const expected = Object.fromEntries(plain);
      const tensors = Object.fromEntries(given);
      call.run(expected);
      call.run(tensors);
      for (const { name, type } of names) {
        const what = `${name}: ${type}`;
        if (type) expect([what, bitsOf(tensors[name])]).toEqual([what, [...rounded(expected[name].data, type)]]);
        else expectSameBits(tensors[name].data, expected[name].data, what);
      }
      for (const tensor of Object.values(tensors)) loosely(tensor).dispose?.();
    }
  });
});

const rope = createRotary({ kind: "rope", dim: 64 });
const farPositions = [4097, 4099, 65535, 1e6 + 1, 2 ** 24 + 1, 2 ** 31 - 1];

describe.each(narrowTypes)("%s", (type) => {
  const queries = (dims: number[]) => rounded(normalNumbers(sizeOf(dims), 5), type);

  it.each(["bhtd", "bthd"] as const)("turns heads of %s in several pieces", (layout) => {
    const dims = [2, ...(layout === "bhtd" ? [3, 700] : [700, 3]), 64];
    const bits = queries(dims);
    const options = { layout, offset: 4097, role: "key" } as const;
    const { data } = rope.apply({ data: widened(bits, type), dims }, options);
    const wanted = rounded(data, type);
    for (const make of Object.values(homes)) {
      const x = make(type, bits.slice(), dims);
      expectSameObject(rope.apply(x, options), x);
      expectBits(x, wanted);
      x.dispose?.();
    }
  });

  it.each(farPositions)("knows position %i exactly", (offset) => {
    const dims = [1, 2, 4, 64];
    const bits = queries(dims);
    const rotated = (positions: number[]) => {
      const x = { type, data: bits.slice(), dims };
      rope.apply(x as never, { positions });
      return x;
    };
    const { data } = rope.apply({ data: widened(bits, type), dims }, { offset });
    expect(bitsOf(rotated(range(4, offset)))).toEqual([...rounded(data, type)]);
    expect(bitsOf(rotated(Array(4).fill(offset - 1)))).not.toEqual(bitsOf(rotated(Array(4).fill(offset))));
  });

  it("has rows across pieces, with dropout too", () => {
    const table = createTable({ kind: "sinusoidal", dim: 96 });
    const dims = [3, 800, 96];
    const bits = queries(dims);
    const options = { offset: 9, dropout: 0.25, seed: 4 };
    const { data } = table.addTo({ data: widened(bits, type), dims }, options);
    const wanted = rounded(data, type);
    for (const make of Object.values(homes)) {
      const x = make(type, bits.slice(), dims);
      expectBits(table.addTo(x, options), wanted);
      x.dispose?.();
    }
  });

  it("goes to infinity beyond its largest number, keeps NaN and what is small", () => {
    const largest = valueOf(type === "float16" ? 0x7bff : 0x7f7f, type);
    const smallest = valueOf(1, type);
    const given = [largest, -largest, Infinity, -Infinity, NaN, smallest, -smallest, 3 * smallest, 0, -0];
    const rows = [largest, -largest, 1, 1, 1, smallest, 0, 0, 0, -0];
    using table = createTable({ kind: "learned", length: 1, dim: 10, weights: rows });
    const x = narrowTensor(type, given, [1, 10]);
    table.addTo(x);
    expect(bitsOf(x)).toEqual([
      ...rounded([Infinity, -Infinity, Infinity, -Infinity, NaN, 2 * smallest, -smallest, 3 * smallest, 0, -0], type),
    ]);
    expect(bitsOf(table.table({ length: 1, type }))).toEqual([...rounded(rows, type)]);
  });

  it("is what attention answers for such queries, in an array like theirs", () => {
    const dims = [1, 2, 3, 4];
    const [q, k, v] = [1, 2, 3].map((seed) => rounded(normalNumbers(24, seed), type));
    const [fq, fk, fv] = [q!, k!, v!].map((bits) => ({ data: widened(bits, type), dims }));
    const wanted = [pe.attention(fq!, fk!, fv!), pe.attentionWeights(fq!, fk!)] as const;
    for (const make of Object.values(homes)) {
      const query = make(type, q!, dims);
      const results = [pe.attention(query, fk!, narrowTensor(type, fv!.data, dims)), pe.attentionWeights(query, fk!)];
      results.forEach((result: any, i) => {
        expect([result.type, result.dims, result.data.constructor]).toEqual([
          type,
          wanted[i]!.dims,
          query.data.constructor,
        ]);
        expect(bitsOf(result)).toEqual([...rounded(wanted[i]!.data, type)]);
        expect(result.data.byteLength).toBe(result.data.buffer.byteLength);
      });
      query.dispose?.();
    }
    // The type is that of q alone.
    const plain = pe.attention(fq!, { type, data: k!, dims } as never, { type, data: v!, dims } as never);
    expectSameBits(plain.data, wanted[0].data);
  });

  it("is the type of features with rows beside them, and of tables that ask for it", () => {
    const table = createTable({ kind: "sinusoidal", dim: 6 });
    const x = narrowTensor(type, normalNumbers(8), [4, 2]);
    const joined: any = table.concatTo(x, { offset: 5000 });
    const plain = table.concatTo({ data: widened(x.data, type), dims: [4, 2] }, { offset: 5000 });
    expect([joined.type, joined.dims, bitsOf(joined)]).toEqual([type, [4, 8], [...rounded(plain.data, type)]]);
    const rows = table.table({ positions: farPositions, type });
    expect([rows.type, bitsOf(rows)]).toEqual([
      type,
      [...rounded(table.table({ positions: farPositions }).data, type)],
    ]);
    const { cos, sin } = rope.tables({ positions: farPositions, type });
    const exact = rope.tables({ positions: farPositions, type: "float32" });
    expect([cos.type, bitsOf(cos)]).toEqual([type, [...rounded(exact.cos.data, type)]]);
    expect(bitsOf(sin)).toEqual([...rounded(exact.sin.data, type)]);
    const Numbers = type === "float16" && Float16 ? Float16 : Uint16Array;
    expect([rows.data.constructor, cos.data.constructor]).toEqual([Numbers, Numbers]);
  });

  it("has rows of learned tables that grew large", () => {
    using table = createTable({ kind: "learned", length: 300, dim: 512 });
    const rows = table.table({ length: 300, type });
    expectBits(rows, rounded(table.weights.data, type));
  });

  it("may hold learned numbers", () => {
    const weights = narrowTensor(type, [1, 2, 3.25, -4, 5, 6], [3, 2]);
    using learned = createTable({ kind: "learned", length: 3, dim: 2, weights });
    expect([...learned.weights.data]).toEqual([1, 2, 3.25, -4, 5, 6]);
    using resident = pe.tensor([6, 5, 4, 3, 2, 1], [3, 2], { type });
    expect([...learned.load(resident).weights.data]).toEqual([6, 5, 4, 3, 2, 1]);
    const error = refusal(() => learned.load(narrowTensor(type, [1, 2, 3, 4, 5, Infinity], [3, 2])));
    expectError(error, "invalid-argument", "weights");
    expect(learned.weights.data[5]).toBe(1);
  });

  it("is left as it was by errors", () => {
    for (const make of Object.values(homes)) {
      const x = make(type, queries([1, 2, 700, 64]), [1, 2, 700, 64]);
      const before = bitsOf(x);
      const positions = [...range(699), NaN];
      expectError(
        refusal(() => rope.apply(x, { positions })),
        "invalid-argument",
        "positions",
      );
      expectError(
        refusal(() => createRotary({ kind: "rope", dim: 128 }).apply(x)),
        "shape-mismatch",
        "x",
      );
      expectError(
        refusal(() => rope.tables({ length: 2, out: { cos: pe.tensor([2, 32]), sin: x } })),
        "shape-mismatch",
        "out.sin",
      );
      expectBits(x, before);
      x.dispose?.();
    }
  });

  it("shares no memory with what a call reads or has learned", () => {
    const data = new Uint16Array(64);
    const at = (start: number) => loosely({ type, data: data.subarray(start, start + 24), dims: [1, 2, 3, 4] });
    const [q, k] = [at(0), at(24)];
    for (const out of [at(10), at(40), { data: new Float32Array(data.buffer, 32, 24), dims: [1, 2, 3, 4] }])
      expectError(
        refusal(() => pe.attention(q, k, k, { out })),
        "invalid-argument",
        "out",
      );
    expect(() => pe.attention(q, q, q, { out: k })).not.toThrow();
    using learned = createTable({ kind: "learned", length: 3, dim: 4, seed: 2 });
    const weights = learned.weights.data;
    const before = weights.slice();
    const inside = { type, data: new Uint16Array(weights.buffer, weights.byteOffset + 2, 12), dims: [3, 4] } as any;
    for (const write of [() => learned.table({ length: 3, out: inside }), () => learned.addTo(inside)])
      expect(refusal(write).message).toContain("shares memory with weights");
    expectSameBits(weights, before);
  });
});

describe("pe.tensor of 16 bits", () => {
  it.each(narrowTypes)("%s: takes half the memory", (type) => {
    const live = pe.liveBytes;
    const tensor = pe.tensor([10, 7], { type });
    expect(pe.liveBytes - live).toBe(140);
    expect([tensor.type, tensor.dims, tensor.size, bitsOf(tensor)]).toEqual([type, [10, 7], 70, Array(70).fill(0)]);
    expect(JSON.parse(JSON.stringify(tensor))).toEqual({ type, dims: [10, 7] });
    tensor.dispose();
    expect(pe.liveBytes).toBe(live);
    expect(tensor.disposed).toBe(true);
  });

  it.each(narrowTypes)("%s: rounds numbers, takes bits as they are", (type) => {
    const numbers = [0.1, -2.5, 1e9, 1e-9, 1 / 3, NaN];
    for (const data of [numbers, Float32Array.from(numbers), Float64Array.from(numbers)]) {
      using tensor = pe.tensor(data, [2, 3], { type });
      expect(bitsOf(tensor)).toEqual([...rounded(Float32Array.from(numbers), type)]);
      const view = tensor.view([6]);
      expect([view.type, bitsOf(view)]).toEqual([type, bitsOf(tensor)]);
      expect(pe.toFloat32(tensor).data).toEqual(widened(bitsOf(tensor), type));
    }
    using bits = pe.tensor(Uint16Array.of(1, 2, 0x7c01), [3], { type });
    expect([...new Uint16Array(bits.data.buffer, bits.data.byteOffset, 3)]).toEqual([1, 2, 0x7c01]);
    using whole = pe.tensor(Int32Array.of(1, -2), [2], { type });
    expect(bitsOf(whole)).toEqual([...rounded([1, -2], type)]);
    // Bits are numbers where float32 is asked for, as ever.
    using plain = pe.tensor(Uint16Array.of(1, 2), [2]);
    expect([...plain.data]).toEqual([1, 2]);
  });

  it("has the engine's own halves as its data, that stay valid", () => {
    using tensor = pe.tensor([1.5, 2], [2], { type: "float16" });
    expect(tensor.data.constructor).toBe(Float16 ?? Uint16Array);
    using large = pe.tensor([2 ** 23]);
    expect(large.size).toBe(2 ** 23);
    expect(bitsOf(tensor)).toEqual([0x3e00, 0x4000]);
    if (Float16) {
      using copy = pe.tensor(tensor.data as ArrayLike<number>, [2], { type: "bfloat16" });
      expect(bitsOf(copy)).toEqual([0x3fc0, 0x4000]);
      using same = pe.tensor(tensor.data as ArrayLike<number>, [2], { type: "float16" });
      expect(bitsOf(same)).toEqual([0x3e00, 0x4000]);
    }
  });

  it.each([
    ["an unknown type", "type", () => pe.tensor([2], loosely({ type: "float64" }))],
    ["an unknown option", "kind", () => pe.tensor([2], loosely({ kind: "float16" }))],
    ["options without a type that are none", "options", () => pe.tensor([1], [1], loosely(null))],
    ["too few numbers", "data", () => pe.tensor([1], [2], { type: "float16" })],
    ["no numbers", "data", () => pe.tensor(loosely("1"), [1], { type: "float16" })],
  ])("refuses %s", (_, field, call) => {
    const live = pe.liveBytes;
    expect(refusal(call).field).toBe(field);
    expect(pe.liveBytes).toBe(live);
  });
});

describe("what is no tensor of 16 bits", () => {
  const dims = [1, 1, 1, 64];
  it.each([
    ["bfloat16 as halves", { type: "bfloat16", data: new Float32Array(64), dims }, "invalid-argument"],
    ["float16 as floats", { type: "float16", data: new Float32Array(64), dims }, "invalid-argument"],
    ["float32 as bits", { type: "float32", data: new Uint16Array(64), dims }, "invalid-argument"],
    ["bits without a type", { data: new Uint16Array(64), dims }, "invalid-argument"],
    ["too few", { type: "float16", data: new Uint16Array(63), dims }, "shape-mismatch"],
    ["whole numbers", { type: "uint16", data: new Uint16Array(64), dims }, "unsupported"],
    ["a name of objects", { type: "toString", data: new Uint16Array(64), dims }, "unsupported"],
    ["halves on the GPU", { type: "float16", location: "gpu-buffer", dims }, "unsupported"],
  ])("%s", (_, x, code) => {
    const error = refusal(() => rope.apply(loosely(x)));
    expectError(error, code, "x");
    if (code === "unsupported") expect(error.message).toMatch(/float32, float16 or bfloat16|gpu-buffer/);
  });

  it("a type beside out, which has one", () => {
    const table = createTable({ kind: "sinusoidal", dim: 2 });
    const out = pe.tensor([1, 2]);
    expect(refusal(() => table.table(loosely({ length: 1, type: "float16", out }))).field).toBe("type");
    const [cos, sin] = [pe.tensor([1, 32]), pe.tensor([1, 32])];
    expect(refusal(() => rope.tables(loosely({ length: 1, type: "float16", out: { sin } }))).field).toBe("type");
    for (const tensor of [out, cos, sin]) tensor.dispose();
  });
});

describe("positions of 16 bits", () => {
  it("are refused where they cannot be told apart, and bits everywhere", () => {
    const bits = (type: string) => loosely({ type, data: Uint16Array.of(0, 0x3c00), dims: [2] });
    for (const type of narrowTypes)
      expectError(
        refusal(() => rope.tables({ positions: bits(type) })),
        "invalid-argument",
        "positions",
      );
    if (!Float16) return;
    const float16 = (...numbers: number[]) =>
      loosely(pe.toFloat16({ data: Float32Array.from(numbers), dims: [numbers.length] }));
    for (const positions of [float16(1, 4097), float16(-2048), float16(2049).data, [float16(5000).data]])
      expectError(
        refusal(() => rope.tables({ positions })),
        "invalid-argument",
        "positions",
      );
    const { cos } = rope.tables({ positions: float16(0, 1.5, -2047) });
    expectSameBits(cos.data, rope.tables({ positions: [0, 1.5, -2047] }).cos.data);
  });
});
