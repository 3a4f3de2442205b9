// The same test files in Node and in headless Chromium; tests/js/node/ only in Node.
import { fileURLToPath } from "node:url";
import { playwright } from "@vitest/browser-playwright";
import { defineConfig } from "vitest/config";
import { browserFuzzRuns, fuzzRuns, fuzzSeed } from "../fuzz/seed.mjs";
import { chromiumOptions } from "./chromium.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));

const chromium = playwright({ launchOptions: chromiumOptions() });

export default defineConfig({
  root,
  // As pages that share memory between threads.
  server: {
    headers: { "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Embedder-Policy": "require-corp" },
  },
  // Nothing is bundled ahead: the library must load the way a browser finds it.
  optimizeDeps: { noDiscovery: true, include: [] },
  define: { __FUZZ_SEED__: fuzzSeed, __FUZZ_RUNS__: fuzzRuns },
  test: {
    expect: { requireAssertions: true },
    include: ["tests/js/**/*.test.ts"],
    testTimeout: 60_000,
    // Else one processor is left to whoever sits there.
    maxWorkers: "100%",
    // They start sooner than processes.
    pool: "threads",
    projects: [
      { extends: true, test: { name: "node", environment: "node" } },
      {
        extends: true,
        define: { __FUZZ_RUNS__: browserFuzzRuns },
        test: {
          name: "browser",
          exclude: ["tests/js/node/**"],
          browser: {
            enabled: true,
            provider: chromium,
            headless: true,
            screenshotFailures: false,
            instances: [{ browser: "chromium" }],
          },
        },
      },
    ],
  },
});
