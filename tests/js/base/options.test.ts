// Every option of every call: unknown and misspelt names, values of another type, options that have no effect beside the
// others. The calls are those of the fuzz test: one that is missing there is a type error.
import fc from "fast-check";
import { PosencError, init } from "posenc";
import { compare, explain } from "posenc/explain";
import {
  addPositional,
  attentionBias,
  interpolatePositionEmbeddings,
  positionIds,
  rotaryInputs,
} from "posenc/transformers";
import { describe, expect, it } from "vitest";
import { callsOf, libraryCalls } from "../helpers/fuzz-calls";
import type { Drawn, DrawnOptions, Plan, Sizes } from "../helpers/fuzz-values";
import { createAny, createBias, createRelative, createRotary, createTable, loosely, pe } from "../helpers/library";
import { randomTensor } from "../helpers/numbers";
import { caught, expectError, refusal, refusedAt } from "../helpers/refusals";

const rope = createRotary({ kind: "rope", dim: 4 });
const subjects: [string, object, Record<string, Drawn[]>][] = [
  ["table", createAny({ kind: "learned", length: 64, dim: 4 }) as object, callsOf.table],
  ["rotary", rope, callsOf.rotary],
  ["bias", createAny({ kind: "swin", heads: 1, windowHeight: 2, windowWidth: 2 }) as object, callsOf.bias],
  ["relative", createAny({ kind: "pope", dim: 4, heads: 1 }) as object, callsOf.relative],
  ["the library", pe, libraryCalls(rope)],
];
const sizes: Sizes = { B: 1, H: 1, G: 1, T: 4, S: 4, D: 4, dim: 4, axes: 1, pairs: 2, heads: 1 };
const isOptions = (drawn: Drawn): drawn is DrawnOptions => "wanted" in drawn;
const samples = (drawn: Drawn, count = 40): unknown[] =>
  fc.sample(drawn, { numRuns: count, seed: 5 }).map((plan: Plan) => plan(sizes));
const typeOf = (value: unknown) => (ArrayBuffer.isView(value) || Array.isArray(value) ? "array" : typeof value);
/** Most values are good ones: the types that several have. */
const typesOf = (drawn: Drawn): Set<string> => {
  const all = samples(drawn).map(typeOf);
  return new Set(all.filter((type) => all.filter((other) => other === type).length > 5));
};

interface Call {
  title: string;
  call: (options: object) => unknown;
  drawn: DrawnOptions;
}
const calls: Call[] = subjects.flatMap(([title, subject, list]) =>
  Object.entries(list).flatMap(([name, args]) => {
    const at = args.findIndex(isOptions);
    if (at < 0) return [];
    // Whatever the other arguments are, the options are read first.
    const others = args.map(
      (drawn) => samples(drawn, 20).find((value) => typeOf(value) === "object") ?? samples(drawn, 1)[0],
    );
    const call = (options: object) => loosely(subject)[name](...others.with(at, options));
    return [{ title: `${title}: ${name}`, call, drawn: args[at] as DrawnOptions }];
  }),
);
/** Options with what a call needs, and nothing else. */
const needed = ({ wanted, required }: DrawnOptions): Record<string, unknown> =>
  Object.fromEntries(
    required.map((name) => [name, samples(wanted[name]!).find((value) => typesOf(wanted[name]!).has(typeOf(value)))]),
  );
/** A name with two letters changed round, as typing slips are. */
const misspelt = (name: string) => name.slice(0, 1) + name[2]! + name[1]! + name.slice(3);

describe.each(calls)("$title", ({ call, drawn }) => {
  const names = Object.keys(drawn.wanted);

  it("refuses names that nobody knows, and says which was meant", async () => {
    for (const name of names.filter((name) => name.length > 3 && name[1] !== name[2])) {
      const error = await caught(() => call({ ...needed(drawn), [misspelt(name)]: 1 }));
      expectError(error, "invalid-argument", misspelt(name));
      expect((error as Error).message).toContain(`did you mean \`${name}\`?`);
    }
    const unknown = await caught(() => call({ ...needed(drawn), quixotic: 1 }));
    expect((unknown as Error).message).toMatch(/^quixotic: unknown option; known are /);
    for (const none of [null, 5, "options"]) expectError(await caught(() => call(loosely(none))), "invalid-argument");
  });

  it.each(names)("refuses %s of another type", async (name) => {
    const taken = typesOf(drawn.wanted[name]!);
    const wrong: unknown[] = [Symbol("no"), () => 1, 1n, "sideways", 1, true, false, null, { not: "this" }];
    for (const value of wrong.filter((value) => typeof value === "object" || !taken.has(typeOf(value)))) {
      const error = await caught(() => call({ ...needed(drawn), [name]: value }));
      expect(error, String(typeof value)).toBeInstanceOf(PosencError);
      if (typeof value !== "object") expect((error as PosencError).field).toBe(name);
      expect(
        (error as Error).message,
        `${name}: ${String(typeof value === "object" ? "object" : typeof value)}`,
      ).toMatch(/must (be|have|hold|come)|requires|unknown option|is missing|data/);
    }
  });

  it("asks each getter once, also where the call fails", async () => {
    const asked: Record<string, number> = {};
    const options = needed(drawn);
    const counting = Object.defineProperties(
      {},
      Object.fromEntries(
        names.map((name) => [
          name,
          { enumerable: true, get: () => ((asked[name] = (asked[name] ?? 0) + 1), options[name]) },
        ]),
      ),
    );
    await caught(() => call(counting));
    expect(asked).toEqual(Object.fromEntries(names.map((name) => [name, 1])));
  });
});

describe("options that are not plain", () => {
  class Settings {
    get layout() {
      return "bthd";
    }
    get offset() {
      return 3;
    }
  }
  const options = { layout: "bthd", offset: 3 };
  it.each<[string, object]>([
    ["inherited", Object.create(options)],
    ["partly inherited", Object.assign(Object.create({ offset: 3 }), { layout: "bthd" })],
    ["of a class", new Settings()],
    ["without a prototype", Object.assign(Object.create(null), options)],
  ])("%s: they have effect", (_, given) => {
    const [x, y] = [randomTensor([1, 2, 3, 4], 1), randomTensor([1, 2, 3, 4], 1)];
    const two = pe.create({ kind: "rope", dim: 4 });
    expect(two.apply(x, loosely(given)).data).toEqual(two.apply(y, { layout: "bthd", offset: 3 }).data);
    expect(() => two.apply(x, loosely(Object.create({ offfset: 3 })))).toThrow(refusedAt("offfset"));
  });
});

describe("options without effect beside the others", () => {
  const x = () => randomTensor([1, 1, 2, 4], 3);
  const refuses = async (call: () => unknown, field: string) => {
    const error = await caught(call);
    expectError(error, "invalid-argument", field);
    expect((error as Error).message).toMatch(/without effect|not both/);
  };
  const llama = { hidden_size: 64, num_attention_heads: 4, rope_theta: 10000 };
  it.each<[string, string, () => unknown]>([
    ["rerotate", "positions", () => rope.rerotate(x(), { from: [0, 1], to: 5, positions: [3, 4] })],
    ["rerotate", "offset", () => rope.rerotate(x(), { from: [0, 1], to: 5, offset: 3 })],
    ["addTo", "seed", () => createTable({ kind: "sinusoidal", dim: 4 }).addTo(randomTensor([2, 4]), { seed: 3 })],
    [
      "attentionBackward",
      "out.bias",
      () => pe.attentionBackward(x(), x(), x(), x(), { out: { bias: randomTensor([2, 2]) } }),
    ],
    ["fromConfig", "layerType", () => pe.fromConfig(llama, { layerType: "full_attention" })],
    ["fromConfig", "pairing", () => pe.fromConfig({ model_type: "bloom", n_head: 4 }, { pairing: "half" })],
    ["explain", "layerType", () => explain(pe, loosely(rope), loosely({ layerType: "vision" }))],
    ["compare", "pairing", () => compare(pe, rope, rope, { pairing: "half" })],
    [
      "step",
      "betas",
      () =>
        createTable({ kind: "learned", length: 1, dim: 2 }).step(
          loosely({ optimizer: "sgd", learningRate: 1, betas: [0, 0] }),
        ),
    ],
    ["init", "variant", () => init({ source: new Uint8Array(8), variant: "simd" })],
  ])("%s: %s", (_, field, call) => refuses(call, field));

  it("are fine where they may have one", () => {
    const table = createTable({ kind: "sinusoidal", dim: 4 });
    table.addTo(randomTensor([2, 4]), { dropout: 0, seed: 3, training: false });
    table.addTo(randomTensor([2, 4]), { training: false });
    rope.rerotate(x(), { from: rope, to: [1, 2], positions: [3, 4] });
    compare(pe, { ...llama, model_type: "llama" }, rope, { pairing: "interleaved" });
    expect(
      pe.fromConfig({ ...llama, layer_types: ["full_attention", "sliding_attention"] }, { layerType: "full_attention" })
        .kind,
    ).toBe("rope");
  });
});

describe("init", () => {
  it("reads its options before it looks for an instance that it has", async () => {
    await init();
    const error = await caught(() => init(loosely({ sorce: "nowhere.wasm" })));
    expectError(error, "invalid-argument", "sorce");
    expect((error as Error).message).toContain("did you mean `source`?");
    let asked = 0;
    await init({
      get variant() {
        asked++;
        return "simd" as const;
      },
    });
    expect(asked).toBe(1);
  });
});

describe("flags", () => {
  const q = () => randomTensor([1, 1, 2, 4], 3);
  it.each<[string, (value: any) => unknown]>([
    ["causal", (causal) => pe.attention(q(), q(), q(), { causal })],
    ["inverse", (inverse) => rope.apply(q(), { inverse })],
    ["transpose", (transpose) => rope.apply(q(), { transpose })],
    ["training", (training) => createTable({ kind: "sinusoidal", dim: 4 }).addTo(randomTensor([2, 4]), { training })],
    ["zeroWrapped", (zeroWrapped) => pe.relativeShift(randomTensor([2, 3]), { zeroWrapped })],
  ])("%s is true or false, nothing that counts as either", async (name, call) => {
    for (const value of [0, 1, "", "no", "true", null, {}, []])
      expectError(await caught(() => call(value)), "invalid-argument", name);
    for (const value of [true, false, undefined]) call(value);
  });
});

describe("posenc/transformers", () => {
  const x = () => ({ ...randomTensor([1, 2, 4], 3), type: "float32" });
  const alibi = createBias({ kind: "alibi", heads: 2 });
  it.each<[string, (options: any) => unknown, string]>([
    ["addPositional", (options) => addPositional(x(), createTable({ kind: "sinusoidal", dim: 4 }), options), "dropout"],
    ["rotaryInputs", (options) => rotaryInputs(rope, options && { length: 2, ...options }), "layout"],
    ["attentionBias", (options) => attentionBias(alibi, options && { keys: 2, ...options }), "causal"],
    ["positionIds", (options) => positionIds([[1, 1]], options), "pastLength"],
    [
      "interpolatePositionEmbeddings",
      (options) => interpolatePositionEmbeddings(x(), pe, options && { grid: [2], ...options }),
      "antialias",
    ],
  ])("%s", async (_, call, name) => {
    call({});
    expectError(await caught(() => call({ [misspelt(name)]: 1 })), "invalid-argument", misspelt(name));
    expectError(await caught(() => call({ [name]: Symbol("no") })), "invalid-argument", name);
    expectError(await caught(() => call(null)), "invalid-argument");
  });
});

it("pope and others take what they are given once", () => {
  const pope = createRelative({ kind: "pope", dim: 4, heads: 1 });
  expect(refusal(() => pope.expand(randomTensor([1, 1, 2, 4]), loosely({ rôle: "key" }))).message).toContain(
    "did you mean `role`?",
  );
});
