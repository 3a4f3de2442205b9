// C++ compiled by CMake's presets: through ccache where that is, which knows what other checkouts have compiled.
import { execFileSync } from "node:child_process";
import { accessSync, constants, mkdirSync } from "node:fs";
import { locked, onPath, root, runBeside, toolchain } from "./prepare.mjs";

/** Paths below the checkout count as relative, so that one checkout has the objects of another. */
const settings = { CCACHE_BASEDIR: root, CCACHE_NOHASHDIR: "1" };

/** The path of a ccache that can keep what it compiles, or nothing: without its folder it compiles nothing. */
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

/** The environment of a build by this Emscripten, which calls its clang through the wrapper. */
export function wasmEnvironment({ emxx, env }) {
  const plain = { ...process.env, ...env };
  const wrapper = launcher();
  if (!wrapper) return plain;
  // Its clang may be a script, whose text has the checkout's path.
  const version = execFileSync(emxx, ["--version"], { env: plain, encoding: "utf8" }).split("\n")[0];
  return { ...plain, ...settings, EM_COMPILER_WRAPPER: wrapper, CCACHE_COMPILERCHECK: `string:${version}` };
}

/** Configures and compiles a native preset, while other work goes on. */
export const compile = (preset, definitions = []) =>
  locked(async () => {
    const { cmakeArguments } = await toolchain();
    const all = [`-DCMAKE_CXX_COMPILER_LAUNCHER=${launcher()}`, ...cmakeArguments, ...definitions];
    const options = { env: { ...process.env, ...settings } };
    await runBeside("cmake", ["--preset", preset, ...all, "--no-warn-unused-cli", "--log-level=WARNING"], {
      ...options,
      stdio: ["ignore", "ignore", "inherit"],
    });
    await runBeside("cmake", ["--build", "--preset", preset], options);
  }, preset);
