// Chapter 1: what its figures show is what the library gives for the same words.
import type { Locator } from "playwright";
import { describe, expect, test } from "vitest";
import { withPage } from "../browser.ts";
import { dragOnto, figureOf, hoverAt, press, sliderOf, slideTo, tablesOf } from "../figure.ts";
import { pe } from "../library.ts";
import { asWritten, expectChanges, movedBy, onPage, order, shownChanges, swapped, words } from "./01-order.words.ts";

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

  test("begins with the sentence as written, asks, and turns it round in both figures", () =>
    onPage(async (page) => {
      expect(await order(figureOf(page, "words"))).toEqual(words);
      const asked = page.locator(".predict").first();
      await asked.getByRole("button", { name: "dog and man" }).click();
      await expect.poll(() => asked.locator(".reveal").innerText()).toContain("Not quite.");
      for (const name of ["words", "matrix"])
        expect(await order(figureOf(page, name))).toEqual(swapped.map((word) => words[word]));
      expectChanges(await shownChanges(figureOf(page, "words"), "with"), movedBy(swapped, "sinusoidal"));
    }));

  test("dragged, and moved with the arrow keys", () =>
    onPage(async (page) => {
      const figure = figureOf(page, "words");
      const word = (index: number) => figure.locator(`[data-place="${index}"]`);
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
    // Both verdicts stand in one screen with the words.
    for (const panel of ["none", "with"]) {
      const verdict = figureOf(page, "words").locator(`[data-panel="${panel}"] [role=status]`);
      const box = (await verdict.boundingBox())!;
      expect(box.y + box.height - figure.y).toBeLessThan(540);
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
