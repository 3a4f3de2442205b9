// Positions as digits: the clocks of the library, set to count by tens.
import { expect, test } from "vitest";
import { withPage } from "../browser.ts";
import { expectClose, figureOf, numbersOf, press, slideTo, sliderOf, tablesOf } from "../figure.ts";
import { pe } from "../library.ts";

const fullRotation = 2 * Math.PI;
const step = fullRotation / 10;
const spec = { dim: 8, base: 10_000 };
const rules = {
  none: { kind: "rope", ...spec },
  PI: { kind: "rope-linear", ...spec, factor: 8 },
  NTK: { kind: "rope-ntk", ...spec, factor: 8 },
  YaRN: { kind: "rope-yarn", ...spec, factor: 8, originalLength: 628 },
} as const;

/** Ones, tens, hundreds, thousands: the angle, and positions for one turn. */
function clocksOf(name: keyof typeof rules, position: number): number[][] {
  const rope = pe.create(rules[name]);
  const angles = [...rope.angles({ positions: [position * step] })];
  const rows = angles.map((angle, pair) => [angle, fullRotation / rope.inverseFrequencies[pair]! / step]);
  rope.dispose();
  return rows;
}

test("without a rule the clocks are decimal digits, and training never showed the thousands", () =>
  withPage("long-context", { hash: "#v=2&digits.position=7352" }, async (page) => {
    const figure = figureOf(page, "digits");
    const [{ cells }] = await tablesOf(figure);
    expect(cells.map(([digit]) => digit)).toEqual(["2", "5", "3", "7"]);
    expect(cells.map((row) => row[3])).toEqual(["known", "known", "known", "new"]);
    await slideTo(sliderOf(figure, "Position"), 999);
    const [{ cells: inside }] = await tablesOf(figure);
    expect(inside.map(([digit]) => digit)).toEqual(["9", "9", "9", "0"]);
    expect(inside.every((row) => row[3] === "known")).toBe(true);
    await press(sliderOf(figure, "Position"), "End");
    expect((await tablesOf(figure))[0]!.cells[3]![3]).toBe("new");
  }));

test("PI divides, NTK changes the base, and both keep to the digits of the training", () =>
  withPage("long-context", { hash: "#v=2&digits.position=7000" }, async (page) => {
    const figure = figureOf(page, "digits");
    for (const name of Object.keys(rules) as (keyof typeof rules)[]) {
      await figure.getByRole("radio", { name, exact: true }).check({ force: true });
      const shown = await numbersOf(figure);
      expectClose(
        shown.map((row) => row.slice(1, 3)),
        clocksOf(name, 7000),
      );
      const [{ cells }] = await tablesOf(figure);
      expect(cells[3]![3]).toBe(name === "none" ? "new" : "known");
    }
    const message = figure.locator("output").last();
    await figure.getByRole("radio", { name: "NTK", exact: true }).check({ force: true });
    expect(await message.innerText()).toContain("move by 1 of a digit");
    // Each clock is twenty times as slow as the one before.
    const turns = (await numbersOf(figure)).map((row) => row[2]!);
    for (let pair = 1; pair < 4; pair += 1) expect(turns[pair]! / turns[pair - 1]!).toBeCloseTo(20, 2);
    await figure.getByRole("radio", { name: "PI", exact: true }).check({ force: true });
    expect(await message.innerText()).toContain("move by 0.125 of a digit");
    expect((await tablesOf(figure))[0]!.cells.map(([digit]) => digit)).toEqual(["5", "7", "8", "0"]);
  }));
