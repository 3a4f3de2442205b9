// Readers who do not see the page: what they hear of a control, what is said unasked, and where the focus is when its button has gone.
import type { Locator, Page } from "playwright";
import { describe, expect, it } from "vitest";
import { locales, withPage } from "./browser.ts";
import { figureOf, press, sliderOf } from "./figure.ts";

const chapters = ["order", "rope", "long-context"];

/** What has the focus; nothing if it was thrown back to the start of the page. */
const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const one = document.activeElement!;
    if (one === document.body || !one.checkVisibility({ visibilityProperty: true })) return "";
    return one.getAttribute("aria-label") ?? one.textContent.replace(/\s+/g, " ").trim();
  });

type Hearing = typeof globalThis & { heard: string[] };

/** From now on `heard` returns what a screen reader says unasked: the texts of live regions that have changed. */
const listen = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const { heard } = Object.assign(window, { heard: [] as string[] });
    const liveOf = (node: Node): HTMLElement | undefined => {
      const one = (node instanceof Element ? node : node.parentElement)?.closest<HTMLElement>(
        "[aria-live], [role=status], [role=alert], output",
      );
      return one && one.getAttribute("aria-live") !== "off" ? one : undefined;
    };
    new MutationObserver((changes) => {
      for (const one of new Set(changes.map(({ target }) => liveOf(target))))
        if (one?.textContent.trim()) heard.push(one.textContent.replace(/\s+/g, " ").trim());
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
  });
const heard = (page: Page): Promise<string[]> => page.evaluate(() => (window as never as Hearing).heard.splice(0));

/** What a slider says of its value. */
const valueOf = (slider: Locator) => slider.getAttribute("aria-valuetext");

describe.each(chapters)("%s", (name) => {
  it.each(locales)("has sliders whose values make sense without the figure (%s)", (locale) =>
    withPage(name, { locale }, async (page) => {
      const sliders = page.locator("[data-figure] :is([role=slider], [type=range])");
      await expect.poll(() => sliders.count()).toBeGreaterThanOrEqual(3);
      const values = await sliders.evaluateAll((all) =>
        all.map((one) => [one.getAttribute("role"), one.getAttribute("aria-valuetext") ?? ""]),
      );
      // Labels tell what the number of a range is; the cursor of a chart and a word on a ruler have to say it themselves.
      const bare = values.filter(([role, value]) => (role ? !/\p{L}/u.test(value!) : value === ""));
      expect(bare).toEqual([]);
      // Spaces within a number make two of it.
      expect(values.filter(([, value]) => value!.includes("\u202f"))).toEqual([]);
    }),
  );

  it("says in which language the words are that are not of the page", () =>
    withPage(name, {}, async (page) => {
      const silent = await page.locator("main :is(button, a)").evaluateAll((all) =>
        all
          .filter((one) => /\p{Script=Han}/u.test(one.textContent))
          .filter((one) => !one.closest<HTMLElement>("[lang]")!.lang.startsWith("zh"))
          .map((one) => one.textContent),
      );
      expect(silent).toEqual([]);
    }));
});

it.each(["order", "rope"])("%s has tables whose rows and columns are named, and pictures with names", (name) =>
  withPage(name, {}, async (page) => {
    const nameless = await page.evaluate(() => {
      const tables = [...document.querySelectorAll<HTMLTableElement>("[data-figure] table")];
      const pictures = [...document.querySelectorAll("[data-figure] svg")].filter(
        (one) => !one.closest("[aria-hidden=true]") && !one.parentElement!.closest("svg"),
      );
      if (!tables.length || !pictures.length) return ["nothing is there"];
      return [
        ...tables.filter((one) => !one.caption && !one.ariaLabel),
        ...tables.filter((one) => !one.querySelector("thead th[scope=col]")),
        ...pictures.filter((one) => !one.ariaLabel),
      ].map((one) => one.outerHTML.slice(0, 100));
    });
    expect(nameless).toEqual([]);
  }),
);

describe("the focus", () => {
  it("goes back to the button of the menu, which closes behind whoever leaves it", () =>
    withPage("order", {}, async (page) => {
      const menu = page.locator("header details");
      await press(menu.locator("summary"), "Enter");
      await page.keyboard.press("Tab");
      expect(await focused(page)).toContain("Why order matters");
      await page.keyboard.press("Escape");
      expect(await focused(page)).toBe("Chapters");
      await page.keyboard.press("Enter");
      await menu.locator("a").last().focus();
      await page.keyboard.press("Tab");
      expect(await menu.getAttribute("open")).toBeNull();
    }));

  it("stays with a word that was moved, and with a button that has nothing more to do", () =>
    withPage("order", {}, async (page) => {
      const figure = figureOf(page, "words");
      await press(figure.locator('[data-place="1"]'), "Enter");
      await press(figure.locator('[data-place="4"]'), "Enter");
      await expect.poll(() => focused(page)).toBe("dog, position 4");
      await press(figure.getByRole("button", { name: "Original order" }), "Enter");
      expect(await figure.locator('[data-place="1"]').textContent()).toBe("dog");
      expect(await focused(page)).toBe("Original order");
      await page.keyboard.press("Enter");
      await page.keyboard.press("Tab");
      expect(await figure.getByRole("button", { name: "Original order" }).getAttribute("disabled")).not.toBeNull();
    }));

  it("goes to what a button has uncovered or shown in its place", async () => {
    await withPage("rope", { asFound: true }, async (page) => {
      const figure = figureOf(page, "shift");
      await figure.scrollIntoViewIfNeeded();
      await press(figure.locator(".cover button"), "Enter");
      await expect.poll(() => focused(page)).toContain("No positions");
    });
    await withPage("long-context", {}, async (page) => {
      for (const [name, title] of [
        ["arena", "Needle by distance"],
        ["learners", "Right answers by length"],
      ] as const) {
        await press(figureOf(page, name).locator(".guess button").first(), "Enter");
        expect(await focused(page)).toBe(title);
      }
    });
  });
});

describe("what is said", () => {
  it("are the verdicts of a swap, each with its side, and no single numbers", () =>
    withPage("order", {}, async (page) => {
      await listen(page);
      await press(figureOf(page, "words").locator('[data-place="1"]'), "ArrowRight");
      const said = await heard(page);
      expect(said.filter((one) => one.startsWith("Without positions: All 5")).length).toBe(1);
      expect(said.filter((one) => one.startsWith("With positions: 5 of 5")).length).toBe(1);
      expect(said.filter((one) => !/\p{L}{3}/u.test(one))).toEqual([]);
    }));

  it("are the weights that arrow keys come to in the matrices", () =>
    withPage("order", {}, async (page) => {
      await listen(page);
      const matrices = figureOf(page, "matrix").getByRole("group", { name: "Attention weights, moved" });
      await press(matrices, "ArrowRight", "ArrowRight");
      expect((await heard(page)).at(-1)).toMatch(/Original: .*dog.*; Moved: .*dog.*; Computed afresh: .*dog/);
    }));

  it("is what a swap does to each kind of attention, and what a shift does", () =>
    withPage("rope", {}, async (page) => {
      await listen(page);
      await press(figureOf(page, "swap").getByRole("button", { name: /^Swap/ }), "Enter");
      expect((await heard(page)).filter((one) => /^(RoPE|ALiBi): \d of 5 outputs changed/.test(one)).length).toBe(2);
      await press(sliderOf(figureOf(page, "shift"), "Positions moved up by"), "ArrowRight");
      const said = await heard(page);
      expect(said.length).toBe(1);
      expect(said[0]).toMatch(/^Largest change of a weight: No positions exactly 0; Sinusoidal 0\.\d+; RoPE /);
    }));

  it("is the answer to the guess of the arena", () =>
    withPage("long-context", {}, async (page) => {
      await listen(page);
      await press(figureOf(page, "arena").getByRole("button", { name: "SelfExtend", exact: true }).first(), "Enter");
      expect((await heard(page)).filter((one) => one.startsWith("Right.")).length).toBe(1);
    }));

  it("of a word on the ruler where it stands, and of a dial where its hands are", () =>
    withPage("rope", {}, async (page) => {
      const figure = figureOf(page, "hands");
      await press(sliderOf(figure, "Query: cat"), "ArrowRight");
      expect(await valueOf(sliderOf(figure, "Query: cat"))).toBe("position 11");
      expect(await valueOf(sliderOf(figure, "Both words"))).toBe("positions 11 and 15, distance 4");
      const dial = figure.locator(".dial [role=img]");
      expect(await dial.getAttribute("aria-label")).toMatch(
        /^Query: hand at \d+°; Key: hand at \d+°; \d+° between them$/,
      );
    }));
});
