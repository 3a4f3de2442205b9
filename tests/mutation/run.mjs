// Do the native tests notice when the core is wrong? node tests/mutation/run.mjs [COUNT] [SEED]
// COUNT lines of cpp/src and cpp/include get a mistake each, all in one build: an environment variable switches one of
// them on, so that each costs a run of the tests and no build. The tests must fail for 95 of 100; those they do not
// notice are printed. tests/mutation/equivalent.json lists mutants that change no result, with the reason. What is known
// is kept in build/mutation, and a second run with the same sources goes on from there.
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { inRoot, log, root, runTask, toolchain } from "../../web/tasks/prepare.mjs";
import { choose } from "./mutants.mjs";

const folder = inRoot("build", "mutation");
const copy = join(folder, "source");
const program = join(folder, "native", "posenc_tests");
const wanted = 0.95;
// What people read, what only asks the machine for memory, and what the compiler evaluates.
const left = /describe\.cpp$|memory\.(cpp|hpp)$|(field|real)\.hpp$/;

const read = (file) => readFileSync(join(root, file), "utf8");
const sourcesOf = () =>
  Object.fromEntries(
    ["cpp/src", "cpp/include"]
      .flatMap((top) => readdirSync(inRoot(top), { recursive: true }).map((name) => join(top, name)))
      .filter((file) => /\.[ch]pp$/.test(file))
      .sort()
      .map((file) => [file, read(file)]),
  );

/** Writes the sources with these mutants, only where they change: what is built stays built. */
function write(sources, mutants) {
  for (const [file, source] of Object.entries(sources)) {
    const lines = source.split("\n");
    const own = mutants.filter((mutant) => mutant.file === file);
    for (const mutant of own) lines[mutant.line] = mutant.make(mutant.number);
    const declaration = "extern int mutant;\n";
    const text = own.length
      ? lines.join("\n").replace(/^#pragma once\n|^(?=#include)/m, (all) => all + declaration)
      : source;
    const target = join(copy, file);
    if (existsSync(target) && readFileSync(target, "utf8") === text) continue;
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, text);
  }
}

async function configure() {
  for (const part of [
    "CMakeLists.txt",
    "cpp/native.cmake",
    "cpp/bindings",
    "tests/cpp",
    "tests/digest",
    "examples/quickstart.cpp",
  ])
    cpSync(inRoot(part), join(copy, part), { recursive: true, preserveTimestamps: true });
  const mutant = '#include <cstdlib>\nint mutant = std::getenv("MUTANT") ? std::atoi(std::getenv("MUTANT")) : -1;\n';
  const file = join(copy, "cpp", "src", "mutant.cpp");
  mkdirSync(dirname(file), { recursive: true });
  if (!existsSync(file)) writeFileSync(file, mutant);
  const { cmakeArguments } = await toolchain();
  const flags = ["-DCMAKE_BUILD_TYPE=", "-DCMAKE_CXX_FLAGS=-O1 -w", "-G", "Ninja", "--log-level=WARNING"];
  const { status } = spawnSync("cmake", ["-S", copy, "-B", join(folder, "native"), ...flags, ...cmakeArguments], {
    stdio: "inherit",
  });
  if (status !== 0) throw new Error("cmake failed");
}

/** Builds; mutants that do not compile are dropped. */
function build(sources, mutants) {
  for (let round = 0; round < 12; ++round) {
    write(sources, mutants);
    const { status, stdout } = spawnSync(
      "cmake",
      ["--build", join(folder, "native"), "--target", "posenc_tests", "--", "-k", "0"],
      {
        encoding: "utf8",
        maxBuffer: 1 << 28,
      },
    );
    if (status === 0) return mutants;
    const bad = new Set(
      [...stdout.matchAll(/(cpp\/(?:src|include)\/[^:\s]+):(\d+):\d+:/g)].map(([, file, line]) => `${file}:${line}`),
    );
    // The line of the declaration comes on top.
    const kept = mutants.filter(({ file, line }) => !bad.has(`${file}:${line + 2}`));
    if (kept.length === mutants.length) throw new Error(`does not build:\n${stdout.slice(-4000)}`);
    log(`${mutants.length - kept.length} mutants do not compile`);
    mutants = kept;
  }
  throw new Error("does not build");
}

/** Do the tests fail? A program that does not end is as good. */
function fails(number, seconds) {
  return new Promise((resolve) => {
    const child = spawn(program, ["--abort"], { env: { ...process.env, MUTANT: String(number) }, stdio: "ignore" });
    const timer = setTimeout(() => child.kill("SIGKILL"), 1000 * seconds);
    child.on("close", (status) => {
      clearTimeout(timer);
      resolve(status !== 0);
    });
  });
}

await runTask(async () => {
  const count = Number(process.argv[2] ?? 120);
  const seed = Number(process.argv[3] ?? 1);
  const sources = sourcesOf();
  const equivalent = JSON.parse(read("tests/mutation/equivalent.json"));
  const reasonOf = ({ file, text, becomes }) =>
    equivalent.find((one) => one.file === file && one.line === text && one.becomes === becomes)?.reason;
  if (!existsSync(copy)) write(sources, []);
  await configure();
  const mutable = Object.fromEntries(Object.entries(sources).filter(([file]) => !left.test(file)));
  let mutants = choose(mutable, count, seed).map((mutant, number) => ({ ...mutant, number }));
  mutants = build(sources, mutants);
  const begin = Date.now();
  if (await fails(-1, 3600)) throw new Error("the tests fail without any mutant");
  const limit = 30 + (10 * (Date.now() - begin)) / 1000;
  log(`${mutants.length} mutants, a run of the tests takes ${((Date.now() - begin) / 1000).toFixed(1)} s`);

  // Of the tests and all mutants: with either changed, what was known is forgotten.
  const key = (mutant) =>
    createHash("sha256")
      .update(JSON.stringify([mutant.file, mutant.line, mutant.becomes, sources[mutant.file]]))
      .digest("hex");
  const memory = join(folder, "killed.json");
  const killed = new Set(existsSync(memory) ? JSON.parse(readFileSync(memory, "utf8")) : []);
  const survivors = [];
  const queue = mutants.filter((mutant) => !killed.has(key(mutant)) && !reasonOf(mutant));
  const work = async () => {
    for (let mutant = queue.shift(); mutant; mutant = queue.shift()) {
      if (!(await fails(mutant.number, limit))) {
        survivors.push(mutant);
        log(`survives (${mutant.name}): ${mutant.file}:${mutant.line + 1}: ${mutant.text}  ->  ${mutant.becomes}`);
        continue;
      }
      killed.add(key(mutant));
      writeFileSync(memory, JSON.stringify([...killed]));
    }
  };
  await Promise.all([work(), work()]);
  const same = mutants.filter(reasonOf).length;
  const share = 1 - survivors.length / (mutants.length - same);
  log(
    `${mutants.length} mutants: ${mutants.length - same - survivors.length} killed, ${survivors.length} survive, ${same} change nothing: ${(100 * share).toFixed(1)} % killed`,
  );
  process.exitCode = share >= wanted ? 0 : 1;
});
