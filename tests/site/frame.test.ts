// What frames every page: a menu, the header, the theme, what an address carries.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { withPage } from "./browser.ts";
import { figureOf, press, sliderOf } from "./figure.ts";
import { overhang } from "./looks.ts";
import { chapterNames as chapters } from "./pages.ts";

const project = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as object;

describe("the frame", () => {
  it("lists the chapters behind a button, with the keyboard alone", async () => {
    await withPage(chapters[0]!, {}, async (page) => {
      const menu = page.locator("header summary");
      await press(menu, "Enter");
      expect(await page.locator("header nav li").count()).toBe(chapters.length);
      expect(await page.locator("header nav [aria-current=page]").count()).toBe(1);
      await page.keyboard.press("Escape");
      expect(await page.locator("header nav").isVisible()).toBe(false);
    });
  });

  it.each([390, 320])("has a menu that fits into %i px", (width) =>
    withPage(chapters[0]!, { width }, async (page) => {
      await page.locator("header summary").click();
      const box = (await page.locator("header nav").boundingBox())!;
      expect(box.x).toBeGreaterThanOrEqual(0);
      expect(box.x + box.width).toBeLessThanOrEqual(width);
      expect(await overhang(page)).toBeLessThanOrEqual(0);
    }),
  );

  it.each(["en", "zh-CN"] as const)("stays at the top, above what links lead to (%s)", (locale) =>
    withPage("sinusoidal", { locale, hash: "#figure-clocks" }, async (page) => {
      const header = (await page.locator("header").boundingBox())!;
      expect(header.y).toBe(0);
      const top = () => figureOf(page, "clocks").evaluate((figure) => figure.getBoundingClientRect().top);
      await expect.poll(top).toBeGreaterThanOrEqual(header.height);
      await page.locator("#quiz a").click();
      const heading = () => page.locator("#quiz").evaluate((one) => one.getBoundingClientRect().top);
      await expect.poll(heading).toBeGreaterThanOrEqual(header.height);
      await expect.poll(heading).toBeLessThan(header.height + 60);
    }),
  );

  it("does not stay where the window is as low as a phone on its side", () =>
    withPage("sinusoidal", { viewport: { width: 844, height: 390 } }, async (page) => {
      await page.evaluate(() => scrollTo(0, 600));
      expect((await page.locator("header").boundingBox())!.y).toBeLessThan(0);
    }));

  it("copies the command that installs the library", () =>
    withPage(chapters[0]!, { permissions: ["clipboard-read", "clipboard-write"], locale: "zh-CN" }, async (page) => {
      const chip = page.locator("header button", { hasText: "npm install posenc" });
      await press(chip, "Enter");
      await expect.poll(() => chip.innerText()).toContain("已复制");
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe("npm install posenc");
    }));

  it("leads to the API, and to a repository if package.json has one", async () => {
    for (const [locale, href] of [
      ["en", "./api/index.html"],
      ["zh-CN", "../api/index.html"],
    ] as const)
      await withPage("sinusoidal", { locale }, async (page) => {
        expect(await page.locator(".tools a").first().getAttribute("href")).toBe(href);
        const outside = await page.locator("header a[href^=http]").count();
        expect(outside).toBe("repository" in project ? 1 : 0);
      });
  });

  it.each([390, 320])("fits into one line of %i px", (width) =>
    withPage("sinusoidal", { width }, async (page) => {
      const boxes = await page.locator("header :is(a, summary, button)").evaluateAll((list) =>
        list
          .filter((one) => one.checkVisibility())
          .map((one) => {
            const { top, right } = one.getBoundingClientRect();
            return { top, right };
          }),
      );
      expect(boxes.length).toBeGreaterThanOrEqual(4);
      expect(Math.max(...boxes.map(({ right }) => right))).toBeLessThanOrEqual(width);
      expect(Math.max(...boxes.map(({ top }) => top))).toBeLessThan(40);
    }),
  );

  it("keeps the theme that the reader has chosen", async () => {
    await withPage("index", { colorScheme: "light" }, async (page) => {
      await page.getByRole("button", { name: "Dark theme" }).click();
      await page.reload();
      expect(await page.evaluate(() => document.documentElement.dataset["theme"])).toBe("dark");
    });
  });

  it("leaves addresses of other versions alone", async () => {
    for (const hash of ["#v=1&length=64", "#v=99&table.dim=64"])
      await withPage("sinusoidal", { hash }, async (page) => {
        expect(await sliderOf(figureOf(page, "table"), "Dimensions d").inputValue()).toBe("128");
      });
  });

  it("carries what the reader has set into the other language", async () => {
    await withPage("sinusoidal", { hash: "#v=2&table.dim=64" }, async (page) => {
      await page.getByRole("link", { name: "简体中文" }).click();
      await page.waitForFunction(() => document.documentElement.lang === "zh-CN");
      expect(new URL(page.url()).hash).toBe("#v=2&table.dim=64");
    });
  });
});
