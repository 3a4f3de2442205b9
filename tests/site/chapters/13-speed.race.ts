// The race of the chapter on speed, as tests run and read it.
import type { Locator, Page } from "playwright";
import { figureOf } from "../figure.ts";

export const caseNames = ["rope", "tables", "sinusoidal", "alibi", "attention"];
export const tolerances = [1e-6, 1.2e-7, 1e-6, 1e-6, 1e-5];

/** The bars of a case as they are shown. */
export const rowsOf = (figure: Locator, name: string) =>
  figure.locator(`[data-case="${name}"] li`).evaluateAll((rows) =>
    (rows as HTMLElement[]).map((row) => ({
      way: row.dataset["way"],
      state: row.dataset["state"],
      value: row.querySelector(".value")!.textContent!.trim(),
      bar: (row.querySelector(".bar") as HTMLElement | null)?.offsetWidth ?? 0,
    })),
  );

export async function race(page: Page): Promise<Locator> {
  const figure = figureOf(page, "race");
  await figure.getByRole("button", { name: "Start the race" }).click();
  await figure.locator('[data-status="done"]').waitFor({ timeout: 60_000 });
  return figure;
}
