// The test files of tests/js, run where this is loaded.
import { startTests } from "@vitest/runner";
import type { Task, Test } from "@vitest/runner";
import { assertionCount, countAssertions } from "./vitest";

const files = import.meta.glob(["../js/**/*.test.ts", "!../js/node/**"]);
export const testFiles = Object.keys(files);

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

export async function runTestFile(path: string): Promise<Verdict> {
  const runner = {
    config,
    importFile: () => files[path]!(),
    onAfterRunFiles: () => undefined,
    onBeforeTryTask: () => countAssertions(),
    // As `requireAssertions` has it in vitest.
    onAfterTryTask: () => {
      if (assertionCount() === 0) throw new Error("it asserts nothing");
    },
  };
  const [file] = await startTests([path], runner as unknown as Parameters<typeof startTests>[1]);
  const cases = casesIn(file as Task);
  const ended = (state: string) => cases.filter(({ mode, result }) => (result?.state ?? mode) === state).length;
  const wrong = cases.filter(({ mode, result }) => mode === "run" && !["pass", "skip"].includes(result?.state ?? ""));
  // A file may also break off outside its tests.
  const broken = wrong.length === 0 && file!.result?.state !== "pass" ? [file as Task] : [];
  const failures = [...wrong, ...broken].map((task) => `${path} ${problemOf(task)}`);
  return { passed: ended("pass"), failed: failures.length, skipped: ended("skip"), failures };
}
