// The start page: words that are shuffled, and what attention makes of it.
import { describe, expect, it } from "vitest";
import { withPage } from "../browser.ts";
import { dragOnto, figureOf, numbersOf, press, tablesOf } from "../figure.ts";

it.each([
  ["en", 1280, 800],
  ["en", 390, 844],
  ["zh-CN", 390, 844],
] as const)("the first screen has three ways on (%s, %i × %i)", (locale, width, height) =>
  withPage("index", { locale, width, viewport: { width, height } }, async (page) => {
    const doors = page.locator("[data-door]");
    const links = page.locator("a[data-door], [data-door] a");
    expect(await links.evaluateAll((all) => all.map((door) => door.getAttribute("href")))).toEqual([
      "./film.html",
      "./babble.html",
      "./order.html",
      "#use",
      "./inspector.html",
    ]);
    const last = (await doors.last().boundingBox())!;
    expect(last.y + last.height).toBeLessThanOrEqual(height);
    expect(await doors.nth(1).innerText()).toContain("npm install posenc");
    await doors.nth(1).click();
    await expect
      .poll(() => page.locator("#use").evaluate((heading) => Math.abs(heading.getBoundingClientRect().top)))
      .toBeLessThan(height / 2);
  }),
);

describe("the shuffled words", () => {
  it("change no output without positions, and many with RoPE", async () => {
    await withPage("index", {}, async (page) => {
      const figure = figureOf(page, "shuffle");
      const words = figure.locator("[data-place]");
      expect(await numbersOf(figure)).toEqual(Array.from({ length: 5 }, () => [0, 0]));
      await dragOnto(words.nth(1), words.nth(4));
      await press(words.nth(1), "ArrowRight");
      expect(await words.allInnerTexts()).toEqual(["the", "bites", "man", "the", "dog"]);
      const [table] = await tablesOf(figure);
      expect(table!.heads).toEqual(["0 the", "1 bites", "2 man", "3 the", "4 dog"]);
      for (const [without, rope] of table!.numbers) {
        expect(without).toBeLessThan(1e-5);
        expect(rope).toBeGreaterThan(1e-3);
      }
      const verdicts = await figure.getByRole("status").allInnerTexts();
      expect(verdicts[0]).toContain("Every word keeps its output");
      expect(verdicts[1]).toContain("5 of 5 outputs are new");
      expect(await figure.locator("section").first().locator(".changed").count()).toBe(0);
      expect(await figure.locator("section").last().locator(".changed small").allInnerTexts()).toEqual(
        Array.from({ length: 5 }, () => "new"),
      );
      await figure.getByRole("button", { name: "Original order" }).click();
      expect(await words.first().innerText()).toBe("the");
    });
  });

  it("are shuffled so that every place gets another word, and the address keeps them", async () => {
    await withPage("index", { locale: "zh-CN" }, async (page) => {
      const words = figureOf(page, "shuffle").locator("[data-place]");
      const before = await words.allInnerTexts();
      await page.getByRole("button", { name: "打乱词序" }).click();
      const after = await words.allInnerTexts();
      expect([...after].sort()).toEqual([...before].sort());
      expect(after).not.toEqual(before);
      await expect.poll(() => new URL(page.url()).hash).toContain("shuffle.order=");
      await page.reload();
      // The figure waits until the reader is near it, and for the whole library.
      await figureOf(page, "shuffle").scrollIntoViewIfNeeded();
      await expect.poll(() => words.allInnerTexts()).toEqual(after);
    });
  });

  it("stand above cards whose pictures are drawn as they come into view", async () => {
    await withPage("index", {}, async (page) => {
      const cards = page.locator(".cards a");
      for (let index = 0; index < (await cards.count()); index += 1) {
        await cards.nth(index).scrollIntoViewIfNeeded();
        await expect
          .poll(() => cards.nth(index).locator("canvas, svg, pre").count(), { timeout: 10_000 })
          .toBeGreaterThan(0);
      }
    });
  });

  it.each([1280, 1000, 768, 390])("stand above cards that fill their rows at %i px", (width) =>
    withPage("index", { width }, async (page) => {
      const rows = await page.locator(".cards").evaluate((grid) => {
        const { left, right } = grid.getBoundingClientRect();
        const ends = new Map<number, number>();
        for (const card of grid.children) {
          const box = card.getBoundingClientRect();
          ends.set(box.top, Math.max(ends.get(box.top) ?? left, box.right));
        }
        return [...ends.values()].map((end) => Math.round(right - end));
      });
      expect(rows.filter((gap) => gap !== 0)).toEqual([]);
    }),
  );
});
