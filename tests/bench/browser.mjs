// The bench in headless Chromium; start.mjs does the set-up and says what is wanted.
import { chromium } from "playwright";
import { findChromium, inRoot, runTask } from "../../web/tasks/prepare.mjs";
import { serve } from "../../web/tasks/serve.mjs";
import { chromiumOptions } from "../js/chromium.mjs";
import { finish } from "./output.mjs";
import { assemblePage } from "./page/assemble.mjs";
import { hasPeers } from "./settings.mjs";
import { startUps } from "./start-up.mjs";

/** What `globalThis.finished` of the page at an address gives; what it logs is printed. */
async function resultOf(browser, address) {
  const page = await browser.newPage();
  page.on("console", (message) => console.log(`${message.text()}\n`));
  try {
    await page.goto(address);
    return await page.evaluate(() => globalThis.finished);
  } finally {
    await page.close();
  }
}

await runTask(async () => {
  const { only, contenders, effort } = JSON.parse(process.argv[2]);
  const folder = inRoot("build", "bench", "page");
  await assemblePage(folder, { withPeers: hasPeers({ contenders }) });
  const server = await serve(folder);
  const browser = await chromium.launch({ ...chromiumOptions(), executablePath: findChromium() });
  try {
    const address = (query) => `${server.url}bench.html?${new URLSearchParams(query)}`;
    const measured = await resultOf(browser, address({ contenders: contenders.join(), only: only.join(), effort }));
    const startOnce = (name) => resultOf(browser, address({ start: name }));
    const startUp = only.length > 0 ? undefined : await startUps(contenders, startOnce);
    finish("chromium", { engine: `Chromium ${browser.version()}`, ...measured, startUp });
  } finally {
    await browser.close();
    server.close();
  }
});
