// A figure alone, in a frame of another page: as its code says, as it was set, and nothing beside it.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Frame, Page } from "playwright";
import { expect, inject, onTestFinished, test } from "vitest";
import { barriers } from "./axe.ts";
import { addressOf, locales, open, withPage, type Locale } from "./browser.ts";
import { figureOf, press } from "./figure.ts";

/**
 * A page of another origin that shows a figure by the code that it was given. It is really served, from this machine:
 * browsers keep pages from elsewhere away from servers on it.
 */
async function frameIn(page: Page, code: string): Promise<Frame> {
  const html = `<!doctype html><html lang="en"><title>A page</title><body><p>Before</p>${code}</body></html>`;
  const host = createServer((_, response) => response.writeHead(200, { "Content-Type": "text/html" }).end(html));
  await new Promise<void>((listening) => host.listen(0, "127.0.0.1", listening));
  onTestFinished(() => void host.close());
  await page.goto(`http://127.0.0.1:${(host.address() as AddressInfo).port}/`);
  await page.frameLocator("iframe").locator("[data-shown] .content.ready > *").first().waitFor();
  return page.frames()[1]!;
}

const seen = (frame: Frame): Promise<string[]> =>
  frame.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>("[data-figure], header, footer, h1, .text")]
      .filter((element) => element.checkVisibility({ visibilityProperty: true }))
      .filter((element) => !element.parentElement!.closest("[data-shown]"))
      .map((element) => element.dataset["figure"] ?? element.tagName),
  );

test.each(locales)("a figure is shown alone in another page, by its code (%s)", async (locale: Locale) => {
  const { page, complaints, close } = await open("rope", { locale, hash: "#v=2&hands.pair=5", asFound: true });
  await page
    .context()
    .grantPermissions(["clipboard-read", "clipboard-write"], { origin: new URL(inject("siteUrl")).origin });
  const share = figureOf(page, "hands").locator(".share button");
  await press(share.first(), "Enter");
  await press(share.nth(2), "Enter");
  await expect.poll(() => figureOf(page, "hands").locator(".share [aria-live]").innerText()).not.toBe("");
  const code = await page.evaluate(() => navigator.clipboard.readText());
  // Between the version and the pair stands the page's sentence, which each language has of its own.
  expect(code).toMatch(
    /^<iframe src="[^"]+\?embed=hands#v=2&amp;words\.sentence=[^"&]+&amp;hands\.pair=5&amp;at=hands" title="posenc: [^"]+"/,
  );

  const frame = await frameIn(page, code);
  expect(await seen(frame)).toEqual(["hands"]);
  // No other figure is computed.
  expect(await frame.locator(".content.ready").count()).toBe(1);
  const slider = frame.getByRole("slider").first();
  const before = await frame.evaluate(() => location.hash);
  await slider.focus();
  await slider.press("ArrowRight");
  await expect.poll(() => frame.evaluate(() => location.hash)).not.toBe(before);
  const link = frame.locator('[data-shown] a[target="_blank"]').last();
  expect(await link.innerText()).toMatch(/^posenc · /);
  expect(await link.getAttribute("href")).toMatch(/rope\.html#v=2&.*hands\.pair=5.*at=hands$/);
  // The page around it stays where it is.
  expect(await page.evaluate(() => scrollY)).toBe(0);
  expect(complaints).toEqual([]);
  await close();
});

const address = (name: string, query: string, locale: Locale = "en") => addressOf(name, locale, query);

test.each(["light", "dark"] as const)("an embedded figure has the theme that its address names (%s)", (theme) =>
  withPage("rope", { asFound: true, colorScheme: theme === "dark" ? "light" : "dark" }, async (page) => {
    await page.goto(address("rope", `?embed=swap&theme=${theme}`));
    await page.locator("[data-shown] .content.ready > *").first().waitFor();
    expect(await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)).toBe(theme);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    expect(await barriers(page)).toEqual([]);
  }),
);

test("an embedded figure, which has no question above it, hides no answer", () =>
  withPage("images", { asFound: true }, async (page) => {
    await page.goto(address("images", "?embed=resize"));
    await page.locator("[data-shown] [data-map=error] .box").waitFor();
    expect(await page.locator("[data-shown] .cover").count()).toBe(0);
  }));

test("a figure in a folded section is unfolded", () =>
  withPage("rope", { asFound: true }, async (page) => {
    const folded = await page
      .locator("details.folded [data-figure]")
      .first()
      .getAttribute("data-figure", { timeout: 500 })
      .catch(() => "partial");
    await page.goto(address("rope", `?embed=${folded}`));
    await page.locator("[data-shown] .content.ready > *").first().waitFor();
    expect(await page.locator("[data-shown]").isVisible()).toBe(true);
  }));

test.skipIf(process.env["POSENC_SITE_URL"])("without such a figure the page is whole", () =>
  withPage("rope", { asFound: true }, async (page) => {
    await page.goto(address("rope", "?embed=nothing"));
    await expect.poll(() => page.locator("header").isVisible()).toBe(true);
    await page.locator(".content.ready > *").first().waitFor();
    expect(await page.locator("h1").isVisible()).toBe(true);
  }),
);
