import { existsSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { findOnPath, run } from "./processes.mjs";

const toolchainFileBelowRoot = "cmake/Modules/Platform/Emscripten.cmake";

export const minimumVersion = "3.1.69";

export function isAtLeast(version, minimum) {
  const parts = version.split(".").map(Number);
  const wanted = minimum.split(".").map(Number);
  const index = wanted.findIndex((part, position) => parts[position] !== part);
  return index < 0 || parts[index] > wanted[index];
}

async function askVersion(emcc) {
  try {
    return /\b(\d+\.\d+\.\d+)\b/.exec((await run(emcc, ["--version"])).split("\n")[0])?.[1] ?? null;
  } catch {
    return null;
  }
}

async function findToolchainFile(emcc) {
  const folder = dirname(realpathSync(emcc));
  const roots = [folder, join(folder, "../share/emscripten"), join(folder, "../libexec")];
  if (process.env.EMSDK) roots.push(join(process.env.EMSDK, "upstream/emscripten"));
  const known = roots.map((root) => join(root, toolchainFileBelowRoot)).find((file) => existsSync(file));
  if (known) return known;
  // A wrapper elsewhere on the disk: the sysroot lies in cache/ below the root.
  const sysroot = /--sysroot=(\S+)/.exec(await run(emcc, ["--cflags"]))?.[1];
  const file = sysroot && join(sysroot, "../..", toolchainFileBelowRoot);
  return file && existsSync(file) ? file : null;
}

/** A string that changes when another emcc comes first on the PATH; null when there is none. */
export function identifyInstalledEmcc() {
  const emcc = findOnPath("emcc");
  if (!emcc) return null;
  const { mtimeMs, size } = statSync(emcc);
  return [emcc, realpathSync(emcc), mtimeMs, size, process.env.EMSDK ?? "", process.env.EM_CONFIG ?? ""].join("|");
}

/** The emcc on the PATH: { usable, problem }, `usable` being null when there is none or it is too old. */
export async function inspectInstalledEmcc() {
  const emcc = findOnPath("emcc");
  if (!emcc) return { usable: null, problem: "no emcc on the PATH" };
  const version = await askVersion(emcc);
  if (!version) return { usable: null, problem: `${emcc} does not tell its version` };
  if (!isAtLeast(version, minimumVersion)) {
    return { usable: null, problem: `${emcc} is ${version}, and at least ${minimumVersion} is needed` };
  }
  const cmakeToolchainFile = await findToolchainFile(emcc);
  if (!cmakeToolchainFile) return { usable: null, problem: `${emcc} has no Emscripten.cmake beside it` };
  const emxx = join(dirname(emcc), basename(emcc).replace("emcc", "em++"));
  return { usable: { emcc, emxx, cmakeToolchainFile, env: {}, version }, problem: null };
}
