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
  const report = runCase(pe, goldenCases.get(name));

  it(reason ? "is not supported yet, and says why" : "agrees with the reference", () => {
    if (reason && report.status !== "pass") {
      expect(report.status, report.reason).toBe("unsupported");
      expect(report.reason).toMatch(reason);
    } else {
      const wrong = report.outputs.filter((output) => !output.ok);
      expect({ status: report.status, reason: report.reason, wrong }).toEqual({ status: "pass", wrong: [] });
    }
  });

  it("is left as it was", () => {
    const before = JSON.stringify(goldenCases.get(name));
    runCase(pe, goldenCases.get(name));
    expect(JSON.stringify(goldenCases.get(name)) === before).toBe(true);
  });
});

describe("the fixtures", () => {
  it("are all there", () => {
    expect(goldenCases.size).toBe(196);
  });

  it("have a mapping for every kind that the library has", () => {
    const unmapped = [...goldenCases.values()]
      .map((json) => runCase(pe, json).reason ?? "")
      .filter((reason) => /no mapping/.test(reason));
    expect(unmapped).toEqual([]);
  });
});
