// The golden cases, run where this is loaded.
import { init } from "posenc";
import { runCase } from "../golden/cases.mjs";
import { goldenCases } from "../js/helpers/fixtures";
import type { Verdict } from "./suite";

export async function runGolden(): Promise<Verdict & { variant: string }> {
  const pe = await init();
  await pe.load("all");
  const reports = Array.from(goldenCases, ([name, json]) => runCase(pe as never, json, name));
  const of = (status: string) => reports.filter((report) => report.status === status);
  return {
    variant: pe.variant,
    passed: of("pass").length,
    failed: of("fail").length,
    skipped: of("unsupported").length,
    failures: of("fail").map(({ name, reason }) => `${name}: ${reason}`),
  };
}
