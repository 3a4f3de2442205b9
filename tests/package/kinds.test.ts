// Each kind has a runnable snippet, examples/kinds/<kind>.js, which is about it and prints something.
import { execFile } from "node:child_process";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { init } from "posenc";
import { describe, expect, it } from "vitest";
import { mainEntry } from "./documents.ts";

const folder = fileURLToPath(new URL("../../examples/kinds/", import.meta.url));
const kinds = (await init()).describe().map(({ kind }) => kind);

describe("the snippets", () => {
  it("are about kinds that there are", () => {
    const others = readdirSync(folder).filter((name) => !kinds.includes(name.replace(/\.js$/, "")));
    expect(others).toEqual([]);
  });
  it.concurrent.for(kinds)("%s", async (kind, { expect }) => {
    expect(existsSync(`${folder}${kind}.js`), "examples/kinds needs a snippet of this kind").toBe(true);
    const code = readFileSync(`${folder}${kind}.js`, "utf8");
    expect(code).toMatch(/^\/\/ .{20}/);
    expect(code).toContain('from "posenc"');
    expect(code.split("\n").length).toBeLessThanOrEqual(25);
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [...mainEntry, `${kind}.js`], {
      cwd: folder,
    });
    expect(stderr).toBe("");
    expect(stdout.trim().split("\n").length).toBeGreaterThanOrEqual(2);
    expect(stdout).not.toMatch(/NaN|undefined|\[object/);
    // Made by name, or from a config that names it.
    expect(code.includes(`kind: "${kind}"`) || stdout.includes(kind)).toBe(true);
  });
});
