// What has passed in the quick tier, so that it does not run again before what it tests has changed.
import { fingerprint, inRoot, keepDigests, readJson, writeWhole } from "../../web/tasks/prepare.mjs";

const memory = inRoot("build", "passed.json");

/**
 * Runs a lane of the quick tier unless it has passed with what its `inputs` name as they are now: then it counts as before.
 * `run` gets a report whose counts are remembered.
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
