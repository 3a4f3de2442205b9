// The table of web/docs/test-your-engine.md and its translation: what other engines do with the test vectors.
import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { inRoot, installDependencies } from "../../web/tasks/prepare.mjs";

it("has the results of the engines: node vectors/engines/table.mjs writes them", async () => {
  const folder = inRoot("vectors", "engines");
  await installDependencies(folder);
  const program = `
    const { pages, runEngines, tableFor, written } = await import("./table.mjs");
    const found = await runEngines();
    process.stdout.write(JSON.stringify(Object.keys(pages).map((page) => [page, tableFor(page, found), written(page)])));
    process.exit();`;
  const output = execFileSync(process.execPath, ["--input-type=module", "-e", program], {
    cwd: folder,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  const tables = JSON.parse(output.slice(output.indexOf('[["'))) as [page: string, made: string, written: string][];
  expect(tables.length).toBe(2);
  for (const [page, made, written] of tables) expect(made, page).toBe(written);
}, 300_000);
