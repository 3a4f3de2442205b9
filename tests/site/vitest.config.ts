// The tutorial, as built, in Chromium: every page, every figure. Node drives the browser.
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    expect: { requireAssertions: true },
    include: ["tests/site/**/*.test.ts"],
    globalSetup: ["tests/site/serve.ts"],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // Each file has a browser of its own, and two are what a small machine bears.
    maxWorkers: 2,
  },
});
