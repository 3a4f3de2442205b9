// Node loads this first (NODE_OPTIONS): it switches one mutant on, and records which test files reach which mutants.
import { appendFileSync } from "node:fs";

const { MUTANT, REACHED } = process.env;
const recorded = new Set();

/** Appends "NUMBER FILE" to the file REACHED; threads and processes that a test starts have no file. */
function record(number) {
  const line = `${number} ${globalThis.__vitest_worker__?.filepath ?? ""}\n`;
  if (recorded.has(line)) return;
  recorded.add(line);
  appendFileSync(REACHED, line);
}

/** Mutated lines call this: returns whether their mutant is on. */
globalThis.isMutant = (number) => {
  if (REACHED) record(number);
  return String(number) === MUTANT;
};
