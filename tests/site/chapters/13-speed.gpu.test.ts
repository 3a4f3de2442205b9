// The lane of the GPU: on the software adapter, and on one that calls itself a GPU.
import { describe, expect, it } from "vitest";
import { asCard } from "../../js/chromium.mjs";
import { open, withPage } from "../browser.ts";
import { figureOf, parseNumber, tablesOf } from "../figure.ts";
import { caseNames, race, rowsOf, tolerances } from "./13-speed.race.ts";

describe("the race on a GPU", () => {
  it.each([
    ["en", "software GPU: not timed"],
    ["zh-CN", "软件适配器：不计时"],
  ] as const)("compares what a software adapter computes, and does not time it: %s", (locale, words) =>
    withPage("speed", { locale, hash: "#v=2&race.size=tiny&race.all=1", withAdapter: true }, async (page) => {
      const figure = figureOf(page, "race");
      await figure.locator(".start button").first().click();
      await figure.locator('[data-status="done"]').waitFor({ timeout: 60_000 });
      const tables = await tablesOf(figure);
      for (const [index, name] of caseNames.slice(0, 4).entries()) {
        const rows = await rowsOf(figure, name);
        const row = rows.findIndex(({ way }) => way === "webgpu");
        expect(rows[row]).toEqual({ way: "webgpu", state: "software", value: words, bar: 0 });
        expect(tables[index]!.cells[row]!.slice(0, 5)).toEqual(Array(5).fill(words));
        expect(tables[index]!.numbers[row]![5]).toBeLessThanOrEqual(tolerances[index]!);
      }
      expect((await figure.locator("[data-machine] dd").allTextContents()).join()).toMatch(/swiftshader/i);
    }),
  );

  it("times a GPU", async () => {
    const { page, close } = await open("speed", { hash: "#v=2&race.size=tiny", withAdapter: true });
    await page.route(/bench\.task.*\.js/, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, body: `${asCard}\n${await response.text()}` });
    });
    const figure = await race(page);
    for (const name of caseNames) {
      const [, , ...others] = await rowsOf(figure, name);
      expect(others.map(({ way, state }) => [way, state])).toEqual(name === "attention" ? [] : [["webgpu", "done"]]);
      for (const { value, bar } of others)
        expect([parseNumber(value.replace("×", "")) > 0, bar > 0]).toEqual([true, true]);
    }
    await close();
  });
});
