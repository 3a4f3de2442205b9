// The inspector: what the page shows is what the library answers in Node, and the file that it writes has the same bytes.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { openModel } from "posenc/onnx";
import { layerSpecs } from "posenc/config";
import { models } from "posenc/models";
import type { Page } from "playwright";
import { describe, expect, it } from "vitest";
import { readConfig } from "../../web/site/src/inspector/reading.ts";
import { en } from "../../web/site/src/inspector/text.en.ts";
import { zhCN } from "../../web/site/src/inspector/text.zh-CN.ts";
import { frame as enFrame } from "../../web/site/src/text/frame.en.ts";
import { frame as zhFrame } from "../../web/site/src/text/frame.zh-CN.ts";
import { barriers } from "./axe.ts";
import { locales, withPage } from "./browser.ts";
import { pe } from "./library.ts";

const fixture = (name: string) => fileURLToPath(new URL(`../fixtures/onnx/${name}`, import.meta.url));
const texts = { en, "zh-CN": zhCN };

const rowsOf = (page: Page, name: string): Promise<string[][]> =>
  page
    .locator(`[data-answer=${name}] tbody tr`)
    .evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent!.trim())));

const type = (page: Page, config: string) => page.locator("textarea").fill(config);
const choose = (page: Page, ...names: string[]) =>
  page.locator("input[type=file]").setInputFiles(names.map((name) => fixture(name)));
const answered = (page: Page, name: string) => page.locator(`[data-answer=${name}]`).waitFor();

describe.each(locales)("the inspector in %s", (locale) => {
  const text = texts[locale];

  it("tells the layers of a model that is picked, and keeps it in the address", async () => {
    await withPage("inspector", { locale }, async (page) => {
      await page.locator("select").first().selectOption("llama-3.1-8b");
      await expect.poll(() => rowsOf(page, "layers").then((rows) => (rows[0] ?? []).join())).toContain("rope-llama3");
      const { config } = models["llama-3.1-8b"];
      expect((await rowsOf(page, "layers")).length).toBe(readConfig(pe, config).groups.length);
      await expect.poll(() => page.url()).toContain("inspector.model=llama-3.1-8b");
    });
  });

  it("does not say that a layer with a window sees everything, where the config keeps the window’s size to itself", async () => {
    await withPage("inspector", { locale }, async (page) => {
      await page.locator("select").first().selectOption("gemma-3-4b");
      const seen = () => rowsOf(page, "layers").then((rows) => rows.map((row) => [row[0], row.at(-1)]));
      await expect.poll(seen).toEqual([
        ["sliding_attention", text.layers.someWindow],
        ["full_attention", text.layers.all],
      ]);
      await type(page, JSON.stringify({ ...models["gemma-3-4b"].config, sliding_window: 1024 }));
      await expect.poll(seen).toContainEqual(["sliding_attention", text.layers.window.replace("{window}", "1024")]);
    });
  });

  it("lists what it assumes of an unknown model type, and fields without effect", async () => {
    await withPage("inspector", { locale }, async (page) => {
      const sizes = { hidden_size: 64, num_attention_heads: 4, num_hidden_layers: 2, rope_theta: 10000 };
      await type(page, JSON.stringify({ ...sizes, model_type: "brand_new", rope_tetha: 5 }));
      await answered(page, "assumed");
      const shownText = (name: string) => page.locator(`[data-answer=${name}]`).textContent();
      expect(await shownText("assumed")).toBe(`${text.assumed} dim, rotaryDim, pairing, type`);
      expect(await shownText("unused")).toBe(`${text.unused} rope_tetha`);
      await type(page, JSON.stringify({ ...sizes, model_type: "llama" }));
      await page.locator("[data-answer=assumed]").waitFor({ state: "detached" });
      expect(await page.locator("[data-answer=unused]").count()).toBe(0);
    });
  });

  it("lists what carries positions in a dropped file, and what is wrong with it", async () => {
    await withPage("inspector", { locale }, async (page) => {
      await choose(page, "llama/model.onnx", "llama/config.json");
      await answered(page, "findings");
      const model = await openModel(readFileSync(fixture("llama/model.onnx")));
      const config: unknown = JSON.parse(readFileSync(fixture("llama/config.json"), "utf8"));
      const rows = await rowsOf(page, "components");
      expect(rows.map(([, component, , , kind]) => [component, kind])).toEqual(
        model.positions.map(({ family, form, type: kind }) => [`${family} ${form}`, kind]),
      );
      const shown = await page.locator("[data-answer=findings] li[data-severity] span").allTextContents();
      expect(shown).toEqual(model.audit(pe, config).map(({ message }) => message));
      expect(await barriers(page)).toEqual([]);
    });
  });

  it("says what the library says of a broken file, and goes on", async () => {
    await withPage("inspector", { locale }, async (page) => {
      const buffer = readFileSync(fixture("llama/model.onnx")).subarray(0, 5000);
      await page.locator("input[type=file]").setInputFiles({ name: "cut.onnx", mimeType: "", buffer });
      const shownText = await openModel(new Blob([buffer])).catch((error: Error) => error.message);
      await expect.poll(() => page.locator(".answers [role=alert]").textContent()).toContain(shownText);
      expect(await page.locator(".answers [role=alert] code").getAttribute("lang")).toBe("en");
      await page.getByRole("button", { name: text.forget }).click();
      await expect.poll(() => page.locator(".answers").textContent()).toContain(text.empty);
    });
  });
});

describe.each(locales)("the inspector in %s, asked for what cannot be", (locale) => {
  const { common } = { en: enFrame, "zh-CN": zhFrame }[locale];
  /** A worker and a build of the library are fetched first. */
  const slow = { timeout: 30_000 };
  const alertOf = (page: Page) => page.locator(".answers [role=alert]");

  it("says of what kind the error is, before the library's own words", () =>
    withPage("inspector", { locale }, async (page) => {
      await type(page, '{ "model_type": "llama" }');
      // How many layers there are is no part of an encoding; how wide they are is.
      await expect.poll(() => alertOf(page).textContent(), slow).toContain("hidden_size: is missing");
      const shownText = await alertOf(page).textContent();
      expect(Object.values(common.failures).filter((lead) => shownText!.includes(lead)).length).toBe(1);
      await type(page, "{");
      await expect.poll(() => alertOf(page).textContent(), slow).toContain(common.failures["syntax"]);
    }));
});

describe("a config without a number of layers", () => {
  const sizes = { hidden_size: 64, num_attention_heads: 4 };
  const image = { ...sizes, image_size: 32, patch_size: 8 };
  it.each<[what: string, config: object, groups: (string | undefined)[][]]>([
    ["Llama's", { model_type: "llama", ...sizes }, [["text", "full_attention", "rope"]]],
    [
      "Cohere 2's, of two kinds",
      { model_type: "cohere2", ...sizes, rope_theta: 50000, sliding_window: 32 },
      [
        ["text", "sliding_attention", "rope"],
        ["text", "full_attention", undefined],
      ],
    ],
    ["an image encoder's", { model_type: "vit", ...image }, [["vision", "full_attention", "learned"]]],
    [
      "one of two parts",
      {
        model_type: "llava",
        text_config: { model_type: "llama", ...sizes },
        vision_config: { model_type: "clip_vision_model", ...image },
      },
      [
        ["text", "full_attention", "rope"],
        ["vision", "full_attention", "learned"],
      ],
    ],
    [
      "one whose text alone is numbered",
      {
        model_type: "llava",
        text_config: { model_type: "llama", ...sizes, num_hidden_layers: 2 },
        vision_config: { model_type: "clip_vision_model", ...image },
      },
      [
        ["text", "full_attention", "rope", "0,1"],
        ["vision", "full_attention", "learned"],
      ],
    ],
  ])("tells the kinds, and complains of nothing: %s", (_, config, groups) => {
    const reading = readConfig(pe, config);
    expect(
      reading.groups.map(({ part, type: kind, spec, layers }) => [
        part,
        kind,
        spec?.kind,
        ...(layers.length ? [layers.join()] : []),
      ]),
    ).toEqual(groups);
    expect(reading).toMatchObject({ isUnnumbered: true });
    expect(reading).not.toHaveProperty("complaint");
  });
  it("complains of what else is missing", () => {
    const whisper = readConfig(pe, { model_type: "whisper", d_model: 64 });
    expect(whisper.groups.map(({ spec }) => spec!.kind)).toEqual(["sinusoidal"]);
    expect(whisper.complaint).toMatch(/max_target_positions/);
    const swin = readConfig(pe, { model_type: "swin", num_heads: [2, 4], window_size: 4 });
    expect(swin.groups.map(({ type: kind }) => kind)).toEqual(["stage1", "stage2"]);
    expect(swin).not.toHaveProperty("complaint");
    expect(() => readConfig(pe, { model_type: "llama", num_attention_heads: 4 })).toThrow(/^hidden_size/);
  });
  it.each(locales)("is said in a sentence (%s)", (locale) =>
    withPage("inspector", { locale }, async (page) => {
      await type(page, JSON.stringify({ model_type: "llama", ...sizes }));
      await answered(page, "unnumbered");
      expect(await page.locator(".answers").textContent()).not.toContain("num_hidden_layers");
      expect((await rowsOf(page, "layers")).map((row) => row.length)).toEqual([3]);
    }),
  );
});

describe("the inspector", () => {
  it("groups the layers of a pasted config as layerSpecs has them", async () => {
    await withPage("inspector", {}, async (page) => {
      const config = readFileSync(fixture("gemma3/config.json"), "utf8");
      await type(page, config);
      const windows = new Set(layerSpecs(JSON.parse(config)).map(({ window }) => String(window)));
      const groups = readConfig(pe, JSON.parse(config)).groups;
      expect(groups.length).toBeGreaterThanOrEqual(windows.size);
      await expect
        .poll(() => rowsOf(page, "layers").then((rows) => rows.map(([, kind]) => kind)))
        .toEqual(groups.map(({ type: kind }) => kind));
      await type(page, "{");
      await expect.poll(() => page.locator(".answers [role=alert]").count()).toBe(1);
    });
  });

  it("takes a file that is dropped onto it", async () => {
    await withPage("inspector", {}, async (page) => {
      const bytes = [...readFileSync(fixture("genai-llama-fp16/model.onnx"))];
      const data = await page.evaluateHandle((content) => {
        const transfer = new DataTransfer();
        transfer.items.add(new File([new Uint8Array(content)], "model.onnx"));
        return transfer;
      }, bytes);
      await page.locator(".drop").dispatchEvent("drop", { dataTransfer: data });
      await expect.poll(() => page.locator(".drop code").textContent()).toBe("model.onnx");
      await expect.poll(() => page.locator(".answers").getAttribute("data-status")).toMatch(/done|failed/);
    });
  });

  it("writes the file that rewrite writes", async () => {
    await withPage("inspector", {}, async (page) => {
      await choose(page, "llama/model.onnx");
      await answered(page, "rewrite");
      await page.getByLabel(en.rewrite.change, { exact: true }).selectOption("yarn");
      await page.getByLabel(en.rewrite.factor).fill("8");
      await page.getByLabel(en.rewrite.originalLength).fill("512");
      await page.getByRole("button", { name: en.rewrite.write }).click();
      const [download] = await Promise.all([page.waitForEvent("download"), page.locator("a[download]").click()]);
      const model = await openModel(readFileSync(fixture("llama/model.onnx")));
      const changed = await model.rewrite(pe, { rotary: { kind: "rope-yarn", factor: 8, originalLength: 512 } });
      const written = readFileSync(await download.path());
      expect(written.equals(await changed.bytes())).toBe(true);
      expect(download.suggestedFilename()).toBe("model-yarn.onnx");
    });
  });
});
