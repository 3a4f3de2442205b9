// The built API documentation: a page for every kind, no dead link, and it works under the tutorial's strict policy.
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { dirname, join, normalize, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describe as describeKinds } from "posenc/explain";
import { chromium, type Browser, type Page } from "playwright";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { serve } from "../../web/tasks/serve.mjs";
import { chromiumOptions } from "../js/chromium.mjs";

const site = fileURLToPath(new URL("../../dist-site", import.meta.url));
const folder = join(site, "api");
const pages = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".html"));
const descriptions = describeKinds();

/** The files of the site that a page points to. */
function targetsOf(page: string): string[] {
  const html = readFileSync(join(folder, page), "utf8");
  return [...html.matchAll(/(?:href|src)="([^"#]+)/g)]
    .map(([, address]) => address!)
    .filter((address) => !/^\w+:/.test(address))
    .map((address) => normalize(join(folder, dirname(page), decodeURIComponent(address))));
}

describe("the pages", () => {
  it("have no dead links, and none that leads out of the site", () => {
    const dead = pages.flatMap((page) =>
      targetsOf(page)
        .filter((target) => !existsSync(target) || relative(site, target).startsWith(".."))
        .map((target) => `${page}: ${relative(site, target)}`),
    );
    expect(dead).toEqual([]);
  });
  it("hold no script or style that a strict policy refuses", () => {
    const refused = pages.filter((page) =>
      /<script>|<style|<[^<>]*\s(?:style|on\w+)=/.test(readFileSync(join(folder, page), "utf8")),
    );
    expect(refused).toEqual([]);
  });
  it.each(descriptions)("tell of $kind: formula, example, fields, source", ({ kind, fields }) => {
    const html = readFileSync(join(folder, "documents", `Encodings.${kind}.html`), "utf8");
    expect(html).toContain("<math");
    expect(html).not.toMatch(/<merror|katex-error/);
    for (const heading of ["Example", "In numbers", "Shapes", "Fields", "Source"])
      expect(html).toMatch(new RegExp(`<h2[^>]*>${heading}`));
    for (const { name } of fields) expect(html).toContain(`<code>${name}</code>`);
  });
});

describe("llms.txt", () => {
  const read = (name: string) => readFileSync(join(site, name), "utf8");
  it("lists every page of the documentation, and each link leads somewhere", () => {
    const targets = [...read("llms.txt").matchAll(/\]\(([^)]+)\)/g)].map(([, target]) => target!);
    for (const target of targets) expect(existsSync(join(site, target)), target).toBe(true);
    const written = readdirSync(join(site, "..", "web", "docs")).filter(
      (name) => /\.md$/.test(name) && name !== "home.md",
    );
    for (const name of written) expect(targets).toContain(`llms/${name}`);
  });
  it("has the whole text beside it: pages, and each kind with its fields and its example", () => {
    const whole = read("llms-full.txt");
    expect(whole).not.toMatch(/\{@link|^---$/m);
    for (const { kind, fields } of descriptions) {
      const [, part] = whole.split(`\n## ${kind}: `);
      for (const { name } of fields) expect(part, kind).toContain(`- ${name}: `);
      expect(part).toContain(readFileSync(join(site, "..", "examples", "kinds", `${kind}.js`), "utf8").trim());
    }
  });
});

describe("in a browser, under the strict policy", () => {
  let browser: Browser;
  let server: { url: string; close: () => void };
  beforeAll(async () => {
    server = await serve(site);
    browser = await chromium.launch(chromiumOptions());
  });
  afterAll(async () => {
    await browser?.close();
    server?.close();
  });

  async function open(path: string, width: number): Promise<{ page: Page; complaints: string[] }> {
    const page = await browser.newPage({ viewport: { width, height: 900 } });
    const complaints: string[] = [];
    page.on("console", (message) => ["error", "warning"].includes(message.type()) && complaints.push(message.text()));
    page.on("pageerror", (error) => complaints.push(String(error)));
    page.on("request", (request) => request.url().startsWith(server.url) || complaints.push(request.url()));
    await page.goto(`${server.url}api/${path}`, { waitUntil: "networkidle" });
    return { page, complaints };
  }

  it.each([
    "index.html",
    "documents/Encodings.html",
    "documents/Encodings.rope-yarn.html",
    "classes/posenc.Posenc.html",
  ])("%s: nothing is refused or cut off", async (path) => {
    for (const width of [1280, 390]) {
      const { page, complaints } = await open(path, width);
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
      expect(complaints).toEqual([]);
      await page.close();
    }
  });
  it("no page is wider than a phone", async () => {
    // Without scripts, which have no part in the widths and would start on each of a few hundred pages.
    const wide: string[] = [];
    const left = [...pages];
    const look = async () => {
      const page = await browser.newPage({ viewport: { width: 390, height: 900 }, javaScriptEnabled: false });
      for (let path = left.pop(); path; path = left.pop()) {
        await page.goto(`${server.url}api/${path}`, { waitUntil: "load" });
        if (await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)) wide.push(path);
      }
      await page.close();
    };
    await Promise.all([look(), look()]);
    expect(wide).toEqual([]);
  }, 300_000);
  it("finds what is searched for", async () => {
    const { page } = await open("index.html", 1280);
    await page.locator("#tsd-search-trigger").click();
    await page.locator("#tsd-search-input").fill("yarn");
    await page.locator("#tsd-search-results a").first().waitFor();
    expect(await page.locator("#tsd-search-results").innerText()).toMatch(/yarn/i);
    await page.close();
  });
  it("is linked from the start pages of the tutorial, in both languages, and links back", async () => {
    for (const start of ["index.html", "zh-CN/index.html"]) {
      const html = readFileSync(join(site, start), "utf8");
      const [, address] = /href="([^"]*api\/index\.html)"/.exec(html) ?? [];
      expect(normalize(join(dirname(start), address ?? "nowhere"))).toBe("api/index.html");
    }
    const { page } = await open("documents/Encodings.rope.html", 1280);
    await page.getByRole("link", { name: "Tutorial" }).first().click();
    await page.waitForURL(`${server.url}index.html`);
    await page.close();
  });
});
