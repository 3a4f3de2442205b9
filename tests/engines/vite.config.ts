// build/engines: conformance.html with the golden cases and all test files, for any browser.
import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";
import { browserFuzzRuns, fuzzSeed } from "../fuzz/seed.mjs";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

// The package says that its files have no side effects; those of its tests are all they are for.
const treeshake = false;

export default defineConfig({
  root: here("."),
  base: "./",
  logLevel: "warn",
  define: { __FUZZ_SEED__: fuzzSeed, __FUZZ_RUNS__: browserFuzzRuns },
  resolve: { alias: [{ find: /^vitest$/, replacement: here("./vitest.ts") }] },
  worker: { format: "es", rollupOptions: { treeshake } },
  build: {
    outDir: here("../../build/engines"),
    emptyOutDir: true,
    target: "es2022",
    minify: false,
    modulePreload: false,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 20000,
    rollupOptions: { input: ["conformance.html", "frame.html"].map(here), treeshake },
  },
});
