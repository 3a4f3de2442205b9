// The set-up of all commands: dependencies, Emscripten, a browser. Parts that are up to date are skipped.
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { delimiter, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { withLock } from "../../cpp/toolchain/lock.mjs";
import { setUpToolchain } from "../../cpp/toolchain/setup.mjs";

export const root = fileURLToPath(new URL("../../", import.meta.url));
export const inRoot = (...parts) => join(root, ...parts);
export const log = (text) => console.log(`posenc: ${text}`);

/** Runs a command and stops everything if it fails. */
export function run(command, commandArguments, options = {}) {
  const result = spawnSync(command, commandArguments, { cwd: root, stdio: "inherit", ...options });
  if (result.error) throw new Error(`cannot run ${command}: ${result.error.message}`);
  if (result.status !== 0)
    throw new Error(`${command} ${commandArguments.slice(0, 3).join(" ")} … failed (exit code ${result.status})`);
}

/** As run(), but asynchronous. */
export function runAsync(command, commandArguments, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, commandArguments, { cwd: root, stdio: "inherit", ...options });
    child.on("error", (error) => reject(new Error(`cannot run ${command}: ${error.message}`)));
    child.on("close", (code) => {
      if (code === 0) resolve();
      else reject(new Error(`${command} ${commandArguments.slice(0, 3).join(" ")} … failed (exit code ${code})`));
    });
  });
}

/** Runs the main function of a command-line task. Prints errors as one line. */
export async function runTask(task) {
  try {
    await task();
  } catch (error) {
    console.error(`posenc: ${process.env.POSENC_DEBUG ? error.stack : error.message}`);
    process.exit(1);
  }
}

/** Returns the path of a program of an npm package. */
export const binary = (name) => inRoot("node_modules", ".bin", process.platform === "win32" ? `${name}.cmd` : name);

/** Runs npm ci in a folder, unless its node_modules matches its lock file. */
export const installDependencies = (folder = root) => locked(() => installPackages(folder), "packages");

async function installPackages(folder) {
  const lock = createHash("sha256").update(readFileSync(join(folder, "package-lock.json")));
  // npm ci empties the folder first, which removes an older stamp.
  const stamp = join(folder, "node_modules", `.posenc-lock-${lock.digest("hex").slice(0, 16)}`);
  if (existsSync(stamp)) return;
  log(`installing dependencies (npm ci${folder === root ? "" : ` in ${relative(root, folder)}`})`);
  await runAsync(
    process.platform === "win32" ? "npm.cmd" : "npm",
    ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"],
    { shell: process.platform === "win32", cwd: folder },
  );
  writeFileSync(stamp, "");
}

/** The command line, for others that wait for it. */
const command = () => `npm run ${process.env.npm_lifecycle_event ?? "build"}`.replace(/ run (start|test)$/, " $1");

/** Runs work that writes to build/, dist/ or dist-site/, after other commands that do. */
export function locked(work, part = "build") {
  mkdirSync(inRoot("build"), { recursive: true });
  return withLock({ file: inRoot("build", `${part}.lock`), what: command(), log }, work);
}

const hashesFile = inRoot("build", "hashes.json");
let hashes;

/** Returns a digest of a file. It is computed again only if the file's size or time changed. */
export function digestOf(path, stat = statSync(inRoot(path))) {
  hashes ??= readJson(hashesFile);
  const key = `${stat.size} ${stat.mtimeMs}`;
  const known = hashes[path];
  if (known?.[0] === key) return known[1];
  const digest = createHash("sha256")
    .update(readFileSync(inRoot(path)))
    .digest("base64")
    .slice(0, 16);
  hashes[path] = [key, digest];
  return digest;
}

/** Returns the JSON of a file; empty if the file is missing or truncated. */
export function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return {};
  }
}

/** Writes a file atomically. */
export function writeWhole(path, text) {
  const aside = `${path}.${process.pid}`;
  writeFileSync(aside, text);
  renameSync(aside, path);
}

/** Folders that tools create next to sources. */
const notSources = ["node_modules", ".svelte-check"];

/** Returns a digest of all files below these paths, and of files that determine how they are used. */
export function fingerprint(paths) {
  const hash = createHash("sha256");
  const visit = (path) => {
    const stat = statSync(inRoot(path), { throwIfNoEntry: false });
    if (!stat?.isDirectory()) hash.update(`${path} ${stat ? digestOf(path, stat) : "missing"}\n`);
    else for (const name of readdirSync(inRoot(path)).sort()) if (!notSources.includes(name)) visit(join(path, name));
  };
  for (const path of [...paths, "package-lock.json", "web/tasks"]) visit(path);
  return hash.digest("hex");
}

const stampOf = (name) => inRoot("build", `${name}.stamp`);

/** Whether `output`, a file or several, exists and was made from the present content of its sources. */
export function isFresh(name, inputs, output) {
  const stamp = stampOf(name);
  return (
    [output].flat().every((file) => existsSync(inRoot(file))) &&
    existsSync(stamp) &&
    readFileSync(stamp, "utf8") === fingerprint(inputs)
  );
}

/** Records the content of the files from which an output was made. */
export function markFresh(name, inputs) {
  writeWhole(stampOf(name), fingerprint(inputs));
  keepDigests();
}

/** Saves digests, so that the next command need not read all files again. */
export const keepDigests = () => writeWhole(hashesFile, JSON.stringify(hashes));

/** Marks an output as out of date, also while it is made: an incomplete output is never fresh. */
export const forget = (name) => rmSync(stampOf(name), { force: true });

/** Runs `work` unless its output exists and was made from the present content of these files. */
export const ifChanged = (name, inputs, output, work) =>
  locked(async () => {
    if (isFresh(name, inputs, output)) return;
    forget(name);
    await work();
    // After the work, because it may write some of these files.
    markFresh(name, inputs);
  });

const sources = [
  "CMakeLists.txt",
  "CMakePresets.json",
  "cpp",
  "web",
  "examples",
  "package.json",
  "tsconfig.json",
  "README.md",
];
const everything = ["all", [...sources, "dist"], "dist-site/api/index.html"];

/** Whether all outputs of `npm run build` are up to date. Needs no dependencies. */
export const isComplete = () => isFresh(...everything) && existsSync(inRoot("dist-site", "index.html"));
export const markComplete = () => markFresh(...everything);

export async function toolchain() {
  return setUpToolchain({ log });
}

/** Sets up a build: npm's packages and Emscripten, in parallel. */
export async function setUp() {
  await Promise.all([installDependencies(), toolchain()]);
}

export function onPath(name) {
  return (process.env.PATH ?? "")
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find(existsSync);
}

/** Installs Debian packages with apt-get. Without it, throws an error that ends in `otherwise`. */
function install(packages, otherwise) {
  if (!onPath("apt-get")) throw new Error(otherwise);
  log(`installing ${packages.join(", ")} (apt-get)`);
  const sudo = process.getuid?.() === 0 || !onPath("sudo") ? [] : ["sudo"];
  const apt = (...words) => {
    const [command, ...rest] = [...sudo, "apt-get", ...words];
    execFileSync(command, rest, {
      stdio: ["ignore", "ignore", "inherit"],
      env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
    });
  };
  apt("update");
  apt("install", "-y", "--no-install-recommends", ...packages);
}

/** Returns a Chromium for the browser tests: CHROMIUM_PATH, one on the PATH, or Debian's package. */
export function findChromium() {
  const find = () =>
    process.env.CHROMIUM_PATH ??
    ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"].map(onPath).find(Boolean);
  if (!find()) install(["chromium"], "no Chromium found: install one, or set CHROMIUM_PATH to its program");
  return find();
}

/** Returns a Python that has NumPy: the one on the PATH, or the system's, with Debian's package. */
export function pythonWithNumpy() {
  const find = () =>
    ["python3", "/usr/bin/python3"].find((python) => spawnSync(python, ["-c", "import numpy"]).status === 0);
  if (!find()) install(["python3-numpy"], "no Python with NumPy found: install NumPy");
  return find();
}

/** Installs ccache if it is missing and installs without a prompt. Builds work without it, but slower. */
export function findCompilerCache() {
  if (onPath("ccache") || process.getuid?.() !== 0 || !onPath("apt-get")) return;
  try {
    install(["ccache"]);
  } catch (error) {
    log(`ccache is not available (${error.message})`);
  }
}

/** Installs clang-format if it is missing. */
export function findFormatter() {
  if (!onPath("clang-format")) install(["clang-format"], "no clang-format found: install it to format C++");
}

/** Returns Firefox ESR, and WebKitGTK with its driver and a display. On failure, prints a line, returns undefined. */
export function findEngines() {
  const programs = {
    firefox: "/usr/bin/firefox-esr",
    driver: "/usr/bin/WebKitWebDriver",
    webkit: "/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser".replace("x86_64", machine()),
    display: "/usr/bin/Xvfb",
  };
  const packages = ["firefox-esr", "webkit2gtk-driver", "libwebkit2gtk-4.1-0", "xvfb"];
  const missing = () => packages.filter((_, i) => !existsSync(Object.values(programs)[i]));
  if (missing().length === 0) return programs;
  try {
    install(missing(), "apt-get is missing");
  } catch (error) {
    log(`Firefox ESR or WebKitGTK is not available (${error.message})`);
    return undefined;
  }
  return programs;
}

const machine = () => ({ arm64: "aarch64" })[process.arch] ?? "x86_64";

/** Whether clang can link fuzzers. Installs missing packages. If that fails, prints a line and returns false. */
export function findFuzzers() {
  const links = () =>
    spawnSync("clang++", ["-x", "c++", "-", "-fsanitize=fuzzer,address", "-o", "/dev/null"], {
      input: 'extern "C" int LLVMFuzzerTestOneInput(const unsigned char*, unsigned long) { return 0; }',
    }).status === 0;
  if (links()) return true;
  try {
    if (!onPath("clang++")) install(["clang"], "clang and apt-get are missing");
    const version = spawnSync("clang++", ["-dumpversion"], { encoding: "utf8" }).stdout.split(".")[0];
    if (!links()) install([`libclang-rt-${version}-dev`], "clang has no libFuzzer, and apt-get is missing");
  } catch (error) {
    log(`fuzzing is not available (${error.message})`);
    return false;
  }
  return links();
}
