// Checks that the native tests detect faults in the core: node tests/mutation/run.mjs [COUNT] [SEED]
// COUNT lines of cpp/src and cpp/include get one fault each, all in one build. An environment variable switches one of
// them on, so that each costs a test run but no build. The tests must fail for 95 of 100; others are printed.
// tests/mutation/equivalent.json lists mutants that change no result, with reasons. Quick tests run first, the others
// only for mutants that these miss. Results are kept in build/mutation; a second run with the same sources continues.
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { inRoot, log, root, run, runTask, toolchain } from "../../web/tasks/prepare.mjs";
import { byTwo } from "../lanes/by-two.mjs";
import { choose } from "./mutants.mjs";

const folder = inRoot("build", "mutation");
const copy = join(folder, "source");
const wanted = 0.95;
// Stages of the suite, by the cumulative time of the tests.
const shares = [0.05, 0.3, 1];
// Only the second build, with sanitizers, detects writes out of bounds. It has the mutants that the first one misses.
const builds = {
  native: "-O1 -w -D_GLIBCXX_ASSERTIONS",
  sanitized: "-O1 -w -g1 -fsanitize=address,undefined -fno-sanitize-recover=all",
};
// Skips texts, requests of memory, and compile-time code.
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

/** Writes the sources with these mutants. Unchanged files are not written, to keep their objects. */
function write(sources, mutants) {
  for (const top of ["cpp/src", "cpp/include"].filter((name) => existsSync(join(copy, name))))
    for (const name of readdirSync(join(copy, top), { recursive: true }))
      if (/\.[ch]pp$/.test(name) && !(join(top, name) in sources) && name !== "mutant.cpp")
        rmSync(join(copy, top, name));
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
    "examples/quickstart.cpp",
    "examples/training.cpp",
  ]) {
    rmSync(join(copy, part), { recursive: true, force: true });
    cpSync(inRoot(part), join(copy, part), { recursive: true, preserveTimestamps: true });
  }
  const fixtures = join(copy, "tests", "fixtures");
  if (!existsSync(fixtures)) symlinkSync(inRoot("tests", "fixtures"), fixtures);
  const mutant = '#include <cstdlib>\nint mutant = std::getenv("MUTANT") ? std::atoi(std::getenv("MUTANT")) : -1;\n';
  const file = join(copy, "cpp", "src", "mutant.cpp");
  if (!existsSync(file)) writeFileSync(file, mutant);
  const { cmakeArguments } = await toolchain();
  for (const [name, flags] of Object.entries(builds)) {
    const options = ["-DCMAKE_BUILD_TYPE=", `-DCMAKE_CXX_FLAGS=${flags}`, "-G", "Ninja", "--log-level=WARNING"];
    run("cmake", ["-S", copy, "-B", join(folder, name), ...options, ...cmakeArguments], {
      stdio: ["ignore", "ignore", "inherit"],
    });
  }
}

/** Builds a target. Removes mutants that do not compile. */
function build(name, target, sources, mutants) {
  const command = ["--build", join(folder, name), "--target", target, "--", "-k", "0"];
  for (let round = 0; round < 12; ++round) {
    write(sources, mutants);
    const { status, stdout } = spawnSync("cmake", command, { encoding: "utf8", maxBuffer: 1 << 28 });
    if (status === 0) return mutants;
    const bad = new Set(
      [...stdout.matchAll(/(cpp\/(?:src|include)\/[^:\s]+):(\d+):\d+:/g)].map(([, file, line]) => `${file}:${line}`),
    );
    // The line of the declaration is added at the top.
    const kept = mutants.filter(({ file, line }) => !bad.has(`${file}:${line + 2}`));
    if (kept.length === mutants.length) throw new Error(`does not build:\n${stdout.slice(-4000)}`);
    log(`${mutants.length - kept.length} mutants do not compile`);
    mutants = kept;
  }
  throw new Error("does not build");
}

/** Returns lists of cases for Catch2, quick ones first, with limits of CPU time: [{ program, list, limit }]. */
async function stagesOf(name) {
  const program = join(folder, name, "posenc_tests");
  const { status, stdout } = spawnSync(program, ["--durations", "yes"], { encoding: "utf8", maxBuffer: 1 << 28 });
  if (status !== 0) throw new Error(`the tests fail without any mutant:\n${stdout.slice(-4000)}`);
  const cases = [...stdout.matchAll(/^(\d+\.\d+) s: (.*)$/gm)].map(([, time, title]) => ({
    time: Number(time),
    title,
  }));
  cases.sort((a, b) => a.time - b.time);
  const total = cases.reduce((sum, { time }) => sum + time, 0);
  log(`${cases.length} test cases take ${total.toFixed(1)} s`);
  const lists = shares.map(() => []);
  let sum = 0;
  for (const one of cases) {
    sum += one.time;
    const stage = shares.findIndex((share) => sum <= share * total);
    lists[stage < 0 ? shares.length - 1 : stage].push(one);
  }
  const stages = lists.map((some, stage) => {
    const list = join(folder, `${name}-${stage}.txt`);
    // Escape special characters of Catch2 in names.
    writeFileSync(list, some.map(({ title }) => `${title.replaceAll(/[\\,[\]"]/g, "\\$&")}\n`).join(""));
    return { program, list, limit: Math.ceil(5 + 3 * some.reduce((all, { time }) => all + time, 0)) };
  });
  // Otherwise all mutants would seem to be detected.
  for (const stage of stages) if (await fails(-1, stage)) throw new Error(`${stage.list} fails without any mutant`);
  return stages;
}

/** Whether the tests of a list fail. Timeouts and exhausted memory count as failures. */
function fails(number, { program, list, limit }) {
  return new Promise((resolve) => {
    // The sanitizer's shadow memory needs more address space than any machine has memory.
    const memory = program.includes("sanitized") ? "" : "ulimit -v 4000000;";
    const command = `ulimit -t ${limit}; ${memory} exec "${program}" --abort --input-file "${list}"`;
    const options = { env: { ...process.env, MUTANT: String(number) }, stdio: "ignore" };
    const child = spawn("sh", ["-c", command], options);
    // A deadlock takes no CPU time.
    const timer = setTimeout(() => child.kill("SIGKILL"), 20000 * limit);
    child.on("close", (status) => {
      clearTimeout(timer);
      resolve(status !== 0);
    });
  });
}

/** Tests each mutant. Returns those that no stage detects. */
async function survivorsOf(mutants, stages, onKill) {
  const survivors = [];
  const noticed = async ({ number }) => {
    for (const stage of stages) if (await fails(number, stage)) return true;
    return false;
  };
  await byTwo(mutants, async (mutant) => {
    if (await noticed(mutant)) onKill(mutant);
    else survivors.push(mutant);
  });
  return survivors;
}

await runTask(async () => {
  const count = Number(process.argv[2] ?? 120);
  const seed = Number(process.argv[3] ?? 1);
  const sources = sourcesOf();
  const equivalent = JSON.parse(read("tests/mutation/equivalent.json"));
  const reasonOf = ({ file, text, becomes }) =>
    equivalent.find((one) => one.file === file && one.line === text && one.becomes === becomes)?.reason;
  const mutable = Object.fromEntries(Object.entries(sources).filter(([file]) => !left.test(file)));
  let mutants = choose(mutable, count, seed).map((mutant, number) => ({ ...mutant, number }));
  write(sources, mutants);
  await configure();
  // The library first: mutants that do not compile then need no build of the tests.
  for (const target of ["posenc", "posenc_tests"]) mutants = build("native", target, sources, mutants);

  const key = ({ file, line, becomes }) =>
    createHash("sha256")
      .update(JSON.stringify([file, line, becomes, sources[file]]))
      .digest("hex");
  const memory = join(folder, "killed.json");
  const killed = new Set(existsSync(memory) ? JSON.parse(readFileSync(memory, "utf8")) : []);
  const onKill = (mutant) => {
    killed.add(key(mutant));
    writeFileSync(memory, JSON.stringify([...killed]));
  };
  let survivors = mutants.filter((mutant) => !killed.has(key(mutant)) && !reasonOf(mutant));
  log(`${mutants.length} mutants, ${survivors.length} to try`);
  for (const name of Object.keys(builds)) {
    if (survivors.length === 0) break;
    build(name, "posenc_tests", sources, mutants);
    survivors = await survivorsOf(survivors, await stagesOf(name), onKill);
    log(`${name}: ${survivors.length} survive`);
    for (const { name: what, file, line, text, becomes } of survivors)
      log(`survives (${what}): ${file}:${line + 1}: ${text}  ->  ${becomes}`);
  }
  const same = mutants.filter(reasonOf).length;
  const share = 1 - survivors.length / (mutants.length - same);
  log(
    `${mutants.length} mutants: ${mutants.length - same - survivors.length} killed, ${survivors.length} survive, ${same} change nothing: ${(100 * share).toFixed(1)} % killed`,
  );
  process.exitCode = share >= wanted ? 0 : 1;
});
