// Where results go: the console as they come, then build/bench/ as JSON and Markdown.
import { mkdirSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { inRoot, log } from "../../web/tasks/prepare.mjs";
import { caseText, reportText, targetsText } from "./report.mjs";

export const printCase = (result) => console.log(`${caseText(result)}\n`);

/** Writes a report; the process fails if posenc itself was wrong anywhere. */
export function finish(name, measured) {
  const report = { date: new Date().toISOString(), cpu: cpus()[0]?.model ?? "unknown CPU", ...measured };
  mkdirSync(inRoot("build", "bench"), { recursive: true });
  writeFileSync(inRoot("build", "bench", `${name}.json`), `${JSON.stringify(report, undefined, 1)}\n`);
  writeFileSync(inRoot("build", "bench", `${name}.md`), reportText(report));
  console.log(targetsText(report.cases));
  log(`wrote build/bench/${name}.md and build/bench/${name}.json`);
  const wrong = report.cases
    .flatMap(({ ways }) => ways)
    .filter(({ contender, fault }) => fault && contender.startsWith("posenc"));
  if (wrong.length > 0) process.exitCode = 1;
}
