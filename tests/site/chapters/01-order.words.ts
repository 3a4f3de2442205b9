// The words of chapter 1: what the library makes of them in an order, and how the page says it.
import type { Locator, Page } from "playwright";
import { expect } from "vitest";
import { vectorLength, wordVectors } from "../../../web/site/src/lib/words.ts";
import { withPage } from "../browser.ts";
import { pe } from "../library.ts";

export const words = ["the", "dog", "bites", "the", "man"];
export const swapped = [0, 4, 2, 3, 1];
const encodings = {
  rope: pe.create({ kind: "rope", dim: vectorLength }),
  sinusoidal: pe.create({ kind: "sinusoidal", dim: vectorLength }),
};

type Method = "none" | keyof typeof encodings;

/** Attention over words in an order: outputs [words, vectorLength] and weights [words, words]. */
export function attend(order: number[], method: Method, causal = false) {
  const count = order.length;
  const data = wordVectors(order.map((word) => words[word]));
  const x = { data, dims: [1, 1, count, vectorLength] };
  if (method === "sinusoidal") encodings.sinusoidal.addTo(x);
  const options = { causal, ...(method === "rope" && { encoding: encodings.rope }) };
  return { outputs: pe.attention(x, x, x, options).data, weights: pe.attentionWeights(x, x, options).data };
}

export const original = words.map((_, word) => word);
/** The address that gives the sentence as it is written; without it the figures begin with it turned round. */
export const asWritten = "#v=2&words.order=";

/** For each place of the new order, how far the output of its word has moved. */
export function movedBy(order: number[], method: Method): number[] {
  const [before, after] = [attend(original, method).outputs, attend(order, method).outputs];
  const at = (outputs: Float32Array, row: number, index: number) => outputs[row * vectorLength + index];
  return order.map((word, index) =>
    Math.max(...Array.from({ length: vectorLength }, (_, i) => Math.abs(at(before, word, i) - at(after, index, i)))),
  );
}

export const shownChanges = (figure: Locator, panel: string) =>
  figure
    .locator(`[data-panel="${panel}"] li:not([data-row="pooled"]) output`)
    .evaluateAll((list) => list.map((one) => Number(one.getAttribute("data-change"))));

export const order = (figure: Locator) =>
  figure.locator("[data-place]").evaluateAll((list) => list.map((one) => one.textContent!.trim()));

export function expectChanges(shown: number[], wanted: number[]) {
  expect(shown.length).toBe(wanted.length);
  shown.forEach((value, index) => expect(Math.abs(value - wanted[index])).toBeLessThan(1e-5));
}

export const onPage = (work: (page: Page) => Promise<void>, hash?: string, locale: "en" | "zh-CN" = "en") =>
  withPage("order", { hash, locale }, work);
