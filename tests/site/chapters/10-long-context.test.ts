// The chapter on long contexts: every figure worked with pointer and keyboard, its numbers against the library's.
import type { Locator, Page } from "playwright";
import { expect, test } from "vitest";
import type { Posenc, RotaryEncoding } from "posenc";
import { explain } from "posenc/explain";
import { models } from "posenc/models";
import { withPage } from "../browser.ts";
import {
  dragBy,
  expectClose,
  figureOf,
  hoverAt,
  numbersOf,
  parseNumber,
  press,
  slideTo,
  sliderOf,
  tablesOf,
} from "../figure.ts";
import { pe } from "../library.ts";

const fullRotation = 2 * Math.PI;
const plainRope = (dim = 128, base = 10000) => pe.create({ kind: "rope", dim, base });
const choose = (figure: Locator, name: string | RegExp) => figure.getByRole("radio", { name }).check({ force: true });
const reading = (chart: Locator) => chart.getAttribute("aria-valuetext");
const numberAfter = (text: string | null, name: string) =>
  parseNumber(new RegExp(`${name}:? ([\\d.,\u202f\u2212]+)`).exec(text ?? "")![1]);

/** Turns in training, the angle at a distance, the largest in training, and whether that is known. */
function angleRows(rope: RotaryEncoding, distance: number, length: number) {
  const plain = plainRope();
  const { rotations: turns } = explain(pe, plain, { contextLength: length });
  const seen = plain.angles({ positions: [length] });
  return [...rope.angles({ positions: [distance] })].map((angle, pair) => ({
    numbers: [turns![pair], angle, seen[pair]],
    known: turns![pair] >= 1 || angle % fullRotation <= seen[pair] * (1 + 1e-9),
  }));
}

async function expectAngles(figure: Locator, rope: RotaryEncoding, distance: number, length: number) {
  const expected = angleRows(rope, distance, length);
  const [{ numbers, cells }] = await tablesOf(figure);
  expectClose(
    numbers.map((row) => row.slice(0, 3)),
    expected.map((row) => row.numbers),
  );
  expect(cells.map((row) => row[3] === "known")).toEqual(expected.map(({ known }) => known));
  const unknown = expected.filter(({ known }) => !known).length;
  const wanted = unknown ? `${unknown} of 64 clocks stand` : "No clock stands";
  expect(await figure.locator("output.count").innerText()).toContain(wanted);
}

test("angles that training has not seen, and rules that bring them back", () =>
  withPage("long-context", {}, async (page) => {
    const figure = figureOf(page, "unseen");
    await expectAngles(figure, plainRope(), 9000, 4096);
    expect(await figure.locator(".dial").count()).toBe(6);

    const spec = { dim: 128, factor: 8 };
    await choose(figure, "PI");
    await expectAngles(figure, pe.create({ kind: "rope-linear", ...spec }), 9000, 4096);
    await choose(figure, "Llama 3.1");
    const llama3 = pe.create({ kind: "rope-llama3", ...spec, originalLength: 4096 });
    await expectAngles(figure, llama3, 9000, 4096);
    expect(await figure.locator("output.count").innerText()).toContain("No clock");

    await choose(figure, "none");
    await press(sliderOf(figure, /^Distance/), "End");
    const distance = parseNumber(await figure.locator(".slider output").first().innerText());
    expect(distance).toBeGreaterThan(30000);
    await expectAngles(figure, plainRope(), distance, 4096);
  }));

test("scores by distance, read off with the pointer and with keys", () =>
  withPage("long-context", { hash: "#v=2&unseen.rule=rope-linear" }, async (page) => {
    await figureOf(page, "unseen").locator("[data-fold=scores] > summary").click();
    const chart = sliderOf(figureOf(page, "unseen"), /Score of equal vectors/);
    await hoverAt(chart, 0.6);
    const linear = pe.create({ kind: "rope-linear", dim: 128, factor: 8 });
    const profiles = [linear, plainRope()].map((rope) => pe.distanceProfile(rope, { maxDistance: 4096 }).data);
    for (const key of ["ArrowLeft", "ArrowLeft", "Home"]) {
      await press(chart, key);
      const text = await reading(chart);
      const distance = numberAfter(text, "distance");
      expect(numberAfter(text, "with PI")).toBeCloseTo(profiles[0][distance], 3);
      expect(numberAfter(text, "trained frequencies")).toBeCloseTo(profiles[1][distance], 3);
    }
  }));

/** The lab's table: turns in training, wavelengths before and after, ratio. */
function labRows(spec: Parameters<Posenc["create"]>[0] & { dim: number; base: number }, length: number, long: number) {
  const rule = pe.create(spec) as RotaryEncoding;
  const plain = plainRope(spec.dim, spec.base);
  const { wavelengths, rotations: turns } = explain(pe, plain, { contextLength: length });
  const frequencies = rule.frequenciesAt(long);
  return [...frequencies].map((frequency, pair) => [
    turns![pair],
    wavelengths[pair],
    fullRotation / frequency,
    frequency / plain.inverseFrequencies[pair],
  ]);
}

test("what each rule does to each pair", () =>
  withPage("long-context", {}, async (page) => {
    const figure = figureOf(page, "lab");
    const spec = { dim: 128, base: 10000, factor: 8 };
    const trained = { ...spec, originalLength: 4096 };
    const rules = [
      { name: "YaRN", spec: { kind: "rope-yarn", ...trained } },
      { name: "PI", spec: { kind: "rope-linear", ...spec } },
      { name: "NTK", spec: { kind: "rope-ntk", ...spec } },
      { name: "NTK-by-parts", spec: { kind: "rope-ntk-by-parts", ...trained } },
      { name: "Llama 3.1", spec: { kind: "rope-llama3", ...trained } },
    ] as const;
    for (const rule of rules) {
      await figure.getByRole("radio", { name: rule.name, exact: true }).check({ force: true });
      expectClose(await numbersOf(figure), labRows(rule.spec, 4096, 32768));
    }
    await press(sliderOf(figure, "Factor s"), "ArrowRight");
    await figure.locator("[data-fold=waves] > summary").click();
    await slideTo(sliderOf(figure, "Head width d"), 64);
    await press(sliderOf(figure, /Trained length/), "ArrowLeft");
    const changed = { kind: "rope-llama3", dim: 64, base: 10000, factor: 9, originalLength: 2048 } as const;
    expectClose(await numbersOf(figure), labRows(changed, 2048, 2048 * 9));
    const { pairs } = explain<"rope-llama3">(pe, changed);
    const summary = await figure.locator(".summary").innerText();
    for (const { first, last, change } of pairs)
      expect(summary).toContain(`${first === last ? first : `${first}–${last}`} ${change}`);
  }));

test("published models set the lab, LongRoPE's lists with their own width", () =>
  withPage("long-context", {}, async (page) => {
    const figure = figureOf(page, "lab");
    await figure.locator("[data-fold=waves] > summary").click();
    for (const [id, length, long] of [
      ["llama-3.1-8b", 8192, 65536],
      ["phi-3-mini-128k", 4096, 131073],
    ] as const) {
      await figure.getByRole("button", { name: models[id].name }).click();
      expectClose(await numbersOf(figure), labRows(models[id].spec as never, length, long));
    }
    expect(await figure.locator(".summary").innerText()).toContain("Phi‑3 mini");
    await choose(figure, "YaRN");
    const charts = [sliderOf(figure, /Ratio of new/), sliderOf(figure, /Wavelength of each/)];
    await hoverAt(charts[0], 0.5);
    await press(charts[1], "End");
    // Both charts stand at the same pair.
    for (const chart of charts) expect(await reading(chart)).toMatch(/^pair 47: /);
    expect(await reading(charts[0])).toContain("LongRoPE");
    await press(figure.getByRole("switch"), "Space");
    expect(await reading(charts[0])).not.toContain("LongRoPE");
  }));

/** Scores of the last token with the 160 last cached keys: anew, as cached, turned again. */
function cachedRows(factor: number, before: number, after: number): number[][] {
  const dim = 128;
  const rope = pe.create({ kind: "rope-dynamic", dim, factor, originalLength: 4096 });
  const rows = (count: number) => ({ data: new Float32Array(count * dim).fill(dim ** -0.5), dims: [1, 1, count, dim] });
  const positions = Array.from({ length: 160 }, (_, index) => before - 1 - index);
  const query = rope.apply(rows(1), { positions: [after - 1], sequenceLength: after }).data;
  const rotated = (length: number) => rope.apply(rows(160), { positions, sequenceLength: length }).data;
  const scores = (keys: Float32Array) =>
    positions.map((_, row) => query.reduce((sum, value, index) => sum + value * keys[row * dim + index], 0));
  const [fresh, stale] = [scores(rotated(after)), scores(rotated(before))];
  return positions.map((_, row) => [fresh[row], stale[row], fresh[row]]);
}

async function expectScores(page: Page, factor: number, before: number, after: number) {
  const [{ heads, numbers }] = await tablesOf(figureOf(page, "dynamic"));
  const expected = cachedRows(factor, before, after);
  expect(heads.length).toBeGreaterThan(40);
  heads.forEach((head, index) => {
    const row = expected[Number(head) - (after - before)];
    numbers[index].forEach((value, column) => expect(value).toBeCloseTo(row[column], 5));
  });
}

test("dynamic frequencies, and keys cached in a shorter text", () =>
  withPage("long-context", {}, async (page) => {
    const figure = figureOf(page, "dynamic");
    await expectScores(page, 1, 8192, 8448);
    await slideTo(sliderOf(figure, "The text now has"), 1000);
    await press(sliderOf(figure, "Factor s"), "ArrowRight");
    await press(sliderOf(figure, /Keys cached/), "ArrowRight");
    await expectScores(page, 2, 16384, 17384);
    const result = await figure.locator("output.result").innerText();
    expect(numberAfter(result, "score")).toBeGreaterThan(0.05);
    expect(result).toMatch(/10⁻[⁷⁸⁹] after/);

    const chart = sliderOf(figure, /Frequency relative/);
    await press(chart, "End");
    const text = await reading(chart);
    const length = parseNumber(text!.split(" tokens")[0]);
    const rope = pe.create({ kind: "rope-dynamic", dim: 128, factor: 2, originalLength: 4096 });
    const last = rope.frequenciesAt(length).at(-1)! / plainRope().inverseFrequencies.at(-1)!;
    expect(numberAfter(text, "pair 63")).toBeCloseTo(last, 3);
    await hoverAt(sliderOf(figure, /Score by distance/), 0.01);
    expect(await reading(sliderOf(figure, /Score by distance/))).toMatch(/^distance 100\d: computed anew/);
  }));

test("attention factors, and the weight of one key among many", () =>
  withPage("long-context", {}, async (page) => {
    const figure = figureOf(page, "sharp");
    const lists = { shortFactor: [1], longFactor: [1] };
    const rows = async (length: number, lead: number) => {
      const [{ heads, numbers }] = await tablesOf(figure);
      heads.map(Number).forEach((factor, index) => {
        const spec = { dim: 2, factor, originalLength: length };
        const yarn = pe.create({ kind: "rope-yarn", ...spec }).attentionFactor;
        const longrope = pe.create({ kind: "rope-longrope", ...spec, ...lists }).attentionFactor;
        const keys = Math.round(length * factor);
        // All the keys one by one, where the figure takes them together.
        const weight = (a: number) => 1 / (1 + (keys - 1) * Math.exp(-lead * a * a));
        const expected = [keys, yarn, longrope, weight(1), weight(yarn), weight(longrope)];
        numbers[index].forEach((value, column) => expect(value / expected[column]).toBeCloseTo(1, 4));
      });
    };
    await rows(4096, 8.3);
    await slideTo(sliderOf(figure, "Lead of the one key"), 4);
    await press(sliderOf(figure, /Trained length/), "ArrowRight");
    await rows(8192, 4);
    const chart = sliderOf(figure, /Weight of the leading/);
    await hoverAt(chart, 0.999);
    expect(await sliderOf(figure, "Factor s").inputValue()).toBe("64");
    await press(chart, "Home");
    expect(await figure.locator("output.result").innerText()).toContain("a = 1.000 (YaRN)");
    await dragBy(sliderOf(figure, "Factor s"), 60);
    expect(Number(await sliderOf(figure, "Factor s").inputValue())).toBeGreaterThan(20);
  }));

test("neighbours by float32 and exactly", () =>
  withPage("long-context", {}, async (page) => {
    const figure = figureOf(page, "precision");
    for (const [pair, power] of [
      [8, 24],
      [0, 25],
    ]) {
      await slideTo(sliderOf(figure, /^Pair/), pair);
      await slideTo(sliderOf(figure, /Look around/), power);
      const positions = Array.from({ length: 16 }, (_, index) => 2 ** power - 4 + index);
      const cosines = (["exact", "float32"] as const).map(
        (precision) => pe.create({ kind: "rope", dim: 128, precision }).tables({ positions }).cos.data,
      );
      expectClose(
        await numbersOf(figure, 1),
        positions.map((_, row) => cosines.map((data) => data[row * 64 + pair])),
      );
    }
    const chart = sliderOf(figure, /consecutive positions/);
    await hoverAt(chart, 0.999);
    expect(await reading(chart)).toContain(`position 33554443: exact`);
  }));

test("the error grows with the position, and float16 loses neighbours from 2048 on", () =>
  withPage("long-context", { hash: "#v=2&precision.half=1" }, async (page) => {
    const figure = figureOf(page, "precision");
    const [{ heads, numbers }] = await tablesOf(figure);
    const starts = heads.map(parseNumber);
    const at = (position: number) => numbers[starts.indexOf(position)];
    // No sample of positions can miss by how much, only by a small factor.
    for (const position of [1024, 32768, 1048576]) {
      const [worst, mean, one] = at(position);
      expect(worst).toBeGreaterThan(position * 1e-8);
      expect(worst).toBeLessThan(position * 2 ** -22);
      expect(mean).toBeLessThan(worst);
      expect(one).toBeLessThanOrEqual(worst);
    }
    expect(at(1024)[3]).toBe(0);
    expect(at(4096)[3]).toBeGreaterThan(0.1);
    const chart = sliderOf(figure, /both axes logarithmic/);
    await press(chart, "Home");
    expect(await reading(chart)).toContain("float16 positions: no error");
    await hoverAt(chart, 0.99);
    expect(await reading(chart)).not.toContain("float16");
    await press(figure.getByRole("switch"), "Space");
    await press(chart, "Home");
    expect(await reading(chart)).not.toContain("float16");
  }));
