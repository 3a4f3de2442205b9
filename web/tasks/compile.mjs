// Compiles C++ with CMake's presets, through ccache if available, which reuses objects of other checkouts.
import { execFileSync } from "node:child_process";
import { accessSync, constants, mkdirSync } from "node:fs";
import { locked, onPath, root, runAsync, toolchain } from "./prepare.mjs";

/** Paths below the checkout are relative, so that checkouts share objects. */
const settings = { CCACHE_BASEDIR: root, CCACHE_NOHASHDIR: "1" };

/** Returns the path of ccache, or undefined if its folder is not writable: it then compiles nothing. */
function launcher() {
  const program = onPath("ccache");
  if (!program) return "";
  try {
    const folder = execFileSync(program, ["--get-config", "cache_dir"], { encoding: "utf8" }).trim();
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK);
    return program;
  } catch {
    return "";
  }
}

/** Returns the environment of a build with this Emscripten, which calls its clang through the wrapper. */
export function wasmEnvironment({ emxx, env }) {
  const plain = { ...process.env, ...env };
  const wrapper = launcher();
  if (!wrapper) return plain;
  // Its clang may be a script that contains the checkout's path.
  const version = execFileSync(emxx, ["--version"], { env: plain, encoding: "utf8" }).split("\n")[0];
  return { ...plain, ...settings, EM_COMPILER_WRAPPER: wrapper, CCACHE_COMPILERCHECK: `string:${version}` };
}

/** Configures and compiles a native preset asynchronously. */
export const compile = (preset, definitions = []) =>
  locked(async () => {
    const { cmakeArguments } = await toolchain();
    const all = [`-DCMAKE_CXX_COMPILER_LAUNCHER=${launcher()}`, ...cmakeArguments, ...definitions];
    const options = { env: { ...process.env, ...settings } };
    await runAsync("cmake", ["--preset", preset, ...all, "--no-warn-unused-cli", "--log-level=WARNING"], {
      ...options,
      stdio: ["ignore", "ignore", "inherit"],
    });
    await runAsync("cmake", ["--build", "--preset", preset], options);
  }, preset);
