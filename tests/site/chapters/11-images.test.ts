// Images and video: every figure worked by slider, pointer and keys, its numbers beside the library's.
import type { Locator, Page } from "playwright";
import { expect, test } from "vitest";
import { withPage } from "../browser.ts";
import {
  expectClose,
  figureOf,
  hoverAt,
  numbersOf,
  parseNumber,
  press,
  sliderOf,
  slideTo,
  tablesOf,
} from "../figure.ts";
import { pe } from "../library.ts";
import { overhang } from "../looks.ts";
import { resizeErrors, sameWhere, shareIn, similarities, trained, type Grid } from "./11-images.numbers.ts";

const outputs = (scope: Locator) => scope.locator("output").allTextContents();
const lastNumber = (text: string) => parseNumber(text.split(/\s/).at(-1)!);
const choose = (figure: Locator, name: string) => figure.getByRole("radio", { name, exact: true }).check();
const map = (figure: Locator, name: string | RegExp) => figure.getByRole("application", { name });

async function expectNeighbours(figure: Locator, grid: Grid, [row, column]: [number, number], dim = 64, base = 100) {
  const shares = similarities(grid, dim, base);
  const at = row * grid.columns + column;
  const end = (row + 1) * grid.columns - 1;
  const pairs = [
    [at, at + 1],
    [at, at + grid.columns],
    [end, end + 1],
  ];
  expectClose(
    await numbersOf(figure),
    pairs.map(([a, b]) => shares.map((share) => share(a, b))),
  );
}

test("patches: sliders, a click and keys choose the patch whose neighbours are compared", () =>
  withPage("images", {}, async (page) => {
    const figure = figureOf(page, "patches");
    await expectNeighbours(figure, { rows: 12, columns: 12 }, [5, 4]);

    await slideTo(sliderOf(figure, "Columns"), 8);
    await expectNeighbours(figure, { rows: 12, columns: 8 }, [5, 4]);
    await press(map(figure, /^A picture/), "ArrowRight", "ArrowUp", "ArrowUp");
    await expectNeighbours(figure, { rows: 12, columns: 8 }, [3, 5]);

    const picture = map(figure, /^A picture/);
    const box = (await picture.boundingBox())!;
    await picture.click({ position: { x: (box.width * 2.5) / 8, y: (box.height * 6.5) / 12 } });
    await expectNeighbours(figure, { rows: 12, columns: 8 }, [6, 2]);

    await slideTo(sliderOf(figure, "Dimensions d"), 32);
    await slideTo(sliderOf(figure, "Base of RoPE"), 80);
    await expectNeighbours(figure, { rows: 12, columns: 8 }, [6, 2], 32, 10000);
    await expect.poll(() => page.url()).toContain("patches.columns=8");
  }));

test("patches: hovering a map reads the same patch out of all three", () =>
  withPage("images", {}, async (page) => {
    const figure = figureOf(page, "patches");
    await hoverAt(map(figure, /row by row/), 8.5 / 12, 2.5 / 12);
    const shares = similarities({ rows: 12, columns: 12 }, 64, 100).map((share) => share(5 * 12 + 4, 2 * 12 + 8));
    for (const [index, method] of ["grid", "line", "axial"].entries()) {
      const [value] = await outputs(figure.locator(`[data-method=${method}]`));
      expect(parseNumber(value)).toBeCloseTo(shares[index], 3);
    }
    await press(map(figure, /row by row/), "Shift+ArrowDown");
    await expect.poll(() => figure.locator("[data-method=line] .reading").textContent()).toContain("Row 3, column 8");
  }));

test("patches: with base 10 000 axial RoPE and the sinusoids have one map", () =>
  withPage("images", { hash: "#v=2&patches.base=10000" }, async (page) => {
    const [, map] = await tablesOf(figureOf(page, "patches"));
    for (const [grid, , axial] of map.numbers) expect(Math.abs(grid - axial)).toBeLessThan(1e-5);
  }));

test("window: all pairs with one displacement share an entry", () =>
  withPage("images", {}, async (page) => {
    const figure = figureOf(page, "window");
    const reading = () => figure.locator(".reading output").textContent();
    const expectEntry = async (size: number, query: number, key: number) => {
      const patches = size * size;
      const swin = pe.create({ kind: "swin", heads: 1, windowHeight: size, windowWidth: size });
      const { data } = swin.buckets({ queries: patches, keys: patches });
      const entry = data[query * patches + key];
      const count = data.filter((value) => value === entry).length;
      await expect.poll(reading).toContain(`entry ${entry}, shared by ${count} pairs`);
      const drawn = await figure.locator("path.arrow:not(.chosen)").count();
      expect(drawn).toBe(count);
    };
    await expectEntry(4, 8, 6);
    await press(map(figure, /^Window of patches/), "ArrowDown", "ArrowLeft");
    await expectEntry(4, 8, 9);
    await choose(figure, "Query");
    await press(map(figure, /^Window of patches/), "ArrowUp");
    await expectEntry(4, 4, 9);
    await slideTo(sliderOf(figure, "Window M"), 2);
    const numbers = await numbersOf(figure);
    expect(numbers).toEqual([
      [1, 2, 1],
      [2, 4, 2],
      [1, 2, 1],
    ]);
    const table = map(figure, /^Entries by displacement/);
    const box = (await table.boundingBox())!;
    await table.click({ position: { x: box.width / 2, y: box.height / 2 } });
    await expectEntry(2, 0, 0);
  }));

test("resizing: the errors of all methods, for any grid and with noise", () =>
  withPage("images", {}, async (page) => {
    const figure = figureOf(page, "resize");
    const expectErrors = async (rows: number, columns: number, noise = 0) =>
      expectClose(
        await numbersOf(figure),
        resizeErrors(rows, columns, noise).map((error) => [error]),
      );
    await expectErrors(24, 16);
    await slideTo(sliderOf(figure, "New rows"), 7);
    await slideTo(sliderOf(figure, "New columns"), 9);
    await expectErrors(7, 9);
    await slideTo(sliderOf(figure, "Noise in the table"), 0.3);
    await expectErrors(7, 9, 0.3);
    await expect(figure.locator("tr[aria-current]").getAttribute("data-mode")).resolves.toBe("bicubic");
    await figure.getByRole("switch").click();
    await expect(figure.locator("tr[aria-current]").getAttribute("data-mode")).resolves.toBe("bicubic+");
    await choose(figure, "As one line");
    await expect(figure.locator("tr[aria-current]").getAttribute("data-mode")).resolves.toBe("line");
  }));

test("resizing: without a change of size nothing changes; keys and hover read the maps", () =>
  withPage("images", { hash: "#v=2&resize.rows=14&resize.columns=14" }, async (page) => {
    const figure = figureOf(page, "resize");
    await press(map(figure, /Trained/), "ArrowDown");
    await hoverAt(map(figure, /Resized/), 0.5, 0.5);
    const values = await Promise.all(
      ["before", "after", "truth", "error"].map(
        async (name) => (await outputs(figure.locator(`[data-map=${name}]`)))[0],
      ),
    );
    const table = pe.create({ kind: "sinusoidal-2d", dim: 64 }).table({ grid: [trained, trained] });
    const share = shareIn(table)(10 * trained + 6, 7 * trained + 7);
    expect(values.slice(0, 3).map(parseNumber)).toEqual(Array.from({ length: 3 }, () => Number(share.toFixed(3))));
    expect(parseNumber(values[3])).toBe(0);
    await expect.poll(() => page.url()).toContain("resize.row=10");
  }));

test("video: the same place in every frame, by either encoding", () =>
  withPage("images", {}, async (page) => {
    const figure = figureOf(page, "video");
    const expectSame = async (...args: Parameters<typeof sameWhere>) =>
      expectClose(
        await numbersOf(figure),
        sameWhere(...args).map((share) => [share]),
      );
    await expectSame("table", 6, [2, 2, 4]);
    await choose(figure, "Axial RoPE, three axes");
    await expectSame("axial", 6, [2, 2, 4]);
    await press(map(figure, "Frame 2 of the animation"), "PageDown", "ArrowLeft");
    await expectSame("axial", 6, [2, 2, 3]);
    await slideTo(sliderOf(figure, "Frames"), 3);
    await map(figure, "Frame 0 of the animation").click({ position: { x: 3, y: 3 } });
    await expectSame("axial", 3, [0, 0, 0]);
    await hoverAt(map(figure, "Frame 1 of the animation"), 0.99, 0.01);
    await expect.poll(() => figure.locator(".below output").textContent()).toContain("Frame 1, row 0, column 7");
  }));

type Segments = Parameters<typeof pe.mropePositionIds>[0];

async function expectSequence(figure: Locator, segments: Segments, after: "spatial" | "maximum" = "spatial") {
  const { positions, next, delta } = pe.mropePositionIds(segments, { after });
  const count = positions.dims[1];
  const labels = await figure.locator("[role=option] .visually-hidden").allTextContents();
  expect(
    labels.map((label) =>
      label
        .match(/time (\d+), height (\d+), width (\d+)/)!
        .slice(1)
        .map(Number),
    ),
  ).toEqual(Array.from({ length: count }, (_, token) => positions.axes.map((axis) => axis[token])));
  const reading = await figure.locator(".next output").textContent();
  expect(reading).toContain(`stands at ${next}. ${count} tokens`);
  expect(reading).toContain(String(delta).replace("-", "\u2212"));
}

const axesDrawn = (page: Page) =>
  page.locator("[data-figure=mrope] [data-axis]").evaluateAll((all) => all.map((one) => one.getAttribute("data-axis")));

test("where the errors of a resized table lie waits for the guess", async () => {
  await withPage("images", { asFound: true }, async (page) => {
    const figure = figureOf(page, "resize");
    await figure.scrollIntoViewIfNeeded();
    const map = figure.locator("[data-map=error] .box");
    await map.waitFor({ state: "attached" });
    expect(await map.isVisible()).toBe(false);
    await page.getByRole("button", { name: "at the rim" }).click();
    await expect.poll(() => map.isVisible()).toBe(true);
  });
});

test("M-RoPE: three ids for each token of images, videos and text", () =>
  withPage("images", {}, async (page) => {
    const figure = figureOf(page, "mrope");
    await expectSequence(figure, [{ text: 5 }, { image: [1, 3, 4] }, { text: 5 }]);
    await slideTo(sliderOf(figure, "Rows of patches"), 2);
    await slideTo(sliderOf(figure, "Columns of patches"), 3);
    await choose(figure, "Text and two images");
    const image = { image: [1, 2, 3] };
    await expectSequence(figure, [{ text: 5 }, image, { text: 3 }, image, { text: 5 }]);
    await choose(figure, "Text and a video");
    await slideTo(sliderOf(figure, "Frames"), 8);
    await expectSequence(figure, [{ text: 5 }, { video: [8, 2, 3] }, { text: 5 }]);
    await choose(figure, "after the largest id");
    await expectSequence(figure, [{ text: 5 }, { video: [8, 2, 3] }, { text: 5 }], "maximum");
  }));

test.each([390, 360])("M-RoPE: two images of six columns fit on a phone of %i pixels", (width) =>
  withPage("images", { width, hash: "#v=2&mrope.what=two&mrope.columns=6" }, async (page) =>
    expect(await overhang(page)).toBeLessThanOrEqual(0),
  ),
);

test("M-RoPE: keys and clicks choose a token; its clocks stand as the library turns them", () =>
  withPage("images", {}, async (page) => {
    const figure = figureOf(page, "mrope");
    const chosen = () => figure.locator("[aria-selected=true] .visually-hidden").textContent();
    await press(figure.getByRole("listbox"), "ArrowUp");
    expect(await chosen()).toContain("token 7:");
    await figure.getByRole("option").nth(12).click();
    expect(await chosen()).toContain("row 1, column 3, token 12:");

    const rope = pe.create({ kind: "rope-mrope", dim: 128, base: 1e6, sections: [16, 24, 24] });
    const { cos, sin } = rope.tables({ positions: [[5], [6], [8]] });
    const hands = await figure
      .locator("[data-axis] line")
      .evaluateAll((lines) =>
        lines.map((line) => ["x1", "y1", "x2", "y2"].map((name) => Number(line.getAttribute(name)))),
      );
    hands.forEach(([x1, y1, x2, y2], pair) => {
      expect((x2 - x1) / 8.4).toBeCloseTo(cos.data[pair], 4);
      expect((y1 - y2) / 8.4).toBeCloseTo(sin.data[pair], 4);
    });
    expect((await axesDrawn(page)).join("")).toBe("t".repeat(16) + "h".repeat(24) + "w".repeat(24));
    await choose(figure, "Qwen3-VL: in turns");
    expect((await axesDrawn(page)).join("")).toBe("thw".repeat(20) + "tttt");
  }));

test("M-RoPE: the chart's cursor is the chosen token", () =>
  withPage("images", {}, async (page) => {
    const figure = figureOf(page, "mrope");
    await press(sliderOf(figure, /Time, height and width/), "ArrowRight");
    await expect
      .poll(() => figure.locator("[aria-selected=true] .visually-hidden").textContent())
      .toContain("token 12:");
    const table = await numbersOf(figure);
    const { positions } = pe.mropePositionIds([{ text: 5 }, { image: [1, 3, 4] }, { text: 5 }]);
    expect(table).toEqual(Array.from({ length: 22 }, (_, i) => positions.axes.map((axis) => axis[i])));
    expect(lastNumber((await figure.locator(".next output").textContent())!.split(".")[0])).toBe(14);
  }));
