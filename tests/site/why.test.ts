// The article on why positional encodings work: its guesses, and its numbers against the weights of the models themselves.
import { readFileSync } from "node:fs";
import type { Locator, Page } from "playwright";
import { expect, it } from "vitest";
import { en } from "../../web/site/src/articles/why/text.en.ts";
import { zhCN } from "../../web/site/src/articles/why/text.zh-CN.ts";
import { fill } from "../../web/site/src/lib/i18n.ts";
import { barriers } from "./axe.ts";
import { locales, withPage } from "./browser.ts";
import { figureOf, numbersOf, parseNumber, slideTo, sliderOf, tablesOf } from "./figure.ts";
import { half, layerOf, positionsRead, sinusoids } from "./why-probe.ts";

const lab = new URL("../../web/site/lab/", import.meta.url);
const texts = { en, "zh-CN": zhCN };
const steps = ["room", "probe", "terms", "waves", "rotation"] as const;
const figures = { room: "angles", probe: "probe", terms: "shares", waves: "rows", rotation: "pair" } as const;

/** Reads tensors of a model, float16, by their names. */
function weightsOf(id: string) {
  const file = readFileSync(new URL(`models/${id}.safetensors`, lab));
  const start = 8 + Number(file.readBigUInt64LE(0));
  const header = JSON.parse(file.subarray(8, start).toString()) as Record<string, { data_offsets: [number, number] }>;
  return (name: string): number[] => {
    const [from, to] = header[`model.${name}.weight`]!.data_offsets;
    return Array.from({ length: (to - from) / 2 }, (_, at) => half(file.readUInt16LE(start + from + 2 * at)));
  };
}

const vocabulary = JSON.parse(readFileSync(new URL("vocabulary.en.json", lab), "utf8")) as string[];
const ids = Array.from(readFileSync(new URL("text.en.txt", lab), "utf8"), (one) => vocabulary.indexOf(one)).filter(
  (id) => id >= 0,
);
const [known, examined] = [ids.slice(0, 2048), ids.slice(2048, 2560)];

/** In percent, in how many of the sums the position is found: by dot products, and by a linear layer. */
function expectedShares(id: string, kept: number): [dot: number, layer: number] {
  const weight = weightsOf(id);
  const waves = id.endsWith("sinusoidal");
  const scale = waves ? Math.sqrt(128) : 1;
  const cut = (rows: number[]) =>
    Array.from({ length: rows.length / 128 }, (_, row) => rows.slice(row * 128, row * 128 + kept));
  const characters = cut(weight("embed_tokens").map((value) => value * scale));
  const positions = cut(waves ? sinusoids(256, 128) : weight("embed_positions"));
  const sums = examined.map((character, at) =>
    characters[character]!.map((value, i) => value + positions[at % 256]![i]!),
  );
  const share = (read: number[]) => (100 * read.filter((found, at) => found === at % 256).length) / read.length;
  const layer = layerOf(
    positions,
    known.map((character) => characters[character]!),
  );
  return [share(positionsRead(sums, positions)), share(positionsRead(sums, layer.weights, layer.added))];
}

/** The first table of a figure, as soon as it is called so. */
async function numbersOnce(figure: Locator, caption: string): Promise<number[][]> {
  await expect.poll(async () => (await tablesOf(figure))[0]!.caption).toBe(caption);
  return numbersOf(figure);
}

/** Answers the guess of a step; gives what is said of it at once, and what in the end. */
async function guess(page: Page, step: (typeof steps)[number], option: number) {
  const part = page.locator(`[data-step="${step}"]`);
  await part.scrollIntoViewIfNeeded();
  const early = await part.locator(".predict").evaluate(async (one, index) => {
    one.querySelectorAll<HTMLElement>(".options button")[index]!.click();
    await new Promise((resolve) => setTimeout(resolve));
    return one.querySelectorAll(".reveal").length;
  }, option);
  await part.locator(".reveal").waitFor();
  return { early, said: await part.locator(".reveal").textContent() };
}

it.each(locales)("has a guess for each step, judged once its figure has the answer, in %s", async (locale) => {
  await withPage("why", { locale, asFound: true }, async (page) => {
    for (const step of steps) {
      const { predict } = texts[locale][step];
      const isLoaded = step === "terms" || step === "rotation";
      const { early, said } = await guess(page, step, predict.answer);
      // What the model has answered once it knows at once.
      if (!isLoaded) expect(early, step).toBe(0);
      expect(said).toContain(predict.reveal.slice(0, 12));
      expect((await tablesOf(figureOf(page, figures[step]))).length).toBeGreaterThan(0);
    }
    expect(await barriers(page)).toEqual([]);
  });
});

it("finds the positions of as many sums as the weights themselves say", async () => {
  await withPage("why", {}, async (page) => {
    await guess(page, "probe", 0);
    const figure = figureOf(page, "probe");
    const models = { sinusoidal: "en-sinusoidal", learned: "en-learned" } as const;
    for (const model of ["sinusoidal", "learned"] as const) {
      await figure.getByRole("radio", { name: en.models.names[model], exact: true }).check();
      const shown = await numbersOnce(figure, fill(en.probe.figure.table, { model: en.models.names[model] }));
      for (const [row, kept] of [8, 32, 128].entries()) {
        const [dot, layer] = expectedShares(models[model], kept);
        // One sum of 512, which two rounded scores may decide.
        expect(Math.abs(shown[2 * row + 1]![0]! - dot), `${model}, ${kept}, dot product`).toBeLessThan(0.3);
        expect(Math.abs(shown[2 * row + 1]![1]! - layer), `${model}, ${kept}, layer`).toBeLessThan(0.3);
      }
    }
  });
});

it("shows what its words say", async () => {
  await withPage("why", {}, async (page) => {
    for (const step of steps) await guess(page, step, 0);
    const [, angles] = await tablesOf(figureOf(page, "angles"));
    const [low, high] = angles!.numbers[0]!;
    expect(Math.max(90 - low!, high! - 90)).toBeLessThan(11);
    const shares = (await numbersOf(figureOf(page, "probe"))).at(-1)!;
    expect(shares[0]).toBeGreaterThan(85);
    expect(shares[0]).toBeLessThan(91);
    expect(Math.min(...shares.slice(1))).toBeGreaterThan(97);
    for (const spread of await numbersOf(figureOf(page, "shares")))
      expect(spread[3]).toBeGreaterThan(2 * Math.max(...spread.slice(0, 3)));
    const [added, rotated] = await numbersOf(figureOf(page, "pair"));
    expect(added![1]! - added![0]!).toBeGreaterThan(10);
    expect(rotated![1]! - rotated![0]!).toBeLessThan(1e-5);
    const rows = figureOf(page, "rows");
    const found = rows.locator('[data-value="found"]');
    const shareFound = async () => parseNumber((await found.textContent())!.replace("%", ""));
    await expect.poll(shareFound).toBeLessThan(3);
    await rows.getByRole("radio", { name: en.waves.figure.tables.sinusoidal, exact: true }).check();
    await expect.poll(shareFound).toBe(100);
    await slideTo(sliderOf(rows, en.waves.figure.steps), 9);
    await expect.poll(shareFound).toBe(100);
  });
});

it("stays an article of ten minutes", () => {
  const counters = { en: /[\p{L}\p{N}’'-]*[\p{L}\p{N}]/gu, "zh-CN": /\p{Script=Han}/gu };
  for (const [locale, most] of [
    ["en", 1150],
    ["zh-CN", 1900],
  ] as const) {
    const text = texts[locale];
    const said = [
      text.promise,
      ...text.ending.paragraphs,
      ...steps.flatMap((step) => {
        const { heading, paragraphs, predict, idea } = text[step];
        return [heading, ...paragraphs, predict.question, ...predict.options, predict.reveal, ...idea];
      }),
    ];
    const words = said
      .join(" ")
      .replace(/<[^>]*>/g, "")
      .match(counters[locale])!.length;
    expect(words, locale).toBeLessThan(most);
  }
});
