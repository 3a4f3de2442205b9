// The bench of posenc/webgpu in headless Chromium: on a GPU, or where there is none on the software adapter that it brings.
import { chromium } from "playwright";
import { findChromium, inRoot } from "../../../web/tasks/prepare.mjs";
import { serve } from "../../../web/tasks/serve.mjs";
import { chromiumOptions, softwareAdapter } from "../../js/chromium.mjs";
import { assembleGpuPage } from "./assemble.mjs";

const withGpu = ["--enable-unsafe-webgpu", "--ignore-gpu-blocklist", "--enable-features=Vulkan"];

async function resultWith(flags, address) {
  const browser = await chromium.launch({ ...chromiumOptions(...flags), executablePath: findChromium() });
  try {
    const page = await browser.newPage();
    await page.goto(address);
    return await page.evaluate(() => globalThis.finished);
  } finally {
    await browser.close();
  }
}

/** { adapter, isSoftware, rounds, ways }; `peer`: the folder of onnxruntime-web, or undefined. */
export async function gpuBench({ effort, peer, isTiny = false }) {
  const folder = inRoot("build", "bench", "webgpu");
  await assembleGpuPage(folder, peer);
  const server = await serve(folder);
  const address = `${server.url}bench.html?${new URLSearchParams({ effort, ...(peer && { peer: "" }), ...(isTiny && { tiny: "" }) })}`;
  try {
    const onGpu = await resultWith(withGpu, address);
    return onGpu.ways ? onGpu : await resultWith(softwareAdapter, address);
  } finally {
    server.close();
  }
}
