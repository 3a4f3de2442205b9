// What concerns the package as a whole: its sizes, the examples, the API documentation. Node only.
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const files = ["tests/package/*.test.ts", "tests/package/hostile/*.test.ts"];
/** What it provokes depends on what was loaded before. */
const alone = ["tests/package/errors.test.ts"];

export default defineConfig({
  root: fileURLToPath(new URL("../..", import.meta.url)),
  test: {
    globalSetup: "tests/package/temporary.ts",
    environment: "node",
    maxWorkers: "100%",
    pool: "threads",
    projects: [
      // Files share two threads and what these have loaded, TypeScript first of all: half the time.
      { extends: true, test: { name: "package", include: files, exclude: alone, isolate: false } },
      { extends: true, test: { name: "package-alone", include: alone } },
    ],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { requireAssertions: true },
  },
});
