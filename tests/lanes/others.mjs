// Lanes of the builds: golden cases, fuzzers, browser engines, and static checks of the sources.
import { readFileSync } from "node:fs";
import { binary } from "../../web/tasks/prepare.mjs";
import { fuzz } from "../fuzz/run.mjs";
import { fuzzSeed } from "../fuzz/seed.mjs";
import { byTwo } from "./by-two.mjs";
import { onceFor } from "./memory.mjs";
import { outputOf, step } from "./processes.mjs";
import { setUp } from "./setup.mjs";

const relaxedFlag = "--experimental-wasm-relaxed-simd";

/** Runs the golden cases through some builds. */
export async function golden({ count }, variants) {
  await byTwo(variants, async (variant) => {
    const flags = variant === "relaxed" && Number(process.versions.node.split(".")[0]) < 22 ? [relaxedFlag] : [];
    const words = [...flags, "tests/golden/run.mjs", "tests/fixtures/golden", `--variant=${variant}`];
    const { output } = await outputOf(process.execPath, words);
    const found = output.match(/golden: (\d+) passed, (\d+) failed, (\d+) unsupported/) ?? [undefined, 0, 1, 0];
    const [passed, failed, unsupported] = found.slice(1).map(Number);
    if (failed + unsupported > 0) console.log(output);
    const failures = output.split("\n").filter((line) => !/^(pass |golden: \d+ passed)/.test(line));
    count(`golden cases (${variant})`, passed, failed + unsupported, [failures.join("\n")]);
  });
}

/** Counts the WebAssembly instructions of calls. */
export async function steps(report) {
  // Imported late: it imports packages that the set-up installs.
  const { checkSteps } = await import("../bench/steps/check.mjs");
  await checkSteps(report);
}

/** Runs both fuzzers for half a minute. Only results for the corpus are compared with error bounds. */
export async function fuzzers({ count, lacks }) {
  const reports = await fuzz(30, fuzzSeed, { bounds: false });
  if (reports.length === 0) lacks("fuzzing", "clang and its libFuzzer");
  for (const { target, ok, files, output } of reports) {
    const found = output.split("\n").filter((line) => /^posenc: |ERROR: /.test(line));
    count(`fuzzing ${target}`, ok ? 1 : 0, ok ? 0 : 1, [[...files, ...found].join("\n")]);
  }
}

/** Runs golden cases and test files in every available browser engine, in page and worker alternately. */
export async function browserEngines({ count, lacks }, only = "") {
  // Imported late: it imports packages that the set-up installs.
  const { runEngines } = await import("../engines/run.mjs");
  const logResult = (name, { passed, failed, failures }) => {
    for (const failure of failures) console.log(`  ${failure}`);
    count(name, passed, failed, failures);
  };
  const missing = await runEngines(logResult, { inTurns: true, only });
  for (const name of missing) lacks(`golden cases and test files in ${name}`, "that engine");
}

/** Checks that committed generated files are up to date. */
export async function generated({ count }, { quick }) {
  const { generatedFiles } = await import("../../web/tasks/generate.mjs");
  const read = () => generatedFiles().map((file) => readFileSync(file, "utf8"));
  const before = read();
  await setUp(["library"], { quick });
  const after = read();
  const stale = generatedFiles().filter((_, i) => before[i] !== after[i]);
  count("generated files are fresh", after.length - stale.length, stale.length, stale);
}

const svelteCheck = ["--workspace", "web/site", "--tsconfig", "./tsconfig.json", "--output", "human", "--incremental"];

/** Returns arguments of tsc. Results for unchanged files are cached in build/types. */
const typeCheck = (folder) => {
  const known = `build/types/${folder.replaceAll("/", "-")}.json`;
  return ["-p", `${folder}/tsconfig.json`, "--noEmit", "--incremental", "--tsBuildInfoFile", known];
};

const typed = ["dist/types", "tests", "examples", "vectors", "web/site", "tsconfig.json"];

/** Folders that are checked, and what else they import. */
const typeChecks = [
  ["web/site", []],
  ["web/src/cli", ["web/src"]],
  ["tests/js", ["web/src"]],
  ["tests/webgpu", []],
  ["tests/engines", []],
  ["tests/site", ["web/src/wasm"]],
];

/** Checks types. The quick tier skips folders that have passed with the same inputs. */
export async function types(report, { quick }) {
  await byTwo(typeChecks, async ([folder, imported]) => {
    const check = folder === "web/site" ? [binary("svelte-check"), svelteCheck] : [binary("tsc"), typeCheck(folder)];
    const name = `types of ${folder}`;
    const inputs = quick ? [...typed, ...imported] : undefined;
    await onceFor({ name, inputs }, report, (counted) => step(counted, name, ...check));
  });
}

export const format = (report) => step(report, "formatting", process.execPath, ["web/tasks/format.mjs", "--check"]);
