// Models that are loaded with other positions, in Chromium, with both versions of transformers.js: cached and not, from the
// hub and from the page's own server.
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { chromium, type Browser, type Page } from "playwright";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { serve } from "../../web/tasks/serve.mjs";
import { writeRepositories } from "./hub";
import { errorOf, models } from "./onnx-models";
import { forPages } from "./versions";
import { chromiumOptions } from "../js/chromium.mjs";

const truth = models.find(({ name }) => name === "llama/model.onnx")!;
const yarn = truth.truth.cases.find(({ name }) => name === "yarn4@192")!;
const ids = Array.from(truth.tensor(yarn.inputs["input_ids"]!).data as BigInt64Array, Number);
const errorFrom = (logits: number[]) =>
  errorOf({ logits: { data: logits, dims: [1, ids.length, logits.length / ids.length] } }, truth, yarn);

/** onnxruntime-web's files of the copy that a version brings along. */
function runtimeOf(version: 3 | 4): { folder: string; name: string } {
  const build = fileURLToPath(forPages[version]);
  if (version === 3) return { folder: dirname(build), name: "ort-wasm-simd-threaded.jsep" };
  return { folder: dirname(createRequire(build).resolve("onnxruntime-web")), name: "ort-wasm-simd-threaded.asyncify" };
}

let browser: Browser;
beforeAll(async () => {
  browser = await chromium.launch(chromiumOptions());
});
afterAll(() => browser.close());

describe.each([3, 4] as const)("transformers.js %d", (version) => {
  const { folder: runtime, name } = runtimeOf(version);
  const files = { mjs: `${name}.mjs`, wasm: `${name}.wasm` };
  let folder = "";
  let server: Awaited<ReturnType<typeof serve>>;
  let tab: Page;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "posenc-page-"));
    writeRepositories(join(folder, "hub"), (model) => `${model}/resolve/main`);
    writeRepositories(join(folder, "models"), (model) => model);
    for (const file of Object.values(files)) copyFileSync(join(runtime, file), join(folder, file));
    writeFileSync(join(folder, "index.html"), '<!doctype html><script type="module" src="page.js"></script>');
    await build({
      entryPoints: [fileURLToPath(new URL("positions-page.ts", import.meta.url))],
      outfile: join(folder, "page.js"),
      alias: { "transformers-under-test": fileURLToPath(forPages[version]) },
      ...{ bundle: true, format: "esm", platform: "browser", target: "es2022", logLevel: "error" },
    });
    server = await serve(folder, 0, "");
    tab = await browser.newPage();
    await tab.goto(server.url);
    await tab.waitForFunction("globalThis.page");
    await ask("begin", files);
  });
  afterAll(async () => {
    await tab.close();
    server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const ask = (call: string, argument?: unknown): Promise<any> =>
    tab.evaluate(([name, given]) => (globalThis as any).page[name](given), [call, argument] as [string, unknown]);

  it.each([
    ["a model", "org/llama", ["onnx/model.onnx"]],
    ["external data", "org/llama-ext", ["onnx/model.onnx", "onnx/model.onnx_data"]],
  ])("%s: other positions, from a cache of originals", async (_, model, onnx) => {
    await ask("prepare", {});
    const { logits, plain, told, rope_scaling, longest, isUndone } = await ask("both", [model, ids]);
    expect(errorFrom(logits)).toBeLessThan(1e-4);
    expect(errorFrom(plain)).toBeGreaterThan(0.1);
    expect(told).toEqual(expect.arrayContaining(["config.json", ...onnx]));
    expect([rope_scaling.rope_type, longest, isUndone]).toEqual(["yarn", [256, 256], true]);
    const held = await ask("cached");
    const read = ["config.json", "tokenizer.json", "tokenizer_config.json", ...onnx];
    // Version 4 keeps onnxruntime there, too, when it first loads it.
    const kept = Object.keys(held).filter((path) => !Object.values(files).includes(path));
    expect(kept.sort()).toEqual(read.map((file) => `hub/${model}/resolve/main/${file}`).sort());
    expect(Object.values(held).every(Boolean)).toBe(true);
  });

  it("from the page's own server", async () => {
    await ask("prepare", { allowLocalModels: true, allowRemoteModels: false, localModelPath: "/models/" });
    const { logits, plain } = await ask("both", ["org/llama-ext", ids]);
    expect(errorFrom(logits)).toBeLessThan(1e-4);
    expect(errorFrom(plain)).toBeGreaterThan(0.1);
    const held = await ask("cached");
    expect(held).toMatchObject({
      "models/org/llama-ext/onnx/model.onnx": true,
      "models/org/llama-ext/config.json": true,
    });
    expect(Object.values(held).every(Boolean)).toBe(true);
  });

  it("without a cache", async () => {
    await ask("prepare", { useBrowserCache: false });
    const { logits } = await ask("both", ["org/llama", ids]);
    expect(errorFrom(logits)).toBeLessThan(1e-4);
    expect(await ask("cached")).toEqual({});
  });

  it("what cannot be done is told by the pipeline", async () => {
    await ask("prepare", {});
    expect(await ask("failing")).toBe(
      "PosencError unsupported: rotary: onnx/model_quantized.onnx of org/gpt2 has no rotation; its positions: table gathered",
    );
  });
});
