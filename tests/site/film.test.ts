// The film: it plays when asked to, its time can be set, captions and pictures say the same, and its numbers are the library's.
import type { Page } from "playwright";
import { describe, expect, it } from "vitest";
import { duration, entryOf, firstOf, scenes, shots, stillOf } from "../../web/site/src/film/script.ts";
import { en } from "../../web/site/src/film/text.en.ts";
import { zhCN } from "../../web/site/src/film/text.zh-CN.ts";
import { en as start } from "../../web/site/src/start/text.en.ts";
import { zhCN as startZh } from "../../web/site/src/start/text.zh-CN.ts";
import { barriers } from "./axe.ts";
import { locales, withPage, type OpenOptions } from "./browser.ts";
import { expectClose, figureOf, parseNumber, press, sliderOf, tablesOf } from "./figure.ts";

const texts = { en, "zh-CN": zhCN };
const moving: OpenOptions = { reducedMotion: "no-preference", asFound: true };
const atTime = (time: number) => `#v=2&film.at=${time}`;

/** The picture as it is now, with its caption. */
const pictureOf = async (page: Page) => ({
  caption: await page.locator("[data-caption]").innerText(),
  drawn: await page.locator("svg[data-scene]").innerHTML(),
});
const timeOf = async (page: Page) => Number(await sliderOf(figureOf(page, "film"), /./).inputValue());
const numberIn = async (page: Page, selector: string) =>
  parseNumber((await page.locator(`svg[data-scene] ${selector}`).innerHTML()).replace(/°|^\D+/g, ""));

describe("the script", () => {
  it("is 60 to 90 seconds long, without gaps, and both languages have a caption for each time", () => {
    expect(duration).toBeGreaterThanOrEqual(60);
    expect(duration).toBeLessThanOrEqual(90);
    shots.forEach((shot, index) => expect(shot.start).toBe(shots[index - 1]?.end ?? 0));
    for (const { scenes: words } of Object.values(texts))
      for (const { name, captions } of scenes) expect(words[name].captions.length).toBe(captions.length);
  });

  it("gives time enough to read: 18 letters or 8 Chinese characters a second at most", () => {
    const pace = (locale: "en" | "zh-CN") =>
      shots.map(({ scene, caption, start: from, end }) => {
        return texts[locale].scenes[scene].captions[caption]!.length / (end - from);
      });
    expect(Math.max(...pace("en"))).toBeLessThanOrEqual(18);
    expect(Math.max(...pace("zh-CN"))).toBeLessThanOrEqual(8);
  });

  it("lasts as long as titles and links say", () => {
    const said = [en.title, zhCN.title, ...[start, startZh].map(({ doors }) => doors.learn.ways[0]!.time)];
    expect(said.map((words) => parseInt(words.replace(/^\D+/, "")))).toEqual(said.map(() => duration));
  });
});

describe.each(locales)("the film in %s", (locale) => {
  it("begins when asked to, goes on, and stops; keys and marks set its time", () =>
    withPage("film", { ...moving, locale }, async (page) => {
      const player = page.getByRole("group", { name: texts[locale].player.label, exact: true });
      const before = await pictureOf(page);
      await page.waitForTimeout(300);
      expect(await timeOf(page)).toBe(0);
      await press(player, "Space");
      await expect.poll(() => timeOf(page)).toBeGreaterThan(0.4);
      await press(player, "Space");
      const stopped = await timeOf(page);
      await expect.poll(() => page.url()).toContain("film.at=");
      await press(player, "ArrowRight", "ArrowRight", "ArrowRight");
      expect(Math.abs((await timeOf(page)) - stopped - 6)).toBeLessThanOrEqual(0.25);
      expect((await pictureOf(page)).drawn).not.toBe(before.drawn);
      await page.getByRole("button", { name: texts[locale].scenes.rope.title, exact: true }).click();
      expect(Math.abs((await timeOf(page)) - entryOf(firstOf("rope")))).toBeLessThanOrEqual(0.25);
      await sliderOf(figureOf(page, "film"), /./).fill("0");
      expect(await pictureOf(page)).toEqual(before);
    }));

  it("ends with links to its chapters", () =>
    withPage("film", { ...moving, locale, hash: atTime(duration - 0.5) }, async (page) => {
      const links = () =>
        figureOf(page, "film")
          .locator("nav a")
          .evaluateAll((all) => all.map((one) => one.getAttribute("href")));
      expect(await links()).toEqual(["order", "counting", "sinusoidal", "rope"].map((name) => `./${name}.html`));
      await figureOf(page, "film").locator(".row button").first().click();
      await expect.poll(() => timeOf(page)).toBe(duration);
      await page.waitForTimeout(200);
      expect(await timeOf(page)).toBe(duration);
      expect(await barriers(page)).toEqual([]);
    }));

  it("is there as a text, whose times lead into the film", () =>
    withPage("film", { ...moving, locale }, async (page) => {
      const links = page.locator("a[data-start]");
      expect(await links.evaluateAll((all) => all.map((one) => Number(one.getAttribute("data-start"))))).toEqual(
        shots.map((shot) => shot.start),
      );
      await links.nth(4).click();
      await expect
        .poll(() => page.locator("[data-caption]").innerText())
        .toBe(texts[locale].scenes[shots[4]!.scene].captions[shots[4]!.caption]);
    }));
});

describe("the pictures", () => {
  const at = (scene: (typeof scenes)[number]["name"], caption: number) =>
    atTime(stillOf(shots.find((shot) => shot.scene === scene && shot.caption === caption)!));

  it("show the same words in both bags, and the same output of attention for the dog", () =>
    withPage("film", { ...moving, hash: at("bag", 2) }, async (page) => {
      const colours = await page
        .locator("[data-output]")
        .evaluateAll((all) =>
          all.map((one) => [...one.querySelectorAll("rect[fill]")].map((cell) => cell.getAttribute("fill"))),
        );
      expect(colours[0]!.length).toBe(25);
      expect(new Set(colours[0]).size).toBeGreaterThan(5);
      expect(colours[1]).toEqual(colours[0]);
      const words = await page
        .locator("[data-word]")
        .evaluateAll((all) => all.map((one) => one.getAttribute("data-word")!));
      expect(words.slice(0, 5).sort()).toEqual(words.slice(5).sort());
    }));

  it("show steps of 1 / (n − 1), and a count that outgrows the word", async () => {
    await withPage("film", { ...moving, hash: at("count", 2) }, async (page) => {
      for (const length of [5, 17]) expect(await numberIn(page, `[data-step="${length}"]`)).toBe(1 / (length - 1));
    });
    await withPage("film", { ...moving, hash: at("count", 1) }, async (page) => {
      expect(await numberIn(page, "[data-count]")).toBe(1000);
      const heights = await page
        .locator("svg[data-scene] rect")
        .evaluateAll((all) => all.map((bar) => Number(bar.getAttribute("height"))));
      expect(Math.max(...heights.slice(0, -1))).toBeLessThan(heights.at(-1)! / 100);
    });
  });

  it("show a neighbour more alike than a position far off", () =>
    withPage("film", { ...moving, hash: at("clocks", 2) }, async (page) => {
      const mean = (a: number, b: number) =>
        [0, 1, 2, 3, 4, 5].reduce((sum, clock) => sum + Math.cos((a - b) * 60 ** (-clock / 6)), 0) / 6;
      expect(await numberIn(page, '[data-likeness="8"]')).toBeCloseTo(mean(7, 8), 2);
      expect(await numberIn(page, '[data-likeness="20"]')).toBeCloseTo(mean(7, 20), 2);
      expect(mean(7, 8)).toBeGreaterThan(2 * mean(7, 20));
    }));

  it("show the same angle and score for 3 → 5 and for 103 → 105", () =>
    withPage("film", { ...moving, hash: at("rope", 2) }, async (page) => {
      const angle = 2 / Math.sqrt(20);
      for (const query of [3, 103]) {
        expect(await numberIn(page, `[data-angle="${query}"]`)).toBeCloseTo((angle * 180) / Math.PI, 0);
        expect(await numberIn(page, `[data-score="${query}"]`)).toBeCloseTo(Math.cos(angle), 2);
      }
      const hands = await page
        .locator("[data-hand]")
        .evaluateAll((all) => all.map((one) => Number(one.getAttribute("data-hand"))));
      expect(hands).toEqual([103, 105]);
      const [, , turned] = await tablesOf(figureOf(page, "film"));
      expectClose(
        turned!.numbers,
        [3, 103].map(() => [(angle * 180) / Math.PI, Math.cos(angle)]),
      );
    }));
});

it("readers who want less motion see one still picture for each caption", () =>
  withPage("film", { asFound: true }, async (page) => {
    const slider = sliderOf(figureOf(page, "film"), /./);
    const seen: string[] = [];
    for (const time of [0, 2, 5.25, 5.5, 9]) {
      await slider.fill(String(time));
      seen.push((await pictureOf(page)).drawn);
    }
    expect(seen.map((drawn) => [...new Set(seen)].indexOf(drawn))).toEqual([0, 0, 0, 1, 1]);
    await page.getByRole("button", { name: en.player.on }).click();
    expect((await pictureOf(page)).caption).toBe(en.scenes.bag.captions[2]);
    expect(await page.getByText(en.player.stills).count()).toBe(1);
  }));
