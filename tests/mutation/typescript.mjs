// Checks that the tests detect faults in the TypeScript, and the quick tier nearly as many as all tests.
// node tests/mutation/typescript.mjs [COUNT] [SEED]
// COUNT lines of web/src get one fault each, all in one build of a copy of this checkout. An environment variable
// switches one of them on (switch.mjs). First all lanes run without any mutant and record which test files reach which
// mutants; then a mutant needs these files only. The lanes of the quick tier run first. For mutants that these miss,
// lanes in a browser and all other lanes run on a build with only this mutant. Run `npm run build` before. Results:
// build/mutation/typescript.json.
import { execFileSync, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { findChromium, inRoot, log, root, runTask, writeWhole } from "../../web/tasks/prepare.mjs";
import { table } from "../lanes/table.mjs";
import { choose } from "./mutants.mjs";

const copy = inRoot("build", "mutation", "typescript");
const memory = `${copy}.json`;
/** Minimum ratio of mutants that the quick tier detects to those that all lanes detect. */
const wanted = 0.97;

/** The lanes of the quick tier of npm test. */
const quickLanes = table
  .filter(({ quick, quickWords }) => quick && quickWords)
  .map(({ name, quickWords, inputs }) => ({ name, words: quickWords, inputs, inBrowser: name === "webgpu" }));
const config = (name) => `tests/${name}`;
const otherLanes = [
  { name: "js in Node", words: ["--config", config("js/vitest.config.ts"), "--project", "node*"] },
  { name: "transformers", words: ["--config", config("transformers/vitest.config.ts")] },
  {
    name: "js in Chromium",
    words: ["--config", config("js/vitest.config.ts"), "--project", "browser"],
    inBrowser: true,
  },
];

const sourcesOf = () =>
  Object.fromEntries(
    readdirSync(inRoot("web", "src"), { recursive: true })
      .filter((name) => /\.ts$/.test(name) && !/\.(gen|d)\.ts$/.test(name))
      .sort()
      .map((name) => [join("web/src", name), readFileSync(inRoot("web/src", name), "utf8")]),
  );

/** Copies the repository. Installed packages and C++ builds are those of this checkout. */
function copyCheckout() {
  rmSync(copy, { recursive: true, force: true });
  const listed = ["--cached", "--others", "--exclude-standard", "-z"];
  const files = execFileSync("git", ["ls-files", ...listed], { cwd: root, encoding: "utf8", maxBuffer: 1 << 28 });
  const generated = execFileSync("git", ["ls-files", "-o", "-i", "--exclude-standard", "-z", "web/src"], {
    cwd: root,
    encoding: "utf8",
  });
  for (const file of `${files}${generated}`.split("\0").filter((name) => name && existsSync(inRoot(name)))) {
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    cpSync(inRoot(file), join(copy, file));
  }
  mkdirSync(join(copy, "build"), { recursive: true });
  for (const name of ["node_modules", "build/wasm", "build/packed", ".toolchain", "dist-site"])
    if (existsSync(inRoot(name))) symlinkSync(inRoot(name), join(copy, name));
  for (const name of ["examples/transformers", "tests/transformers/version-3"]) linkPackages(`${name}/node_modules`);
}

/** Links the packages of a folder; its posenc is the copy's. */
function linkPackages(folder) {
  if (!existsSync(inRoot(folder))) return;
  mkdirSync(join(copy, folder));
  for (const name of readdirSync(inRoot(folder)))
    symlinkSync(name === "posenc" ? copy : inRoot(folder, name), join(copy, folder, name));
}

/** Builds the copy with these mutants; `only`: with this one always on, also in browsers. */
async function build(sources, mutants, only) {
  for (const [file, source] of Object.entries(sources)) {
    const lines = source.split("\n");
    for (const mutant of mutants)
      if (mutant.file === file && (only === undefined || mutant === only))
        lines[mutant.line] = mutant.make(mutant.number);
    const text = only ? lines.join("\n").replaceAll(/globalThis\.isMutant\?\.\(\d+\)/g, "true") : lines.join("\n");
    writeFileSync(join(copy, file), text);
  }
  rmSync(join(copy, "dist"), { recursive: true, force: true });
  cpSync(inRoot("dist", "types"), join(copy, "dist", "types"), { recursive: true });
  const script = `import { bundle } from "./web/tasks/bundle.mjs"; await bundle("dist", "build/packed");`;
  execFileSync(process.execPath, ["--input-type=module", "-e", script], { cwd: copy, stdio: "inherit" });
}

/** Runs a lane in the copy, or `files` of it. Returns the files that fail, and "a crash" for failures outside of files. */
function failuresOf({ words, excluded = [] }, { number = -1, files = [], reached = "" }) {
  const report = join(copy, "build", "report.json");
  rmSync(report, { force: true });
  const reporting = ["--reporter=json", `--outputFile.json=${report}`, ...(number < 0 ? [] : ["--bail=1"])];
  const without = excluded.map((file) => `--exclude=${file}`);
  const child = spawn(join(copy, "node_modules/.bin/vitest"), ["run", ...words, ...reporting, ...without, ...files], {
    cwd: copy,
    stdio: "ignore",
    detached: true,
    env: {
      ...process.env,
      NODE_OPTIONS: `--import ${new URL("switch.mjs", import.meta.url)}`,
      MUTANT: String(number),
      REACHED: reached,
      CHROMIUM_PATH: findChromium(),
      POSENC_FUZZ_SEED: "1",
      POSENC_FUZZ_RUNS: "10",
    },
  });
  // A timeout counts as detected, too.
  const timer = setTimeout(() => process.kill(-child.pid, "SIGKILL"), 900_000);
  return new Promise((resolve) =>
    child.on("close", (status) => {
      clearTimeout(timer);
      const { testResults = [] } = existsSync(report) ? JSON.parse(readFileSync(report, "utf8")) : {};
      const failed = testResults
        .filter((one) => one.status === "failed")
        .map(({ name }) => name.slice(copy.length + 1));
      resolve(status === 0 ? [] : failed.length > 0 ? failed : ["a crash"]);
    }),
  );
}

/**
 * Runs a lane without any mutant. Returns it with the files that fail, which are left out (such as sizes of the larger
 * build), and the test files that reach each mutant; "" among them: a thread or process that a test started. Browsers
 * record nothing.
 */
async function withBaseline(lane) {
  const record = join(copy, "build", "reached.txt");
  rmSync(record, { force: true });
  const excluded = await failuresOf(lane, { reached: record });
  if (excluded.includes("a crash")) throw new Error(`${lane.name} does not run without any mutant`);
  if (excluded.length > 0) log(`${lane.name}: fails without any mutant, and is left out: ${excluded.join(", ")}`);
  const reached = new Map();
  for (const line of existsSync(record) ? readFileSync(record, "utf8").split("\n").filter(Boolean) : []) {
    const [, number, file] = /^(\d+) (.*)$/.exec(line);
    reached.set(+number, [...(reached.get(+number) ?? []), file]);
  }
  return { ...lane, excluded, reached };
}

/** Whether a lane runs after a change of a file: some run only if their inputs have changed, and the build has with any. */
const runsAfter = (file, { inputs }) => !inputs || inputs.some((input) => input === "dist" || file.startsWith(input));

/**
 * Returns the first failing test file of a lane. Only files that reach the mutant run, unless it is in a browser, a
 * process of a test reaches it, or the line runs once for several files, as it is outside of functions.
 */
async function firstFailure(lane, { number, atTop }) {
  const whole = async () => (await failuresOf(lane, { number }))[0];
  if (lane.inBrowser) return whole();
  const reaching = lane.reached.get(number) ?? [];
  const files = reaching.filter(Boolean);
  const [failed] = files.length > 0 ? await failuresOf(lane, { number, files }) : [];
  const needsAll = reaching.includes("") || (atTop && files.length > 0);
  return failed ?? (needsAll ? whole() : undefined);
}

/** Returns the lane and file that detect a mutant. Chromium runs files of Node: for mutants that none of these reaches. */
async function noticedBy(lanes, mutant) {
  const isReached = lanes.some(({ reached }) => reached.has(mutant.number));
  for (const lane of lanes) {
    if (!runsAfter(mutant.file, lane) || (lane.repeatsNode && isReached)) continue;
    const failed = await firstFailure(lane, mutant);
    if (failed) return `${lane.name}, ${failed}`;
  }
  return undefined;
}

/** The results of this run and of earlier ones on the same sources, kept in a file. */
function openResults(sources) {
  const known = existsSync(memory) ? JSON.parse(readFileSync(memory, "utf8")) : {};
  const keyOf = ({ file, line, becomes }) =>
    createHash("sha256")
      .update(JSON.stringify([file, line, becomes, sources[file]]))
      .digest("hex");
  return {
    remember(mutant, tier, by = "nothing") {
      (known[keyOf(mutant)] ??= {})[tier] = by;
      writeWhole(memory, JSON.stringify(known, null, 1));
      log(`${mutant.file}:${mutant.line + 1} (${mutant.name}): ${tier}: ${by}`);
    },
    resultOf: (mutant, tier) => known[keyOf(mutant)]?.[tier],
  };
}

await runTask(async () => {
  const [count = 60, seed = 1] = process.argv.slice(2).map(Number);
  const sources = sourcesOf();
  const mutants = choose(sources, count, seed).map((mutant, number) => ({
    ...mutant,
    number,
    atTop: !sources[mutant.file].split("\n")[mutant.line].startsWith(" "),
  }));
  const { remember, resultOf } = openResults(sources);
  copyCheckout();
  await build(sources, mutants);
  const baselines = async (list, few) => {
    const out = [];
    for (const lane of list.filter((one) => few.some(({ file }) => runsAfter(file, one))))
      out.push(await withBaseline(lane));
    return out;
  };
  const unknown = (list, tier) => list.filter((mutant) => resultOf(mutant, tier) === undefined);
  const first = unknown(mutants, "quick");
  const lanes = await baselines(
    quickLanes.filter(({ inBrowser }) => !inBrowser),
    first,
  );
  for (const mutant of first) remember(mutant, "quick", await noticedBy(lanes, mutant));
  const missed = () => mutants.filter((mutant) => resultOf(mutant, "quick") === "nothing");
  const second = unknown(missed(), "all");
  const pages = await baselines(
    quickLanes.filter(({ inBrowser }) => inBrowser),
    second,
  );
  const others = await baselines(otherLanes, second);
  for (const mutant of second) {
    await build(sources, mutants, mutant);
    const found = await noticedBy(pages, mutant);
    if (found) remember(mutant, "quick", found);
    else remember(mutant, "all", await noticedBy(others, mutant));
  }
  const left = missed();
  const quick = mutants.length - left.length;
  const all = quick + left.filter((mutant) => resultOf(mutant, "all") !== "nothing").length;
  for (const mutant of left)
    log(
      `${resultOf(mutant, "all") === "nothing" ? "survives" : "not quick"} (${mutant.name}): ${mutant.file}:${mutant.line + 1}: ${mutant.text}  ->  ${mutant.becomes}`,
    );
  log(
    `${mutants.length} mutants: the quick tier notices ${quick}, all lanes ${all}: ${((100 * quick) / all).toFixed(1)} %`,
  );
  process.exitCode = quick >= wanted * all ? 0 : 1;
});
