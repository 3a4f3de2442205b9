// The same test files in Node and in headless Chromium; tests/js/node/ only in Node.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { playwright } from "@vitest/browser-playwright";
import type * as Vite from "vite";
import { defineConfig } from "vitest/config";
import { browserFuzzRuns, fuzzRuns, fuzzSeed } from "../fuzz/seed.mjs";
import { chromiumOptions } from "./chromium.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));

const files = readdirSync(join(root, "tests/js"), { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".test.ts"))
  .map((name) => join("tests/js", name));
/** Files that measure memory, which nobody else may use meanwhile. */
const isolated = files.filter((name) => /liveBytes|HEAPU8/.test(readFileSync(join(root, name), "utf8")));

const chromium = playwright({ launchOptions: chromiumOptions() });

/** The seed is written into the tests that draw from it: these are transformed in each run. */
const seedsAreNotKept: Vite.Plugin = {
  name: "seeds-are-not-kept",
  configureVitest({ experimental_defineCacheKeyGenerator }) {
    experimental_defineCacheKeyGenerator(({ sourceCode }) => (sourceCode.includes("__FUZZ_") ? false : undefined));
  },
};

export default defineConfig({
  root,
  // As pages that share memory between threads.
  server: {
    headers: { "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Embedder-Policy": "require-corp" },
  },
  // Nothing is bundled ahead: the library must load the way a browser finds it.
  optimizeDeps: { noDiscovery: true, include: [] },
  plugins: [seedsAreNotKept],
  define: { __FUZZ_SEED__: fuzzSeed, __FUZZ_RUNS__: fuzzRuns },
  test: {
    // Modules as vitest transforms them: a tenth of the time in Node.
    experimental: { fsModuleCache: true, fsModuleCachePath: join(root, "build/vitest") },
    expect: { requireAssertions: true },
    setupFiles: ["tests/js/helpers/setup.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Else one processor is left to whoever sits there.
    maxWorkers: "100%",
    // They start sooner than processes.
    pool: "threads",
    projects: [
      // Files share two threads and the modules that are loaded there, which saves a third of the time.
      {
        extends: true,
        test: {
          name: "node",
          include: files.filter((name) => !isolated.includes(name)),
          isolate: false,
          setupFiles: ["tests/js/helpers/grow-memory.ts"],
        },
      },
      { extends: true, test: { name: "node-alone", include: isolated } },
      {
        extends: true,
        define: { __FUZZ_RUNS__: browserFuzzRuns },
        test: {
          name: "browser",
          include: files,
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
