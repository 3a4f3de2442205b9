// The field of clocks on the start page: the library's numbers, worked by pointer, finger and keyboard, still where motion is not wanted.
import type { Page } from "playwright";
import { describe, expect, it } from "vitest";
import { withPage } from "../browser.ts";
import { figureOf, hoverAt, press, sliderOf, tablesOf } from "../figure.ts";
import { pe } from "../library.ts";

const texts = {
  en: { label: "Position", apart: /: (\d+) apart/ },
  "zh-CN": { label: "位置", apart: /相隔 (\d+)。/ },
} as const;

const read = (page: Page) => figureOf(page, "field").locator(".read").innerText();

/** Cosine and sine of every clock at a position, as Node has them. */
function clocks(pairs: number, position: number): number[][] {
  const table = pe.create({ kind: "sinusoidal", dim: 2 * pairs, base: 40 });
  const { data } = table.table({ positions: [position] });
  table.dispose();
  return Array.from({ length: pairs }, (_, pair) => [data[2 * pair + 1]!, data[2 * pair]!]);
}

describe.each(["en", "zh-CN"] as const)("the field of clocks (%s)", (locale) => {
  it("shows the library's clocks of two positions, and how alike they are", async () => {
    await withPage("index", { locale }, async (page) => {
      const figure = figureOf(page, "field");
      const slider = sliderOf(figure, texts[locale].label);
      await press(slider, "Home", "ArrowDown", "ArrowDown", "Enter", "ArrowDown", "ArrowDown", "ArrowDown");
      expect(await slider.getAttribute("aria-valuenow")).toBe("5");
      const [table, alike] = await tablesOf(figure);
      const pairs = table!.heads.length;
      expect(pairs).toBeGreaterThan(20);
      const [at, other] = [clocks(pairs, 5), clocks(pairs, 2)];
      table!.numbers.forEach((numbers, pair) =>
        [...at[pair]!, ...other[pair]!].forEach((value, index) => expect(numbers[index]).toBeCloseTo(value, 5)),
      );
      const text = await read(page);
      expect(text.match(texts[locale].apart)![1]).toBe("3");
      // A number with three digits is for the table.
      expect(text).not.toMatch(/0\.\d{3}/);
      const sum = at.reduce((total, [cos, sin], pair) => total + cos! * other[pair]![0]! + sin! * other[pair]![1]!, 0);
      expect(alike!.numbers[0]![0]).toBeCloseTo(sum / pairs, 4);
      expect(text).toContain(await slider.getAttribute("aria-valuetext"));
    });
  });
});

describe("the field of clocks", () => {
  it("follows the pointer, and compares with the row that is pressed", async () => {
    await withPage("index", {}, async (page) => {
      const slider = sliderOf(figureOf(page, "field"), "Position");
      await hoverAt(slider, 0.5, 0.02);
      expect(await slider.getAttribute("aria-valuenow")).toBe("0");
      await page.mouse.down();
      await page.mouse.up();
      expect(await read(page)).toContain("Position 0:");
      await hoverAt(slider, 0.5, 0.98);
      const last = await slider.getAttribute("aria-valuemax");
      expect(await read(page)).toContain(`Positions 0 and ${last}: ${last} apart`);
    });
  });

  it("compares the last two rows that a finger has touched", async () => {
    await withPage("index", { width: 390, hasTouch: true }, async (page) => {
      const slider = sliderOf(figureOf(page, "field"), "Position");
      await slider.scrollIntoViewIfNeeded();
      const box = (await slider.boundingBox())!;
      await page.touchscreen.tap(box.x + box.width / 2, box.y + 5);
      await page.touchscreen.tap(box.x + box.width / 2, box.y + box.height - 5);
      expect(await read(page)).toMatch(/^Positions 0 and (\d+): \1 apart/);
    });
  });

  it("holds still where less motion is wanted, until it is asked to play; what is compared stays as far apart", async () => {
    await withPage("index", {}, async (page) => {
      const figure = figureOf(page, "field");
      const slider = sliderOf(figure, "Position");
      await page.waitForTimeout(2200);
      expect(await slider.getAttribute("aria-valuemin")).toBe("0");
      const before = await read(page);
      await figure.getByRole("button", { name: "Play" }).click();
      await expect.poll(() => slider.getAttribute("aria-valuemin"), { timeout: 10_000 }).toBe("1");
      await figure.getByRole("button", { name: "Pause" }).click();
      const apart = (text: string) => text.match(texts.en.apart)![1];
      expect(apart(await read(page))).toBe(apart(before));
      expect(await read(page)).not.toBe(before);
    });
  });

  it("plays by itself otherwise, until it is touched or out of sight", async () => {
    await withPage("index", { reducedMotion: "no-preference" }, async (page) => {
      const figure = figureOf(page, "field");
      const slider = sliderOf(figure, "Position");
      const time = () => slider.getAttribute("aria-valuemin");
      await slider.scrollIntoViewIfNeeded();
      await expect.poll(time, { timeout: 10_000 }).toBe("1");
      await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
      await page.waitForTimeout(300);
      const left = await time();
      await page.waitForTimeout(2200);
      expect(await time()).toBe(left);
      await slider.scrollIntoViewIfNeeded();
      await press(slider, "ArrowDown");
      expect(await figure.getByRole("button", { name: "Play" }).count()).toBe(1);
    });
  });

  it.each([
    [1280, 800],
    [390, 844],
  ])("fills a screen of %i × %i from edge to edge, after the question that it answers", (width, height) =>
    withPage("index", { width, viewport: { width, height } }, async (page) => {
      const box = (await sliderOf(figureOf(page, "field"), "Position").boundingBox())!;
      expect([box.x, box.width]).toEqual([0, width]);
      expect(box.height / height).toBeGreaterThan(0.55);
      const shuffle = (await figureOf(page, "shuffle").boundingBox())!;
      expect(shuffle.y + shuffle.height).toBeLessThanOrEqual(box.y);
    }),
  );

  it("is kept in the address", async () => {
    await withPage("index", { hash: "#v=2&field.at=9&field.other=4" }, async (page) => {
      expect(await read(page)).toContain("Positions 4 and 9: 5 apart");
      await press(sliderOf(figureOf(page, "field"), "Position"), "ArrowUp");
      await expect.poll(() => new URL(page.url()).hash).toContain("field.at=8");
    });
  });
});
