// The package where people use it: bundlers, engines, pages. Two at a time, as they fill a processor each.
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

export default defineConfig({
  root: fileURLToPath(new URL("../../..", import.meta.url)),
  test: {
    expect: { requireAssertions: true },
    include: ["tests/package/consumers/*.test.ts"],
    globalSetup: ["tests/package/consumers/workspace.ts"],
    environment: "node",
    maxConcurrency: 2,
    maxWorkers: "100%",
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
