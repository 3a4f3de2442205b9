// The workbench: what the page shows of a model and its rewritten self is what onnxruntime-node computes of the same files.
import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { openModel, type RewriteOptions } from "posenc/onnx";
import type { Page } from "playwright";
import { describe, expect, it } from "vitest";
import { en } from "../../web/site/src/inspector/text.en.ts";
import { zhCN } from "../../web/site/src/inspector/text.zh-CN.ts";
import { within } from "../../web/site/src/workbench/curves.ts";
import { looksFrom } from "../../web/site/src/workbench/measure.ts";
import { randomIds } from "../../web/site/src/workbench/tokens.ts";
import { barriers } from "./axe.ts";
import { locales, withPage } from "./browser.ts";
import { parseNumber } from "./figure.ts";
import { pe } from "./library.ts";
import { greedy, lossesOf, sharesOf, sessionOf, type Reference } from "./onnxruntime.ts";

const texts = { en, "zh-CN": zhCN };
const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const fixture = (name: string) => here(`../fixtures/onnx/${name}`);
const bible = (name: string) => here(`../../examples/transformers/models/bible/${name}`);
const bibleFiles = ["onnx/model_fp16.onnx", "config.json", "tokenizer.json", "tokenizer_config.json"].map(bible);
const slow = { timeout: 60_000 };

const bench = (page: Page) => page.locator("[data-answer=workbench]");
const ended = (page: Page) => expect.poll(() => bench(page).getAttribute("data-status"), slow).not.toBe("running");
const rule = (page: Page) => page.locator("[data-answer=rewrite] select");
const run = async (page: Page) => {
  await bench(page).locator("button.main").click();
  await ended(page);
};

/** Files as they come from a desktop. */
async function drop(page: Page, paths: readonly string[]) {
  const files = paths.map((path) => ({ name: basename(path), content: readFileSync(path).toString("base64") }));
  const dataTransfer = await page.evaluateHandle((all) => {
    const transfer = new DataTransfer();
    for (const { name, content } of all) {
      const bytes = Uint8Array.from(atob(content), (character) => character.charCodeAt(0));
      transfer.items.add(new File([bytes], name));
    }
    return transfer;
  }, files);
  await page.locator(".drop").dispatchEvent("drop", { dataTransfer });
  await bench(page).waitFor(slow);
}

/** The table of a figure: places, and the values of each line. */
async function tableOf(page: Page, figure: string) {
  const details = page.locator(`[data-numbers=${figure}]`);
  if (!(await details.evaluate((one) => (one as HTMLDetailsElement).open))) await details.locator("summary").click();
  await details.locator("tbody tr").first().waitFor();
  const rows = await details
    .locator("tbody tr")
    .evaluateAll((all) => all.map((row) => [...row.children].map((cell) => cell.textContent!)));
  return rows.map((row) => row.map((cell) => (cell === "–" ? NaN : parseNumber(cell))));
}

/** By another way than the page's: sums over windows, from the definition. */
function windowMean(losses: readonly number[], position: number, window: number) {
  const half = (window - 1) / 2;
  const near = losses.filter((_, index) => Math.abs(index + 1 - position) <= half);
  return near.reduce((sum, loss) => sum + loss, 0) / near.length;
}

/** Lines of the page against losses, within 1 %. */
async function expectCurves(page: Page, wanted: readonly (readonly number[])[]) {
  const caption = await page.locator("[data-figure=workbench-loss] .caption").textContent();
  const window = Number(/\d+/.exec(caption!)![0]);
  const rows = await tableOf(page, "workbench-loss");
  expect(rows.length).toBeGreaterThan(20);
  for (const [position, ...values] of rows)
    wanted.forEach((losses, line) => {
      const mean = windowMean(losses, position!, window);
      expect(Math.abs(values[line]! / mean - 1), `line ${line}, position ${position}`).toBeLessThan(0.01);
    });
}

const changedBytes = async (path: string, options: RewriteOptions, data?: string) => {
  const externalData = data ? { [basename(data)]: readFileSync(data) } : {};
  return (await (await openModel(readFileSync(path), { externalData })).rewrite(pe, options)).bytes();
};
const withAttention = { attention: true } as const;
const yarn = { rotary: { kind: "rope-yarn", factor: 4, originalLength: 256 } } as const;

describe.each(locales)("the workbench in %s", (locale) => {
  const text = texts[locale];

  it("shows of dropped files what onnxruntime-node computes of them: drop, rule, curves, download", () =>
    withPage("inspector", { locale }, async (page) => {
      const asked: string[] = [];
      page.on("request", (request) => asked.push(request.url()));
      await drop(page, bibleFiles);
      expect(await bench(page).locator("[data-needs]").textContent()).toMatch(/\d/);
      const words = readFileSync(bible("held-out.txt"), "utf8").slice(2000, 2600);
      await page.getByLabel(text.bench.text, { exact: true }).fill(words);
      await page.getByLabel(text.bench.tokens).fill("512");
      await rule(page).selectOption("yarn");
      expect(asked.filter((url) => /onnxruntime/.test(url))).toEqual([]);
      await run(page);
      const { vocab } = JSON.parse(readFileSync(bible("tokenizer.json"), "utf8")).model as Reference["vocabulary"];
      const ids = Array.from(words, (character) => vocab[character]!).slice(0, 512);
      const plain = await sessionOf(await changedBytes(bibleFiles[0]!, withAttention));
      const scaled = await sessionOf(await changedBytes(bibleFiles[0]!, { ...yarn, ...withAttention }));
      const wanted = [await lossesOf(plain, ids), await lossesOf(scaled, ids)];
      await expectCurves(page, wanted);
      const from = looksFrom(ids.length);
      const looks = [await sharesOf(plain, ids, from), await sharesOf(scaled, ids, from)];
      for (const [distance, ...shares] of await tableOf(page, "workbench-attention"))
        shares.forEach((share, line) => expect(Math.abs(share - looks[line]![distance!]!)).toBeLessThan(0.01));
      const letters = new Map(Object.entries(vocab).map(([letter, id]) => [id, letter]));
      for (const [index, session] of [plain, scaled].entries()) {
        const next = (await greedy(session, ids, 8)).map((id) => letters.get(id)).join("");
        expect((await page.locator("[data-way] b").nth(index).textContent())!.slice(0, 8)).toBe(next);
      }
      expect(await barriers(page)).toEqual([]);
      const link = bench(page).locator("a[download]");
      const [download] = await Promise.all([page.waitForEvent("download"), link.click()]);
      expect(download.suggestedFilename()).toBe("model_fp16-yarn.onnx");
      const written = await sessionOf(readFileSync(await download.path()));
      await expectCurves(page, [wanted[0]!, await lossesOf(written, ids)]);
      await Promise.all([plain, scaled, written].map((session) => session.release()));
    }));
});

describe("the workbench", () => {
  it("takes the course's small model by a click, and adds one rule beside the other", () =>
    withPage("inspector", {}, async (page) => {
      await page.locator(".drop button").click();
      await bench(page).waitFor(slow);
      await page.getByLabel(en.bench.tokens).fill("320");
      const names = async () => (await page.locator("[data-way] h4").allTextContents()).slice(1);
      await rule(page).selectOption("rerope");
      await run(page);
      await rule(page).selectOption("window");
      await run(page);
      const { rerope, window } = en.rewrite.changes;
      expect(await names()).toEqual([`${rerope} 192`, `${window} 256`]);
      const means = await page.locator("[data-figure=workbench-loss] .content td").allTextContents();
      // Beyond the trained length the original fails, and both remedies do not.
      const [, original, , remapped, , windowed] = means.map(parseNumber);
      expect(original).toBeGreaterThan(1.2 * Math.max(remapped!, windowed!));
    }));

  it("stops when it is asked to, and runs again", () =>
    withPage("inspector", {}, async (page) => {
      await drop(page, bibleFiles);
      await bench(page).locator("button.main").click();
      await bench(page).locator(".progress button").click();
      await bench(page).getByText(en.bench.stopped).waitFor();
      expect(await bench(page).getAttribute("data-status")).toBe("cancelled");
      await page.getByLabel(en.bench.tokens).fill("64");
      await run(page);
      expect(await bench(page).getAttribute("data-status")).toBe("done");
    }));

  it("refuses what is too large, with its figure, before anything is loaded", () =>
    withPage("inspector", {}, async (page) => {
      const folder = mkdtempSync(join(tmpdir(), "posenc-large-"));
      try {
        // Nothing of it lies on the disk.
        const data = join(folder, "model.onnx_data");
        writeFileSync(data, "");
        truncateSync(data, 3 * 2 ** 30);
        await page.locator("input[type=file]").setInputFiles([fixture("llama-ext/model.onnx"), data]);
        await bench(page).waitFor(slow);
        const alert = bench(page).locator("[role=alert]");
        expect(await alert.textContent()).toMatch(/6(\.\d)? GB.*3\.3 GB/s);
        expect(await bench(page).locator("button.main").isDisabled()).toBe(true);
      } finally {
        rmSync(folder, { recursive: true });
      }
    }));
});

describe("the workbench, without a tokenizer", () => {
  it.each<[name: string, files: string[], change: string, options: RewriteOptions]>([
    ["weights in a file of their own", ["llama-ext/model.onnx", "llama-ext/model.onnx_data"], "linear", linear(4)],
    ["no position_ids", ["gemma3/model.onnx", "gemma3/config.json"], "base", {}],
    [
      "16-bit logits and caches",
      ["genai-llama-fp16/model.onnx", "genai-llama-fp16/model.onnx.data"],
      "linear",
      linear(4),
    ],
  ])("reads random ids: %s", (_, names, change, options) =>
    withPage("inspector", {}, async (page) => {
      const paths = names.map(fixture);
      await drop(page, paths);
      await page.getByLabel(en.bench.tokens).fill("60");
      await rule(page).selectOption(change);
      await run(page);
      const data = paths.find((path) => /data$/.test(path));
      const ids = randomIds(60, 160);
      const original = await sessionOf(readFileSync(paths[0]!), data);
      const wanted = [await lossesOf(original, ids)];
      await original.release();
      if (Object.keys(options).length) {
        const changed = await sessionOf(await changedBytes(paths[0]!, options, data), data);
        wanted.push(await lossesOf(changed, ids));
        await changed.release();
      }
      await expectCurves(page, wanted);
    }),
  );

  it("shows how far a table reaches, and what goes on beyond it", () =>
    withPage("inspector", {}, async (page) => {
      await drop(page, [fixture("llama-v437/model.onnx"), fixture("llama-v437/config.json")]);
      await page.getByLabel(en.bench.tokens).fill("120");
      await rule(page).selectOption("yarn");
      await run(page);
      const rows = await tableOf(page, "workbench-loss");
      const reached = rows.filter(([, original]) => !Number.isNaN(original!)).map(([position]) => position!);
      expect(Math.max(...reached)).toBeGreaterThan(60);
      expect(Math.max(...reached)).toBeLessThanOrEqual(64);
      expect(rows.every(([, , changed]) => changed! > 0)).toBe(true);
      expect(await page.locator("[data-way] [role=alert]").count()).toBe(1);
    }));

  it("says that a loss means nothing for a model that looks both ways", () =>
    withPage("inspector", {}, async (page) => {
      await drop(page, [fixture("roberta/model.onnx")]);
      await page.getByLabel(en.bench.tokens).fill("40");
      await run(page);
      const alert = bench(page).locator("[role=alert]");
      expect(await alert.textContent()).toContain(en.bench.failures["not-a-decoder"]);
    }));
});

function linear(factor: number): RewriteOptions {
  return { rotary: { kind: "rope-linear", factor } };
}

it("adds up a head's attention from near to far", () => {
  const looks = { layers: 1, heads: 2, tokens: 3, weights: Float32Array.of(1, 0, 0, 0.5, 0.25, 0.25) };
  expect([...within(looks, 0, 1)]).toEqual([0.5, 0.75, 1]);
});
