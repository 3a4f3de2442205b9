// The glossary: found by either language and by other names, every link leads to its place, and the course uses its names.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { avoided, found, placeOf, terms, type Term, type TermName } from "../../web/site/src/glossary/terms.ts";
import { en } from "../../web/site/src/glossary/text.en.ts";
import { zhCN } from "../../web/site/src/glossary/text.zh-CN.ts";
import { barriers } from "./axe.ts";
import { locales, withPage } from "./browser.ts";
import { siteRoot, sourcesIn } from "./pages.ts";

const texts = { en, "zh-CN": zhCN };
const names = Object.keys(terms) as TermName[];

describe("the terms", () => {
  it("are found by name in either language, by other names, and without regard to hyphens and case", () => {
    const first = (query: string) => found(query, zhCN.meanings)[0];
    expect(first("旋转位置编码")).toBe("rope");
    expect(first("RoFormer")).toBe("rope");
    expect(first("位置内插")).toBe("position-interpolation");
    expect(first("long term decay")).toBe("long-term-decay");
    expect(first("软最大")).toBe("softmax");
    expect(found("", zhCN.meanings)).toEqual(names);
    expect(found("没有这个词", zhCN.meanings)).toEqual([]);
  });

  it("have each name once", () => {
    for (const language of ["en", "zh"] as const) {
      const all = names.map((name) => terms[name][language].toLowerCase());
      expect(all.filter((name, index) => all.indexOf(name) !== index)).toEqual([]);
    }
  });

  const pages = [...new Set(names.map((name) => placeOf(terms[name]).page))];
  it.each(pages)("that %s explains are there", async (page) => {
    const ids = await withPage(page, { asFound: true }, (opened) =>
      opened.locator("[id]").evaluateAll((elements) => elements.map(({ id }) => id)),
    );
    const anchors = names.map((name) => placeOf(terms[name])).filter((anchor) => anchor.page === page);
    expect(anchors.filter(({ anchor }) => !ids.includes(anchor))).toEqual([]);
  });
});

describe.each(locales)("the glossary in %s", (locale) => {
  it("shows what is looked for, keeps it in the address, and says so where there is nothing", () =>
    withPage("glossary", { locale }, async (page) => {
      const rows = page.locator("tbody tr");
      expect(await rows.count()).toBe(names.length);
      await page.getByRole("searchbox").fill("YaRN");
      const expected = found("yarn", texts[locale].meanings);
      await expect.poll(() => rows.count()).toBe(expected.length);
      expect(await rows.first().getAttribute("id")).toBe("yarn");
      await expect.poll(() => page.url()).toContain("glossary.find=YaRN");
      await page.getByRole("searchbox").fill("zzzz");
      await expect.poll(() => page.getByRole("status").textContent()).toBe(texts[locale].none);
      expect(await barriers(page)).toEqual([]);
    }));

  it("has an anchor for each term", () =>
    withPage("glossary", { locale, hash: "#rope" }, async (page) => {
      const { zh, en: english }: Term = terms.rope;
      const row = page.locator("tr:target");
      expect(await row.locator("th").textContent()).toBe(locale === "en" ? english : zh);
      await expect.poll(() => row.evaluate((element) => element.getBoundingClientRect().top)).toBeLessThan(900);
    }));
});

describe("the Chinese texts", () => {
  const files = sourcesIn(join(siteRoot, "src"), "zh-CN.ts").filter((file) => !file.startsWith("glossary"));
  it.each(Object.entries(avoided))("say not %s but %s", (avoid) => {
    expect(files.length).toBeGreaterThan(15);
    expect(files.filter((file) => readFileSync(join(siteRoot, "src", file), "utf8").includes(avoid))).toEqual([]);
  });
});
