// The main path of a chapter: what is read when nothing is unfolded.
import type { Page } from "playwright";
import type { Locale } from "./browser.ts";

/** Seven hundred words; a Chinese word has one and a half characters and more. */
export const mostWords: Record<Locale, number> = { en: 700, "zh-CN": 1150 };

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

export async function wordsOnMainPath(page: Page, locale: Locale): Promise<number> {
  return (await mainPath(page)).match(counters[locale])?.length ?? 0;
}
