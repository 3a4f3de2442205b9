// Figures are mounted as the reader comes near, not all at once.
import type { Page } from "playwright";
import { describe, expect, it } from "vitest";
import { withPage } from "./browser.ts";
import { figureOf } from "./figure.ts";

const mounted = (page: Page): Promise<string[]> =>
  page
    .locator("[data-figure]:has(.content.ready > *)")
    .evaluateAll((figures) => figures.map((figure) => (figure as HTMLElement).dataset["figure"]!));

/** Figures of folded sections wait until they are unfolded. */
const unfold = (page: Page) =>
  page.evaluate(() => {
    for (const section of document.querySelectorAll<HTMLDetailsElement>("details.folded")) section.open = true;
  });

describe("figures far below", () => {
  it("are not mounted at first, and are once the reader is near", () =>
    withPage("rope", { asFound: true }, async (page) => {
      await expect.poll(() => mounted(page)).toContain("hands");
      expect(await mounted(page)).not.toContain("partial");
      expect(await mounted(page)).not.toContain("reading");
      await unfold(page);
      await figureOf(page, "partial").scrollIntoViewIfNeeded();
      await expect.poll(() => mounted(page)).toContain("partial");
    }));

  it.skipIf(process.env["POSENC_SITE_URL"])("take over the frame that the page's text has, when their code comes", () =>
    withPage("rope", { asFound: true }, async (page) => {
      const frame = (await figureOf(page, "partial").elementHandle())!;
      await page.mouse.move(9, 9);
      const isFetched = () =>
        page.evaluate(() =>
          performance.getEntriesByType("resource").some(({ name }) => name.includes("PartialFigure")),
        );
      await expect.poll(isFetched).toBe(true);
      await unfold(page);
      await figureOf(page, "partial").scrollIntoViewIfNeeded();
      await expect.poll(() => mounted(page)).toContain("partial");
      expect(await frame.evaluate((figure) => figure.isConnected)).toBe(true);
    }),
  );

  it("are mounted one after the other", () =>
    withPage("rope", { asFound: true }, async (page) => {
      await expect.poll(() => mounted(page)).toContain("hands");
      await unfold(page);
      const most = await page.evaluate(async () => {
        let before = document.querySelectorAll(".content.ready").length;
        const steps: number[] = [];
        // Called after every turn of the page in which something was mounted.
        const observer = new MutationObserver(() => {
          const now = document.querySelectorAll(".content.ready").length;
          steps.push(now - before);
          before = now;
        });
        observer.observe(document.body, { subtree: true, attributeFilter: ["class"] });
        // So low a page has all figures in its window.
        document.body.style.zoom = "0.05";
        const all = document.querySelectorAll("[data-figure]").length;
        while (before < all) await new Promise((next) => setTimeout(next, 20));
        return Math.max(...steps);
      });
      expect(most).toBe(1);
    }));

  it("are mounted where a link leads, with what its address has set", () =>
    withPage("rope", { asFound: true, hash: "#figure-partial" }, async (page) => {
      await expect.poll(() => mounted(page)).toContain("partial");
      await page.evaluate(() => (location.hash = "#v=2&partial.rotaryDim=8"));
      await page.evaluate(() => (location.hash = "#figure-partial"));
      expect(await figureOf(page, "partial").getByRole("slider").first().inputValue()).toBe("8");
    }));

  it("are mounted beside the one that has the focus", () =>
    withPage("rope", { asFound: true }, async (page) => {
      await expect.poll(() => mounted(page)).toContain("hands");
      await unfold(page);
      const names = await page
        .locator("[data-figure]")
        .evaluateAll((figures) => figures.map((figure) => (figure as HTMLElement).dataset["figure"]!));
      const far = names.findIndex((name, index) => index > 2 && name === "layouts");
      // It is there once the whole library is.
      await figureOf(page, names[far]!).locator("summary").waitFor({ state: "attached" });
      await page.evaluate((name) => {
        const summary = document.querySelector<HTMLElement>(`[data-figure="${name}"] summary`)!;
        summary.focus({ preventScroll: true });
      }, names[far]!);
      await expect.poll(() => mounted(page)).toEqual(expect.arrayContaining([names[far - 1], names[far + 1]]));
    }));

  it("are all on paper", () =>
    withPage("rope", { asFound: true }, async (page) => {
      await page.pdf();
      expect((await mounted(page)).length).toBe(await page.locator("[data-figure]").count());
    }));
});
