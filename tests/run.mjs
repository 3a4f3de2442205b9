// npm test: the quick tier. npm test -- LANE …: these lanes; --all: everything; --list: what there is. The set-up that they need
// comes first; the last line says how many tests passed and failed.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { findCompilerCache, inRoot, log, runAsync, runTask } from "../web/tasks/prepare.mjs";
import { byTwo } from "./lanes/by-two.mjs";
import { fuzzSeed } from "./fuzz/seed.mjs";
import { lanes } from "./lanes/counting.mjs";
import { onceFor } from "./lanes/memory.mjs";
import { setUp, setUpInBackground } from "./lanes/setup.mjs";
import { table } from "./lanes/table.mjs";
import { planOf, readWords } from "./lanes/words.mjs";

const usage = `npm test                    the quick tier
npm test -- LANE …          these lanes alone: npm test -- js onnx
npm test -- LANE/FILE …     these files: npm test -- js/positions cpp/[gradients]
npm test -- --all           everything, as continuous integration runs it
npm test -- --list          the lanes, and how long each took last time
            --bail          stops at the first failure`;

const timesFile = inRoot("build", "test-times.json");
const readTimes = () => (existsSync(timesFile) ? JSON.parse(readFileSync(timesFile, "utf8")) : {});
const inSeconds = (milliseconds) => `${(milliseconds / 1000).toFixed(milliseconds < 10_000 ? 1 : 0)} s`;

function list() {
  const times = readTimes();
  const width = Math.max(...table.map(({ name }) => name.length));
  for (const { name, what, quick, partOf } of table) {
    const time = times[name] === undefined ? "" : ` (${inSeconds(times[name])})`;
    const tier = partOf ? `part of ${partOf}` : quick ? "quick" : "";
    console.log(`${name.padEnd(width)}  ${tier.padEnd(10)}  ${what}${time}`);
  }
}

/** All test files below a folder; those of installed packages are not ours. */
function testFiles(folder = "tests") {
  return readdirSync(inRoot(folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return entry.name === "node_modules" ? [] : testFiles(path);
    return entry.name.endsWith(".test.ts") ? [path] : [];
  });
}

/** Before the lanes: what takes long and little of the processors is begun, and goes on beside them. */
function beginDownloads() {
  runAsync(process.execPath, [inRoot("tests", "lanes", "downloads.mjs")]).catch(() => undefined);
}

/** What lanes wait for is made beside others: of all lanes once the library is built, of the quick ones at once. */
function beginBuilds(plan) {
  const wanted = new Set(plan.flatMap(({ lane, quick }) => (quick && lane.quickNeeds) || lane.needs));
  const [native] = ["native-debug", "native-release"].filter((need) => wanted.has(need));
  for (const need of ["site", native]) if (need && wanted.has(need)) setUpInBackground(need);
}

async function runLane({ lane, ...how }, report, times) {
  const begin = Date.now();
  await report.lane(lane.name, async (own) => {
    const laneReport = { ...report, ...own };
    await setUp((how.quick && lane.quickNeeds) || lane.needs, how);
    const ready = Date.now();
    if (ready - begin > 1000) log(`${lane.name}: set up in ${inSeconds(ready - begin)}`);
    log(`${lane.name}: ${lane.what}`);
    await (how.quick ? onceFor(lane, laneReport, (counted) => lane.run(counted, how)) : lane.run(laneReport, how));
  });
  times[lane.name] = Date.now() - begin;
}

function finish({ totals, summary }, times, seed) {
  writeFileSync(timesFile, `${JSON.stringify({ ...readTimes(), ...times }, null, 2)}\n`);
  const slowest = Object.entries(times)
    .sort(([, a], [, b]) => b - a)
    .slice(0, 5);
  log(`slowest: ${slowest.map(([name, time]) => `${name} ${inSeconds(time)}`).join(", ")}`);
  if (totals.failed > 0) log(seed);
  for (const failure of summary()) console.log(failure);
  console.log(`${totals.passed} passed, ${totals.failed} failed`);
  process.exitCode = totals.failed > 0 ? 1 : 0;
}

await runTask(async () => {
  const words = readWords(process.argv.slice(2), table, testFiles());
  if (words.help) return console.log(usage);
  if (words.list) return list();
  mkdirSync(inRoot("build"), { recursive: true });
  // The test files draw theirs from the same seed; the quick tier draws fewer.
  process.env.POSENC_FUZZ_SEED = String(fuzzSeed);
  if (!words.all && words.lanes.length === 0) process.env.POSENC_FUZZ_RUNS ??= "10";
  const typed = ["npm test", ...(process.argv.length > 2 ? ["--", ...process.argv.slice(2)] : [])].join(" ");
  const seed = `random tests begin at seed ${fuzzSeed}: POSENC_FUZZ_SEED=${fuzzSeed} ${typed} repeats them`;
  log(seed);
  const begin = Date.now();
  const report = lanes((text) => log(`${text} (after ${inSeconds(Date.now() - begin)})`));
  const times = {};
  const plan = planOf(words, table);
  findCompilerCache();
  if (words.all) beginDownloads();
  const quick = plan.some((one) => one.quick);
  if (quick) beginBuilds(plan);
  const run = async (one) => {
    if (words.bail && report.totals.failed > 0) return;
    await runLane(one, { ...report, log }, times);
    if (one.lane.name === "generated" && !quick) beginBuilds(plan);
  };
  // The quick tier's are short, and use more of two processors side by side.
  if (quick) await byTwo(plan, run);
  else for (const one of plan) await run(one);
  finish(report, times, seed);
});
