// npm run build: C++ -> three wasm files -> dist/, what `npm pack` ships.
import { build } from "esbuild";
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { posix } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { minify } from "terser";
import { differenceModule, withChecksum } from "./difference.mjs";
import { entryModules, withImports } from "./distributed.mjs";
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
  setup(builder) {
    const provide = (filter, contents) => {
      builder.onResolve({ filter }, ({ path }) => ({ path, namespace: "generated" }));
      builder.onLoad({ filter, namespace: "generated" }, () => ({ contents: contents() }));
    };
    provide(/\/glue\.js$/, sharedGlue);
    provide(/\/wasm-bytes\.js$/, () =>
      variants.map((variant) => `export const ${variant} = "${packed(distributed(variant))}";`).join("\n"),
    );
  },
};

const bundling = {
  bundle: true,
  write: false,
  target: "es2022",
  outdir: inRoot("dist"),
  plugins: [generatedModules],
  logLevel: "warning",
};

/** The modules that users import beside files with what they share, and the same in one file for <script>. */
async function bundle() {
  const entry = (name) => inRoot("web", "src", `${name}.ts`);
  const esm = await build({
    ...bundling,
    entryPoints: entryModules().map(entry),
    format: "esm",
    splitting: true,
    chunkNames: "shared-[hash]",
  });
  const script = await build({
    ...bundling,
    entryPoints: [{ in: entry("iife"), out: "posenc.iife" }],
    format: "iife",
    globalName: "posenc",
  });
  for (const { path, text } of [...esm.outputFiles, ...script.outputFiles]) {
    const isModule = esm.outputFiles.some((file) => file.path === path);
    // Terser drops what Emscripten's loader never reaches here, which esbuild does not see.
    const compress = { passes: 3, unsafe_arrows: true, pure_getters: true, keep_fargs: false };
    // Bundlers of others may drop what is marked pure. Pages that say nothing of UTF-8 must read the script, too.
    const format = { preserve_annotations: true, ascii_only: !isModule };
    const { code } = await minify(text, { module: isModule, toplevel: isModule, ecma: 2022, compress, format });
    writeFileSync(path, code);
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
