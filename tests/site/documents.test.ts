// Documents as cache files: what the worker computes against plain forward passes, and the page with a store that is full, damaged, empty.
import { readFileSync } from "node:fs";
import type { BrowserContext, Page } from "playwright";
import { describe, expect, it } from "vitest";
import { editionOf, readerOf } from "../../web/site/src/documents/documents.ts";
import { en } from "../../web/site/src/documents/text.en.ts";
import { zhCN } from "../../web/site/src/documents/text.zh-CN.ts";
import { divergenceOf, type Answer } from "../../web/site/src/documents/work.ts";
import { Reading } from "../../web/site/src/lab/kept-reading.ts";
import { LanguageModel } from "../../web/site/src/lab/language-model.ts";
import { place } from "../../web/site/src/lab/positions.ts";
import { idsOf } from "../../web/site/src/lab/read-along.ts";
import { barriers } from "./axe.ts";
import { addressOf, locales, open, type Locale, type OpenOptions } from "./browser.ts";
import { parseNumber } from "./figure.ts";
import { pe } from "./library.ts";

const texts = { en, "zh-CN": zhCN };
const lab = new URL("../../web/site/lab/", import.meta.url);

function setUp(locale: Locale) {
  const edition = editionOf(locale);
  const reader = readerOf(edition, "");
  const bytes = readFileSync(new URL(`models/${edition.model}.safetensors`, lab));
  const model = new LanguageModel(new Uint8Array(bytes).buffer);
  const vocabulary = JSON.parse(readFileSync(new URL(`vocabulary.${edition.language}.json`, lab), "utf8")) as string[];
  const ids = edition.documents.map(({ text }) => idsOf(text, vocabulary));
  return { ...edition, reader, vocabulary, named: { reader, model, names: { id: edition.model } }, ids };
}

const joined = (all: Int32Array[]) => Int32Array.from(all.flatMap((ids) => [...ids]));
const furthest = (a: Float32Array, b: Float32Array) =>
  a.reduce((most, value, i) => Math.max(most, Math.abs(value - b[i]!)), 0);

describe.each(locales)("what is read and kept (%s)", (locale) => {
  it("is of the vocabulary, and no longer in all than the model reads well", () => {
    const { documents, vocabulary } = setUp(locale);
    const all = documents.map(({ text, next }) => text + next).join("");
    expect(idsOf(all, vocabulary).filter((id) => id === 1).length).toBe(0);
    expect(Array.from(all).length).toBeLessThan(1024);
    for (const { text } of documents) expect(text).toMatch(/[.?!:;。？！]\n$/);
  });

  it("is what one pass over everything computes, if it is read in steps", () => {
    const { named, ids, reader } = setUp(locale);
    const all = joined(ids);
    const reading = new Reading(pe, named, all.length);
    const placement = place(pe, reader.trained, reader.rule, (name) => named.model.weight(name), all.length);
    try {
      const whole = named.model.hidden(pe, all, placement);
      expect(furthest(reading.read(all), whole)).toBeLessThan(1e-3);
    } finally {
      reading.dispose();
      placement.dispose();
    }
  });

  it("is exact as the first text, and differs a little after a seam", async () => {
    const { named, ids } = setUp(locale);
    const files: Blob[] = [];
    for (const own of ids) {
      const alone = new Reading(pe, named, own.length);
      alone.read(own);
      files.push(await alone.save(own, "float32"));
      alone.dispose();
    }
    /** The hidden states of the last text's first characters, read after what is put there. */
    const after = async (before: number[], question: Int32Array, kept: boolean) => {
      const reading = new Reading(pe, named, joined(ids).length + question.length);
      for (const index of before) {
        if (kept) await reading.put(files[index]!, ids[index]!);
        else reading.read(ids[index]!);
      }
      const hidden = reading.read(question);
      reading.dispose();
      return hidden;
    };
    const question = ids[2]!.subarray(0, 24);
    for (const first of [0, 1])
      expect(furthest(await after([first], question, true), await after([first], question, false))).toBeLessThan(1e-4);
    const apart = furthest(await after([1, 0], question, true), await after([1, 0], question, false));
    expect(apart).toBeGreaterThan(1e-3);
    const damaged = new Blob([(await files[0]!.arrayBuffer()).slice(0, -1)]);
    const reading = new Reading(pe, named, 1000);
    await expect(reading.put(damaged, ids[0]!)).rejects.toThrow(/damaged or cut off/);
    await expect(reading.put(files[0]!, ids[1]!)).rejects.toThrow(/tokens/);
    expect(reading.length).toBe(0);
    reading.dispose();
  });
});

it("the divergence is that of the definition", () => {
  const answer = (...shares: number[]) => ({ expected: Float32Array.from(shares, Math.log) }) as Answer;
  const [right, other] = [answer(0.5, 0.5, 0.9, 0.1), answer(0.25, 0.75, 0.9, 0.1)];
  const expected = (0.5 * Math.log(0.5 / 0.25) + 0.5 * Math.log(0.5 / 0.75)) / 2;
  expect(divergenceOf(right, other, 2)).toBeCloseTo(expected, 6);
  expect(divergenceOf(right, right, 2)).toBe(0);
});

/** A worker, a build of the library and the weights come first. */
const slow = { timeout: 60_000 };
const keptOf = (page: Page) => page.locator("[data-kept=true]").count();
const lossOf = async (page: Page, way: "files" | "anew"): Promise<number> => {
  const loss = page.locator(`[data-way=${way}] [data-loss]`);
  await loss.waitFor(slow);
  return parseNumber(await loss.innerText());
};
/** Milliseconds. */
const timeOf = async (page: Page, way: "files" | "anew"): Promise<number> =>
  parseFloat(await page.locator(`[data-way=${way}] [data-time]`).innerText());
const titlesOf = (page: Page) =>
  page.locator("[data-document] h3").evaluateAll((all) => all.map((one) => one.firstChild!.textContent));

async function readAll(page: Page): Promise<void> {
  await page.locator(".tools button.main").click();
  await expect.poll(() => keptOf(page), slow).toBe(3);
}

/** A page with a context, and so a store, of its own. */
async function withStore(
  options: OpenOptions,
  work: (page: Page, context: BrowserContext) => Promise<void>,
): Promise<void> {
  const { page, complaints, strangers, close } = await open("documents", options);
  try {
    await work(page, page.context());
    expect(complaints).toEqual([]);
    expect(strangers).toEqual([]);
  } finally {
    await close();
  }
}

describe.each(locales)("the page of documents (%s)", (locale) => {
  const text = texts[locale];
  const { documents } = editionOf(locale);

  it("reads once, keeps, and goes on at once after a reload", () =>
    withStore({ locale }, async (page) => {
      expect(await keptOf(page)).toBe(0);
      await readAll(page);
      const loss = await lossOf(page, "files");
      expect(await timeOf(page, "files")).toBeGreaterThan(0);
      expect(await page.locator("[data-store]").innerText()).toMatch(/3.*[1-9]\d{3}\s*KB/);
      await page.addInitScript(() => {
        new MutationObserver(() => {
          if (document.querySelector("progress")) document.documentElement.dataset["hasRead"] = "";
        }).observe(document, { subtree: true, childList: true });
      });
      await page.reload();
      expect(await lossOf(page, "files")).toBe(loss);
      expect(await page.evaluate(() => "hasRead" in document.documentElement.dataset)).toBe(false);
      expect(await keptOf(page)).toBe(3);
      expect(await barriers(page)).toEqual([]);
    }));

  it("takes the texts in another order, compares with reading anew, and empties the store", () =>
    withStore({ locale }, async (page) => {
      await readAll(page);
      const first = await lossOf(page, "files");
      const up = page.getByRole("button", { name: text.shelf.up.replace("{title}", documents[2]!.title) });
      await up.focus();
      await page.keyboard.press("Enter");
      await expect.poll(() => titlesOf(page)).toEqual([0, 2, 1].map((index) => documents[index]!.title));
      expect(await up.evaluate((one) => one === document.activeElement)).toBe(true);
      await expect.poll(() => lossOf(page, "files")).not.toBe(first);
      const files = await lossOf(page, "files");
      await page.getByRole("button", { name: text.answer.readAnew }).click();
      const anew = await lossOf(page, "anew");
      expect(Math.abs(anew - files)).toBeLessThan(0.05);
      expect(Math.abs(anew - files)).toBeGreaterThan(0);
      const divergence = await page.locator("[data-way=files] [data-divergence]").innerText();
      expect(divergence).not.toBe("0");
      for (const way of ["files", "anew"] as const) expect(await timeOf(page, way)).toBeGreaterThan(0);
      await page.getByRole("button", { name: text.shelf.empty }).click();
      await expect.poll(() => keptOf(page)).toBe(0);
      await page.reload();
      await page.locator(".tools button.main").waitFor();
      expect(await keptOf(page)).toBe(0);
      expect(await page.getByText(text.answer.first).count()).toBe(1);
    }));
});

/** In the page: a second file finds no room, until `hasRoom` is there. */
function leaveRoomForOne() {
  const { close } = FileSystemWritableFileStream.prototype;
  let closed = 0;
  FileSystemWritableFileStream.prototype.close = function (this: FileSystemWritableFileStream) {
    closed += 1;
    if (closed > 1 && !("hasRoom" in window)) throw new DOMException("no room", "QuotaExceededError");
    return close.call(this);
  };
}

describe("the page of documents", () => {
  it("says which file is damaged, and reads that text again", () =>
    withStore({}, async (page) => {
      await readAll(page);
      const loss = await lossOf(page, "files");
      await page.evaluate(async () => {
        const root = await navigator.storage.getDirectory();
        const folder = await root.getDirectoryHandle("posenc-documents");
        for await (const [name, handle] of folder.entries()) {
          if (!name.includes("-2-")) continue;
          const stream = await (handle as FileSystemFileHandle).createWritable({ keepExistingData: true });
          await stream.write({ type: "write", position: 200_000, data: new Uint8Array(64).fill(7) });
          await stream.close();
        }
      });
      await page.reload();
      const alert = page.locator("[data-document='1'] [role=alert]");
      await alert.waitFor(slow);
      expect(await alert.innerText()).toContain(en.shelf.damaged);
      expect(await alert.innerText()).toContain("damaged");
      expect(await keptOf(page)).toBe(2);
      await page.getByRole("button", { name: en.shelf.reread }).click();
      await expect.poll(() => keptOf(page), slow).toBe(3);
      expect(await alert.count()).toBe(0);
      expect(await lossOf(page, "files")).toBe(loss);
    }));

  it("loses nothing where there is no room", () =>
    withStore({}, async (page) => {
      await page.evaluate(leaveRoomForOne);
      await readAll(page);
      await page.getByText(en.shelf.full).waitFor();
      const loss = await lossOf(page, "files");
      const states = await page.locator("[data-document] .state").allInnerTexts();
      expect(states.map((state) => state.split(",")[0])).toEqual(["kept", "in memory", "in memory"]);
      expect(await page.locator("[data-store]").innerText()).toContain(": 1 (");
      await page.evaluate(() => Object.assign(window, { hasRoom: true }));
      await page.getByRole("button", { name: en.shelf.again }).click();
      await expect
        .poll(() => page.locator("[data-document] .state").allInnerTexts())
        .toSatisfy((all: string[]) => all.every((state) => state.startsWith("kept")));
      expect(await page.getByText(en.shelf.full).count()).toBe(0);
      await page.reload();
      expect(await lossOf(page, "files")).toBe(loss);
    }));

  it("keeps what there was room for", () =>
    withStore({}, async (page) => {
      await page.evaluate(leaveRoomForOne);
      await readAll(page);
      await page.getByText(en.shelf.full).waitFor();
      await page.reload();
      await expect.poll(() => keptOf(page)).toBe(1);
      await page.getByRole("button", { name: en.shelf.reread }).click();
      await expect.poll(() => keptOf(page), slow).toBe(3);
    }));

  it("keeps what was read when the reader stops, and reads on later", () =>
    withStore({}, async (page) => {
      await page.locator(".tools button.main").click();
      await expect.poll(() => keptOf(page), slow).toBeGreaterThan(0);
      const stop = page.locator(".tools .progress button");
      // A quick machine may have read all by now.
      if (await stop.count()) await stop.click({ timeout: 500 }).catch(() => undefined);
      if ((await keptOf(page)) < 3) await page.getByRole("button", { name: en.shelf.reread }).click();
      await expect.poll(() => keptOf(page), slow).toBe(3);
      expect(await lossOf(page, "files")).toBeGreaterThan(0);
    }));

  it("works in memory where the browser keeps no files, and says so", () =>
    withStore(
      {
        before: () => {
          StorageManager.prototype.getDirectory = () => Promise.reject(new DOMException("private", "SecurityError"));
        },
      },
      async (page) => {
        await page.getByText(en.shelf.noStore).waitFor();
        await readAll(page);
        expect(await lossOf(page, "files")).toBeGreaterThan(0);
        expect(await page.locator("[data-document] .state").first().innerText()).toContain("in memory");
        expect(await page.locator("[data-store]").innerText()).toContain(": 3 (");
      },
    ));

  it("reads beginnings again, and stores smaller numbers, if it is asked to", () =>
    withStore({}, async (page) => {
      await readAll(page);
      const loss = await lossOf(page, "files");
      await page.getByRole("switch").check();
      await expect.poll(() => lossOf(page, "files")).not.toBe(loss);
      expect(await page.locator("svg .again").count()).toBe(2);
      await page.getByRole("radio", { name: "int8" }).check();
      expect(await keptOf(page)).toBe(0);
      await readAll(page);
      expect(Math.abs((await lossOf(page, "files")) - loss)).toBeLessThan(0.02);
      await expect.poll(() => page.url()).toContain("documents.type=int8");
    }));

  it.skipIf(process.env["POSENC_SITE_URL"])("works without a network once the texts were read", () =>
    withStore({ serviceWorkers: "allow" }, async (page, context) => {
      await page.evaluate(() => navigator.serviceWorker.ready);
      await readAll(page);
      const loss = await lossOf(page, "files");
      await expect
        .poll(() => page.evaluate(async () => (await navigator.serviceWorker.ready).active!.state), slow)
        .toBe("activated");
      await context.setOffline(true);
      await page.goto(addressOf("documents"));
      expect(await lossOf(page, "files")).toBe(loss);
    }),
  );
});
