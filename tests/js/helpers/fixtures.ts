// The golden cases, read the way every environment can: vitest turns the glob into imports.
import { parseCase } from "../../golden/cases.mjs";
import type { ParsedCase } from "../../golden/cases.mjs";

const modules = import.meta.glob<unknown>("../../fixtures/golden/**/*.json", { eager: true, import: "default" });

/** `group/name` → the JSON of the case. */
export const goldenCases = new Map<string, unknown>(
  Object.entries(modules).map(([path, json]) => [path.replace(/^.*\/golden\//, "").replace(/\.json$/, ""), json]),
);

export function goldenCase(name: string): ParsedCase {
  const json = goldenCases.get(name);
  if (!json) throw new Error(`no golden case ${name}`);
  return parseCase(json);
}
