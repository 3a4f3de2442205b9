// The fuzzers, both at the same time: node tests/fuzz/run.mjs SECONDS [RUNS], until either is reached. What they find
// lands in build/fuzz/findings; a program run with such a file repeats it. `fuzz()` is what npm test calls.
import { spawn } from "node:child_process";
import { mkdirSync, readdirSync, statSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { compile } from "../../web/tasks/compile.mjs";
import { findFuzzers, inRoot, log, root, runTask } from "../../web/tasks/prepare.mjs";

const targets = ["spec", "calls"];
// Large memory is refused as a browser would: out-of-memory must be an error there. Allocations keep no traces, as these
// take time (a program run with a finding has them), and what was freed is kept back for a few inputs, not for thousands:
// fresh pages take most of all.
const asanOptions = "allocator_may_return_null=1:max_allocation_size_mb=32:malloc_context_size=0:quarantine_size_mb=4";
const program = (target) => inRoot("build", "fuzz", `posenc_fuzz_${target}`);

/** Every input of the corpus once, then new ones until the time is over, or so many have run. */
function runTarget(target, seconds, seed, runs, bounds) {
  const found = inRoot("build", "fuzz", "found", target);
  const findings = inRoot("build", "fuzz", "findings", target);
  for (const folder of [found, findings]) mkdirSync(folder, { recursive: true });
  const start = Date.now();
  const settings = {
    max_total_time: seconds,
    runs,
    max_len: 400,
    len_control: 0,
    timeout: 25,
    rss_limit_mb: 3000,
    seed,
    // Its bookkeeping takes longer than the calls do.
    entropic: 0,
    print_funcs: 0,
    artifact_prefix: `${findings}/`,
    print_final_stats: 1,
  };
  const flags = Object.entries(settings).map(([name, value]) => `-${name}=${value}`);
  const env = { ...process.env, ASAN_OPTIONS: asanOptions, POSENC_FUZZ_BOUNDS: bounds ? "1" : "0" };
  // Findings of earlier runs come first: they are kept, and found again until they are mended.
  const child = spawn(program(target), [...flags, found, findings, inRoot("tests", "fuzz", "corpus", target)], {
    cwd: root,
    env,
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (output += text));
  return new Promise((resolve) =>
    child.on("close", (status) => {
      const runs = Number(output.match(/number_of_executed_units:\s*(\d+)/)?.[1] ?? 0);
      // Slow units are no findings.
      const isNew = (name) => statSync(`${findings}/${name}`).mtimeMs >= start;
      const files = readdirSync(findings).filter((name) => !name.startsWith("slow-unit") && isNew(name));
      resolve({ target, ok: status === 0 && files.length === 0, runs, files, output });
    }),
  );
}

/**
 * Runs both for so long; answers { target, ok, runs } of each, or nothing where there is no clang with libFuzzer. Without
 * `bounds` new inputs are compared between the builds only where their bits must be the same; the corpus always in full.
 */
export async function fuzz(seconds, seed, { runs = -1, bounds = true } = {}) {
  if (!findFuzzers()) return [];
  await compile("fuzz");
  const all = (how) => Promise.all(targets.map((target) => runTarget(target, ...how)));
  const corpus = bounds ? [] : await all([seconds, seed, 0, true]);
  const reports = corpus.every(({ ok }) => ok) ? await all([seconds, seed, runs, bounds]) : corpus;
  for (const { target, ok, runs, files, output } of reports) {
    log(`fuzzing ${target}: ${runs} runs in at most ${seconds} s`);
    if (ok) continue;
    console.log(output.split("\n").slice(-60).join("\n"));
    for (const file of files)
      log(`found by fuzzing (seed ${seed}): ${program(target)} ${inRoot("build", "fuzz", "findings", target, file)}`);
  }
  return reports;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href)
  await runTask(async () => {
    const [seconds, most] = [process.argv[2] ?? 60, process.argv[3] ?? -1].map(Number);
    if (!(seconds > 0)) throw new Error("usage: node tests/fuzz/run.mjs SECONDS [RUNS]");
    const reports = await fuzz(seconds, Math.floor(Math.random() * 2 ** 31), { runs: most });
    process.exitCode = reports.length > 0 && reports.every(({ ok }) => ok) ? 0 : 1;
  });
