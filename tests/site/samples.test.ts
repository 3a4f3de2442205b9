// The code of each chapter, run in the page: it prints what it prints in Node, with the reader's values where there are some.
import { execFileSync } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import type { Page } from "playwright";
import { runnable, sampleOf } from "../../web/site/build/samples.ts";
import { printed } from "../../web/site/src/lib/printed.ts";
import { barriers } from "./axe.ts";
import { locales, withPage } from "./browser.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const examples = join(root, "examples");
const files = readdirSync(join(examples, "course")).filter((name) => name.endsWith(".js"));
const textOf = (file: string) => readFileSync(join(examples, file), "utf8");

async function outputOf(page: Page): Promise<string[]> {
  await page.locator(".sample .buttons button").last().click();
  await expect.poll(() => page.locator(".sample [role=status]").innerText(), { timeout: 60_000 }).toMatch(/Finished/);
  return (await page.locator(".sample .output").innerText()).trimEnd().split("\n");
}

/** What Node prints of the code that a page shows. */
const printedByNode = (code: string) =>
  execFileSync(process.execPath, ["--input-type=module", "--eval", code], {
    cwd: root,
    stdio: "pipe",
    encoding: "utf8",
  });

test.each(files)("%s prints in the page what it prints elsewhere", (file) =>
  withPage(file.replace(/^\d+-|\.js$/g, ""), { asFound: true }, async (page) => {
    const lines = await outputOf(page);
    const code = await page.locator(".sample code").innerText();
    // What goes to console.error is shown, too: times, different with each run.
    const expected = printedByNode(code).trimEnd().split("\n");
    expect(lines.filter((line) => !line.startsWith("ms "))).toEqual(expected);
  }),
);

test("the start page runs its sample", () =>
  withPage("index", { asFound: true }, async (page) => {
    const lines = ["1.00 0.00 0.00 0.00", "0.43 0.57 0.00 0.00", "0.18 0.35 0.46 0.00", "0.09 0.17 0.32 0.42"];
    expect(await outputOf(page)).toEqual(lines);
  }));

test("a sample has the reader's values, marks them, and runs with them", () =>
  withPage("rope", { asFound: true, hash: "#v=2&words.shift=7" }, async (page) => {
    expect(await page.locator(".sample .yours").allInnerTexts()).toContain("7");
    expect(await page.locator(".sample .note").first().isVisible()).toBe(true);
    expect((await outputOf(page)).join("\n")).toContain("both moved by 7:");
  }));

test.each(locales)("a sample that has run is accessible (%s)", (locale) =>
  withPage("rotation", { asFound: true, locale }, async (page) => {
    const button = page.locator(".sample .buttons button").last();
    await button.focus();
    await page.keyboard.press("Enter");
    await page.locator(".sample .output").waitFor();
    expect(await barriers(page)).toEqual([]);
  }),
);

test.each(["light", "dark"] as const)("nothing of a program is loaded before it is run (%s)", (colorScheme) =>
  withPage("rotation", { asFound: true, colorScheme }, async (page) => {
    const loaded = () =>
      page.evaluate(
        () => performance.getEntriesByType("resource").filter(({ name }) => /sample\.task/.test(name)).length,
      );
    expect(await loaded()).toBe(0);
    expect(await page.locator(".sample [style]").count()).toBe(0);
    const colour = (name: string) =>
      page
        .locator(`.sample .hljs-${name}`)
        .first()
        .evaluate((element) => getComputedStyle(element).color);
    expect(await colour("keyword")).not.toBe(await colour("number"));
  }),
);

test.each(files)("%s is the same text with its colours as without", (file) => {
  const { code, pieces } = sampleOf(file, textOf(`course/${file}`));
  const shown = pieces
    .map((piece) => (typeof piece === "string" ? piece.replace(/<[^>]+>/g, "") : piece.text))
    .join("");
  const plain = shown
    .replaceAll("&quot;", '"')
    .replaceAll("&#x27;", "'")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">");
  expect(plain.replaceAll("&amp;", "&")).toBe(code);
});

test("only constants at the top of a program take values", () => {
  const module = runnable(`import { init } from "posenc";\nconst a = 1;\nlet b = 2;\nfunction f() { const a = 3; }\n`);
  expect(module).toContain(`const a = "a" in $values ? $values.a : 1;`);
  expect(module).toContain("let b = 2;");
  expect(module).toContain("{ const a = 3; }");
  expect(module.indexOf("import")).toBeLessThan(module.indexOf("export async function run"));
});

test("values are printed as a console prints them", () => {
  expect(printed(["a", -0, [1, "b"], { c: null }])).toBe('a -0 [ 1, "b" ] { c: null }');
  expect(printed([new Float32Array(2)])).toBe("Float32Array [ 0, 0 ]");
  expect(printed([{ dims: [1, 2], data: new Float32Array(2) }])).toBe("tensor 1 × 2 Float32Array [ 0, 0 ]");
  expect(printed([Array(30).fill(0)])).toMatch(/… 6 more \]$/);
});
