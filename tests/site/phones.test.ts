// Tables and pictures on the 390 px of a phone: nothing is cut, and what a row is about stays in sight.
import { expect, it } from "vitest";
import { locales, withPage } from "./browser.ts";
import { figureOf, tablesOf } from "./figure.ts";

const width = 390;

it.each(locales)("the page of mistakes has what a row is about above its numbers (%s)", (locale) =>
  withPage("mistakes", { locale, width }, async (page) => {
    const tables = await page.locator("[data-mistake] table").evaluateAll((all) =>
      all.map((table) => {
        const whole = table.getBoundingClientRect();
        const [head, first, second] = [...table.querySelector("tbody tr")!.children].map((cell) =>
          cell.getBoundingClientRect(),
        );
        return {
          share: head!.width / whole.width,
          isAbove: head!.bottom <= first!.top + 1 && first!.top === second!.top,
          overhang: second!.right - whole.right,
        };
      }),
    );
    expect(tables.length).toBeGreaterThan(5);
    for (const { share, isAbove, overhang } of tables) {
      expect(share).toBeGreaterThan(0.95);
      expect(isAbove).toBe(true);
      expect(overhang).toBeLessThanOrEqual(0.5);
    }
  }),
);

it("the inspector's answers need no scrolling to the side, and name their columns", () =>
  withPage("inspector", { width }, async (page) => {
    await page.locator("select").first().selectOption("llama-3.1-8b");
    const box = page.locator("[data-answer=layers] [role=region]");
    await box.waitFor();
    expect(await box.evaluate((one) => one.scrollWidth - one.clientWidth)).toBeLessThanOrEqual(0);
    const named = await box
      .locator("tbody tr")
      .first()
      .locator("td")
      .evaluateAll((cells) => cells.map((cell) => getComputedStyle(cell, "::before").content.replaceAll('"', "")));
    const heads = await box.locator("thead th").allTextContents();
    expect(named).toEqual(heads);
    expect(named).not.toContain("");
  }));

it.each(locales)("no picture of the chapter on rotation is wider than its place (%s)", (locale) =>
  withPage("rotation", { locale, width }, async (page) => {
    const pictures = await page.locator("[data-figure] svg[role=img]").evaluateAll((all) =>
      all.map((picture) => ({
        name: picture.getAttribute("aria-label"),
        over: picture.getBoundingClientRect().right - picture.parentElement!.getBoundingClientRect().right,
      })),
    );
    expect(pictures.length).toBeGreaterThan(5);
    expect(pictures.filter(({ over }) => over > 0.5)).toEqual([]);
  }),
);

it("tables of numbers keep what a row is while they scroll to the side", () =>
  withPage("counting", { width }, async (page) => {
    const figure = figureOf(page, "breaks");
    expect((await tablesOf(figure)).length).toBe(2);
    const box = figure.locator("details[data-numbers] .scroll").nth(1);
    const positions = await box.evaluate((one) => {
      one.scrollLeft = 200;
      const left = one.getBoundingClientRect().left + one.clientLeft;
      const at = (selector: string) => one.querySelector(selector)!.getBoundingClientRect().left - left;
      return { scrolled: one.scrollLeft, corner: at("thead th"), head: at("tbody th"), cell: at("tbody td") };
    });
    expect(positions.scrolled).toBe(200);
    expect(positions.corner).toBeCloseTo(0, 0);
    expect(positions.head).toBeCloseTo(0, 0);
    expect(positions.cell).toBeLessThan(-50);
  }));

it.each(locales)("the list of models begins with a whole line (%s)", (locale) =>
  withPage("models", { locale, width }, async (page) => {
    const list = figureOf(page, "atlas").locator("ul:has([data-entry])");
    const cut = () =>
      list.evaluate((one) => {
        const top = one.getBoundingClientRect().top + one.clientTop;
        return [...one.children].filter((line) => {
          const box = line.getBoundingClientRect();
          return box.top < top - 1 && box.bottom > top + 1;
        }).length;
      });
    expect(await list.evaluate((one) => one.scrollTop)).toBeGreaterThan(0);
    await expect.poll(cut).toBe(0);
  }),
);

it.each(locales)("the clocks above the table of sinusoids can be told apart (%s)", (locale) =>
  withPage("sinusoidal", { locale, width, colorScheme: "dark" }, async (page) => {
    const dials = figureOf(page, "row").locator(".clock svg");
    expect(await dials.count()).toBe(8);
    for (const box of await dials.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().width)))
      expect(box).toBeGreaterThan(60);
    const names = await figureOf(page, "row")
      .locator(".clock strong")
      .evaluateAll((all) => all.map((one) => one.getClientRects().length));
    expect(new Set(names)).toEqual(new Set([1]));
  }),
);
