// The arena: its curves are the stored measurements, its guess comes before the needle, and models read a text in the page.
import { readFileSync } from "node:fs";
import type { Locator } from "playwright";
import { expect, test } from "vitest";
import { withPage } from "../browser.ts";
import { expectClose, figureOf, numbersOf, press, tablesOf } from "../figure.ts";

const lab = new URL("../../../web/site/lab/", import.meta.url);
const json = (name: string) => JSON.parse(readFileSync(new URL(name, lab), "utf8"));
const measured = json("measured.json") as Record<
  string,
  Record<string, { loss: [number, number][]; needle: [number, number][] }>
>;
const chip = (figure: Locator, entrant: string) => figure.locator(`[data-entrant="${entrant}"]`);
const unfold = (figure: Locator, name: string) => figure.locator(`[data-fold="${name}"] > summary`).click();
const slideChart = (figure: Locator, key: string) => press(figure.getByRole("slider").first(), key);
const shownEntrants = (figure: Locator) =>
  figure.locator("[data-result]").evaluateAll((items) => items.map((item) => (item as HTMLElement).dataset["result"]));

/** The measurements of some runs side by side, as the table has them. */
const sideBySide = (which: "loss" | "needle", ...runs: [string, string][]) => {
  const lists = runs.map(([model, rule]) => measured[model]![rule]![which]);
  return lists[0]!.map(([x]) => lists.map((list) => list.find(([other]) => other === x)?.[1] ?? NaN));
};

test("shows what was measured, and the needle after a guess", () =>
  withPage("long-context", {}, async (page) => {
    const figure = figureOf(page, "arena");
    const runs: [string, string][] = [
      ["en-rope", "default"],
      ["en-rope", "window-256"],
      ["en-rope", "selfextend-32-128"],
    ];
    expectClose(await numbersOf(figure), sideBySide("loss", ...runs));
    expect(await tablesOf(figure)).toHaveLength(1);
    expect(await figure.locator("[data-result=window]").innerText()).not.toContain("finds");
    expect(await figure.locator("[data-result=window]").innerText()).toContain("sees only the last 256");
    // What is said of a model stands in the colour of its line.
    const colours = (selector: string) =>
      figure
        .locator(selector)
        .evaluateAll((all) => all.map((one) => getComputedStyle(one).getPropertyValue("--mark")).sort());
    expect(await colours("[data-result]")).toEqual(await colours("path.line"));

    // Their losses are alike: the line below is broad, so that both are seen.
    expect(await figure.locator("path.broad").count()).toBe(1);

    await figure.getByRole("button", { name: "window 256", exact: true }).last().click();
    expectClose(await numbersOf(figure, 1), sideBySide("needle", ...runs));
    const result = (entrant: string) => figure.locator(`[data-result="${entrant}"]`).innerText();
    expect(await result("window")).toMatch(/loss stays low to 4096, finds up to 256 back\s+your guess/);
    expect(await result("self-extend")).toContain("finds up to 4096 back");
    expect(await result("rope")).toContain("loss stays low to 256, finds up to 256 back");

    await unfold(figure, "others");
    for (const entrant of ["alibi", "yarn"]) await chip(figure, entrant).click();
    expect(await result("yarn")).toContain("loss stays low to 1024, finds up to 1024 back");
    // 58 % at 1024: more than half.
    expect(await result("alibi")).toContain("finds up to 1024 back");
    await figure.getByRole("radio", { name: "×16" }).check({ force: true });
    const [table] = await tablesOf(figure);
    expect(table!.columns).toContain("YaRN ×16");
    expectClose(
      table!.numbers.map((row) => [row[table!.columns.indexOf("YaRN ×16") - 1]!]),
      sideBySide("loss", ["en-rope", "yarn-16"]),
    );
  }));

test("says which lines may be compared: one model under three rules, or models of other recipes", () =>
  withPage("long-context", {}, async (page) => {
    const figure = figureOf(page, "arena");
    const told = figure.locator("[data-comparison]");
    expect(await told.innerText()).toContain("These 3 lines are one model under 3 rules");
    await unfold(figure, "others");
    await chip(figure, "t5").click();
    await chip(figure, "alibi").click();
    expect(await told.innerText()).toContain("different recipes: T5, ALiBi | RoPE, window 256, SelfExtend");
    expect(await told.innerText()).toContain("only one of seven tries");
    for (const entrant of ["rope", "window", "self-extend"]) await chip(figure, entrant).click();
    // T5 and ALiBi had the same recipe: nothing is to be said.
    expect(await told.count()).toBe(0);
  }));

test("says where the guess was made whether it was right, and what each of them finds", () =>
  withPage("long-context", {}, async (page) => {
    const figure = figureOf(page, "arena");
    const shares = ["selfextend-32-128", "default", "window-256"].map(
      (rule) => `${Math.round(100 * measured["en-rope"]![rule]!.needle.find(([x]) => x === 2048)![1])}\u00a0%`,
    );
    const wanted = `Letters found 2048 characters back: ${shares[0]} (SelfExtend), ${shares[1]} (RoPE), ${shares[2]} (window 256).`;
    for (const [guess, verdict] of [
      ["SelfExtend", "Right."],
      ["RoPE", "Not quite."],
    ]) {
      await figure.locator(".guess").getByRole("button", { name: guess, exact: true }).click();
      expect(await figure.locator(".needle .verdict").innerText()).toBe(`${verdict} ${wanted}`);
      await page.goto(page.url().replace(/#.*/, ""));
      await page.reload();
    }
  }));

test("takes entrants in and out, six at most, and keeps them in the address", () =>
  withPage("long-context", {}, async (page) => {
    const figure = figureOf(page, "arena");
    await unfold(figure, "others");
    for (const entrant of ["t5", "yarn", "rerope"]) await chip(figure, entrant).click();
    expect(await shownEntrants(figure)).toEqual(["t5", "rope", "yarn", "window", "self-extend", "rerope"]);
    expect(await chip(figure, "none").isDisabled()).toBe(true);
    await expect.poll(() => page.url()).toContain("arena.shown=t5.rope.yarn.window.self-extend.rerope");
    await page.reload();
    await expect.poll(() => shownEntrants(figure)).toEqual(["t5", "rope", "yarn", "window", "self-extend", "rerope"]);
    await unfold(figure, "others");
    // Chinese models were trained with fewer encodings.
    await figure.getByRole("radio", { name: /Chinese/ }).check({ force: true });
    expect(await shownEntrants(figure)).toEqual(["rope", "yarn", "window", "self-extend"]);
    expect(await chip(figure, "t5").count()).toBe(0);
  }));

test("models read a text here: the losses are those that were measured of it", () =>
  withPage("long-context", {}, async (page) => {
    const requests: string[] = [];
    page.on("request", (request) => requests.push(request.url()));
    const figure = figureOf(page, "arena");
    await unfold(figure, "others");
    await unfold(figure, "live");
    for (const entrant of ["window", "self-extend", "alibi", "yarn"]) await chip(figure, entrant).click();
    const text = readFileSync(new URL("text.en.txt", lab), "utf8").slice(0, 600);
    await figure.getByRole("textbox").fill(text);
    expect(requests.filter((address) => address.includes(".safetensors"))).toEqual([]);
    await figure.getByRole("button", { name: /Read it here \(3\.2 MB/ }).click();
    await expect.poll(() => figure.locator(".point").count(), { timeout: 60_000 }).toBeGreaterThan(6);
    await expect.poll(() => figure.locator(".live progress").count(), { timeout: 60_000 }).toBe(0);

    // The dots are named and read out, and what is there is not said to be loaded once more.
    expect(await figure.locator("[data-dots]").innerText()).toContain("the text that was read here");
    await slideChart(figure, "Home");
    expect(await figure.locator(".reading").first().innerText()).toMatch(/RoPE, here: \d\.\d\d/);
    expect(await figure.locator(".live button").first().innerText()).toContain("nothing to load");

    const rules = JSON.parse(readFileSync(new URL("../../fixtures/lab/rules.json", import.meta.url), "utf8")).en;
    const [live] = (await tablesOf(figure)).slice(-1);
    ["en-alibi default", "en-rope default", "en-rope yarn-4"].forEach((id, column) => {
      for (const [length, nats] of (rules[id] as [number, number][]).filter(([one]) => one <= 512)) {
        const shown = live!.numbers[Math.log2(length / 64)]![column]!;
        expect(Math.abs(shown / nats - 1), `${id} ${length}`).toBeLessThan(0.01);
      }
    });
    // What was read at one factor says nothing of another.
    await figure.getByRole("radio", { name: "×8" }).check({ force: true });
    await expect.poll(() => figure.locator(".point").count()).toBe(0);
    const origin = new URL(page.url()).origin;
    expect(requests.filter((address) => !address.startsWith(origin) && !address.startsWith("blob:"))).toEqual([]);
  }));

test("says what it does not read", () =>
  withPage("long-context", {}, async (page) => {
    const figure = figureOf(page, "arena");
    await unfold(figure, "others");
    await unfold(figure, "live");
    await chip(figure, "streaming").click();
    expect(await figure.locator(".live").innerText()).toContain("Measured only, not run here: 4 sinks + 252");
    await figure.getByRole("textbox").fill("too short");
    await figure.locator(".live button").first().click();
    await expect.poll(() => figure.locator(".live").innerText()).toContain("at least 65 characters");
  }));

test("begins with the models of the page's language", () =>
  withPage("long-context", { locale: "zh-CN" }, async (page) => {
    const figure = figureOf(page, "arena");
    expectClose(
      await numbersOf(figure),
      sideBySide(
        "loss",
        ["zh-rope-copy", "default"],
        ["zh-rope-copy", "window-256"],
        ["zh-rope-copy", "selfextend-8-64"],
      ),
    );
  }));
