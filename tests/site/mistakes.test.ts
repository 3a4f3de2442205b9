// The page of common mistakes: its numbers are those of the formulas and of what was measured, its links lead somewhere.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { models } from "posenc/models";
import type { Page } from "playwright";
import { describe, expect, it } from "vitest";
import { barriers } from "./axe.ts";
import { locales, withPage, type Locale } from "./browser.ts";
import { parseNumber } from "./figure.ts";
import { pe } from "./library.ts";
import { siteRoot } from "./pages.ts";

/** What a cell says where the library throws an error. */
const refused = { en: "error: out of range", "zh-CN": "越界（报错）" };

type Rows = [written: string, computed: string][];

const cellsIn = (page: Page, name: string): Promise<Rows> =>
  page
    .locator(`[data-mistake=${name}] tbody tr`)
    .evaluateAll((rows) =>
      rows.map((row) => [...row.querySelectorAll("td")].map((cell) => cell.textContent!) as never),
    );

/** The page once the numbers are there. */
const opened = <T>(locale: Locale, work: (page: Page) => Promise<T>): Promise<T> =>
  withPage("mistakes", { locale }, async (page) => {
    await expect.poll(() => page.locator(".computed").first().textContent(), { timeout: 30_000 }).not.toBe("…");
    return work(page);
  });

const numbersIn = async (page: Page, name: string): Promise<number[][]> =>
  (await cellsIn(page, name)).map((row) => row.map(parseNumber));

/** As many digits as the page shows. */
function expectNear(shown: number, wanted: number) {
  expect(Math.abs(shown - wanted), `${shown}, not ${wanted}`).toBeLessThan(2e-5 * Math.max(1, Math.abs(wanted)));
}

const frequency = (pair: number, dim: number, base = 10000) => base ** ((-2 * pair) / dim);
/** The dot product of two sinusoids of 128 numbers so far apart. */
const product = (distance: number) =>
  Array.from({ length: 64 }, (_, pair) => Math.cos(distance * frequency(pair, 128))).reduce((sum, one) => sum + one);
const unfinished = (length: number, base = 10000) =>
  Array.from({ length: 64 }, (_, pair) => (2 * Math.PI) / frequency(pair, 128, base)).filter((wave) => wave > length)
    .length;

/** What the right-hand column must show, from formulas that are written down here. */
const computed: Record<string, number[]> = {
  slow: [frequency(1, 512), Math.sin(frequency(1, 512)), Math.cos(frequency(255, 512))],
  tenth: [Math.sin(0.01), Math.cos(0.01)],
  column: [frequency(5, 128), (2 * Math.PI) / frequency(63, 128)],
  cosine: [product(10), product(10)],
  absolute: [product(10)],
  sentence: [3],
  buckets: [19, 3],
  slopes: [0.5, 2 ** -0.5],
  base: [(2 * Math.PI) / frequency(63, 128, 500000), unfinished(8192, 500000)],
  factor: [0.1 * Math.log(4) + 1, (0.1 * Math.log(4) + 1) ** 2],
  precision: [256, 2048, 16777216],
};

describe("the common mistakes", () => {
  it("are corrected by the formulas", () =>
    opened("en", async (page) => {
      for (const [name, wanted] of Object.entries(computed)) {
        const shown = (await numbersIn(page, name)).map(([, right]) => right!);
        expect(shown.length, name).toBe(wanted.length);
        shown.forEach((value, row) => expectNear(value, wanted[row]!));
      }
      const [[halved, whole], [slow]] = await numbersIn(page, "column");
      expectNear(halved!, frequency(10, 128));
      expect(whole).toBeGreaterThan(halved!);
      expectNear(slow!, (2 * Math.PI) / frequency(126, 128));
    }));

  it("about length are what was measured", () =>
    opened("en", async (page) => {
      const measured = JSON.parse(readFileSync(join(siteRoot, "lab", "measured.json"), "utf8"));
      const at = (model: string, what: string, lengths: number[]) =>
        lengths.map((length) => new Map(measured[model].default[what]).get(length));
      expect(await numbersIn(page, "limit")).toEqual([
        at("en-rope", "loss", [256, 1024]),
        at("en-sinusoidal", "loss", [256, 1024]),
        [unfinished(256), unfinished(1024)],
      ]);
      expect(await numbersIn(page, "flat")).toEqual([
        at("en-alibi", "loss", [256, 2048]),
        at("en-alibi", "needle", [256, 2048]),
      ]);
    }));

  it("about RoPE show scores that know the distance alone, where it is right", () =>
    opened("en", async (page) => {
      const [[wrong, right], [wrongLater, rightLater]] = await numbersIn(page, "sign");
      expectNear(rightLater!, right!);
      expect(Math.abs(wrongLater! - wrong!)).toBeGreaterThan(0.1);
      const layouts = await numbersIn(page, "layout");
      expectNear(layouts[0]![0]!, layouts[0]![1]!);
      for (const [interleaved, half] of layouts.slice(1)) expect(Math.abs(interleaved! - half!)).toBeGreaterThan(0.1);
      const [[rotated, kept]] = await cellsIn(page, "values");
      expect(parseNumber(rotated!)).toBeGreaterThan(0.1);
      expect(kept).toMatch(/^0$|10⁻/);
      const [[first, tenth]] = await numbersIn(page, "cache");
      expect(first).not.toBe(tenth);
    }));

  it("about indices are refused by the library, and Falcon is what it says", () =>
    opened("en", async (page) => {
      const right = (await cellsIn(page, "embedding")).map(([, value]) => value);
      expect(right).toEqual(["1", "9", refused.en, refused.en]);
      expect(await cellsIn(page, "falcon")).toEqual([["alibi", models["falcon-7b"].spec.kind]]);
      const { data } = pe.positionIds({ data: Int32Array.from([0, 0, 1, 1]), dims: [1, 4] });
      expect((await numbersIn(page, "padding"))[0]).toEqual([2, data[2]]);
    }));

  it("are the same in both languages, with a word for each row, and accessible", async () => {
    const [english, chinese] = await Promise.all(
      locales.map((locale) =>
        opened(locale, async (page) => {
          const rows = page.locator("[data-mistake] tbody tr");
          const heads = await rows.locator("th").allTextContents();
          expect(heads.every((head) => head.trim() !== "")).toBe(true);
          expect(await barriers(page)).toEqual([]);
          return rows.evaluateAll((all) =>
            all.map((row) => [...row.querySelectorAll("td")].map((one) => one.textContent)),
          );
        }),
      ),
    );
    const shown = chinese!.map((row) => row.map((cell) => (cell === refused["zh-CN"] ? refused.en : cell)));
    expect(shown).toEqual(english);
    expect(english!.flat()).not.toContain("…");
  });

  it("lead to places that are there", async () => {
    const links = await opened("en", (page) =>
      page.locator(".more a").evaluateAll((all) => all.map((link) => link.getAttribute("href")!)),
    );
    expect(links.length).toBeGreaterThan(14);
    for (const page of new Set(links.map((link) => link.replace(/^\.\/|\.html.*/g, "")))) {
      const ids = await withPage(page, { asFound: true }, (chapter) =>
        chapter.locator("[id]").evaluateAll((elements) => elements.map(({ id }) => id)),
      );
      const anchors = links.filter((link) => link.startsWith(`./${page}.html`)).map((link) => link.split("#")[1]);
      expect(anchors.filter((anchor) => !ids.includes(anchor!))).toEqual([]);
    }
  });
});
