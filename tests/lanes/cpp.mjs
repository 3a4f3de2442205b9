// The native tests: Catch2 in two presets, the examples, and the installed library.
import { rmSync } from "node:fs";
import { join } from "node:path";
import { inRoot, run } from "../../web/tasks/prepare.mjs";
import { byTwo } from "./by-two.mjs";
import { sum } from "./counting.mjs";
import { outputOf, step } from "./processes.mjs";

const silent = { stdio: ["ignore", "ignore", "inherit"] };

// Many, because durations of cases range from milliseconds to seconds.
const parts = 12;

/** Runs a part of a Catch2 program. Returns the counts of its summary and the failures. */
async function catch2(program, part, filters) {
  // A case without assertions fails, too.
  const shard = ["--warn", "NoAssertions", "--shard-index", part, "--shard-count", parts].map(String);
  const { stdout, stderr, code } = await outputOf(program, [...filters, ...shard]);
  process.stdout.write(stdout + stderr);
  if (/No tests ran|No test cases matched/.test(stdout + stderr)) return { passed: 0, failed: 0, failures: [] };
  const whole = stdout.match(/All tests passed \(.* in (\d+) test cases?\)/);
  const mixed = stdout.match(/test cases:\s*(\d+)\s*\|\s*(?:(\d+) passed\s*\|\s*)?(\d+) failed/);
  if (whole && code === 0) return { passed: Number(whole[1]), failed: 0, failures: [] };
  const failedLines = stdout.split("\n").filter((line) => line.includes(": FAILED"));
  const failures = failedLines.length > 0 ? failedLines : [`${stderr}${stdout}`];
  return { passed: Number(mixed?.[2] ?? 0), failed: Number(mixed?.[3] ?? 1), failures };
}

/** Runs Catch2 and the examples of a native preset; `filters` are names or tags of cases. */
export async function native(report, preset, filters = []) {
  const name = `C++ (${preset})`;
  const reports = [];
  await byTwo(Array(parts).keys(), async (part) => {
    reports.push(await catch2(inRoot("build", preset, "posenc_tests"), part, filters));
  });
  const { passed, failed, failures } = sum(reports);
  report.count(name, passed, failed, failures);
  if (filters.length > 0) return;
  for (const example of ["quickstart", "training"])
    await step(report, `${name}: examples/${example}.cpp`, inRoot("build", preset, `posenc_${example}`), []);
}

/** Installs the native library into a folder, and runs programs that find and use it there. */
export async function installed(report, preset) {
  const prefix = inRoot("build", "installed");
  const build = inRoot("build", "installed-consumer");
  for (const folder of [prefix, build]) rmSync(folder, { recursive: true, force: true });
  run("cmake", ["--install", inRoot("build", preset), "--prefix", prefix], silent);
  const source = inRoot("tests", "package", "native");
  run(
    "cmake",
    ["-G", "Ninja", "-S", source, "-B", build, `-DCMAKE_PREFIX_PATH=${prefix}`, "-DCMAKE_BUILD_TYPE=Release"],
    silent,
  );
  run("cmake", ["--build", build], silent);
  for (const program of ["consumer", "training"])
    await step(report, `the installed library in a program that finds it: ${program}`, join(build, program), []);
  const [plain, careless] = await Promise.all(
    ["plain", "careless"].map((flags) => outputOf(join(build, `bits_${flags}`), [])),
  );
  if (plain.output !== careless.output) console.log(`${plain.output}\nunder -ffast-math:\n${careless.output}`);
  const same = plain.code === 0 && plain.output === careless.output && plain.output.split("\n").length > 30;
  report.count("the same bits in a program under -ffast-math", Number(same), Number(!same));
}
