// Inventing RoPE: every way is put to the test here once more, with the library, and the reader's way is followed.
import type { LearnedSpec, SinusoidalSpec } from "posenc";
import { describe, expect, it } from "vitest";
import { vectorLength, wordVector } from "../../../web/site/src/lib/words.ts";
import { withPage } from "../browser.ts";
import { expectClose, figureOf, numbersOf, press, slideTo, sliderOf, tablesOf } from "../figure.ts";
import { pe } from "../library.ts";

/** A vector at each of the positions, row by row; one way after the other in the order of the page. */
const ways: ((vector: Float32Array, position: number) => Float32Array)[] = [
  (vector) => vector,
  (vector, position) => vector.map((value) => value + position),
  (vector, position) => added(vector, position, { kind: "learned", length: 512, dim: vectorLength, std: 0.5, seed: 1 }),
  (vector, position) => vector.map((value) => value * position),
  (vector, position) => added(vector, position, { kind: "sinusoidal", dim: vectorLength }),
  (vector, position) => rotated(vector, position, 1),
  (vector, position) => rotated(vector, position / 100, 1),
  (vector, position) => rotated(vector, position, 10000),
];
const [table, last] = [2, 7];

type Table = SinusoidalSpec | LearnedSpec;

function added(vector: Float32Array, position: number, spec: Table): Float32Array {
  const encoding = pe.create(spec);
  const { data } = encoding.addTo({ data: vector.slice(), dims: [1, vectorLength] }, { positions: [position] });
  encoding.dispose();
  return data;
}

function rotated(vector: Float32Array, position: number, base: number): Float32Array {
  const rope = pe.create({ kind: "rope", dim: vectorLength, base, pairing: "interleaved" });
  const { data } = rope.apply({ data: vector.slice(), dims: [1, 1, 1, vectorLength] }, { positions: [position] });
  rope.dispose();
  return data;
}

const [query, key] = [wordVector("cat"), wordVector("mouse")];
const length = (vector: Float32Array) => Math.sqrt(vector.reduce((sum, value) => sum + value ** 2, 0));
const score = (way: number, m: number, n: number) => {
  const [q, k] = [ways[way]!(query, m), ways[way]!(key, n)];
  return q.reduce((sum, value, index) => sum + value * k[index]!, 0);
};

function measured(way: number): { size: number[]; apart: number } {
  const rows = Array.from({ length: 501 }, (_, position) => ways[way]!(query, position));
  const lengths = rows.map(length);
  let apart = Infinity;
  for (let one = 0; one <= 100; one += 1)
    for (let other = one + 1; other <= 100; other += 1)
      apart = Math.min(apart, length(rows[one]!.map((value, index) => value - rows[other]![index]!)));
  return { size: [Math.min(...lengths), Math.max(...lengths)], apart: apart / length(query) };
}

/** Which of the five wishes each way grants: order, shift, size, unseen, apart. */
const granted = ["✗✓✓✓✗", "✓✗✗✓✓", "✓✗✓✗✓", "✗✗✗✓✓", "✓✗✓✓✓", "✓✓✓✓✗", "✓✓✓✓✗", "✓✓✓✓✓"];

describe("inventing RoPE", () => {
  it.each(granted.map((marks, way) => [way, marks] as const))("way %i grants %s", (way, marks) =>
    withPage("rope", { hash: way ? `#v=2&invent.trail=${way}` : "" }, async (page) => {
      const figure = figureOf(page, "invent");
      const [wishes] = await tablesOf(figure);
      expect(wishes!.cells.map(([mark]) => mark).join("")).toBe(marks);
      const numbers = wishes!.numbers.map((row) => row.slice(1));
      const { size, apart } = measured(way);
      expectClose([numbers[0]!.slice(0, 2)], [[score(way, 3, 4), score(way, 4, 3)]]);
      expectClose([numbers[1]!.slice(0, 2)], [[score(way, 3, 4), score(way, 103, 104)]]);
      expectClose([numbers[2]!.slice(0, 2)], [size]);
      if (way === table) expect(await figure.innerText()).toContain("the table has no row 100\u202F000");
      else expectClose([numbers[3]!.slice(0, 1)], [[score(way, 100_000, 100_001)]]);
      expect(numbers[4]![2]).toBeCloseTo(apart, 4);
    }),
  );

  it("comes to RoPE whichever fix is pressed first, and goes back", () =>
    withPage("rope", {}, async (page) => {
      const figure = figureOf(page, "invent");
      const fixes = figure.locator("[data-wish] button");
      const trail = figure.getByRole("list", { name: /Tried so far/ }).getByRole("button");
      for (const first of [0, 1]) {
        await fixes.nth(first).click();
        for (let steps = 0; (await fixes.count()) > 0; steps += 1) {
          expect(steps).toBeLessThan(ways.length);
          await fixes.first().press("Enter");
        }
        expect(await trail.last().innerText()).toBe("each pair at its own speed");
        expect(await figure.locator("p[role=status]").innerText()).toContain("this is RoPE");
        await expect
          .poll(() => page.evaluate(() => location.hash))
          .toMatch(new RegExp(`invent\\.trail=[\\d.]*${last}\\b`));
        await trail.first().click();
        expect(await trail.allInnerTexts()).toEqual(["nothing"]);
      }
    }));

  it("keeps the focus on what can be done next", () =>
    withPage("rope", { hash: "#v=2&invent.trail=4.5" }, async (page) => {
      const figure = figureOf(page, "invent");
      await press(figure.getByRole("button", { name: "each pair at its own speed" }), "Enter");
      await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute("aria-current"))).toBe("step");
    }));

  it("draws the hands where the library has turned them", () =>
    withPage("rope", { hash: `#v=2&invent.trail=${last}` }, async (page) => {
      const figure = figureOf(page, "invent");
      await slideTo(sliderOf(figure, /Position/), 17);
      const row = ways[last]!(query, 17);
      const hands = [0, 4, 8].map((pair) => [row[2 * pair]!, row[2 * pair + 1]!]);
      expectClose(await numbersOf(figure, 1), hands);
      // As long as before, and as far round as the numbers say.
      const tips = await figure
        .locator("svg .tip")
        .evaluateAll((list) => list.map((tip) => [tip.getAttribute("cx")!, tip.getAttribute("cy")!].map(Number)));
      tips.forEach(([x, y], index) => {
        const [a, b] = hands[index]!;
        expect(Math.atan2(-y!, x!)).toBeCloseTo(Math.atan2(b!, a!), 1);
      });
    }));
});
