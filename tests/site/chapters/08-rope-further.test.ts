// More of the RoPE chapter: two hands, layouts, partial rotation, a whole text. The figures against the library.
import { describe, expect, it } from "vitest";
import { vectorLength, wordVector } from "../../../web/site/src/lib/words.ts";
import { withPage } from "../browser.ts";
import {
  dragBy,
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

type Layout = "half" | "interleaved";
interface Options {
  pairing?: Layout;
  rotaryDim?: number;
}

const query = wordVector("cat");
const key = wordVector("mouse");

function rotated(vector: Float32Array, position: number, options: Options = {}): Float32Array {
  if (options.rotaryDim === 0) return vector;
  const rope = pe.create({ kind: "rope", dim: vectorLength, ...options });
  const { data } = rope.apply({ data: vector.slice(), dims: [1, 1, 1, vectorLength] }, { positions: [position] });
  rope.dispose();
  return data;
}

/** The dot product of the numbers that are asked for. */
const product = (a: Float32Array, b: Float32Array, isMeant = (_place: number) => true) =>
  a.reduce((sum, value, index) => (isMeant(index) ? sum + value * b[index]! : sum), 0);

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);
const ofPair = (pair: number) => (index: number) => index % 32 === pair;

/** Tables thin long series out: every `step`th of them. */
const thinned = (values: number[], rows: number) => {
  const step = Math.ceil(values.length / rows);
  return values.filter((_, index) => index % step === 0).map((value) => [value]);
};

describe("two hands", () => {
  const shares = (m: number, n: number) =>
    range(0, 31).map((pair) => product(rotated(query, m), rotated(key, n), ofPair(pair)));
  const curve = (pair: number) => range(-64, 64).map((n) => product(query, rotated(key, n), ofPair(pair)));

  it("shows the shares of all pairs and the curve of one", () =>
    withPage("rope", {}, async (page) => {
      const figure = figureOf(page, "hands");
      expectClose(await numbersOf(figure, 0), thinned(shares(10, 15), 64));
      expectClose(await numbersOf(figure, 1), thinned(curve(2), 64));
      await slideTo(sliderOf(figure, /Pair/), 20);
      expectClose(await numbersOf(figure, 1), thinned(curve(20), 64));
      const shown = await figure.locator(".dial output").textContent();
      expect(shown).toContain(`this pair adds ${shares(10, 15)[20]!.toFixed(2)} to the score`);
    }));

  it("keeps every share when both words are dragged, and changes them when one is", () =>
    withPage("rope", {}, async (page) => {
      const figure = figureOf(page, "hands");
      const before = await numbersOf(figure, 0);
      await press(sliderOf(figure, /Both words/), "ArrowRight", "ArrowRight", "ArrowRight");
      expectClose(await numbersOf(figure, 0), thinned(shares(13, 18), 64));
      (await numbersOf(figure, 0)).forEach(([share], row) => expect(share).toBeCloseTo(before[row]![0]!, 4));
      await dragBy(sliderOf(figure, /^Key/), 200);
      const shown = (await figure.locator(".dial output").textContent())!;
      const index = Number(/key at (\d+)/.exec(shown)![1]);
      expect(index).toBeGreaterThan(18);
      expectClose(await numbersOf(figure, 0), thinned(shares(13, index), 64));
    }));

  it("chooses a pair where the pointer is on the strip, and a distance on the curve", () =>
    withPage("rope", {}, async (page) => {
      const figure = figureOf(page, "hands");
      await hoverAt(figure.getByRole("img", { name: "Share of each pair in the score" }), 30.5 / 32);
      await expect.poll(() => sliderOf(figure, /Pair/).inputValue()).toBe("30");
      await press(sliderOf(figure, /Share of this pair/), "ArrowRight");
      await expect.poll(() => figure.locator(".dial output").textContent()).toContain("key at 16");
    }));
});

describe("layouts", () => {
  const ways: [Layout, Layout, boolean][] = [
    ["interleaved", "interleaved", false],
    ["half", "interleaved", false],
    ["half", "half", false],
    ["half", "half", true],
  ];
  const permuted = (data: Float32Array) =>
    pe.permuteWeights({ data, dims: [vectorLength, 1] }, { heads: 1, from: "interleaved", to: "half" })
      .data as Float32Array;
  const rows = (distance: number) =>
    range(0, 64).map((shift) =>
      ways.map(([ofQuery, ofKey, isPermuted]) => {
        const [q, k] = isPermuted ? [permuted(query), permuted(key)] : [query, key];
        return product(rotated(q, shift, { pairing: ofQuery }), rotated(k, shift + distance, { pairing: ofKey }));
      }),
    );

  it("shows every way to run the weights, at any distance", () =>
    withPage("rope", {}, async (page) => {
      const figure = figureOf(page, "layouts");
      const shown = await numbersOf(figure);
      const step = Math.ceil(65 / shown.length);
      expectClose(
        shown,
        rows(8).filter((_, index) => index % step === 0),
      );
      await slideTo(sliderOf(figure, /Distance/), 3);
      expectClose(
        await numbersOf(figure),
        rows(3).filter((_, index) => index % step === 0),
      );
    }));

  it("says which of them is wrong, and in what", () =>
    withPage("rope", {}, async (page) => {
      const figure = figureOf(page, "layouts");
      const verdict = figure.locator("output").last();
      const found = async () =>
        /move: (.+?)\. Farthest off from training: (.+)\.$/.exec((await verdict.textContent())!)!.slice(1);
      const all = rows(8);
      const column = (way: number) => all.map((row) => row[way]!);
      const [moved, off] = await found();
      const spread = Math.max(...column(1).map((value) => Math.abs(value - column(1)[0]!)));
      expect(parseNumber(moved!)).toBeCloseTo(spread, 2);
      expect(parseNumber(off!)).toBeGreaterThan(10);
      await figure.getByRole("radio", { name: "both half", exact: true }).check();
      expect((await found())[0]).toBe("only rounding");
      expect(parseNumber((await found())[1]!)).toBeCloseTo(Math.abs(column(2)[0]! - column(0)[0]!), 2);
      await figure.getByRole("radio", { name: "both half, weights permuted" }).check();
      expect(await found()).toEqual(["only rounding", "only rounding"]);
      await figure.getByRole("radio", { name: "as trained: interleaved" }).check();
      expect(await found()).toEqual(["only rounding", "only rounding"]);
      await expect.poll(() => page.evaluate(() => location.hash)).toContain("layouts.run=trained");
    }));

  it("reads the scores out where the cursor is", () =>
    withPage("rope", {}, async (page) => {
      const figure = figureOf(page, "layouts");
      const chart = sliderOf(figure, /Score at a fixed distance/);
      await press(chart, "Home", "ArrowRight");
      const [trained, mixed] = rows(8)[1]!;
      expect(await chart.getAttribute("aria-valuetext")).toBe(
        `query at 1, key at 9: as trained ${trained!.toFixed(3)}; queries half, keys interleaved ${mixed!.toFixed(3)}`,
      );
    }));
});

describe("partial rotation", () => {
  const parts = (rotaryDim: number) =>
    range(0, 128).map((distance) => {
      const far = rotated(key, distance, { rotaryDim });
      return [
        product(query, far),
        product(query, far, (index) => index < rotaryDim),
        product(query, far, (index) => index >= rotaryDim),
      ];
    });

  it("splits the score, for no, some and all numbers that turn", () =>
    withPage("rope", {}, async (page) => {
      const figure = figureOf(page, "partial");
      for (const rotaryDim of [16, 0, 40, 64]) {
        await slideTo(sliderOf(figure, /Numbers that turn/), rotaryDim);
        const shown = await numbersOf(figure, 0);
        const step = Math.ceil(129 / 64);
        expectClose(
          shown,
          parts(rotaryDim).filter((_, index) => index % step === 0),
        );
      }
    }));

  it("shows the query before and after", () =>
    withPage("rope", {}, async (page) => {
      const figure = figureOf(page, "partial");
      await slideTo(sliderOf(figure, /Position/), 90);
      const after = rotated(query, 90, { rotaryDim: 16 });
      expectClose(
        await numbersOf(figure, 1),
        range(0, 63).map((index) => [query[index]!, after[index]!]),
      );
      await press(sliderOf(figure, /Score by distance/), "Home");
      const [whole, rotating, still] = parts(16)[0]!.map((value) => value.toFixed(2));
      expect(await sliderOf(figure, /Score by distance/).getAttribute("aria-valuetext")).toBe(
        `distance 0: ${whole} ≈ ${rotating} that turns + ${still} that stays`,
      );
    }));
});

describe("a whole text", () => {
  const mixtures = [
    [1.2, 0],
    [1, 0.5],
    [0.7, 1.1],
    [0, 1.6],
  ];
  /** Weights of one word of the text in one head, with RoPE and without. */
  function weights(words: string[], head: number, word: number, causal: boolean): number[][] {
    const [shared, own] = mixtures[head - 1]!;
    const data = Float32Array.from(
      words.flatMap((one) => [...wordVector(one)].map((value) => shared! + own! * (value - 1))),
    );
    const x = { data, dims: [1, 1, words.length, vectorLength] };
    const encoding = pe.create({ kind: "rope", dim: vectorLength });
    const rows = [{ causal, encoding }, { causal }].map((options) => pe.attentionWeights(x, x, options).data);
    encoding.dispose();
    return words.map((_, index) => rows.map((row) => row[word * words.length + index]!));
  }

  const text = "the cat sees the dog and the dog sees a cat";
  const words = text.split(" ");

  it("colours the reader's own text, with every head and mask", () =>
    withPage("rope", {}, async (page) => {
      const figure = figureOf(page, "reading");
      await figure.getByRole("textbox").fill(text);
      expect(await figure.locator('[data-method="rope"] [data-word]').count()).toBe(words.length);
      await press(figure.getByRole("slider", { name: /^With RoPE/ }), "End");
      for (const [head, name] of [
        "1: distance alone",
        "2: mostly distance",
        "3: mostly words",
        "4: words alone",
      ].entries()) {
        await figure.getByRole("radio", { name }).check();
        expectClose(await numbersOf(figure), weights(words, head + 1, 10, true));
      }
      await figure.getByRole("switch").click();
      expectClose(await numbersOf(figure), weights(words, 4, 10, false));
      expect(await figure.locator('[data-method="none"] output').textContent()).toMatch(
        /^“cat” looks at: cat \(−9; 0\.\d{3}\)/,
      );
    }));

  it("follows pointer and keys from word to word", () =>
    withPage("rope", {}, async (page) => {
      const figure = figureOf(page, "reading");
      await figure.getByRole("textbox").fill(text);
      await figure.locator('[data-method="none"] [data-word="7"]').hover();
      await expect.poll(() => figure.locator('[data-method="rope"] .chosen').textContent()).toBe("dog");
      expectClose(await numbersOf(figure), weights(words, 3, 7, true));
      // The lines leave out the word itself and, under the mask, all words after it.
      const line = await figure.locator("path.line").first().getAttribute("d");
      expect(line!.match(/[ML]/g)).toHaveLength(7);
      await press(figure.getByRole("slider", { name: /^Without positions/ }), "ArrowLeft");
      expect((await tablesOf(figure))[0]!.caption).toBe("Weights of “the” in head 3");
      await press(figure.getByRole("slider", { name: /^Weights of the other words/ }), "ArrowRight", "ArrowRight");
      expect((await tablesOf(figure))[0]!.caption).toBe("Weights of “sees” in head 3");
    }));

  it("says that one word is too few, and takes the sample where there is none", () =>
    withPage("rope", {}, async (page) => {
      const figure = figureOf(page, "reading");
      await figure.getByRole("textbox").fill("alone …");
      expect(await figure.getByRole("status").textContent()).toBe("Two words at least are needed.");
      await figure.getByRole("textbox").fill("… !");
      expect(await figure.getByRole("status").textContent()).toBe("Two words at least are needed.");
      await figure.getByRole("textbox").fill("");
      await expect.poll(() => figure.locator('[data-method="rope"] [data-word]').count()).toBeGreaterThan(40);
    }));

  it("cuts Chinese into words", () =>
    withPage("rope", { locale: "zh-CN" }, async (page) => {
      const figure = figureOf(page, "reading");
      await figure.getByRole("textbox").fill("猫追老鼠，老鼠追猫。");
      expect(await figure.locator('[data-method="rope"] [data-word]').allTextContents()).toContain("老鼠");
    }));
});
