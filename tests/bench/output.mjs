// Where results go: the console as they come, then build/bench/ as JSON and Markdown.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { inRoot, log } from "../../web/tasks/prepare.mjs";
import { caseText, reportText, targetsText } from "./report.mjs";

export const printCase = (result) => console.log(`${caseText(result)}\n`);

/** The processor's name and number of cores; on Linux also family, model and cache, as virtual machines say little else. */
function processor() {
  const name = `${cpus()[0]?.model.trim() ?? "unknown processor"}, ${cpus().length} cores`;
  const file = "/proc/cpuinfo";
  const facts = existsSync(file) ? readFileSync(file, "utf8") : "";
  const [family, model, cache] = ["cpu family", "model", "cache size"].map(
    (fact) => new RegExp(`^${fact}\\s*: (.*)$`, "m").exec(facts)?.[1],
  );
  return [name, family && `family ${family} model ${model}`, cache && `cache ${cache}`].filter(Boolean).join(", ");
}

/** Writes a report; the process fails if posenc itself was wrong anywhere. */
export function finish(name, measured) {
  const report = { date: new Date().toISOString(), cpu: processor(), ...measured };
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
