// npm test: the set-up, then every test, in three lanes at the same time. The last line says how many passed and failed.
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { fuzz } from "./fuzz/run.mjs";
import {
  binary,
  execute,
  findChromium,
  findEngines,
  findFuzzers,
  inRoot,
  installDependencies,
  log,
  runTask,
  toolchain,
} from "../web/tasks/prepare.mjs";

const relaxedFlag = "--experimental-wasm-relaxed-simd";
const totals = { passed: 0, failed: 0 };

function count(name, passed, failed) {
  totals.passed += passed;
  totals.failed += failed;
  log(`${name}: ${passed} passed, ${failed} failed`);
}

/** Counts what `work` answers, { passed, failed, output }; the output is printed where something failed. */
async function step(name, work) {
  log(`${name} …`);
  const broken = (error) => ({ passed: 0, failed: 1, output: error.stack });
  const { passed, failed, output } = await work().catch(broken);
  if (failed > 0) console.log(output);
  count(name, passed, failed);
}

/** A program that passes or fails as a whole. */
const program = (name, command, commandArguments) =>
  step(name, async () => {
    const { status, output } = await execute(command, commandArguments);
    return { passed: status === 0 ? 1 : 0, failed: status === 0 ? 0 : 1, output };
  });

/** One of `parts` parts of a Catch2 program: how many cases passed and failed, as its own summary says. */
async function catch2(path, part, parts) {
  const shard = ["--shard-index", part, "--shard-count", parts].map(String);
  const { status, output } = await execute(path, shard);
  const whole = output.match(/All tests passed \(.* in (\d+) test cases?\)/);
  const mixed = output.match(/test cases:\s*(\d+)\s*\|\s*(?:(\d+) passed\s*\|\s*)?(\d+) failed/);
  return whole && status === 0
    ? { passed: Number(whole[1]), failed: 0, output }
    : { passed: Number(mixed?.[2] ?? 0), failed: Number(mixed?.[3] ?? 1), output };
}

/** Catch2 in one native preset. */
async function native(preset, extra) {
  await step(`C++ (${preset})`, async () => {
    const { cmakeArguments } = await toolchain();
    for (const words of [
      ["--preset", preset, ...cmakeArguments, ...extra],
      ["--build", "--preset", preset],
    ]) {
      const { status, output } = await execute("cmake", words);
      if (status !== 0) return { passed: 0, failed: 1, output };
    }
    const parts = await Promise.all([0, 1].map((part) => catch2(inRoot("build", preset, "posenc_tests"), part, 2)));
    const total = (key) => parts.reduce((sum, part) => sum + part[key], 0);
    return { passed: total("passed"), failed: total("failed"), output: parts.map(({ output }) => output).join("") };
  });
  await program(`C++ (${preset}): the quick start`, inRoot("build", preset, "posenc_quickstart"), []);
}

const vitest = (name, config) =>
  step(name, async () => {
    const report = inRoot("build", `vitest-${config.replaceAll(/\W/g, "-")}.json`);
    rmSync(report, { force: true });
    const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
    const { status, output } = await execute(binary("vitest"), ["run", "--config", config, ...reporters], {
      env: { ...process.env, CHROMIUM_PATH: findChromium() },
    });
    const { numPassedTests = 0, numFailedTests = 0 } = existsSync(report)
      ? JSON.parse(readFileSync(report, "utf8"))
      : {};
    // A crash outside any test must count, too.
    return { passed: numPassedTests, failed: Math.max(numFailedTests, status === 0 ? 0 : 1), output };
  });

/** The golden cases through each build. */
const golden = (variant) =>
  step(`golden cases (${variant})`, async () => {
    const flags = variant === "relaxed" && Number(process.versions.node.split(".")[0]) < 22 ? [relaxedFlag] : [];
    const { output } = await execute(process.execPath, [
      ...flags,
      "tests/golden/run.mjs",
      "tests/fixtures/golden",
      `--variant=${variant}`,
    ]);
    const [, passed, failed] = output.match(/golden: (\d+) passed, (\d+) failed/) ?? [undefined, 0, 1];
    return { passed: Number(passed), failed: Number(failed), output };
  });

/** Both fuzzers for half a minute, always from the same seed: other seeds by hand (tests/fuzz/run.mjs). */
async function fuzzers() {
  for (const { target, ok } of await fuzz(30, 1)) count(`fuzzing ${target}`, ok ? 1 : 0, ok ? 0 : 1);
}

/** The golden cases and the test files in every browser engine that this machine can have. */
async function browserEngines() {
  // Only now: it imports what the set-up installs.
  const { runEngines } = await import("./engines/run.mjs");
  await runEngines((name, { passed, failed, failures }) => {
    for (const failure of failures) console.log(`  ${failure}`);
    count(name, passed, failed);
  });
}

/** Tables and rotations have the same bits native and in WebAssembly. (The three WebAssembly builds: tests/js.) */
const sameBits = (preset) =>
  step(`same bits, ${preset} and WebAssembly`, async () => {
    const [here, there] = await Promise.all([
      execute(inRoot("build", preset, "posenc_digest"), []),
      execute(process.execPath, ["tests/golden/digest.mjs", "scalar"]),
    ]).then((both) => both.map(({ stdout }) => JSON.parse(stdout)));
    const names = Object.keys({ ...here, ...there });
    const different = names.filter((name) => here[name] !== there[name]);
    const output = `different bits: ${different.join(", ")}`;
    return { passed: names.length - different.length, failed: different.length, output };
  });

/** All that the tests need, one after the other: builds and installations take the whole machine. */
async function prepare() {
  installDependencies();
  installDependencies(inRoot("examples", "transformers"));
  findChromium();
  findEngines();
  findFuzzers();
  const { buildLibrary, buildSite } = await import("../web/tasks/build.mjs");
  const { generatedFiles } = await import("../web/tasks/generate.mjs");
  const generated = () => generatedFiles().map((file) => readFileSync(file, "utf8"));
  const committed = generated();
  await buildLibrary();
  const fresh = generated().filter((text, i) => text === committed[i]).length;
  count("generated files are fresh", fresh, committed.length - fresh);
  await buildSite();
  mkdirSync(inRoot("build"), { recursive: true });
}

async function nativeLane() {
  await native("native-debug", []);
  await native("native-release", process.arch === "x64" ? ["-DPOSENC_ARCHITECTURE=-mavx2 -mfma"] : []);
  for (const preset of ["native-debug", "native-release"]) await sameBits(preset);
  for (const variant of ["scalar", "simd", "relaxed"]) await golden(variant);
  await fuzzers();
}

async function libraryLane() {
  await vitest("JavaScript in Node and Chromium", "tests/js/vitest.config.ts");
  await browserEngines();
  await vitest("package and examples", "tests/package/vitest.config.ts");
}

async function pagesLane() {
  await vitest("tutorial", "tests/site/vitest.config.ts");
  await vitest("consumers of the package", "tests/package/consumers/vitest.config.mts");
  await vitest("transformers.js and onnxruntime", "tests/transformers/vitest.config.ts");
  const site = ["--workspace", "web/site", "--tsconfig", "./tsconfig.json", "--output", "human"];
  await program("types of the site", binary("svelte-check"), site);
  for (const tests of ["tests/js", "tests/engines", "tests/site"])
    await program(`types of ${tests}`, binary("tsc"), ["-p", `${tests}/tsconfig.json`, "--noEmit"]);
  await program("formatting", process.execPath, ["web/tasks/format.mjs", "--check"]);
}

/** What breaks outside a step ends its lane only. */
const whole = (lane) =>
  lane().catch((error) => {
    console.log(error.stack);
    count(lane.name, 0, 1);
  });

await runTask(async () => {
  await prepare();
  await Promise.all([nativeLane, libraryLane, pagesLane].map(whole));
  console.log(`${totals.passed} passed, ${totals.failed} failed`);
  process.exitCode = totals.failed > 0 ? 1 : 0;
});
