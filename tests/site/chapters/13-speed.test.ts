// The chapter of speed: the race and the memory are measured at tiny size, and whatever is measured is filled in. No time
// decides anything here; the numbers that are computed do.
import { describe, expect, it, vi } from "vitest";
import { longest } from "../../../web/site/src/chapters/13-speed/rows.ts";
import { race as stopwatch } from "../../../web/site/src/chapters/13-speed/stopwatch.ts";
import { checksumOf } from "../../../web/src/wasm/checksum.ts";
import { relaxedSection } from "../../../web/src/wasm/difference.ts";
import { open, withPage } from "../browser.ts";
import { expectClose, figureOf, numbersOf, parseNumber, press, slideTo, sliderOf, tablesOf } from "../figure.ts";
import { pe } from "../library.ts";
import { caseNames, race, rowsOf, tolerances } from "./13-speed.race.ts";

const waysOf = (name: string) => [
  "plain",
  ...(name === "tables" ? ["sums"] : []),
  "scalar",
  "simd",
  "relaxed",
  "arrays",
  ...(name === "attention" ? [] : ["webgpu"]),
  ...(name === "tables" ? [] : ["limit"]),
];

describe("the stopwatch", () => {
  it("warms a contender up until it gets no quicker", () => {
    let now = 0;
    let runs = 0;
    const clock = vi.spyOn(performance, "now").mockImplementation(() => now);
    // Interpreted for 150 runs, then compiled.
    const run = () => (now += (runs += 1) <= 150 ? 1 : 0.125);
    const [samples] = stopwatch(
      [() => void run()],
      { rounds: 3, sampleMilliseconds: 5, warmUpMilliseconds: 40 },
      0.01,
      () => {},
    );
    clock.mockRestore();
    expect(samples).toEqual([0.125, 0.125, 0.125]);
  });

  it("cuts no bar off", () => {
    const row = { state: "done" as const, low: 1, high: 1 };
    const rows = [
      { name: "plain" as const, value: 1, ...row },
      { name: "limit" as const, value: 16, ...row },
    ];
    expect(longest(rows)).toBeGreaterThanOrEqual(16);
  });
});

describe("the race", () => {
  it("does not start by itself, and says so", () =>
    withPage("speed", { hash: "#v=2&race.all=1" }, async (page) => {
      const figure = figureOf(page, "race");
      await expect.poll(() => figure.getByRole("status").textContent()).toContain("Nothing has been measured");
      for (const name of caseNames) {
        const rows = await rowsOf(figure, name);
        expect(rows.map(({ way }) => way)).toEqual(waysOf(name));
        expect(rows.every(({ state, bar }) => state === "waiting" && bar === 0)).toBe(true);
      }
      for (const table of await tablesOf(figure)) expect(table.cells.flat().every((cell) => cell !== "")).toBe(true);
    }));

  it("is one of two, on one scale, until all are asked for", () =>
    withPage("speed", { hash: "#v=2&race.size=tiny" }, async (page) => {
      const figure = await race(page);
      const share = await figure
        .locator(".track")
        .first()
        .evaluate((track) => track.clientWidth);
      const all = await Promise.all(caseNames.map((name) => rowsOf(figure, name)));
      const values = all.map((rows) => rows.map(({ value }) => parseNumber(value.replace("×", ""))));
      for (const [index, [plain, ours, ...others]] of all.entries()) {
        expect(plain).toMatchObject({ way: "plain", state: "done", value: "1×" });
        expect(["relaxed", "simd", "scalar"]).toContain(ours!.way);
        const noGpu = { way: "webgpu", state: "none", value: "no WebGPU here", bar: 0 };
        expect(others).toEqual(caseNames[index] === "attention" ? [] : [noGpu]);
        // As many times as wide as the bar of plain JavaScript, wherever that stands.
        expect(Math.abs(ours!.bar / share - (values[index]![1]! * all[0]![0]!.bar) / share)).toBeLessThan(0.06);
      }
      await figure.getByRole("switch", { name: "All contenders" }).click();
      const rows = await rowsOf(figure, "rope");
      expect(rows.map(({ way }) => way)).toEqual(waysOf("rope"));
      expect(new Set(rows.map(({ state }) => state))).toEqual(new Set(["done", "waiting", "none"]));
    }));

  it("fills every bar and every cell, and the contenders agree", () =>
    withPage("speed", { hash: "#v=2&race.size=tiny&race.all=1" }, async (page) => {
      const figure = await race(page);
      const tables = await tablesOf(figure);
      for (const [index, name] of caseNames.entries()) {
        const rows = await rowsOf(figure, name);
        expect(rows.map(({ way }) => way)).toEqual(waysOf(name));
        for (const { way, state, bar, value } of rows) {
          if (way === "webgpu") continue;
          expect(state).toBe("done");
          expect(bar).toBeGreaterThan(0);
          expect(parseNumber(value.replace("×", ""))).toBeGreaterThan(0);
        }
        tables[index]!.numbers.forEach((numbers, row) => {
          if (rows[row]!.way === "webgpu") {
            expect(new Set(tables[index]!.cells[row])).toEqual(new Set(["no WebGPU here"]));
            return;
          }
          const [median, low, high, ratio, rate, difference] = numbers;
          for (const number of [median, low, high, ratio, rate]) expect(number).toBeGreaterThan(0);
          expect(low).toBeLessThanOrEqual(median!);
          expect(high).toBeGreaterThanOrEqual(median!);
          if (rows[row]!.way === "limit") expect(tables[index]!.cells[row]![5]).toBe("nothing to compare");
          else expect(difference).toBeLessThanOrEqual(tolerances[index]!);
          // The builds of the library compute the same encodings to the last bit.
          if (["scalar", "simd", "relaxed", "arrays"].includes(rows[row]!.way!) && name !== "attention")
            expect(difference).toBe(0);
        });
        expect(tables[index]!.numbers[0]![3]).toBe(1);
      }
      await expect.poll(() => figure.locator("[data-machine] dd").allTextContents()).not.toContain("not measured yet");
    }));

  it("shows times instead of ratios, and keeps that in the address", () =>
    withPage("speed", { hash: "#v=2&race.size=tiny&race.all=1" }, async (page) => {
      const figure = await race(page);
      await figure.getByRole("radio", { name: "milliseconds a call" }).check();
      const rows = await rowsOf(figure, "rope");
      const isTimed = (_: unknown, row: number) => rows[row]!.way !== "webgpu";
      const medians = (await numbersOf(figure, 0)).filter(isTimed).map(([median]) => median!);
      const shown = rows.filter(isTimed).map(({ value }) => value);
      shown.forEach((value, row) => {
        expect(value).toMatch(/ ms$/);
        expect(Math.abs(parseNumber(value.replace(" ms", "")) - medians[row]!)).toBeLessThan(
          0.06 * medians[row]! + 6e-3,
        );
      });
      await expect.poll(() => page.evaluate(() => location.hash)).toContain("race.view=time");
    }));

  it("can be stopped, keeps what is finished and can be started again", () =>
    withPage("speed", {}, async (page) => {
      const figure = figureOf(page, "race");
      await figure.getByRole("button", { name: "Start the race" }).click();
      await figure.locator("progress").waitFor();
      // While the first race runs there is nothing to do again.
      expect(await figure.getByRole("button", { name: "Race again" }).count()).toBe(0);
      await figure.getByRole("button", { name: "Stop" }).click();
      await figure.locator('[data-status="cancelled"]').waitFor();
      expect(await figure.getByRole("status").textContent()).toContain("Stopped");
      expect(await figure.getByRole("button", { name: "Race again" }).isEnabled()).toBe(true);
    }));

  it("says which build cannot run", async () => {
    const { page, close } = await open("speed", { hash: "#v=2&race.size=tiny&race.all=1" });
    await page.route(/posenc\.simd.*\.wasm/, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, body: withoutRelaxed(await response.body()) });
    });
    const figure = await race(page);
    const relaxed = (await rowsOf(figure, "rope")).find(({ way }) => way === "relaxed")!;
    expect(relaxed).toMatchObject({ state: "refused", value: "cannot run here" });
    expect(await figure.locator("[data-machine] p").textContent()).toContain("relaxed SIMD");
    expect((await tablesOf(figure))[0]!.cells.flat()).toContain("cannot run here");
    await close();
  });
});

/** The simd build, sound in itself, without what makes the relaxed build of it. */
function withoutRelaxed(simd: Buffer): Buffer {
  const index = simd.indexOf(relaxedSection);
  expect(index).toBeGreaterThan(0);
  const build = Buffer.concat([simd.subarray(0, index), Buffer.from("?"), simd.subarray(index + 1)]);
  build.writeUInt32LE(checksumOf(build.subarray(0, -4)), build.length - 4);
  return build;
}

const query = Float32Array.from({ length: 16 }, (_, index) => Math.round(100 * Math.sin(2.3 * index + 1)) / 100);

/** Per pair: both numbers, cosine, sine, and both results. */
function lanes(position: number): number[][] {
  const rope = pe.create({ kind: "rope", dim: 16 });
  const { cos, sin } = rope.tables({ positions: [position] });
  const { data } = rope.apply({ data: query.slice(), dims: [1, 1, 1, 16] }, { positions: [position] });
  return Array.from({ length: 8 }, (_, k) => [
    query[k]!,
    query[k + 8]!,
    cos.data[k]!,
    sin.data[k]!,
    data[k]!,
    data[k + 8]!,
  ]);
}

describe("one pair, four pairs", () => {
  it("shows the library's numbers, and each build's as far as it has come", () =>
    withPage("speed", {}, async (page) => {
      const figure = figureOf(page, "lanes");
      expectClose(await numbersOf(figure), lanes(3));
      const resultsOf = (build: string) => figure.locator(`[data-build="${build}"] .empty`).count();
      expect([await resultsOf("scalar"), await resultsOf("simd")]).toEqual([14, 8]);
      await press(sliderOf(figure, /Steps/), "ArrowRight");
      expect([await resultsOf("scalar"), await resultsOf("simd")]).toEqual([12, 0]);
      expect(await figure.locator('[data-build="simd"] output').textContent()).toBe(
        "8 of 8 pairs done, 12 instructions",
      );
      await figure.getByRole("button", { name: "one step" }).click();
      expect(await figure.locator('[data-build="scalar"] output').textContent()).toBe(
        "3 of 8 pairs done, 18 instructions",
      );
      await slideTo(sliderOf(figure, /Position/), 120);
      expectClose(await numbersOf(figure), lanes(120));
      const shown = await figure.locator('[data-build="simd"] .cell').allTextContents();
      expect(shown.slice(32, 40).map(parseNumber)).toEqual(lanes(120).map((row) => Number(row[4]!.toFixed(2))));
      await slideTo(sliderOf(figure, /Steps/), 8);
      await figure.getByRole("button", { name: "from the start" }).click();
      expect([await resultsOf("scalar"), await resultsOf("simd")]).toEqual([16, 16]);
    }));

  it("lights up what belongs together", () =>
    withPage("speed", {}, async (page) => {
      const figure = figureOf(page, "lanes");
      await figure.locator('.cell[data-link="cosine"]').first().hover();
      await expect.poll(() => page.locator('math [data-link="cosine"].linked').count()).toBeGreaterThan(0);
    }));
});

describe("memory", () => {
  it("measures every size in every way, and reads them out", () =>
    withPage("speed", { hash: "#v=2&memory.size=tiny" }, async (page) => {
      const figure = figureOf(page, "memory");
      await figure.getByRole("button", { name: "Measure the memory" }).click();
      await figure.locator('[data-status="done"]').waitFor({ timeout: 60_000 });
      const [table] = await tablesOf(figure);
      expect(table!.heads).toEqual(["16 KB", "32 KB", "64 KB"]);
      expect(table!.numbers.flat().every((rate) => rate > 0)).toBe(true);
      const cursor = sliderOf(figure, /Gigabytes/);
      await press(cursor, "Home");
      expect(await cursor.getAttribute("aria-valuetext")).toMatch(/^16 KB: multiply/);
      await press(cursor, "ArrowRight");
      expect(await cursor.getAttribute("aria-valuetext")).toMatch(/^32 KB: multiply/);
      const box = (await cursor.boundingBox())!;
      await page.mouse.move(box.x + box.width - 2, box.y + box.height / 2);
      expect(await cursor.getAttribute("aria-valuetext")).toMatch(/^64 KB: multiply/);
    }));
});

/** The turns of a pair by the digits of a position, and all together: from the table, and put together. */
function turns(position: number, pair: number): number[][] {
  const positions = [position - (position % 1024), (position % 1024) - (position % 32), position % 32];
  const rope = pe.create({ kind: "rope", dim: 64 });
  const { cos, sin } = rope.tables({ positions: [...positions, position] });
  const x = { data: Float32Array.of(...cos.data.slice(0, 32), ...sin.data.slice(0, 32)), dims: [1, 1, 1, 64] };
  rope.apply(x, { positions: [positions[1]!] });
  rope.apply(x, { positions: [positions[2]!] });
  const hands = [0, 1, 2, 3].map((row) => [cos.data[row * 32 + pair]!, sin.data[row * 32 + pair]!]);
  return [...hands, [x.data[pair]!, x.data[pair + 32]!]];
}

describe("turns in parts", () => {
  it("puts a position's turn together from those of its digits", () =>
    withPage("speed", {}, async (page) => {
      const figure = figureOf(page, "sums");
      expectClose(await numbersOf(figure), turns(2500, 4));
      await slideTo(sliderOf(figure, /Position/), 4095);
      await press(sliderOf(figure, /Pair/), "End");
      expectClose(await numbersOf(figure), turns(4095, 31));
      expect((await tablesOf(figure))[0]!.heads).toEqual([
        "1024 · 3",
        "32 · 31",
        "31",
        "from the table",
        "put together",
      ]);
      const [exact, summed] = turns(4095, 31).slice(3);
      expect(Math.max(...exact!.map((value, index) => Math.abs(value - summed![index]!)))).toBeLessThan(2e-7);
      expect(await figure.locator("output.compare").textContent()).toContain("Difference:");
      await slideTo(sliderOf(figure, /Rows/), 40);
      expect(await figure.locator("output.rows").textContent()).toBe(
        "A table of 100 rows needs 37 rows of real sines and cosines: 37.0 % of all.",
      );
    }));
});
