// The public API is frozen: a change to it is a change to the committed report, and a line of the changelog.
// After a change that is meant: POSENC_RENEW=1 npm test -- package/api
import { readFileSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { apiReport, reportFile } from "../../web/tasks/api-report.mjs";
import { entryModules } from "../../web/tasks/distributed.mjs";
import { inRoot } from "../../web/tasks/prepare.mjs";
import { isWhole } from "./whole";

it.runIf(isWhole)("is what the report says", { timeout: 120_000 }, () => {
  const report = apiReport(entryModules());
  if (process.env["POSENC_RENEW"]) writeFileSync(inRoot(reportFile), report);
  const [known, now] = [readFileSync(inRoot(reportFile), "utf8"), report].map((text) => text.split("\n\n"));
  const without = (some: string[], others: string[]) => some.filter((text) => !new Set(others).has(text));
  // Declarations that are gone or changed, then those that are new or changed.
  expect(
    without(known!, now!),
    "removed: write it into CHANGELOG.md, then POSENC_RENEW=1 npm test -- package/api",
  ).toEqual([]);
  expect(
    without(now!, known!),
    "added: write it into CHANGELOG.md, then POSENC_RENEW=1 npm test -- package/api",
  ).toEqual([]);
  expect(known).toEqual(now);
});
