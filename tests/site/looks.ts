// What every page of the tutorial must be in a language: complete, accessible in both themes, in bounds; its numbers as tables.
import type { Page } from "playwright";
import { describe, expect, it } from "vitest";
import { barriers } from "./axe.ts";
import { withPage, type Locale } from "./browser.ts";
import { tablesOf } from "./figure.ts";
import { isChapter, pageNames } from "./pages.ts";
import { isMixed, mixedIn } from "./punctuation.ts";
import { mostWords, wordsOnMainPath } from "./words.ts";

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
export const overhang = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** How far things have jumped while the page loaded. */
const watchShifts = () => {
  const shifts = ((window as never as { shifts: number[] }).shifts = [] as number[]);
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as never as { value: number; hadRecentInput: boolean }[])
      if (!entry.hadRecentInput) shifts.push(entry.value);
  }).observe({ type: "layout-shift", buffered: true });
};

/** Opens the numbers of every figure as tables. Returns the figures whose numbers a pointer could not open. */
const openAllTables = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>("[data-figure]")].flatMap((figure) => {
      const summary = figure.querySelector<HTMLElement>("details[data-numbers] summary")!;
      summary.scrollIntoView({ block: "center", behavior: "instant" });
      const { left, top, width, height } = summary.getBoundingClientRect();
      if (!summary.contains(document.elementFromPoint(left + width / 2, top + height / 2)))
        return [figure.dataset["figure"]!];
      summary.click();
      return [];
    }),
  );

/** Opens the numbers of every figure as tables, and looks whether they say something. */
async function readTables(page: Page, locale: Locale): Promise<void> {
  const figures = page.locator("[data-figure]");
  expect(await openAllTables(page)).toEqual([]);
  for (let index = 0; index < (await figures.count()); index += 1) {
    const tables = await tablesOf(figures.nth(index));
    expect(tables.length).toBeGreaterThan(0);
    for (const { caption, heads, cells } of tables) {
      expect(caption).not.toBe("");
      expect(heads.length, caption).toBeGreaterThan(0);
      expect(cells.flat().filter((cell) => cell === "–" || cell === "NaN" || cell === "undefined")).toEqual([]);
      if (locale === "zh-CN") expect([caption, ...heads, ...cells.flat()].filter(isMixed)).toEqual([]);
    }
  }
}

export type Look = [width: 1280, scheme: "light"] | [width: 390, scheme: "dark"];

export const describeLooks = (locale: Locale, look: Look) =>
  describe.each(pageNames)("%s", (name) => {
    it.each([look])(
      "%i px wide, %s: complete, short, in bounds, without jumps, no barrier",
      async (width, colorScheme) => {
        await withPage(name, { locale, width, colorScheme, before: watchShifts }, async (page) => {
          expect(await page.evaluate(() => document.documentElement.lang)).toBe(locale);
          expect(await page.locator("h1").count()).toBe(1);
          expect(await overhang(page)).toBeLessThanOrEqual(0);
          if (isChapter(name) && width > 1000) {
            const words = await wordsOnMainPath(page, locale);
            expect(words).toBeGreaterThan(150);
            expect(words, "words on the main path").toBeLessThanOrEqual(mostWords[locale]);
          }
          expect(await misfits(page)).toEqual([]);
          const shifts = await page.evaluate(() => (window as never as { shifts: number[] }).shifts);
          expect(shifts.reduce((sum, shift) => sum + shift, 0)).toBeLessThan(0.05);
          if (width > 1000) await readTables(page, locale);
          if (width > 1000 && locale === "zh-CN") expect(await mixedIn(page)).toEqual([]);
          expect(await barriers(page)).toEqual([]);
          if (width > 1000) return;
          // As pages are at 400 %.
          await page.setViewportSize({ width: 320, height: 900 });
          await expect.poll(() => overhang(page), { message: "at 320 px" }).toBeLessThanOrEqual(0);
        });
      },
    );
  });
