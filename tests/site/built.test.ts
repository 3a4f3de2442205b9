// The built folder: small at first view, there without a network, an article without scripts, no dead links.
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { describe as describeKinds } from "posenc/explain";
import { describe, expect, inject, it } from "vitest";
import { taught } from "../../web/site/src/text/taught.ts";
import { addressOf, locales, open, withPage } from "./browser.ts";
import { isChapter, pageNames } from "./pages.ts";

const built = fileURLToPath(new URL("../../dist-site", import.meta.url));
const fileOf = (name: string, locale: string) => join(built, locale === "en" ? "" : "zh-CN", `${name}.html`);

describe.skipIf(process.env["POSENC_SITE_URL"])("the built tutorial", () => {
  /** Kilobytes. */
  const limit = 200;

  const sizes = new Map<string, number>();
  /** Gzipped; pages have most of their files in common. */
  const sizeOf = (file: string): number => {
    if (!sizes.has(file)) sizes.set(file, gzipSync(readFileSync(join(built, file))).length);
    return sizes.get(file)!;
  };

  it.each(pageNames)("%s is small, gzipped, until its first figure lives", async (name) => {
    // What a page had in its cache counts as well.
    const addresses = await withPage(name, { asFound: true }, (page) =>
      page.evaluate(() => [
        location.href,
        ...performance.getEntriesByType("resource").map(({ name: address }) => address),
      ]),
    );
    const files = [...new Set(addresses.map((address) => address.replace(/[?#].*$/, "")))];
    const total = files.reduce((sum, address) => sum + sizeOf(address.slice(inject("siteUrl").length)), 0);
    expect(total / 1024).toBeLessThanOrEqual(limit);
  });

  it.each(pageNames.flatMap((name) => locales.map((locale) => [name, locale] as const)))(
    "%s in %s reads as an article without scripts",
    async (name, locale) => {
      const html = readFileSync(fileOf(name, locale), "utf8");
      const words = html.replace(/<script[^]*?<\/script>|<[^>]+>/g, " ");
      expect(words.length).toBeGreaterThan(!isChapter(name) ? 600 : locale === "en" ? 3000 : 1500);
      expect(html.includes("<h1")).toBe(true);
      // The policy refuses style attributes that come with the page.
      expect(html.match(/<[^>]+ style="/g)).toBeNull();
      if (isChapter(name)) expect(html.includes("<math")).toBe(true);
      const unfinished = html.replace(/<pre[^]*?<\/pre>|<!--[^]*?-->/g, "").match(/\$[^$\s<]|\{\w+\}/g);
      expect(unfinished).toBeNull();
    },
  );

  it("has no dead links", () => {
    const dead = locales.flatMap((locale) =>
      pageNames.flatMap((name) => {
        const file = fileOf(name, locale);
        const links = [...readFileSync(file, "utf8").matchAll(/<[a-z][^<>]* (?:href|src)="([^"#?]+)[^"]*"/g)].map(
          ([, link]) => link!,
        );
        return links
          .filter((link) => !/^https?:/.test(link))
          .filter((link) => !existsSync(normalize(join(dirname(file), link))))
          .map((link) => `${locale} ${name}: ${link}`);
      }),
    );
    expect(dead).toEqual([]);
  });

  it("leads from chapters to the API's pages of what they teach, and back", () => {
    const kinds = describeKinds().map(({ kind }) => kind);
    expect(Object.keys(taught).filter((chapter) => !isChapter(chapter))).toEqual([]);
    const missing = Object.entries(taught).flatMap(([chapter, of]) =>
      of.flatMap((kind) => {
        expect(kinds).toContain(kind);
        const page = readFileSync(join(built, "api", "documents", `Encodings.${kind}.html`), "utf8");
        const there = locales.filter((locale) => {
          const link = `href="${locale === "en" ? "./" : "../"}api/documents/Encodings.${kind}.html"`;
          return !readFileSync(fileOf(chapter, locale), "utf8").includes(link);
        });
        const back = page.includes(`href="../../${chapter}.html"`) ? [] : ["back"];
        return [...there, ...back].map((way) => `${chapter} ${kind}: ${way}`);
      }),
    );
    expect(missing).toEqual([]);
  });

  it("has a picture for each page that other sites show beside links to it, small and kept by no reader", () => {
    const shown = locales.flatMap((locale) =>
      pageNames.map((name) => {
        const html = readFileSync(fileOf(name, locale), "utf8");
        for (const meta of ["og:title", "og:description", "og:image", "twitter:card"])
          expect(html).toContain(`"${meta}"`);
        const [, path] = /property="og:image" content="[^"]*(previews\/[^"]+)"/.exec(html)!;
        const picture = readFileSync(join(built, path!));
        expect([picture.readUInt32BE(16), picture.readUInt32BE(20)]).toEqual([1200, 630]);
        expect(picture.length, path).toBeLessThan(30_000);
        return path!.replace("previews/", "");
      }),
    );
    expect(readdirSync(join(built, "previews")).sort()).toEqual(shown.sort());
    expect(readFileSync(join(built, "sw.js"), "utf8")).not.toContain("previews/");
  });

  it("keeps every page for the time without a network", async () => {
    const { page, close } = await open("index", { serviceWorkers: "allow" });
    await page.evaluate(async () => {
      const { active } = await navigator.serviceWorker.ready;
      if (active!.state !== "activated")
        await new Promise((done) =>
          active!.addEventListener("statechange", () => active!.state === "activated" && done(0)),
        );
    });
    const session = await page.context().newCDPSession(page);
    // Only the worker is to know the files.
    await session.send("Network.clearBrowserCache");
    await page.context().setOffline(true);
    for (const locale of locales)
      for (const name of pageNames) {
        await page.goto(addressOf(name, locale));
        await page.waitForFunction(() => !document.querySelector(".waiting"));
        expect(await page.locator("[role=alert]").count()).toBe(0);
      }
    await page.goto(inject("siteUrl"));
    expect(await page.locator("h1").count()).toBe(1);
    await close();
  });

  it("has no file that nothing leads to", () => {
    const texts = readdirSync(built, { recursive: true })
      .map(String)
      .filter((name) => /\.(html|js|css)$/.test(name) && !name.startsWith("api/") && name !== "sw.js")
      .map((name) => readFileSync(join(built, name), "utf8"))
      .join("\n");
    const lost = readdirSync(join(built, "assets")).filter((name) => !texts.includes(name));
    expect(lost).toEqual([]);
  });
});
