// Each example runs as it stands in the folder, and prints what its comments promise.
import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { mainEntry } from "./documents.ts";

const folder = fileURLToPath(new URL("../../examples/", import.meta.url));

const promises: Record<string, RegExp[]> = {
  "00-quick-start.js": [/^0\.43 0\.57 0\.00 0\.00$/m],
  "01-sinusoidal-hidden-states.js": [
    /starts with 0\.8415 0\.5403/,
    /dropped about (9|10|11) %/,
    /moved by 3: -0\.9589 PE\(5\): -0\.9589/,
  ],
  "02-rope-kv-cache.js": [/next token 1 × 8 × 1 × 64/, /always stood there: true/],
  "03-rope-attention-over-text.js": [
    /148 words of 776 bytes/,
    /dear +-> dear \(2 words back/,
    /without positions order matters: false · with RoPE: true/,
  ],
  "04-alibi-bias.js": [
    /slopes 0\.25 0\.0625 0\.015625 0\.00390625/,
    /-1\.25 -1 -0\.75 -0\.5 -0\.25 0/,
    /same result: true/,
  ],
  "05-models-and-position-ids.js": [
    /^Llama 3\.1 8B \(2024\): rope-llama3, 64 pairs, up to 131072 positions$/m,
    /^long generation: rope, as in \d+ models, or alibi/m,
    /^left padding 0 0 0 1 2$/m,
    /^packed 0 1 2 0 1 2 3$/m,
    /^time 0 1 2 2 2 2 4 5$/m,
    /^the next token stands at 6$/m,
    /^patches 0,0 0,1 1,0 1,1 0,2/m,
    /^permuted weights, the other layout, same scores: true$/m,
  ],
  "06-training.js": [
    /^step 0: loss 0\.3\d+$/m,
    /^step 200: loss 0\.000\d$/m,
    /^the bias is largest for distance 1$/m,
    /^table after 200 steps: loss 0\.0000$/m,
  ],
  "07-latent-attention.js": [/in the cache: 40 instead of 160$/m, /^the same results: true$/m],
  "08-selective-rope.js": [
    /^turned as defined: true attention: 1 × 10 × 2 × 8$/m,
    /^one by one, the same keys: true$/m,
    /^even steps are RoPE: true$/m,
  ],
  "09-webgpu.js": [
    /^on the GPU: false$/m,
    /^1 × 8 × 12 × 64 in the cache$/m,
    /^as if they had always stood there: true$/m,
  ],
  "10-video-positions.js": [
    /^middles of frames: 3,3,3 5,5,5 7,7,7 9,9,9$/m,
    /^around a frame's middle: 3,2,1 to 3,4,5$/m,
    /^from the words beside it: 1,1,1 and 1,1,1$/m,
    /^in M-RoPE: 1,2,3 and 2,4,3$/m,
    /^symmetric: true$/m,
    // 3 + 3 · 0.5 + 1, and 3 + 3 · 1.5 + 1.
    /^spacing 0\.5: frames 0\.5 apart, then 5\.5$/m,
    /^spacing 1\.5: frames 1\.5 apart, then 8\.5$/m,
    /^VideoRoPE turned as defined: true HoPE: true$/m,
    /^VideoRoPE's falls with each frame: true M-RoPE's also rises: true$/m,
    /^HoPE's stays at any distance: true$/m,
  ],
};

describe("examples", () => {
  it("are all tested", () => {
    expect(
      readdirSync(folder)
        .filter((name) => name.endsWith(".js"))
        .sort(),
    ).toEqual(Object.keys(promises));
  });
  it.each(Object.keys(promises))("%s", (name) => {
    const output = execFileSync(process.execPath, [...mainEntry, name], { cwd: folder, encoding: "utf8" });
    for (const promise of promises[name]!) expect(output).toMatch(promise);
  });
});
