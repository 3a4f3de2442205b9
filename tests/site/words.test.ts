// The main path of a chapter, what is read when nothing is unfolded, is short: seven hundred words.
import type { Page } from "playwright";
import { expect, test } from "vitest";
import { locales, withPage, type Locale } from "./browser.ts";
import { chapterNames } from "./pages.ts";

/** A Chinese word has one and a half characters and more. */
const limits: Record<Locale, number> = { en: 700, "zh-CN": 1150 };

/** What stands before the code, without figures, folds, the list of contents and formulas. */
const mainPath = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const article = document.querySelector("article")!.cloneNode(true) as HTMLElement;
    for (const left of article.querySelectorAll("figure, details, nav, math, [aria-live]")) left.remove();
    const code = article.querySelector("#code")!.closest(".text")!;
    while (code.nextElementSibling) code.nextElementSibling.remove();
    code.remove();
    return article.textContent!;
  });

const counters: Record<Locale, RegExp> = { en: /[\p{L}\p{N}’'-]*[\p{L}\p{N}]/gu, "zh-CN": /\p{Script=Han}/gu };

test.each(chapterNames.flatMap((name) => locales.map((locale) => [name, locale] as const)))(
  "the main path of %s in %s is short",
  async (name, locale) => {
    const path = await withPage(name, { locale, asFound: true }, mainPath);
    const count = path.match(counters[locale])?.length ?? 0;
    expect(count).toBeGreaterThan(150);
    expect(count).toBeLessThanOrEqual(limits[locale]);
  },
);
