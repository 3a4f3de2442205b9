// Random calls of the whole API, with arguments good and bad, drawn by fast-check: each ends with a result or with the
// library's own error. A certain seed, or more runs, by hand, in Node: POSENC_FUZZ_SEED=7 POSENC_FUZZ_RUNS=5000 npx vitest
// run …; in the engines: POSENC_FUZZ_RUNS=5000 node tests/engines/run.mjs only=fuzz
import { Encoding, PosencError } from "posenc";
import type { Description } from "posenc";
import { layerSpecs } from "posenc/config";
import { compare, explain } from "posenc/explain";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { callsOf, libraryCalls } from "./helpers/fuzz-calls";
import { callSizes, resident } from "./helpers/fuzz-values";
import type { Drawn, Plan, Sizes } from "./helpers/fuzz-values";
import { createAny, descriptions, loosely, pe } from "./helpers/library";
import { anySpec, Random } from "./helpers/random-spec";

/** Another one in each run: see tests/fuzz/seed.mjs. A failure prints it, and the shortest calls that fail. */
declare const __FUZZ_SEED__: number;
declare const __FUZZ_RUNS__: number;
/** No engine needs this long: what takes longer hangs. */
const limit = Math.max(60_000, 600 * __FUZZ_RUNS__);
const settings = {
  interruptAfterTimeLimit: limit,
  markInterruptAsFailure: true,
  seed: __FUZZ_SEED__,
  numRuns: __FUZZ_RUNS__,
};

const codes = [
  ...["invalid-spec", "invalid-argument", "shape-mismatch", "out-of-range", "out-of-memory", "disposed", "unsupported"],
];

/** The bytes of every array that can be reached from a value. */
function arraysIn(value: unknown, depth = 0): ArrayBufferView[] {
  if (ArrayBuffer.isView(value)) return [value];
  if (value === null || typeof value !== "object" || value instanceof Encoding || depth > 3) return [];
  const data = "dispose" in value && "data" in value ? [value.data] : Object.values(value);
  return data.flatMap((item) => arraysIn(item, depth + 1));
}
const bytesOf = (view: ArrayBufferView) => new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
const same = (a: Uint8Array, b: Uint8Array) => a.length === b.length && a.every((byte, i) => byte === b[i]);

/** A value as one can read it: of arrays the beginning, of the library's objects what they are. */
function shown(value: unknown): string {
  if (ArrayBuffer.isView(value))
    return `${value.constructor.name}(${Array.from(value as Uint8Array)
      .slice(0, 8)
      .join()} …)`;
  if (Array.isArray(value)) return `[${value.map(shown).join(", ")}]`;
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value === "bigint") return `${value}n`;
  if (value === null || typeof value !== "object") return String(value);
  if (value instanceof Encoding) return `the ${value.kind} encoding`;
  const owned = "dispose" in value && "dims" in value ? { resident: true, dims: value.dims } : value;
  return `{ ${Object.entries(owned)
    .map(([name, item]) => `${name}: ${shown(item)}`)
    .join(", ")} }`;
}

/** A result, or an error with code and words; then nothing that was given has changed. */
function check(what: string, call: (...args: unknown[]) => unknown, args: unknown[]): unknown {
  const arrays = () => args.flatMap((value) => arraysIn(value)).map(bytesOf);
  const before = arrays().map((bytes) => bytes.slice());
  try {
    return call(...args);
  } catch (error) {
    const complain = (complaint: string) => {
      throw new Error(`${what}(${args.map(shown).join(", ")}): ${complaint}: ${String(error)}`, { cause: error });
    };
    if (!(error instanceof PosencError)) return complain("not the library's error");
    if (!codes.includes(error.code) || !/\S{3}/.test(error.message)) complain("no code or no words");
    if (error.field === undefined && error.code !== "out-of-memory") complain("names no field");
    if (!arrays().every((bytes, i) => same(bytes, before[i]!))) complain("an input has changed");
    return undefined;
  }
}

/** Frees what a result holds in wasm memory. */
function free(result: unknown, kept: object): void {
  if (result !== null && typeof result === "object" && result !== kept && "dispose" in result)
    (result as { dispose(): void }).dispose();
}

interface Call {
  name: string;
  sizes: Sizes;
  plans: Plan[];
}

const callArbitrary = (calls: Record<string, Drawn[]>): fc.Arbitrary<Call> =>
  fc.constantFrom(...Object.keys(calls)).chain((name) =>
    fc.record({
      name: fc.constant(name),
      sizes: callSizes,
      plans: fc
        .tuple(fc.tuple(...calls[name]!), fc.oneof({ weight: 20, arbitrary: fc.constant(9) }, fc.nat(3)))
        .map(([plans, count]) => plans.slice(0, count)),
    }),
  );

const sizesOf = (encoding: Encoding): Sizes => {
  const { dim, axes, heads, pairs } = { ...encoding.spec, ...encoding } as unknown as Partial<Sizes>;
  return { dim: dim ?? 4, axes: axes ?? 1, pairs: pairs ?? Math.floor((dim ?? 4) / 2), ...(heads && { heads }) };
};

/** What an instance answers later is asked of posenc/explain and posenc/config, which answer at once. */
const atOnce: Record<string, (...given: any[]) => unknown> = {
  explain: (...given: [any]) => explain(pe, ...given),
  compare: (...given: [any, any]) => compare(pe, ...given),
  layers: (...given: [any]) => layerSpecs(...given),
};

function run(subject: object, what: string, encoding: Encoding, { name, sizes, plans }: Call): void {
  const all = { heads: sizes["H"]!, ...sizes, ...sizesOf(encoding) };
  const live = pe.liveBytes;
  try {
    const args = plans.map((plan) => plan(all));
    free(
      check(`${what}.${name}`, (...given) => (atOnce[name] ?? loosely(subject)[name].bind(subject))(...given), args),
      encoding,
    );
  } finally {
    for (const tensor of resident.splice(0)) tensor.dispose();
  }
  expect(pe.liveBytes, `${what}.${name} kept memory`).toBe(live);
}

function stillWorks(): void {
  const rope = pe.create({ kind: "rope", dim: 4 });
  expect([...rope.apply({ data: Float32Array.of(1, 2, 3, 4), dims: [1, 1, 1, 4] }, { offset: 0 }).data]).toEqual([
    1, 2, 3, 4,
  ]);
  rope.dispose();
}

const specSeed = fc.nat(1e6);
const smallSpecs = (description: Description, seed: number): Encoding | undefined =>
  check("pe.create", createAny, [anySpec(new Random(seed), description)]) as Encoding | undefined;

describe("random calls", () => {
  it.each(descriptions.map((description) => [description.kind, description] as const))(
    "of %s",
    (kind, description) => {
      const calls: Record<string, Drawn[]> = callsOf[description.family];
      const property = fc.property(specSeed, fc.array(callArbitrary(calls), { maxLength: 5 }), (seed, list) => {
        const encoding = smallSpecs(description, seed);
        if (!encoding) return;
        for (const call of list) run(encoding, kind, encoding, call);
        encoding.dispose();
      });
      fc.assert(property, settings);
      stillWorks();
    },
    limit,
  );

  it.each(["rope", "rope-axial", "alibi", "t5", "shaw", "cope", "learned"])(
    "of the library, with %s",
    (kind) => {
      const description = descriptions.find((candidate) => candidate.kind === kind)!;
      const encoding = createAny({ ...anySpecThatWorks(description) }) as Encoding;
      const property = fc.property(callArbitrary(libraryCalls(encoding)), (call) => run(pe, "pe", encoding, call));
      fc.assert(property, { ...settings, numRuns: 3 * settings.numRuns });
      encoding.dispose();
      stillWorks();
    },
    limit,
  );

  it(
    "of create(), with any object at all",
    () => {
      const property = fc.property(
        fc.anything({ withBigInt: true, withTypedArray: true, withNullPrototype: true }),
        (spec) => free(check("pe.create", createAny, [spec]), {}),
      );
      fc.assert(property, settings);
      const kinds = fc.constantFrom(...descriptions.map(({ kind }) => kind));
      const named = fc.property(kinds, fc.dictionary(fc.string({ minLength: 1 }), fc.anything()), (kind, fields) =>
        free(check("pe.create", createAny, [{ ...fields, kind }]), {}),
      );
      fc.assert(named, settings);
      stillWorks();
    },
    limit,
  );
});

function anySpecThatWorks(description: Description): object {
  for (let seed = 1; ; seed++) {
    const spec = anySpec(new Random(seed), description);
    const made = check("pe.create", createAny, [spec]);
    free(made, {});
    if (made) return spec;
  }
}
