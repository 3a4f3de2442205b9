// Every page: its numbers as tables, addresses that make no sense, its own origin alone.
import { describe, expect, inject, it } from "vitest";
import { contentSecurityPolicy } from "../../web/tasks/serve.mjs";
import { barriers } from "./axe.ts";
import { withPage } from "./browser.ts";
import { tablesOf } from "./figure.ts";
import { overhang } from "./looks.ts";
import { pageNames } from "./pages.ts";

describe.each(pageNames)("%s", (name) => {
  it("has its numbers as tables, under every figure", async () => {
    await withPage(name, {}, async (page) => {
      const figures = page.locator("[data-figure]");
      for (let index = 0; index < (await figures.count()); index += 1) {
        const tables = await tablesOf(figures.nth(index));
        expect(tables.length).toBeGreaterThan(0);
        for (const { caption, heads, cells } of tables) {
          expect(caption).not.toBe("");
          expect(heads.length, caption).toBeGreaterThan(0);
          expect(cells.flat().filter((cell) => cell === "–" || cell === "NaN" || cell === "undefined")).toEqual([]);
        }
      }
      expect(await barriers(page)).toEqual([]);
    });
  });

  it("does not mind an address that makes no sense", async () => {
    const hash = "#v=2&table.length=-5&words.order=9.9.9&words.sentence=&x=%E0";
    await withPage(name, { hash }, async (page) => expect(await overhang(page)).toBeLessThanOrEqual(0));
  });
});

describe("the site", () => {
  it.skipIf(process.env["POSENC_SITE_URL"])("is served with the policy", async () => {
    const response = await fetch(`${inject("siteUrl")}index.html`);
    expect(response.headers.get("content-security-policy")).toBe(contentSecurityPolicy);
  });
});
