// What the tools that judge packages say of the tarball, and whether its types serve any strict program.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { inRoot } from "../../../web/tasks/prepare.mjs";
import { install, run, tarball } from "./workspace.ts";

const { bin, exports, ...description } = JSON.parse(readFileSync(inRoot("package.json"), "utf8"));
let folder = "";

beforeAll(async () => {
  folder = await install("types");
}, 120_000);

describe("the tarball", () => {
  it("has no fault that publint knows", async () => {
    expect(await run(`publint ${tarball} --strict`, folder)).toContain("All good!");
  });
  it("has types that arethetypeswrong finds right", async () => {
    const withoutTypes = Object.keys(exports).filter((name) => !exports[name].types && name !== "./package.json");
    const excluded = `--exclude-entrypoints ${withoutTypes.join(" ")}`;
    const output = await run(`attw ${tarball} --profile esm-only --format ascii ${excluded}`, folder);
    expect(output).toContain("posenc/models");
  });
  it("can be published, within its limits", async () => {
    const published = JSON.parse(await run(`npm publish --dry-run --json --loglevel=error ${tarball}`, folder));
    // Newer versions of npm tell by package.
    const { name, version, size, unpackedSize } = published.posenc ?? published;
    expect([name, version]).toEqual(["posenc", description.version]);
    // 30 KB more than before posenc/onnx read graphs of any exporter, named what it cannot change and inferred shapes; 2 KB
    // more make tables as long as a scaling's texts, and config.json say the rotation of each kind of layer.
    // 4 KB are docstrings of all declarations, and configs, caches and graphs that are checked instead of read in part.
    // 2 KB are kernels for tensors beyond the caches, in the builds with SIMD.
    // 43 KB are the library in parts, beside the builds in one piece: the first call in a page loads 84 KB instead of 175.
    // 48 KB are a module and its types for each of 274 models: one costs a page 0.4 KB instead of 25.
    // 13 KB write windows and remapped distances, and compute the memory of caches.
    // 3 KB are the axes of single pairs in configs, and four models.
    // 7 KB are the kind inkling in all builds; 2 KB are --explain.
    // 20 KB are posenc/cache-file; 2 KB report progress, abort, and shift caches by axis.
    // 89 KB are posenc/worker: its script has the whole library.
    // 2 KB are the notices of third parties.
    // 18 KB are posenc/inspector.
    // 0.8 KB restore cache files in the core, two to three times as fast in a page that has just loaded; tables on the GPU once.
    // 1 MB are maps from the modules to their sources: a stack leads to the TypeScript, and a debugger shows it.
    // 1.6 KB align memory and compute multipliers of neighbours together, in all builds.
    expect(size).toBeLessThanOrEqual(2_244_000);
    // A quarter of it are declarations with what each call returns and throws, and of each overload, too.
    // 3 KB are kernels for tensors beyond the caches.
    // 90 KB are the parts.
    // 215 KB are the modules of one model.
    // 42 KB write windows and remapped distances, and compute the memory of caches.
    // 11 KB are the axes of single pairs in configs, and four models.
    // 18 KB are the kind inkling; 9 KB are --explain.
    // 57 KB are posenc/cache-file; 6 KB report progress, abort, and shift caches by axis.
    // 285 KB are posenc/worker.
    // 5 KB are the notices of third parties.
    // 50 KB are posenc/inspector.
    // 3 KB are the same.
    // 3.4 MB are the maps.
    expect(unpackedSize).toBeLessThanOrEqual(6_612_000);
  });
  it("asks for nothing else, and has no effect at import", () => {
    expect(description).toMatchObject({ type: "module", sideEffects: false });
    expect(Object.keys(description).filter((name) => /^(d|optionalD|peerD|bundledD)ependencies$/i.test(name))).toEqual(
      [],
    );
  });
  it("names the script for CDNs", () => {
    expect([description.jsdelivr, description.unpkg]).toEqual(Array(2).fill("./dist/posenc.iife.js"));
  });
  it("holds every file that it names, and no other kinds", () => {
    const names = execFileSync("tar", ["tzf", tarball], { encoding: "utf8" }).trim().split("\n");
    const named = Object.values(exports).flatMap((target) =>
      typeof target === "string" ? target : Object.values(target!),
    );
    for (const program of Object.values(bin)) expect(names).toContain(`package/${program}`);
    expect(named.length).toBeGreaterThan(8);
    for (const name of named) {
      const [start, end = ""] = name.replace(".", "package").split("*");
      const holds = name.includes("*") ? (one: string) => one.startsWith(start!) && one.endsWith(end) : undefined;
      expect(holds ? names.some(holds) : names.includes(start!), name).toBe(true);
    }
    const kinds =
      /^package\/(dist\/[\w.-]+\.(js|js\.map|wasm)|dist\/models\/[\w.-]+\.(js|d\.ts)|dist\/types\/[\w/.-]+\.d\.ts|package\.json|README(\.zh-CN)?\.md|LICENSE|THIRD_PARTY\.md)$/;
    expect(names.filter((name) => !kinds.test(name))).toEqual([]);
  });
});

const program = `import { init, PosencError, type AttentionOptions, type Bfloat16Tensor, type Float16Tensor, type Spec, type Tensor, RotaryEncoding, LearnedTable, TableEncoding, WasmTensor } from "posenc";
import { init as initInline } from "posenc/inline";
import { models, recommend, type Model, type ModelId } from "posenc/models";
import { addPositional, rotaryInputs, withRotaryTables } from "posenc/transformers";
const pe = await init({ variant: "simd" });
const rope: RotaryEncoding = pe.create({ kind: "rope", dim: 64, pairing: "half" });
const table: Tensor = pe.create({ kind: "sinusoidal", dim: 8 }).table({ length: 4 });
const slopes: Float32Array = pe.create({ kind: "alibi", heads: 8 }).slopes;
const spec: Spec = { kind: "rope-yarn", dim: 64, factor: 4, originalLength: 4096 };
// @ts-expect-error a typing slip is an error
pe.create({ kind: "rope", dim: 64, bse: 1 });
// @ts-expect-error so is an unknown kind
pe.create({ kind: "ropes", dim: 64 });
// @ts-expect-error and a source that is none
await init(42);
await init(new Uint8Array(8));
const error: PosencError["code"] = "out-of-range";
const model: Model | undefined = models["llama-2-7b"];
const ids: readonly string[] = recommend("vision").models;
const hidden = { type: "float32", data: new Float32Array(8), dims: [1, 1, 8] };
const sum: typeof hidden = addPositional(hidden, pe.create({ kind: "sinusoidal", dim: 8 }));
const dims: readonly number[] = rotaryInputs(rope, { length: 8 }).cos.dims;
// Results are what they are said to be: a new tensor, or the one that was given.
const q = pe.tensor([1, 2, 4, 64]);
const options: AttentionOptions = { causal: true, encoding: rope };
const later: Promise<Tensor> = (async () => pe.attention(q, q, q, options))();
const inPlace: WasmTensor = pe.attention(q, q, q, { ...options, out: pe.tensor([1, 2, 4, 64]) });
const keep = (set: (value: Tensor) => void): void => set(pe.attentionWeights(q, q));
const gradient: Tensor = pe.attentionBackward(q, q, q, inPlace).q;
const cosines: Tensor[] = Object.values(rope.tables({ length: 8 }));
const given: Float32Array = rope.tables({ length: 8, out: { cos: q, sin: q } }).cos.data;
const halves: Tensor = pe.toFloat32(pe.toFloat16(q));
// So are those of 16 bits.
const bits = { type: "float16" as const, data: new Uint16Array(512), dims: [1, 2, 4, 64] };
const attended: Float16Tensor<Uint16Array> = pe.attention(bits, q, pe.toBfloat16(q), options);
const brains: Bfloat16Tensor = pe.attentionWeights(pe.toBfloat16(q), bits);
const mixed: Tensor = pe.attention({ data: new Float32Array(512), dims: [1, 2, 4, 64] }, bits, bits);
const turnedHalves: typeof bits = rope.apply(bits, { offset: 4097 });
const joined: Float16Tensor = pe.create({ kind: "sinusoidal", dim: 8 }).concatTo(bits);
const halfCosines: Float16Tensor = rope.tables({ length: 8, type: "float16" }).cos;
const residentHalves: WasmTensor<"float16"> = pe.tensor([1, 2, 4, 64], { type: "float16" });
const attendedHalves: Float16Tensor = pe.attention(residentHalves, bits, q);
const residentBits: Uint16Array = pe.tensor(new Uint16Array(8), [8], { type: "bfloat16" }).view([2, 4]).data;
const residentFloats: Float32Array = pe.tensor([8], { type: "float32" }).data;
declare const either: Float16Tensor | Tensor;
const eitherResult: Float16Tensor | Tensor = pe.attention(either, q, q);
declare const chosenType: "float16" | "bfloat16";
const chosenTable: Float16Tensor | Bfloat16Tensor = pe.create({ kind: "sinusoidal", dim: 8 }).table({ length: 2, type: chosenType });
// @ts-expect-error halves have no floats
const noFloats: Float32Array = pe.attention(bits, q, q).data;
// @ts-expect-error nor has a tensor of 16 bits
const noMoreFloats: Tensor = pe.tensor([8], { type: "float16" });
// @ts-expect-error no such type
pe.tensor([8], { type: "float64" });
// @ts-expect-error halves are no floats
rope.apply({ type: "float16", data: new Float64Array(8), dims: [1, 1, 1, 8] });
declare const perhaps: { length: number; type?: "float16" };
// @ts-expect-error a type that may be missing tells nothing
rope.tables(perhaps);
// @ts-expect-error what a call does not take is an error
pe.attention(q, q, q, { casual: true });
// Models by id, configs by family; any encoding tells its family.
const pairs: number = pe.create(models["llama-3.1-8b"].spec).pairs;
const window: number = models["llama-3.1-8b"].contextLength;
const told: Promise<object> | object = pe.compare(models["llama-3-8b"].config, models["llama-3.1-8b"].config);
declare const id: ModelId;
const chosen = pe.create(models[id].spec);
if (chosen.family === "rotary") chosen.apply(q);
// @ts-expect-error nothing limits it
const unlimited: number = models["transformer-base"].contextLength;
// What only some kinds have sits on their classes.
const emb = pe.create({ kind: "learned", length: 16, dim: 8 });
const rows: Float32Array = emb.resize({ length: 32 }).weights.data;
const moved: Tensor = pe.create({ kind: "sinusoidal", dim: 8 }).shift(3);
const far: Int32Array = pe.create({ kind: "shaw", dim: 8, maxDistance: 4 }).bucketOf([1, 2]);
const places: Tensor = pe.create({ kind: "cope", dim: 64, maxPosition: 8 }).contextPositions(q, q);
const tables: TableEncoding[] = [emb, pe.create({ kind: "integer" })];
for (const one of tables) if (one instanceof LearnedTable) one.weights.data.fill(0);
// @ts-expect-error one-hot rows do not turn into each other
pe.create({ kind: "one-hot", dim: 8 }).shift(3);
// @ts-expect-error a table of sinusoids learns nothing
pe.create({ kind: "sinusoidal", dim: 8 }).weights;
// @ts-expect-error a straight line has no buckets
pe.create({ kind: "alibi", heads: 8 }).buckets({ queries: 1, keys: 1 });
// Options are those of the call.
pe.create({ kind: "sinusoidal-2d", dim: 8 }).table({ grid: [2, 2], prefix: 1 });
// @ts-expect-error rows of a table do not go by the sequence
pe.create({ kind: "sinusoidal", dim: 8 }).table({ length: 2, sequenceLength: 4 });
// @ts-expect-error nor are there rotations before a grid
rope.apply(q, { grid: [2, 2], prefix: 1 });
// @ts-expect-error the keys say how many they are
pe.attention(q, q, q, { at: { length: 2 } });
// @ts-expect-error there is no such gradient
pe.attentionBackward(q, q, q, q, { out: { queries: q } });
const turned: RotaryEncoding = pe.fromConfig({ model_type: "llama" }, { family: "rotary" });
declare const generator: { model: Parameters<typeof withRotaryTables>[0] };
const undo: () => void = withRotaryTables(generator.model, pe.fromConfig({}, { family: "rotary" }));
// @ts-expect-error no such family
pe.fromConfig({}, { family: "rotations" });
export { attended, brains, mixed, turnedHalves, joined, halfCosines, attendedHalves, residentBits, residentFloats, eitherResult, chosenTable, noFloats, noMoreFloats };
export { later, inPlace, keep, gradient, cosines, given, halves, pairs, window, told, unlimited, rows, moved, far, places, turned, undo };
export { sum, dims, rope, table, slopes, spec, error, model, ids, initInline };
`;

describe("types, strict and with those of the libraries checked", () => {
  const libraries = {
    "for browsers": { lib: ["es2022", "dom"], types: [] },
    "for Node": { lib: ["es2022"], types: ["node"], typeRoots: [inRoot("node_modules", "@types")] },
  };
  const cases = Object.entries({ nodenext: "nodenext", bundler: "esnext" }).flatMap(([moduleResolution, module]) =>
    Object.entries(libraries).map(([name, options]) => ({
      name: `${moduleResolution}, ${name}`,
      options: {
        noEmit: true,
        strict: true,
        skipLibCheck: false,
        target: "es2022",
        module,
        moduleResolution,
        ...options,
      },
    })),
  );
  it.concurrent.for(cases)("$name", async ({ name, options }, { expect }) => {
    const config = `tsconfig.${name.replaceAll(/\W+/g, "-")}.json`;
    writeFileSync(join(folder, "program.ts"), program);
    writeFileSync(join(folder, config), JSON.stringify({ compilerOptions: options, files: ["program.ts"] }));
    // tsc tells its complaints, and fails with them.
    const output = await run(`node ${inRoot("node_modules", "typescript", "bin", "tsc")} --project ${config}`, folder);
    expect(output).toBe("");
  });

  // web/docs/errors.md says so of TS1479.
  it.concurrent.for([
    { module: "nodenext", faults: [] },
    { module: "node16", faults: ["now.ts(1", "now.ts(2"] },
  ])("CommonJS, $module", async ({ module, faults }, { expect }) => {
    const common = await install(`types of CommonJS, ${module}`, undefined, { type: "commonjs" });
    const now = `import { init } from "posenc";\nimport { models } from "posenc/models";\nexport { init, models };\n`;
    const later = `export const later = import("posenc").then(({ init }) => init()).then((pe) => pe.variant);\n`;
    writeFileSync(join(common, "now.ts"), now);
    writeFileSync(join(common, "later.ts"), later);
    const flags = `--ignoreConfig --noEmit --strict --target es2022 --lib es2022,dom --module ${module}`;
    const compiler = inRoot("node_modules", "typescript", "bin", "tsc");
    const output = await run(`node ${compiler} ${flags} now.ts later.ts`, common).catch(String);
    const errors = output.match(/\w+\.ts\(\d+(?=,\d+\): error TS1479:)/g) ?? [];
    expect([errors, output.match(/error TS/g)?.length ?? 0]).toEqual([faults, faults.length]);
  });
});
