// The bench of posenc/webgpu in headless Chromium: on a GPU, or where there is none on the software adapter that it brings.
import { chromium } from "playwright";
import { findChromium, inRoot } from "../../../web/tasks/prepare.mjs";
import { serve } from "../../../web/tasks/serve.mjs";
import { chromiumOptions, softwareAdapter } from "../../js/chromium.mjs";
import { assembleGpuPage } from "./assemble.mjs";

const withGpu = ["--enable-unsafe-webgpu", "--ignore-gpu-blocklist", "--enable-features=Vulkan"];

async function resultWith(flags, address, before) {
  const browser = await chromium.launch({ ...chromiumOptions(...flags), executablePath: findChromium() });
  try {
    const page = await browser.newPage();
    if (before) await page.addInitScript({ content: before });
    await page.goto(address);
    return await page.evaluate(() => globalThis.finished);
  } finally {
    await browser.close();
  }
}

/** { adapter, isSoftware, rounds, ways }; `peer`: the folder of onnxruntime-web, or undefined; `before` runs in the page first. */
export async function gpuBench({ effort, peer, isTiny = false, before }) {
  const folder = inRoot("build", "bench", "webgpu");
  await assembleGpuPage(folder, peer);
  const server = await serve(folder);
  const address = `${server.url}bench.html?${new URLSearchParams({ effort, ...(peer && { peer: "" }), ...(isTiny && { tiny: "" }) })}`;
  try {
    const onGpu = await resultWith(withGpu, address, before);
    return onGpu.ways ? onGpu : await resultWith(softwareAdapter, address, before);
  } finally {
    server.close();
  }
}
