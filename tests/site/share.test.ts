// Links to figures: made by their buttons, opened at them, with what was set in them; plain anchors stay in the address.
import { readFileSync } from "node:fs";
import { expect, inject, test } from "vitest";
import { open, withPage } from "./browser.ts";
import { figureOf, press, sliderOf } from "./figure.ts";

test.each(["en", "zh-CN"] as const)("a shared link opens at its figure, as it was set (%s)", async (locale) => {
  const first = await open("sinusoidal", { locale });
  const { page } = first;
  await page
    .context()
    .grantPermissions(["clipboard-read", "clipboard-write"], { origin: new URL(inject("siteUrl")).origin });
  const figures = page.locator("[data-figure]");
  const name = (await figures.last().getAttribute("data-figure"))!;
  const slider = figureOf(page, name).getByRole("slider").first();
  const usesRange = await slider.evaluate((element) => element.tagName === "INPUT");
  if (usesRange) await slider.press("ArrowRight");
  const set = usesRange ? await slider.inputValue() : "";
  const share = figureOf(page, name).locator(".share button");
  await share.first().click();
  await share.nth(1).click();
  await expect.poll(() => figureOf(page, name).locator(".share [aria-live]").innerText()).toMatch(/copied|已复制/);
  const link = await page.evaluate(() => navigator.clipboard.readText());
  expect(link).toContain(`at=${name}`);
  await first.close();

  const second = await open("sinusoidal", { locale, hash: new URL(link).hash, asFound: true });
  const shared = figureOf(second.page, name);
  const top = () => shared.evaluate((element) => Math.abs(element.getBoundingClientRect().top));
  await expect.poll(top, { timeout: 15_000 }).toBeLessThan(400);
  if (usesRange) await expect.poll(() => shared.getByRole("slider").first().inputValue()).toBe(set);
  expect(second.complaints).toEqual([]);
  await second.close();
});

test("an anchor stays in the address until something is set", () =>
  withPage("rope", { hash: "#figure-apart" }, async (page) => {
    await page.waitForTimeout(600);
    expect(new URL(page.url()).hash).toBe("#figure-apart");
    const figure = figureOf(page, "apart");
    expect(await figure.evaluate((element) => element.getBoundingClientRect().top < innerHeight)).toBe(true);
    await press(sliderOf(figure, /^Key/), "ArrowRight");
    await expect.poll(() => new URL(page.url()).hash).toMatch(/^#v=2&/);
  }));

test("a folded section opens where the address sets something in it, and nowhere else", () =>
  withPage("long-context", { hash: "#v=2&scale.factor=4&precision.start=20", asFound: true }, async (page) => {
    const figure = figureOf(page, "precision");
    const open = page.locator("details.folded[open]");
    await expect
      .poll(() => open.locator("[data-figure]").evaluateAll((all) => all.map(({ id }) => id)))
      .toEqual(["figure-precision"]);
    await figure.scrollIntoViewIfNeeded();
    await expect.poll(() => sliderOf(figure, /Look around/).inputValue()).toBe("20");
    await page.evaluate(() => (location.hash = "#v=2&digits.position=120"));
    await expect.poll(() => open.count()).toBe(2);
  }));

test.each([
  ["rope", "hands", "en"],
  ["sinusoidal", "row", "zh-CN"],
  ["index", "shuffle", "en"],
] as const)("a figure is saved as an SVG file that opens alone (%s, %s, %s)", async (chapter, name, locale) => {
  await withPage(chapter, { locale, acceptDownloads: true }, async (page) => {
    const figure = figureOf(page, name);
    await figure.locator(".share button").first().click();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      figure.getByRole("button", { name: /SVG/ }).click(),
    ]);
    expect(download.suggestedFilename()).toBe(`posenc-${name}.svg`);
    const svg = readFileSync(await download.path(), "utf8");
    const found = await page.evaluate((text) => {
      const file = new DOMParser().parseFromString(text, "image/svg+xml");
      const all = [...file.querySelectorAll("*")];
      const drawn = all.filter((one) => one.matches("path, circle, rect, line, text"));
      return {
        broken: file.querySelectorAll("parsererror").length,
        title: file.querySelector("title")?.textContent,
        source: [...file.documentElement.children].at(-1)!.textContent,
        drawn: drawn.length,
        unstyled: drawn.filter((one) => !one.hasAttribute("fill")).length,
        styles: all.filter((one) => one.hasAttribute("style")).length,
        // Nothing of the page is needed: no classes, no variables, no addresses but of the picture itself.
        classes: all.filter((one) => one.hasAttribute("class")).length,
        foreign: all.filter((one) => one.namespaceURI !== "http://www.w3.org/2000/svg").length,
        links: all.flatMap((one) => one.getAttribute("href") ?? []).filter((link) => !link.startsWith("data:")),
      };
    }, svg);
    expect(found).toMatchObject({ broken: 0, unstyled: 0, styles: 0, classes: 0, foreign: 0, links: [] });
    expect(found.drawn).toBeGreaterThan(20);
    expect(svg).not.toContain("var(--");
    expect(found.title).toBe((await figure.locator("h2, h3").first().innerText()).trim());
    expect(found.source).toContain(`#figure-${name}`);
  });
});
