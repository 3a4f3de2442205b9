// Stores which lanes of the quick tier have passed. They run again only after their inputs change.
import { fingerprint, inRoot, keepDigests, readJson, writeWhole } from "../../web/tasks/prepare.mjs";

const memory = inRoot("build", "passed.json");

/**
 * Runs a lane of the quick tier unless it has passed with the present content of its `inputs`, which then counts.
 * `run` gets a report whose counts are stored.
 */
export async function onceFor({ name, inputs }, report, run, file = memory) {
  if (!inputs) return run(report);
  const digest = fingerprint([...inputs, "tests/lanes"]);
  keepDigests();
  const known = readJson(file)[name];
  if (known?.digest === digest) return report.count(`${name}, unchanged since it passed`, known.passed, 0);
  const sum = { passed: 0, failed: 0 };
  const count = (what, passed, failed, ...rest) => {
    sum.passed += passed;
    sum.failed += passed + failed === 0 ? 1 : failed;
    report.count(what, passed, failed, ...rest);
  };
  await run({ ...report, count });
  const { [name]: _, ...others } = readJson(file);
  const now = sum.failed === 0 ? { ...others, [name]: { digest, passed: sum.passed } } : others;
  writeWhole(file, `${JSON.stringify(now, null, 2)}\n`);
}
