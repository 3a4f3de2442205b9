// Runs test files with vitest.
import { spawn } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { relative } from "node:path";
import { binary, findChromium, inRoot, root } from "../../web/tasks/prepare.mjs";

/** Returns the failures in a report of vitest: tests by name, and files that failed before any test. */
const failuresOf = ({ testResults = [] }) =>
  testResults.flatMap(({ name: file, status, message, assertionResults }) => {
    const path = relative(root, file);
    const failed = assertionResults.filter((test) => test.status === "failed");
    if (failed.length === 0) return status === "failed" ? [`${path}: ${message}`] : [];
    return failed.map(({ fullName, failureMessages }) => `${path}: ${fullName}\n${failureMessages.join("\n")}`);
  });

/**
 * Runs vitest with these arguments; the second one is the configuration. `files`: parts of paths to run; `quiet`:
 * prints only failures.
 */
export async function vitest({ count }, name, words, { files = [], bail = false, quiet = false } = {}) {
  const report = inRoot("build", `vitest-${words[1].replaceAll(/\W/g, "-")}.json`);
  rmSync(report, { force: true });
  const reporting = ["--reporter=dot", "--reporter=json", `--outputFile.json=${report}`, ...(bail ? ["--bail=1"] : [])];
  const child = spawn(binary("vitest"), ["run", ...words, ...reporting, ...files], {
    cwd: root,
    stdio: quiet ? ["ignore", "pipe", "pipe"] : "inherit",
    // The quick tier makes fewer random calls.
    env: { ...(quiet && { POSENC_FUZZ_RUNS: "25" }), ...process.env, CHROMIUM_PATH: findChromium() },
    shell: process.platform === "win32",
  });
  let printed = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding("utf8").on("data", (text) => (printed += text));
  const status = await new Promise((resolve) => child.on("error", () => resolve(1)).on("close", resolve));
  if (status !== 0) console.log(printed);
  const results = existsSync(report) ? JSON.parse(readFileSync(report, "utf8")) : {};
  const { numPassedTests = 0, numFailedTests = 0 } = results;
  // A crash outside any test must count, too.
  count(name, numPassedTests, Math.max(numFailedTests, status === 0 ? 0 : 1), failuresOf(results));
}
