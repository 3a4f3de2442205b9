// The lanes of npm test: what each has run, and whether that was anything at all.
import { stripVTControlCharacters } from "node:util";

/** Must everything be here that a machine can have? Continuous integration says so. */
export const isStrict = (environment = process.env) => !["", "0", "false", undefined].includes(environment.CI);

/** How much is told once more, in the end, of what has failed: each by its first lines. */
const most = { failures: 15, lines: 8, characters: 200 };

/** The first lines of a text, without the colours of a terminal. */
const firstLines = (text) =>
  stripVTControlCharacters(text)
    .split("\n")
    .filter((line) => line.trim() !== "")
    .slice(0, most.lines)
    .map((line) => line.slice(0, most.characters))
    .join("\n    ");

/** Reports of parts, as that of their whole. */
export const sum = (reports) => ({
  passed: reports.reduce((total, { passed }) => total + passed, 0),
  failed: reports.reduce((total, { failed }) => total + failed, 0),
  failures: reports.flatMap(({ failures }) => failures),
});

/**
 * Counts lanes. `count` hears of one lane, and of each of its failures what says most; `lane` runs what a lane does, with
 * a `count` and a `lacks` of its own, and counts it as failed when it throws or calls neither; `lacks` is for what this machine does not have: a failure under CI,
 * a line elsewhere. `summary` says in the end what has failed: the report of a long run is often seen by its end only.
 */
export function lanes(log, { strict = isStrict() } = {}) {
  const totals = { lanes: 0, passed: 0, failed: 0 };
  const told = [];

  function count(name, passed, failed, failures = []) {
    const nothing = passed + failed === 0;
    totals.lanes++;
    totals.passed += passed;
    totals.failed += nothing ? 1 : failed;
    if (nothing) told.push(`${name}: it ran nothing`);
    else if (failed > 0)
      for (const failure of failures.length > 0 ? failures : ["see above"])
        told.push(`${name}: ${firstLines(failure)}`);
    log(`${name}: ${passed} passed, ${failed} failed${nothing ? ": it ran nothing, which is a failure" : ""}`);
  }

  async function lane(name, work) {
    let counted = 0;
    const counting =
      (tell) =>
      (...words) => {
        counted++;
        tell(...words);
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

  /** A text of what failed; nothing where nothing has. */
  function summary() {
    const left = told.length - most.failures;
    return [...told.slice(0, most.failures), ...(left > 0 ? [`and ${left} more`] : [])].map(
      (text) => `  failed: ${text}`,
    );
  }

  return { totals, count, lane, lacks, summary };
}
