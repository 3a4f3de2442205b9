// Every page, in both languages: complete, accessible in both themes, in bounds, from its own origin alone.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright";
import { describe, expect, inject, it } from "vitest";
import { contentSecurityPolicy } from "../../web/tasks/serve.mjs";
import { locales, withPage, type Locale } from "./browser.ts";
import { tablesOf } from "./figure.ts";
import { pageNames } from "./pages.ts";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** What axe-core calls serious or critical. */
async function barriers(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  return page.evaluate(async () => {
    const { violations } = await (window as never as { axe: typeof import("axe-core") }).axe.run();
    return violations
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`));
  });
}

/** Figures whose content is taller than the room kept for it, or much smaller, and by how much. */
const misfits = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const context = document.createElement("canvas").getContext("2d")!;
    context.font = "20px sans-serif";
    // Boxes in place of Chinese letters are narrower, and the lines fewer.
    const hasGlyphs = document.documentElement.lang !== "zh-CN" || context.measureText("永").width > 19;
    return [...document.querySelectorAll<HTMLElement>("[data-figure]")].flatMap((figure) => {
      const rooms = [...figure.querySelectorAll(".room")].map((room) => room.getBoundingClientRect().height);
      const content = figure.querySelector(".content")!;
      const kept = Math.max(...rooms);
      const needed = [...content.children].reduce((bottom, child) => {
        return Math.max(bottom, child.getBoundingClientRect().bottom);
      }, 0);
      const height = needed - content.getBoundingClientRect().top;
      const fits = height <= kept + 24 && (height >= kept - 140 || !hasGlyphs);
      return fits ? [] : [`${figure.dataset["figure"]}: ${kept} px kept, ${Math.round(height)} needed`];
    });
  });

/** What sticks out of the page at its right edge. */
const overhang = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** How far things have jumped while the page loaded. */
const watchShifts = () => {
  const shifts = ((window as never as { shifts: number[] }).shifts = [] as number[]);
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as never as { value: number; hadRecentInput: boolean }[])
      if (!entry.hadRecentInput) shifts.push(entry.value);
  }).observe({ type: "layout-shift", buffered: true });
};

const looks = [
  [1280, "light"],
  [390, "dark"],
] as const;

describe.each(pageNames)("%s", (name) => {
  describe.each(locales)("in %s", (locale: Locale) => {
    it.each(looks)("%i px wide, %s: complete, in bounds, without jumps, no barrier", async (width, colorScheme) => {
      await withPage(name, { locale, width, colorScheme, before: watchShifts }, async (page) => {
        expect(await page.evaluate(() => document.documentElement.lang)).toBe(locale);
        expect(await page.locator("h1").count()).toBe(1);
        expect(await overhang(page)).toBeLessThanOrEqual(0);
        expect(await misfits(page)).toEqual([]);
        const shifts = await page.evaluate(() => (window as never as { shifts: number[] }).shifts);
        expect(shifts.reduce((sum, shift) => sum + shift, 0)).toBeLessThan(0.05);
        expect(await barriers(page)).toEqual([]);
      });
    });
  });

  it("has its numbers as tables, under every figure", async () => {
    await withPage(name, {}, async (page) => {
      const figures = page.locator("[data-figure]");
      for (let index = 0; index < (await figures.count()); index += 1) {
        const tables = await tablesOf(figures.nth(index));
        expect(tables.length).toBeGreaterThan(0);
        for (const { caption, heads, cells } of tables) {
          expect(caption).not.toBe("");
          expect(heads.length, caption).toBeGreaterThan(0);
          expect(cells.flat().filter((cell) => cell === "–" || cell === "NaN" || cell === "undefined")).toEqual([]);
        }
      }
      expect(await barriers(page)).toEqual([]);
    });
  });

  it("does not mind an address that makes no sense", async () => {
    const hash = "#v=2&table.length=-5&words.order=9.9.9&words.sentence=&x=%E0";
    await withPage(name, { hash }, async (page) => expect(await overhang(page)).toBeLessThanOrEqual(0));
  });
});

describe("the site", () => {
  it.skipIf(process.env["POSENC_SITE_URL"])("is served with the policy", async () => {
    const response = await fetch(`${inject("siteUrl")}index.html`);
    expect(response.headers.get("content-security-policy")).toBe(contentSecurityPolicy);
  });
});
