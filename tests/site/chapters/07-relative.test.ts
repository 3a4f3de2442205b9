// The chapter on relative positions: its figures against the library.
import { explain } from "posenc/explain";
import type { Locator } from "playwright";
import { describe, expect, it } from "vitest";
import { methodCounts } from "../../../web/site/src/chapters/07-relative/counts.ts";
import { learnerNames } from "../../../web/site/src/chapters/07-relative/learn.ts";
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

const matrix = (data: ArrayLike<number>, columns: number, most = columns): number[][] =>
  Array.from({ length: data.length / columns }, (_, row) =>
    Array.from({ length: Math.min(most, columns) }, (_, column) => data[row * columns + column]!),
  );

describe("Shaw's clipped distances", () => {
  const rowsOf = (words: number, clip: number) => {
    const shaw = pe.create({ kind: "shaw", dim: 4, maxDistance: clip });
    const distances = Array.from({ length: words * words }, (_, index) => (index % words) - Math.floor(index / words));
    return matrix(shaw.bucketOf(distances), words);
  };

  const cases = (figure: Locator, name: "cases" | "long") => figure.locator(`[data-value="${name}"]`).innerText();

  it("counts the cases of pairs, distances and clipped distances", () =>
    withPage("relative", {}, async (page) => {
      const figure = figureOf(page, "clip");
      // It begins with the most cases; each view leaves fewer.
      expect(await cases(figure, "cases")).toBe("100");
      expect(parseNumber(await cases(figure, "long"))).toBe(1_000_000);
      expect(new Set((await numbersOf(figure)).flat()).size).toBe(100);
      await figure.getByRole("radio", { name: "a distance" }).check();
      await expect.poll(() => cases(figure, "cases")).toBe("19");
      // Of ten words no distance is farther than 9: none is clipped.
      expect(await numbersOf(figure)).toEqual(rowsOf(10, 9));
      expect(await cases(figure, "long")).toBe("1999");
      await figure.getByRole("radio", { name: "a clipped distance" }).check();
      await expect.poll(() => cases(figure, "cases")).toBe("5");
      expect(await numbersOf(figure)).toEqual(rowsOf(10, 2));
      await slideTo(sliderOf(figure, "Words"), 7);
      await press(sliderOf(figure, "Clip K"), "ArrowRight");
      expect(await numbersOf(figure)).toEqual(rowsOf(7, 3));
      expect([await cases(figure, "cases"), await cases(figure, "long")]).toEqual(["7", "7"]);
      await press(sliderOf(figure, "Clip K"), "Home");
      expect(new Set((await numbersOf(figure)).flat())).toEqual(new Set([0]));
    }));

  it("names its rows and columns legibly on a phone", () =>
    withPage("relative", { width: 390 }, async (page) => {
      const figure = figureOf(page, "clip");
      const boxes = await figure
        .locator(".grid text")
        .evaluateAll((all) =>
          all.map((one) => ({ size: parseFloat(getComputedStyle(one).fontSize), box: one.getBoundingClientRect() })),
        );
      expect(Math.min(...boxes.map(({ size }) => size))).toBeGreaterThanOrEqual(11);
      const collide = (a: DOMRect, b: DOMRect) =>
        a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
      const heads = boxes.filter(({ size }) => size === 12).map(({ box }) => box);
      expect(heads.length).toBeGreaterThan(20);
      expect(heads.filter((one, index) => heads.slice(index + 1).some((other) => collide(one, other)))).toEqual([]);
    }));

  it("lights up all pairs that are one case", () =>
    withPage("relative", { hash: "#v=2&clip.words=8&clip.clip=2&clip.see=clipped" }, async (page) => {
      const figure = figureOf(page, "clip");
      const grid = figure.getByRole("application");
      await hoverAt(grid, 4.5 / 8, 3.5 / 8);
      // Distance +1: one pair less than there are words.
      await expect.poll(() => figure.locator(".cell.together").count()).toBe(7);
      await press(grid, "Home");
      await press(grid, "ArrowDown", "ArrowDown", "ArrowDown", "ArrowDown");
      const reading = figure.locator(".grid output");
      expect(await reading.textContent()).toMatch(/: −2, like 21 of the 64 pairs$/);
      expect(await figure.locator(".cell.together").count()).toBe(21);
      await figure.getByRole("radio", { name: "two positions" }).check();
      await expect.poll(() => figure.locator(".cell.together").count()).toBe(1);
    }));

  it("scores are even along diagonals where all words are the same", () =>
    withPage("relative", { hash: "#v=2&clip.words=6" }, async (page) => {
      const figure = figureOf(page, "scores");
      expect(await figure.locator("p output").textContent()).toBe("5");
      const uneven = await numbersOf(figure);
      expect(uneven[0]![1]).not.toBeCloseTo(uneven[1]![2]!, 4);
      await figure.getByRole("switch", { name: "The same word everywhere" }).click();
      const even = await numbersOf(figure);
      for (let row = 1; row < 6; row += 1)
        for (let column = 1; column < 6; column += 1)
          expect(even[row]![column]).toBeCloseTo(even[row - 1]![column - 1]!, 4);
      await figure.getByRole("switch", { name: /own part/ }).click();
      expect((await numbersOf(figure))[0]![0]).toBeGreaterThan(even[0]![0]! + 10);
    }));
});

describe("three learners", () => {
  it("are covered until the reader has guessed", () =>
    withPage("relative", { asFound: true }, async (page) => {
      const figure = figureOf(page, "learn");
      await figure.scrollIntoViewIfNeeded();
      const result = figure.locator('[data-beyond="shaw"]');
      await result.waitFor({ state: "attached" });
      expect(await result.isVisible()).toBe(false);
      await page.locator(".predict").getByRole("button", { name: "the table" }).click();
      await expect.poll(() => result.isVisible()).toBe(true);
      expect(await figure.locator(".cover").count()).toBe(0);
    }));

  it("are shown to those who do not want to guess", () =>
    withPage("relative", { asFound: true }, async (page) => {
      const figure = figureOf(page, "learn");
      await figure.scrollIntoViewIfNeeded();
      await figure.getByRole("button", { name: "Show it now" }).click();
      await expect.poll(() => figure.locator('[data-beyond="shaw"]').isVisible()).toBe(true);
    }));

  const beyond = async (figure: Locator, name: string) =>
    parseNumber((await figure.locator(`[data-beyond="${name}"] output`).textContent())!);

  it("the table fails beyond its texts, Shaw does not, and T5 leaks until all its buckets are trained", () =>
    withPage("relative", {}, async (page) => {
      const figure = figureOf(page, "learn");
      expect(await beyond(figure, "shaw")).toBeGreaterThan(0.5);
      await figure.scrollIntoViewIfNeeded();
      await expect.poll(() => beyond(figure, "shaw"), { timeout: 60_000 }).toBeLessThan(0.02);
      expect(await beyond(figure, "table")).toBeGreaterThan(0.5);
      expect(await beyond(figure, "t5")).toBeGreaterThan(0.05);
      const [scores, errors] = await tablesOf(figure);
      expect(errors!.numbers[8]!.every((error) => error < 0.5)).toBe(true);
      const best = scores!.numbers.reduce(
        (most, row, index) => (row[0]! > scores!.numbers[most]![0]! ? index : most),
        0,
      );
      // Every second distance is shown, -63 first.
      expect(scores!.heads[best]).toBe("-1");
      await slideTo(sliderOf(figure, "T5’s largest distance"), 12);
      await expect.poll(() => beyond(figure, "t5"), { timeout: 60_000 }).toBeLessThan(0.02);
      const chart = sliderOf(figure, /Error at each position/);
      await press(chart, "End");
      expect(await chart.getAttribute("aria-valuetext")).toMatch(/^position 63:/);
      await hoverAt(sliderOf(figure, /Score of each distance/), 0.001);
      await expect
        .poll(() => sliderOf(figure, /Score of each distance/).getAttribute("aria-valuetext"))
        .toMatch(/^distance −63:/);
    }));

  it("half of the text is not a matter of distances", () =>
    withPage("relative", { hash: "#v=2&learn.exam=16" }, async (page) => {
      const figure = figureOf(page, "learn");
      await figure.getByRole("radio", { name: "the mean of its half" }).check();
      const errorAt = async (name: number) => (await numbersOf(figure, 1))[7]![name]!;
      await expect.poll(() => errorAt(0), { timeout: 60_000 }).toBeLessThan(0.1);
      await expect.poll(() => errorAt(1), { timeout: 60_000 }).toBeGreaterThan(0.2);
      expect(await errorAt(2)).toBeGreaterThan(0.2);
      // Longer texts have smaller means: compared with answering nothing, nobody gets better there.
      await slideTo(sliderOf(figure, "Words in examined texts"), 64);
      for (const name of learnerNames) await expect.poll(() => beyond(figure, name)).toBeGreaterThan(0.4);
      expect(await beyond(figure, "shaw")).toBeGreaterThan(1);
      await figure.getByRole("button", { name: "Train again" }).click();
      await expect.poll(() => new URL(page.url()).hash).toContain("learn.seed=2");
    }));
});

describe("the four terms", () => {
  it("add up to the score, with memory and without", () =>
    withPage("relative", {}, async (page) => {
      const figure = figureOf(page, "terms");
      const sums = async () => {
        const tables = (await tablesOf(figure)).map(({ numbers }) => numbers);
        const total = tables[4]!;
        total.forEach((row, query) =>
          row.forEach((score, key) => {
            const parts = tables.slice(0, 4).map((one) => one[query]![key]!);
            expect(parts.reduce((sum, part) => sum + part, 0)).toBeCloseTo(score, 3);
          }),
        );
        return tables;
      };
      const withMemory = await sums();
      expect(withMemory[0]![0]!.length).toBe(9);
      // (c) has equal rows, (d) equal diagonals.
      expect(withMemory[2]![5]).toEqual(withMemory[2]![0]);
      expect(withMemory[3]![4]!.slice(1)).toEqual(withMemory[3]![3]!.slice(0, -1));
      await press(sliderOf(figure, "Words in memory"), "Home");
      const without = await sums();
      expect(without[4]).toEqual(withMemory[4]!.map((row) => row.slice(3)));
      const grid = figure.getByRole("application", { name: /^Sum/ });
      await hoverAt(grid, 0.5 / 6, 1.5 / 6);
      const reading = figure.locator(".below output");
      await expect.poll(() => reading.textContent()).toMatch(/^query 1, key 0, distance 1:/);
      expect(parseNumber(/≈ (.+)$/.exec((await reading.textContent())!)![1]!)).toBeCloseTo(without[4]![1]![0]!, 2);
      await press(grid, "ArrowRight");
      expect(await reading.textContent()).toMatch(/^query 1, key 1, distance 0:/);
    }));
});

describe("the shift", () => {
  const shifted = (queries: number, columns: number) => {
    const data = Float32Array.from({ length: queries * columns }, (_, index) => columns - (index % columns));
    return matrix(pe.relativeShift({ data, dims: [queries, columns] }, { zeroWrapped: true }).data, columns);
  };

  it("moves every distance to its key", () =>
    withPage("relative", {}, async (page) => {
      const figure = figureOf(page, "shift");
      expect(await numbersOf(figure)).toEqual(Array.from({ length: 5 }, () => [7, 6, 5, 4, 3, 2, 1, 0]));
      await figure.getByRole("radio", { name: "By key, shifted" }).check();
      const expectShifted = async (queries: number, columns: number) => {
        const shown = await numbersOf(figure);
        // Junk has no number; the library writes 0 there, and distances begin with 1 in this copy.
        expect(shown.map((row) => row.map((distance) => (Number.isNaN(distance) ? 0 : distance + 1)))).toEqual(
          shifted(queries, columns),
        );
      };
      await expectShifted(5, 8);
      await slideTo(sliderOf(figure, "Queries"), 3);
      await press(sliderOf(figure, "Words in memory"), "Home", "ArrowRight");
      await expectShifted(3, 4);
      const grid = figure.getByRole("application");
      await hoverAt(grid, 1.5 / 4, 1.5 / 3);
      await expect.poll(() => figure.locator(".grid .grid output").textContent()).toBe("query 1, key 0: distance 1");
      await press(grid, "ArrowUp", "ArrowRight", "ArrowRight");
      expect(await figure.locator(".grid .grid output").textContent()).toMatch(/^query 0, key 2: junk/);
    }));
});

describe("T5's buckets", () => {
  it("are the library's, and all distances of a bucket are counted", () =>
    withPage("relative", { hash: "#v=2&buckets.reach=64" }, async (page) => {
      const figure = figureOf(page, "buckets");
      const check = async (spec: { buckets: number; maxDistance: number; bidirectional: boolean }) => {
        const t5 = pe.create({ kind: "t5", heads: 1, std: 1, seed: 4, ...spec });
        const distances = Array.from({ length: 129 }, (_, index) => index - 64);
        const asked = { queries: 1, keys: 129, offset: 0, keyPositions: distances };
        const expected = [...t5.buckets(asked).data];
        const [runs, bias] = await tablesOf(figure);
        const shown = runs!.heads.flatMap((bucket, row) =>
          Array.from({ length: runs!.numbers[row]![2]! }, () => Number(bucket)),
        );
        expect(shown).toEqual(expected);
        expectClose(bias!.numbers, matrix(t5.bias({ queries: 48, keys: 48 }).data, 48, 16));
        return expected;
      };
      const buckets = await check({ buckets: 32, maxDistance: 128, bidirectional: true });
      const ruler = figure.locator(".ruler").getByRole("slider");
      await press(ruler, "Home");
      const count = buckets.filter((bucket) => bucket === buckets[0]).length;
      expect(await ruler.getAttribute("aria-valuetext")).toContain(`shared by ${count} of the distances`);
      await hoverAt(ruler, 0.5);
      await expect.poll(() => ruler.getAttribute("aria-valuenow")).toBe("0");
      await press(ruler, "Shift+ArrowRight", "ArrowLeft");
      expect(await ruler.getAttribute("aria-valuenow")).toBe("9");
      await figure.getByRole("switch", { name: "Logarithmic ruler" }).click();
      await hoverAt(ruler, 0.999);
      await expect.poll(() => ruler.getAttribute("aria-valuenow")).toBe("64");
      await slideTo(sliderOf(figure, "Buckets"), 16);
      await slideTo(sliderOf(figure, "Largest distance D"), 40);
      await check({ buckets: 16, maxDistance: 40, bidirectional: true });
      await figure.getByRole("switch", { name: "Both directions" }).click();
      await check({ buckets: 16, maxDistance: 40, bidirectional: false });
      const heat = figure.getByRole("application");
      await press(heat, "Home", "ArrowRight");
      await expect
        .poll(() => heat.locator("xpath=ancestor::div[contains(@class,'heatmap')]//output").textContent())
        .toMatch(/^query 30, key 1: bucket \d+, bias/);
    }));

  it("says what the library says against buckets that cannot be", () =>
    withPage("relative", { hash: "#v=2&buckets.buckets=64&buckets.largest=16" }, async (page) => {
      const figure = figureOf(page, "buckets");
      expect(await figure.locator("code").textContent()).toBe(
        "t5.maxDistance: must be > 16 (single-distance buckets), got 16",
      );
      await press(sliderOf(figure, "Largest distance D"), "ArrowRight");
      expect(await figure.locator(".ruler").count()).toBe(1);
    }));
});

describe("the count", () => {
  it("is the library's for every size of a model", () =>
    withPage("relative", {}, async (page) => {
      const figure = figureOf(page, "count");
      const total = async (method: string) =>
        parseNumber((await figure.locator(`[data-method="${method}"] output`).textContent())!);
      expect(await total("learned")).toBe(512 * 768);
      expect(await total("t5")).toBe(32 * 12);
      expect(await total("shaw")).toBe(12 * 2 * 33 * 64);
      expect(await total("rope")).toBe(0);
      await slideTo(sliderOf(figure, "Layers"), 2);
      await slideTo(sliderOf(figure, "Heads"), 4);
      await press(sliderOf(figure, "Clip K (Shaw)"), "Home");
      const { parameters } = explain(pe, { kind: "transformer-xl", dim: 64, heads: 4 });
      const size = Object.values(parameters).reduce((sum, dims) => sum + dims.reduce((a, b) => a * b, 1), 0);
      expect(await total("transformer-xl")).toBe(2 * size);
      expect(await total("shaw")).toBe(2 * 2 * 3 * 64);
      const [table] = await tablesOf(figure);
      expect(table!.heads).toHaveLength(8);
    }));

  it("draws no numbers to count them", () => {
    const drawn: string[] = [];
    const watched = new Proxy(pe, {
      get: (target, name) =>
        name === "create"
          ? (spec: Parameters<typeof pe.create>[0]) => {
              const encoding = target.create(spec);
              const { parameters } = encoding as { parameters: Record<string, { data: Float32Array }> };
              if (
                spec.kind !== "alibi" &&
                Object.values(parameters).some(({ data }) => data.some((value) => value !== 0))
              )
                drawn.push(spec.kind!);
              return encoding;
            }
          : Reflect.get(target, name),
    });
    const counts = methodCounts(watched, { length: 512, layers: 12, heads: 4, dim: 16, clip: 4 });
    expect(counts.find(({ name }) => name === "learned")!.one).toBe(512 * 64);
    expect(drawn).toEqual([]);
  });
});
