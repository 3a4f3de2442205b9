// The page of those who revise: guesses, sentences, the map; and how chapters are marked that were opened before.
import { models } from "posenc/models";
import { describe, expect, it } from "vitest";
import { locales, open, withPage } from "./browser.ts";
import { chapterNames } from "./pages.ts";
import { en } from "../../web/site/src/revise/text.en.ts";

describe("the page of those who revise", () => {
  it.each(locales)("judges a guess, opens the sentence with it, and draws the picture (%s)", (locale) =>
    withPage("revise", { locale, asFound: true }, async (page) => {
      expect(await page.locator("[data-strip] details[open]").count()).toBe(0);
      const strips = page.locator("[data-strip]");
      expect(await strips.evaluateAll((all) => all.map((one) => one.getAttribute("data-strip")))).toEqual(chapterNames);
      for (const [index, name] of chapterNames.entries()) {
        const strip = strips.nth(index);
        const { answer, options } = en.strips.chapters[name];
        const wrong = (answer + 1) % options.length;
        await strip.locator(".options button").nth(wrong).click();
        const right = strip.locator(".options .right");
        expect(
          await strip.locator(".options button").evaluateAll((all) => all.findIndex((one) => one.matches(".right"))),
        ).toBe(answer);
        expect(await right.count()).toBe(1);
        await expect.poll(() => strip.locator("details p").isVisible()).toBe(true);
        await expect.poll(() => strip.locator(":is(svg, canvas)").count(), { timeout: 30_000 }).toBeGreaterThan(0);
      }
    }),
  );

  it("shows all sentences at once", () =>
    withPage("revise", { asFound: true }, async (page) => {
      await page.getByRole("button", { name: "Show all sentences" }).click();
      await expect.poll(() => page.locator("[data-strip] details[open]").count()).toBe(chapterNames.length);
    }));

  it("is right about what models use", () => {
    const recent = Object.values(models).filter(({ year, modality }) => year >= 2023 && modality === "text");
    const rope = recent.filter(({ spec }) => spec.kind.startsWith("rope"));
    expect(recent.length).toBeGreaterThan(50);
    expect(rope.length / recent.length).toBeGreaterThan(0.5);
  });
});

it("chapters that were opened are marked, on this machine", async () => {
  const { page, close } = await open("alibi", { asFound: true });
  const marked = () =>
    page.locator("header nav li:has(.known) a").evaluateAll((all) => all.map((one) => one.getAttribute("href")));
  await page.locator("h1").waitFor();
  expect(await marked()).toEqual([]);
  await expect.poll(() => page.evaluate(() => localStorage.length)).toBeGreaterThan(0);
  await page.goto(page.url().replace("alibi", "glossary"));
  await expect.poll(marked).toEqual(["./alibi.html"]);
  const times = await page.locator("header nav li .reading").allTextContents();
  expect(times.map((time) => parseInt(time.replace(/\D+/, ""))).every((minutes) => minutes >= 5 && minutes <= 20)).toBe(
    true,
  );
  await close();
});
