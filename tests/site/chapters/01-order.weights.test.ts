// Chapter 1: the weights of words in another order, and what the mask leaks, are those of the library.
import { describe, expect, test } from "vitest";
import { expectClose, figureOf, hoverAt, numbersOf, press, sliderOf, slideTo } from "../figure.ts";
import { pe } from "../library.ts";
import { asWritten, attend, onPage, order, original, swapped, words } from "./01-order.words.ts";

describe("the weights", () => {
  const rows = (weights: Float32Array) => words.map((_, row) => weights.slice(row * 5, row * 5 + 5));
  const moved = (weights: Float32Array, positions: number[]) =>
    positions.map((row) => Float32Array.from(positions, (column) => weights[row * 5 + column]));

  test("moved and computed, in tables and verdict", () =>
    onPage(async (page) => {
      const figure = figureOf(page, "matrix");
      const largest = async () => Number(await figure.locator("[data-largest]").getAttribute("data-largest"));
      for (const [name, method] of [
        ["none", "none"],
        ["sinusoidal", "sinusoidal"],
        ["RoPE", "rope"],
      ] as const) {
        await figure.getByRole("radio", { name, exact: true }).check();
        const [before, after] = [attend(original, method).weights, attend(swapped, method).weights];
        await expect.poll(async () => (await numbersOf(figure, 0))[0][0]).toBeCloseTo(before[0], 5);
        expectClose(await numbersOf(figure, 0), rows(before));
        expectClose(await numbersOf(figure, 1), moved(before, swapped));
        expectClose(await numbersOf(figure, 2), rows(after));
        if (method === "none") expect(await largest()).toBeLessThan(1e-5);
        else expect(await largest()).toBeGreaterThan(0.01);
      }
    }, "#v=2&words.order=0.4.2.3.1"));

  test("the causal mask alone makes a difference", () =>
    onPage(async (page) => {
      const figure = figureOf(page, "matrix");
      await figure.getByRole("switch").check();
      await expect.poll(() => figure.locator("[role=status]").textContent()).toContain("differ");
      expectClose(await numbersOf(figure, 2), rows(attend(swapped, "none", true).weights));
    }, "#v=2&words.order=0.4.2.3.1"));

  test("one pair of words in all three matrices, by pointer and by keys", () =>
    onPage(async (page) => {
      const figure = figureOf(page, "matrix");
      const weight = attend(original, "none").weights[1 * 5 + 4].toFixed(3);
      const readings = () =>
        figure
          .locator(".reading")
          .allTextContents()
          .then((list) => list.map((one) => one.trim()));
      const cell = figure.locator('[data-panel="computed"] svg rect').nth(1 * 5 + 4);
      await hoverAt(cell, 0.5);
      // In the new order the man stands in the second place and the dog in the last.
      const back = attend(original, "none").weights[4 * 5 + 1].toFixed(3);
      await expect.poll(readings).toEqual(Array(3).fill(`man → dog: ${back}`));
      await page.mouse.move(0, 0);
      const stage = figure.getByRole("group", { name: "Attention weights, moved" });
      await press(stage, "ArrowDown", "ArrowDown", "ArrowRight", "ArrowRight", "ArrowRight", "ArrowRight");
      await expect.poll(readings).toEqual(Array(3).fill(`dog → man: ${weight}`));
    }, "#v=2&words.order=0.4.2.3.1"));

  test("the order is shared with the first figure", () =>
    onPage(async (page) => {
      const figure = figureOf(page, "matrix");
      await figure.getByRole("button", { name: "Turn the sentence round" }).click();
      expect(await order(figureOf(page, "words"))).toEqual([...words].reverse());
      await press(figure.locator('[data-place="0"]'), "ArrowRight");
      expect((await order(figure))[1]).toBe("man");
    }, asWritten));
});

describe("what the mask leaks", () => {
  test("the share of the start word is 1 / (m + 1) with the mask, and flat without", () =>
    onPage(async (page) => {
      const figure = figureOf(page, "leak");
      await slideTo(sliderOf(figure, "Words n"), 20);
      const count = 20;
      const x = { data: new Float32Array(count).fill(1), dims: [1, 1, count, 1] };
      const start = {
        data: Float32Array.from({ length: count }, (_, index) => (index ? 0 : 1)),
        dims: [1, 1, count, 1],
      };
      const masked = pe.attention(x, x, start, { causal: true }).data;
      const open = pe.attention(x, x, start).data;
      await expect.poll(async () => (await numbersOf(figure)).length).toBe(count);
      expectClose(
        await numbersOf(figure),
        Array.from(masked, (weight, index) => [weight, open[index]]),
      );
      masked.forEach((weight, index) => expect(weight).toBeCloseTo(1 / (index + 1), 6));
    }));

  test("chart, map and sentence follow one cursor", () =>
    onPage(async (page) => {
      const figure = figureOf(page, "leak");
      const guess = () => figure.locator("[role=status]").textContent();
      const chart = sliderOf(figure, "Weight on the start word, by position");
      await press(chart, "Home", "ArrowRight", "ArrowRight", "ArrowRight");
      await expect.poll(guess).toContain("1\u00A0/\u00A00.2500\u00A0−\u00A01\u00A0=\u00A03");
      await expect
        .poll(() => figure.locator(".heatmap output").textContent())
        .toBe("position 3 gives position 0 the weight 0.2500");
      await press(figure.getByRole("application"), "ArrowDown", "ArrowRight");
      await expect.poll(guess).toContain("1\u00A0/\u00A00.2000\u00A0−\u00A01\u00A0=\u00A04");
      await hoverAt(chart, 0.99);
      await expect.poll(guess).toContain("This is position 11");
      await figure.getByRole("switch").uncheck();
      await expect.poll(guess).toContain("all 12 positions");
    }));
});
