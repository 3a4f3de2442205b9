import { existsSync } from "node:fs";
import { chmod, mkdir, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { run } from "./processes.mjs";

const llvmVersion = "19";
const llvmTools = [
  "clang",
  "clang++",
  "wasm-ld",
  "llvm-ar",
  "llvm-cxxfilt",
  "llvm-dwarfdump",
  "llvm-dwp",
  "llvm-nm",
  "llvm-objcopy",
  "llvm-objdump",
  "llvm-profdata",
  "llvm-ranlib",
  "llvm-readobj",
  "llvm-size",
  "llvm-strip",
  "llvm-symbolizer",
];

const shellQuote = (text) => `'${text.replaceAll("'", `'\\''`)}'`;
const pythonQuote = (text) => JSON.stringify(text);

/** Where the parts of the private set-up lie below its folder. */
export function privatePaths(folder) {
  const packages = join(folder, "packages");
  const emscripten = join(packages, "system/usr/share/emscripten");
  return {
    packages,
    emscripten,
    launchers: join(folder, "bin"),
    configuration: join(emscripten, ".emscripten"),
    xsimdInclude: join(packages, "headers/usr/include"),
    catch2: join(packages, "catch2"),
  };
}

/** The programs need newer system libraries than the machine's, so each starts through the private dynamic loader. */
async function writeLauncher(paths, name, program, extraArguments = []) {
  const libraries = join(paths.packages, "system/usr/lib/x86_64-linux-gnu");
  const loader = join(libraries, "ld-linux-x86-64.so.2");
  const libraryPath = [libraries, join(paths.packages, "system/usr/lib/llvm-19/lib")].join(":");
  const words = [loader, "--library-path", libraryPath, "--argv0", join(paths.launchers, name), program];
  const command = [...words, ...extraArguments].map(shellQuote).join(" ");
  const file = join(paths.launchers, name);
  await writeFile(file, `#!/bin/sh\nexec ${command} "$@"\n`);
  await chmod(file, 0o755);
}

async function writeLaunchers(paths) {
  const llvm = join(paths.packages, `system/usr/lib/llvm-${llvmVersion}`);
  await rm(paths.launchers, { recursive: true, force: true });
  await mkdir(paths.launchers, { recursive: true });
  for (const tool of llvmTools.filter((name) => existsSync(join(llvm, "bin", name)))) {
    // Started through the loader, clang cannot find its own headers beside itself.
    const extra = tool.startsWith("clang") ? ["-resource-dir", join(llvm, `lib/clang/${llvmVersion}`)] : [];
    for (const name of [tool, `${tool}-${llvmVersion}`])
      await writeLauncher(paths, name, join(llvm, "bin", tool), extra);
  }
  const system = join(paths.packages, "system/usr/bin");
  const binaryenTools = (await readdir(system)).filter((name) => /^wasm(-(?!ld)|2js)/.test(name));
  for (const tool of binaryenTools) await writeLauncher(paths, tool, join(system, tool));
}

async function writeConfiguration(paths, folder) {
  const settings = {
    LLVM_ROOT: paths.launchers,
    BINARYEN_ROOT: folder,
    NODE_JS: process.execPath,
    LLVM_ADD_VERSION: llvmVersion,
    CLANG_ADD_VERSION: llvmVersion,
  };
  const lines = Object.entries(settings).map(([key, value]) => `${key} = ${pythonQuote(value)}`);
  await writeFile(paths.configuration, [...lines, "FROZEN_CACHE = True", ""].join("\n"));
}

/** Makes the unpacked packages usable where they lie: launchers, configuration, and the JavaScript parser. */
export async function configureEmscripten(folder) {
  const paths = privatePaths(folder);
  await writeLaunchers(paths);
  await writeConfiguration(paths, folder);
  // Debian's node looks into /usr/share/nodejs; any other one only into node_modules folders.
  const modules = join(paths.emscripten, "node_modules");
  await rm(modules, { recursive: true, force: true });
  await mkdir(modules);
  await symlink("../../nodejs/acorn", join(modules, "acorn"));
}

/** What a build needs to know to use the private set-up. */
export function describeEmscripten(folder) {
  const paths = privatePaths(folder);
  return {
    emcc: join(paths.emscripten, "emcc"),
    emxx: join(paths.emscripten, "em++"),
    cmakeToolchainFile: join(paths.emscripten, "cmake/Modules/Platform/Emscripten.cmake"),
    env: { EM_CONFIG: paths.configuration },
    cmakeArguments: privateLibraryArguments(folder),
  };
}

/** CMake arguments for the xsimd headers and the Catch2 source, as far as they are there. */
export function privateLibraryArguments(folder) {
  const { xsimdInclude, catch2 } = privatePaths(folder);
  const cmakeArguments = [];
  if (existsSync(join(xsimdInclude, "xsimd/xsimd.hpp"))) cmakeArguments.push(`-DPOSENC_XSIMD_INCLUDE=${xsimdInclude}`);
  if (existsSync(join(catch2, "CMakeLists.txt"))) cmakeArguments.push(`-DFETCHCONTENT_SOURCE_DIR_CATCH2=${catch2}`);
  return cmakeArguments;
}

const checkProgram = `#include <emscripten/bind.h>
#include <xsimd/xsimd.hpp>
float sum() { return xsimd::reduce_add(xsimd::batch<float>(1.5f)); }
EMSCRIPTEN_BINDINGS(check) { emscripten::function("sum", &sum); }
`;

/** Compiles, links and runs a small program, so that a broken set-up is noticed here and not in the build. */
export async function checkEmscripten(folder) {
  const { emxx, env } = describeEmscripten(folder);
  const work = join(folder, "check");
  await rm(work, { recursive: true, force: true });
  await mkdir(work, { recursive: true });
  await writeFile(join(work, "check.cpp"), checkProgram);
  const flags = [
    "-std=c++20",
    "-O2",
    "-msimd128",
    "-lembind",
    "-sMODULARIZE",
    "-isystem",
    privatePaths(folder).xsimdInclude,
  ];
  await run(emxx, ["check.cpp", "-o", "check.cjs", ...flags], { cwd: work, env });
  const script = 'require("./check.cjs")().then((module) => console.log(module.sum()))';
  const printed = await run(process.execPath, ["-e", script], { cwd: work });
  if (printed.trim() !== "6") throw new Error(`the private Emscripten compiled a wrong program: ${printed}`);
  await rm(work, { recursive: true, force: true });
}
