// What tests do with a figure: find it, work its controls, read its numbers.
import type { Locator, Page } from "playwright";
import { expect } from "vitest";

export const figureOf = (page: Page, name: string): Locator => page.locator(`[data-figure="${name}"]`);

/** A slider by its label, or a chart's cursor by its name. */
export const sliderOf = (figure: Locator, name: string | RegExp): Locator => figure.getByRole("slider", { name });

/** Presses keys one after the other on something that takes the focus. */
export async function press(target: Locator, ...keys: string[]): Promise<void> {
  await target.focus();
  for (const key of keys) await target.press(key);
}

/** Sets a range input to a value that it can have, as dragging would. */
export async function slideTo(slider: Locator, value: number): Promise<void> {
  await slider.fill(String(value));
}

/** Moves the pointer over a place of something, given as parts of its width and height. */
export async function hoverAt(target: Locator, x: number, y = 0.5): Promise<void> {
  await target.scrollIntoViewIfNeeded();
  const box = (await target.boundingBox())!;
  await target.page().mouse.move(box.x + box.width * x, box.y + box.height * y);
}

/** Drags from the middle of one thing by so many pixels. */
export async function dragBy(target: Locator, dx: number, dy = 0): Promise<void> {
  await target.scrollIntoViewIfNeeded();
  const box = (await target.boundingBox())!;
  const { mouse } = target.page();
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await mouse.move(x, y);
  await mouse.down();
  await mouse.move(x + dx / 2, y + dy / 2, { steps: 4 });
  await mouse.move(x + dx, y + dy, { steps: 4 });
  await mouse.up();
}

/** Drags one thing onto the middle of another. */
export async function dragOnto(from: Locator, onto: Locator): Promise<void> {
  await from.scrollIntoViewIfNeeded();
  const [a, b] = [(await from.boundingBox())!, (await onto.boundingBox())!];
  await dragBy(from, b.x + b.width / 2 - a.x - a.width / 2, b.y + b.height / 2 - a.y - a.height / 2);
}

/** A number as the site writes it: with a real minus sign and narrow spaces between thousands. */
export const parseNumber = (text: string): number =>
  Number(text.trim().replaceAll("\u2212", "-").replaceAll("\u202f", "").replace("∞", "Infinity"));

export interface ShownTable {
  caption: string;
  columns: string[];
  heads: string[];
  /** Cells as they are written. */
  cells: string[][];
  /** Cells as numbers; NaN where there is none. */
  numbers: number[][];
}

/** Opens the data-table view of a figure with the pointer, as a reader does. */
export const openTables = (figure: Locator): Promise<void> => figure.locator("details[data-numbers] summary").click();

/** The numbers of a figure, from its data-table view, which is opened if need be: by its summary, but without the pointer. */
export async function tablesOf(figure: Locator): Promise<ShownTable[]> {
  const details = figure.locator("details[data-numbers]");
  await details.evaluate((one) => one.hasAttribute("open") || one.querySelector("summary")!.click());
  await details.locator("table").first().waitFor();
  const tables = await details.locator("table").evaluateAll((elements) =>
    elements.map((table) => {
      const texts = (selector: string, inside: Element = table) =>
        [...inside.querySelectorAll(selector)].map((cell) => cell.textContent!.trim());
      return {
        caption: table.querySelector("caption")!.firstChild!.textContent!.trim(),
        columns: texts("thead th"),
        heads: texts("tbody th"),
        cells: [...table.querySelectorAll("tbody tr")].map((row) => texts("td", row)),
      };
    }),
  );
  return tables.map((table) => ({ ...table, numbers: table.cells.map((row) => row.map(parseNumber)) }));
}

/** One of the tables of a figure as rows of numbers. */
export const numbersOf = async (figure: Locator, index = 0): Promise<number[][]> =>
  (await tablesOf(figure))[index].numbers;

/** Tables show six significant digits. */
export function expectClose(shown: number[][], expected: ArrayLike<number>[]): void {
  expect(shown.length).toBe(expected.length);
  shown.forEach((row, index) =>
    row.forEach((value, column) => {
      const wanted = expected[index][column];
      expect(Math.abs(value - wanted), `row ${index}, column ${column}: ${value}, not ${wanted}`).toBeLessThanOrEqual(
        1e-5 * Math.max(1e-2, Math.abs(wanted)),
      );
    }),
  );
}
