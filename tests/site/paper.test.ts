// Pages on paper, and for readers who want more contrast.
import { expect, test } from "vitest";
import { withPage } from "./browser.ts";
import { figureOf } from "./figure.ts";

const token = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

test("paper is white, has no controls, and tears no figure apart; the screen is dark again afterwards", () =>
  withPage("order", { colorScheme: "dark" }, async (page) => {
    const dark = await page.evaluate(token, "--ground");
    await page.emulateMedia({ media: "print" });
    await expect.poll(() => page.evaluate(token, "--surface")).toMatch(/^#f{3,6}$/);
    const figure = figureOf(page, "words");
    expect(await page.locator("header").isVisible()).toBe(false);
    expect(await figure.getByRole("button", { name: /Swap/, includeHidden: true }).isVisible()).toBe(false);
    expect(await figure.locator("[data-place]").first().isVisible()).toBe(true);
    expect(await figure.evaluate((one) => getComputedStyle(one).breakInside)).toBe("avoid");
    await page.emulateMedia({ media: "screen" });
    await expect.poll(() => page.evaluate(token, "--ground")).toBe(dark);
  }));

test.each(["light", "dark"] as const)("more contrast is given to those who ask for it (%s)", async (colorScheme) => {
  const softOf = (contrast: "more" | "no-preference") =>
    withPage("order", { colorScheme, contrast, asFound: true }, (page) => page.evaluate(token, "--soft"));
  expect(await softOf("more")).not.toBe(await softOf("no-preference"));
});
