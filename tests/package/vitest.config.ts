// What concerns the package as a whole: its sizes, the examples, the API documentation. Node only.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const root = fileURLToPath(new URL("../..", import.meta.url));

// Files and not patterns: a project with an `exclude` would ignore that of the command line, which the quick tier uses.
const files = ["tests/package", "tests/package/hostile"].flatMap((folder) =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith(".test.ts"))
    .map((name) => `${folder}/${name}`),
);
/** What it provokes depends on what was loaded before. */
const alone = ["tests/package/errors.test.ts"];

export default defineConfig({
  root,
  test: {
    globalSetup: "tests/package/temporary.ts",
    environment: "node",
    maxWorkers: "100%",
    pool: "threads",
    projects: [
      // Files share two threads and what these have loaded, TypeScript first of all: half the time.
      {
        extends: true,
        test: { name: "package", include: files.filter((name) => !alone.includes(name)), isolate: false },
      },
      { extends: true, test: { name: "package-alone", include: alone } },
    ],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { requireAssertions: true },
  },
});
