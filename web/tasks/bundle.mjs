// Makes the files that users import from the WebAssembly builds and web/src.
import { copyFileSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { rolldown } from "rolldown";
import { describe } from "./generate.mjs";
import { differenceModule, withBase, withChecksum, withRelaxed, withoutNames } from "./difference.mjs";
import { entryModules, programs, withoutWasm } from "./distributed.mjs";
import { minifier } from "./minify.mjs";
import { splitBuild } from "./parts.mjs";
import { inRoot, root } from "./prepare.mjs";

export const variants = ["relaxed", "simd", "scalar"];
/** Builds with memory shared between threads, which have their own loader. */
export const threadVariants = ["threads.relaxed", "threads.simd"];
export const wasmFile = (variant) => inRoot("build", "wasm", `posenc.${variant}.wasm`);
export const glueFile = (variant) => inRoot("build", "wasm", `posenc.${variant}.mjs`);
/** The linker's map of a build, which is taken apart by it. */
export const mapFile = (variant) => inRoot("build", "wasm", `posenc.${variant}.map`);
const distributed = (folder, variant) => join(folder, `posenc.${variant}.wasm`);

const glueOf = (variant) => readFileSync(glueFile(variant), "utf8").replaceAll(`posenc.${variant}.wasm`, "posenc.wasm");

/** One loader serves all builds, which differ only in flags and omitted parts; throws if loaders differ. */
function sharedGlue(...builds) {
  const [first, ...others] = builds.map(glueOf);
  if (others.some((other) => other !== first))
    throw new Error("the builds' loaders differ: one loader cannot serve both");
  return withoutDownload(first);
}

/** The caller always passes the module: code that would find and fetch one comes after a return and is removed. */
function withoutDownload(glue) {
  const given = 'if(Module["instantiateWasm"])';
  if (!glue.includes(given)) throw new Error("Emscripten's loader has changed: cannot set its module");
  return glue.replace(given, `return Module["instantiateWasm"](info,receiveInstance);${given}`);
}

/** A build without what is only for the tools. */
const built = (variant) => withoutNames(readFileSync(wasmFile(variant)));

/** The wasm files of the package: whole simd builds, and the others as differences from them. */
async function writeBuilds(folder) {
  const write = async (simd, base, others) => {
    writeFileSync(distributed(folder, simd), base);
    for (const variant of others)
      writeFileSync(
        distributed(folder, variant),
        await differenceModule(base, await withChecksum(await built(variant))),
      );
  };
  const simd = await withRelaxed(await built("simd"), await withChecksum(await built("relaxed")));
  await write("simd", await withChecksum(simd), ["relaxed", "scalar"]);
  // The simd build contains the relaxed one, as posenc.simd.wasm does.
  const threads = await withRelaxed(await built("threads.simd"), await withChecksum(await built("threads.relaxed")));
  const ofSimd = await differenceModule(await withChecksum(simd), await withChecksum(threads));
  writeFileSync(distributed(folder, "threads"), ofSimd);
}

/** The base and the parts of the simd build, each with the difference to the relaxed one. */
async function writeParts(folder, variants) {
  const core = await describe(pathToFileURL(glueFile("describe")), readFileSync(wasmFile("describe")));
  const orders = new Map();
  const split = (variant) => splitBuild(wasmFile(variant), mapFile(variant), core, orders);
  const simd = await split("simd");
  const relaxed = variants.includes("relaxed") ? await split("relaxed") : simd;
  const write = async (part, base) => {
    const relaxedPart = await withChecksum(await withBase(relaxed.get(part), base?.relaxed));
    const both = await withRelaxed(await withBase(simd.get(part), base?.simd), relaxedPart);
    const simdPart = await withChecksum(both);
    writeFileSync(distributed(folder, part), simdPart);
    return { relaxed: relaxedPart, simd: simdPart };
  };
  const base = await write("base");
  for (const part of simd.keys()) if (part !== "base") await write(part, base);
}

/** Compresses builds in JavaScript to the smallest gzip, which takes seconds. */
async function smallest(bytes) {
  const { gzipAsync } = await withoutListeners(() => import("@gfx/zopfli"));
  return gzipAsync(bytes, { numiterations: 5 });
}
/** Imports a module and removes the handlers that it adds for uncaught errors: Node reports errors better. */
async function withoutListeners(load) {
  const events = ["uncaughtException", "unhandledRejection"];
  const before = events.map((event) => process.listeners(event));
  const loaded = await load();
  for (const [i, event] of events.entries())
    for (const listener of process.listeners(event))
      if (!before[i].includes(listener)) process.removeListener(event, listener);
  return loaded;
}
const atOnce = (bytes) => gzipSync(bytes);

/** Returns a module with two builds as gzip in base64; packed once for all bundles. */
function embeddedBuilds(folder, pack) {
  const exported = async (variant) => {
    const packed = await pack(readFileSync(distributed(folder, variant)));
    return `export const ${variant} = "${Buffer.from(packed).toString("base64")}";`;
  };
  let text;
  return () => (text ??= Promise.all(["simd", "scalar"].map(exported)).then((lines) => lines.join("\n")));
}

const embedded = "wasm-bytes.mjs";

/** Writes the parts that depend only on the wasm builds: the wasm files, and a module with two of them. */
export async function packBuilds(folder) {
  await writeBuilds(folder);
  await writeParts(folder, variants);
  writeFileSync(join(folder, embedded), await embeddedBuilds(folder, smallest)());
}

/** The code of workers, as text. */
async function threadCode() {
  const options = { bundle: true, write: false, minify: true, format: "iife", target: "es2022" };
  const { outputFiles } = await build({ ...options, entryPoints: [inRoot("web", "src", "wasm", "thread.ts")] });
  return outputFiles[0].text.trim();
}

const isGenerated = (path) => /\/(glue|threads-glue|thread-code|wasm-bytes)\.js$/.test(path);

const generatedModules = (builds, glue, threadsGlue) => ({
  name: "generated-modules",
  resolveId: (path) => (isGenerated(path) ? `\0${path}` : undefined),
  async load(id) {
    if (id.endsWith("/glue.js")) return glue();
    if (id.endsWith("/threads-glue.js")) return threadsGlue();
    if (id.endsWith("/thread-code.js")) return `export default ${JSON.stringify(await threadCode())};`;
    if (id.endsWith("/wasm-bytes.js") && id.startsWith("\0")) return builds();
    return undefined;
  },
});

/** The class that all entries share: an error of `posenc/config` is an error of `posenc`. */
const sharedErrors = {
  name: "shared-errors",
  resolveId: (path) => (/\/errors\.js$/.test(path) ? { id: "./shared-errors.js", external: true } : undefined),
};

/** A program imports from Node and the entries instead of copying them, and so does posenc/inspector. */
const otherEntries = {
  name: "other-entries",
  resolveId(path, importer) {
    if (/\/config\/(cache-bytes|config|gguf|layers|llama-cpp)\.js$/.test(path))
      return { id: "./config.js", external: true };
    const isEntry = /^\.\/\w+\.js$/.test(path) && /\/web\/src\/\w+\.ts$/.test(importer ?? "");
    return isEntry || path.startsWith("node:") ? { id: path, external: true } : undefined;
  },
};

/** posenc/onnx and the code that changes models of transformers.js import one module, not copies. */
const sharedModel = {
  name: "shared-model",
  resolveId: (path) => (/\/onnx\/model\.js$/.test(path) ? { id: "./shared-model.js", external: true } : undefined),
};

const source = (name) => inRoot("web", "src", `${name}.ts`);

async function bundled(input, output, plugins) {
  const build = await rolldown({
    input,
    plugins,
    preserveEntrySignatures: "allow-extension",
    transform: { target: "es2022" },
    logLevel: "warn",
  });
  const files = await build.generate({ chunkFileNames: "shared-[name].js", sourcemap: "hidden", ...output });
  return files.output.filter(({ type }) => type === "chunk");
}

/** Returns the paths of the modules that load with a module, without those that it loads later. */
async function loadedWith(entry) {
  const later = { filter: /./ };
  const plugin = {
    name: "at-once",
    setup: ({ onResolve }) =>
      onResolve(later, ({ kind, path }) =>
        kind === "dynamic-import" || isGenerated(path) ? { path, external: true } : undefined,
      ),
  };
  const options = {
    entryPoints: [entry],
    bundle: true,
    write: false,
    metafile: true,
    format: "esm",
    absWorkingDir: root,
  };
  const { metafile } = await build({ ...options, plugins: [plugin] });
  return Object.keys(metafile.inputs).map((path) => inRoot(path));
}

/** Groups of modules, a file each: what the first call loads, then what each part adds to that. */
async function partGroups() {
  const taken = new Set();
  const group = async (name, entry) => {
    const own = (await loadedWith(entry)).filter((path) => !taken.has(path));
    own.forEach((path) => taken.add(path));
    // posenc/inline shares the groups, and its CommonJS form has no import.meta for addresses.
    const excluded = new Set(["index", "inline", "wasm/addresses"].map(source));
    return {
      name,
      test: (id) => (own.includes(id) && !excluded.has(id)) || (name === "engine" && /\/glue\.js$/.test(id)),
    };
  };
  const groups = [await group("engine", source("index"))];
  const parts = readFileSync(source("parts/on-demand"), "utf8").matchAll(/import\("\.\/(\w+)\.js"\)/g);
  for (const [, part] of parts) groups.push(await group(`part-${part}`, inRoot("web", "src", "parts", `${part}.ts`)));
  return groups;
}

/**
 * Returns the modules of these entries and files with shared code. Entries without WebAssembly share only errors with
 * the rest: a page that uses only position ids loads nothing else.
 */
async function modulesOf(names, generated) {
  const isWithoutWasm = (name) => withoutWasm.includes(name);
  const entries = (some) => Object.fromEntries(some.map((name) => [name, source(name)]));
  // Entries export only their public names: what they share with code that is loaded on demand is in other modules.
  const responses = { name: "responses", test: /\/transformers\/responses\.ts/ };
  const model = { "shared-model": source("onnx/model") };
  // What reading a graph needs is one file, however many files load later.
  const read = (await loadedWith(source("onnx/model"))).filter((path) => /\/onnx\/|\/source\.ts$/.test(path));
  const graphs = { name: "graphs", test: (id) => read.includes(id) };
  const shown = await loadedWith(source("inspector"));
  const element = { name: "inspector", test: (id) => shown.includes(id) && id !== source("inspector") };
  const only = (...some) => names.filter((name) => some.includes(name));
  // They share little with the others, whose files stay smaller without them.
  const alone = only("cache-file", "worker");
  const apart = [...alone, ...only("onnx", "inspector")];
  const esm = { format: "esm" };
  const plugins = [generated, sharedErrors];
  return [
    ...(await bundled({ "shared-errors": source("base/errors") }, esm, [generated])),
    ...(await bundled(
      entries(names.filter((name) => !isWithoutWasm(name))),
      {
        ...esm,
        codeSplitting: { includeDependenciesRecursively: false, groups: [...(await partGroups()), responses] },
      },
      [...plugins, sharedModel],
    )),
    ...(await bundled(
      {
        ...entries(names.filter((name) => isWithoutWasm(name) && !apart.includes(name))),
        ...model,
      },
      { ...esm, codeSplitting: { includeDependenciesRecursively: false, groups: [graphs] } },
      plugins,
    )),
    ...(await Promise.all(alone.map((name) => bundled(entries([name]), esm, plugins)))).flat(),
    ...(await bundled(entries(only("onnx")), esm, [...plugins, sharedModel])),
    ...(await bundled(
      entries(only("inspector")),
      { ...esm, codeSplitting: { includeDependenciesRecursively: false, groups: [element] } },
      [otherEntries, sharedErrors],
    )),
    ...(await bundled(entries(programs()), esm, [otherEntries, sharedErrors])),
  ];
}

/** Scripts are as strict as modules: assigning what is read-only is an error. */
const iife = { format: "iife", intro: '"use strict";' };

/** The library as the script of a worker. */
const workerScript = (generated) => bundled({ "posenc.worker": source("worker-script") }, iife, [generated]);

/** Writes packed builds, the modules that users import, one file with all of it for <script>, and one for workers. */
export async function bundle(folder, packed) {
  for (const name of readdirSync(packed).filter((name) => name.endsWith(".wasm")))
    copyFileSync(join(packed, name), join(folder, name));
  const { minified, store } = minifier();
  const generated = generatedModules(
    () => readFileSync(join(packed, embedded), "utf8"),
    () => sharedGlue(...variants),
    () => sharedGlue(...threadVariants),
  );
  const script = await bundled({ "posenc.iife": source("iife") }, { ...iife, name: "posenc" }, [generated]);
  const scripts = [...script, ...(await workerScript(generated))];
  const modules = await modulesOf(entryModules(), generated);
  for (const file of [...scripts, ...modules]) {
    const { code, map } = await minified(file, modules.includes(file));
    writeFileSync(join(folder, file.fileName), code);
    if (map) writeFileSync(join(folder, `${file.fileName}.map`), map);
  }
  const names = [...modules, ...scripts].map(({ fileName }) => fileName);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice) throw new Error(`two bundles write ${twice}`);
  store();
}

/** Writes modules with one build instead of all, not minified: a quick build. */
export async function bundleQuickly(folder, variant) {
  const bytes = await withChecksum(await built(variant));
  for (const name of variants) writeFileSync(distributed(folder, name), bytes);
  await writeParts(folder, [variant]);
  const noThreads = 'export default () => { throw new Error("not in this build") };';
  const generated = generatedModules(
    embeddedBuilds(folder, atOnce),
    () => glueOf(variant),
    () => noThreads,
  );
  for (const { fileName, code } of [
    ...(await modulesOf(entryModules(), generated)),
    ...(await workerScript(generated)),
  ])
    writeFileSync(join(folder, fileName), code);
}
