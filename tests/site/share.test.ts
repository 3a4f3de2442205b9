// Links to figures: made by their buttons, opened at them, with what was set in them; plain anchors stay in the address.
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
