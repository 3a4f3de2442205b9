// The folder of models that the examples share.
import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const files = new URL("../../examples/transformers/models/files.js", import.meta.url).href;

it("is written by several examples at once", async () => {
  const folder = mkdtempSync(join(tmpdir(), "posenc-models-"));
  const config = JSON.stringify(join(folder, "bible/config.json"));
  // Each reads what another may be writing.
  const program = `
    import { readFileSync } from "node:fs";
    import { writeModels } from ${JSON.stringify(files)};
    for (let i = 0; i < 40; i++) {
      writeModels(${JSON.stringify(folder)});
      JSON.parse(readFileSync(${config}, "utf8"));
    }`;
  const run = (): Promise<unknown> => promisify(execFile)(process.execPath, ["--input-type=module", "--eval", program]);
  await Promise.all([run(), run(), run(), run()]);
  const source = fileURLToPath(new URL("../../examples/transformers/models/bible/", import.meta.url));
  const names = (path: string): string[] => readdirSync(path, { recursive: true, encoding: "utf8" }).sort();
  expect(names(join(folder, "bible"))).toEqual(names(source));
  rmSync(folder, { recursive: true });
});
