// Extensions and proxies change pages on their way: Svelte cannot take them over then, and they are written anew, as whole as before.
import type { Page } from "playwright";
import { describe, expect, it } from "vitest";
import { addressOf, open, withPage } from "./browser.ts";

const alterations: [string, (html: string) => string][] = [
  ["without comments", (html) => html.replace(/<!--[^]*?-->/g, "")],
  ["with a paragraph less", (html) => html.replace(/<p>[^]*?<\/p>/, "")],
  ["with other elements around its words", (html) => html.replace(/<p>([^]*?)<\/p>/g, "<p><font>$1</font></p>")],
];

/** What there is to read, sentence by sentence and formula by formula. */
const prose = (page: Page): Promise<string[]> =>
  page.locator(".prose :is(p, li, math)").evaluateAll((parts) => parts.map((part) => part.textContent!));

describe.skipIf(process.env["POSENC_SITE_URL"])("a page that was changed on its way", () => {
  it.each(alterations)("is whole: %s", async (_, alter) => {
    const wanted = await withPage("long-context", {}, prose);
    expect(wanted.join("").length).toBeGreaterThan(5000);
    const { page, close } = await open("index");
    await page.route(addressOf("long-context"), async (route) => {
      const response = await route.fetch();
      const html = await response.text();
      expect(alter(html)).not.toBe(html);
      await route.fulfill({ response, body: alter(html) });
    });
    await page.goto(addressOf("long-context"));
    await expect.poll(() => page.locator("[data-figure] .content.ready > *").count()).toBeGreaterThan(0);
    expect(await prose(page)).toEqual(wanted);
    expect(await page.locator("h1").count()).toBe(1);
    await close();
  });
});
