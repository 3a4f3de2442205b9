// Small learners: their gradients are those of finite differences, and what the page trains is what Node trains.
import { describe, expect, test } from "vitest";
import {
  courseKey,
  examLengths,
  exampleOf,
  makeLearner,
  trainAndExamine,
  type Course,
} from "../../../web/site/src/chapters/10-long-context/learners.ts";
import { encodingNames } from "../../../web/site/src/lab/small/places.ts";
import { begin, end, letters, makeBatch, mark, taskNames } from "../../../web/site/src/lab/small/texts.ts";
import { evenNumbers } from "../../../web/site/src/lib/random.ts";
import { withPage } from "../browser.ts";
import { figureOf, slideTo, sliderOf, tablesOf } from "../figure.ts";
import { pe } from "../library.ts";

const course = (encoding: Course["encoding"], more: Partial<Course> = {}): Course => ({
  encoding,
  task: "copy",
  steps: 200,
  seed: 3,
  ...more,
});

describe("gradients", () => {
  test.each(encodingNames)("%s: along the gradient the loss changes as the gradient says", (name) => {
    const learner = makeLearner(pe, course(name));
    const batch = makeBatch("copy", 6, 3, evenNumbers(8));
    // Some training first: numbers that begin at nothing have grown by then.
    for (let step = 0; step < 20; step += 1) learner.learn(batch, 0.01);
    const { weights, places: positions } = learner;
    for (const encoding of positions.learning) encoding.zeroGradients();
    learner.gradients(batch);
    const numbers = weights.map(({ values, gradient }) => ({ values, gradient: gradient.slice() }));
    for (const encoding of positions.learning)
      for (const [key, { data }] of Object.entries(encoding.parameters))
        numbers.push({ values: data as Float32Array, gradient: encoding.gradients[key]!.data.slice() });
    expect(numbers.length).toBe(
      10 + { learned: 1, shaw: 4, t5: 2, cope: 2, none: 0, sinusoidal: 0, alibi: 0, rope: 0 }[name],
    );
    for (const { values, gradient } of numbers) {
      const length = Math.hypot(...gradient);
      expect(length).toBeGreaterThan(0);
      const was = values.slice();
      const [above, below] = [1, -1].map((sign) => {
        values.forEach((_, i) => (values[i] = was[i]! + (sign * 0.01 * gradient[i]!) / length));
        return learner.loss(batch);
      });
      values.set(was);
      expect(Math.abs((above! - below!) / 0.02 / length - 1)).toBeLessThan(0.02);
    }
    learner.dispose();
  });
});

test.each(taskNames)("%s asks for what it says", (task) => {
  const { symbols, wanted, texts, length } = makeBatch(task, 10, 5, evenNumbers(4), task !== "count");
  for (let text = 0; text < texts; text += 1) {
    const row = Array.from(symbols.slice(text * length, (text + 1) * length));
    const asked = Array.from(wanted.slice(text * length, (text + 1) * length));
    const body = row.slice(1, 11);
    const results = asked.filter((symbol) => symbol >= 0);
    const plain = body.filter((symbol) => symbol < letters);
    expect(row[0]).toBe(begin);
    if (task === "count") {
      expect(results).toEqual([body.filter((symbol) => symbol === mark).length]);
      continue;
    }
    expect(row[11]).toBe(end);
    expect(new Set(plain).size).toBe(plain.length);
    if (task === "copy") expect(results).toEqual(body);
    if (task === "reverse") expect(results).toEqual(body.toReversed());
    if (task === "retrieve") expect(results).toEqual([body[body.indexOf(mark) + 1]]);
    // What was answered is read on.
    expect(row.slice(12)).toEqual(results.slice(0, -1));
  }
});

test("T5 learns to copy, and goes on beyond the training; the same seed gives the same", () => {
  const wanted = course("t5", { steps: 600, seed: 1 });
  const first = trainAndExamine(pe, wanted);
  const at = (length: number) => first.accuracy[examLengths.indexOf(length)]!;
  expect(at(12)).toBeGreaterThan(0.9);
  expect(at(20)).toBeGreaterThan(0.5);
  expect(at(48)).toBeLessThan(at(12));
  const short = course("rope");
  expect(trainAndExamine(pe, short)).toEqual(trainAndExamine(pe, short));
  expect(courseKey(first)).toBe(courseKey(wanted));
});

test("what is trained in the page is what Node trains, and is told after a guess", () =>
  withPage("long-context", {}, async (page) => {
    const figure = figureOf(page, "learners");
    await figure.getByRole("radio", { name: "retrieve", exact: true }).check({ force: true });
    for (const name of ["learned", "alibi", "rope"]) await figure.locator(`[data-encoding=${name}]`).click();
    await figure.locator("[data-encoding=cope]").click();
    await slideTo(sliderOf(figure, /Training steps/), 200);
    await slideTo(sliderOf(figure, /Seed/), 3);
    expect(await figure.locator("[data-result]").count()).toBe(0);
    await figure.getByRole("button", { name: "Train (2 to go)" }).click();
    // Node trains while the page does.
    const trained = (["t5", "cope"] as const).map((name) => trainAndExamine(pe, course(name, { task: "retrieve" })));
    await expect
      .poll(() => figure.getByRole("button", { name: "Train (0 to go)" }).count(), { timeout: 90_000 })
      .toBe(1);

    // Before the guess there are losses alone.
    const [losses, task, nothing] = await tablesOf(figure);
    expect(nothing).toBeUndefined();
    expect(task!.cells).toEqual(exampleOf("retrieve").map(({ sign, answer }) => [sign, answer]));
    expect(losses!.columns).toEqual(["steps", "T5", "CoPE"]);
    trained.forEach((report, column) =>
      report.losses.forEach((loss, row) => expect(losses!.numbers[row]![column]).toBeCloseTo(loss, 3)),
    );
    await figure.locator(".guess button", { hasText: "CoPE" }).click();
    const [exam] = await tablesOf(figure);
    expect(exam!.heads).toEqual(examLengths.map(String));
    trained.forEach((report, column) =>
      report.accuracy.forEach((share, row) =>
        expect(Math.abs(exam!.numbers[row]![column]! - share)).toBeLessThan(0.021),
      ),
    );
    const share = Math.round(100 * trained[1]!.accuracy[5]!);
    await expect
      .poll(() => figure.locator("[data-result=cope]").innerText())
      .toMatch(new RegExp(`CoPE: ${share}\\s% right at 12 symbols.*your guess`));

    // Others join those that are there; another seed begins anew, and the first one is not forgotten.
    await figure.locator("[data-encoding=none]").click();
    expect(await figure.getByRole("button", { name: "Train (1 to go)" }).count()).toBe(1);
    expect(await figure.locator("[data-result]").count()).toBe(2);
    await slideTo(sliderOf(figure, /Seed/), 4);
    expect(await figure.locator("[data-result]").count()).toBe(0);
    await slideTo(sliderOf(figure, /Seed/), 3);
    expect(await figure.locator("[data-result]").count()).toBe(2);
  }));

test("can be stopped, and returns from its address", () =>
  withPage("long-context", {}, async (page) => {
    const figure = figureOf(page, "learners");
    await figure.getByRole("radio", { name: "count", exact: true }).check({ force: true });
    await figure.locator("[data-encoding=rope]").click();
    await slideTo(sliderOf(figure, /Training steps/), 3200);
    await figure.getByRole("button", { name: "Train (3 to go)" }).click();
    await figure.getByRole("button", { name: "Stop" }).click();
    expect(await figure.locator("progress").count()).toBe(0);
    expect(await figure.getByRole("button", { name: "Train (3 to go)" }).isEnabled()).toBe(true);
    await figure.locator(".guess button", { hasText: "ALiBi" }).click();
    await expect
      .poll(() => page.url())
      .toContain("learners.task=count&learners.shown=learned.t5.alibi&learners.steps=3200");
    await expect.poll(() => page.url()).toContain("learners.guess=alibi");
    await page.reload();
    await expect.poll(() => figure.getByRole("radio", { name: "count", exact: true }).isChecked()).toBe(true);
    expect(await figure.locator("[data-encoding=rope]").getAttribute("aria-pressed")).toBe("false");
    expect(await sliderOf(figure, /Training steps/).inputValue()).toBe("3200");
    expect(await figure.locator(".guess").count()).toBe(0);
  }));
