// Test files that vitest runs.
import { spawn } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { relative } from "node:path";
import { binary, findChromium, inRoot, root } from "../../web/tasks/prepare.mjs";

/** What of a report of vitest has failed: tests by their names, files that broke before any. */
const failuresOf = ({ testResults = [] }) =>
  testResults.flatMap(({ name: file, status, message, assertionResults }) => {
    const place = relative(root, file);
    const failed = assertionResults.filter((test) => test.status === "failed");
    if (failed.length === 0) return status === "failed" ? [`${place}: ${message}`] : [];
    return failed.map(({ fullName, failureMessages }) => `${place}: ${fullName}\n${failureMessages.join("\n")}`);
  });

/** Runs the test files of a configuration: all, or those whose paths contain one of `files`, `without` some. */
export async function vitest({ count }, name, config, { files = [], without = [], project, bail = false } = {}) {
  const report = inRoot("build", `vitest-${config.replaceAll(/\W/g, "-")}.json`);
  rmSync(report, { force: true });
  const words = ["run", "--config", config, "--reporter=dot", "--reporter=json", `--outputFile.json=${report}`];
  if (project) words.push("--project", project);
  if (bail) words.push("--bail=1");
  words.push(...without.map((pattern) => `--exclude=${pattern}`));
  const child = spawn(binary("vitest"), [...words, ...files], {
    cwd: root,
    stdio: "inherit",
    env: { ...process.env, CHROMIUM_PATH: findChromium() },
    shell: process.platform === "win32",
  });
  const status = await new Promise((resolve) => child.on("error", () => resolve(1)).on("close", resolve));
  const results = existsSync(report) ? JSON.parse(readFileSync(report, "utf8")) : {};
  const { numPassedTests = 0, numFailedTests = 0 } = results;
  // A crash outside any test must count, too.
  count(name, numPassedTests, Math.max(numFailedTests, status === 0 ? 0 : 1), failuresOf(results));
}
