// The ALiBi chapter: every figure worked with pointer and keyboard, its numbers against the library's.
import type { Locator } from "playwright";
import { expect, test } from "vitest";
import { withPage } from "../browser.ts";
import { dragBy, expectClose, figureOf, hoverAt, numbersOf, press, slideTo, sliderOf, tablesOf } from "../figure.ts";
import { pe } from "../library.ts";

const slopesOf = (heads: number, maxBias = 8) => [...pe.create({ kind: "alibi", heads, maxBias }).slopes];

/** Rows of a matrix, as far as the table shows them. */
const rowsOf = (data: ArrayLike<number>, rows: number, columns: number) =>
  Array.from({ length: rows }, (_, row) =>
    Array.from({ length: Math.min(16, columns) }, (_, column) => data[row * columns + column]),
  );

function maskedBias(heads: number, head: number, length: number, form: "relative" | "key-absolute", causal: boolean) {
  const counts = { queries: length, keys: length };
  const all = pe.create({ kind: "alibi", heads, form }).bias(counts).data;
  const hidden = pe.create({ kind: "mask", causal }).bias(counts).data;
  const bias = all.slice((head - 1) * length ** 2, head * length ** 2).map((value, index) => value + hidden[index]);
  return rowsOf(bias, length, length);
}

/** Infinite numbers have no distance: they must be the same. */
function expectSame(shown: number[][], expected: number[][]) {
  const finite = (rows: number[][]) => rows.map((row) => row.map((value) => (Number.isFinite(value) ? value : 0)));
  const hidden = (rows: number[][]) => rows.map((row) => row.map((value) => value === -Infinity));
  expect(hidden(shown)).toEqual(hidden(expected));
  expectClose(finite(shown), finite(expected));
}

const choose = (figure: Locator, name: string | RegExp) => figure.getByRole("radio", { name }).check({ force: true });

test("the bias of a head, written either way, with and without the mask", () =>
  withPage("alibi", {}, async (page) => {
    const figure = figureOf(page, "bias");
    expectSame(await numbersOf(figure), maskedBias(8, 3, 24, "relative", true));
    expectClose(
      await numbersOf(figure, 1),
      slopesOf(8).map((slope) => [slope]),
    );

    await slideTo(sliderOf(figure, "Heads H"), 12);
    await press(sliderOf(figure, "Head h"), "End", "ArrowLeft");
    await slideTo(sliderOf(figure, "Words"), 10);
    expectSame(await numbersOf(figure), maskedBias(12, 11, 10, "relative", true));
    expectClose(
      await numbersOf(figure, 1),
      slopesOf(12).map((slope) => [slope]),
    );

    await choose(figure, /by key/);
    expectSame(await numbersOf(figure), maskedBias(12, 11, 10, "key-absolute", true));
    await press(figure.getByRole("switch", { name: "Causal mask" }), "Space");
    expectSame(await numbersOf(figure), maskedBias(12, 11, 10, "key-absolute", false));
  }));

test("hovering and arrow keys read the bias and the weight of one cell", () =>
  withPage("alibi", {}, async (page) => {
    const figure = figureOf(page, "bias");
    const [bias, weights] = [0, 1].map((index) => figure.getByRole("application").nth(index));
    const outputs = figure.locator(".heatmap output");
    await hoverAt(bias, 4.5 / 24, 10.5 / 24);
    await expect.poll(() => outputs.nth(0).textContent()).toBe("query 10, key 4: −1/8 × 6 = −0.75");
    const x = { data: new Float32Array(8 * 24), dims: [1, 8, 24, 1] };
    const encoding = pe.create({ kind: "alibi", heads: 8 });
    const { data } = pe.attentionWeights(x, x, { encoding, causal: true });
    const weight = (row: number, column: number) => data[2 * 24 ** 2 + row * 24 + column].toFixed(4);
    expect(await outputs.nth(1).textContent()).toBe(`query 10, key 4: weight ${weight(10, 4)}`);
    await press(weights, "ArrowDown", "ArrowRight");
    await expect.poll(() => outputs.nth(1).textContent()).toBe(`query 11, key 5: weight ${weight(11, 5)}`);
    await press(bias, "End");
    await expect.poll(() => outputs.nth(0).textContent()).toContain("hidden by the mask");
  }));

test("what the mask hides is hatched, and the legend says so", () =>
  withPage("alibi", {}, async (page) => {
    const figure = figureOf(page, "bias");
    const picture = figure.locator("canvas").first();
    /** How much of its ground the first key's last query, and the last key's first query, lets through. */
    const covers = () =>
      picture.evaluate((canvas: HTMLCanvasElement) => {
        const { width, height } = canvas;
        const copy = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true })!;
        copy.drawImage(canvas, 0, 0);
        const alpha = (x: number, y: number) => copy.getImageData(x, y, 1, 1).data[3];
        return [alpha(3, height - 4), alpha(width - 4, 3)];
      });
    await expect.poll(covers).toEqual([255, 0]);
    const legends = figure.locator(".legend");
    expect(await legends.first().innerText()).toContain("hidden");
    expect(await legends.nth(1).innerText()).not.toContain("hidden");
    await press(figure.getByRole("switch", { name: "Causal mask" }), "Space");
    await expect.poll(covers).toEqual([255, 255]);
    expect(await legends.first().innerText()).not.toContain("hidden");
  }));

test("a head is chosen among the slopes by pointer and by key", () =>
  withPage("alibi", {}, async (page) => {
    const figure = figureOf(page, "bias");
    const slopes = sliderOf(figure, /Slope of each head/);
    await hoverAt(slopes, 5 / 8);
    const head = sliderOf(figure, "Head h");
    const shown = Number(await head.inputValue());
    expect([5, 6]).toContain(shown);
    await press(slopes, "ArrowRight");
    expect(Number(await head.inputValue())).toBe(shown + 1);
    await dragBy(head, -40);
    expect(Number(await head.inputValue())).toBeLessThan(8);
  }));

/** What the figure's table has: slope, keys with half of the weight and with 99 %, and the share behind the training. */
function reachOf(heads: number, length: number, trained: number, maxBias: number): number[][] {
  const encoding = pe.create({ kind: "alibi", heads, maxBias });
  const rows = (count: number) => ({ data: new Float32Array(heads * count), dims: [1, heads, count, 1] });
  const { data } = pe.attentionWeights(rows(1), rows(length), { encoding });
  return slopesOf(heads, maxBias).map((slope, head) => {
    const nearestFirst = [...data.slice(head * length, (head + 1) * length)].reverse();
    const keysFor = (share: number) => {
      let sum = 0;
      const found = nearestFirst.findIndex((weight) => (sum += weight) >= share);
      return found < 0 ? length : found + 1;
    };
    const behind = nearestFirst.slice(trained).reduce((sum, weight) => sum + weight, 0);
    return [slope, keysFor(0.5), keysFor(0.99), 100 * behind];
  });
}

test("how far heads see, in short and long texts", () =>
  withPage("alibi", {}, async (page) => {
    const figure = figureOf(page, "reach");
    expectClose(await numbersOf(figure), reachOf(8, 4096, 1024, 8));
    expect(await figure.locator("output.result").textContent()).toContain("nearest 178 keys");

    await slideTo(sliderOf(figure, "Text, in words"), 16384);
    expectClose(await numbersOf(figure), reachOf(8, 16384, 1024, 8));
    await press(sliderOf(figure, "Last slope"), "End");
    await slideTo(sliderOf(figure, "Heads"), 12);
    await slideTo(sliderOf(figure, "Trained with"), 2048);
    expectClose(await numbersOf(figure), reachOf(12, 16384, 2048, 16));
  }));

test("the weight and the price at a distance are read off, on every kind of axis", () =>
  withPage("alibi", { hash: "#v=2&reach.head=4" }, async (page) => {
    const figure = figureOf(page, "reach");
    const chart = sliderOf(figure, "Attention weight by distance");
    await hoverAt(chart, 0.5);
    const read = () => chart.getAttribute("aria-valuetext");
    const back = Number(/^([\d\u202f]+) back/.exec((await read())!)![1].replaceAll("\u202f", ""));
    expect(Math.abs(back - 2048)).toBeLessThan(30);
    expect(await read()).toContain(
      `must score ${back / 16 >= 100 ? Math.round(back / 16) : Number((back / 16).toPrecision(3))}`,
    );
    for (const axes of ["linear", "both log", "log weight"]) {
      await choose(figure, axes);
      await press(chart, "Home");
      expect(await read()).toMatch(/^0 back: weight 0\.0606\. .* score 0 more/);
    }
    await press(sliderOf(figure, /hold half/), "ArrowRight");
    expect(await sliderOf(figure, "Head").first().inputValue()).toBe("5");
  }));

function profileOf(name: string, settings: { head: number; show: string }): number[] {
  const [heads, keys] = [8, 257];
  const one = { kind: "kerple", heads: 1, amplitude: [1] } as const;
  const counts = { queries: 1, keys };
  const encodings = {
    ALiBi: () => pe.create({ kind: "alibi", heads }),
    "KERPLE power": () => pe.create({ ...one, form: "power", exponent: [0.35] }),
    "KERPLE log": () => pe.create({ ...one, form: "log", rate: [0.5] }),
    Sandwich: () => pe.create({ kind: "sandwich", heads }),
  };
  const encoding = encodings[name as keyof typeof encodings]();
  const count = encoding.heads;
  const rows = (rows: number) => ({ data: new Float32Array(count * rows), dims: [1, count, rows, 1] });
  const { data } =
    settings.show === "bias" ? encoding.bias(counts) : pe.attentionWeights(rows(1), rows(keys), { encoding });
  const head = count > 1 ? settings.head - 1 : 0;
  return [...data.slice(head * keys, (head + 1) * keys)].reverse();
}

test("profiles of biases and of weights", () =>
  withPage("alibi", {}, async (page) => {
    const figure = figureOf(page, "profiles");
    for (const show of ["bias", "weights"]) {
      await choose(figure, show);
      await slideTo(sliderOf(figure, /Head/), show === "bias" ? 4 : 2);
      const [{ columns, heads, numbers }] = await tablesOf(figure);
      const distances = heads.map(Number);
      for (const name of ["ALiBi", "KERPLE power", "KERPLE log", "Sandwich"]) {
        const expected = profileOf(name, { head: show === "bias" ? 4 : 2, show });
        const column = columns.indexOf(name) - 1;
        expectClose(
          numbers.map((row) => [row[column]]),
          distances.map((distance) => [expected[distance]]),
        );
      }
    }
  }));

test("KERPLE with exponent 1 is a straight line, T5 is flat from 128 on, FIRE alone follows the query", () =>
  withPage("alibi", {}, async (page) => {
    const figure = figureOf(page, "profiles");
    await slideTo(sliderOf(figure, "KERPLE p (power)"), 1);
    const before = (await tablesOf(figure))[0];
    const column = (name: string, table = before) => table.numbers.map((row) => row[table.columns.indexOf(name) - 1]);
    const distances = before.heads.map(Number);
    expectClose([column("KERPLE power")], [distances.map((distance) => -distance)]);
    const far = column("T5").filter((_, index) => distances[index] >= 128);
    expect(new Set(far).size).toBe(1);
    expect(new Set(column("T5")).size).toBeGreaterThan(10);

    await press(sliderOf(figure, "Query at"), "End");
    const after = (await tablesOf(figure))[0];
    for (const name of before.columns.slice(1)) {
      const same = String(column(name)) === String(column(name, after));
      expect(same, name).toBe(name !== "FIRE");
    }
    const chart = sliderOf(figure, /one line for each/);
    await hoverAt(chart, 0.25);
    expect(await chart.getAttribute("aria-valuetext")).toMatch(/^distance 6\d: ALiBi −/);
    await press(chart, "End");
    expect(await chart.getAttribute("aria-valuetext")).toMatch(/^distance 256: ALiBi −16 /);
  }));
