// Counts what each lane of npm test has run.
import { stripVTControlCharacters } from "node:util";

/** Whether missing tools are failures. Continuous integration sets CI. */
export const isStrict = (environment = process.env) => !["", "0", "false", undefined].includes(environment.CI);

/** Limits of the summary of failures: failures, and first lines of each. */
const most = { failures: 15, lines: 8, characters: 200 };

/** Returns the first lines of a text, without terminal colours. */
const firstLines = (text) =>
  stripVTControlCharacters(text)
    .split("\n")
    .filter((line) => line.trim() !== "")
    .slice(0, most.lines)
    .map((line) => line.slice(0, most.characters))
    .join("\n    ");

/** Merges the reports of parts into one. */
export const sum = (reports) => ({
  passed: reports.reduce((total, { passed }) => total + passed, 0),
  failed: reports.reduce((total, { failed }) => total + failed, 0),
  failures: reports.flatMap(({ failures }) => failures),
});

/**
 * Counts lanes. `count` records the result of a lane and its failures. `lane` runs a lane with its own `count` and
 * `lacks`; it fails if it throws or calls neither. `lacks` records missing tools: a failure under CI, else a line.
 * `summary` returns the first failures again, because often only the end of a long report is read.
 */
export function lanes(log, { strict = isStrict() } = {}) {
  const totals = { lanes: 0, passed: 0, failed: 0 };
  const described = [];

  function count(name, passed, failed, failures = []) {
    const nothing = passed + failed === 0;
    totals.lanes++;
    totals.passed += passed;
    totals.failed += nothing ? 1 : failed;
    if (nothing) described.push(`${name}: it ran nothing`);
    else if (failed > 0)
      for (const failure of failures.length > 0 ? failures : ["see above"])
        described.push(`${name}: ${firstLines(failure)}`);
    log(`${name}: ${passed} passed, ${failed} failed${nothing ? ": it ran nothing, which is a failure" : ""}`);
  }

  async function lane(name, work) {
    let counted = 0;
    const counting =
      (hear) =>
      (...words) => {
        counted++;
        hear(...words);
      };
    try {
      await work({ count: counting(count), lacks: counting(lacks) });
    } catch (error) {
      log(`${name}: ${error.message}`);
      return count(name, 0, 1, [error.message]);
    }
    if (counted === 0) count(name, 0, 0);
  }

  function lacks(name, what) {
    if (strict) count(`${name}, without ${what}`, 0, 1, ["it is not here"]);
    else {
      totals.lanes++;
      log(`${name}: not here, without ${what} (under CI that is a failure)`);
    }
  }

  /** Returns lines about failures; empty without failures. */
  function summary() {
    const left = described.length - most.failures;
    return [...described.slice(0, most.failures), ...(left > 0 ? [`and ${left} more`] : [])].map(
      (text) => `  failed: ${text}`,
    );
  }

  return { totals, count, lane, lacks, summary };
}
