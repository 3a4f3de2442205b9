// A text of 2,000 tokens that a page has read once: after a reload it goes on from its file, on the CPU and on the GPU.
import type { Browser } from "playwright";
import { afterAll, beforeAll, expect, it } from "vitest";
import { bibleText } from "../../examples/transformers/models/bible.js";
import { softwareAdapter } from "../js/chromium.mjs";
import { maxDifference } from "../js/helpers/numbers";
import { launch, openPage, writeGpuModels } from "./pages";

const ids = (await bibleText()).slice(0, 2001) as number[];
let browser: Browser;
let page: Awaited<ReturnType<typeof openPage>>;
beforeAll(async () => {
  browser = await launch(...softwareAdapter);
  page = await openPage(browser, { entry: "cache-file-page.ts", version: 4, prepare: writeGpuModels });
}, 120_000);
afterAll(async () => {
  await page?.close();
  await browser.close();
});

it.each([
  ["wasm", "cpu", 2000],
  // The adapter is software.
  ["webgpu", "gpu-buffer", 200],
])("%s", { timeout: 300_000 }, async (device, location, tokens) => {
  await page.load();
  await page.ask("load", device);
  const read = await page.ask("keep", ids.slice(0, tokens + 1));
  expect(read.location).toBe(location);
  for (const beside of [false, true]) {
    await page.load();
    const again = await page.ask("goOn", [ids[tokens], device, beside]);
    expect(again.tokens).toBe(tokens);
    expect(maxDifference(again.logits, read.logits)).toBeLessThan(device === "wasm" ? 1e-30 : 1e-4);
    const share = again.waited / read.took;
    console.log(
      `${device}: read in ${read.took.toFixed(0)} ms; ${read.bytes} bytes restored ${beside ? "while" : "after"} the model loads, the next token ${again.waited.toFixed(0)} ms after loading: ${(100 * share).toFixed(1)} %`,
    );
    // Far below this: machines that do other work at the same time must not fail.
    expect(share).toBeLessThan(0.5);
  }
});
