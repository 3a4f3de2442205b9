// A real model under the reader's hands: what it writes with its positions, without them, and with others.
import { readFileSync } from "node:fs";
import type { Locator } from "playwright";
import { expect, test } from "vitest";
import { LanguageModel } from "../../../web/site/src/lab/language-model.ts";
import { place, ropeWithout } from "../../../web/site/src/lab/positions.ts";
import { idsOf } from "../../../web/site/src/lab/read-along.ts";
import { withPage } from "../browser.ts";
import { figureOf, slideTo, sliderOf, tablesOf } from "../figure.ts";
import { pe } from "../library.ts";

const lab = new URL("../../../web/site/lab/", import.meta.url);
const choose = (figure: Locator, name: string) =>
  figure.getByRole("radio", { name, exact: true }).check({ force: true });
const continuation = (figure: Locator) => figure.locator("[data-continuation]").innerText();
const idle = (figure: Locator) => expect.poll(() => figure.locator("progress").count(), { timeout: 60_000 }).toBe(0);
/** After a change, which is read with a short delay. */
async function after(figure: Locator, change: () => Promise<void>): Promise<string> {
  const before = await figure.locator("[role=status]").innerText();
  await change();
  await expect.poll(() => figure.locator("[role=status]").innerText(), { timeout: 60_000 }).not.toBe(before);
  await idle(figure);
  return continuation(figure);
}

function open(id: string): LanguageModel {
  const bytes = readFileSync(new URL(`models/${id}.safetensors`, lab));
  return new LanguageModel(new Uint8Array(bytes).buffer);
}

const text = "And God said, Let there be light: and there was ";

test("reads on request, and loses the thread when its positions are taken away", () =>
  withPage("order", {}, async (page) => {
    const requests: string[] = [];
    page.on("request", (request) => requests.push(request.url()));
    const figure = figureOf(page, "model");
    await figure.scrollIntoViewIfNeeded();
    await expect.poll(() => figure.getByRole("button", { name: /Let it read/ }).count()).toBe(1);
    expect(requests.filter((address) => address.includes("safetensors"))).toEqual([]);
    await figure.getByRole("button", { name: /Let it read \(1\.6 MB/ }).click();
    await figure.locator("[data-continuation]").waitFor();
    await idle(figure);
    const whole = await continuation(figure);

    // Each character's loss is that of the same model in Node.
    const model = open("en-rope");
    const ids = idsOf(text, JSON.parse(readFileSync(new URL("vocabulary.en.json", lab), "utf8")));
    const placement = place(pe, "rope", { name: "default" }, (name) => model.weight(name), ids.length - 1);
    const losses = model.losses(pe, ids, placement);
    const [, shown] = await tablesOf(figure);
    expect(shown!.numbers).toHaveLength(losses.length);
    shown!.numbers.forEach(([loss], index) => expect(loss).toBeCloseTo(losses[index]!, 3));

    const stammer = await after(figure, () => choose(figure, "taken away"));
    expect(stammer).not.toBe(whole);
    const [, lost] = await tablesOf(figure);
    const mean = (rows: number[][]) => rows.reduce((sum, [loss]) => sum + loss!, 0) / rows.length;
    expect(mean(lost!.numbers)).toBeGreaterThan(2 * mean(shown!.numbers));

    // RoPE sees distances: 1000 places farther on nothing has changed.
    expect(await after(figure, () => choose(figure, "all shifted"))).toBe(whole);
    // A learned table has no such rows, and says so.
    await choose(figure, "learned table");
    await expect.poll(() => figure.locator("[role=alert]").count(), { timeout: 60_000 }).toBe(1);
    expect(await figure.locator("[role=alert]").innerText()).toMatch(/25[56]/);
    // What was read before would pass for what the table makes of it.
    expect(await figure.locator("[data-continuation]").count()).toBe(0);
    expect(await figure.locator("[data-beside]").count()).toBe(0);
  }));

test("answers the guess itself: as trained beside taken away, and nothing is right before it has read", () =>
  withPage("order", {}, async (page) => {
    const figure = figureOf(page, "model");
    await figure.scrollIntoViewIfNeeded();
    const asked = page.locator(".predict").last();
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route("**/*.safetensors", async (route) => {
      await held;
      await route.continue();
    });
    await asked.getByRole("button", { name: "a stammer" }).click();
    await figure.locator("progress").waitFor();
    expect(await asked.locator(".reveal, .right").count()).toBe(0);
    release();
    await expect.poll(() => asked.locator(".reveal").count(), { timeout: 60_000 }).toBe(1);
    expect(await asked.locator(".reveal").innerText()).toContain("Right.");
    const said = (side: string) => figure.locator(`[data-beside="${side}"] dd`).innerText();
    const [trained, away] = [await said("trained"), await said("now")];
    expect(trained).not.toBe(away);
    // A stammer: the same two letters over and over.
    expect(new Set(away.replaceAll("…", "")).size).toBeLessThan(5);
    expect(new Set(trained).size).toBeGreaterThan(5);
    // The head is looked at from the last character, which sees all others.
    expect(await figure.innerText()).toContain("“␣” gives “s” a weight of");
  }));

test("one pair of one head that does not turn is what the library says", () =>
  withPage("order", {}, async (page) => {
    const figure = figureOf(page, "model");
    await figure.scrollIntoViewIfNeeded();
    await figure.getByRole("button", { name: /Let it read/ }).click();
    await figure.locator("[data-continuation]").waitFor();
    await idle(figure);
    await slideTo(sliderOf(figure, "Pair held still"), 1);
    const [layer, head] = await Promise.all(
      ["Layer", "Head"].map(async (name) => Number(await sliderOf(figure, name).inputValue())),
    );
    const model = open("en-rope");
    const ids = idsOf(text, JSON.parse(readFileSync(new URL("vocabulary.en.json", lab), "utf8")));
    const placement = place(pe, "rope", { name: "default" }, (name) => model.weight(name), ids.length);
    let weights = new Float32Array();
    const look = {
      layer: layer!,
      head: head!,
      attention: { encoding: ropeWithout(pe, 1) },
      take: (found: Float32Array) => (weights = new Float32Array(found)),
    };
    model.hidden(pe, ids, placement, undefined, look);
    const map = figure.getByRole("application").or(figure.locator("[aria-label='What one head sees']")).first();
    const last = ids.length - 1;
    const wanted = weights[last * ids.length + last - 1]!;
    await idle(figure);
    // The map begins at the last character and the one before it.
    await map.focus();
    await map.press("ArrowLeft");
    await map.press("ArrowRight");
    await expect
      .poll(async () => Number(/weight of ([\d.]+)/.exec(await figure.innerText())?.[1]))
      .toBeCloseTo(wanted, 2);
  }));

test("a Chinese model finishes the poem, and not with its characters shuffled", () =>
  withPage("order", { locale: "zh-CN" }, async (page) => {
    const figure = figureOf(page, "model");
    await figure.scrollIntoViewIfNeeded();
    await figure.getByRole("button", { name: /让它读/ }).click();
    await figure.locator("[data-continuation]").waitFor();
    await idle(figure);
    expect(await continuation(figure)).toContain("“故乡。");
    expect(await after(figure, () => figure.getByRole("button", { name: "打乱顺序" }).click())).not.toContain(
      "“故乡。",
    );
  }));
