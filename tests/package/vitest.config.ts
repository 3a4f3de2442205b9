// What concerns the package as a whole: its sizes, the examples, the API documentation. Node only.
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

export default defineConfig({
  root: fileURLToPath(new URL("../..", import.meta.url)),
  test: {
    globalSetup: "tests/package/temporary.ts",
    include: ["tests/package/*.test.ts", "tests/package/hostile/*.test.ts"],
    environment: "node",
    maxWorkers: "100%",
    // Files share two threads and what these have loaded, TypeScript first of all: half the time.
    pool: "threads",
    isolate: false,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { requireAssertions: true },
  },
});
