// The rotation chapter: every figure, driven and compared with the library's own numbers.
import type { Locator, Page } from "playwright";
import { describe, expect, test } from "vitest";
import { en } from "../../../web/site/src/chapters/04-rotation/text.en.ts";
import { withPage } from "../browser.ts";
import { expectClose, figureOf, hoverAt, numbersOf, parseNumber, press, slideTo, sliderOf } from "../figure.ts";
import { pe } from "../library.ts";

const visit = (name: string, work: (figure: Locator, page: Page) => Promise<void>, hash = "") =>
  withPage("rotation", { hash }, (page) => work(figureOf(page, name), page));

function made<T>(dim: number, base: number, work: (encoding: ReturnType<typeof sinusoidal>) => T): T {
  const encoding = sinusoidal(dim, base);
  try {
    return work(encoding);
  } finally {
    encoding.dispose();
  }
}
const sinusoidal = (dim: number, base: number) => pe.create({ kind: "sinusoidal", dim, base });
const rows = (dim: number, base: number, positions: number[]) => {
  const { data } = made(dim, base, (encoding) => encoding.table({ positions }));
  return positions.map((_, row) => Array.from(data.slice(row * dim, (row + 1) * dim)));
};
const shift = (dim: number, base: number, step: number) => {
  const { data } = made(dim, base, (encoding) => encoding.shift(step));
  return Array.from({ length: dim }, (_, row) =>
    Array.from({ length: dim }, (_, column) => (column >> 1 === row >> 1 ? data[2 * row + (column % 2)] : 0)),
  );
};
const dot = (a: ArrayLike<number>, b: ArrayLike<number>) =>
  Array.from(a).reduce((sum, value, index) => sum + value * b[index], 0);
/** A small number as the site writes it: "6.0 × 10⁻⁸". */
function small(text: string): number {
  const [factor, power] = text.split("\u00A0×\u00A010");
  const digits = [...(power ?? "⁰")].map((digit) => (digit === "⁻" ? "-" : "⁰¹²³⁴⁵⁶⁷⁸⁹".indexOf(digit))).join("");
  return parseNumber(factor) * 10 ** Number(digits);
}
const logIndex = (value: number) => Math.round(Math.log10(value) * 20);

describe("apart", () => {
  const text = en.apart.figure;
  const value = async (figure: Locator, name: string) =>
    (await figure.locator(`[data-value="${name}"]`).allInnerTexts()).map(parseNumber);
  const agreement = (start: number, step: number) => {
    const [from, to] = rows(8, 100, [start, start + step]);
    const pairs = [0, 2, 4, 6].map((at) => dot(from.slice(at, at + 2), to.slice(at, at + 2)));
    return [...pairs, dot(from, to)];
  };

  test("both words walk on: the hands move, what they agree by stays", () =>
    visit("apart", async (figure) => {
      const [shown] = await numbersOf(figure);
      expectClose([shown], [agreement(5, 3)]);
      const hands = () => figure.locator("line.hand:not(.from)").first().getAttribute("x2");
      const before = await hands();
      const apart = await figure.locator(".clocks small").allInnerTexts();
      await figure.getByRole("button", { name: text.walk }).click();
      await expect.poll(() => sliderOf(figure, text.start).inputValue()).toBe("105");
      expect(await hands()).not.toBe(before);
      expect(await figure.locator(".clocks small").allInnerTexts()).toEqual(apart);
      for (const [index, one] of (await numbersOf(figure))[0].entries()) expect(one).toBeCloseTo(shown[index], 4);
      await slideTo(sliderOf(figure, text.start), 450);
      await figure.getByRole("button", { name: text.walk }).click();
      await expect.poll(() => sliderOf(figure, text.start).inputValue()).toBe("100");
    }));

  test("what walks can be stopped", () =>
    withPage("rotation", { reducedMotion: "no-preference" }, async (page) => {
      const figure = figureOf(page, "apart");
      const start = () => sliderOf(figure, text.start).inputValue();
      await figure.getByRole("button", { name: text.walk }).click();
      await expect.poll(start).not.toBe("5");
      await figure.getByRole("button", { name: text.stop }).click();
      const stopped = await start();
      await page.waitForTimeout(400);
      expect(await start()).toBe(stopped);
      expect(Number(stopped)).toBeLessThan(105);
      await figure.getByRole("button", { name: text.walk }).waitFor();
    }));

  test("another distance; the same one backwards agrees as well", () =>
    visit("apart", async (figure) => {
      await slideTo(sliderOf(figure, text.step), 20);
      expect(await value(figure, "agree")).toEqual(
        agreement(5, 20)
          .slice(0, 4)
          .map((one) => Number(one.toFixed(3))),
      );
      const sum = await value(figure, "sum");
      const angle = (Math.abs(Math.atan2(shift(8, 100, 20)[0][1], shift(8, 100, 20)[0][0])) * 180) / Math.PI;
      expect(await figure.locator(".clocks small").first().innerText()).toBe(`${angle.toFixed(1)}° apart`);
      await slideTo(sliderOf(figure, text.step), -20);
      await expect.poll(() => figure.locator(".second").innerText()).toContain("−15");
      expect(await value(figure, "sum")).toEqual(sum);
    }));
});

describe("turn", () => {
  const text = en.turn.figure;

  test("a guess is answered", () =>
    withPage("rotation", {}, async (page) => {
      const guess = page.getByRole("button", { name: en.turn.predict.options[1] });
      await guess.click();
      await expect.poll(() => page.locator(".reveal").first().innerText()).toMatch(/^Not quite/);
      await page.getByRole("button", { name: en.turn.predict.options[0], exact: true }).click();
      await expect.poll(() => page.locator(".reveal").first().innerText()).toMatch(/^Right/);
    }));

  test("the matrix stays while m moves, and turns with k", () =>
    visit("turn", async (figure) => {
      expectClose(await numbersOf(figure, 1), shift(8, 100, 3));
      await slideTo(sliderOf(figure, text.start), 200);
      const [from, to] = rows(8, 100, [200, 203]);
      expectClose(await numbersOf(figure, 0), [from, to, to]);
      expectClose(await numbersOf(figure, 1), shift(8, 100, 3));
      await press(sliderOf(figure, text.step), "ArrowLeft", "ArrowLeft", "ArrowLeft", "ArrowLeft", "ArrowLeft");
      expectClose(await numbersOf(figure, 1), shift(8, 100, -2));
      expectClose((await numbersOf(figure, 0)).slice(1), [rows(8, 100, [198])[0], rows(8, 100, [198])[0]]);
      expect(small(await figure.locator("p output").innerText())).toBeLessThan(1e-6);
    }));

  test("other dimensions and bases", () =>
    visit("turn", async (figure) => {
      await slideTo(sliderOf(figure, text.dim), 16);
      await slideTo(sliderOf(figure, text.base), logIndex(10000));
      await expect.poll(() => figure.locator(".clock").count()).toBe(8);
      expectClose(await numbersOf(figure, 1), shift(16, 10000, 3));
      const angle = (Math.atan2(shift(16, 10000, 3)[2][3], shift(16, 10000, 3)[2][2]) * 180) / Math.PI;
      expect(await figure.locator(".clock").nth(1).innerText()).toContain(`${angle.toFixed(1)}°`);
    }));
});

test("compose: steps add up, and lead back", () =>
  visit("compose", async (figure) => {
    const text = en.compose.figure;
    await press(sliderOf(figure, text.first), "ArrowRight");
    await slideTo(sliderOf(figure, text.second), -11);
    expectClose(await numbersOf(figure, 0), shift(8, 100, 4));
    expectClose(await numbersOf(figure, 1), shift(8, 100, -11));
    expectClose(await numbersOf(figure, 2), shift(8, 100, -7));
    await figure.getByRole("button", { name: text.back }).click();
    const unit = shift(8, 100, 0);
    expectClose(await numbersOf(figure, 2), unit);
    expect(small(await figure.locator("p output").innerText())).toBeLessThan(1e-6);
  }));

describe("learn", () => {
  const text = en.learn.figure;

  test("a layer finds the matrix", () =>
    visit("learn", async (figure) => {
      const distance = (a: number[][], b: number[][]) =>
        Math.max(...a.flatMap((row, index) => row.map((value, column) => Math.abs(value - b[index][column]))));
      expect(distance(await numbersOf(figure, 1), shift(8, 100, 3))).toBeLessThan(1e-4);
      expectClose(await numbersOf(figure, 2), shift(8, 100, 3));
      await press(sliderOf(figure, text.steps), "Home");
      expect(distance(await numbersOf(figure, 1), shift(8, 100, 3))).toBeGreaterThan(0.5);
      await expect.poll(() => sliderOf(figure, text.curves).getAttribute("aria-valuenow")).toBe("0");
      await hoverAt(sliderOf(figure, text.curves), 0.5);
      await expect.poll(() => sliderOf(figure, text.steps).inputValue()).toBe("150");
      await press(sliderOf(figure, text.curves), "ArrowRight");
      await expect.poll(() => sliderOf(figure, text.steps).inputValue()).toBe("155");
      await figure.getByRole("button", { name: text.again }).click();
      await expect.poll(() => sliderOf(figure, text.steps).inputValue()).toBe("300");
      await slideTo(sliderOf(figure, text.step), -5);
      expect(distance(await numbersOf(figure, 1), shift(8, 100, -5))).toBeLessThan(1e-3);
    }));

  test("not where the slow hands hardly move; more positions help", () =>
    visit("learn", async (figure) => {
      await slideTo(sliderOf(figure, text.base), logIndex(10000));
      const last = async () => (await numbersOf(figure, 0)).at(-1)!;
      const [trained, far] = await last();
      expect(trained).toBeLessThan(0.1);
      expect(far).toBeGreaterThan(0.5);
      await slideTo(sliderOf(figure, text.seen), 256);
      await expect.poll(async () => (await last())[1]).toBeLessThan(0.5);
    }));
});

test("pairs: every cell is one pair's share, and the curves are their sums", () =>
  visit(
    "pairs",
    async (figure) => {
      const text = en.pairs.figure;
      await slideTo(sliderOf(figure, text.split), 3);
      await press(sliderOf(figure, text.reach), "ArrowLeft");
      const reach = 16;
      const positions = Array.from({ length: 2 * reach + 1 }, (_, index) => index - reach);
      const table = rows(16, 100, positions);
      const share = (row: number, first: number, last: number) =>
        dot(table[reach].slice(2 * first, 2 * last), table[row].slice(2 * first, 2 * last));
      const [sums, cells] = [await numbersOf(figure, 0), await numbersOf(figure, 1)];
      expectClose(
        sums,
        positions.map((_, row) => [share(row, 0, 8), share(row, 0, 3), share(row, 3, 8)]),
      );
      expectClose(
        cells,
        Array.from({ length: 8 }, (_, pair) => positions.slice(0, 16).map((_, row) => share(row, pair, pair + 1))),
      );
      const map = figure.getByRole("application", { name: text.map });
      await hoverAt(map, 0.99, 0.97);
      const read = figure.locator(".heatmap output");
      await expect.poll(() => read.innerText()).toContain("pair 7, distance 16");
      await press(map, "ArrowLeft", "ArrowUp");
      expect(await read.innerText()).toContain(`pair 6, distance 15: ${share(2 * reach - 1, 6, 7).toFixed(3)}`);
      // The curves point at the same distance, and back.
      const curves = sliderOf(figure, text.curves);
      expect(await curves.getAttribute("aria-valuetext")).toContain("distance 15");
      await hoverAt(curves, 0.5);
      await expect.poll(() => read.innerText()).toContain("distance 0: 1.000");
    },
    "#v=2&pairs.dim=16&pairs.base=100&pairs.reach=24",
  ));

describe("decay", () => {
  const text = en.decay.figure;
  const likeness = (dim: number, base: number, distance: number) => {
    const [home, there] = rows(dim, base, [0, distance]);
    return dot(home, there) / (dim / 2);
  };
  /** The table shows every second place: distance 10 is its row 10. */
  const ten = async (figure: Locator) => (await numbersOf(figure))[10];

  test("bases, then dimensions", () =>
    visit("decay", async (figure) => {
      expectClose([await ten(figure)], [[100, 1e4, 1e6].map((base) => likeness(512, base, 10))]);
      await slideTo(sliderOf(figure, text.dim), 64);
      expectClose([await ten(figure)], [[100, 1e4, 1e6].map((base) => likeness(64, base, 10))]);
      await figure.getByRole("radio", { name: text.dims }).check();
      await slideTo(sliderOf(figure, text.base), logIndex(1000));
      expectClose([await ten(figure)], [[8, 32, 128, 512].map((dim) => likeness(dim, 1000, 10))]);
    }));

  test("the cursor, by pointer and by keys", () =>
    visit("decay", async (figure) => {
      const plot = sliderOf(figure, text.curves);
      await hoverAt(plot, 0.5);
      await expect.poll(() => plot.getAttribute("aria-valuetext")).toContain("distance 1000");
      await press(plot, "Home");
      const value = likeness(512, 10000, 1).toFixed(3);
      expect(await plot.getAttribute("aria-valuetext")).toContain(`b = 10000: ${value}`);
    }));
});

describe("direction", () => {
  const text = en.direction.figure;
  const value = (figure: Locator, name: string) => figure.locator(`[data-value="${name}"]`).innerText();
  const table = () =>
    rows(
      32,
      10000,
      Array.from({ length: 48 }, (_, index) => index),
    );

  test("identity: symmetric, one value on each diagonal", () =>
    visit("direction", async (figure) => {
      await figure.getByRole("radio", { name: text.identity }).check();
      const expected = table().map((query) => table().map((key) => dot(query, key)));
      const shown = await numbersOf(figure);
      expectClose(
        shown,
        expected.map((row) => row.slice(0, 16)),
      );
      expect(small(await value(figure, "mirror"))).toBeLessThan(1e-5);
      expect(small(await value(figure, "diagonal"))).toBeLessThan(1e-4);
      expect(await value(figure, "highest")).toBe(`24 (${text.same})`);
    }));

  test("a turn looks back, and forwards", () =>
    visit("direction", async (figure) => {
      expect(await value(figure, "highest")).toBe("20 (4 before)");
      expect(small(await value(figure, "mirror"))).toBeGreaterThan(1);
      expect(small(await value(figure, "diagonal"))).toBeLessThan(1e-4);
      await slideTo(sliderOf(figure, text.back), -3);
      await expect.poll(() => value(figure, "highest")).toBe("27 (3 after)");
      const map = figure.getByRole("application", { name: text.scores });
      await press(map, "ArrowDown");
      await expect.poll(() => value(figure, "highest")).toBe("28 (3 after)");
      await hoverAt(sliderOf(figure, new RegExp("query at position 25")), 0);
      await expect.poll(() => figure.locator(".heatmap output").innerText()).toContain("query at 25, key at 0");
    }));

  test("a random matrix keeps neither", () =>
    visit("direction", async (figure) => {
      await figure.getByRole("radio", { name: text.random }).check();
      await press(sliderOf(figure, text.seed), "ArrowRight");
      const drawn = pe.create({ kind: "learned", length: 32, dim: 32, std: 1 / Math.sqrt(32), seed: 2 }).weights.data;
      const rotated = table().map((key) =>
        Array.from({ length: 32 }, (_, row) => dot(drawn.slice(row * 32, (row + 1) * 32), key)),
      );
      const expected = table().map((query) => rotated.slice(0, 16).map((key) => dot(query, key)));
      // The scores are float32, as large as 8, and some nearly cancel.
      const shown = await numbersOf(figure);
      shown.forEach((row, index) =>
        row.forEach((score, column) => expect(score).toBeCloseTo(expected[index][column], 4)),
      );
      expect(small(await value(figure, "mirror"))).toBeGreaterThan(1);
      expect(small(await value(figure, "diagonal"))).toBeGreaterThan(1);
    }));
});
