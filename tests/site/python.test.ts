// The code in Python beside that of a chapter: it prints the library's numbers, and stands behind a tab.
import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { sampleOf } from "../../web/site/build/samples.ts";
import { withValues } from "../../web/site/src/lib/code.ts";
import { pythonWithTorch } from "../package/torch.ts";
import { barriers } from "./axe.ts";
import { locales, withPage } from "./browser.ts";

const course = fileURLToPath(new URL("../../examples/course", import.meta.url));
const files = readdirSync(course).filter((name) => name.endsWith(".py"));
const textOf = (file: string) => readFileSync(join(course, file), "utf8");

/** What a program says that it prints: "//> …" in JavaScript, which is tested against the library, "#> …" in Python. */
const promised = (file: string, mark: string): string[] =>
  [...textOf(file).matchAll(new RegExp(`^ *${mark}> (.*)$`, "gm"))].map(([, line]) => line!);

/** Lists are printed with spaces within their brackets or without. */
const alike = (line: string) => line.replace(/\[ | \]/g, (bracket) => bracket.trim());

/** Runs programs that it reads, each in a process of its own: what takes long is to load torch, and all begin after that. */
const runner = `
import json, os, sys, tempfile, traceback
import torch

def run(program):
    with tempfile.TemporaryFile("w+", encoding="utf-8") as output:
        child = os.fork()
        if child == 0:
            code = 1
            try:
                os.dup2(output.fileno(), 1)
                os.dup2(output.fileno(), 2)
                exec(compile(program, "shown.py", "exec"), {"__name__": "__main__"})
                code = 0
            except BaseException:
                traceback.print_exc()
            finally:
                sys.stdout.flush()
                sys.stderr.flush()
                os._exit(code)
        _, status = os.waitpid(child, 0)
        output.seek(0)
        return {"status": status, "output": output.read()}

with open(sys.argv[1], encoding="utf-8") as programs:
    print(json.dumps([run(program) for program in json.load(programs)]))
`;

interface Run {
  status: number;
  output: string;
}

/** What the programs print, as they are shown. */
async function runAll(): Promise<Map<string, Run>> {
  const folder = mkdtempSync(join(tmpdir(), "posenc-python-"));
  try {
    const programs = join(folder, "programs.json");
    writeFileSync(programs, JSON.stringify(files.map((file) => withValues(textOf(file), {}, "python"))));
    const { stdout } = await promisify(execFile)(pythonWithTorch!, ["-c", runner, programs], { encoding: "utf8" });
    const runs = JSON.parse(stdout) as Run[];
    return new Map(files.map((file, index) => [file, runs[index]!]));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
let running: Promise<Map<string, Run>> | undefined;

describe.each(files)("%s", (file) => {
  const lines = promised(file, "#");

  test("prints numbers that the library prints", () => {
    const twin = file.replace(".py", ".js");
    expect(existsSync(join(course, twin))).toBe(true);
    const known = promised(twin, "//").map(alike);
    const withNumbers = lines.map(alike).filter((line) => /\d/.test(line));
    expect(withNumbers.length).toBeGreaterThan(0);
    expect(withNumbers.filter((line) => !known.includes(line))).toEqual([]);
  });

  test.skipIf(!pythonWithTorch)("prints in Python what it says, as it is shown", async () => {
    const { status, output } = (await (running ??= runAll())).get(file)!;
    expect(output.trimEnd().split("\n")).toEqual(lines);
    expect(status).toBe(0);
  });

  test("is not wider than JavaScript", () => {
    expect(
      textOf(file)
        .split("\n")
        .filter((line) => line.length > 100),
    ).toEqual([]);
  });
});

test("constants have the reader's values, as Python writes them", () => {
  const source = 'original_length = 4096\ncausal = False\nname = "a"\nother = original_length\n';
  const values = { originalLength: 8192, causal: true, elsewhere: 3 };
  const expected = 'original_length = 8192\ncausal = True\nname = "a"\nother = original_length';
  expect(withValues(source, values, "python")).toBe(expected);
  const constants = sampleOf("x.py", source).pieces.filter((piece) => typeof piece !== "string");
  expect(constants.map(({ name, text }) => [name, text])).toEqual([
    ["originalLength", "4096"],
    ["causal", "False"],
    ["name", '"a"'],
  ]);
});

test.each(locales)("stands behind a tab, with the keyboard alone, and is not run (%s)", (locale) =>
  withPage("rope", { locale, asFound: true, hash: "#v=2&words.shift=7" }, async (page) => {
    const tabs = page.locator(".sample").getByRole("tab");
    expect(await tabs.allInnerTexts()).toEqual(["JavaScript", "PyTorch"]);
    const code = page.locator(".sample code");
    expect(await code.innerText()).toContain("const shift = 7;");
    expect(await page.locator(".sample .buttons button").count()).toBe(2);
    await tabs.first().focus();
    await page.keyboard.press("ArrowRight");
    expect(await tabs.nth(1).getAttribute("aria-selected")).toBe("true");
    expect(await tabs.nth(1).evaluate((tab) => tab === document.activeElement)).toBe(true);
    expect(await code.innerText()).toContain("shift = 7\n");
    expect(await code.innerText()).toContain("import torch");
    expect(await page.locator(".sample .yours").allInnerTexts()).toContain("7");
    expect(await page.locator(".sample .buttons button").count()).toBe(1);
    expect(await barriers(page)).toEqual([]);
    await page.keyboard.press("ArrowRight");
    expect(await code.innerText()).toContain("const shift = 7;");
    await page.keyboard.press("End");
    expect(await tabs.nth(1).getAttribute("aria-selected")).toBe("true");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe("PRE");
  }),
);

test("a chapter without code in Python has no tabs", () =>
  withPage("speed", { asFound: true }, async (page) => {
    expect(await page.locator(".sample code").count()).toBe(1);
    expect(await page.locator(".sample [role=tab]").count()).toBe(0);
  }));
