// Chapter 2: the tables, distances and waves that its figures show are those of the library.
import type { Locator, Page } from "playwright";
import { describe, expect, it } from "vitest";
import type { Spec } from "posenc";
import { explain } from "posenc/explain";
import { withPage } from "../browser.ts";
import { expectClose, figureOf, hoverAt, numbersOf, press, sliderOf, slideTo, tablesOf } from "../figure.ts";
import { pe } from "../library.ts";

/** The rows of an encoding. */
function rows(spec: Spec, at: object): number[][] {
  const encoding = pe.create(spec);
  const { data, dims } = (encoding as { table(at: object): { data: Float32Array; dims: number[] } }).table(at);
  encoding.dispose();
  const width = dims[1]!;
  return Array.from({ length: dims[0]! }, (_, row) => [...data.subarray(row * width, (row + 1) * width)]);
}

const apart = (one: number[], other: number[]) => Math.hypot(...one.map((value, index) => value - other[index]!));
const stepsOf = (list: number[][]) => list.slice(1).map((row, position) => apart(list[position]!, row));

const onPage = (work: (page: Page) => Promise<void>, hash = "") => withPage("counting", { hash }, work);
const shownVector = (figure: Locator, kind: string) => figure.locator(`[data-kind="${kind}"] output`).innerText();

describe("six tables", () => {
  it("are the library's, for the length and the digits that are set", async () => {
    await onPage(async (page) => {
      const figure = figureOf(page, "strips");
      await slideTo(sliderOf(figure, "Length"), 12);
      await slideTo(sliderOf(figure, "Digits"), 5);
      const specs: Spec[] = [
        { kind: "one-hot", dim: 12 },
        { kind: "integer" },
        { kind: "normalized" },
        { kind: "binary", dim: 5 },
        { kind: "periodic", dim: 5 },
        { kind: "sinusoidal", dim: 10 },
      ];
      const tables = await tablesOf(figure);
      expect(tables.length).toBe(6);
      specs.forEach((spec, index) => expectClose(tables[index]!.numbers, rows(spec, { length: 12 })));
    });
  });

  it("follow one place: by slider, by pointer and by keys", async () => {
    await onPage(async (page) => {
      const figure = figureOf(page, "strips");
      const position = sliderOf(figure, "Position m");
      await slideTo(position, 11);
      expect(await shownVector(figure, "binary")).toBe("[1, 0, 1, 1]");
      await hoverAt(figure.locator('[data-kind="periodic"] .strip'), 0.5, 4.5 / 16);
      await expect.poll(() => shownVector(figure, "binary")).toBe("[0, 1, 0, 0]");
      const [wave] = rows({ kind: "periodic", dim: 4 }, { positions: [4] });
      expect(await shownVector(figure, "periodic")).toBe(`[${wave!.map((value) => value.toFixed(2)).join(", ")}]`);
      await press(position, "ArrowRight");
      expect(await shownVector(figure, "one-hot")).toBe("1 in column 5, else 0");
      expect(await shownVector(figure, "normalized")).toBe(`[${(5 / 15).toFixed(2)}]`);
    });
  });

  it("frame the chosen row without hiding any of it", async () => {
    await onPage(async (page) => {
      const hidden = await figureOf(page, "strips")
        .locator(".strip i")
        .evaluateAll((frames) =>
          frames.map((frame) => {
            const strip = frame.parentElement!.getBoundingClientRect();
            const style = getComputedStyle(frame);
            const box = frame.getBoundingClientRect();
            const top = box.top + parseFloat(style.borderTopWidth);
            const bottom = box.bottom - parseFloat(style.borderBottomWidth);
            const row = strip.height / 40;
            const seen = Math.min(bottom, strip.top + 31 * row) - Math.max(top, strip.top + 30 * row);
            return style.boxShadow !== "none" || style.backgroundColor !== "rgba(0, 0, 0, 0)" ? row : row - seen;
          }),
        );
      expect(hidden.length).toBe(6);
      for (const pixels of hidden) expect(pixels).toBeLessThan(0.5);
    }, "#v=2&strips.length=40&strips.place=30");
  });

  it("show where binary digits end", async () => {
    await onPage(async (page) => {
      const figure = figureOf(page, "strips");
      expect(await shownVector(figure, "binary")).toBe("no vector: the table ends at position 15");
      expect(await shownVector(figure, "integer")).toBe("[30]");
      expect((await tablesOf(figure))[3]!.heads.length).toBe(16);
    }, "#v=2&strips.length=40&strips.place=30");
  });
});

describe("what breaks", () => {
  const facts = async (figure: Locator) => (await figure.locator("[data-fact] .mark").allTextContents()).join("");
  const fact = (figure: Locator, name: string) => figure.locator(`[data-fact="${name}"]`).innerText();

  it("is measured on the library's tables, for every encoding", async () => {
    const length = 16;
    const expected: [string, Spec, string, number][] = [
      ["One-hot", { kind: "one-hot", dim: 16 }, "✓✗✗✓", 1],
      ["Integer", { kind: "integer" }, "✗✓✓✓", 2],
      ["Normalised", { kind: "normalized" }, "✓✓✗✓", 2],
      ["Binary", { kind: "binary", dim: 4 }, "✓✗✗✓", 1],
      ["Periodic", { kind: "periodic", dim: 4 }, "✓✗✓✗", 2],
      ["Sinusoidal", { kind: "sinusoidal", dim: 8 }, "✓✓✓✓", 2],
    ];
    await onPage(async (page) => {
      const figure = figureOf(page, "breaks");
      for (const [name, spec, marks, columns] of expected) {
        await figure.getByRole("radio", { name }).check();
        const near = rows(spec, { length });
        const far = columns === 2 ? stepsOf(rows(spec, { length: 2 * length })) : undefined;
        await expect.poll(() => facts(figure), { message: name }).toBe(marks);
        expectClose(
          await numbersOf(figure, 0),
          stepsOf(near).map((step, position) => (far ? [step, far[position]!] : [step])),
        );
        expectClose(
          await numbersOf(figure, 1),
          near.map((row) => near.map((other) => apart(row, other))),
        );
      }
    });
  });

  it("reads out steps and distances under pointer and keys, on chart and map together", async () => {
    await onPage(async (page) => {
      const figure = figureOf(page, "breaks");
      const reading = () => figure.locator(".heatmap output").innerText();
      const chart = sliderOf(figure, "Distance from each position");
      await expect.poll(() => chart.getAttribute("aria-valuetext")).toBe("7 → 8: 2.0000; digits that change: 4");
      await press(chart, "ArrowLeft");
      expect(await chart.getAttribute("aria-valuetext")).toBe("6 → 7: 1.0000; digits that change: 1");
      expect(await reading()).toBe("positions 6 and 7: 1.0000");
      const map = figure.getByRole("application");
      await hoverAt(map, 8.5 / 16, 0.5 / 16);
      await expect.poll(reading).toBe("positions 0 and 8: 1.0000");
      await press(map, "ArrowDown");
      expect(await reading()).toBe(`positions 1 and 8: ${Math.SQRT2.toFixed(4)}`);
      expect(await chart.getAttribute("aria-valuetext")).toContain("1 → 2");
    });
  });

  it("finds two places with one vector, and the place where digits end", async () => {
    await onPage(async (page) => {
      const figure = figureOf(page, "breaks");
      expect(await fact(figure, "unique")).toContain("Positions 0 and 8 have the same vector.");
      await slideTo(sliderOf(figure, "Digits"), 5);
      await expect.poll(() => fact(figure, "unique")).toContain("Positions 0 and 32 have the same vector.");
      await figure.getByRole("radio", { name: "Binary" }).check();
      await slideTo(sliderOf(figure, "Length"), 40);
      await expect.poll(() => fact(figure, "fixed")).toContain("there are no vectors from position 32 on");
      expect((await numbersOf(figure, 1)).length).toBe(32);
      expect(await page.locator("pre code").innerText()).toContain("const length = 40;\nconst waves = 5;\n");
    }, "#v=2&breaks.kind=periodic&breaks.waves=3&breaks.length=24");
  });
});

describe("from bits to waves", () => {
  const lane = (figure: Locator, index: number) => figure.locator(`[data-lane="${index}"] output`).innerText();
  const written = (value: number) => {
    const text = value.toFixed(3);
    return Number(text) === 0 ? "0.000" : text.replace("-", "−");
  };

  it("shows the digit and the sine of each lane", async () => {
    await onPage(async (page) => {
      const figure = figureOf(page, "waves");
      await slideTo(sliderOf(figure, "Position m"), 21);
      const bits = rows({ kind: "binary", dim: 5 }, { positions: [21] })[0]!;
      const sines = rows({ kind: "periodic", dim: 4 }, { positions: [21] })[0]!;
      for (const index of [0, 1, 2, 3]) {
        const text = (await lane(figure, index)).replace(/\s+/g, " ");
        expect(text).toBe(`digit = ${bits[4 - index]} sine = ${written(sines[index]!)}`);
      }
      expect(await figure.locator(".number").innerText()).toBe("Position 21 in binary: 10101");
      await hoverAt(figure.locator(".lanes"), 8 / 32);
      await expect.poll(() => figure.locator(".number").innerText()).toBe("Position 8 in binary: 1000");
      expect(await lane(figure, 3)).toContain("sine = 1.000");
    });
  });

  it("begins where a digit and its sine are both seen to peak, and each flip carries the sine on by a quarter", async () => {
    await onPage(async (page) => {
      const figure = figureOf(page, "waves");
      expect(await figure.locator(".guide").innerText()).toContain("this digit is 1");
      expect((await lane(figure, 1)).replace(/\s+/g, " ")).toBe("digit = 1 sine = 1.000");
      const [table] = await tablesOf(figure);
      [1, 2, 4, 8].forEach((worth, index) => {
        const [digits, sines] = [0, 1].map((one) => table!.numbers.map((row) => row[2 * index + one]!));
        for (let flip = worth; flip < digits!.length; flip += worth) {
          expect(digits![flip]).not.toBe(digits![flip - 1]);
          expect(sines![flip]).toBeCloseTo(Math.sin((Math.PI / 2) * (flip / worth)), 5);
        }
      });
    });
  });

  it("shows sines and cosines for the base and the lanes that are set", async () => {
    await onPage(async (page) => {
      const figure = figureOf(page, "waves");
      await figure.getByRole("radio", { name: "Sines and cosines" }).check();
      await figure.locator("[data-fold=more] > summary").click();
      await press(sliderOf(figure, "Base b"), "End");
      await slideTo(sliderOf(figure, "Lanes"), 3);
      const [table] = await tablesOf(figure);
      expect(table!.columns.length).toBe(1 + 3 * 3);
      const bits = rows({ kind: "binary", dim: 4 }, { length: 16 });
      const sinusoids = rows({ kind: "sinusoidal", dim: 6, base: 10000 }, { length: 16 });
      expectClose(
        table!.numbers,
        bits.map((row, position) =>
          [0, 1, 2].flatMap((index) => [
            row[3 - index]!,
            sinusoids[position]![2 * index]!,
            sinusoids[position]![2 * index + 1]!,
          ]),
        ),
      );
      const { wavelengths } = explain(pe, { kind: "sinusoidal", dim: 6, base: 10000 });
      expect(await figure.locator('[data-lane="1"]').innerText()).toContain(
        `wavelength ${Math.round(wavelengths![1]!)}`,
      );
    });
  });
});

describe("the first clock", () => {
  const spec = (clocks: number): Spec => ({ kind: "sinusoidal", dim: 2 * clocks, base: 2 ** clocks });
  const status = (figure: Locator) => figure.locator("p[role=status]").innerText();

  it("shows hands and distances of the library, clock by clock", async () => {
    await onPage(async (page) => {
      const figure = figureOf(page, "clocks");
      for (const clocks of [1, 3, 6]) {
        await slideTo(sliderOf(figure, "Clocks"), clocks);
        await slideTo(sliderOf(figure, "Position m"), 9 + clocks);
        const list = rows(spec(clocks), { length: 64 });
        const at = list[9 + clocks]!;
        expectClose(
          await numbersOf(figure, 0),
          Array.from({ length: clocks }, (_, pair) => [at[2 * pair]!, at[2 * pair + 1]!]),
        );
        const [, shown] = await tablesOf(figure);
        expect(shown!.heads.length).toBe(64);
        // A distance of nearly nothing has few digits that count.
        shown!.numbers.forEach(([value], other) => expect(value).toBeCloseTo(apart(at, list[other]!), 4));
      }
    });
  });

  it("comes round with one clock; five tell 64 positions apart", async () => {
    await onPage(async (page) => {
      const figure = figureOf(page, "clocks");
      expect(await status(figure)).toContain("Position 50 is more like position 6 than position 7 is");
      await slideTo(sliderOf(figure, "Clocks"), 4);
      expect(await status(figure)).toContain("Position 56 is more like position 6");
      await slideTo(sliderOf(figure, "Clocks"), 5);
      expect(await status(figure)).toMatch(/^After 5 and 7, right beside it, position \d+ is most like position 6:/);
      await press(sliderOf(figure, "Position m"), "Home");
      expect(await status(figure)).toMatch(/^After 1, right beside it, /);
      for (const [clocks, twins] of [
        [4, true],
        [5, false],
      ] as const) {
        const list = rows(spec(clocks), { length: 64 });
        const step = apart(list[0]!, list[1]!);
        const far = list.flatMap((row, one) => list.slice(one + 2).map((other) => apart(row, other)));
        expect(Math.min(...far) < step).toBe(twins);
      }
    });
  });

  it("asks for a guess before, and tells after", async () => {
    await onPage(async (page) => {
      const guess = page.locator(".predict").last();
      expect(await guess.locator(".reveal").count()).toBe(0);
      await guess.getByRole("button", { name: "5", exact: true }).click();
      expect(await guess.locator(".reveal").innerText()).toContain("101 positions");
      const { wavelengths } = explain(pe, { kind: "sinusoidal", dim: 10, base: 32 });
      expect(Math.round(wavelengths![4]!)).toBe(101);
    });
  });
});

it("lights up the position in text and tables", async () => {
  await onPage(async (page) => {
    await page.locator('.prose p > span[data-link="place"]').first().hover();
    await expect.poll(() => figureOf(page, "strips").locator("i.linked").count()).toBe(6);
  });
});

describe("clocks that are not yet in use", () => {
  it("are added one by one, until there are six", () =>
    withPage("counting", {}, async (page) => {
      const figure = figureOf(page, "clocks");
      const more = figure.getByRole("button", { name: "Add a clock" });
      for (let clocks = 2; clocks <= 6; clocks += 1) {
        await more.click();
        expect(await sliderOf(figure, "Clocks").inputValue()).toBe(String(clocks));
      }
      expect(await more.count()).toBe(0);
    }));

  it.each(["light", "dark"] as const)("can be told from the ground (%s)", (colorScheme) =>
    withPage("counting", { colorScheme }, async (page) => {
      const circle = figureOf(page, "clocks").getByRole("button", { name: "Add a clock" });
      const [line, ground, opacity] = await circle.evaluate((one) => {
        const card = [...document.querySelectorAll("[data-figure]")].find((figure) => figure.contains(one))!;
        const opaque = (element: Element): string => {
          const { backgroundColor } = getComputedStyle(element);
          return backgroundColor === "rgba(0, 0, 0, 0)" ? opaque(element.parentElement!) : backgroundColor;
        };
        return [getComputedStyle(one).borderTopColor, opaque(card), getComputedStyle(one.parentElement!).opacity];
      });
      const channels = (colour: string) =>
        [...colour.matchAll(/[\d.]+/g)].slice(0, 3).map(([part]) => Number(part) / 255);
      const seen = channels(line!).map(
        (part, i) => part * Number(opacity) + channels(ground!)[i]! * (1 - Number(opacity)),
      );
      const luminance = (colour: number[]) =>
        colour.reduce((sum, part, i) => {
          const linear = part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
          return sum + linear * [0.2126, 0.7152, 0.0722][i]!;
        }, 0.05);
      const [one, other] = [luminance(seen), luminance(channels(ground!))].sort((a, b) => b - a);
      expect(one! / other!).toBeGreaterThan(1.8);
    }),
  );
});
