// The test files of tests/js, run where this is loaded.
import { startTests } from "@vitest/runner";
import type { Task, Test } from "@vitest/runner";

const files = import.meta.glob("../js/*.test.ts");

/** How many passed, and what the others said. */
export interface Verdict {
  passed: number;
  failed: number;
  skipped: number;
  failures: string[];
}

const config = {
  root: "/",
  name: undefined,
  setupFiles: [],
  passWithNoTests: false,
  testNamePattern: undefined,
  allowOnly: false,
  sequence: { shuffle: false, concurrent: undefined, seed: 0, hooks: "stack", setupFiles: "list" },
  chaiConfig: undefined,
  maxConcurrency: 1,
  testTimeout: 120_000,
  hookTimeout: 120_000,
  retry: 0,
  includeTaskLocation: false,
  tags: [],
  tagsFilter: undefined,
  strictTags: false,
};

const casesIn = (task: Task): Test[] => ("tasks" in task ? task.tasks.flatMap(casesIn) : [task]);

const problemOf = ({ name, result }: Pick<Task, "name" | "result">): string =>
  `${name}: ${result?.errors?.map(({ message }) => message).join("; ") ?? "did not run"}`;

/** Runs all of them, or those whose name holds `only`; `tell` hears of each file that is done. */
export async function runSuite(only: string, tell: (file: string) => void): Promise<Verdict> {
  const runner = { config, importFile: (path: string) => files[path]!(), onAfterRunFiles: () => undefined };
  const verdict: Verdict = { passed: 0, failed: 0, skipped: 0, failures: [] };
  for (const path of Object.keys(files).filter((name) => name.includes(only))) {
    const [file] = await startTests([path], runner as unknown as Parameters<typeof startTests>[1]);
    const cases = casesIn(file as Task);
    const wrong = cases.filter(
      ({ mode, result }) => mode === "run" && result?.state !== "pass" && result?.state !== "skip",
    );
    verdict.passed += cases.filter(({ result }) => result?.state === "pass").length;
    verdict.failed += wrong.length;
    verdict.skipped += cases.filter(({ mode, result }) => mode === "skip" || result?.state === "skip").length;
    verdict.failures.push(...wrong.map((task) => `${path} ${problemOf(task)}`));
    // A file that breaks off outside its tests.
    if (wrong.length === 0 && file!.result?.state !== "pass") {
      verdict.failed += 1;
      verdict.failures.push(`${path} ${problemOf(file as Task)}`);
    }
    tell(`${path}: ${cases.length} tests`);
  }
  return verdict;
}
