// Pages with transformers.js in Chromium: each is a file of this folder, bundled with one of the versions and served with models.
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { chromium, type Browser } from "playwright";
import { writeModels } from "../../examples/transformers/models/files.js";
import { serve } from "../../web/tasks/serve.mjs";
import { chromiumOptions } from "../js/chromium.mjs";
import { forPages } from "./versions";

/** onnxruntime-web's files of the copy that a version brings along. */
function runtimeOf(version: 3 | 4): { folder: string; mjs: string; wasm: string } {
  const bundle = fileURLToPath(forPages[version]);
  const [folder, name] =
    version === 3
      ? [dirname(bundle), "ort-wasm-simd-threaded.jsep"]
      : [dirname(createRequire(bundle).resolve("onnxruntime-web")), "ort-wasm-simd-threaded.asyncify"];
  return { folder, mjs: `${name}.mjs`, wasm: `${name}.wasm` };
}

export const launch = (...more: string[]): Promise<Browser> => chromium.launch(chromiumOptions(...more));

/** Writes the models of the examples for a GPU below `root`; returns their folder. */
export function writeGpuModels(root: string): string {
  const folder = writeModels(join(root, "models"));
  // Its weights alone are float16, which the software adapter has no shaders for; all else is float32.
  copyFileSync(join(folder, "bible/onnx/model_fp16.onnx"), join(folder, "bible/onnx/model.onnx"));
  return folder;
}

/** Opens a page of this folder, which has its calls in `globalThis.page`; `files` are the runtime's, beside it. */
export async function openPage(
  browser: Browser,
  { entry, version, prepare }: { entry: string; version: 3 | 4; prepare: (folder: string) => void },
) {
  const folder = mkdtempSync(join(tmpdir(), "posenc-page-"));
  prepare(folder);
  const { folder: runtime, ...files } = runtimeOf(version);
  for (const file of Object.values(files)) copyFileSync(join(runtime, file), join(folder, file));
  writeFileSync(join(folder, "index.html"), '<!doctype html><script type="module" src="page.js"></script>');
  await build({
    entryPoints: [fileURLToPath(new URL(entry, import.meta.url))],
    outfile: join(folder, "page.js"),
    alias: { "transformers-under-test": fileURLToPath(forPages[version]) },
    ...{ bundle: true, format: "esm", platform: "browser", target: "es2022", logLevel: "error" },
  });
  const server = await serve(folder, 0, "");
  const tab = await browser.newPage();
  const ask = (call: string, argument?: unknown): Promise<any> =>
    tab.evaluate(([name, given]) => (globalThis as any).page[name](given), [call, argument] as [string, unknown]);
  async function close(): Promise<void> {
    await tab.close();
    server.close();
    rmSync(folder, { recursive: true, force: true });
  }
  /** Loads the page, also once more: what it has stored stays. */
  async function load(): Promise<void> {
    await tab.goto(server.url);
    await tab.waitForFunction("globalThis.page");
    await ask("begin", files);
  }
  await load();
  return { files, ask, load, close };
}
