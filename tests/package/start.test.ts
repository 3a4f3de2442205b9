// npm start: the tutorial before the rest is built, what is said of the rest meanwhile, and the built site as it is.
import { spawn } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "playwright";
import { describe, expect, it } from "vitest";
import { buildFirst } from "../../web/tasks/first.mjs";
import { inRoot } from "../../web/tasks/prepare.mjs";
import { contentSecurityPolicy, serve } from "../../web/tasks/serve.mjs";
import { chromiumOptions } from "../js/chromium.mjs";

const site = inRoot("dist-site");
const htmlOf = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".html") && !name.startsWith("api"))
    .sort();

describe("before the rest is built", () => {
  // It builds the whole tutorial.
  it("pages are those of the built site, and compute", { timeout: 300_000 }, async () => {
    const first = await buildFirst();
    expect(htmlOf(first)).toEqual(htmlOf(site));
    expect(htmlOf(first).length).toBeGreaterThan(20);
    const text = (folder: string, name: string): string =>
      readFileSync(join(folder, name), "utf8").replaceAll(/(assets\/[\w-]+)-[\w-]{8}(?=\.)/g, "$1");
    const body = (page: string): string => page.slice(page.indexOf("<body"));
    const others = htmlOf(site).filter((name) => body(text(first, name)) !== body(text(site, name)));
    expect(others).toEqual([]);

    const folders = [first];
    const waiting = (path: string): string | undefined => (path.startsWith("/api/") ? "It is being made." : undefined);
    const server = await serve(folders, 0, contentSecurityPolicy, waiting);
    const browser = await chromium.launch(chromiumOptions());
    try {
      const page = await browser.newPage();
      const complaints: string[] = [];
      page.on("console", (message) => ["error", "warning"].includes(message.type()) && complaints.push(message.text()));
      page.on("pageerror", (error) => complaints.push(String(error)));
      await page.goto(`${server.url}rope.html`);
      await page.locator('[data-figure="shift"]').scrollIntoViewIfNeeded();
      await page.locator('.timing[data-variant="simd"]').first().waitFor({ state: "attached" });
      expect(complaints).toEqual([]);

      const response = await page.goto(`${server.url}api/index.html`);
      expect(response?.status()).toBe(503);
      expect(await page.locator("p").innerText()).toBe("It is being made.");
      folders.unshift(site);
      await page.waitForURL("**/api/index.html");
      await page.locator("#tsd-search-trigger").waitFor();
      expect((await fetch(`${server.url}nowhere.html`)).status).toBe(404);
    } finally {
      await browser.close();
      server.close();
    }
  });
});

describe("once all is built", () => {
  it("npm start shows it at once", async () => {
    const child = spawn(process.execPath, [inRoot("web", "tasks", "start.mjs")], {
      env: { ...process.env, PORT: "0" },
      stdio: ["ignore", "pipe", "inherit"],
    });
    try {
      const url = await new Promise<string>((resolve, reject) => {
        let printed = "";
        child.on("close", () => reject(new Error(printed)));
        child.stdout.setEncoding("utf8").on("data", (text: string) => {
          printed += text;
          const [, address] = /the tutorial is at (\S+)/.exec(printed) ?? [];
          if (address) resolve(address);
          else if (/building/.test(printed)) reject(new Error(`not built completely: ${printed}`));
        });
      });
      expect(await (await fetch(url)).text()).toBe(readFileSync(join(site, "index.html"), "utf8"));
      expect((await fetch(`${url}api/`)).status).toBe(200);
      expect((await fetch(`${url}nowhere`)).status).toBe(404);
    } finally {
      child.kill();
    }
  });
});
