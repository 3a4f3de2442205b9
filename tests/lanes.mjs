// The lanes of npm test: what each has run, and whether that was anything at all.

/** Must everything be here that a machine can have? Continuous integration says so. */
export const isStrict = (environment = process.env) => !["", "0", "false", undefined].includes(environment.CI);

/**
 * Counts lanes. `count` hears of one lane; `lane` runs what a lane does, and counts it as failed when it throws or counts
 * nothing; `lacks` is for what this machine does not have: a failure under CI, a line elsewhere.
 */
export function lanes(log, { strict = isStrict() } = {}) {
  const totals = { lanes: 0, passed: 0, failed: 0 };

  function count(name, passed, failed) {
    const nothing = passed + failed === 0;
    totals.lanes++;
    totals.passed += passed;
    totals.failed += nothing ? 1 : failed;
    log(`${name}: ${passed} passed, ${failed} failed${nothing ? ": it ran nothing, which is a failure" : ""}`);
  }

  async function lane(name, work) {
    const before = totals.lanes;
    try {
      await work();
    } catch (error) {
      log(`${name}: ${error.message}`);
      return count(name, 0, 1);
    }
    if (totals.lanes === before) count(name, 0, 0);
  }

  function lacks(name, what) {
    if (strict) count(`${name}, without ${what}`, 0, 1);
    else {
      totals.lanes++;
      log(`${name}: not here, without ${what} (under CI that is a failure)`);
    }
  }

  return { totals, count, lane, lacks };
}
