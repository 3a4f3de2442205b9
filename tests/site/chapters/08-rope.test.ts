// The RoPE chapter: order, clocks, shift, ruler and base. The figures against the library.
import type { Page } from "playwright";
import { describe, expect, it } from "vitest";
import { vectorLength, wordVector } from "../../../web/site/src/lib/words.ts";
import { withPage } from "../browser.ts";
import {
  dragBy,
  dragOnto,
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

interface Setting {
  causal?: boolean;
  shift?: number;
  /** Of ALiBi's eight. */
  head?: number;
}

/** One sentence through attention: without positions, with sinusoidal, RoPE and ALiBi; [words, words] each. */
function weights(words: string[], { causal = false, shift = 0, head = 1 }: Setting = {}): number[][][] {
  const count = words.length;
  const made = () => Float32Array.from(words.flatMap((word) => [...wordVector(word)]));
  const tensor = (heads = 1) => ({
    data: Float32Array.from(Array.from({ length: heads }, () => [...made()]).flat()),
    dims: [1, heads, count, vectorLength],
  });
  const sinusoidal = pe.create({ kind: "sinusoidal", dim: vectorLength });
  const rope = pe.create({ kind: "rope", dim: vectorLength });
  const alibi = pe.create({ kind: "alibi", heads: 8 });
  const added = sinusoidal.addTo(tensor(), { offset: shift });
  const plain = tensor();
  const eight = tensor(8);
  const at = { offset: shift };
  const all = [
    pe.attentionWeights(plain, plain, { causal }).data,
    pe.attentionWeights(added, added, { causal }).data,
    pe.attentionWeights(plain, plain, { causal, encoding: rope, at }).data,
    pe.attentionWeights(eight, eight, { causal, encoding: alibi, at }).data.slice((head - 1) * count ** 2),
  ];
  for (const encoding of [sinusoidal, rope, alibi]) encoding.dispose();
  return all.map((data) => words.map((_, row) => [...data.subarray(row * count, (row + 1) * count)]));
}

async function expectWeights(page: Page, name: string, words: string[], setting?: Setting): Promise<void> {
  const tables = await tablesOf(figureOf(page, name));
  weights(words, setting).forEach((rows, method) => expectClose(tables[method]!.numbers, rows));
}

const dog = ["the", "dog", "bites", "the", "man"];

describe("order", () => {
  const verdicts = async (page: Page) =>
    (await figureOf(page, "swap").locator(".comparison").allTextContents()).map((one) => one.trim());

  it("shows the four kinds of weights, of the examples and of a sentence of one's own", () =>
    withPage("rope", {}, async (page) => {
      await expectWeights(page, "swap", dog);
      const figure = figureOf(page, "swap");
      await figure.getByRole("button", { name: "猫 追 老鼠" }).click();
      expect((await tablesOf(figure))[0]!.heads.join("")).toBe("猫追老鼠");
      await figure.getByRole("textbox").fill("you see me");
      await expectWeights(page, "swap", ["you", "see", "me"]);
      await figure.getByRole("switch").click();
      await slideTo(sliderOf(figure, /ALiBi head/), 5);
      await expectWeights(page, "swap", ["you", "see", "me"], { causal: true, head: 5 });
    }));

  it("notices a swap by drag, by two presses and by keys, where there are positions", () =>
    withPage("rope", {}, async (page) => {
      const figure = figureOf(page, "swap");
      const position = (index: number) => figure.locator(`[data-place="${index}"]`);
      expect(new Set(await verdicts(page))).toEqual(new Set(["Swap two words to compare."]));
      await dragOnto(position(1), position(4));
      const swapped = ["the", "man", "bites", "the", "dog"];
      await expectWeights(page, "swap", swapped);
      const [none, sinusoidal, rope] = await verdicts(page);
      expect(none).toContain("Every word’s output is the same as before.");
      expect(sinusoidal).toMatch(/[1-5] of 5 outputs changed/);
      expect(rope).toMatch(/[1-5] of 5 outputs changed/);
      await position(4).click();
      await position(1).click();
      await expectWeights(page, "swap", dog);
      await press(position(1), "ArrowRight");
      await expectWeights(page, "swap", ["the", "bites", "dog", "the", "man"]);
      await figure.getByRole("button", { name: "Original order" }).click();
      await figure.getByRole("button", { name: /^Swap “dog” and “man”/ }).click();
      await expectWeights(page, "swap", swapped);
    }));

  it("reads out the weight under the pointer", () =>
    withPage("rope", {}, async (page) => {
      const matrix = figureOf(page, "swap").getByRole("img", { name: /RoPE/ });
      await hoverAt(matrix, 0.97, 0.97);
      const expected = weights(dog)[2]![4]![4]!.toFixed(3);
      await expect.poll(() => figureOf(page, "swap").innerText()).toContain(`man → man: ${expected}`);
    }));
});

describe("clocks", () => {
  const hands = (position: number) => {
    const rope = pe.create({ kind: "rope", dim: vectorLength });
    const { cos, sin } = rope.tables({ positions: [position] });
    rope.dispose();
    return [0, 2, 4, 7, 10, 14].map((pair) => [cos.data[pair]!, sin.data[pair]!]);
  };

  it("stand where the library has turned them", () =>
    withPage("rope", {}, async (page) => {
      const figure = figureOf(page, "clocks");
      const shown = async () => (await numbersOf(figure)).map((row) => row.slice(0, 2));
      expectClose(await shown(), hands(3));
      await press(sliderOf(figure, /Position/), "End");
      expectClose(await shown(), hands(200));
      const tip = figure.locator("svg .tip").first();
      expect(Number(await tip.getAttribute("cx"))).toBeCloseTo(46 * hands(200)[0]![0]!, 1);
      expect(Number(await tip.getAttribute("cy"))).toBeCloseTo(-46 * hands(200)[0]![1]!, 1);
    }));
});

describe("shift", () => {
  it("leaves RoPE and ALiBi as they were, and moves sinusoidal", () =>
    withPage("rope", {}, async (page) => {
      const figure = figureOf(page, "shift");
      await slideTo(sliderOf(figure, /Positions moved/), 5000);
      await expectWeights(page, "shift", dog, { shift: 5000 });
      const much = await figure
        .locator(".change")
        .evaluateAll((list) => list.map((one) => one.classList.contains("much")));
      expect(much).toEqual([false, true, false, false]);
    }));
});

describe("the ruler", () => {
  /** The score of one word at `m` as a query and another at `n` as a key. */
  function score([query, key]: [string, string], m: number, n: number, base = 10000): number {
    const rope = pe.create({ kind: "rope", dim: vectorLength, base });
    const x = { data: Float32Array.of(...wordVector(query), ...wordVector(key)), dims: [1, 1, 2, vectorLength] };
    rope.apply(x, { positions: [m, n] });
    rope.dispose();
    return pe.similarity({ data: x.data, dims: [2, vectorLength] }).data[1]!;
  }
  const status = (page: Page) => figureOf(page, "apart").locator("p.score").textContent();

  it("keeps the score while both words are dragged, and changes it with one", () =>
    withPage("rope", {}, async (page) => {
      const figure = figureOf(page, "apart");
      const words: [string, string] = ["dog", "bites"];
      expect(await status(page)).toContain(`score ${score(words, 12, 20).toFixed(3)}`);
      await dragBy(sliderOf(figure, /Both words/), 150);
      expect(await status(page)).toContain(`distance 8, score ${score(words, 12, 20).toFixed(3)}`);
      await press(sliderOf(figure, /^Key/), "ArrowRight", "ArrowRight");
      expect(await status(page)).toContain(`distance 10, score ${score(words, 12, 22).toFixed(3)}`);
      await press(sliderOf(figure, /Score of these two words/), "ArrowLeft");
      expect(await status(page)).toContain("distance 9,");
    }));

  /** Rows of a table that shows every other distance, or fewer. */
  const rowsOf = (heads: string[], value: (distance: number) => number[]) =>
    heads.map((head) => value(Number(head.replace("−", "-"))));
  const own = (word: string) => wordVector(word).map((value) => value - 1);
  /** The score of a query at 0 with a key, of any vectors. */
  function scoreOf(query: Float32Array, key: Float32Array, distance: number): number {
    const rope = pe.create({ kind: "rope", dim: vectorLength });
    const { data } = rope.apply({ data: key.slice(), dims: [1, 1, 1, vectorLength] }, { positions: [distance] });
    rope.dispose();
    return query.reduce((sum, value, position) => sum + value * data[position]!, 0);
  }

  it("draws the curve of the chosen words", () =>
    withPage("rope", {}, async (page) => {
      const figure = figureOf(page, "apart");
      await figure.getByRole("combobox", { name: "Key" }).selectOption({ label: "man" });
      const [curve] = await tablesOf(figure);
      expectClose(
        curve!.numbers,
        rowsOf(curve!.heads, (distance) => [score(["dog", "man"], 0, distance)]),
      );
    }));

  it.each([false, true])("averages over a hundred pairs of words (mean zero: %s)", (zeroMean) =>
    withPage("rope", { hash: zeroMean ? "#v=2&ruler.zeroMean=1" : "" }, async (page) => {
      const figure = figureOf(page, "apart");
      const vector = zeroMean ? own : wordVector;
      const pairs = Array.from(
        { length: 100 },
        (_, index) => [vector(`query ${index}`), vector(`key ${index}`)] as const,
      );
      const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
      const [curve, means] = await tablesOf(figure);
      for (const head of ["0", "9", "60", "126"]) {
        const shown = means!.numbers[means!.heads.indexOf(head)]!;
        expect(shown[0]).toBeCloseTo(mean(pairs.map(([query]) => scoreOf(query, query, Number(head)))), 3);
        expect(shown[1]).toBeCloseTo(mean(pairs.map(([query, key]) => scoreOf(query, key, Number(head)))), 3);
      }
      expectClose(
        curve!.numbers,
        rowsOf(curve!.heads, (distance) => [scoreOf(vector("dog"), vector("bites"), distance)]),
      );
      // What the text says: with mean zero a word with itself decays, and different words have nothing that could.
      const [same, different] = [0, 1].map((column) => means!.numbers.map((row) => row[column]!));
      expect(same!.at(-1)).toBeLessThan(same![0]! / 2);
      if (zeroMean) expect(Math.max(...different!.map(Math.abs))).toBeLessThan(same![0]! / 10);
      else expect(different!.at(-1)).toBeLessThan(different![0]! / 2);
    }),
  );
});

describe("the base", () => {
  const profile = (base: number, maxDistance: number) => {
    const rope = pe.create({ kind: "rope", dim: 128, base });
    const { data } = pe.distanceProfile(rope, { maxDistance });
    rope.dispose();
    return data;
  };

  it.each([100, 10000, 500000, 1e6])("%i: says where the sum of cosines first turns negative", (base) =>
    withPage("rope", { hash: `#v=2&base.base=${base}` }, async (page) => {
      const figure = figureOf(page, "base");
      const expected = profile(base, 32768);
      const [bound, curve] = await tablesOf(figure);
      expect(bound!.numbers).toEqual([[expected.findIndex((value) => value < 0)]]);
      expectClose(
        curve!.numbers,
        curve!.heads.map((head) => [expected[Number(head)]!]),
      );
    }),
  );

  it("moves with the slider, and the bounds that the text gives hold", () =>
    withPage("rope", {}, async (page) => {
      const figure = figureOf(page, "base");
      const slider = sliderOf(figure, /Base/);
      expect(await figure.locator("p[role=status]").textContent()).toBe("First negative at distance 1707");
      await press(slider, "ArrowRight");
      const base = parseNumber((await slider.getAttribute("aria-valuetext"))!);
      const first = profile(base, 8192).findIndex((value) => value < 0);
      expect(await figure.locator("p[role=status]").textContent()).toBe(`First negative at distance ${first}`);
      const firstOf = (value: number) => profile(value, 16384).findIndex((mean) => mean < 0);
      expect(firstOf(27_000)).toBeGreaterThan(0.99 * 4096);
      expect(firstOf(84_000)).toBeGreaterThan(8192);
    }));
});

describe("the main path", () => {
  it("is two figures; what goes deeper is folded", () =>
    withPage("rope", { asFound: true }, async (page) => {
      const open = page.locator("[data-figure]:not(details [data-figure])");
      expect(await open.evaluateAll((all) => all.map((one) => (one as HTMLElement).dataset["figure"]))).toEqual([
        "hands",
        "shift",
      ]);
    }));

  it("has no empty screen under a question on a phone", () =>
    withPage("rope", { width: 390, asFound: true }, async (page) => {
      const figure = figureOf(page, "shift");
      await figure.scrollIntoViewIfNeeded();
      await figure.locator(".cover").waitFor();
      expect((await figure.locator(".cover").boundingBox())!.height).toBeLessThan(220);
      expect((await figure.boundingBox())!.height).toBeLessThan(560);
      await page.locator(".predict").getByRole("button", { name: "Both" }).click();
      await expect.poll(async () => (await figure.boundingBox())!.height).toBeGreaterThan(800);
    }));

  it("draws the share of a quick pair as a smooth line, with a dot at every whole distance", () =>
    withPage("rope", { hash: "#v=2&hands.pair=0" }, async (page) => {
      const figure = figureOf(page, "hands");
      const [dots, points] = await Promise.all([
        figure.locator("circle.place").count(),
        figure.locator("path.line").evaluate((line) => line.getAttribute("d")!.match(/[ML]/g)!.length),
      ]);
      expect(dots).toBe(129);
      expect(points).toBe(6 * 128 + 1);
    }));
});
