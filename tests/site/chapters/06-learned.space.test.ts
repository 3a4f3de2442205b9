// The rows of tables in space: what is drawn are principal components of the library's tables and of the model's.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { principal } from "../../../web/site/src/chapters/06-learned/principal.ts";
import { readSafetensors } from "../../../web/site/src/lab/safetensors.ts";
import { withPage } from "../browser.ts";
import { dragBy, figureOf, numbersOf, press, slideTo, sliderOf } from "../figure.ts";
import { pe } from "../library.ts";

describe("rows in space", () => {
  const weights = new URL("../../../web/site/lab/models/en-learned.safetensors", import.meta.url);
  const { values } = readSafetensors(new Uint8Array(readFileSync(weights)).buffer).get("model.embed_positions.weight")!;
  const width = 128;

  /** Squares of the distances of each row from the mean of all. */
  function squares(table: ArrayLike<number>, columns: number): number[] {
    const count = table.length / columns;
    const means = Array.from({ length: columns }, (_, j) => {
      let sum = 0;
      for (let row = 0; row < count; row += 1) sum += table[row * columns + j]!;
      return sum / count;
    });
    return Array.from({ length: count }, (_, row) =>
      means.reduce((sum, mean, j) => sum + (table[row * columns + j]! - mean) ** 2, 0),
    );
  }

  it("keeps what the three directions hold, and no row moves away from the mean", () => {
    const { points, shares } = principal(values, width);
    const [whole, shadow] = [squares(values, width), squares(points, 3)];
    const sum = (list: number[]) => list.reduce((a, b) => a + b, 0);
    expect(sum(shadow) / sum(whole)).toBeCloseTo(shares[0]! + shares[1]! + shares[2]!, 6);
    expect(shares[0]! + shares[1]! + shares[2]!).toBeGreaterThan(0.9);
    expect(shares[0]!).toBeGreaterThan(shares[1]!);
    shadow.forEach((square, row) => expect(square).toBeLessThan(whole[row]! * (1 + 1e-9)));
    // Three axes without anything in common.
    for (const [a, b] of [
      [0, 1],
      [0, 2],
      [1, 2],
    ] as const) {
      let product = 0;
      for (let row = 0; row < 256; row += 1) product += points[3 * row + a]! * points[3 * row + b]!;
      expect(Math.abs(product) / sum(shadow)).toBeLessThan(1e-6);
    }
  });

  it("makes each turn of a circle a circle again", () => {
    const circle = Array.from({ length: 400 }, (_, i) => {
      const angle = (2 * Math.PI * Math.floor(i / 4)) / 100;
      return [0, 3 * Math.cos(angle), 5, 3 * Math.sin(angle)][i % 4]!;
    });
    const { points, shares } = principal(circle, 4);
    expect(shares[0]! + shares[1]!).toBeCloseTo(1, 9);
    for (let row = 0; row < 100; row += 1) expect(Math.hypot(points[3 * row]!, points[3 * row + 1]!)).toBeCloseTo(3, 9);
  });

  it("shows the model's rows and the library's", () =>
    withPage("learned", {}, async (page) => {
      const figure = figureOf(page, "helix");
      const every = (points: ArrayLike<number>) =>
        Array.from({ length: 32 }, (_, index) => [0, 1, 2].map((axis) => points[24 * index + axis]!));
      const near = (shown: number[][], wanted: number[][]) =>
        shown.forEach((row, index) =>
          row.forEach((value, axis) => expect(Math.abs(value - wanted[index]![axis]!)).toBeLessThan(2e-4)),
        );
      near(await numbersOf(figure), every(principal(values, width).points));
      expect(await figure.locator("output").last().innerText()).toContain("91 %");
      for (const [name, spec] of [
        ["noise", { kind: "learned", length: 256, dim: width, std: 0.02, seed: 1 }],
        ["sinusoids", { kind: "sinusoidal", dim: width }],
      ] as const) {
        await figure.getByRole("radio", { name }).check({ force: true });
        const table = pe.create(spec);
        near(await numbersOf(figure), every(principal(table.table({ length: 256 }).data, width).points));
        table.dispose();
      }
    }));

  it("turns by dragging, by keys and by its slider, and keeps that in the address", () =>
    withPage("learned", {}, async (page) => {
      const figure = figureOf(page, "helix");
      const space = figure.getByRole("application");
      const slider = sliderOf(figure, "Turned by");
      expect(await slider.inputValue()).toBe("325");
      await press(space, "ArrowRight", "ArrowRight", "ArrowDown");
      expect(await slider.inputValue()).toBe("345");
      await dragBy(space, 100);
      await expect.poll(async () => Number(await slider.inputValue())).toBeLessThan(60);
      await slideTo(slider, 90);
      await slideTo(sliderOf(figure, "position"), 7);
      await expect.poll(() => page.url()).toContain("helix.position=7&helix.turn=90");
    }));

  it("begins with the noise that the trained curve came from", () =>
    withPage("learned", { reducedMotion: "no-preference" }, async (page) => {
      const curve = () => figureOf(page, "helix").locator("path.shadow").getAttribute("d");
      const early = await curve();
      await expect.poll(async () => (await curve()) !== early).toBe(true);
      // Neighbours lie side by side in the end, and far apart in noise.
      const longest = (path: string | null) => {
        const points = [...path!.matchAll(/(-?[\d.]+) (-?[\d.]+)/g)].map(([, x, y]) => [Number(x), Number(y)]);
        return points
          .slice(1)
          .reduce((sum, [x, y], at) => sum + Math.hypot(x! - points[at]![0]!, y! - points[at]![1]!), 0);
      };
      await expect.poll(async () => longest(await curve()), { timeout: 30_000 }).toBeLessThan(longest(early) / 3);
    }));

  it("turns by itself until it is touched", () =>
    withPage("learned", { reducedMotion: "no-preference" }, async (page) => {
      const figure = figureOf(page, "helix");
      const slider = sliderOf(figure, "Turned by");
      await expect.poll(() => slider.inputValue()).not.toBe("325");
      expect(page.url()).not.toContain("helix");
      // It can be stopped without being touched.
      await figure.getByRole("button", { name: "Pause" }).click();
      await figure.getByRole("button", { name: "Play" }).click();
      await press(figure.getByRole("application"), "ArrowLeft");
      const stopped = await slider.inputValue();
      await page.waitForTimeout(300);
      expect(await slider.inputValue()).toBe(stopped);
    }));
});
