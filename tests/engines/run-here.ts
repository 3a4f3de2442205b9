// What a page, a frame and a worker can all do.
import type { Verdict } from "./suite";

export type Report = Verdict & { variant?: string };
// The tests use `using`, which engines without it (WebKitGTK) need a name for.
const symbols = Symbol as { dispose?: symbol };
symbols.dispose ??= Symbol.for("Symbol.dispose");

/** The golden cases, or one of the test files. */
export type Work = "golden" | { file: string };

export async function runHere(work: Work): Promise<Report> {
  if (work === "golden") return (await import("./conformance")).runGolden();
  return (await import("./suite")).runTestFile(work.file);
}

export const broken = (error: unknown): Report => ({ passed: 0, failed: 1, skipped: 0, failures: [String(error)] });
