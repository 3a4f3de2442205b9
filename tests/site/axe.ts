// Barriers for readers, as axe-core finds them.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** What of axe-core its types do not tell. */
interface Rule {
  id: string;
  enabled: boolean;
  tags: string[];
  /** Of all that it finds. */
  impact: "minor" | "moderate" | "serious" | "critical";
}
type Axe = typeof import("axe-core") & { _audit: { rules: Rule[]; tagExclude: string[] } };

/** What axe-core calls serious or critical; rules that find nothing of this kind are not run, as each takes its time. */
export async function barriers(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  return page.evaluate(async () => {
    const { axe } = window as never as { axe: Axe };
    const { rules: all, tagExclude } = axe._audit;
    const rules = all
      .filter(({ enabled, tags }) => enabled && !tags.some((tag) => tagExclude.includes(tag)))
      .filter(({ impact }) => impact === "serious" || impact === "critical");
    if (rules.length < 50) throw new Error(`axe-core has ${rules.length} rules for serious barriers`);
    const { violations } = await axe.run({
      runOnly: { type: "rule", values: rules.map(({ id }) => id) },
      // Of all else only counts are wanted: what it looked at is not described.
      resultTypes: ["violations"],
    });
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`));
  });
}
