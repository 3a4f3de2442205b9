// The arena: its curves are the stored measurements, its guess comes before the needle, and models read a text in the page.
import { readFileSync } from "node:fs";
import type { Locator } from "playwright";
import { expect, test } from "vitest";
import { withPage } from "../browser.ts";
import { expectClose, figureOf, numbersOf, tablesOf } from "../figure.ts";

const lab = new URL("../../../web/site/lab/", import.meta.url);
const json = (name: string) => JSON.parse(readFileSync(new URL(name, lab), "utf8"));
const measured = json("measured.json") as Record<
  string,
  Record<string, { loss: [number, number][]; needle: [number, number][] }>
>;
const chip = (figure: Locator, entrant: string) => figure.locator(`[data-entrant="${entrant}"]`);
const unfold = (figure: Locator, name: string) => figure.locator(`[data-fold="${name}"] > summary`).click();
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
      ["en-alibi", "default"],
      ["en-rope", "default"],
      ["en-rope", "yarn-4"],
      ["en-rope", "window-256"],
      ["en-rope", "selfextend-32-128"],
    ];
    expectClose(await numbersOf(figure), sideBySide("loss", ...runs));
    expect(await tablesOf(figure)).toHaveLength(1);
    expect(await figure.locator("[data-result=window]").innerText()).not.toContain("copies");
    // What is said of a model stands in the colour of its line.
    const colours = (selector: string) =>
      figure
        .locator(selector)
        .evaluateAll((all) => all.map((one) => getComputedStyle(one).getPropertyValue("--mark")).sort());
    expect(await colours("[data-result]")).toEqual(await colours("path.line"));

    await figure.getByRole("button", { name: "window of 256", exact: true }).last().click();
    expectClose(await numbersOf(figure, 1), sideBySide("needle", ...runs));
    const result = (entrant: string) => figure.locator(`[data-result="${entrant}"]`).innerText();
    expect(await result("window")).toMatch(/reads well to 4096, copies from 256 back\s+your guess/);
    expect(await result("self-extend")).toContain("copies from 4096 back");
    expect(await result("rope")).toContain("reads well to 256, copies from 256 back");
    expect(await result("yarn")).toContain("reads well to 1024, copies from 1024 back");

    await unfold(figure, "others");
    await figure.getByRole("radio", { name: "×16" }).check({ force: true });
    const [table] = await tablesOf(figure);
    expect(table!.columns).toContain("YaRN ×16");
    expectClose(
      table!.numbers.map((row) => [row[2]!]),
      sideBySide("loss", ["en-rope", "yarn-16"]),
    );
  }));

test("takes entrants in and out, six at most, and keeps them in the address", () =>
  withPage("long-context", {}, async (page) => {
    const figure = figureOf(page, "arena");
    await unfold(figure, "others");
    await chip(figure, "alibi").click();
    await chip(figure, "t5").click();
    await chip(figure, "rerope").click();
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
    for (const entrant of ["window", "self-extend"]) await chip(figure, entrant).click();
    const text = readFileSync(new URL("text.en.txt", lab), "utf8").slice(0, 600);
    await figure.getByRole("textbox").fill(text);
    expect(requests.filter((address) => address.includes(".safetensors"))).toEqual([]);
    await figure.getByRole("button", { name: /Read it here \(3\.2 MB/ }).click();
    await expect.poll(() => figure.locator(".point").count(), { timeout: 60_000 }).toBeGreaterThan(6);
    await expect.poll(() => figure.locator(".live progress").count(), { timeout: 60_000 }).toBe(0);

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
        ["zh-alibi", "default"],
        ["zh-rope-copy", "default"],
        ["zh-rope-copy", "yarn-2"],
        ["zh-rope-copy", "window-256"],
        ["zh-rope-copy", "selfextend-8-64"],
      ),
    );
  }));
