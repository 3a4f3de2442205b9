// npm run build: C++ -> three wasm files -> dist/, what `npm pack` ships.
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { posix } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { rolldown } from "rolldown";
import { minify } from "terser";
import { differenceModule, withChecksum } from "./difference.mjs";
import { entryModules, withImports, withoutWasm } from "./distributed.mjs";
import { generate } from "./generate.mjs";
import { binary, ifChanged, inRoot, log, root, run, toolchain } from "./prepare.mjs";

export const variants = ["relaxed", "simd", "scalar"];
const wasmFile = (variant) => inRoot("build", "wasm", `posenc.${variant}.wasm`);
const distributed = (variant) => inRoot("dist", `posenc.${variant}.wasm`);
const glueFile = (variant) => inRoot("build", "wasm", `posenc.${variant}.mjs`);

/** The wasm builds by CMake and Ninja, which rebuild only what changed. */
export async function buildWasm() {
  const { cmakeToolchainFile, cmakeArguments, env } = await toolchain();
  const options = { env: { ...process.env, ...env } };
  const settings = JSON.stringify([cmakeToolchainFile, cmakeArguments]);
  const stamp = inRoot("build", "wasm", ".posenc-settings");
  if (!existsSync(stamp) || readFileSync(stamp, "utf8") !== settings) {
    rmSync(inRoot("build", "wasm"), { recursive: true, force: true });
    run(
      "cmake",
      [
        "--preset",
        "wasm",
        `-DCMAKE_TOOLCHAIN_FILE=${cmakeToolchainFile}`,
        ...cmakeArguments,
        "--no-warn-unused-cli",
        "--log-level=WARNING",
      ],
      { ...options, stdio: ["ignore", "ignore", "inherit"] },
    );
    writeFileSync(stamp, settings);
  }
  log("building WebAssembly");
  run("cmake", ["--build", "--preset", "wasm"], options);
}

/** The three builds differ in flags only, hence one loader serves all; this would tell if it did not. */
function sharedGlue() {
  const [first, ...others] = variants.map((variant) =>
    readFileSync(glueFile(variant), "utf8").replaceAll(`posenc.${variant}.wasm`, "posenc.wasm"),
  );
  if (others.some((other) => other !== first))
    throw new Error("the builds' loaders differ: they can no longer share one");
  return first;
}

/** The wasm files of dist/: the simd build whole, the others as what differs from it. */
async function writeBuilds() {
  const whole = (variant) => withChecksum(readFileSync(wasmFile(variant)));
  const simd = await whole("simd");
  for (const variant of variants) {
    const bytes = variant === "simd" ? simd : await differenceModule(simd, await whole(variant));
    writeFileSync(distributed(variant), bytes);
  }
}

const packed = (file) => gzipSync(readFileSync(file), { level: 9 }).toString("base64");

const generatedModules = {
  name: "generated-modules",
  resolveId: (path) => (/\/(glue|wasm-bytes)\.js$/.test(path) ? `\0${path}` : undefined),
  load(id) {
    if (id.endsWith("/glue.js")) return sharedGlue();
    if (id.endsWith("/wasm-bytes.js") && id.startsWith("\0"))
      return variants.map((variant) => `export const ${variant} = "${packed(distributed(variant))}";`).join("\n");
    return undefined;
  },
};

/** The one class that all entries share: an error of `posenc/config` is an error of `posenc`. */
const sharedErrors = {
  name: "shared-errors",
  resolveId: (path) => (/\/errors\.js$/.test(path) ? { id: "./shared-errors.js", external: true } : undefined),
};

const source = (name) => inRoot("web", "src", `${name}.ts`);

async function bundled(input, output, plugins = []) {
  const build = await rolldown({
    input,
    plugins: [generatedModules, ...plugins],
    preserveEntrySignatures: "allow-extension",
    transform: { target: "es2022" },
    logLevel: "warn",
  });
  return (await build.generate({ chunkFileNames: "shared-[name].js", ...output })).output;
}

/**
 * The modules that users import beside files with what they share, and the same in one file for <script>. What needs no
 * WebAssembly shares nothing with the rest but errors: a page that takes position ids alone gets nothing else.
 */
async function bundle() {
  const alone = (name) => withoutWasm.includes(name);
  const entries = (names) => Object.fromEntries(names.map((name) => [name, source(name)]));
  const engine = {
    name: "engine",
    test: /\/glue\.js$|\/web\/src\/(?!explain\/(?!insight)|transformers|(index|inline|explain)\.ts)/,
  };
  const esm = { format: "esm" };
  const modules = [
    ...(await bundled({ "shared-errors": source("base/errors") }, esm)),
    ...(await bundled(
      entries(entryModules().filter((name) => !alone(name))),
      { ...esm, codeSplitting: { includeDependenciesRecursively: false, groups: [engine] } },
      [sharedErrors],
    )),
    ...(await bundled(entries(entryModules().filter(alone)), esm, [sharedErrors])),
  ];
  const script = await bundled({ "posenc.iife": source("iife") }, { format: "iife", name: "posenc" });
  for (const { fileName, code: text } of [...modules, ...script]) {
    const isModule = !script.some((file) => file.fileName === fileName);
    // Terser drops what Emscripten's loader never reaches here, which bundlers do not see.
    const compress = { passes: 3, unsafe_arrows: true, pure_getters: true, keep_fargs: false };
    // Bundlers of others may drop what is marked pure. Pages that say nothing of UTF-8 must read the script, too.
    const format = { preserve_annotations: true, ascii_only: !isModule };
    const { code } = await minify(text, { module: isModule, toplevel: isModule, ecma: 2022, compress, format });
    writeFileSync(inRoot("dist", fileName), code);
  }
}

/** dist/types/: what TypeScript declares, but for modules that no entry leads to. */
function declareTypes() {
  run(process.execPath, [inRoot("node_modules", "typescript", "bin", "tsc"), "-p", root]);
  const wanted = new Set(withImports(...entryModules().map((name) => `types/${name}.d.ts`)));
  for (const name of readdirSync(inRoot("dist", "types"), { recursive: true })) {
    const path = posix.join("types", name.replaceAll("\\", "/"));
    if (path.endsWith(".d.ts") && !wanted.has(path)) rmSync(inRoot("dist", path));
  }
}

export async function buildLibrary() {
  await buildWasm();
  const builds = variants.flatMap((variant) => [
    `build/wasm/posenc.${variant}.wasm`,
    `build/wasm/posenc.${variant}.mjs`,
  ]);
  await ifChanged(
    "library",
    [...builds, "web/src", "tsconfig.json", "package.json", "README.md"],
    "dist/types/index.d.ts",
    async () => {
      await generate(pathToFileURL(glueFile("describe")), readFileSync(wasmFile("describe")));
      // Names of shared files tell what is in them: none of before must stay.
      rmSync(inRoot("dist"), { recursive: true, force: true });
      mkdirSync(inRoot("dist"));
      await writeBuilds();
      log("building JavaScript and types");
      await bundle();
      declareTypes();
    },
  );
}

/** dist-site/: the tutorial, and the API documentation in its folder api. */
export async function buildSite() {
  await ifChanged("site", ["web/site", "dist", "examples"], "dist-site/index.html", () => {
    log("building the site");
    run(binary("vite"), ["build", "--config", "web/site/vite.config.ts", "--logLevel", "warn"]);
  });
  // Only now, as its pages are made with the built library.
  const { buildDocs } = await import("./docs.mjs");
  await buildDocs();
}
