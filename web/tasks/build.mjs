// npm run build: C++ -> three wasm files -> dist/, the content of the npm package.
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { join, posix, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { bundle, bundleQuickly, glueFile, mapFile, packBuilds, threadVariants, variants, wasmFile } from "./bundle.mjs";
import { wasmEnvironment } from "./compile.mjs";
import { entryModules, withImports } from "./distributed.mjs";
import { generate } from "./generate.mjs";
import { writeModels } from "./models.mjs";
import {
  binary,
  forget,
  ifChanged,
  inRoot,
  isFresh,
  locked,
  log,
  markComplete,
  root,
  run,
  runAsync,
  toolchain,
  writeWhole,
} from "./prepare.mjs";

/** Configures the wasm builds unless they were configured for the same toolchain. */
function configureWasm({ cmakeToolchainFile, cmakeArguments }, environment) {
  const settings = JSON.stringify([cmakeToolchainFile, cmakeArguments]);
  const stamp = inRoot("build", "wasm", ".posenc-settings");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === settings) return;
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
    { env: environment(), stdio: ["ignore", "ignore", "inherit"] },
  );
  writeWhole(stamp, settings);
}

const packedBuilds = [...variants, ...threadVariants];
const wasmBuilds = [...packedBuilds, "describe"];
/** The files of a build. The one that describes itself is not taken apart by its map. */
const filesOfOne = (variant) =>
  [wasmFile, glueFile, ...(variant === "describe" ? [] : [mapFile])].map((file) => file(variant));
const filesOf = (builds) => builds.flatMap(filesOfOne).map((file) => relative(root, file));
const wasm = ["wasm", ["CMakeLists.txt", "CMakePresets.json", "cpp"], filesOf(wasmBuilds)];

/** Makes all wasm builds, or some, with CMake and Ninja, which rebuild only what changed. */
export const buildWasm = (...some) =>
  locked(async () => {
    const tools = await toolchain();
    // Only if there is something to compile: it runs the compiler to get its version.
    const environment = () => wasmEnvironment(tools);
    configureWasm(tools, environment);
    const make = (...target) => {
      log("building WebAssembly");
      // Ninja knows only the glue of a build: without its other files, all are made again.
      for (const variant of wasmBuilds)
        if (!filesOfOne(variant).every((file) => existsSync(file))) rmSync(glueFile(variant), { force: true });
      run("cmake", ["--build", "--preset", "wasm", ...target], { env: environment() });
    };
    if (some.length === 0) return ifChanged(...wasm, () => make());
    // The other builds may then be of other sources.
    if (!isFresh(...wasm)) forget("wasm");
    make("--target", ...some.map((variant) => `posenc_${variant}`));
  });

/** The declarations of the last build, and what the compiler knows of them: it checks only what a change affects. */
const declared = inRoot("build", "types");

/** Writes dist/types/: declarations, except those of modules that no entry imports. */
async function declareTypes() {
  const compiler = inRoot("node_modules", "typescript", "bin", "tsc");
  const kept = ["--incremental", "--tsBuildInfoFile", join(declared, "tsbuildinfo.json"), "--outDir", declared];
  await runAsync(process.execPath, [compiler, "-p", root, ...kept]);
  const isDeclaration = (path) => !path.endsWith(".json");
  cpSync(declared, inRoot("dist", "types"), { recursive: true, filter: isDeclaration });
  const wanted = new Set(withImports(...entryModules().map((name) => `types/${name}.d.ts`)));
  for (const name of readdirSync(inRoot("dist", "types"), { recursive: true })) {
    const path = posix.join("types", name.replaceAll("\\", "/"));
    if (path.endsWith(".d.ts") && !wanted.has(path)) rmSync(inRoot("dist", path));
  }
}

const librarySources = ["web/src", "tsconfig.json", "package.json", "README.md"];

/** Writes a new dist/; `write` adds JavaScript and builds. */
async function writeLibrary(write) {
  await generate(pathToFileURL(glueFile("describe")), readFileSync(wasmFile("describe")));
  // Names of shared files depend on their content: earlier ones must be removed.
  rmSync(inRoot("dist"), { recursive: true, force: true });
  mkdirSync(inRoot("dist"));
  log("building JavaScript and types");
  const dist = inRoot("dist");
  const [isNew] = await Promise.all([write(dist).then(() => writeModels(dist)), declareTypes()]);
  if (isNew) await declareTypes();
}

const allBuilds = filesOf(packedBuilds);
const packed = inRoot("build", "packed");

const packAll = () =>
  ifChanged("packed", allBuilds, `build/packed/posenc.simd.wasm`, async () => {
    rmSync(packed, { recursive: true, force: true });
    mkdirSync(packed);
    await packBuilds(packed);
  });

export const buildLibrary = () =>
  locked(async () => {
    await buildWasm();
    await ifChanged("library", [...allBuilds, ...librarySources], "dist/types/index.d.ts", () =>
      writeLibrary(async (dist) => {
        forget("library-of-one");
        await packAll();
        await bundle(dist, packed);
      }),
    );
  });

/**
 * Makes dist/ for quick tests: after a change of C++ the simd build replaces all builds, otherwise it is complete.
 * Returns whether it has all builds.
 */
export const buildQuickly = () =>
  locked(async () => {
    if (isFresh(...wasm)) return buildLibrary().then(() => true);
    const some = ["simd", "describe"];
    await buildWasm(...some);
    const builds = some.map((variant) => relative(root, wasmFile(variant)));
    const stamp = ["library-of-one", [...builds, ...librarySources], "dist/types/index.d.ts"];
    // Only one stamp may describe dist/.
    if (!isFresh(...stamp)) forget("library");
    await ifChanged(...stamp, () => writeLibrary((dist) => bundleQuickly(dist, "simd")));
    return false;
  });

/** Builds the site with the built library in `folder`/dist-site. */
export function buildTutorial(folder = root) {
  log("building the site");
  // Independent of the caller's environment: components render differently in development.
  const env = { ...process.env, NODE_ENV: "production", POSENC_SITE_FOLDER: folder };
  return runAsync(binary("vite"), ["build", "--config", "web/site/vite.config.ts", "--logLevel", "warn"], { env });
}

/** Makes dist-site/: the tutorial, with the API documentation in its folder api. */
export async function buildSite() {
  await ifChanged("site", ["web/site", "dist", "examples"], "dist-site/index.html", () => buildTutorial());
  // Imported late: its pages need the built library.
  const { buildDocs } = await import("./docs.mjs");
  await buildDocs();
}

export const buildAll = () =>
  locked(async () => {
    await buildLibrary();
    await buildSite();
    markComplete();
  });
