// The page of teachers: its numbers are those of formulas written down here, its links lead to figures, its lesson has 90 minutes.
import type { Page } from "playwright";
import { describe, expect, it } from "vitest";
import { locales, withPage } from "./browser.ts";
import { chapterNames } from "./pages.ts";

const degrees = (angle: number) => (angle * 180) / Math.PI;
const { sin, cos, PI, E } = Math;
/** How fast a pair turns. */
const speed = (pair: number, dim: number, base = 10000) => base ** ((-2 * pair) / dim);
const pairs = Array.from({ length: 64 }, (_, pair) => pair);
const unfinished = (length: number) => pairs.filter((pair) => length * speed(pair, 128) < 2 * PI).length;
const likeness = (distance: number) => [0, 1, 2, 3].reduce((sum, pair) => sum + cos(distance * speed(pair, 8, 100)), 0);
const around = (angle: number) => Math.min(degrees(angle) % 360, 360 - (degrees(angle) % 360));

/** What solutions must say, by chapter and exercise. */
const solutions: Record<string, [exercise: number, values: string[]][]> = {
  order: [
    [0, ["60"]],
    [1, ["0.000", "0.052"]],
  ],
  counting: [
    [0, ["2", "1"]],
    [1, ["4096", "12"]],
    [2, [(1 / 15).toFixed(3), (1 / 999).toFixed(4)]],
  ],
  sinusoidal: [
    [0, [sin(3), cos(3), sin(0.3), cos(0.3)].map((value) => value.toFixed(3))],
    [1, [(2 * PI).toFixed(2), ((2 * PI) / speed(63, 128)).toFixed(0)]],
    [2, [around(44).toFixed(1), around(44 * speed(1, 128)).toFixed(0)]],
  ],
  rotation: [
    [0, [cos(3), sin(3), -sin(3), sin(5), cos(5), sin(8), cos(8)].map((value) => value.toFixed(3))],
    [1, [likeness(3).toFixed(3), "4"]],
    [2, ["0.000"]],
  ],
  adding: [
    [0, [degrees(1.96 / Math.sqrt(512)).toFixed(0)]],
    [1, ["6.155", "3.788", "-6.332", "5.940", "9.551"]],
    [2, ["128", "8192", "4096"]],
  ],
  learned: [
    [0, ["1024", "768", String(1024 * 768), "1023"]],
    [1, ["28"]],
  ],
  relative: [
    [0, ["33"]],
    [1, ["8", "9", "91"]],
    [2, [String((512 * 513) / 2), "512"]],
  ],
  rope: [
    [0, [cos(2).toFixed(3)]],
    [1, ["47.849", "48.266"]],
    [2, ["33", "0"]],
  ],
  alibi: [
    [0, ["0.5", (1 / 256).toFixed(6)]],
    [1, [String(Math.ceil(256 * Math.log(2))), "256"]],
    [2, [(100 * (1 - E ** -4)).toFixed(1)]],
  ],
  "long-context": [
    [0, [String(unfinished(4096)), String(unfinished(32768))]],
    [1, [degrees(1).toFixed(1), degrees(1 / 8).toFixed(1)]],
    [2, ["1", (8 ** (64 / 126)).toFixed(2), "8"]],
  ],
  images: [
    [0, [String(3 + 6)]],
    [1, ["0.97", "0.82"]],
    [2, ["2401", String(13 ** 2)]],
  ],
  models: [
    [0, ["29", "6"]],
    [1, [speed(63, 128), speed(63, 128, 500000)].map((one) => ((2 * PI) / one).toFixed(0))],
    [2, ["learned", "rope", "rope-yarn"]],
  ],
  speed: [
    [0, [String(2 * 32 * 1024 * 32 * 4)]],
    [1, [((2 * 32 * 1024 * 64 * 8) / 1e6).toFixed(1), ((2 * 32 * 1024 * 64 * 8) / 1e7).toFixed(1)]],
  ],
};

/** By chapter, the words of each solution; numbers as they are computed with. */
const solutionsIn = (page: Page): Promise<Record<string, string[]>> =>
  page.evaluate(() =>
    Object.fromEntries(
      [...document.querySelectorAll<HTMLElement>("[data-exercises]")].map((chapter) => [
        chapter.dataset["exercises"]!,
        [...chapter.querySelectorAll("details p")].map((one) =>
          one.textContent!.replaceAll("\u2212", "-").replaceAll("\u202f", ""),
        ),
      ]),
    ),
  );

const hasNumber = (text: string, value: string) =>
  new RegExp(`(?<![\\d.])${value.replaceAll(".", "\\.")}(?![\\d]|\\.\\d)`).test(text);

describe("the page of teachers", () => {
  it.each(locales)("has three exercises for each chapter, whose numbers are right (%s)", (locale) =>
    withPage("teach", { locale }, async (page) => {
      const shown = await solutionsIn(page);
      expect(Object.keys(shown)).toEqual(chapterNames);
      expect(Object.keys(solutions)).toEqual(chapterNames);
      for (const [chapter, all] of Object.entries(solutions)) {
        expect(shown[chapter]!.length, chapter).toBe(3);
        for (const [exercise, values] of all) {
          const text = shown[chapter]![exercise]!;
          expect(
            values.filter((value) => !hasNumber(text, value)),
            `${chapter} ${exercise}: ${text}`,
          ).toEqual([]);
        }
      }
    }),
  );

  it("keeps solutions folded until they are wanted, and prints them", () =>
    withPage("teach", { asFound: true }, async (page) => {
      const folds = page.locator("[data-exercises] details");
      expect(await page.locator("[data-exercises] details[open]").count()).toBe(0);
      await folds.first().locator("summary").click();
      expect(await folds.first().locator("p").isVisible()).toBe(true);
      await page.evaluate(() => window.dispatchEvent(new Event("beforeprint")));
      await expect.poll(() => page.locator("[data-exercises] details:not([open])").count()).toBe(0);
    }));

  it("has a lesson of 90 minutes without gaps", () =>
    withPage("teach", {}, async (page) => {
      const rows = await page.locator("table tbody th").allTextContents();
      const spans = rows.map((row) => row.split("–").map(Number) as [number, number]);
      expect(spans[0]![0]).toBe(0);
      for (const [index, [from]] of spans.entries()) if (index) expect(from).toBe(spans[index - 1]![1]);
      expect(spans.at(-1)![1]).toBe(90);
      expect(await page.locator("table tbody a").count()).toBe(rows.length - 1);
    }));

  it("lists every figure of every chapter under its title, and leads to places that are there", async () => {
    const linksIn = (page: Page) =>
      page
        .locator("main a[href]")
        .evaluateAll((all) => all.map((link) => [link.getAttribute("href")!, link.textContent!.trim()] as const));
    const [listed, mapped] = await Promise.all(["teach", "revise"].map((name) => withPage(name, {}, linksIn)));
    for (const chapter of chapterNames) {
      const there = await withPage(chapter, { asFound: true }, async (page) => {
        await page.locator("h1").waitFor();
        return page.evaluate(() => ({
          ids: [...document.querySelectorAll("[id]")].map(({ id }) => id),
          figures: [...document.querySelectorAll<HTMLElement>("[data-figure]")].map(
            (one) => [one.dataset["figure"]!, one.querySelector(".title")!.textContent!.trim()] as const,
          ),
        }));
      });
      const start = `./${chapter}.html#`;
      const anchors = [...listed!, ...mapped!].filter(([href]) => href.startsWith(start));
      expect(anchors.length).toBeGreaterThan(2);
      expect(anchors.map(([href]) => href.slice(start.length)).filter((id) => !there.ids.includes(id))).toEqual([]);
      const alone = listed!.flatMap(([href]) => href.split(`./${chapter}.html?embed=`)[1] ?? []);
      expect(alone.sort()).toEqual(there.figures.map(([name]) => name).sort());
      for (const [name, title] of there.figures) expect(anchors).toContainEqual([`${start}figure-${name}`, title]);
    }
  });
});
