// posenc/transformers with tensors on the GPU: transformers.js pipelines of onnxruntime-web's WebGPU in Chromium, on the software
// adapter that it brings, beside the same on the CPU.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { matrix } from "../../examples/transformers/models/matrix.js";
import { node, onnxModel } from "../../examples/transformers/models/onnx.js";
import { tokenizerFiles, vocabularyOf } from "../../examples/transformers/models/tokenizer.js";
import { softwareAdapter } from "../js/chromium.mjs";
import { maxDifference } from "../js/helpers/numbers";
import { launch, openPage, writeGpuModels } from "./pages";

const words = ["dog", "bites", "man"];

/** Vectors of words, mixed by attention whose scores get a bias that is an input. */
function writeBiased(folder: string): void {
  const files = {
    "config.json": { model_type: "bert", architectures: ["BertModel"], hidden_size: 8 },
    ...tokenizerFiles(words),
  };
  mkdirSync(join(folder, "biased/onnx"), { recursive: true });
  for (const [file, content] of Object.entries(files))
    writeFileSync(join(folder, "biased", file), JSON.stringify(content));
  const bias = { type: "float32", dims: ["bias_batch", 2, "tokens", "keys"] };
  const graph = onnxModel({
    inputs: { input_ids: { type: "int64", dims: ["batch_size", "tokens"] }, attention_bias: bias },
    constants: { vectors: matrix(vocabularyOf(words).length, 8, 1, [], 1) },
    outputs: { last_hidden_state: ["batch_size", "tokens", 8] },
    nodes: [
      node("Gather", "vectors input_ids", "x", { axis: 0 }),
      node("Attention", "x x x attention_bias", "last_hidden_state", { q_num_heads: 2, kv_num_heads: 2 }),
    ],
  });
  writeFileSync(join(folder, "biased/onnx/model.onnx"), graph);
}

let browser: Browser;
let page: Awaited<ReturnType<typeof openPage>>;
beforeAll(async () => {
  browser = await launch(...softwareAdapter);
  const prepare = (root: string) => writeBiased(writeGpuModels(root));
  page = await openPage(browser, { entry: "webgpu-page.ts", version: 4, prepare });
}, 120_000);
afterAll(async () => {
  await page?.close();
  await browser.close();
});

const expectClose = (actual: number[], expected: number[], most = 1e-5) => {
  expect(actual.length).toBe(expected.length);
  expect(maxDifference(actual, expected)).toBeLessThan(most);
};

describe("rotary tables", () => {
  it("stay on the GPU between tokens, for rows padded on the left, too", async () => {
    const hum = (count: number, colour: string) => `remember ${colour} ${"hum ".repeat(count)}colour`;
    const prompts = [hum(2, "red"), hum(40, "blue")];
    const [onGpu, onCpu] = await page.ask("tables", { prompts, length: 30 });
    expect(onGpu.texts).toEqual(onCpu.texts);
    expect(onGpu.texts.map((text: string) => text.split(" ").slice(-30)[0])).toEqual(["red", "blue"]);
    expect(new Set(onGpu.fed.locations)).toEqual(new Set(["gpu-buffer"]));
    expect(new Set(onCpu.fed.locations)).toEqual(new Set(["cpu"]));
    // 43 tokens and 29 more: tables of 64 rows, then of 128.
    expect([onGpu.fed.locations.length, onGpu.fed.tables]).toEqual([30, 2]);
  });
});

describe("a cache", () => {
  it("is shifted where it lies, as on the CPU", async () => {
    const { refused, dropped, reads, locations, isTensor, onGpu, onCpu } = await page.ask("shifted", {
      sinks: 2,
      window: 9,
    });
    expect(refused).toMatch(/unsupported|gpu-buffer; pass \{ gpu \}/);
    expect([dropped, reads, isTensor]).toEqual([11, 0, true]);
    expect(new Set(locations)).toEqual(new Set(["gpu-buffer"]));
    onCpu.forEach((wanted: number[], i: number) => expectClose(onGpu[i], wanted));
  });

  it("rolls on beyond its window: the CPU's text, and nothing is read back but what is read anyway", async () => {
    const { webgpu, wasm } = await page.ask("rolling", { tokens: 60, sinks: 2, window: 16 });
    expect(webgpu.ids).toEqual(wasm.ids);
    expect(webgpu.location).toBe("gpu-buffer");
    expect(webgpu.dims[2]).toBeLessThanOrEqual(18);
    expect(webgpu.seen).toBe(webgpu.ids.length - 1);
    expect([webgpu.isPlain, wasm.isPlain]).toEqual([false, false]);
    expect(webgpu.plainReads).toBeGreaterThan(0);
    expect(webgpu.reads).toBe(webgpu.plainReads);
  });
});

it("biases are inputs of graphs", async () => {
  const results = await page.ask("biased", { hidden: [1, 1, 0] });
  expect(results.length).toBe(3);
  for (const { location, dims, same, onGpu, onCpu } of results) {
    expect([location, dims]).toEqual(["gpu-buffer", [1, 2, 3, 3]]);
    expect(same[0]).toEqual(same[1]);
    expectClose(onGpu, onCpu);
  }
  expect(maxDifference(results[0].onGpu, results[1].onGpu)).toBeGreaterThan(1e-3);
});

it("hidden states get positions where they lie", async () => {
  const { sums, refused, isKept } = await page.ask("added");
  expect(refused).toContain("gpu-buffer; pass { gpu }");
  expect([sums.length, isKept]).toEqual([3, true]);
  for (const { location, isTensor, reads, onGpu, onCpu } of sums) {
    expect([location, isTensor, reads]).toEqual(["gpu-buffer", true, 0]);
    expectClose(onGpu, onCpu, 1e-6);
  }
});

it("tables of positions are resized there, and rows come in the class that is wanted", async () => {
  const { location, dims, onGpu, onCpu, ort, plain, plainOnCpu } = await page.ask("resized");
  expect([location, dims]).toEqual(["gpu-buffer", [1, 10, 4]]);
  expectClose(onGpu, onCpu, 1e-6);
  expect(ort).toEqual([true, "gpu-buffer", [4, 4]]);
  expect(plain).toEqual(["float16", [1, 2, 8], plainOnCpu]);
});
