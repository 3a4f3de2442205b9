// What several threads do, one does with the same bits.
import { init } from "posenc";
import { describe, expect, it } from "vitest";
import { exampleSpec, loosely, ofFamily } from "../helpers/library";
import { expectSameBits, expectSameObject, randomNumbers, randomTensor, range } from "../helpers/numbers";
import { caught, expectError, refusal } from "../helpers/refusals";
import { hasAllBuilds } from "../helpers/wasm";

/** Pages need two headers for a shared memory. */
const isIsolated = (globalThis as { crossOriginIsolated?: boolean }).crossOriginIsolated ?? true;

const shared = await init({ threads: 3 });
const single = await init({ variant: shared.variant, parts: "all" });

/** Positions enough for work that is worth sharing. */
const enough = (heads: number, dim: number): number => Math.ceil(Math.sqrt(2 ** 23 / (heads * 2 * dim))) + 5;

type Tensors = Parameters<typeof shared.attention> extends [infer Q, ...unknown[]] ? Q : never;
function expectSameAttention(q: Tensors, k: Tensors, v: Tensors, options: object, what = "", spec?: object): void {
  const [by, byOne] = [shared, single].map((pe) => {
    const encoding = spec && pe.create(loosely(spec));
    const { data } = pe.attention(q, k, v, loosely({ ...options, ...(encoding && { encoding }) })) as {
      data: Float32Array;
    };
    encoding?.dispose();
    return data;
  });
  expectSameBits(by!, byOne!, what);
}

const headsOf = (dims: number[], seed: number) => randomTensor(dims, seed);

describe("init({ threads })", () => {
  it.runIf(hasAllBuilds)("says how many there are", async () => {
    expect(shared.threads).toBe(isIsolated ? 3 : 1);
    expect(single.threads).toBe(1);
    expect((await init({ threads: 1 })).threads).toBe(1);
    expectSameObject(await init({ threads: 3 }), shared);
    expect(shared.variant === (await init()).variant).toBe(true);
  });

  it.each([0, 1.5, NaN, -1, 65, "2", null, true])("refuses %s", async (threads) => {
    expectError(await caught(() => init(loosely({ threads }))), "invalid-argument", "threads");
  });

  it("refuses several beside a source, which holds one build", async () => {
    const source = new Uint8Array(8);
    expectError(await caught(() => init({ source, threads: 2 })), "invalid-argument", "threads");
  });

  it.runIf(hasAllBuilds)("has one where the scalar build is asked for", async () => {
    const pe = await init({ variant: "scalar", threads: 2 });
    expect([pe.variant, pe.threads]).toEqual(["scalar", 1]);
  });
});

describe("the same library without what threads need", () => {
  const hidden: [string, () => () => void][] = [
    ["a shared memory", () => replaced("SharedArrayBuffer", undefined)],
    ["a page of its own", () => replaced("crossOriginIsolated", false)],
    ["workers", withoutWorkers],
  ];
  function replaced(name: string, value: unknown): () => void {
    const before = Object.getOwnPropertyDescriptor(globalThis, name);
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
    return () => {
      if (before) Object.defineProperty(globalThis, name, before);
      else delete (globalThis as Record<string, unknown>)[name];
    };
  }
  /** A policy that forbids them lets the constructor throw. */
  function withoutWorkers(): () => void {
    const refuse = class {
      constructor() {
        throw new Error("refused");
      }
    };
    const { process } = globalThis as { process?: { getBuiltinModule?: (name: string) => unknown } };
    if (!process?.getBuiltinModule) return replaced("Worker", refuse);
    const before = process.getBuiltinModule;
    process.getBuiltinModule = (name) =>
      name === "node:worker_threads" ? { Worker: refuse } : before.call(process, name);
    return () => (process.getBuiltinModule = before);
  }

  it.each(hidden.map(([what, hide], i) => ({ what, hide, threads: 4 + i })))("$what", async ({ hide, threads }) => {
    const restore = hide();
    try {
      const pe = await init({ threads });
      expect(pe.threads).toBe(1);
      const x = headsOf([1, 2, 3, 4], 1);
      expectSameBits(pe.attention(x, x, x).data, single.attention(x, x, x).data);
    } finally {
      restore();
    }
  });
});

describe("attention by several threads", () => {
  it.each(range(12, 1))("%i heads", (heads) => {
    const [q, k, v] = [1, 2, 3].map((seed) => headsOf([1, heads, enough(heads, 16), 16], seed));
    expectSameAttention(q!, k!, v!, { causal: heads % 2 > 0, ...(heads % 3 === 0 && { window: 90 }) });
  });

  const [batch, queries, keys] = [2, 260, 280];
  const grouped = headsOf([batch, 8, queries, 16], 1);
  const [k, v] = [2, 3].map((seed) => headsOf([batch, 2, keys, 16], seed));
  const flags = (count: number, seed: number) => Array.from(randomNumbers(count, seed), (x) => x > -0.3);
  const options: [string, object][] = [
    ["nothing", {}],
    ["causality and a soft cap", { causal: true, softcap: 20 }],
    ["a mask", { mask: { data: flags(queries * keys, 4), dims: [queries, keys] } }],
    ["an attention mask", { attentionMask: { data: flags(batch * keys, 5), dims: [batch, keys] } }],
    ["segments", { segments: Int32Array.from({ length: keys }, (_, i) => Math.floor(i / 70)), causal: true }],
    ["a bias", { bias: randomTensor([8, queries, keys], 6) }],
    ["sinks", { sinks: randomNumbers(8, 7) }],
  ];
  it.each(options)("grouped heads with %s", (what, given) => expectSameAttention(grouped, k!, v!, given, what));

  it("values that are no numbers, and float16", () => {
    const wild = { ...v!, data: v!.data.slice() };
    wild.data[77] = Infinity;
    expectSameAttention(grouped, k!, wild, { causal: true });
    const float16 = [grouped, k!, v!].map((tensor) => single.toFloat16(tensor));
    const [by, byOne] = [shared, single].map((pe) => pe.toFloat32(pe.attention(float16[0]!, float16[1]!, float16[2]!)));
    expectSameBits(by!.data as Float32Array, byOne!.data as Float32Array);
  });

  const inside = ["rotary", "bias", "relative"].flatMap((family) => ofFamily(family));
  it.each(inside.map((description) => [description.kind, description] as const))("%s inside", (kind, description) => {
    const spec = exampleSpec(description);
    const heads = Number(spec.heads ?? 2);
    const dim = Number(spec.dim ?? 16);
    const length = enough(heads, dim);
    const tensors = [1, 2, 3].map((seed) => headsOf([1, heads, length, dim], seed));
    // Some are for places of two axes, or for as many as a window has.
    const one = single.create(loosely(spec));
    const works = caught(() => single.attention(tensors[0]!, tensors[1]!, tensors[2]!, loosely({ encoding: one })));
    return works.then((error) => {
      if (error === undefined) expectSameAttention(tensors[0]!, tensors[1]!, tensors[2]!, { causal: true }, kind, spec);
      else expectError(error, (error as { code: string }).code);
    });
  });

  it("a cache's", () => {
    const [by, byOne] = [shared, single].map((pe) => {
      const cache = pe.cache({ heads: 4, dim: 64, capacity: 600 });
      const [q, key, value] = [1, 2, 3].map((seed) => headsOf([1, 4, 200, 64], seed));
      const results = range(3).flatMap(() => {
        cache.append(key!, value!);
        return [...cache.attend(q!, { causal: true, encoding: pe.create({ kind: "rope", dim: 64 }) }).data];
      });
      cache.dispose();
      return Float32Array.from(results);
    });
    expectSameBits(by!, byOne!);
  });

  it("refuses the same, and goes on", () => {
    const errors = [shared, single].map((pe) => refusal(() => pe.attention(grouped, k!, headsOf([2, 2, 279, 16], 1))));
    expect(errors[0]!.message).toBe(errors[1]!.message);
    expectSameAttention(grouped, k!, v!, {});
  });
});

describe("a memory that threads share", () => {
  it.runIf(hasAllBuilds)("grows, and arrays of before stay part of it", () => {
    const tensor = shared.tensor(randomNumbers(64, 1), [1, 1, 8, 8]);
    const { data } = tensor;
    const large = shared.tensor([2 ** 24]);
    tensor.data[0] = 9;
    expect(tensor.data).toHaveLength(64);
    // Arrays of a memory that one thread has are detached by growth.
    if (isIsolated) {
      expectSameBits(tensor.data, data);
      expect(data[0]).toBe(9);
      const q = { data: tensor.data.subarray(0, 16), dims: [1, 1, 2, 8] };
      const out = { data: data.subarray(8, 24), dims: [1, 1, 2, 8] };
      expectError(
        refusal(() => shared.attention(q, q, q, { out })),
        "invalid-argument",
        "out",
      );
    }
    large.dispose();
    tensor.dispose();
  });
});
