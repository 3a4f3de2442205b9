// Every page at an address that makes no sense, where its quiz and its links work as ever; and the policy.
import type { Page } from "playwright";
import { describe, expect, inject, it } from "vitest";
import { contentSecurityPolicy } from "../../web/tasks/serve.mjs";
import { withPage } from "./browser.ts";
import { overhang } from "./looks.ts";
import { isChapter, pageNames } from "./pages.ts";

/** Right answers are told from wrong ones, and why. */
async function answer(page: Page): Promise<void> {
  const questions = page.locator("fieldset:has(legend):has(.answer)");
  expect(await questions.count()).toBeGreaterThanOrEqual(2);
  for (let index = 0; index < (await questions.count()); index += 1) {
    const question = questions.nth(index);
    const options = question.getByRole("radio");
    const verdicts: string[] = [];
    for (let option = 0; option < (await options.count()); option += 1) {
      await options.nth(option).check();
      verdicts.push(await question.locator(".answer strong").innerText());
      expect((await question.locator(".answer p").innerText()).length).toBeGreaterThan(15);
    }
    expect(verdicts.filter((verdict) => verdict === "Right.").length).toBe(1);
  }
}

/** What belongs together lights up. */
async function lightUp(page: Page): Promise<void> {
  const names = await page
    .locator("[data-link]")
    .evaluateAll((list) => list.map((one) => one.getAttribute("data-link")!));
  const shared = names.find((one, index) => names.indexOf(one) !== index)!;
  // Some lie under a surface that reads the pointer: what is there is pointed at as the page hears of it.
  await page.locator(`[data-link=${shared}]`).first().dispatchEvent("pointerover");
  const lit = await page.locator(".linked").evaluateAll((list) => list.map((one) => one.getAttribute("data-link")));
  expect(lit.length).toBeGreaterThan(1);
  expect(new Set(lit)).toEqual(new Set([shared]));
}

const nonsense = "#v=2&table.length=-5&words.order=9.9.9&words.sentence=&x=%E0";

describe.each(pageNames)("%s", (name) => {
  it("does not mind an address that makes no sense", () =>
    withPage(name, { hash: nonsense }, async (page) => {
      expect(await overhang(page)).toBeLessThanOrEqual(0);
      if (!isChapter(name)) return;
      await answer(page);
      await lightUp(page);
    }));
});

describe("the site", () => {
  it.skipIf(process.env["POSENC_SITE_URL"])("is served with the policy", async () => {
    const response = await fetch(`${inject("siteUrl")}index.html`);
    expect(response.headers.get("content-security-policy")).toBe(contentSecurityPolicy);
  });
});
