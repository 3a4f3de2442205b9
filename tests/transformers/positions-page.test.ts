// Models that are loaded with other positions, in Chromium, with both versions of transformers.js: cached and not, from the
// hub and from the page's own server.
import { join } from "node:path";
import type { Browser } from "playwright";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writeRepositories } from "./hub";
import { errorOf, models } from "./onnx-models";
import { launch, openPage } from "./pages";

const truth = models.find(({ name }) => name === "llama/model.onnx")!;
const yarn = truth.truth.cases.find(({ name }) => name === "yarn4@192")!;
const ids = Array.from(truth.tensor(yarn.inputs["input_ids"]!).data as BigInt64Array, Number);
const errorFrom = (logits: number[]) =>
  errorOf({ logits: { data: logits, dims: [1, ids.length, logits.length / ids.length] } }, truth, yarn);

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

describe.each([3, 4] as const)("transformers.js %d", (version) => {
  let page: Awaited<ReturnType<typeof openPage>>;
  beforeAll(async () => {
    const prepare = (folder: string) => {
      writeRepositories(join(folder, "hub"), (model) => `${model}/resolve/main`);
      writeRepositories(join(folder, "models"), (model) => model);
    };
    page = await openPage(browser, { entry: "positions-page.ts", version, prepare });
  });
  afterAll(() => page.close());
  const ask = (call: string, argument?: unknown) => page.ask(call, argument);

  it.each([
    ["a model", "org/llama", ["onnx/model.onnx"]],
    ["external data", "org/llama-ext", ["onnx/model.onnx", "onnx/model.onnx_data"]],
  ])("%s: other positions, from a cache of originals", async (_, model, onnx) => {
    await ask("prepare", {});
    const { logits, plain, loaded, rope_scaling, longest, isUndone } = await ask("both", [model, ids]);
    expect(errorFrom(logits)).toBeLessThan(1e-4);
    expect(errorFrom(plain)).toBeGreaterThan(0.1);
    expect(loaded).toEqual(expect.arrayContaining(["config.json", ...onnx]));
    expect([rope_scaling.rope_type, longest, isUndone]).toEqual(["yarn", [256, 256], true]);
    const held = await ask("cached");
    const read = ["config.json", "tokenizer.json", "tokenizer_config.json", ...onnx];
    // Version 4 keeps onnxruntime there, too, when it first loads it.
    const kept = Object.keys(held).filter((path) => !Object.values(page.files).includes(path));
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
      "PosencError unsupported: rotary: onnx/model_quantized.onnx of org/gpt2: needs a rotation; this model has table (gathered, 64 rows, dim 64)",
    );
  });
});
