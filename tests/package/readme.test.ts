// The README as a stranger reads it: its code runs and prints what it says, and what it counts or names is there.
import { existsSync, readdirSync } from "node:fs";
import { dirname } from "node:path";
import { describe, expect, it } from "vitest";
import { inRoot } from "../../web/tasks/prepare.mjs";
import { blocksOf, rowsOf, run, text } from "./documents.ts";

const readme = text("README.md");

describe("the first minutes", () => {
  it("the quick start is an example, too, of ten lines, and prints what is said", () => {
    const [code, ...others] = blocksOf(readme);
    expect(others).toEqual([]);
    expect(code).toBe(text("examples", "00-quick-start.js"));
    expect(code!.split("\n").filter(Boolean).length).toBeLessThanOrEqual(10);
    const [, told] = /^```text\n([^]*?)\n```$/m.exec(readme)!;
    expect(run(code!, "").printed).toBe(told);
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
  it("the commands of package.json, and the version of Node that it asks for", () => {
    const { scripts, engines } = JSON.parse(text("package.json"));
    const told = rowsOf(readme, "Commands").map(([command]) => /npm (?:run )?(\w+)/.exec(command!)![1]);
    // `npm pack` calls the last: what it ships is whole.
    expect([...told, "prepack"].sort()).toEqual(Object.keys(scripts).sort());
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
