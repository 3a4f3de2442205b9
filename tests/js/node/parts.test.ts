// The library in parts, as a page loads it: in any order of loading and calling, a call gives the bits that it gives in
// the whole library, or says which part is not loaded.
import { PosencError, type LibraryPart, type Posenc, type Spec } from "posenc";
import { describe, expect, it, vi } from "vitest";
import committed from "../../fixtures/digests.txt?raw";
import { fuzzRuns } from "../../fuzz/seed.mjs";
import { digestLines, fnv1a64, specsIn } from "../../golden/digests.mjs";
import { descriptions, exampleSpec, pe as whole } from "../helpers/library";
import { copyOf, expectSameObject, randomTensor } from "../helpers/numbers";
import { caught, expectError } from "../helpers/refusals";

const parts: readonly LibraryPart[] = ["attention", "relative", "training", "cache", "resize", "config", "ids"];
const neededBy = (part: LibraryPart): LibraryPart[] =>
  ["attention", "resize", "config", "ids"].includes(part) ? [part] : ["attention", part];

let copies = 0;
/** The main entry, as it is in a page that has not asked for anything before. */
async function freshInit(): Promise<typeof import("posenc").init> {
  const address = new URL(`../../../dist/index.js?copy=${++copies}`, import.meta.url).href;
  return ((await import(/* @vite-ignore */ address)) as typeof import("posenc")).init;
}
const fresh = async (): Promise<Posenc> => (await freshInit())();

/** Numbers from 0 to below 1. */
function* draws(seed: number): Generator<number> {
  for (let state = seed; ;) yield (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
}

/** A digest of all numbers in a result. */
function digestOf(value: unknown): string {
  if (ArrayBuffer.isView(value)) return fnv1a64(value as never);
  if (value === null || typeof value !== "object") return String(value);
  return Object.entries("data" in value ? [value.data] : value)
    .map(([name, one]) => `${name} ${digestOf(one)}`)
    .join();
}

type Call = (pe: Posenc) => unknown;
const [q, k, v] = [1, 2, 3].map((seed) => randomTensor([1, 2, 5, 8], seed));
const [rows, weights] = [randomTensor([6, 8], 4), randomTensor([8, 8], 5)];
const learned: Spec = { kind: "learned", length: 6, dim: 8, weights: rows.data };
const rope = (pe: Posenc) => pe.create({ kind: "rope", dim: 8 });

const families = new Map(descriptions.map(({ kind, family }) => [kind as string, family]));
const isRelative = (kind: string): boolean => families.get(kind) === "relative";
const specs = specsIn(committed);
const ofSpecs = (relative: boolean): Record<string, Call> =>
  Object.fromEntries(
    specs
      .filter(({ kind }) => isRelative(kind) === relative)
      .map((spec) => [JSON.stringify(spec), (pe: Posenc) => digestLines(pe, spec)]),
  );
/** Attention with relative encodings. */
const inAttention = Object.fromEntries(
  descriptions
    .filter(({ kind }) => ["shaw", "nezha", "cope", "pope", "rope-mixed", "fope"].includes(kind))
    .map((one): [string, Call] => {
      const heads = one.fields.some(({ name }) => name === "heads") ? { heads: 2 } : {};
      const spec = exampleSpec(one, { dim: 8, ...heads }) as never as { kind: "shaw" } & Spec;
      return [`attention with ${one.kind}`, (pe) => pe.attention(q!, k!, v!, { encoding: pe.create(spec) })];
    }),
);

const calls: Record<LibraryPart | "base", Record<string, Call>> = {
  base: {
    ...ofSpecs(false),
    float16: (pe) => pe.toFloat16(q!),
    add: (pe) => pe.create(learned as { kind: "learned" } & Spec).addTo(copyOf(rows)),
    "an invalid spec": (pe) => refusal(() => pe.create({ kind: "rope", dim: 7 })),
    "an unknown kind": (pe) => refusal(() => pe.create({ kind: "rotary", dim: 8 } as never)),
  },
  attention: {
    attention: (pe) => pe.attention(q!, k!, v!, { causal: true, encoding: rope(pe) }),
    alibi: (pe) => pe.attention(q!, k!, v!, { encoding: pe.create({ kind: "alibi", heads: 2 }) }),
    weights: (pe) => pe.attentionWeights(q!, k!, { softcap: 3 }),
    similarity: (pe) => pe.similarity(rows),
    profile: (pe) => pe.distanceProfile(rope(pe), { maxDistance: 9 }),
    terms: (pe) => ({ ...pe.scoreTerms(rows, rows, weights, weights) }),
    temperature: (pe) => pe.queryTemperature({ length: 9, temperature: { factor: 1, length: 2 } }),
    "an invalid shape": (pe) => refusal(() => pe.attention(q!, k!, rows)),
  },
  relative: {
    ...ofSpecs(true),
    ...inAttention,
    shift: (pe) => pe.relativeShift(rows),
    phases: (pe) => pe.cumulativePhases(randomTensor([1, 5, 2], 6)),
  },
  training: {
    table: (pe) => {
      const table = pe.create(learned as { kind: "learned" } & Spec);
      table.backward(copyOf(rows), { positions: [0, 1, 2, 3, 4, 5] });
      return table.step({ optimizer: "adam", learningRate: 0.1 }).parameters.weights!.data.slice();
    },
    rotary: (pe) => rope(pe).backward(q!, k!),
    attention: (pe) => ({ ...pe.attentionBackward(q!, k!, v!, v!, { causal: true }) }),
  },
  cache: {
    cache: (pe) => {
      using cache = pe.cache({ heads: 2, dim: 8, capacity: 9, encoding: rope(pe) });
      cache.append(k!, v!);
      return [cache.attend(q!), cache.length];
    },
  },
  resize: {
    rows: (pe) => pe.resizeTable(rows, { from: [2, 3], grid: [3, 4] }),
    table: (pe) =>
      pe
        .create(learned as { kind: "learned" } & Spec)
        .resize({ length: 9 })
        .weights.data.slice(),
    window: (pe) =>
      pe
        .create({ kind: "swin", heads: 2, windowHeight: 2, windowWidth: 3, weights: randomTensor([15, 2], 7) })
        .resize({ windowHeight: 3 })
        .parameters.weights!.data.slice(),
  },
  config: {
    fromConfig: (pe) => pe.fromConfig({ model_type: "llama", head_dim: 8, rope_theta: 1e4 }).spec,
    describe: (pe) => pe.describe(),
    permute: (pe) => pe.permuteWeights(weights, { heads: 1, from: "half", to: "interleaved" }),
  },
  ids: { ids: (pe) => pe.positionIds([0, 1, 1, 1]), grid: (pe) => pe.gridPositionIds([2, 3]) },
};

/** The message of a refusal for another reason than a missing part. */
function refusal(call: () => unknown): string {
  try {
    return String(call());
  } catch (error) {
    if ((error as PosencError).code === "not-loaded") throw error;
    return String(error);
  }
}

const all = Object.entries(calls).flatMap(([part, ofPart]) =>
  Object.entries(ofPart).map(([name, call]) => ({ part: part as LibraryPart | "base", name, call })),
);
const expected = new Map(all.map(({ call }) => [call, digestOf(call(whole))]));

/** Makes a call: it gives the expected bits, or the error that its part is not loaded. */
function check(pe: Posenc, { part, name, call }: (typeof all)[number]): void {
  if (part === "base" || pe.parts.includes(part)) return expect(digestOf(call(pe)), name).toBe(expected.get(call));
  const missing = neededBy(part).filter((one) => !pe.parts.includes(one));
  const sayings = missing.map((one) => `${one} is not loaded: await pe.load("${one}"), or init({ parts: ["${one}"] })`);
  let found: unknown;
  try {
    call(pe);
  } catch (error) {
    found = error;
  }
  expect(found, name).toBeInstanceOf(PosencError);
  expect((found as PosencError).code, name).toBe("not-loaded");
  expect(sayings, name).toContain((found as PosencError).message);
}

describe("the base", async () => {
  const pe = await fresh();
  it("comes alone", () => expect(pe.parts).toEqual([]));
  it.each(all)("$part: $name", (one) => check(pe, one));
  it("makes the encodings of a model, and loads what these need", async () => {
    const layers = await pe.layers({
      model_type: "deberta-v2",
      num_hidden_layers: 1,
      relative_attention: true,
      ...deberta,
    });
    expect(layers[0]!.encoding!.kind).toBe("deberta");
    expect(pe.parts).toContain("relative");
  });
  it("explains and compares any encodings", async () => {
    const shaw = { kind: "shaw", dim: 8 } as const;
    expect(await (await fresh()).explain(shaw)).toEqual(await whole.explain(shaw));
    const rotary = { kind: "rope", dim: 8 };
    expect(await (await fresh()).compare(rotary, shaw)).toEqual(await whole.compare(rotary, shaw));
  });
});
const deberta = {
  max_position_embeddings: 64,
  position_buckets: 4,
  pos_att_type: ["p2c", "c2p"],
  hidden_size: 16,
  num_attention_heads: 2,
};

describe("a part and what it needs", () => {
  // Of the base's calls each part takes other ones: "the base" and "all parts" make them all.
  it.each(parts.map((part, n) => [part, n] as const))("%s", async (part, n) => {
    const pe = await fresh();
    await pe.load(part);
    expect([...pe.parts].sort()).toEqual(neededBy(part).sort());
    for (const [i, one] of all.entries()) if (one.part !== "base" || i % parts.length === n) check(pe, one);
  });

  it("all parts, at once or one after the other", async () => {
    const [init, pe] = [await freshInit(), await fresh()];
    const together = await init({ parts: "all" });
    for (const part of parts) await pe.load(part);
    for (const library of [together, pe]) {
      expect([...library.parts].sort()).toEqual([...parts].sort());
      for (const one of all) check(library, one);
    }
    expectSameObject(await init({ parts: ["cache"] }), together);
    expectSameObject(await init(), together);
  });
});

it("in any order of loading and calling", { timeout: 300_000 }, async () => {
  const rounds = Number(process.env["POSENC_SEQUENCES"] ?? 0.6 * fuzzRuns);
  for (let seed = 1; seed <= rounds; seed++) {
    const draw = draws(seed);
    const pick = <T>(list: readonly T[]): T => list[Math.floor(draw.next().value! * list.length)]!;
    const pe = await fresh();
    const loading: Promise<void>[] = [];
    for (let step = 0; step < 20; step++) {
      if (draw.next().value! < 0.2) loading.push(pe.load(pick(parts)));
      // Parts that are on their way may arrive between any two calls.
      if (draw.next().value! < 0.3) await pick([Promise.resolve(), loading.at(-1), new Promise(setImmediate)]);
      check(pe, pick(all.filter(({ part }) => part === pick(["base", ...parts] as const))) ?? pick(all));
    }
    await Promise.all(loading);
  }
});

describe("refusals", () => {
  it("of names that are none", async () => {
    const pe = await fresh();
    const error = await caught(() => pe.load("atention" as never));
    expectError(error, "invalid-argument", "parts");
    expect((error as Error).message).toMatch(/must be "all" or a list of "attention", .*, got "atention"/);
    expectError(
      await caught(async () => (await freshInit())({ parts: "attention" as never })),
      "invalid-argument",
      "parts",
    );
  });

  it("of a part that does not come; it can be asked for again", async () => {
    const init = await freshInit();
    const pe = await init();
    const instantiate = vi.spyOn(WebAssembly, "instantiate").mockRejectedValue(new Error("not today"));
    await expect(pe.load("attention")).rejects.toThrow("not today");
    instantiate.mockRestore();
    expect(pe.parts).toEqual([]);
    await pe.load("attention");
    check(
      pe,
      all.find(({ name }) => name === "attention")!,
    );
  });

  it("of the base that does not come: the whole build comes in its place, not a slow one", async () => {
    const fs = process.getBuiltinModule("node:fs");
    const read = fs.readFileSync;
    const files: string[] = [];
    vi.spyOn(fs, "readFileSync").mockImplementation(((path: URL) => {
      files.push(/[^/]*$/.exec(String(path))![0]);
      if (files.at(-1) === "posenc.base.wasm") throw new Error("no such file");
      return read(path);
    }) as never);
    const pe = await fresh();
    vi.restoreAllMocks();
    expect(files.at(-1)).toBe("posenc.simd.wasm");
    expect(pe.variant).toBe(whole.variant);
    expect([...pe.parts].sort()).toEqual([...parts].sort());
  });

  it("of the base as a source", async () => {
    const base = new URL("../../../dist/posenc.base.wasm", import.meta.url).href;
    const error = await caught(async () => (await freshInit())(base));
    expectError(error, "load-failed", "source");
    expect((error as Error).message).toMatch(/only the base of a build/);
  });
});
