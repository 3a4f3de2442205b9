// Runs a code sample in a worker, so that it may take its time, and sends what it prints.
import { printed } from "./printed.ts";
import { serveTask } from "./task.ts";
import type { Value } from "./code.ts";

export interface SampleInput {
  /** Its path in examples/. */
  file: string;
  values: Record<string, Value>;
}

interface Program {
  run(print: (...values: unknown[]) => void, values: Record<string, Value>): Promise<void>;
}

const folder = "../../../../examples/";
const programs = import.meta.glob<Program>(
  ["../../../../examples/course/*.js", "../../../../examples/00-quick-start.js"],
  { query: "?run" },
);

serveTask<SampleInput, string[], string[]>(async (_, { file, values }, report) => {
  const lines: string[] = [];
  const print = (...parts: unknown[]) => {
    lines.push(printed(parts));
    report(0, lines);
  };
  await (await programs[`${folder}${file}`]()).run(print, values);
  return lines;
});
