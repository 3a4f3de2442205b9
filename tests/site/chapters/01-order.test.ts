// Chapter 1: what its figures show is what the library gives for the same words.
import type { Locator, Page } from "playwright";
import { describe, expect, test } from "vitest";
import { vectorLength, wordVectors } from "../../../web/site/src/lib/words.ts";
import { withPage } from "../browser.ts";
import { dragOnto, expectClose, figureOf, hoverAt, numbersOf, press, sliderOf, slideTo, tablesOf } from "../figure.ts";
import { pe } from "../library.ts";

const words = ["the", "dog", "bites", "the", "man"];
const swapped = [0, 4, 2, 3, 1];
const encodings = {
  rope: pe.create({ kind: "rope", dim: vectorLength }),
  sinusoidal: pe.create({ kind: "sinusoidal", dim: vectorLength }),
};

type Method = "none" | keyof typeof encodings;

/** Attention over words in an order: outputs [words, vectorLength] and weights [words, words]. */
function attend(order: number[], method: Method, causal = false) {
  const count = order.length;
  const data = wordVectors(order.map((word) => words[word]));
  const x = { data, dims: [1, 1, count, vectorLength] };
  if (method === "sinusoidal") encodings.sinusoidal.addTo(x);
  const options = { causal, ...(method === "rope" && { encoding: encodings.rope }) };
  return { outputs: pe.attention(x, x, x, options).data, weights: pe.attentionWeights(x, x, options).data };
}

const original = words.map((_, word) => word);
/** The address that gives the sentence as it is written; without it the figures begin with it turned round. */
const asWritten = "#v=2&words.order=";

/** For each place of the new order, how far the output of its word has moved. */
function movedBy(order: number[], method: Method): number[] {
  const [before, after] = [attend(original, method).outputs, attend(order, method).outputs];
  const at = (outputs: Float32Array, row: number, index: number) => outputs[row * vectorLength + index];
  return order.map((word, place) =>
    Math.max(...Array.from({ length: vectorLength }, (_, i) => Math.abs(at(before, word, i) - at(after, place, i)))),
  );
}

const shownChanges = (figure: Locator, panel: string) =>
  figure
    .locator(`[data-panel="${panel}"] li:not([data-row="pooled"]) output`)
    .evaluateAll((list) => list.map((one) => Number(one.getAttribute("data-change"))));

const order = (figure: Locator) =>
  figure.locator("[data-place]").evaluateAll((list) => list.map((one) => one.textContent!.trim()));

function expectChanges(shown: number[], wanted: number[]) {
  expect(shown.length).toBe(wanted.length);
  shown.forEach((value, place) => expect(Math.abs(value - wanted[place])).toBeLessThan(1e-5));
}

const onPage = (work: (page: Page) => Promise<void>, hash?: string, locale: "en" | "zh-CN" = "en") =>
  withPage("order", { hash, locale }, work);

describe("the outputs, word by word", () => {
  test("swapped by the button: without positions the same, with positions not", () =>
    onPage(async (page) => {
      const figure = figureOf(page, "words");
      await figure.getByRole("button", { name: "Swap “dog” and “man”" }).click();
      expect(await order(figure)).toEqual(swapped.map((word) => words[word]));
      const none = await shownChanges(figure, "none");
      expectChanges(none, movedBy(swapped, "none"));
      expect(Math.max(...none)).toBeLessThan(1e-5);
      expect(await figure.locator('[data-panel="none"] [role=status]').textContent()).toContain("All 5 outputs");
      for (const [name, method] of [
        ["Sinusoidal", "sinusoidal"],
        ["RoPE", "rope"],
      ] as const) {
        await figure.getByRole("radio", { name }).check();
        const changes = await shownChanges(figure, "with");
        expectChanges(changes, movedBy(swapped, method));
        expect(Math.min(...changes)).toBeGreaterThan(0.001);
      }
      expect(await figure.locator('[data-panel="with"] [role=status]').textContent()).toContain("5 of 5");
      await figure.getByRole("button", { name: "Original order" }).click();
      expect(await order(figure)).toEqual(words);
    }, asWritten));

  test("begins with the sentence turned round, in both figures", () =>
    onPage(async (page) => {
      for (const name of ["words", "matrix"])
        expect(await order(figureOf(page, name))).toEqual(swapped.map((word) => words[word]));
      expectChanges(await shownChanges(figureOf(page, "words"), "with"), movedBy(swapped, "sinusoidal"));
    }));

  test("dragged, and moved with the arrow keys", () =>
    onPage(async (page) => {
      const figure = figureOf(page, "words");
      const word = (place: number) => figure.locator(`[data-place="${place}"]`);
      await dragOnto(word(1), word(4));
      expect(await order(figure)).toEqual(["the", "man", "bites", "the", "dog"]);
      await press(word(4), "ArrowLeft");
      expect(await order(figure)).toEqual(["the", "man", "bites", "dog", "the"]);
      expectChanges(await shownChanges(figure, "with"), movedBy([0, 4, 2, 1, 3], "sinusoidal"));
    }, asWritten));

  test("the pooled vector forgets the order; with positions it does not", () =>
    onPage(async (page) => {
      const pooled = (panel: string) =>
        figureOf(page, "words")
          .locator(`[data-panel="${panel}"] [data-row="pooled"] output`)
          .getAttribute("data-change");
      expect(Number(await pooled("none"))).toBeLessThan(1e-5);
      expect(Number(await pooled("with"))).toBeGreaterThan(0.01);
    }, "#v=2&words.order=0.4.2.3.1"));

  test("a sentence of one's own, and too short a one", () =>
    onPage(async (page) => {
      const figure = figureOf(page, "words");
      const field = figure.getByRole("textbox", { name: "Your sentence" });
      await field.fill("one  two, three!");
      expect(await order(figure)).toEqual(["one", "two", "three"]);
      await field.fill("alone");
      await expect.poll(() => figure.getByRole("alert").textContent()).toContain("at least two words");
      await expect.poll(() => figureOf(page, "matrix").getByRole("alert").count()).toBe(1);
      await figure.getByRole("button", { name: "the dog bites the man" }).click();
      expect(await order(figure)).toEqual(words);
    }));

  test("ALiBi does not notice a sentence turned round", () =>
    onPage(
      async (page) => {
        const figure = figureOf(page, "words");
        await figure.getByRole("radio", { name: "ALiBi" }).check();
        await figure.getByRole("button", { name: "交换“狗”和“人”" }).click();
        expect(Math.max(...(await shownChanges(figure, "with")))).toBeLessThan(1e-5);
        await figure.getByRole("radio", { name: "RoPE" }).check();
        expect(Math.min(...(await shownChanges(figure, "with")))).toBeGreaterThan(0.001);
      },
      asWritten,
      "zh-CN",
    ));
});

describe("the weights", () => {
  const rows = (weights: Float32Array) => words.map((_, row) => weights.slice(row * 5, row * 5 + 5));
  const moved = (weights: Float32Array, places: number[]) =>
    places.map((row) => Float32Array.from(places, (column) => weights[row * 5 + column]));

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
      const stage = figure.getByRole("application");
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
        data: Float32Array.from({ length: count }, (_, place) => (place ? 0 : 1)),
        dims: [1, 1, count, 1],
      };
      const masked = pe.attention(x, x, start, { causal: true }).data;
      const open = pe.attention(x, x, start).data;
      await expect.poll(async () => (await numbersOf(figure)).length).toBe(count);
      expectClose(
        await numbersOf(figure),
        Array.from(masked, (weight, place) => [weight, open[place]]),
      );
      masked.forEach((weight, place) => expect(weight).toBeCloseTo(1 / (place + 1), 6));
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

describe("nine encodings, five questions", () => {
  const marks = async (figure: Locator, kind: string) =>
    (await figure.locator(`[data-kind="${kind}"] td span[aria-hidden]`).allTextContents()).join("");
  const sentence = (figure: Locator, check: string) => figure.locator(`[data-check="${check}"] dd`).textContent();

  test("ticks and crosses", () =>
    onPage(async (page) => {
      const figure = figureOf(page, "needs");
      const found = Object.fromEntries(
        await Promise.all(
          ["one-hot", "integer", "normalized", "binary", "periodic", "sinusoidal", "learned", "rope", "alibi"].map(
            async (kind) => [kind, await marks(figure, kind)],
          ),
        ),
      );
      expect(found).toEqual({
        "one-hot": "✓✓✗✗–",
        integer: "✓✗✓✓–",
        normalized: "✓✓✗✗–",
        binary: "✓✓✗✗–",
        periodic: "✗✓✗✓–",
        sinusoidal: "✓✓✓✓–",
        learned: "✓✓✗✗✓",
        rope: "✓✓✓✓–",
        alibi: "✓✗✓✓–",
      });
    }));

  test("the numbers behind them, by pointer and by keys", () =>
    onPage(async (page) => {
      const figure = figureOf(page, "needs");
      // The whole row can be pressed: its label lies over the cells.
      await hoverAt(figure.locator('[data-kind="normalized"] td').nth(2), 0.5);
      await page.mouse.down();
      await page.mouse.up();
      await slideTo(sliderOf(figure, "Length n"), 32);
      const step = (length: number) => pe.create({ kind: "normalized" }).table({ length }).data[1];
      const short = (value: number) => String(Number(value.toPrecision(3)));
      await expect
        .poll(() => sentence(figure, "relative"))
        .toBe(`One step is ${short(step(32))} long, but ${short(step(128))} in a text four times as long.`);
      await press(figure.getByRole("radio", { name: "Show the numbers of Normalised" }), "ArrowDown");
      await expect.poll(() => sentence(figure, "longer")).toBe("There is no signal from position 32 on.");
      await press(figure.getByRole("radio", { name: "Show the numbers of Binary" }), "ArrowDown");
      const twins = pe.create({ kind: "periodic", dim: 5 }).table({ positions: [0, 32] }).data;
      expect(Math.max(...twins.slice(0, 5).map((value, index) => Math.abs(value - twins[5 + index])))).toBe(0);
      await expect.poll(() => sentence(figure, "unique")).toBe("Positions 0 and 32 get the same vector.");
      const alibi = pe.distanceProfile(pe.create({ kind: "alibi", heads: 8 }), { maxDistance: 127 }).data;
      await figure.getByRole("radio", { name: "Show the numbers of ALiBi" }).check();
      await expect.poll(() => sentence(figure, "bounded")).toContain(`times as long ${short(-alibi[127])}`);
    }));

  test("all of them as a table", () =>
    onPage(async (page) => {
      const [table] = await tablesOf(figureOf(page, "needs"));
      expect(table.heads.length).toBe(9);
      expect(table.cells[6][4]).toBe(`yes: ${16 * 16} numbers have to be learned.`);
    }));
});

test("below the figure nothing is said before it: one sentence, then the words to drag", () =>
  withPage("order", { asFound: true }, async (page) => {
    const figure = (await figureOf(page, "words").boundingBox())!;
    expect(await page.locator(".lead").count()).toBe(1);
    const word = (await figureOf(page, "words").locator('[data-place="0"]').boundingBox())!;
    expect(word.y - figure.y).toBeLessThan(120);
    // Both verdicts stand in the first screen with the words.
    for (const panel of ["none", "with"]) {
      const verdict = figureOf(page, "words").locator(`[data-panel="${panel}"] [role=status]`);
      const box = (await verdict.boundingBox())!;
      expect(box.y + box.height).toBeLessThan(800);
    }
  }));

test("a formula lights up what it speaks of", () =>
  onPage(async (page) => {
    await page.getByText("Why must it be so?").click();
    await page.locator('math [data-link="original"]').first().hover();
    await expect.poll(() => figureOf(page, "words").locator('svg [data-link="original"].linked').count()).toBe(12);
    await page.locator('math [data-link="computed"]').first().hover();
    await expect.poll(() => figureOf(page, "matrix").locator('[data-panel="computed"].linked').count()).toBe(1);
    expect(await page.locator('svg [data-link="original"].linked').count()).toBe(0);
  }));
