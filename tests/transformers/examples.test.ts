// examples/transformers as they stand: what they print in Node, and the first in Chromium with everything served from here.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright";
import { describe, expect, it } from "vitest";
import { buildPage } from "../../examples/transformers/page/build.mjs";
import { serve } from "../../web/tasks/serve.mjs";

const folder = fileURLToPath(new URL("../../examples/transformers/", import.meta.url));

const promises: Record<string, RegExp[]> = {
  "1-order-of-words.js": [
    /^transformers\.js' mean pooling: the same$/m,
    /^attention pooling: the same$/m,
    /^posenc's positions, then attention pooling: different \(likeness 0\.255\)$/m,
  ],
  "2-longer-than-trained.js": [
    /^RoPE: .* 29 words later "colour" -> gold$/m,
    /^RoPE: .* 125 words later "colour" -> forgotten$/m,
    /^YaRN: .* 29 words later "colour" -> gold$/m,
    /^YaRN: .* 125 words later "colour" -> gold$/m,
  ],
  "3-left-padding.js": [
    /^ids 0, 1, 2 … for every row: clap -> three, clap clap clap -> three$/m,
    /^positionIds: 0 0 0 \| 0 1 2$/m,
    /^ids of posenc: clap -> one, clap clap clap -> three$/m,
    /^the pipeline: clap -> one two three, clap clap clap -> three four five$/m,
  ],
};

describe("in Node", () => {
  it("all are tested", () => {
    expect(readdirSync(folder).filter((name) => /^\d/.test(name))).toEqual(Object.keys(promises));
  });
  it.each(Object.keys(promises))("%s", (name) => {
    const output = execFileSync(process.execPath, [name], { cwd: folder, encoding: "utf8" });
    for (const promise of promises[name]!) expect(output).toMatch(promise);
  });
});

it("the order of words in Chromium, with onnxruntime-web's wasm served from here", async () => {
  const page = mkdtempSync(join(tmpdir(), "posenc-page-"));
  await buildPage(page);
  const server = await serve(page);
  const browser = await chromium.launch({
    executablePath: process.env["CHROMIUM_PATH"] ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-background-networking"],
  });
  try {
    const tab = await browser.newPage();
    const addresses: string[] = [];
    tab.on("request", (request) => addresses.push(request.url()));
    await tab.goto(server.url);
    const results = (await tab.evaluate("finished")) as [string, number][];
    const [meanPooled, withoutPositions, withPositions] = results.map(([, likeness]) => likeness);
    expect(meanPooled).toBeCloseTo(1, 6);
    expect(withoutPositions).toBeCloseTo(1, 6);
    expect(withPositions).toBeCloseTo(0.2546, 3);
    expect(addresses.filter((address) => !address.startsWith(server.url))).toEqual([]);
    expect(addresses).toContain(`${server.url}ort-wasm-simd-threaded.asyncify.wasm`);
  } finally {
    await browser.close();
    server.close();
    rmSync(page, { recursive: true, force: true });
  }
});
