// The chapter on adding: every figure, driven and compared with the library's own numbers.
import type { Locator, Page } from "playwright";
import { describe, expect, test } from "vitest";
import { en } from "../../../web/site/src/chapters/05-adding/text.en.ts";
import { zhCN } from "../../../web/site/src/chapters/05-adding/text.zh-CN.ts";
import { withPage } from "../browser.ts";
import {
  expectClose,
  figureOf,
  hoverAt,
  numbersOf,
  parseNumber,
  press,
  slideTo,
  sliderOf,
  tablesOf,
} from "../figure.ts";
import { pe } from "../library.ts";
import { drawn, positionsOf, rowsOf, sinusoidal } from "./encodings.ts";

const visit = (name: string, work: (figure: Locator, page: Page) => Promise<void>, hash = "") =>
  withPage("adding", { hash }, (page) => work(figureOf(page, name), page));
const valueOf = (figure: Locator, name: string) => figure.locator(`[data-value="${name}"]`).innerText();

const tensor = (rows: number[][]) => ({ data: Float32Array.from(rows.flat()), dims: [rows.length, rows[0].length] });
const dot = (a: number[], b: number[]) => a.reduce((sum, value, index) => sum + value * b[index], 0);
const logIndex = (value: number) => Math.round(Math.log10(value) * 20);
const sizeOf = (rows: number[][]) => rows.flat().reduce((sum, value) => sum + Math.abs(value), 0) / rows.flat().length;
const isSmall = (text: string) => expect(text === "0" || /\u00A0×\u00A010⁻[⁵⁶⁷⁸⁹]/.test(text), text).toBe(true);

describe("terms", () => {
  const text = en.terms.figure;
  const size = async (figure: Locator, name: string) =>
    parseNumber(await figure.locator(`[data-term="${name}"] output`).innerText());

  test("identity: own terms, cross terms and their sum", () =>
    visit("terms", async (figure) => {
      const tables = (await tablesOf(figure)).map(({ numbers }) => numbers);
      const [words, wordPosition, positionWord, positions, score] = tables;
      const rows = positionsOf(pe, 64, 5);
      const products = pe.similarity(tensor(rows)).data;
      expectClose(positions, rowsOf(products, 5));
      // The same word twice: the same scores.
      expect(words[0]).toEqual(words[3]);
      positionWord.forEach((row, index) => row.forEach((value, at) => expect(value).toBe(wordPosition[at][index])));
      score.forEach((row, index) =>
        row.forEach((value, at) => {
          const sum = words[index][at] + wordPosition[index][at] + positionWord[index][at] + positions[index][at];
          expect(value).toBeCloseTo(sum, 2);
        }),
      );
      isSmall(await valueOf(figure, "check"));
      expect(await size(figure, "contentContent")).toBeCloseTo(sizeOf(words), 2);
    }));

  test("sizes of words and positions", () =>
    visit("terms", async (figure) => {
      const before = await numbersOf(figure, 0);
      await slideTo(sliderOf(figure, text.wordScale), logIndex(0.5));
      await slideTo(sliderOf(figure, text.positionScale), 0);
      await expect.poll(() => size(figure, "positionPosition")).toBe(0);
      const after = await numbersOf(figure, 0);
      expectClose(
        after,
        before.map((row) => row.map((value) => value / 4)),
      );
      await press(sliderOf(figure, text.positionScale), "End");
      await expect.poll(() => size(figure, "positionPosition")).toBeGreaterThan(100);
      await figure.getByRole("button", { name: text.raw }).click();
      expectClose(
        await numbersOf(figure, 0),
        before.map((row) => row.map((value) => value / 64)),
      );
      await figure.getByRole("button", { name: text.scaled }).click();
      expectClose(await numbersOf(figure, 0), before);
    }));

  test("what a head can choose", () =>
    visit("terms", async (figure) => {
      await figure.getByRole("radio", { name: text.words }).check();
      for (const name of ["contentPosition", "positionContent", "positionPosition"])
        await expect.poll(() => size(figure, name)).toBe(0);
      expect(await size(figure, "contentContent")).toBeGreaterThan(10);
      await figure.getByRole("radio", { name: text.positions, exact: true }).check();
      await expect.poll(() => size(figure, "positionPosition")).toBeGreaterThan(25);
      expect(await size(figure, "contentContent")).toBeLessThan(8);
      await figure.getByRole("radio", { name: text.random }).check();
      const rows = positionsOf(pe, 64, 5);
      const square = (seed: number) => ({ data: drawn(pe, 64, 64, 1 / 8, seed), dims: [64, 64] });
      const nothing = { data: new Float32Array(5 * 64), dims: [5, 64] };
      const expected = pe.scoreTerms(nothing, tensor(rows), square(2), square(3)).positionPosition.data;
      (await numbersOf(figure, 3)).flat().forEach((value, index) => expect(value).toBeCloseTo(expected[index], 3));
      isSmall(await valueOf(figure, "check"));
    }));

  test("pointer, keys, and other sentences", () =>
    visit("terms", async (figure) => {
      const reading = figure.locator(".reading output");
      const [words] = await numbersOf(figure, 0);
      const panel = figure.getByRole("application").first();
      await press(panel, "ArrowUp", "ArrowLeft", "ArrowLeft");
      expect(await reading.innerText()).toContain(`the → the: ${words[0].toFixed(2)}`);
      const score = figure.getByRole("application").last();
      await score.scrollIntoViewIfNeeded();
      await hoverAt(score, 0.95, 0.95);
      await expect.poll(() => reading.innerText()).toContain("man → man");
      await figure.getByRole("textbox").fill("我喜欢你");
      await expect.poll(() => figure.getByRole("application").first().locator("rect").count()).toBe(17);
      await figure.getByRole("textbox").fill("?!");
      await expect.poll(() => figure.locator("p[role=status]").innerText()).toBe(text.empty);
      await figure.getByRole("button", { name: text.sentences[1] }).click();
      await expect.poll(() => figure.getByRole("application").count()).toBe(5);
    }));
});

describe("cosines", () => {
  const text = en.cosines.figure;

  test("spread as one over the root of d", () =>
    visit("cosines", async (figure) => {
      for (const exponent of [2, 9]) {
        await slideTo(sliderOf(figure, text.dim), exponent);
        const expected = 1 / Math.sqrt(2 ** exponent);
        await expect.poll(() => valueOf(figure, "expected")).toBe(expected.toFixed(4));
        const measured = parseNumber(await valueOf(figure, "measured"));
        expect(Math.abs(measured / expected - 1)).toBeLessThan(0.1);
        expect((await numbersOf(figure)).flat().reduce((sum, count) => sum + count, 0)).toBe(10000);
      }
      await figure.getByRole("radio", { name: text.wordWord, exact: true }).check();
      await expect
        .poll(async () => (await numbersOf(figure)).flat().reduce((sum, count) => sum + count, 0))
        .toBe((200 * 199) / 2);
    }));

  test("positions are alike: counted by hand", () =>
    visit("cosines", async (figure) => {
      await figure.getByRole("radio", { name: text.positionPosition, exact: true }).check();
      const rows = positionsOf(pe, 64, 50);
      const cosines = rows.flatMap((row, index) => rows.slice(index + 1).map((other) => dot(row, other) / 32));
      const counts = (await numbersOf(figure)).flat();
      expect(counts.reduce((sum, count) => sum + count, 0)).toBe(cosines.length);
      const within = (low: number, high: number) => cosines.filter((value) => value >= low && value < high).length;
      expect(counts.at(-4)).toBe(within(0.8, 0.85));
      const chart = sliderOf(figure, text.title);
      await press(chart, "End");
      expect(await chart.getAttribute("aria-valuetext")).toContain("to 1.00");
      await hoverAt(chart, 0.5);
      await expect.poll(() => chart.getAttribute("aria-valuetext")).toContain("from −0.01 to 0.01");
    }));
});

describe("unmix", () => {
  const text = en.unmix.figure;

  const vocabulary = text.vocabulary.split(" ");

  test("as many words as the sums are compared with, in both languages", () => {
    for (const { vocabulary: list } of [text, zhCN.unmix.figure]) expect(new Set(list.split(" ")).size, list).toBe(64);
  });

  test("dot products of one sum, and of all", () =>
    visit("unmix", async (figure) => {
      expect(await valueOf(figure, "word")).toBe("best word: crow, right");
      expect(await valueOf(figure, "position")).toBe("best position: 40, right");
      await slideTo(sliderOf(figure, text.wordScale), 0);
      await slideTo(sliderOf(figure, text.dim), 5);
      await slideTo(figure.getByRole("slider", { name: text.word, exact: true }), 3);
      await press(figure.getByRole("slider", { name: text.position, exact: true }), "Home", "ArrowRight", "ArrowRight");
      const words = rowsOf(drawn(pe, 64, 32, 1, 5), 32);
      const table = positionsOf(pe, 32, 64);
      const sums = words.map((word) => table.map((row) => word.map((value, index) => value + row[index])));
      const shown = await numbersOf(figure, 1);
      shown.forEach(([word, position], index) => {
        expect(word).toBeCloseTo(dot(sums[3][2], words[index]), 3);
        expect(position).toBeCloseTo(dot(sums[3][2], table[index]), 3);
      });
      const best = (sum: number[], list: number[][]) =>
        list.reduce((top, row, index) => (dot(sum, row) > dot(sum, list[top]) ? index : top), 0);
      let [found, placed, near] = [0, 0, 0];
      sums.forEach((row, word) =>
        row.forEach((sum, position) => {
          const index = best(sum, table);
          found += Number(best(sum, words) === word);
          placed += Number(index === position);
          near += Number(Math.abs(index - position) <= 1);
        }),
      );
      const percent = (count: number) => `${((100 * count) / 4096).toFixed(1)} %`;
      expect(await valueOf(figure, "rate-word")).toBe(percent(found));
      expect(await valueOf(figure, "rate-position")).toBe(percent(placed));
      expect(await valueOf(figure, "rate-near")).toBe(percent(near));
      expect(await valueOf(figure, "word")).toContain(`best word: ${vocabulary[best(sums[3][2], words)]}`);
    }));

  test("the small one is drowned", () =>
    visit("unmix", async (figure) => {
      await press(sliderOf(figure, text.wordScale), "End");
      await expect.poll(async () => parseFloat(await valueOf(figure, "rate-position"))).toBeLessThan(10);
      expect(await valueOf(figure, "rate-word")).toBe("100.0 %");
      await press(sliderOf(figure, text.wordScale), "Home");
      await expect.poll(async () => parseFloat(await valueOf(figure, "rate-word"))).toBeLessThan(50);
      await slideTo(sliderOf(figure, text.wordScale), logIndex(0.32));
      await expect.poll(() => valueOf(figure, "rate-word")).toBe("100.0 %");
      expect(await valueOf(figure, "rate-position")).toBe("100.0 %");
      const chart = sliderOf(figure, text.words);
      await hoverAt(chart, 0);
      await expect.poll(() => chart.getAttribute("aria-valuetext")).toContain(`word ${vocabulary[0]}:`);
      await press(chart, "ArrowRight");
      expect(await chart.getAttribute("aria-valuetext")).toContain(`word ${vocabulary[1]}:`);
      await press(sliderOf(figure, text.positions), "End");
      expect(await sliderOf(figure, text.positions).getAttribute("aria-valuetext")).toContain("position 63:");
    }));
});

describe("concat", () => {
  const text = en.concat.figure;

  test("same weights, same scores; others, others", () =>
    visit("concat", async (figure) => {
      const close = async () => {
        const [added, joined] = [await numbersOf(figure, 0), await numbersOf(figure, 1)];
        return added.flat().every((value, index) => Math.abs(value - joined.flat()[index]) < 1e-3);
      };
      expect(await close()).toBe(true);
      isSmall(await valueOf(figure, "difference"));
      await press(sliderOf(figure, text.dim), "ArrowLeft");
      expect(await close()).toBe(true);
      expect(await numbersOf(figure, 2)).toEqual([
        [240, 480],
        [2 * 64 * 240, 2 * 64 * 480],
        [12 * 240 ** 2, 12 * 480 ** 2],
      ]);
      await figure.getByRole("radio", { name: text.own }).check();
      await expect.poll(close).toBe(false);
      await slideTo(sliderOf(figure, text.extra), 32);
      expect((await numbersOf(figure, 2))[0]).toEqual([240, 272]);
    }));

  test("kept apart: no cross terms", () =>
    visit("concat", async (figure) => {
      expect(parseNumber(await valueOf(figure, "cross"))).toBeGreaterThan(1);
      await figure.getByRole("radio", { name: text.apart }).check();
      await expect.poll(() => valueOf(figure, "cross")).toBe("0");
      const panel = figure.getByRole("application").first();
      await press(panel, "ArrowDown");
      const [added, joined] = [await numbersOf(figure, 0), await numbersOf(figure, 1)];
      const reading = figure.locator("p output").first();
      const written = (value: number) => value.toFixed(2).replace("-", "−");
      expect(await reading.innerText()).toBe(
        `bites → bites: added ${written(added[2][2])}, concatenated ${written(joined[2][2])}`,
      );
      await hoverAt(figure.getByRole("application").last(), 0.3, 0.95);
      await expect.poll(() => reading.innerText()).toContain("man → the");
    }));
});

describe("dropout", () => {
  const text = en.dropout.figure;
  const words = () => ({ data: drawn(pe, 12, 48, 0.5, 9), dims: [12, 48] });
  const sums = (dropout: number, seed: number, training = true) =>
    sinusoidal(pe, 48, (encoding) => encoding.addTo(words(), { dropout, seed, training }).data);

  test("one draw: holes, and the others larger", () =>
    visit("dropout", async (figure) => {
      await slideTo(sliderOf(figure, text.rate), 0.5);
      await press(sliderOf(figure, text.seed), "ArrowRight");
      const expected = rowsOf(sums(0.5, 8), 48);
      expectClose(
        await numbersOf(figure, 1),
        expected.map((row) => row.slice(0, 16)),
      );
      const zeros = expected.flat().filter((value) => value === 0).length;
      expect(await valueOf(figure, "zeros")).toContain(`${zeros} / 576`);
      expect(await valueOf(figure, "factor")).toBe("2.000");
      expectClose(
        await numbersOf(figure, 0),
        expected[5].map((value, index) => [value, sums(0, 0)[5 * 48 + index]]),
      );
    }));

  test("many draws average out; without training there are no holes", () =>
    visit("dropout", async (figure) => {
      const error = async () => parseNumber(await valueOf(figure, "error"));
      const one = await error();
      await press(sliderOf(figure, text.draws), "End");
      await expect.poll(error).toBeLessThan(one / 8);
      await slideTo(sliderOf(figure, text.draws), 0);
      await figure.getByRole("switch", { name: text.training }).uncheck();
      await expect.poll(error).toBe(0);
      expect(await valueOf(figure, "factor")).toBe("1.000");
      const map = figure.getByRole("application");
      await hoverAt(map, 0.99, 0.97);
      const reading = figure.locator(".heatmap output");
      await expect.poll(() => reading.innerText()).toContain("position 11, dimension 47");
      await press(sliderOf(figure, /row 11/), "Home");
      const value = sums(0, 0)[11 * 48].toFixed(3).replace("-", "−");
      await expect.poll(() => reading.innerText()).toBe(`position 11, dimension 0: ${value} instead of ${value}`);
    }));
});
