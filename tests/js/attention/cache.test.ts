// A cache of keys and values against attention over the rows as they were given.
import { describe, expect, it } from "vitest";
import {
  createBias,
  createRelative,
  createRotary,
  exampleSpec,
  loosely,
  ofFamily,
  pe,
  type Library,
} from "../helpers/library";
import type { AttentionOptions } from "posenc";
import { fresh } from "../helpers/fresh";
import { maxDifference, randomTensor, range, swapMiddle, type PlainTensor } from "../helpers/numbers";
import { expectError, refusal } from "../helpers/refusals";

type Cache = ReturnType<Library["cache"]>;

/** Tokens `first` … of x [1, H, T, D]. */
function tokens({ data, dims }: PlainTensor, first: number, count: number): PlainTensor {
  const [, heads, length, width] = dims as [number, number, number, number];
  if (heads === 1)
    return { type: "float32", data: data.slice(first * width, (first + count) * width), dims: [1, 1, count, width] };
  const rows = range(heads).flatMap((h) => [
    ...data.subarray((h * length + first) * width, (h * length + first + count) * width),
  ]);
  return { type: "float32", data: Float32Array.from(rows), dims: [1, heads, count, width] };
}

/** Of x [1, H, T, D] the tokens at these places. */
const chosen = (x: PlainTensor, indices: number[]): PlainTensor => {
  const [, heads, length, width] = x.dims as [number, number, number, number];
  const rows = range(heads).flatMap((h) =>
    indices.flatMap((t) => [...x.data.subarray((h * length + t) * width, (h * length + t + 1) * width)]),
  );
  return { type: "float32", data: Float32Array.from(rows), dims: [1, heads, indices.length, width] };
};

const policies = {
  none: { capacity: 10000 },
  window: { policy: { window: 30 }, capacity: 50 },
  sinks: { policy: { window: 28, sinks: 4 }, capacity: 50 },
};
type PolicyName = keyof typeof policies;

/** The tokens that the last of `length` sees, and where they stand. */
function visibleTokens(name: PolicyName, length: number): { indices: number[]; positions: number[] } {
  if (name === "none") return { indices: range(length), positions: range(length) };
  if (name === "window" || length <= 32) {
    const first = Math.max(0, length - (name === "window" ? 30 : 32));
    return { indices: range(length - first, first), positions: range(length - first, first) };
  }
  return { indices: [...range(4), ...range(28, length - 28)], positions: range(32) };
}

describe("10,000 tokens, one at a time", () => {
  const total = 10000;
  const [heads, dim] = [1, 4];
  const k = randomTensor([1, heads, total, dim], 1);
  const v = randomTensor([1, heads, total, 2], 2);
  const q = randomTensor([1, heads, total, dim], 3);
  const encodings = {
    rope: createRotary({ kind: "rope", dim }),
    interleaved: createRotary({ kind: "rope-yarn", dim, factor: 4, originalLength: 64, pairing: "interleaved" }),
    longrope: createRotary({
      kind: "rope-longrope",
      dim,
      shortFactor: [1],
      longFactor: [4],
      originalLength: 5000,
      factor: 4,
    }),
  };
  const cases = [
    ["none", "longrope"],
    ["window", "interleaved"],
    ["window", "longrope"],
    ["sinks", "rope"],
    ["sinks", "interleaved"],
  ] as const;
  it.each(cases)("policy %s, %s", (policy, name) => {
    const encoding = encodings[name];
    using cache = pe.cache({ heads, dim, valueDim: 2, ...policies[policy] });
    const live = pe.liveBytes;
    let worst = 0;
    for (let t = 0; t < total; t++) {
      cache.append(tokens(k, t, 1), tokens(v, t, 1));
      // Where nothing is forgotten each step is as long as what there is.
      if (policy === "none" && t % 50) continue;
      const got = cache.attend(tokens(q, t, 1), { encoding });
      if (t % 97 && t + 1 !== total && (t < 5000 || t > 5003)) continue;
      const { indices, positions } = visibleTokens(policy, t + 1);
      const at = { positions };
      const wanted = pe.attention(tokens(q, t, 1), chosen(k, indices), chosen(v, indices), { encoding, at });
      worst = Math.max(worst, maxDifference(got.data, wanted.data));
    }
    expect(worst).toBeLessThan(1e-6);
    // What it needs beside its rows does not grow.
    expect(pe.liveBytes - live).toBeLessThan(65536);
  });
});

describe("every rotary kind", () => {
  const pairings = ["half", "interleaved", "interleaved-to-half"];
  const cases = ofFamily("rotary").flatMap((kind) => pairings.map((pairing) => [kind.kind, pairing] as const));
  it.each(cases)("%s, %s: a prompt, then tokens", (kind, pairing) => {
    const description = ofFamily("rotary").find((each) => each.kind === kind)!;
    const changes = "originalLength" in exampleSpec(description) ? { originalLength: 20 } : {};
    using encoding = createRotary(exampleSpec(description, { ...changes, pairing }));
    const dim = Number(loosely(encoding.spec).dim);
    const several = kind === "rope-axial";
    const [k, v, q] = [1, 2, 3].map((seed) => randomTensor([1, 2, 40, dim], seed)) as [
      PlainTensor,
      PlainTensor,
      PlainTensor,
    ];
    const indexed = (first: number, count: number) =>
      several ? { positions: [range(count, first), range(count, first).map((i) => i % 5)] } : {};
    using cache = pe.cache({ heads: 2, dim, capacity: 40 });
    let worst = 0;
    for (const [first, count] of [[0, 13], ...range(27, 13).map((t) => [t, 1])] as [number, number][]) {
      cache.append(tokens(k, first, count), tokens(v, first, count), indexed(first, count));
      const got = cache.attend(tokens(q, first, count), { encoding });
      const end = first + count;
      const options = { encoding, causal: true, at: several ? indexed(0, end) : {} };
      const wanted = pe.attention(tokens(q, first, count), tokens(k, 0, end), tokens(v, 0, end), options);
      worst = Math.max(worst, maxDifference(got.data, wanted.data));
    }
    expect(worst).toBeLessThan(1e-6);
  });
});

describe("a cache", () => {
  const rope = createRotary({ kind: "rope", dim: 8 });
  const [k, v] = [randomTensor([1, 2, 12, 8], 1), randomTensor([1, 2, 12, 8], 2)];
  const q = randomTensor([1, 4, 1, 8], 3);
  const filled = (more: object = {}): Cache => pe.cache({ heads: 2, dim: 8, capacity: 20, ...more }).append(k, v);

  it("takes either layout, plain or resident, and writes where it is told", () => {
    const wanted = pe.attention(q, k, v, { encoding: rope }).data;
    using cache = filled();
    expect(maxDifference(cache.attend(q, { encoding: rope }).data, wanted)).toBeLessThan(1e-6);
    using other = pe.cache({ heads: 2, dim: 8, capacity: 20, layout: "bthd" });
    using keys = pe.tensor(swapMiddle(k).data, swapMiddle(k).dims);
    // Twelve tokens of two heads: positions count the tokens.
    other.append(keys, swapMiddle(v), { positions: { data: Int32Array.from(range(12)), dims: [1, 12] } });
    using out = pe.tensor([1, 1, 4, 8]);
    expect(other.attend(swapMiddle(q), { encoding: rope, out })).toBe(out);
    expect(maxDifference(out.data, wanted)).toBeLessThan(1e-6);
  });

  it("answers with everything that attention knows", () => {
    using cache = filled();
    const options: AttentionOptions[] = [
      { encoding: createBias({ kind: "alibi", heads: 4 }) },
      { encoding: createRelative({ kind: "cope", dim: 8 }) },
      { encoding: rope, window: 3, softcap: 2, sinks: [1, 2, 3, 4] },
      { encoding: rope, temperature: { factor: 0.5, length: 4 }, scale: 0.2 },
      { mask: [true, false, ...range(10).map(() => true)] },
      { attentionMask: [0, 0, ...range(10).map(() => 1)], segments: [0, 0, 0, ...range(9).map(() => 1)] },
      { bias: randomTensor([4, 1, 12], 9), causal: false },
    ];
    for (const each of options) {
      const wanted = pe.attention(q, k, v, { causal: true, ...each });
      cache.encoding = each.encoding ?? null;
      expect(maxDifference(cache.attend(q, each).data, wanted.data)).toBeLessThan(1e-6);
    }
  });

  it("forgets, removes, shifts and reorders", () => {
    using cache = filled();
    cache.attend(q, { encoding: rope });
    expect(cache.truncate(10).length).toBe(10);
    expect(cache.evict(2, 3).positions).toEqual(Float64Array.from(range(7)));
    const left = [0, 1, 5, 6, 7, 8, 9];
    const wanted = pe.attention(q, chosen(k, left), chosen(v, left), { encoding: rope });
    expect(maxDifference(cache.attend(q, { encoding: rope }).data, wanted.data)).toBeLessThan(1e-6);
    expect(cache.shift(100).positions).toEqual(Float64Array.from(range(7, 100)));
    expect(maxDifference(cache.attend(q, { encoding: rope }).data, wanted.data)).toBeLessThan(1e-6);
    using beams = pe.cache({ heads: 1, dim: 8, batch: 2, capacity: 4 });
    const [first, second] = [randomTensor([2, 1, 3, 8], 4), randomTensor([2, 1, 1, 8], 5)];
    beams.append(first, first, { positions: { data: [0, 1, 2, 0, 0, 1], dims: [2, 3] } as never });
    expect(beams.positions).toEqual(Float64Array.of(0, 1, 2, 0, 0, 1));
    const before = beams.attend(second, { encoding: rope }).data;
    const swapped = { ...second, data: Float32Array.from([...second.data.slice(8), ...second.data.slice(0, 8)]) };
    const after = beams.reorder([1, 0]).attend(swapped, { encoding: rope }).data;
    expect(after).toEqual(Float32Array.from([...before.slice(8), ...before.slice(0, 8)]));
    expect(beams.positions).toEqual(Float64Array.of(0, 0, 1, 0, 1, 2));
  });

  it("shifts by axis, which positions of M-RoPE need after an image has left", () => {
    const mrope = createRotary({ kind: "rope-mrope", dim: 8, sections: [1, 1, 2] });
    const at = [range(12), range(12, 3), range(12).map((i) => i % 5)];
    const delta = [-4, 2.5, 1e6];
    using cache = pe.cache({ heads: 2, dim: 8, capacity: 12, encoding: mrope });
    cache.append(tokens(k, 0, 9), tokens(v, 0, 9), { positions: at.map((axis) => axis.slice(0, 9)) });
    cache.attend(q);
    cache.shift(delta);
    const moved = at.map((axis, i) => axis.map((position, token) => (token < 9 ? position + delta[i]! : position)));
    expect(cache.positions).toEqual(moved.map((axis) => Float64Array.from(axis.slice(0, 9))));
    cache.append(tokens(k, 9, 3), tokens(v, 9, 3), { positions: moved.map((axis) => axis.slice(9)) });
    const wanted = pe.attention(q, k, v, { encoding: mrope, at: { positions: moved } });
    expect(maxDifference(cache.attend(q).data, wanted.data)).toBeLessThan(1e-6);
    const before = cache.positions;
    expectError(
      refusal(() => cache.shift([1, 2]), "delta"),
      "shape-mismatch",
      "delta",
    );
    expectError(
      refusal(() => cache.shift([1, 2, NaN]), "delta"),
      "invalid-argument",
      "delta",
    );
    expect(cache.positions).toEqual(before);
  });

  it.each(["float32", "float16", "int8"] as const)("goes on from a snapshot that was cloned, %s", (type) => {
    using cache = filled({ type });
    const before = cache.attend(q, { encoding: rope }).data;
    const snapshot = structuredClone(cache.snapshot());
    expect(snapshot.length).toBe(12);
    using other = pe.cache({ heads: 2, dim: 8, capacity: 15, type }).restore(snapshot);
    expect(other.attend(q, { encoding: rope }).data).toEqual(before);
    expect(other.append(tokens(k, 0, 2), tokens(v, 0, 2)).length).toBe(14);
    const wanted = pe.attention(q, k, v, { encoding: rope }).data;
    expect(maxDifference(before, wanted)).toBeLessThan({ float32: 1e-6, float16: 1e-3, int8: 0.02 }[type]);
    expect(maxDifference(before, wanted)).toBeGreaterThan(type === "float32" ? -1 : 1e-7);
  });

  it("frees its memory, and is refused afterwards", async () => {
    const { pe: own, memory } = await fresh();
    using keys = own.tensor([1, 2, 1, 64]);
    using out = own.tensor([1, 2, 1, 64]);
    const cache = own.cache({ heads: 2, dim: 64, type: "int8", policy: { window: 16, sinks: 2 } });
    expect(cache.capacity).toBe(82);
    const encoding = own.create({ kind: "rope", dim: 64 });
    const step = (): unknown => cache.append(keys, keys).attend(keys, { encoding, out });
    for (let t = 0; t < 200; t++) step();
    const [live, size] = [own.liveBytes, memory()];
    for (let t = 0; t < 5000; t++) step();
    expect(own.liveBytes).toBe(live);
    expect(memory()).toBe(size);
    expect(cache.bytes).toBe(live - 1024);
    cache.dispose();
    cache.dispose();
    keys.dispose();
    out.dispose();
    expect(own.liveBytes).toBe(0);
    expect(cache.disposed).toBe(true);
    expectError(
      refusal(() => cache.attend(keys)),
      "disposed",
      "cache",
    );
    expectError(
      refusal(() => cache.length),
      "disposed",
      "cache",
    );
  });

  it("names what is wrong, and stays as it was", () => {
    using cache = filled();
    using windowed = filled({ capacity: undefined, policy: { window: 4, sinks: 2 } });
    const full = randomTensor([1, 2, 9, 8], 1);
    const one = randomTensor([1, 2, 1, 8], 1);
    const causes: [() => unknown, string, string][] = [
      [() => cache.append(full, full), "out-of-range", "k"],
      [() => cache.append(k, full), "shape-mismatch", "v"],
      [() => cache.append(q, q), "shape-mismatch", "k"],
      [() => cache.append(k, v, { offset: NaN }), "invalid-argument", "offset"],
      [() => windowed.append(full, full, { offset: 50 }), "unsupported", "offset"],
      [() => windowed.append(one, one).truncate(2), "out-of-range", "length"],
      [() => windowed.attend(q, { segments: [0, 1] }), "shape-mismatch", "segments"],
      [() => cache.attend(randomTensor([1, 4, 13, 8]), { encoding: null }), "out-of-range", "q"],
      [() => windowed.attend(q, { encoding: createRotary({ kind: "rope", dim: 16 }) }), "shape-mismatch", "encoding"],
      [() => cache.attend(q, loosely({ gateKeys: k, encoding: null })), "invalid-argument", "gateKeys"],
      [() => cache.attend(q), "invalid-argument", "encoding"],
      [() => cache.attend(q, { encoding: createRotary({ kind: "rope", dim: 4 }) }), "invalid-argument", "encoding"],
      [() => cache.attend(q, loosely({ at: {} })), "invalid-argument", "at"],
      [() => windowed.attend(q, { mask: range(5).map(() => true) }), "shape-mismatch", "mask"],
      [() => windowed.evict(0, 1), "unsupported", "policy"],
      [() => cache.truncate(13), "out-of-range", "length"],
      [() => cache.evict(11, 2), "out-of-range", "tokens"],
      [() => cache.shift(Infinity), "invalid-argument", "delta"],
      [() => cache.shift([1, 2]), "shape-mismatch", "delta"],
      [() => cache.shift([]), "shape-mismatch", "delta"],
      [() => cache.shift(loosely("3")), "invalid-argument", "delta"],
      [() => cache.reorder([1]), "out-of-range", "rows"],
      ...[null, undefined, 5, {}, "0", new DataView(new ArrayBuffer(8))].map(
        (rows): [() => unknown, string, string] => [() => cache.reorder(loosely(rows)), "invalid-argument", "rows"],
      ),
      [() => cache.reorder([0, 0]), "shape-mismatch", "rows"],
      [() => cache.restore(windowed.snapshot()), "invalid-argument", "snapshot"],
      [() => cache.restore(loosely({})), "invalid-argument", "snapshot"],
      [() => cache.restore({ ...cache.snapshot(), length: 11 }), "invalid-argument", "snapshot"],
      [() => cache.restore({ ...cache.snapshot(), type: "int8" }), "invalid-argument", "snapshot"],
      [() => cache.restore({ ...cache.snapshot(), encoding: loosely("rope") }), "invalid-argument", "snapshot"],
      [() => pe.cache({ heads: 2, dim: 8 }), "invalid-argument", "capacity"],
      [() => pe.cache({ heads: 2, dim: 8, capacity: 5, policy: { window: 6 } }), "out-of-range", "capacity"],
      [() => pe.cache({ heads: 2, dim: 8, capacity: 9, policy: { window: 6, undo: 4 } }), "out-of-range", "capacity"],
      [() => pe.cache(loosely({ heads: 2, dim: 8, capacity: 5, encoding: "rope" })), "invalid-argument", "encoding"],
      [() => pe.cache(loosely({ heads: 2, dim: 8, capacity: 5, type: "float64" })), "invalid-argument", "type"],
    ];
    const before = cache.attend(q, { encoding: rope }).data;
    for (const [call, code, field] of causes) expectError(refusal(call, field), code, field);
    expect(cache.length).toBe(12);
    expect(cache.attend(q, { encoding: rope }).data).toEqual(before);
  });
});

describe("read", () => {
  const random = (count: number): Float32Array => Float32Array.from({ length: count }, (_, i) => Math.sin(1.7 * i + 1));
  it.each(["bhtd", "bthd"] as const)("%s: what the next token sees besides itself", (layout) => {
    const rope = pe.create({ kind: "rope", dim: 8 });
    const cache = pe.cache({ heads: 1, dim: 8, valueDim: 2, layout, policy: { window: 5, sinks: 2 } });
    const [rows, values] = [random(80), random(20)];
    for (let i = 0; i < 10; i++)
      cache.append(
        { data: rows.slice(8 * i, 8 * i + 8), dims: [1, 1, 1, 8] },
        { data: values.slice(2 * i, 2 * i + 2), dims: [1, 1, 1, 2] },
      );
    const { k, v } = cache.read({ encoding: rope });
    // Tokens 0, 1 and the last four, counted inside the cache.
    const visible = [0, 1, 6, 7, 8, 9];
    const dims = layout === "bhtd" ? [1, 1, 6, 8] : [1, 6, 1, 8];
    const wanted = rope.apply(
      { data: Float32Array.from(visible.flatMap((i) => [...rows.slice(8 * i, 8 * i + 8)])), dims },
      { layout },
    );
    expect(k.dims).toEqual(dims);
    wanted.data.forEach((x, i) => expect(k.data[i]).toBeCloseTo(x, 6));
    expect([...v.data]).toEqual(visible.flatMap((i) => [...values.slice(2 * i, 2 * i + 2)]));
    const given = cache.read().k.data;
    visible.forEach((token, i) => expect(given[8 * i]).toBeCloseTo(rows[8 * token]!, 6));
    const alibi = pe.create({ kind: "alibi", heads: 1 });
    expect(() => cache.read({ encoding: alibi as never })).toThrow(/encoding: alibi does not rotate keys/);
    cache.dispose();
  });
});
