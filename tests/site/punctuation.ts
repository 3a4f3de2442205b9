// Marks of half a width beside Chinese: they belong to Latin text, code and formulas.
import type { Page } from "playwright";

const beside = /[\u4e00-\u9fff](?:[,:;()?!]|\s[,:;?!])|[,:;()?!][\u4e00-\u9fff]|[,:;?!]\s[\u4e00-\u9fff]/;

/** A text without what may have such marks: maths, code, marks of HTML. */
export const prose = (text: string): string =>
  text.replace(/\$\$[^$]+\$\$|\$[^$]+\$|<code[^>]*>.*?<\/code>/g, "¤").replace(/<[^>]*>/g, "");

/** Does a mark of half a width stand beside a Chinese character in it? */
export const isMixed = (text: string): boolean => beside.test(prose(text));

/** The texts of a page, and what its parts are called for those who do not see it, in which such marks stand. */
export async function mixedIn(page: Page): Promise<string[]> {
  const texts = await page.evaluate(() => {
    const ends = "p,li,h1,h2,h3,h4,td,th,caption,figcaption,dt,dd,text,button,label,legend,summary,option,small";
    const skipped = "script,style,pre,code,math,textarea";
    const spoken = ["aria-label", "title", "alt", "placeholder"];
    const blocks = new Map<Element, Element>();
    const blockOf = (one: Element): Element => {
      if (!blocks.has(one))
        blocks.set(one, getComputedStyle(one).display === "inline" ? blockOf(one.parentElement!) : one);
      return blocks.get(one)!;
    };
    /** What stands in blocks of its own does not stand beside the rest. */
    const textOf = (one: Element): string => {
      const walker = document.createTreeWalker(one, NodeFilter.SHOW_TEXT);
      let [text, last] = ["", undefined as Element | undefined];
      while (walker.nextNode()) {
        const parent = walker.currentNode.parentElement!;
        const block = blockOf(parent);
        text += (last && block !== last ? "¤" : "") + (parent.closest(skipped) ? "¤" : walker.currentNode.textContent);
        last = block;
      }
      return text;
    };
    const written = [...document.querySelectorAll(ends)]
      .filter((one) => !one.querySelector(ends) && !one.closest(skipped))
      .map(textOf);
    const called = [...document.querySelectorAll("*")].flatMap((one) =>
      spoken.map((name) => one.getAttribute(name) ?? ""),
    );
    return [...written, ...called];
  });
  return [...new Set(texts)].filter(isMixed);
}
