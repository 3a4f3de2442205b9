// Links to figures: made by their buttons, opened at them, with what was set in them; plain anchors stay in the address. And figures as files.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Page } from "playwright";
import { expect, inject, test } from "vitest";
import { newPage, open, withPage } from "./browser.ts";
import { figureOf, press, sliderOf } from "./figure.ts";
import { pageNames } from "./pages.ts";

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

/** The file as it opens by itself: what is drawn, and what it would need that is not in it. */
async function openAlone(viewer: Page, path: string) {
  const asked: string[] = [];
  viewer.on("request", (request) => asked.push(request.url()));
  await viewer.goto(pathToFileURL(path).href);
  const found = await viewer.evaluate(() => {
    const root = document.documentElement;
    const all = [...root.querySelectorAll("*")];
    const drawn = all.filter((one) => one.matches("path, circle, rect, line, polyline, polygon, text"));
    const attributes = all.flatMap((one) => [...one.attributes].map(({ value }) => value));
    const used = attributes.flatMap((value) => [...value.matchAll(/url\(['"]?#([^'")]+)/g)].map(([, id]) => id!));
    return {
      root: root.localName,
      title: root.querySelector("title")?.textContent,
      source: root.lastElementChild!.textContent,
      words: [...root.querySelectorAll("text")].length,
      visible: [...root.querySelectorAll<SVGGraphicsElement>("path, circle, rect, line, text, image")].filter((one) => {
        const { width, height } = one.getBoundingClientRect();
        return width + height > 0;
      }).length,
      unstyled: drawn.filter((one) => !one.hasAttribute("fill")).length,
      // Nothing of the page is needed: no classes, no variables, no addresses but of the picture itself.
      needs: all.filter((one) => one.hasAttribute("class") || one.hasAttribute("style")).length,
      foreign: all.filter((one) => one.namespaceURI !== "http://www.w3.org/2000/svg").length,
      links: all.flatMap((one) => one.getAttribute("href") ?? []).filter((link) => !link.startsWith("data:")),
      missing: used.filter((id) => !document.getElementById(id)),
      variables: attributes.filter((value) => value.includes("var(--")),
    };
  });
  return { ...found, asked: asked.filter((url) => !/^(file|data):/.test(url)) };
}

test.each([...pageNames.map((name) => [name, "en"] as const), ["sinusoidal", "zh-CN"] as const])(
  "every figure is saved as an SVG file that opens alone (%s, %s)",
  async (name, locale) => {
    const folder = mkdtempSync(join(tmpdir(), "posenc-figures-"));
    const viewer = await newPage({});
    try {
      await withPage(name, { locale, acceptDownloads: true }, async (page) => {
        for (const figure of await page.locator("figure[data-figure]").all()) {
          const called = (await figure.getAttribute("data-figure"))!;
          await figure.locator(".share button").first().click();
          const [download] = await Promise.all([
            page.waitForEvent("download"),
            figure.getByRole("button", { name: /SVG/ }).click(),
          ]);
          expect(download.suggestedFilename()).toBe(`posenc-${called}.svg`);
          const path = join(folder, download.suggestedFilename());
          await download.saveAs(path);
          const { title, source, words, visible, ...found } = await openAlone(viewer, path);
          const titled = (await figure.getAttribute("aria-labelledby"))!;
          expect(title).toBe(((await page.locator(`[id="${titled}"]`).textContent()) ?? "").trim());
          expect(source).toContain(`#figure-${called}`);
          // Its title and where it comes from are two of them.
          expect(words, called).toBeGreaterThanOrEqual(2);
          expect(visible, called).toBeGreaterThanOrEqual(4);
          const nothing = { links: [], missing: [], variables: [], asked: [] };
          expect(found, called).toEqual({ root: "svg", unstyled: 0, needs: 0, foreign: 0, ...nothing });
        }
      });
    } finally {
      await viewer.context().close();
      rmSync(folder, { recursive: true, force: true });
    }
  },
);
