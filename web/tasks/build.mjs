// npm run build: C++ -> three wasm files -> dist/, what `npm pack` ships.
import { build } from "esbuild";
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { minify } from "terser";
import { generate } from "./generate.mjs";
import { binary, ifChanged, inRoot, log, root, run, toolchain } from "./prepare.mjs";

export const variants = ["relaxed", "simd", "scalar"];
const wasmFile = (variant) => inRoot("build", "wasm", `posenc.${variant}.wasm`);
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

const generatedModules = {
  name: "generated-modules",
  setup(builder) {
    const provide = (filter, contents) => {
      builder.onResolve({ filter }, ({ path }) => ({ path, namespace: "generated" }));
      builder.onLoad({ filter, namespace: "generated" }, () => ({ contents: contents() }));
    };
    provide(/\.\/glue\.js$/, sharedGlue);
    provide(/\.\/wasm-bytes\.js$/, () => {
      const entries = variants.map((variant) => [variant, readFileSync(wasmFile(variant)).toString("base64")]);
      return `export const wasmBase64 = ${JSON.stringify(Object.fromEntries(entries))};`;
    });
  },
};

async function bundle() {
  for (const entry of ["index", "inline", "models", "transformers"]) {
    const { outputFiles } = await build({
      entryPoints: [inRoot("web", "src", `${entry}.ts`)],
      bundle: true,
      write: false,
      format: "esm",
      target: "es2022",
      plugins: [generatedModules],
      logLevel: "warning",
    });
    // Terser drops what Emscripten's loader never reaches here, which esbuild does not see.
    const compress = { passes: 3, unsafe_arrows: true, pure_getters: true, keep_fargs: false };
    // Bundlers of others may drop what is marked pure.
    const format = { preserve_annotations: true };
    const options = { module: true, toplevel: true, ecma: 2022, compress, format };
    const { code } = await minify(outputFiles[0].text, options);
    writeFileSync(inRoot("dist", `${entry}.js`), code);
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
    [...builds, "web/src", "tsconfig.json", "README.md"],
    "dist/types/index.d.ts",
    async () => {
      await generate(pathToFileURL(glueFile("describe")), readFileSync(wasmFile("describe")));
      mkdirSync(inRoot("dist"), { recursive: true });
      for (const variant of variants) copyFileSync(wasmFile(variant), inRoot("dist", `posenc.${variant}.wasm`));
      log("building JavaScript and types");
      await bundle();
      run(process.execPath, [inRoot("node_modules", "typescript", "bin", "tsc"), "-p", root]);
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
