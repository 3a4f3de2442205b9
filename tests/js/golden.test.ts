// Is the formula right? Every golden case through the runner's core: what is supported must pass, and the list of what
// is not supported is kept here, so that nothing can slip out of the comparison unnoticed.
import { describe, expect, it } from "vitest";
import { runCase } from "../golden/cases.mjs";
import { goldenCases } from "./helpers/fixtures";
import { pe } from "./helpers/library";

/** Cases that need what the library does not do, and the reason that is given. */
const WAITING: [RegExp, RegExp][] = [
  [/^grad\/(shaw|cope|transformer-xl)-/, /gradient of (shaw|cope|transformer-xl)/],
  [/^grad\/(embedding|resample)-/, /gradient of learned tables/],
  [/^grad\/rope-learned-freqs-/, /learned frequencies/],
  [/^grad\/alibi-learned-slopes-/, /learned slopes/],
  [/^grad\/(rope-)?attention-/, /gradient of attention/],
  [/^grad\/(t5|swin|kerple)-/, /gradient of a learned bias/],
];

function expectedReason(name: string): RegExp | undefined {
  return WAITING.find(([pattern]) => pattern.test(name))?.[1];
}

describe.each([...goldenCases.keys()])("%s", (name) => {
  const reason = expectedReason(name);

  it(reason ? "is not supported yet, and says why" : "agrees with the reference", () => {
    const json = goldenCases.get(name);
    const before = JSON.stringify(json);
    const report = runCase(pe, json);
    expect(JSON.stringify(json) === before, "the case is left as it was").toBe(true);
    if (reason) {
      expect(report.status, report.reason).toBe("unsupported");
      expect(report.reason).toMatch(reason);
    } else {
      const wrong = report.outputs.filter((output) => !output.ok);
      expect({ status: report.status, reason: report.reason, wrong }).toEqual({ status: "pass", wrong: [] });
    }
  });
});

it("all fixtures are there", () => {
  expect(goldenCases.size).toBe(196);
});
