// Does the packed package work where people use it? Each consumer installs the tarball, builds, runs, and gets the numbers.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium, type Browser } from "playwright";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { serve } from "../../../web/tasks/serve.mjs";
import { expectedResults, consumers, texts, type Consumer } from "./consumers.ts";
import { pageFolder, run, setUp, startServer, watchedPage } from "./workspace.ts";
import { chromiumOptions } from "../../js/chromium.mjs";

let browser: Browser;

beforeAll(async () => {
  browser = await chromium.launch(chromiumOptions());
});
afterAll(async () => browser?.close());

type Results = Record<string, unknown>;

/** What a page shows once it is done, and what a server had put into it before, if it had. */
async function resultsOfPage(url: string): Promise<Results[]> {
  const { page, complaints } = await watchedPage(browser);
  try {
    await page.goto(url);
    const end = Date.now() + 60_000;
    while ((await page.title()) === "running" && complaints.length === 0 && Date.now() < end)
      await page.waitForTimeout(50);
    expect(complaints).toEqual([]);
    const shown = await page.locator("pre").allTextContents();
    expect(await page.title(), shown.join("\n")).toBe("done");
    return shown.map((text) => JSON.parse(text));
  } finally {
    await page.close();
  }
}

async function results(consumer: Consumer, folder: string): Promise<Results[]> {
  if (consumer.print) return [JSON.parse(await run(consumer.print, folder))].flat();
  if (consumer.fromDisk) return resultsOfPage(pathToFileURL(join(pageFolder(consumer, folder), "index.html")).href);
  const server = consumer.serve
    ? await startServer(consumer.serve, folder)
    : await serve(pageFolder(consumer, folder), 0, consumer.policy);
  try {
    return await resultsOfPage(server.url);
  } finally {
    server.close();
  }
}

describe("the packed package", () => {
  it.concurrent.for(consumers)(
    "$name",
    async (consumer, { expect }) => {
      const folder = await setUp(consumer);
      if (consumer.build) await run(consumer.build, folder);
      const all = await results(consumer, folder);
      expect(all.length).toBe(consumer.results ?? 1);
      // Engines differ; Chromium has what the fastest build needs, which shows that all its files are found.
      const chromium = consumer.oneBuild ? /^simd$/ : /^relaxed$/;
      expect(all.at(-1)!["variant"]).toMatch(consumer.print ? /^(relaxed|simd)$/ : chromium);
      for (const result of all) {
        expect(Object.keys(result).sort()).toEqual(
          ["variant", ...Object.keys({ ...expectedResults, ...texts })].sort(),
        );
        for (const [name, text] of Object.entries(texts)) expect(result[name], name).toBe(text);
        for (const [name, numbers] of Object.entries(expectedResults)) {
          const got = result[name] as number[];
          expect(got.length, name).toBe(numbers.length);
          for (const [i, number] of numbers.entries()) expect(got[i], `${name}[${i}]`).toBeCloseTo(number, 6);
        }
      }
    },
    300_000,
  );
});
