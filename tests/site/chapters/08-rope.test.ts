// The first half of the RoPE chapter: order, clocks, shift and ruler. The figures against the library.
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
  const verdicts = (page: Page) => figureOf(page, "swap").locator(".comparison").allTextContents();

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
      const place = (index: number) => figure.locator(`[data-place="${index}"]`);
      expect(new Set(await verdicts(page))).toEqual(new Set(["Swap two words to compare."]));
      await dragOnto(place(1), place(4));
      const swapped = ["the", "man", "bites", "the", "dog"];
      await expectWeights(page, "swap", swapped);
      const [none, sinusoidal, rope] = await verdicts(page);
      expect(none).toContain("Every word’s output is the same as before.");
      expect(sinusoidal).toMatch(/[1-5] of 5 outputs changed/);
      expect(rope).toMatch(/[1-5] of 5 outputs changed/);
      await place(4).click();
      await place(1).click();
      await expectWeights(page, "swap", dog);
      await press(place(1), "ArrowRight");
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

  it("draws the curves of the chosen words and base", () =>
    withPage("rope", { hash: "#v=2&ruler.base=100" }, async (page) => {
      const figure = figureOf(page, "apart");
      await figure.getByRole("combobox", { name: "Key" }).selectOption({ label: "man" });
      const [curve, profile] = await tablesOf(figure);
      const distances = curve!.heads.map((head) => Number(head.replace("−", "-")));
      expectClose(
        curve!.numbers,
        distances.map((distance) => [score(["dog", "man"], 0, distance, 100)]),
      );
      const rope = pe.create({ kind: "rope", dim: vectorLength, base: 100 });
      const { data } = pe.distanceProfile(rope, { maxDistance: 256 });
      rope.dispose();
      expectClose(
        profile!.numbers,
        profile!.heads.map((head) => [data[Number(head)]!]),
      );
    }));
});
