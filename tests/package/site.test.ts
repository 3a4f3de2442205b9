// The built site in Chromium, under a strict Content-Security-Policy and from a sub-path.
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium, type Browser, type Page } from "playwright";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contentSecurityPolicy, serve } from "../../web/tasks/serve.mjs";

const built = fileURLToPath(new URL("../../dist-site", import.meta.url));
const pages = ["", "sinusoidal.html", "rope.html", "zh-CN/", "zh-CN/sinusoidal.html", "zh-CN/rope.html"];

let browser: Browser;
let folder = "";
let server: { url: string; close: () => void };

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "posenc-site-"));
  cpSync(built, join(folder, "some", "path"), { recursive: true });
  server = await serve(folder);
  browser = await chromium.launch({
    executablePath: process.env["CHROMIUM_PATH"] ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-background-networking"],
  });
});
afterAll(async () => {
  await browser?.close();
  server?.close();
  rmSync(folder, { recursive: true, force: true });
});

async function open(path: string, width = 1280): Promise<{ page: Page; complaints: string[] }> {
  const page = await browser.newPage({ viewport: { width, height: 900 } });
  const complaints: string[] = [];
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(String(error)));
  await page.goto(`${server.url}some/path/${path}`, { waitUntil: "networkidle" });
  return { page, complaints };
}

/** How many of a page's canvases show more than one colour. */
const drawnCanvases = (page: Page): Promise<number> =>
  page.evaluate(
    () =>
      [...document.querySelectorAll("canvas")].filter((canvas) => {
        const pixels = new Uint32Array(
          canvas.getContext("2d")!.getImageData(0, 0, canvas.width, canvas.height).data.buffer,
        );
        return new Set(pixels).size > 2;
      }).length,
  );

describe("the site", () => {
  it("is served with the policy", async () => {
    const response = await fetch(`${server.url}some/path/`);
    expect(response.headers.get("content-security-policy")).toBe(contentSecurityPolicy);
  });
  it.each(pages)("/%s loads, says which build it runs, and nothing is refused or cut off", async (path) => {
    for (const width of [1280, 390]) {
      const { page, complaints } = await open(path, width);
      expect(await page.evaluate(() => document.documentElement.lang)).toBe(path.startsWith("zh-CN") ? "zh-CN" : "en");
      expect(await page.locator("body").innerText()).toMatch(/relaxed|simd|scalar|标量/i);
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
      expect(complaints).toEqual([]);
      await page.close();
    }
  });
  it("draws its figures", async () => {
    const { page } = await open("sinusoidal.html");
    expect(await drawnCanvases(page)).toBeGreaterThanOrEqual(2);
    await page.close();
  });
});
