// The table of web/docs/test-your-engine.md: what other engines do with the test vectors.
import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { inRoot, installDependencies } from "../../web/tasks/prepare.mjs";

it("has the results of the engines: node vectors/engines/table.mjs writes them", async () => {
  const folder = inRoot("vectors", "engines");
  await installDependencies(folder);
  const program = `
    const { marked, table, written } = await import("./table.mjs");
    const made = marked(await table());
    process.stdout.write(JSON.stringify({ made, written: written() }));
    process.exit();`;
  const output = execFileSync(process.execPath, ["--input-type=module", "-e", program], {
    cwd: folder,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  const { made, written } = JSON.parse(output.slice(output.indexOf("{")));
  expect(made).toBe(written);
}, 300_000);
