// What a page and its worker can both do.
import type { Verdict } from "./suite";

export type What = "golden" | "tests";
export type Report = Verdict & { variant?: string; seconds: number };

/** Runs one of them here; test files only if their name holds `only`. */
export async function runHere(what: What, only: string, tell: (line: string) => void): Promise<Report> {
  const start = performance.now();
  const verdict =
    what === "golden"
      ? await (await import("./conformance")).runGolden()
      : await (await import("./suite")).runSuite(only, tell);
  return { ...verdict, seconds: Math.round((performance.now() - start) / 100) / 10 };
}
