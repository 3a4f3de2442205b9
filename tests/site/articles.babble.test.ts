// The article on babbling: each guess uncovers its figure, the figures show what was measured, the model writes, the commands run.
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright";
import { describe, expect, it } from "vitest";
import { en } from "../../web/site/src/articles/babble/text.en.ts";
import { zhCN } from "../../web/site/src/articles/babble/text.zh-CN.ts";
import { tried, type TrialName } from "../../web/site/src/articles/babble/trials.ts";
import { LanguageModel } from "../../web/site/src/lab/language-model.ts";
import { idsOf } from "../../web/site/src/lab/read-along.ts";
import { withPage } from "./browser.ts";
import { figureOf, openTables, tablesOf } from "./figure.ts";
import { pe } from "./library.ts";

const root = new URL("../../", import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), "utf8");
const json = (path: string) => JSON.parse(read(path));
const trials = json("web/site/src/articles/babble/trials.json") as Record<
  "en" | "zh",
  { trials: Record<TrialName, number>; stretches: number[] }
>;
const measured = json("web/site/lab/measured.json") as Record<
  string,
  Record<string, Record<"loss" | "needle", [number, number][]>>
>;

const steps = ["break", "memory", "attention", "clocks", "repairs", "remembers"] as const;

/** The numbers of a figure's first table, row by row. */
async function numbersIn(page: Page, name: string): Promise<number[][]> {
  const figure = figureOf(page, name);
  await openTables(figure);
  return (await tablesOf(figure))[0]!.numbers;
}

const valueAt = (pairs: [number, number][], at: number) => pairs.find(([x]) => x === at)![1];

describe.each([
  ["en", "en", en, "en-rope", "selfextend-32-128"],
  ["zh-CN", "zh", zhCN, "zh-rope-copy", "selfextend-8-64"],
] as const)("the article on babbling (%s)", (locale, language, text, model, group) => {
  it("asks before every figure, and then shows what was measured", () =>
    withPage("babble", { locale, asFound: true }, async (page) => {
      for (const name of steps) {
        const step = page.locator(`[data-step=${name}]`);
        await step.scrollIntoViewIfNeeded();
        const figure = figureOf(page, name);
        await figure.locator(".cover").waitFor();
        expect(await step.locator(".reveal").count()).toBe(0);
        await step.locator(".options button").nth(text[name].predict.answer).click();
        expect(await step.locator(".reveal strong").innerText()).toBe(locale === "en" ? "Right." : "正确。");
        expect(await figure.locator(".cover").count()).toBe(0);
      }
      const { stretches, trials: losses } = trials[language];
      expect(await numbersIn(page, "break")).toEqual(stretches.map((nats) => [nats]));
      for (const [figure, names] of [
        ["memory", ["short", "moved", "apart"]],
        ["attention", ["long", "capped"]],
      ] as const)
        expect((await numbersIn(page, figure)).map(([loss]) => loss)).toEqual(names.map((name) => losses[name]));
      // 16 clocks, of which the first seven come round within 256; at 500 the eighth points where it did before.
      expect(await figureOf(page, "clocks").locator("[data-fresh]").getAttribute("data-fresh")).toBe("8");
      const rules = ["default", "yarn-4", "window-256", group].map((rule) => measured[model]![rule]!);
      expect((await numbersIn(page, "repairs")).map((row) => row.slice(0, 2))).toEqual(
        rules.map(({ loss }) => [valueAt(loss, 256), valueAt(loss, 1024)]),
      );
      const found = await figureOf(page, "remembers").locator("[data-found]").allInnerTexts();
      expect(found.map((one) => Number(/(\d+) ?%/.exec(one)![1]))).toEqual(
        rules.slice(1).map(({ needle }) => Math.round(100 * valueAt(needle, 768))),
      );
    }));

  it("lets the model write on from the reader’s words, broken and repaired", () =>
    withPage("babble", { locale }, async (page) => {
      const beginning = locale === "en" ? "And David went up to the city " : "山中问答，";
      const texts: string[] = [];
      for (const name of ["break", "repairs"]) {
        const figure = figureOf(page, name);
        await figure.locator("input[type=text]").fill(beginning);
        await figure.locator(".writer button").first().click();
        await expect.poll(() => figure.locator("[role=status]").innerText(), { timeout: 90_000 }).toContain("512");
        const parts = await figure
          .locator("[data-written] span")
          .evaluateAll((all) => all.map((one) => one.textContent!));
        expect(parts.map((part) => Array.from(part).length)).toEqual([256, 256]);
        expect(parts[0]!.startsWith(beginning)).toBe(true);
        texts.push(parts[1]!);
      }
      expect(texts[1]).not.toBe(texts[0]);
      // The weights have come: no button offers to load them.
      expect(await page.locator("figure button", { hasText: /\d MB/ }).count()).toBe(0);
    }));
});

describe("what the article says", () => {
  it.each(["short", "apart", "capped"] as const)("was measured as trials.ts says: %s", (name) => {
    const weights = readFileSync(new URL("web/site/lab/models/en-rope.safetensors", root));
    const model = new LanguageModel(new Uint8Array(weights).buffer);
    const ids = idsOf(read("web/site/lab/text.en.txt"), json("web/site/lab/vocabulary.en.json"));
    expect(tried(pe, model, ids, name)).toBeCloseTo(trials.en.trials[name], 2);
  });

  it("has the times of the documents", () => {
    const rows = read("web/docs/onnx.md").split("\n");
    const timeOf = (start: string) =>
      Number(
        rows
          .find((row) => row.startsWith(start))!
          .split("|")
          .at(-2),
      );
    const lab = read("web/site/src/articles/babble/lab.ts");
    const [, times] = /timePerToken[^{]*\{([^}]*)\}/.exec(lab)!;
    expect(times!.match(/[\d.]+/g)!.map(Number)).toEqual(
      ["| as exported", "| `--yarn 4`", "| `--window 256`", "| `--remap`: SelfExtend"].map(timeOf),
    );
  });

  it("prints commands that the program runs", () => {
    const folder = mkdtempSync(join(tmpdir(), "posenc-article-"));
    try {
      cpSync(fileURLToPath(new URL("examples/transformers/models/bible", root)), join(folder, "my-model"), {
        recursive: true,
      });
      const lines = en.ending.commands.map((command) => command.lines);
      expect(zhCN.ending.commands.map((command) => command.lines)).toEqual(lines);
      const posenc = `"${process.execPath}" "${fileURLToPath(new URL("dist/cli.js", root))}"`;
      const outputs = lines.map((line) =>
        execFileSync("sh", ["-c", line.replace("npx posenc", posenc)], { cwd: folder, encoding: "utf8" }),
      );
      const said = ["rotary frequencies", "YaRN × 4", "below 4096", "self-extend"];
      said.forEach((words, index) => expect(outputs[index]).toContain(words));
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
