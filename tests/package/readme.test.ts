// The README as a stranger reads it: its code runs and prints what it says, and what it counts or names is there.
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { dirname } from "node:path";
import { init } from "posenc";
import { describe, expect, it } from "vitest";
import { loadedAtOnce } from "../../web/tasks/distributed.mjs";
import { inRoot } from "../../web/tasks/prepare.mjs";
import { blocksOf, gzipped, rowsOf, run, text } from "./documents.ts";
import { pythonWithTorch } from "./torch.ts";
import { isWhole } from "./whole";

const readme = text("README.md");

describe("the first minutes", () => {
  const [tables, quickStart, ...others] = blocksOf(readme);
  const printed = blocksOf(readme, "text")[0]!.trimEnd();

  it("the quick start is an example, too, of ten lines, and prints what is said", () => {
    expect(others).toEqual([]);
    expect(quickStart).toBe(text("examples", "00-quick-start.js"));
    expect(quickStart!.split("\n").filter(Boolean).length).toBeLessThanOrEqual(10);
    expect(run(quickStart!, "").printed).toBe(printed);
  });
  it("the lines for one model's tables give the library's", async () => {
    const { cos, sin } = new Function(`${tables}return ropeTables(4000, 128);`)();
    const expected = (await init()).create({ kind: "rope", dim: 128 }).tables({ length: 4000 });
    const error = (values: Float32Array, truth: Float32Array) =>
      values.reduce((most, value, i) => Math.max(most, Math.abs(value - truth[i]!)), 0);
    expect(cos.length).toBe(expected.cos.data.length);
    expect(Math.max(error(cos, expected.cos.data), error(sin, expected.sin.data))).toBeLessThan(1e-7);
  });
  it.runIf(pythonWithTorch)("the program in PyTorch prints the same", () => {
    const [code] = blocksOf(readme, "python");
    expect(execFileSync(pythonWithTorch!, ["-c", code!], { encoding: "utf8" }).trimEnd()).toBe(printed);
  });
  it("links lead somewhere, and to every page", () => {
    const targets = [...readme.matchAll(/\]\(([^)]+)\)/g)].map(([, target]) => target!);
    for (const target of targets) expect(existsSync(inRoot(target)), target).toBe(true);
    const pages = readdirSync(inRoot("web", "docs")).filter((name) => name.endsWith(".md") && name !== "home.md");
    expect(new Set(targets.filter((target) => dirname(target) === "web/docs" && target.endsWith(".md")))).toEqual(
      new Set(pages.map((name) => `web/docs/${name}`)),
    );
  });
});

describe("what the README counts and names", () => {
  it.runIf(isWhole)("the sizes of entries, to a twentieth or half a KB", () => {
    const rows = rowsOf(readme, "Browsers, Node and sizes");
    expect(rows.length).toBe(8);
    for (const [entry, , cell] of rows) {
      const name = /posenc\/?([\w-]*)/.exec(entry!)![1];
      const [code, wasm] = [...cell!.matchAll(/(\d+) KB/g)].map(([, size]) => Number(size));
      const near = (documented: number, size: number) =>
        expect(Math.abs(documented - size), `${entry} ${size}`).toBeLessThan(Math.max(0.5, size / 20));
      near(code!, gzipped(...loadedAtOnce(`${name || "index"}.js`)) / 1024);
      if (cell!.includes("WebAssembly")) near(wasm!, gzipped("posenc.base.wasm") / 1024);
    }
  });
  it("the commands of package.json, and the version of Node that it asks for", () => {
    const { scripts, engines } = JSON.parse(text("package.json"));
    const commands = rowsOf(readme, "Commands").map(([command]) => /npm (?:run )?(\w+)/.exec(command!)![1]);
    // `npm pack` calls the last: what it ships is whole.
    expect([...commands, "prepack"].sort()).toEqual(Object.keys(scripts).sort());
    for (const [, version] of readme.matchAll(/Node ≥ ([\d.]*\d)/g)) expect(engines.node).toBe(`>=${version}`);
  });
  it("the CMake that the project asks for", () => {
    const [, version] = /cmake_minimum_required\(VERSION ([\d.]+)/.exec(text("CMakeLists.txt"))!;
    expect(readme).toContain(`CMake ≥ ${version},`);
  });
  it("folders, and all kinds of tests", () => {
    const folders = rowsOf(readme, "Where everything is");
    for (const [name] of folders) expect(existsSync(inRoot(name!.replaceAll("`", ""))), name).toBe(true);
    const [, tests] = folders.at(-1)!;
    const here = readdirSync(inRoot("tests"), { withFileTypes: true }).filter((entry) => entry.isDirectory());
    expect([...tests!.matchAll(/`(\w+)`/g)].map(([, name]) => name).sort()).toEqual(
      here.map(({ name }) => name).sort(),
    );
  });
  it("as many chapters as there are", () => {
    const chapters = readdirSync(inRoot("web", "site", "src", "chapters")).filter((name) =>
      existsSync(inRoot("web", "site", "src", "chapters", name, "Chapter.svelte")),
    );
    expect(readme).toMatch(/thirteen\s+chapters/);
    expect(chapters.length).toBe(13);
  });
});
