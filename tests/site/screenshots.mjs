// Pictures of pages, to be looked at: node tests/site/screenshots.mjs 03-sinusoidal [08-rope …] [--url http://localhost:5173/]
// build/screenshots/NAME.{1280,390}.{light,dark}.{en,zh-CN}.png. Without --url: the built site.
import { mkdirSync } from "node:fs";
import { parseArgs } from "node:util";
import { chromium } from "playwright";
import { inRoot } from "../../web/tasks/prepare.mjs";
import { serve } from "../../web/tasks/serve.mjs";
import { chromiumOptions } from "../js/chromium.mjs";

const { values, positionals } = parseArgs({ options: { url: { type: "string" } }, allowPositionals: true });
const server = values.url ? undefined : await serve(inRoot("dist-site"));
const url = values.url ?? server.url;
const folder = inRoot("build", "screenshots");
mkdirSync(folder, { recursive: true });

const browser = await chromium.launch(chromiumOptions());

async function picture(name, width, colorScheme, locale) {
  const context = await browser.newContext({
    viewport: { width, height: 900 },
    colorScheme,
    reducedMotion: "reduce",
    serviceWorkers: "block",
  });
  const page = await context.newPage();
  await page.goto(`${url}${locale === "en" ? "" : "zh-CN/"}${name.replace(/^\d+-/, "")}.html`);
  await page.waitForFunction(() => !document.querySelector(".waiting"));
  // What waits until it is near the reader's eyes.
  await page.evaluate(async () => {
    for (let top = 0; top < document.body.scrollHeight; top += innerHeight) {
      scrollTo(0, top);
      await new Promise((next) => setTimeout(next, 150));
    }
  });
  await page.waitForTimeout(300);
  await page.evaluate(() => scrollTo(0, 0));
  await page.waitForTimeout(400);
  await page.screenshot({ path: `${folder}/${name}.${width}.${colorScheme}.${locale}.png`, fullPage: true });
  await context.close();
}

for (const name of positionals)
  for (const width of [1280, 390])
    for (const scheme of ["light", "dark"])
      for (const locale of ["en", "zh-CN"]) await picture(name, width, scheme, locale);
await browser.close();
server?.close();
console.log(`pictures in ${folder}`);
