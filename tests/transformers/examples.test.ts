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
import { chromiumOptions } from "../js/chromium.mjs";

const folder = fileURLToPath(new URL("../../examples/transformers/", import.meta.url));

const promises: Record<string, RegExp[]> = {
  "1-order-of-words.js": [
    /^transformers\.js' mean pooling: the same$/m,
    /^attention pooling: the same$/m,
    /^posenc's positions, then attention pooling: different \(likeness 0\.255\)$/m,
  ],
  // Of 28 words 24; as exported, a few small ones.
  "10-sixteen-times.js": [
    /^as exported: .*\n  [0-5] of \d+ words are words$/m,
    /^ReRoPE: .*\n  (1[89]|[2-4]\d) of (2[2-9]|[34]\d) words are words$/m,
  ],
  "11-documents.js": [
    /^first: 60 characters, 12\d KB\nsecond: 60 characters, 12\d KB\nthird: 60 characters, 12\d KB$/m,
    /^first, second, third:  And the LORD .*\nthird, first:  And the LORD /m,
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
  "4-longer-than-exported.js": [
    // Of about 30 words nearly all; beyond its length, a few small ones.
    /^bible behind 100 characters: (2[5-9]|[34]\d) of (2[6-9]|[34]\d) words are words$/m,
    /^bible behind 850 characters: [0-9] of \d\d words are words$/m,
    /^rotary frequencies of layers 0,1,2,3 \{"kind":"rope","dim":32,"base":10000\}$/m,
    /YaRN × 4 with base 10000 and original length 256 now$/m,
    /^bible-1024 behind 850 characters: (2[3-9]|[34]\d) of (2[5-9]|[34]\d) words are words$/m,
  ],
  "5-float16-fixed.js": [
    /^error angles-float16: layers 0-1: angles are computed in float16/m,
    /^findings in the fixed file: 0$/m,
    /^192 tokens: logits are off by 0\.[12]\d as converted, by 0\.0[0-7] fixed$/m,
    /^2048 tokens: logits are off by [1-9]\.\d\d as converted, by 0\.0\d fixed$/m,
  ],
  "6-another-image-size.js": [
    /^as exported: Attempting to broadcast an axis by a dimension other than 1\. 17 by 65$/m,
    /^17 rows: the class token's, and those of 4 × 4 patches of 8 pixels$/m,
    /^vit\.embeddings\.position_embeddings has 65 rows now, by bicubic interpolation$/m,
    /^at 64 pixels: LABEL_12 \(0\.2\d\)$/m,
  ],
  // 1289 windows and 256 needles of PyTorch: 1.03 at 256; 3.59 and 3 %, 1.27 and 94 %, 1.23 and 89 % at 1024.
  "7-loss-and-memory.js": [
    /^as exported: 192 characters, loss (0\.9|1\.[01])\d, (9[5-9]|100) % of needles found$/m,
    /^as exported: 1024 characters, loss 3\.[4-8]\d, (\d|1[0-5]) % of needles found$/m,
    /^YaRN × 4: 1024 characters, loss 1\.[1-4]\d, (8[5-9]|9\d|100) % of needles found$/m,
    /^NTK × 16: 1024 characters, loss 1\.[1-4]\d, (7[5-9]|[89]\d|100) % of needles found$/m,
    /^ReRoPE: 1024 characters, loss (0\.9|1\.[01])\d, (9[5-9]|100) % of needles found$/m,
  ],
  "8-as-it-is-loaded.js": [
    /^with usePositions: yarn rotations, up to 1024 characters\n  (2[3-9]|[34]\d) of (2[5-9]|[34]\d) words are words$/m,
    /^undone: plain rotations, up to 256 characters\n  [0-9] of \d\d words are words$/m,
  ],
  // streaming.test.ts has all 5,000 characters.
  "9-streaming.js": [/\b(the|of|and)\b.*\b(the|of|and)\b/, /^256 of 317 characters are in the cache/m],
};

/** Where the example's own choice takes longer than a test may. */
const asked: Record<string, string[]> = {
  "7-loss-and-memory.js": ["--windows", "6"],
  "9-streaming.js": ["--characters", "300"],
};

describe("in Node", () => {
  it("all are tested", () => {
    expect(readdirSync(folder).filter((name) => /^\d/.test(name))).toEqual(Object.keys(promises));
  });
  it.each(Object.keys(promises))("%s", (name) => {
    // What transformers.js says of the errors that are shown is of no interest.
    const stdio: ("ignore" | "pipe")[] = ["ignore", "pipe", "pipe"];
    const output = execFileSync(process.execPath, [name, ...(asked[name] ?? [])], {
      cwd: folder,
      encoding: "utf8",
      stdio,
    });
    for (const promise of promises[name]!) expect(output).toMatch(promise);
  });
});

it("the order of words in Chromium, with onnxruntime-web's wasm served from here", async () => {
  const page = mkdtempSync(join(tmpdir(), "posenc-page-"));
  await buildPage(page);
  const server = await serve(page);
  const browser = await chromium.launch(chromiumOptions());
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
