// npm test: the set-up, then every test. The last line says how many passed and failed.
import { execFile, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import { promisify } from "node:util";
import { byTwo } from "./by-two.mjs";
import { fuzz } from "./fuzz/run.mjs";
import { fuzzSeed } from "./fuzz/seed.mjs";
import { lanes, sum } from "./lanes.mjs";
import {
  binary,
  findChromium,
  inRoot,
  installDependencies,
  log,
  root,
  run,
  runBeside,
  runTask,
  toolchain,
} from "../web/tasks/prepare.mjs";

const relaxedFlag = "--experimental-wasm-relaxed-simd";
const begin = Date.now();
/** What a lane takes shows in the time that has passed. */
const { totals, count, lane, lacks, summary } = lanes((text) =>
  log(`${text} (after ${Math.round((Date.now() - begin) / 1000)} s)`),
);
const execute = promisify(execFile);

/** A step that passes or fails as a whole: what it says is told if it fails. */
async function step(name, command, commandArguments) {
  log(name);
  const failure = await execute(command, commandArguments, { cwd: root, maxBuffer: 1 << 28 }).then(
    () => undefined,
    (error) => error,
  );
  const said = failure ? `${failure.stdout}${failure.stderr}${failure.message}` : "";
  if (failure) console.log(said);
  count(name, failure ? 0 : 1, failure ? 1 : 0, [said]);
}

function capture(command, commandArguments) {
  const result = spawnSync(command, commandArguments, { cwd: root, encoding: "utf8", maxBuffer: 1 << 28 });
  return { ...result, output: `${result.stdout}${result.stderr}` };
}

// Many, as cases last from nothing to seconds.
const parts = 12;

/** A part of a Catch2 program: how many cases passed and failed, as its own summary says, and where. */
async function catch2(program, part) {
  // A case that asserts nothing is a failure, too.
  const shard = ["--warn", "NoAssertions", "--shard-index", part, "--shard-count", parts].map(String);
  const { stdout, stderr, code = 0 } = await execute(program, shard, { maxBuffer: 1 << 28 }).catch((error) => error);
  process.stdout.write(stdout + stderr);
  const whole = stdout.match(/All tests passed \(.* in (\d+) test cases?\)/);
  const mixed = stdout.match(/test cases:\s*(\d+)\s*\|\s*(?:(\d+) passed\s*\|\s*)?(\d+) failed/);
  if (whole && code === 0) return { passed: Number(whole[1]), failed: 0, failures: [] };
  const places = stdout.split("\n").filter((line) => line.includes(": FAILED"));
  const failures = places.length > 0 ? places : [`${stderr}${stdout}`];
  return { passed: Number(mixed?.[2] ?? 0), failed: Number(mixed?.[3] ?? 1), failures };
}

/** Compiles a native preset, while other work goes on. */
function compile(preset, extra = []) {
  const compiling = toolchain().then(async ({ cmakeArguments }) => {
    await runBeside("cmake", ["--preset", preset, ...cmakeArguments, ...extra, "--log-level=WARNING"], {
      stdio: ["ignore", "ignore", "inherit"],
    });
    await runBeside("cmake", ["--build", "--preset", preset]);
  });
  // Its lane hears of it, be it later.
  compiling.catch(() => undefined);
  return compiling;
}

/** Catch2 in one native preset, once that is compiled. */
async function native(preset, compiling) {
  const name = `C++ (${preset})`;
  log(name);
  await compiling;
  const reports = [];
  await byTwo(Array(parts).keys(), async (part) => {
    reports.push(await catch2(inRoot("build", preset, "posenc_tests"), part));
  });
  const { passed, failed, failures } = sum(reports);
  count(name, passed, failed, failures);
  for (const example of ["quickstart", "training"])
    await step(`${name}: examples/${example}.cpp`, inRoot("build", preset, `posenc_${example}`), []);
}

/** The native library, installed into a folder of its own, as a program finds and uses it. */
async function installed(preset) {
  const prefix = inRoot("build", "installed");
  const build = inRoot("build", "installed-consumer");
  for (const folder of [prefix, build]) rmSync(folder, { recursive: true, force: true });
  run("cmake", ["--install", inRoot("build", preset), "--prefix", prefix], { stdio: ["ignore", "ignore", "inherit"] });
  const source = inRoot("tests", "package", "native");
  run(
    "cmake",
    ["-G", "Ninja", "-S", source, "-B", build, `-DCMAKE_PREFIX_PATH=${prefix}`, "-DCMAKE_BUILD_TYPE=Release"],
    { stdio: ["ignore", "ignore", "inherit"] },
  );
  run("cmake", ["--build", build], { stdio: ["ignore", "ignore", "inherit"] });
  for (const program of ["consumer", "training"])
    await step(`the installed library in a program that finds it: ${program}`, join(build, program), []);
  const [plain, careless] = ["plain", "careless"].map((flags) => capture(join(build, `bits_${flags}`), []));
  if (plain.output !== careless.output) console.log(`${plain.output}\nunder -ffast-math:\n${careless.output}`);
  const same = plain.status === 0 && plain.output === careless.output && plain.output.split("\n").length > 30;
  count("the same bits in a program under -ffast-math", Number(same), Number(!same));
}

/** What of a report of vitest has failed: tests by their names, files that broke before any. */
const failuresOf = ({ testResults = [] }) =>
  testResults.flatMap(({ name: file, status, message, assertionResults }) => {
    const place = relative(root, file);
    const failed = assertionResults.filter((test) => test.status === "failed");
    if (failed.length === 0) return status === "failed" ? [`${place}: ${message}`] : [];
    return failed.map(({ fullName, failureMessages }) => `${place}: ${fullName}\n${failureMessages.join("\n")}`);
  });

function vitest(name, config) {
  log(name);
  const report = inRoot("build", `vitest-${config.replaceAll(/\W/g, "-")}.json`);
  rmSync(report, { force: true });
  const { status } = spawnSync(
    binary("vitest"),
    ["run", "--config", config, "--reporter=dot", "--reporter=json", `--outputFile.json=${report}`],
    {
      cwd: root,
      stdio: "inherit",
      env: { ...process.env, CHROMIUM_PATH: findChromium() },
    },
  );
  const results = existsSync(report) ? JSON.parse(readFileSync(report, "utf8")) : {};
  const { numPassedTests = 0, numFailedTests = 0 } = results;
  // A crash outside any test must count, too.
  count(name, numPassedTests, Math.max(numFailedTests, status === 0 ? 0 : 1), failuresOf(results));
}

/** The golden cases through a build. */
async function golden(variant) {
  const name = `golden cases (${variant})`;
  const flags = variant === "relaxed" && Number(process.versions.node.split(".")[0]) < 22 ? [relaxedFlag] : [];
  const words = [...flags, "tests/golden/run.mjs", "tests/fixtures/golden", `--variant=${variant}`];
  const { stdout, stderr } = await execute(process.execPath, words, { cwd: root, maxBuffer: 1 << 28 }).catch(
    (error) => error,
  );
  const output = `${stdout}${stderr}`;
  const found = output.match(/golden: (\d+) passed, (\d+) failed, (\d+) unsupported/) ?? [undefined, 0, 1, 0];
  const [passed, failed, unsupported] = found.slice(1).map(Number);
  if (failed + unsupported > 0) console.log(output);
  const failures = output.split("\n").filter((line) => !/^(pass |golden: \d+ passed)/.test(line));
  count(name, passed, failed + unsupported, [failures.join("\n")]);
}

/** Both fuzzers for half a minute: what is wrong by a little is sought by hand, and compared of the corpus. */
async function fuzzers() {
  const reports = await fuzz(30, fuzzSeed, { bounds: false });
  if (reports.length === 0) lacks("fuzzing", "clang and its libFuzzer");
  for (const { target, ok, files, output } of reports) {
    const found = output.split("\n").filter((line) => /^posenc: |ERROR: /.test(line));
    count(`fuzzing ${target}`, ok ? 1 : 0, ok ? 0 : 1, [[...files, ...found].join("\n")]);
  }
}

/** The golden cases and the test files in every browser engine that this machine can have: in page and worker by turns. */
async function browserEngines() {
  // Only now: it imports what the set-up installs.
  const { runEngines } = await import("./engines/run.mjs");
  const tell = (name, { passed, failed, failures }) => {
    for (const failure of failures) console.log(`  ${failure}`);
    count(name, passed, failed, failures);
  };
  const missing = await runEngines(tell, { byTurns: true });
  for (const name of missing) lacks(`golden cases and test files in ${name}`, "that engine");
}

const fresh = async (buildLibrary, generatedFiles) => {
  const generated = () => generatedFiles().map((file) => readFileSync(file, "utf8"));
  const committed = generated();
  await buildLibrary();
  const same = generated().filter((text, i) => text === committed[i]).length;
  count("generated files are fresh", same, committed.length - same);
};

const svelteCheck = ["--workspace", "web/site", "--tsconfig", "./tsconfig.json", "--output", "human"];
/** What the sources are checked for without being run. */
const checks = [
  ["formatting", process.execPath, ["web/tasks/format.mjs", "--check"]],
  ["types of the site", binary("svelte-check"), svelteCheck],
  ...["web/src/cli", "tests/js", "tests/webgpu", "tests/engines", "tests/site"].map((folder) => [
    `types of ${folder}`,
    binary("tsc"),
    ["-p", `${folder}/tsconfig.json`, "--noEmit"],
  ]),
];

await runTask(async () => {
  await installDependencies();
  findChromium();
  // The test files draw theirs from the same seed.
  process.env.POSENC_FUZZ_SEED = String(fuzzSeed);
  const seed = `random tests begin at seed ${fuzzSeed}: POSENC_FUZZ_SEED=${fuzzSeed} npm test repeats them`;
  log(seed);
  const { buildAll, buildLibrary } = await import("../web/tasks/build.mjs");
  const { generatedFiles } = await import("../web/tasks/generate.mjs");
  mkdirSync(inRoot("build"), { recursive: true });
  const downloads = runBeside(process.execPath, ["tests/downloads.mjs"]).catch(() => undefined);
  await fresh(buildLibrary, generatedFiles);
  // The site takes one processor.
  const debug = compile("native-debug");
  await buildAll();
  await lane("C++ (native-debug)", () => native("native-debug", debug));
  const fast = process.arch === "x64" ? ["-DPOSENC_ARCHITECTURE=-mavx2 -mfma"] : [];
  await lane("C++ (native-release)", () => native("native-release", compile("native-release", fast)));
  await lane("the installed library", () => installed("native-release"));
  await byTwo(["scalar", "simd", "relaxed"], golden);
  await downloads;
  await lane("fuzzing", fuzzers);
  vitest("JavaScript in Node and Chromium", "tests/js/vitest.config.ts");
  vitest("WebGPU on a software adapter", "tests/webgpu/vitest.config.ts");
  await lane("browser engines", browserEngines);
  vitest("package and examples", "tests/package/vitest.config.ts");
  vitest("tutorial", "tests/site/vitest.config.ts");
  // The pages of the documentation are compiled against these, too.
  await installDependencies(inRoot("examples", "transformers"));
  vitest("consumers of the package", "tests/package/consumers/vitest.config.mts");
  await installDependencies(inRoot("tests", "transformers", "version-3"));
  await lane("transformers.js and onnxruntime", async () => {
    vitest("transformers.js and onnxruntime", "tests/transformers/vitest.config.ts");
  });
  await byTwo(checks, (check) => step(...check));
  log(totals.failed > 0 ? `${totals.lanes} lanes; ${seed}` : `${totals.lanes} lanes`);
  for (const failure of summary()) console.log(failure);
  console.log(`${totals.passed} passed, ${totals.failed} failed`);
  process.exitCode = totals.failed > 0 ? 1 : 0;
});
