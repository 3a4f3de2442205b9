// The chapter on learned tables: it trains in the page, and the pictures are those of the library's numbers.
import type { Locator } from "playwright";
import { describe, expect, it } from "vitest";
import { examErrors } from "../../../web/site/src/chapters/06-learned/exam.ts";
import { portraits } from "../../../web/site/src/chapters/06-learned/portraits.ts";
import { courseOf, noise, tableRows } from "../../../web/site/src/chapters/06-learned/settings.ts";
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

const small = "#v=2&train.task=previous&train.dim=16&train.length=16";
const settings = { task: "previous", reach: 1, length: 16, dim: 16, steps: 600, seed: 1 } as const;

/** The table as training finds it. */
const untrained = (dim: number, seed = 1) =>
  pe.create({ kind: "learned", length: tableRows, dim, std: noise, seed }).weights.data.slice();

/** The first 16 columns of a matrix, as tables show them. */
const clipped = (data: ArrayLike<number>, columns: number): number[][] =>
  Array.from({ length: data.length / columns }, (_, row) =>
    Array.from({ length: Math.min(16, columns) }, (_, column) => data[row * columns + column]!),
  );

const largestAt = (row: number[]) => row.indexOf(Math.max(...row));

/** Asks for the training that is wanted and waits until it is done: its last step is shown, and nothing runs. */
async function finished(figure: Locator, steps: number): Promise<void> {
  await figure.scrollIntoViewIfNeeded();
  const train = figure.getByRole("button", { name: "Train", exact: true });
  if (await train.count()) await train.click();
  await expect.poll(() => sliderOf(figure, "Step shown").getAttribute("max"), { timeout: 60_000 }).toBe(String(steps));
  await expect.poll(() => figure.locator("progress").count()).toBe(0);
}

describe("a table learns where to look", () => {
  it("finds the word before, and leaves unread rows alone", () =>
    withPage("learned", { hash: small }, async (page) => {
      const figure = figureOf(page, "train");
      await finished(figure, 600);
      const [losses, , weights] = await tablesOf(figure);
      expect(losses!.numbers[0]![0]).toBeGreaterThan(0.5);
      expect(losses!.numbers.at(-1)![0]).toBeLessThan(0.01);
      // The table shows the first 16 keys: all that the texts of the training had.
      for (let word = 1; word < 16; word += 1) expect(largestAt(weights!.numbers[word]!)).toBe(word - 1);
      for (let word = 20; word < tableRows; word += 1) expect(Math.max(...weights!.numbers[word]!)).toBeLessThan(0.5);
    }));

  it("waits with the training until it is asked for, as the guess comes first", () =>
    withPage("learned", { hash: small }, async (page) => {
      const figure = figureOf(page, "train");
      await figure.scrollIntoViewIfNeeded();
      await page.waitForTimeout(600);
      expect(await figure.locator("progress").count()).toBe(0);
      expectClose(await numbersOf(figure, 1), clipped(portraits(pe, untrained(16), 16).similar, tableRows));
      await finished(figure, 600);
    }));

  it("shows the first step as the library has it", () =>
    withPage("learned", { hash: small }, async (page) => {
      const figure = figureOf(page, "train");
      await finished(figure, 600);
      await slideTo(sliderOf(figure, "Step shown"), 0);
      const start = portraits(pe, untrained(16), 16);
      expectClose(await numbersOf(figure, 1), clipped(start.similar, tableRows));
      expectClose(await numbersOf(figure, 2), clipped(start.weights, tableRows));
    }));

  it("reads out what pointer and keys point at", () =>
    withPage("learned", { hash: small }, async (page) => {
      const figure = figureOf(page, "train");
      await finished(figure, 600);
      const chart = sliderOf(figure, "Mean square error at each training step");
      await press(chart, "Home");
      expect(await sliderOf(figure, "Step shown").inputValue()).toBe("0");
      expect(await chart.getAttribute("aria-valuetext")).toMatch(/^step 0:/);
      await press(chart, "ArrowRight", "Shift+ArrowRight");
      expect(await chart.getAttribute("aria-valuetext")).toMatch(/^step 11:/);
      expect(await sliderOf(figure, "Step shown").inputValue()).toBe("11");
      await press(chart, "End");
      expect(await chart.getAttribute("aria-valuetext")).toMatch(/^step 600:/);
      const picture = figure.getByRole("application", { name: /Attention weights/ });
      await hoverAt(picture, 4.5 / tableRows, 5.5 / tableRows);
      const weights = await numbersOf(figure, 2);
      const reading = picture.locator("xpath=ancestor::div[contains(@class,'heatmap')]//output").first();
      const shown = /^word 5 looks at word 4: (.+)$/.exec((await reading.textContent())!)![1]!;
      expect(parseNumber(shown)).toBeCloseTo(weights[5]![4]!, 2);
      await press(picture, "ArrowDown");
      expect(await reading.textContent()).toMatch(/^word 6 looks at word 4/);
    }));

  it("learns the other tasks", () =>
    withPage("learned", { hash: `${small}&train.reach=2` }, async (page) => {
      const figure = figureOf(page, "train");
      await finished(figure, 600);
      await figure.getByRole("radio", { name: "the mean of its neighbours" }).check();
      await expect.poll(async () => (await numbersOf(figure, 2))[8]![8]!, { timeout: 60_000 }).toBeCloseTo(0.2, 1);
      await finished(figure, 600);
      const around = (await numbersOf(figure, 2))[8]!;
      for (let word = 0; word < 16; word += 1) expect(around[word]).toBeCloseTo(Math.abs(word - 8) <= 2 ? 0.2 : 0, 1);
      await figure.getByRole("radio", { name: "the mean of its half" }).check();
      await expect.poll(async () => (await numbersOf(figure, 2))[8]![15]!, { timeout: 60_000 }).toBeGreaterThan(0.08);
      const half = (await numbersOf(figure, 2))[8]!;
      expect(half.slice(0, 8).every((weight) => weight < 0.04)).toBe(true);
    }));

  it("trains again from new noise, the same way for the same seed", () =>
    withPage("learned", { hash: small }, async (page) => {
      const figure = figureOf(page, "train");
      await finished(figure, 600);
      const first = await numbersOf(figure, 1);
      await figure.getByRole("button", { name: "Train again, from new noise" }).click();
      await expect.poll(async () => (await numbersOf(figure, 1))[0]![0], { timeout: 60_000 }).not.toBe(first[0]![0]);
      await finished(figure, 600);
      expect(page.url()).toContain("train.seed=2");
      await withPage("learned", { hash: small }, async (again) => {
        const same = figureOf(again, "train");
        await finished(same, 600);
        expect(await numbersOf(same, 1)).toEqual(first);
      });
    }));

  it("plays, stops, and trains for longer", () =>
    withPage("learned", { hash: small }, async (page) => {
      const figure = figureOf(page, "train");
      await finished(figure, 600);
      await figure.getByRole("button", { name: "Play from the beginning" }).click();
      const step = sliderOf(figure, "Step shown");
      await expect.poll(async () => Number(await step.inputValue())).toBeLessThan(600);
      await expect.poll(async () => Number(await step.inputValue()), { timeout: 30_000 }).toBe(600);
      await figure.getByRole("button", { name: "Play from the beginning" }).waitFor();
      await slideTo(sliderOf(figure, "Training steps"), 3000);
      // A quick machine may be done before it is told to stop.
      await figure
        .getByRole("button", { name: "Stop" })
        .click({ timeout: 5000 })
        .catch(() => undefined);
      await expect.poll(() => figure.locator("progress").count(), { timeout: 60_000 }).toBe(0);
      expect((await tablesOf(figure)).length).toBe(3);
    }));
});

describe("the rows before and after", () => {
  it("begins with the library's noise and keeps it where nothing was trained", () =>
    withPage("learned", { hash: small }, async (page) => {
      await finished(figureOf(page, "train"), 600);
      const figure = figureOf(page, "rows");
      const [before, after] = (await tablesOf(figure)).map(({ numbers }) => numbers);
      expectClose(before!, clipped(untrained(16), 16));
      expect(after!.slice(16)).toEqual(before!.slice(16));
      expect(after!.slice(0, 16)).not.toEqual(before!.slice(0, 16));
      const picture = figure.getByRole("application").last();
      await hoverAt(picture, 3.5 / 16, 2.5 / tableRows);
      const chart = sliderOf(figure, /Number 3 of each row/);
      expect(await chart.getAttribute("aria-valuenow")).toBe("2");
      await press(picture, "ArrowRight", "ArrowDown");
      expect(await sliderOf(figure, /Number 4 of each row/).getAttribute("aria-valuetext")).toContain("position 3:");
      await slideTo(sliderOf(figureOf(page, "train"), "Step shown"), 0);
      expect((await tablesOf(figure))[1]!.numbers).toEqual(before);
    }));
});

describe("past the last row", () => {
  it("shows rows that are there and the library's words for those that are not", () =>
    withPage("learned", {}, async (page) => {
      const figure = figureOf(page, "end");
      const slider = sliderOf(figure, "Position m");
      const table = pe.create({ kind: "learned", length: 32, dim: 16, std: noise, seed: 1 });
      const sinusoids = pe.create({ kind: "sinusoidal", dim: 16 });
      const refusal = (position: number): string => {
        try {
          table.table({ positions: [position] });
        } catch (problem) {
          return (problem as Error).message;
        }
        throw new Error("there is such a row");
      };
      expect(await figure.locator("code").textContent()).toBe(refusal(32));
      await press(slider, "ArrowLeft", "ArrowLeft");
      const rows = [table, sinusoids].map((encoding) => encoding.table({ positions: [31] }).data);
      expectClose(await numbersOf(figure), rows);
      await slideTo(slider, 2.5);
      expect(await figure.locator("code").textContent()).toBe(refusal(2.5));
      expectClose([(await numbersOf(figure))[1]!], [sinusoids.table({ positions: [2.5] }).data]);
    }));
});

describe("longer than in training", () => {
  it("shows the errors of the trained, the stretched and the empty table", () =>
    withPage("learned", { hash: small }, async (page) => {
      await finished(figureOf(page, "train"), 600);
      const figure = figureOf(page, "longer");
      await slideTo(sliderOf(figure, "Words in the examined texts"), 32);
      // The page's own table: the library's builds may differ in the last bit of an attention, and training goes on from there.
      const after = (await tablesOf(figureOf(page, "rows")))[1]!.numbers;
      const errors = examErrors(pe, Float32Array.from(after.flat()), courseOf(settings), 32);
      const shown = await numbersOf(figure);
      for (let position = 1; position < 32; position += 1)
        [errors.asIs, errors.resized, errors.none].forEach((values, column) =>
          expect(Math.abs(shown[position]![column]! - values[position]!)).toBeLessThan(1e-3 * (1 + values[position]!)),
        );
      const cell = (name: string, column: number) =>
        figure
          .locator(`[data-errors="${name}"] output`)
          .nth(column)
          .textContent()
          .then((text) => parseNumber(text!));
      expect(await cell("asIs", 0)).toBeLessThan(0.01);
      expect(await cell("asIs", 1)).toBeGreaterThan(0.5);
      expect(await cell("resized", 0)).toBeGreaterThan(0.2);
      const chart = sliderOf(figure, /Mean square error of the answers/);
      await press(chart, "Home", "ArrowRight");
      expect(await chart.getAttribute("aria-valuetext")).toContain("position 1:");
      await hoverAt(chart, 0.999);
      await expect.poll(() => chart.getAttribute("aria-valuetext")).toContain("position 31:");
    }));
});
