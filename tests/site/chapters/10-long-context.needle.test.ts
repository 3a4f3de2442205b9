// The needle as a game: what a model says in the page is what it says in Node, and agrees with what was measured.
import { readFileSync } from "node:fs";
import type { Locator } from "playwright";
import { expect, test } from "vitest";
import { distances, randomKey } from "../../../web/site/src/chapters/10-long-context/needle.ts";
import { LanguageModel } from "../../../web/site/src/lab/language-model.ts";
import { findKey, hide, keyPlace, type NeedleTask } from "../../../web/site/src/lab/needle.ts";
import type { Rule, TrainedWith } from "../../../web/site/src/lab/positions.ts";
import { withPage } from "../browser.ts";
import { figureOf, slideTo, sliderOf, tablesOf } from "../figure.ts";
import { pe } from "../library.ts";

const lab = new URL("../../../web/site/lab/", import.meta.url);
const json = (name: string) => JSON.parse(readFileSync(new URL(name, lab), "utf8"));
const passage = readFileSync(new URL("text.en.txt", lab), "utf8");
const vocabulary: string[] = json("vocabulary.en.json");
const measured = json("measured.json") as Record<string, Record<string, { needle: [number, number][] }>>;
const modelOf = (id: string) =>
  new LanguageModel(new Uint8Array(readFileSync(new URL(`models/${id}.safetensors`, lab))).buffer);
const models = { "en-rope": modelOf("en-rope"), "en-alibi": modelOf("en-alibi") };

function seek(id: keyof typeof models, rule: Rule, distance: number, seed: number, from = 0) {
  const trained = id.slice(3) as TrainedWith;
  const task: NeedleTask = {
    reader: { name: id, address: "", bytes: 0, trained, rule },
    vocabulary,
    text: passage.slice(from),
    key: randomKey(seed),
    distance,
  };
  return findKey(pe, models[id], task);
}

test("hides a key twice, so far apart, and changes nothing else", () => {
  const key = randomKey(5);
  expect(key).toMatch(/^[a-z]{16}$/);
  for (const distance of distances) {
    const text = hide(passage, key, distance);
    expect(text.length).toBe(keyPlace + distance + key.length);
    expect(text.slice(keyPlace, keyPlace + 16)).toBe(key);
    expect(text.slice(keyPlace + distance)).toBe(key);
    expect(text.slice(keyPlace + 16, keyPlace + distance)).toBe(passage.slice(keyPlace + 16, keyPlace + distance));
  }
});

test.each([
  ["en-rope", "default", { name: "default" }, 192],
  ["en-rope", "default", { name: "default" }, 384],
  ["en-rope", "yarn-4", { name: "yarn", value: 4 }, 768],
  ["en-rope", "window-256", { name: "window", value: 256 }, 512],
  ["en-rope", "rerope-192", { name: "rerope", value: 192 }, 768],
  ["en-alibi", "default", { name: "default" }, 512],
  ["en-alibi", "default", { name: "default" }, 1024],
] as [keyof typeof models, string, Rule, number][])(
  "%s, %s, %o, %i characters back: finds as much as was measured",
  (id, rule, how, distance) => {
    const shares = [1, 2, 3, 4, 5, 6].map((seed) => seek(id, how, distance, seed, 300 * seed).share);
    const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length;
    const [, wanted] = measured[id]![rule]!.needle.find(([at]) => at === distance)!;
    // Six keys of twelve letters: letters of one key are found or lost together.
    expect(Math.abs(mean - wanted)).toBeLessThan(wanted > 0.2 && wanted < 0.9 ? 0.35 : 0.12);
  },
);

const shown = (figure: Locator) => figure.locator("[data-said]").innerText();

test("a model looks for the key in the page, and says what it says in Node", () =>
  withPage("long-context", {}, async (page) => {
    const requests: string[] = [];
    page.on("request", (request) => requests.push(request.url()));
    const figure = figureOf(page, "needle");
    const [table, nothing] = await tablesOf(figure);
    expect(nothing).toBeUndefined();
    expect(table!.numbers.map(([share]) => share)).toEqual(measured["en-rope"]!["default"]!.needle.map(([, y]) => y));
    expect(requests.filter((address) => address.includes(".safetensors"))).toEqual([]);

    await figure.getByRole("button", { name: /Look for it \(1\.6 MB/ }).click();
    await expect.poll(() => shown(figure), { timeout: 60_000 }).toContain("RoPE, 320 characters back");
    const plain = seek("en-rope", { name: "default" }, 320, 1);
    const tries = async () => (await tablesOf(figure))[1]!;
    expect((await tries()).cells[0]!.slice(0, 3)).toEqual(["RoPE", "320", plain.said.trim()]);

    await figure.getByRole("radio", { name: "YaRN ×4", exact: true }).check({ force: true });
    await figure.getByRole("button", { name: /Look for it/ }).click();
    await expect.poll(() => shown(figure), { timeout: 60_000 }).toContain("YaRN ×4, 320 characters back");
    const scaled = seek("en-rope", { name: "yarn", value: 4 }, 320, 1);
    expect(scaled.share).toBeGreaterThan(plain.share);
    expect((await tries()).cells.map((cells) => cells[2])).toEqual([scaled.said.trim(), plain.said.trim()]);
    expect(await shown(figure)).toContain(`${Math.round(100 * scaled.share)} % right`);
    expect(await figure.locator(".point").count()).toBe(1);
    const origin = new URL(page.url()).origin;
    expect(requests.filter((address) => !address.startsWith(origin) && !address.startsWith("blob:"))).toEqual([]);
  }));

test("takes a key of the reader's, and returns from its address", () =>
  withPage("long-context", {}, async (page) => {
    const figure = figureOf(page, "needle");
    await figure.getByRole("textbox").fill("Thequickbrownfox");
    expect(await figure.getByRole("textbox").inputValue()).toBe("thequickbrownfox");
    expect(await figure.locator(".sketch").innerText()).toMatch(/^thequickbrownfox … 304 characters of text … theq/);
    await slideTo(sliderOf(figure, /Characters back/), 4);
    await figure.getByRole("radio", { name: "ALiBi" }).check({ force: true });
    await figure.getByRole("button", { name: "Another password" }).click();
    expect(await figure.locator(".sketch").innerText()).toContain(randomKey(2));
    await expect.poll(() => page.url()).toContain("needle.seeker=alibi&needle.far=4&needle.key=2");
    await page.reload();
    await expect.poll(() => figure.locator(".sketch").innerText()).toContain(randomKey(2));
    expect(await figure.locator(".reading").innerText()).toBe("160 back: 100 % measured");
  }));
