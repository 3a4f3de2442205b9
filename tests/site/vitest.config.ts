// The tutorial, as built, in Chromium: every page, every figure. Node drives the browser.
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    // Pages answer sooner than the usual 50 ms, tests wait often, and a busy machine takes longer than the usual second.
    expect: { requireAssertions: true, poll: { interval: 10, timeout: 20_000 } },
    include: ["tests/site/**/*.test.ts"],
    globalSetup: ["tests/site/serve.ts"],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // Each has a browser of its own, and two are what a small machine bears. A worker keeps it from file to file, and what
    // it has imported.
    maxWorkers: 2,
    isolate: false,
    setupFiles: ["tests/site/setup.ts"],
  },
});
