// Angles that a shader computes, on the software adapter and without any: the numbers of the page against the same steps here.
import type { Locator } from "playwright";
import { expect, test } from "vitest";
import { locales, withPage } from "../browser.ts";
import { figureOf, numbersOf, slideTo, sliderOf, tablesOf, parseNumber } from "../figure.ts";
import { pe } from "../library.ts";

const pairs = 64;
const rope = pe.create({ kind: "rope", dim: 2 * pairs });

/** The places at which errors are sampled: eight from each start on. */
const sampleFrom = (start: number): number[] =>
  Array.from({ length: 8 }, (_, i) => Math.floor(start + ((i * 0.618034) % 1) * start * (Math.SQRT2 - 1)));

const halfOf = (numbers: number[]): number[] => [
  ...pe.toFloat32(pe.toFloat16({ data: Float32Array.from(numbers), dims: [numbers.length] })).data,
];
const roundings = { float16: halfOf, float32: (numbers: number[]) => numbers.map(Math.fround) };

/** Turns between the angle of rounded factors and the exact one, the largest of the samples, for each pair. */
function errorsAt(start: number, width: keyof typeof roundings): number[] {
  const rounded = roundings[width];
  const indices = sampleFrom(start);
  const positions = rounded(indices);
  const { cos, sin } = rope.tables({ positions: indices });
  return rounded([...Float32Array.from(rope.inverseFrequencies)]).map((rate, pair) =>
    Math.max(
      ...rounded(positions.map((position) => position * rate)).map((angle, row) => {
        const exact = Math.atan2(sin.data[row * pairs + pair]!, cos.data[row * pairs + pair]!);
        const turns = Math.abs(angle - exact) / (2 * Math.PI);
        return Math.abs(turns - Math.round(turns));
      }),
    ),
  );
}

interface Seen {
  starts: number[];
  numbers: number[][];
}
async function seenOf(figure: Locator, source: string): Promise<Seen> {
  await figure.locator(`[data-source="${source}"]`).waitFor();
  const [{ heads, numbers }] = await tablesOf(figure);
  return { starts: heads.map(parseNumber), numbers };
}

/** Both columns of a width; `slack`: radians that the cosine itself may be off. */
function expectErrors({ starts, numbers }: Seen, width: keyof typeof roundings, pair: number, tolerance: number): void {
  const first = width === "float16" ? 0 : 2;
  for (const [row, start] of starts.entries()) {
    if (width === "float16" && sampleFrom(start).some((position) => position > 65504)) {
      expect(numbers[row]!.slice(first, first + 2)).toEqual([0, 0]);
      continue;
    }
    const expected = errorsAt(start, width);
    for (const [column, error] of [Math.max(...expected), expected[pair]!].entries())
      // Tables show some digits.
      expect(Math.abs(numbers[row]![first + column]! - error), `${width} ${start}`).toBeLessThan(
        tolerance / (2 * Math.PI) + 2e-8 + 1e-3 * error,
      );
  }
}

test("without WebGPU the processor's numbers, which are told to be that", () =>
  withPage("long-context", {}, async (page) => {
    const figure = figureOf(page, "shader");
    const seen = await seenOf(figure, "none");
    expect(await figure.locator("[data-source]").textContent()).toContain("has no WebGPU here");
    // A cosine and a sine of float16 hold an angle to its 11 digits.
    expectErrors(seen, "float16", 8, 2 ** -10);
    expectErrors(seen, "float32", 8, 2 ** -22);
    await slideTo(sliderOf(figure, /^Pair/), 3);
    expectErrors({ ...seen, numbers: await numbersOf(figure) }, "float32", 3, 2 ** -22);
  }));

test("on an adapter its own numbers, as near as a shader's cosine has to be", () =>
  withPage("long-context", { withAdapter: true }, async (page) => {
    const figure = figureOf(page, "shader");
    const { starts, numbers } = await seenOf(figure, "software");
    expect(await figure.locator("[data-source]").textContent()).toMatch(/A software adapter \(.*swiftshader.*\)/i);
    // Beyond, nothing is promised of the cosine of so large an angle.
    const near = starts.filter((start) => start < 2 ** 12);
    expectErrors({ starts: near, numbers }, "float32", 8, 2 ** -10);
    expect(starts.at(-1)).toBeGreaterThan(2 ** 30);
  }));

test.each(locales)("an adapter that fails is none: %s", (locale) =>
  withPage(
    "long-context",
    {
      locale,
      before: () => {
        Object.defineProperty(navigator, "gpu", {
          value: {
            requestAdapter: async () => {
              throw new Error("no");
            },
          },
        });
      },
    },
    async (page) => {
      const figure = figureOf(page, "shader");
      await figure.locator('[data-source="none"]').waitFor();
      expect(await figure.locator("[data-source]").textContent()).toContain("WebGPU");
    },
  ),
);
