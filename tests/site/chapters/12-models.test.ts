// Who uses what: the atlas, the reading of configurations and the chooser, beside what the library says.
import { compare, explain } from "posenc/explain";
import type { Locator } from "playwright";
import { models, recommend, useCases, type Model } from "posenc/models";
import { describe, expect, test } from "vitest";
import { explainedRows } from "../../../web/site/src/chapters/12-models/explained.ts";
import { entriesOf, matching, methodsMatching } from "../../../web/site/src/chapters/12-models/atlas.ts";
import { names } from "../../../web/site/src/chapters/12-models/names.en.ts";
import { en } from "../../../web/site/src/chapters/12-models/text.en.ts";
import { zhCN } from "../../../web/site/src/chapters/12-models/text.zh-CN.ts";
import { locales, withPage } from "../browser.ts";
import { figureOf, hoverAt, press, tablesOf } from "../figure.ts";
import { pe } from "../library.ts";

const all: Model[] = Object.values(models);

/** The rows of an explanation as the page shows them, by their names. */
async function rowsOf(scope: Locator): Promise<Record<string, string>> {
  const rows = await scope
    .locator("table")
    .first()
    .locator("tr")
    .evaluateAll((elements) => elements.map((row) => [...row.children].map((cell) => cell.textContent!.trim())));
  return Object.fromEntries(rows as [string, string][]);
}

const plain = (text: string) => text.replaceAll("\u202f", "");
const short = (value: number) => (value >= 100 ? String(Math.round(value)) : String(Number(value.toPrecision(3))));

describe("the words", () => {
  test.each([
    ["en", en],
    ["zh-CN", zhCN],
  ])("in %s name all kinds, notes, endings and tasks that there are", (_, text) => {
    expect(Object.keys(text.names.kinds).sort()).toEqual(
      pe
        .describe()
        .map(({ kind }) => kind)
        .sort(),
    );
    expect(Object.keys(text.names.uses).sort()).toEqual(useCases().sort());
    const noted = all.filter(({ note }) => note).map(({ id }) => id);
    expect(Object.keys(text.names.notes).sort()).toEqual(noted.sort());
    for (const ending of Object.keys(text.names.endings))
      expect(all.some(({ name }) => name.endsWith(ending))).toBe(true);
  });

  test.each([en, zhCN])("explain every model without a gap", (text) => {
    for (const { id, spec, contextLength } of all) {
      const explanation = explain(pe, spec, contextLength === null ? {} : { contextLength });
      const rows = explainedRows(explanation, spec, text.explained, text.names);
      expect(rows.length, id).toBeGreaterThan(1);
      for (const { name, value } of rows) expect(`${name} ${value}`, id).not.toMatch(/undefined|NaN|Infinity|∞|[{}]/);
    }
  });
});

describe("the atlas", () => {
  const shown = (figure: Locator) => figure.locator(".count output").textContent();
  const chosen = (figure: Locator) => figure.locator("[data-details]").getAttribute("data-details");

  test.each([
    ["通义", "Qwen"],
    ["千问", "Qwen"],
    ["智谱", "GLM"],
    ["百川", "Baichuan"],
  ])("finds %s in the Chinese page", (search, family) =>
    withPage("models", { locale: "zh-CN" }, async (page) => {
      const figure = figureOf(page, "atlas");
      await figure
        .getByRole("searchbox")
        .or(figure.locator("input[type=search], input[type=text]"))
        .first()
        .fill(search);
      const count = all.filter((model) => model.family === family).length;
      await expect.poll(() => shown(figure)).toMatch(new RegExp(`(^|\\D)${count}\\D`));
    }),
  );

  test.each([
    ["旋转", "rope"],
    ["RoFormer", "rope"],
    ["位置插值", "rope-linear"],
  ])("finds methods by %s in the Chinese page", (search, kind) =>
    withPage("models", { locale: "zh-CN" }, async (page) => {
      const figure = figureOf(page, "atlas");
      await figure
        .getByRole("searchbox")
        .or(figure.locator("input[type=search], input[type=text]"))
        .first()
        .fill(search);
      await expect.poll(async () => (await shown(figure)) !== `${all.length}`).toBe(true);
      const found = Number(/\d+/.exec((await shown(figure))!.replace(String(all.length), ""))?.[0]);
      expect(found).toBeGreaterThanOrEqual(all.filter((model) => model.spec.kind === kind).length);
      expect(found).toBeLessThan(all.length);
    }),
  );

  test.each([
    ["遗忘门", "forget"],
    ["FoX", "forget"],
    ["PaTH", "path"],
    ["Householder", "path"],
    ["Swin V2", "swin-v2"],
    ["NoPE", "none"],
    ["无位置编码", "none"],
    ["哪吒", "nezha"],
    ["LieRE", "liere"],
    ["李群", "liere"],
    ["STRING", "string"],
    ["GRAPE", "grape-a"],
    ["GRAPE", "grape-ap"],
    ["GRAPE", "grape-m"],
    ["FoPE", "fope"],
    ["傅里叶位置编码", "fope"],
    ["RoPE-Mixed", "rope-mixed"],
    ["数据依赖", "data-dependent-alibi"],
  ])("knows %s, a method of %s, in both languages", (search, kind) => {
    const settings = { search, family: "", kind: "", modality: "", model: "" };
    const entries = entriesOf();
    for (const { names: words } of [en, zhCN]) {
      const ofModels = matching(entries, settings, words).map((entry) => entry.kind);
      const found = [...ofModels, ...methodsMatching(search, entries, words)];
      expect(found).toContain(kind);
      expect(new Set(found).size).toBeLessThan(12);
    }
  });

  test.each(locales)("leads to a method that no model has (%s)", (locale) =>
    withPage("models", { locale }, async (page) => {
      const figure = figureOf(page, "atlas");
      await figure.locator("input[type=search]").fill("遗忘门");
      const link = figure.locator("[data-methods] a");
      await expect.poll(() => link.allTextContents()).toEqual([(locale === "en" ? en : zhCN).names.kinds.forget]);
      const address = await link.evaluate((one) => (one as HTMLAnchorElement).href);
      expect((await fetch(address)).status).toBe(200);
      await figure.locator("input[type=search]").fill("Llama");
      await expect.poll(() => link.count()).toBe(0);
    }),
  );

  test("filters and searches the models", () =>
    withPage("models", {}, async (page) => {
      const figure = figureOf(page, "atlas");
      const expectCount = async (count: number) =>
        expect.poll(() => shown(figure)).toBe(`${count} of ${all.length} models`);
      await expectCount(all.length);
      const [counts] = await tablesOf(figure);
      counts.heads.forEach((year, row) => {
        const total = counts.numbers[row].reduce((sum, count) => sum + count, 0);
        expect(total).toBe(all.filter((model) => String(model.year) === year).length);
      });
      await figure.getByLabel("Encoding", { exact: true }).selectOption("rope-yarn");
      await expectCount(all.filter(({ spec }) => spec.kind === "rope-yarn").length);
      await figure.getByLabel("Family").selectOption("DeepSeek");
      await expectCount(all.filter(({ spec, family }) => spec.kind === "rope-yarn" && family === "DeepSeek").length);
      await figure.getByRole("button", { name: "Show all" }).click();
      await figure.getByLabel("Works on").selectOption("audio");
      await expectCount(all.filter(({ modality }) => modality === "audio").length);
      await figure.getByRole("button", { name: "Show all" }).click();
      await figure.getByLabel("Search").fill("whisper large");
      await expectCount(1);
      expect(await chosen(figure)).toBe("whisper-large-v3");
      await figure.getByLabel("Search").fill("no such model");
      await expectCount(0);
      expect(await figure.locator(".list").textContent()).toContain("No model matches");
    }));

  test("goes from model to model by keys, marks and lines", () =>
    withPage("models", {}, async (page) => {
      const figure = figureOf(page, "atlas");
      const timeline = figure.getByRole("listbox");
      await press(timeline, "Home");
      expect(await chosen(figure)).toBe("transformer-base");
      await press(timeline, "ArrowRight", "ArrowRight");
      expect(models[(await chosen(figure))!].year).toBe(2018);
      await press(timeline, "PageDown");
      expect(models[(await chosen(figure))!].year).toBe(2019);
      await press(timeline, "End");
      expect(models[(await chosen(figure))!].year).toBe(2026);
      const mark = (await figure.locator("[data-model=gpt-j-6b] path").boundingBox())!;
      await page.mouse.click(mark.x + mark.width / 2, mark.y + mark.height / 2);
      expect(await chosen(figure)).toBe("gpt-j-6b");
      await hoverAt(figure.locator("[data-model=bert-large] path").first(), 0.5);
      await expect.poll(() => figure.locator(".name").textContent()).toBe("BERT large, 2018: Learned table");
      await figure.locator("[data-entry=bloom]").click();
      expect(await chosen(figure)).toBe("bloom");
      await expect.poll(() => page.url()).toContain("atlas.model=bloom");
    }));

  test.each(["llama-3.1-8b", "gpt-2", "deepseek-v3", "phi-3-mini-128k", "whisper-tiny"])("explains %s", (id) =>
    withPage("models", { hash: `#v=2&atlas.model=${id}` }, async (page) => {
      const rows = await rowsOf(figureOf(page, "atlas").locator("[data-details]"));
      const { spec, contextLength } = models[id];
      const explanation = explain(pe, spec, { contextLength: contextLength! });
      expect(rows["Encoding"]).toBe(names.kinds[spec.kind as keyof typeof names.kinds]);
      if ("rotations" in explanation) {
        const rotating = explanation.rotations!.filter((turn) => turn >= 1).length;
        const pairs = explanation.wavelengths.length;
        expect(plain(rows["Turn at least once"])).toBe(`${rotating} of ${pairs} pairs in ${contextLength} positions`);
        const factor = explanation.attentionFactor;
        if (factor !== 1) expect(rows["Scores are multiplied by"]).toBe((factor * factor).toFixed(3));
      } else if ("dim" in explanation) {
        expect(plain(rows["Features"])).toBe(String(explanation.dim));
        const wavelengths = explanation.wavelengths;
        if (wavelengths)
          expect(plain(rows["Wavelengths"])).toContain(`${short(wavelengths[0])} to ${short(wavelengths.at(-1)!)}`);
      }
    }),
  );

  test("explains a bias in a worker", () =>
    withPage("models", { hash: "#v=2&atlas.model=mpt-7b" }, async (page) => {
      const details = figureOf(page, "atlas").locator("[data-details]");
      await expect.poll(() => details.locator("table").count(), { timeout: 30_000 }).toBe(1);
      const rows = await rowsOf(details);
      const explanation = explain(pe, models["mpt-7b"].spec);
      if (explanation.family !== "bias") throw new Error("ALiBi is a bias");
      const { halved: half } = explanation.reach!;
      expect(rows["Heads"]).toBe("32");
      expect(rows["A key’s weight halves after"]).toContain(`${Math.min(...half)} to ${Math.max(...half)} positions`);
    }));
});

describe("a config.json", () => {
  const input = (figure: Locator) => figure.getByLabel("config.json", { exact: true });
  const verdict = (figure: Locator) => figure.locator("[data-verdict]").getAttribute("data-verdict");

  test("is read, explained and compared", () =>
    withPage("models", {}, async (page) => {
      const figure = figureOf(page, "config");
      expect((await rowsOf(figure.locator(".output")))["Encoding"]).toBe("YaRN");
      expect(await verdict(figure)).toBe("no");
      await figure.locator("[data-example=llama-3\\.1-8b]").click();
      await figure.getByLabel("Compare with").selectOption("llama-3.1-405b");
      expect(await verdict(figure)).toBe(
        compare(pe, models["llama-3.1-8b"].spec, models["llama-3.1-405b"].spec).interchangeable,
      );
      await input(figure).fill(
        JSON.stringify({ model_type: "llama", hidden_size: 512, num_attention_heads: 8, rope_theta: 777 }),
      );
      const rows = await rowsOf(figure.locator(".output"));
      expect(rows["Base"]).toBe("777");
      expect(rows["Features that turn"]).toBe("64 of 64 in a head");
      await expect.poll(() => page.url()).toContain("config.config=");
      await page.reload();
      await page.waitForFunction(() => !document.querySelector(".waiting"));
      expect((await rowsOf(figure.locator(".output")))["Base"]).toBe("777");
    }));

  test("that is none gets a kind answer", () =>
    withPage("models", {}, async (page) => {
      const figure = figureOf(page, "config");
      const message = () => figure.locator(".message").textContent();
      await input(figure).fill('{"model_type": ');
      expect(await message()).toContain("not valid JSON yet");
      for (const config of [[], 42, { model_type: "gpt2" }, { hidden_size: 64, rope_scaling: { type: "<b>x</b>" } }]) {
        await input(figure).fill(JSON.stringify(config));
        let shown = "";
        try {
          pe.fromConfig(config);
        } catch (error) {
          shown = (error as Error).message;
        }
        expect(shown).not.toBe("");
        await expect.poll(message).toContain(shown);
      }
      await input(figure).fill("");
      expect(await message()).toContain("Paste a config.json");
      await input(figure).fill(JSON.stringify({ ...models["bert-base"].config, note: "x".repeat(5000) }));
      expect((await rowsOf(figure.locator(".output")))["Encoding"]).toBe("Learned table");
      await expect.poll(() => page.url()).not.toContain("xxxx");
    }));

  test("with two kinds of layers has two encodings", () =>
    withPage("models", {}, async (page) => {
      const figure = figureOf(page, "config");
      await figure.locator("[data-example=gemma-3-4b]").click();
      const base = async () => plain((await rowsOf(figure.locator(".output")))["Base"]);
      expect(await base()).toBe("1000000");
      await figure.getByLabel("Part of the model").selectOption("sliding_attention");
      expect(await base()).toBe("10000");
    }));

  test("of a learned table is not called interchangeable with one of another length", () =>
    withPage("models", { hash: "#v=2&config.example=bert-base&config.versus=gpt-2" }, async (page) => {
      expect(await verdict(figureOf(page, "config"))).toBe("no");
    }));
});

describe("the chooser", () => {
  test("gives the library's recommendation for every task, by keys", () =>
    withPage("models", {}, async (page) => {
      const figure = figureOf(page, "choose");
      await figure.getByRole("radio", { name: names.uses["short-text"].name }).check();
      for (const task of useCases()) {
        const { kind, models: users } = recommend(task);
        await expect.poll(() => figure.locator(".answer").getAttribute("data-kind")).toBe(kind);
        expect(await figure.locator(".answer").textContent()).toContain(`${users.length} models of the atlas`);
        await page.keyboard.press("ArrowDown");
      }
    }));

  test("leads to a model in the atlas, and from there to its configuration", () =>
    withPage("models", {}, async (page) => {
      const buttons = figureOf(page, "choose").getByRole("button", { name: /^Show .* in the atlas$/ });
      const shown = (await buttons.allTextContents()).map((name) => name.trim());
      const { id, name } = all.find((model) => model.config && shown.includes(model.name))!;
      await buttons.nth(shown.indexOf(name)).click();
      const details = figureOf(page, "atlas").locator("[data-details]");
      expect(await details.getAttribute("data-details")).toBe(id);
      await details.getByRole("button").last().click();
      const pasted = await figureOf(page, "config").getByRole("textbox").inputValue();
      expect(JSON.parse(pasted)).toEqual(models[id].config);
    }));
});
