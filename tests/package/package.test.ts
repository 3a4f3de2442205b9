// The built package: its sizes, and that importing it does nothing. Whether it works where people use it: consumers/.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { pathToFileURL } from "node:url";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { entryModules, loadedAtOnce, programs, withImports } from "../../web/tasks/distributed.mjs";
import { withoutNames } from "../../web/tasks/difference.mjs";
import { inRoot } from "../../web/tasks/prepare.mjs";
import { gzipped } from "./documents.ts";
import { isWhole } from "./whole";

const KB = 1024;
const dist = (name: string): string => inRoot("dist", name);
const distUrl = (name: string): string => pathToFileURL(dist(name)).href;
const read = (name: string): string => readFileSync(dist(name), "utf8");

const expectAtMost = (limit: number, what: string, bytes: number): void =>
  expect(
    bytes / KB,
    `KB of ${what}; a feature worth more is a higher limit in tests/package/package.test.ts`,
  ).toBeLessThanOrEqual(limit);

const without = (names: string[], others: string[]): string[] => names.filter((name) => !others.includes(name));

/** The files of a part of the library. */
const partFiles = (part: string): string[] =>
  [`shared-part-${part}.js`, `posenc.${part}.wasm`].filter((name) => existsSync(dist(name)));
const firstCall = (...parts: string[]): string[] => [
  ...loadedAtOnce("index.js"),
  "posenc.base.wasm",
  ...parts.flatMap(partFiles),
];

describe.runIf(isWhole)("sizes", () => {
  // 0.3 KB refuse to move tokens of a cache beyond the last position, and give queries of each head their own temperature;
  // 0.5 KB keep the digits of learned frequencies' gradients far from position 0.
  // 0.1 KB check the positions of keys as they are appended to a cache.
  // 0.2 KB say which biases depend on the distance alone, which posenc/webgpu guessed.
  // 2.2 KB (0.7 KB as sent, in every line below that has the part relative) are the kind inkling: its bias, gradients, input
  // and temperature.
  // 0.8 KB (0.3 KB as sent, in every line below that has the part cache) shift the axes of cached positions apart.
  // 0.3 KB (0.1 KB as sent, in every line below that has attention or the cache) divide attention into chunks of queries.
  // 0.4 KB (0.2 KB as sent, in every line below that has the base) sum and sort bytes of cache files, so that a page that has just
  // loaded restores them three times as fast.
  // 1 KB (0.5 KB as sent, in every line below that has the base) align memory to the lines of the cache and compute multipliers of
  // neighbouring positions together: RoPE takes a tenth to a quarter less time, decoding from token-major keys executes a third
  // fewer instructions, float16 is converted in a sixth less time.
  it.each(Object.entries({ simd: 279.5, relaxed: 279.3, scalar: 292.4 }))(
    "of the build %s, whole",
    async (variant, limit) => {
      const bytes = await withoutNames(readFileSync(inRoot("build", "wasm", `posenc.${variant}.wasm`)));
      expectAtMost(limit, variant, bytes.length);
    },
  );
  it.each<[limit: number, what: string, files: () => string[]]>([
    // 4 KB are caches that roll: any number of tokens, masks of them behind sinks, undo, checksums.
    [129.1, "the simd build, with the relaxed one", () => ["posenc.simd.wasm"]],
    [1, "what differs in the relaxed build", () => ["posenc.relaxed.wasm"]],
    // 0.9 KB are kernels of rows, which only builds with SIMD have: tensors beyond the caches rotate 1.2 to 1.5 times as fast.
    // 0.2 KB: the simd build, that it is a difference from, is 2.3 KB smaller, and its functions have another order.
    [32.4, "what differs in the scalar build", () => ["posenc.scalar.wasm"]],
    [22.6, "what differs in the build with threads", () => ["posenc.threads.wasm"]],
    // 2.7 KB name the fix in messages (other libraries' names, arrays without dims) and print objects on a line; 0.2 KB put
    // off drawing first values until they are read.
    // 0.1 KB let calls go on after the end of threads, and call methods what they do.
    // 0.1 KB are checks of configs without M-RoPE sections, and of positions that are appended to a cache.
    // 0.1 KB here, and as much for each module of the lines below, name the maps to the sources.
    // 0.1 KB break lines, so that the message of an uncaught error is not lost behind one of 70 KB.
    [25.5, "JavaScript at the first call", () => loadedAtOnce("index.js")],
    // 0.2 KB, here and in the lines below with the base, convert finite float16 numbers in half the steps.
    [79.6, "the first call: the base with its JavaScript", () => firstCall()],
    [104.7, "with attention", () => firstCall("attention")],
    [54.2, "the base", () => ["posenc.base.wasm"]],
    // 1.3 KB, 1.4 KB and less in the lines below are data that only a part uses, which the base had before: it is 2.3 KB smaller.
    [25.1, "the part attention", () => partFiles("attention")],
    [28, "the part relative", () => partFiles("relative")],
    [17.3, "the part training", () => partFiles("training")],
    [19.2, "the part cache", () => partFiles("cache")],
    [3.5, "the part resize", () => partFiles("resize")],
    // 0.1 KB, in every line below with configs, refuse lengths of patterns of layers that are no whole numbers.
    // 4.6 KB are `layerSpecs`, which came with `layers` before: facts of model types are one table.
    [22.1, "the part config", () => partFiles("config")],
    [3.5, "the part ids", () => partFiles("ids")],
    // Messages about options of attention name `encoding` and `at: { positions }`.
    // 5.5 KB are the parts: what loads them, and what their files, compressed each for itself, no longer share.
    // 0.1 KB, in every line below with all parts: caches say their layout.
    [84.2, "JavaScript in all", () => withImports("index.js")],
    // 6 KB are the facts of 190 rotary model types, and what is said of types without facts.
    // 0.6 KB are `cacheBytes`, 0.5 KB `llamaCppOptions`, 0.3 KB Inkling's layers.
    // 0.8 KB, here and wherever configs are read, are the axes of pairs of ERNIE, Ling, Ming and openPangu.
    [27.5, "posenc/config", () => withImports("config.js")],
    [6.9, "posenc/ids", () => withImports("ids.js")],
    // 1.7 KB check graphs as they are read and keep what each value was found to be, so that work grows as graphs do.
    // 6 KB find positions in graphs of any exporter, by what they are made of: tables that a Slice reads, rotations by constants
    // and over patches, M-RoPE, frequencies that a graph computes; time steps of diffusion models are none.
    // 0.1 KB recognise ALiBi's slopes of any maxBias.
    // 0.1 KB recognise Git LFS pointers and text.
    // 0.5 KB are the edges of files that load only for windows and remapped distances.
    // 0.6 more in both lines report progress, abort, and refuse unknown options.
    // 0.1 more in both lines reads pairs from graphs that exchange features by a matrix.
    // 0.3 more in both lines: MRotaryEmbedding, and operators that rotate differently by one table.
    [31.4, "posenc/onnx, to look", () => loadedAtOnce("onnx.js")],
    // 9 KB infer shapes through changed graphs, so that no rewrite writes a file that cannot run; 8 KB name what cannot be changed;
    // 5 KB copy what components share and give each the rotation of its layers; 0.5 KB keep rows that are there already, bit for
    // bit, and refuse pairs that the graph does not have; 0.5 KB make tables as long as the texts of a scaling.
    // 0.3 KB find tables that are inputs, and reject files of other formats and kinds by name.
    // 11 KB write windows, remapped distances and temperatures, and replace fused attention by its parts; 0.5 KB find and remove them.
    [79.9, "posenc/onnx in all", () => withImports("onnx.js")],
    // 0.9 KB are these kernels.
    // 5 KB are its JavaScript in parts.
    [238.2, "posenc/inline", () => withImports("inline.js")],
    // 2 KB keep hostile models, names and links from harming files and terminals; 1.8 KB give the config.json of a checkout the new
    // rotation of each kind of layer, and read it to see that it says so.
    // 0.3 KB name the program's own options in messages, and give the config.json new biases.
    // 0.4 KB are windows and distances: options, and the config.json that has the window; 0.3 KB report the memory of the cache.
    // 0.1 KB are genai_config.json. 1.4 KB are --explain.
    [18.4, "the program, beside posenc/onnx and posenc/inline", () => programs().map((name) => `${name}.js`)],
    // Files of keys and values: 3 KB are the reader of options, which other entries share. 0.4 KB read ahead. 0.3 KB let the core sum
    // and sort bytes.
    [12.3, "posenc/cache-file", () => withImports("cache-file.js").filter((name) => name !== "shared-errors.js")],
    [4.5, "posenc/worker, before a worker starts", () => loadedAtOnce("worker.js")],
    [84, "posenc/worker in all", () => [...withImports("worker.js"), "posenc.worker.js"]],
    [6.2, "posenc/inspector, before a file", () => loadedAtOnce("inspector.js")],
    [
      16.5,
      "posenc/inspector, its own files",
      () => without(withImports("inspector.js"), withImports("index.js", "onnx.js", "config.js")),
    ],
    // Names of models and the keys of caches are checked. 0.4 KB shift caches by axis, and re-rotate them for LongRoPE.
    [7.5, "posenc/transformers beside posenc", () => ["transformers.js"]],
    [14, "posenc/webgpu", () => withImports("webgpu.js")],
    // 1.7 KB are the same; 0.5 KB are `layerSpecs` and a row for each model type.
    [195.6, "the script", () => ["posenc.iife.js"]],
  ])("%s KB as sent: %s", (limit, what, files) => expectAtMost(limit, what, gzipped(...files())));
});

describe("one model alone", () => {
  const all = readdirSync(dist("models")).filter((name) => name.endsWith(".js"));
  it("is a module for each id", () => {
    // In a process of its own: vitest transforms each module that it imports.
    const code = `
      import { deepStrictEqual } from "node:assert";
      const { models } = await import(${JSON.stringify(distUrl("models.js"))});
      const folder = ${JSON.stringify(distUrl("models/"))};
      for (const [id, model] of Object.entries(models))
        deepStrictEqual((await import(folder + id + ".js")).default, { ...model }, id);
      console.log(JSON.stringify(Object.keys(models)));`;
    const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", code], { encoding: "utf8" });
    expect(stderr).toBe("");
    expect(all.map((name) => name.slice(0, -3)).sort()).toEqual(JSON.parse(stdout).sort());
  });
  it("imports nothing, and has at most 1.1 KB", () => {
    const sizes = all.map((name) => gzipped(`models/${name}`) / KB);
    expect(Math.max(...sizes)).toBeLessThan(1.1);
    expect(sizes.sort((a, b) => a - b)[sizes.length >> 1]).toBeLessThan(0.4);
    for (const name of all) expect(read(`models/${name}`)).not.toMatch(/^import|require/);
  });
});

/** Names of the values that an entry declares. */
function publicNames(entry: string): string[] {
  const program = ts.createProgram([dist(`types/${entry}.d.ts`)], { lib: ["lib.esnext.d.ts"], types: [] });
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(dist(`types/${entry}.d.ts`))!;
  return checker.getExportsOfModule(checker.getSymbolAtLocation(source)!).flatMap((symbol) => {
    const aliased = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    const isTypeOnly = symbol.declarations?.some((one) => ts.isTypeOnlyExportDeclaration(one));
    return aliased.flags & ts.SymbolFlags.Value && !isTypeOnly ? [symbol.name] : [];
  });
}

describe("the modules", () => {
  const modules = readdirSync(dist("")).filter((name) => name.endsWith(".js"));
  it.runIf(isWhole)("are all reached from those that users import or run, or from <script>", () => {
    const reached = withImports(...[...entryModules(), ...programs()].map((name) => `${name}.js`));
    expect(modules.sort()).toEqual([...new Set([...reached, "posenc.iife.js", "posenc.worker.js"])].sort());
  });
  it.each(entryModules())("%s exports its public names, and no others", async (name) => {
    const found = Object.keys(await import(dist(`${name}.js`)));
    expect(found.sort()).toEqual(publicNames(name).sort());
  });
  const failing = `import { init } from ${JSON.stringify(dist("inline.js"))}; (await init()).create({ kind: "rope", dim: 3 });`;
  it("leave the message of an uncaught error in sight", () => {
    const { stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", failing], { encoding: "utf8" });
    expect(stderr).toContain("PosencError: rope.dim");
    expect(stderr.length).toBeLessThan(8000);
  });
  it.runIf(isWhole)("have maps to their sources, as these are", () => {
    const mapped = modules.filter((name) => /^\/\/# sourceMappingURL=/m.test(read(name)));
    expect(mapped).toEqual(readdirSync(dist("")).flatMap((name) => (name.endsWith(".map") ? name.slice(0, -4) : [])));
    const sources = mapped.flatMap((name) => {
      const { sources, sourcesContent } = JSON.parse(read(`${name}.map`)) as Record<string, (string | null)[]>;
      return sources!.map((source, i) => [source!, sourcesContent![i]] as const);
    });
    const written = sources.filter(([, text]) => text !== null);
    expect(written.length).toBeGreaterThan(100);
    for (const [source, text] of written) expect(text, source).toBe(readFileSync(dist(source), "utf8"));
    for (const [source] of sources) expect(source).toMatch(/^(\.\.\/web\/src\/[\w./-]+\.ts|generated\/[\w.-]+)$/);
  });
  it.runIf(isWhole)("lead a stack to the TypeScript", () => {
    const flags = ["--enable-source-maps", "--input-type=module", "-e", failing];
    const { stderr } = spawnSync(process.execPath, flags, { encoding: "utf8" });
    const [, line] = /web\/src\/encodings\/create\.ts:(\d+)/.exec(stderr) ?? [];
    const source = readFileSync(inRoot("web", "src", "encodings", "create.ts"), "utf8").split("\n");
    expect(source[Number(line) - 1]).toContain("createHandle(");
  });
  it.runIf(isWhole)("are a script that pages of any encoding read right", () => {
    expect(read("posenc.iife.js")).not.toMatch(/[^\x00-\x7f]/);
  });
  it.runIf(isWhole)("are scripts as strict as modules: assigning what is read-only is an error", () => {
    for (const name of ["posenc.iife.js", "posenc.worker.js"])
      expect(read(name), name).toMatch(/^(var posenc=|!)function\(\w?\)\{"use strict";/);
  });
  it("of posenc/inline can be CommonJS: none has import.meta", () => {
    for (const name of loadedAtOnce("inline.js")) expect(read(name), name).not.toContain("import.meta");
  });

  it("have the models beside the library, not inside", () => {
    expect(withImports("index.js").map(read).join("")).not.toContain("vicuna");
    expect(withImports("models.js").map(read).join("")).toContain("vicuna");
  });
  const imported = modules.filter((name) => !programs().includes(name.replace(/\.js$/, "")));
  it("do nothing at import: no download, no compilation, no output", () => {
    const code = `
      globalThis.fetch = WebAssembly.compile = WebAssembly.instantiate = WebAssembly.Module =
        () => { throw new Error("work at import"); };
      ${imported.map((name) => `await import(${JSON.stringify(dist(name))});`).join("\n")}`;
    const { status, stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", code], {
      encoding: "utf8",
    });
    expect([status, stdout, stderr]).toEqual([0, "", ""]);
  });
});
