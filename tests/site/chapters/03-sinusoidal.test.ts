// The sinusoidal chapter: its figures against the library.
import { describe, expect, it } from "vitest";
import { explain } from "posenc/explain";
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

function rows(spec: { dim: number; base?: number }, at: object): number[][] {
  const encoding = pe.create({ kind: "sinusoidal", ...spec });
  const { data } = encoding.table(at);
  encoding.dispose();
  return Array.from({ length: data.length / spec.dim }, (_, row) => [
    ...data.subarray(row * spec.dim, (row + 1) * spec.dim),
  ]);
}

describe("the row of clocks", () => {
  const hands = (base: number, index: number) => {
    const [row] = rows({ dim: 16, base }, { positions: [index] });
    return Array.from({ length: 8 }, (_, pair) => [row![2 * pair]!, row![2 * pair + 1]!]);
  };

  it("shows the library's numbers, by slider, pointer and keys", async () => {
    await withPage("sinusoidal", {}, async (page) => {
      const figure = figureOf(page, "row");
      expectClose(await numbersOf(figure, 0), hands(10_000, 6));
      expectClose(await numbersOf(figure, 1), rows({ dim: 16 }, { length: 64 }));
      await slideTo(sliderOf(figure, "Position m"), 41);
      await slideTo(sliderOf(figure, "Base b"), 40);
      expectClose(await numbersOf(figure, 0), hands(100, 41));
      const surface = figure.getByRole("application");
      await hoverAt(surface, 4.5 / 16, 20.5 / 64);
      await expect.poll(() => sliderOf(figure, "Position m").inputValue()).toBe("20");
      expect(await figure.innerText()).toContain("position 20, pair 2 (sin)");
      await press(surface, "ArrowDown", "ArrowRight");
      expect(await sliderOf(figure, "Position m").inputValue()).toBe("21");
      expect(await figure.innerText()).toContain("position 21, pair 2 (cos)");
    });
  });

  it("has each clock above its two columns", async () => {
    await withPage("sinusoidal", { asFound: true }, async (page) => {
      const figure = figureOf(page, "row");
      const table = (await figure.getByRole("application").boundingBox())!;
      const dials = await figure.locator(".clocks svg").all();
      expect(dials.length).toBe(8);
      for (const [pair, dial] of dials.entries()) {
        const box = (await dial.boundingBox())!;
        const middle = table.x + ((pair + 0.5) / 8) * table.width;
        expect(Math.abs(box.x + box.width / 2 - middle)).toBeLessThan(2);
      }
      // Slider, clocks and table are seen together on a small laptop.
      expect(table.y + table.height).toBeLessThan(800);
    });
  });

  it("runs to the end by itself, but not where motion is unwelcome", async () => {
    const start = { hash: "#v=2&row.place=60", asFound: true };
    await withPage("sinusoidal", { ...start, reducedMotion: "no-preference" }, async (page) => {
      const figure = figureOf(page, "row");
      await figure.getByRole("button", { name: "Let them run" }).click();
      await expect.poll(() => sliderOf(figure, "Position m").inputValue(), { timeout: 10_000 }).toBe("63");
      await figure.getByRole("button", { name: "Let them run" }).click();
      await expect.poll(() => sliderOf(figure, "Position m").inputValue()).not.toBe("63");
      await figure.getByRole("button", { name: "Stop" }).click();
    });
    await withPage("sinusoidal", start, async (page) => {
      expect(await figureOf(page, "row").getByRole("button", { name: "Let them run" }).count()).toBe(0);
    });
  });
});

describe("the table", () => {
  it("shows the library's numbers for what the sliders say, and keeps them in the address", async () => {
    await withPage("sinusoidal", {}, async (page) => {
      const figure = figureOf(page, "table");
      await slideTo(sliderOf(figure, "Dimensions d"), 16);
      await press(sliderOf(figure, "Length"), "ArrowLeft");
      await press(sliderOf(figure, "Base b"), "Home");
      expectClose(await numbersOf(figure), rows({ dim: 16, base: 10 }, { length: 64 }));
      await expect.poll(() => new URL(page.url()).hash).toBe("#v=2&table.length=88&table.dim=16&table.base=10");
      await page.reload();
      await page.waitForFunction(() => !document.querySelector(".waiting"));
      expectClose(await numbersOf(figureOf(page, "table")), rows({ dim: 16, base: 10 }, { length: 64 }));
      expect(await page.locator("pre code").innerText()).toContain("const base = 10;\n");
    });
  });

  it("reads out the cell under the pointer and under the cursor keys", async () => {
    await withPage("sinusoidal", { hash: "#v=2&table.length=8&table.dim=8" }, async (page) => {
      const figure = figureOf(page, "table");
      const surface = figure.getByRole("application");
      const reading = figure.locator("output").last();
      const expected = rows({ dim: 8 }, { length: 8 });
      await hoverAt(surface, 2.5 / 8, 5.5 / 8);
      await expect.poll(() => reading.innerText()).toContain("position 5, dimension 2 (sin)");
      expect(parseNumber(/: (\S+);/.exec(await reading.innerText())![1]!)).toBeCloseTo(expected[5]![2]!, 4);
      await press(surface, "ArrowDown", "ArrowRight");
      expect(await reading.innerText()).toContain("position 6, dimension 3 (cos)");
      expect(parseNumber(/: (\S+);/.exec(await reading.innerText())![1]!)).toBeCloseTo(expected[6]![3]!, 4);
      await press(surface, "Home", "Enter");
      expect((await tablesOf(figureOf(page, "curves")))[0]!.columns).toContain("dim 0");
    });
  });
});

describe("the curves", () => {
  it("are columns of the table; a press takes one away, another brings three", async () => {
    await withPage("sinusoidal", { hash: "#v=2&table.dim=16&table.length=16&table.columns=2.5" }, async (page) => {
      const figure = figureOf(page, "curves");
      const expected = rows({ dim: 16 }, { length: 16 });
      expectClose(
        await numbersOf(figure),
        expected.map((row) => [row[2]!, row[5]!]),
      );
      const chart = sliderOf(figure, /Columns/);
      await press(chart, "Home", "ArrowRight", "ArrowRight");
      expect(parseNumber(await figure.locator(".chips output").first().innerText())).toBeCloseTo(expected[2]![2]!, 2);
      await hoverAt(chart, 0.999);
      await expect.poll(() => chart.getAttribute("aria-valuenow")).toBe("15");
      await figure.getByRole("button", { name: /Remove dimension 2/ }).click();
      expectClose(
        await numbersOf(figure),
        expected.map((row) => [row[5]!]),
      );
      await figure.getByRole("button", { name: /Quick, middle/ }).click();
      expect((await tablesOf(figure))[0]!.columns.length).toBe(4);
    });
  });
});

describe("the clocks", () => {
  it("have the sines and cosines of both positions", async () => {
    await withPage("sinusoidal", { hash: "#v=2&table.dim=64" }, async (page) => {
      const figure = figureOf(page, "clocks");
      await slideTo(sliderOf(figure, "Start m"), 21);
      await press(sliderOf(figure, "Step k"), "ArrowRight");
      const [from, to] = rows({ dim: 64 }, { positions: [21, 25] });
      const pairs = (await tablesOf(figure))[0]!.heads.map(Number);
      expectClose(
        await numbersOf(figure),
        pairs.map((pair) => [from![2 * pair]!, from![2 * pair + 1]!, to![2 * pair]!, to![2 * pair + 1]!]),
      );
      const written = await figure.locator("output").last().innerText();
      expect(parseNumber(/sin (\S+)/.exec(written)![1]!)).toBeCloseTo(to![2 * pairs.at(-1)!]!, 2);
    });
  });
});

describe("the base", () => {
  it("sets wavelengths and likeness, as the library has them", async () => {
    await withPage("sinusoidal", { hash: "#v=2&table.dim=16" }, async (page) => {
      const figure = figureOf(page, "base");
      await slideTo(sliderOf(figure, "Base b"), 40);
      const spec = { kind: "sinusoidal", dim: 16, base: 100 } as const;
      const { wavelengths } = explain<"sinusoidal">(pe, spec);
      expectClose(
        await numbersOf(figure, 0),
        [...wavelengths!].map((wave) => [wave]),
      );
      const encoding = pe.create(spec);
      const { data } = pe.distanceProfile(encoding, { maxDistance: 1024 });
      encoding.dispose();
      const shown = (await tablesOf(figure))[1]!;
      expectClose(
        shown.numbers,
        shown.heads.map((distance) => [data[Number(distance)]! / data[0]!]),
      );
      await press(sliderOf(figure, /Wavelength/), "Home", "ArrowRight");
      expect(await figure.innerText()).toContain("pair 1: one turn in 11.2 positions");
      await hoverAt(sliderOf(figure, /Likeness/), 0);
      await expect.poll(() => figure.innerText()).toContain("distance 0: 1.000");
      const rotated = [...wavelengths!].filter((wave) => wave <= 96).length;
      expect(await figure.innerText()).toContain(`${rotated} of 8 pairs complete a turn within 96 positions`);
    });
  });
});

describe("the small example", () => {
  it("is computed, for any base", async () => {
    await withPage("sinusoidal", {}, async (page) => {
      const figure = figureOf(page, "example");
      const positions = [1, 2, 3, 4, 5];
      expectClose(await numbersOf(figure), rows({ dim: 4 }, { positions }));
      // As a calculator has it: cos 0.01 = 0.99995.
      expect(await figure.locator("tbody tr").first().innerText()).toMatch(/0\.84147\s+0\.54030\s+0\.01000\s+0\.99995/);
      await slideTo(sliderOf(figure, "Base b"), 40);
      const cells = await figure.locator(".content td").allInnerTexts();
      const expected = rows({ dim: 4, base: 100 }, { positions }).flat();
      cells.forEach((cell, index) => expect(parseNumber(cell)).toBeCloseTo(expected[index]!, 4));
      expect(cells.slice(2, 4)).toEqual(["0.09983", "0.99500"]);
    });
  });
});

describe("512 dimensions", () => {
  it("have neighbouring pairs that are nearly alike: sin 0.9647 for pair 1, not sin 0.0001", async () => {
    await withPage("sinusoidal", {}, async (page) => {
      const figure = figureOf(page, "wide");
      const dimensions = [0, 1, 2, 3, 4, 5, 510, 511];
      const table = rows({ dim: 512 }, { positions: [0, 1, 2] });
      expectClose(
        await numbersOf(figure),
        dimensions.map((dimension) => table.map((row) => row[dimension]!)),
      );
      const { wavelengths } = explain<"sinusoidal">(pe, { kind: "sinusoidal", dim: 512 });
      const angle = (2 * Math.PI) / wavelengths![1]!;
      expect(angle).toBeCloseTo(0.9647, 4);
      expect(table[1]![2]).toBeCloseTo(Math.sin(angle), 6);
      expect((2 * Math.PI) / wavelengths![255]!).toBeCloseTo(0.000104, 6);
      expect(await figure.locator("tbody tr").nth(2).innerText()).toContain("sin (m / 1.0366)");
      await slideTo(sliderOf(figure, "Dimensions d"), 64);
      expectClose(
        (await numbersOf(figure)).slice(-2),
        [62, 63].map((dimension) => rows({ dim: 64 }, { positions: [0, 1, 2] }).map((row) => row[dimension]!)),
      );
    });
  });
});
