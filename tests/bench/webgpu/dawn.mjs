// The bench of posenc/webgpu in Node: Dawn, the WebGPU of Chromium, on the GPU that Vulkan, Metal or Direct3D has.
import { pathToFileURL } from "node:url";
import { inRoot } from "../../../web/tasks/prepare.mjs";
import { assembleGpuPage } from "./assemble.mjs";

/** Gives this process the globals of a page that has WebGPU, at this address. */
async function becomePage(address) {
  const { create, globals } = await import(pathToFileURL(inRoot("tests/bench/dawn/node_modules/webgpu/index.js")).href);
  Object.assign(globalThis, globals, { location: new URL(address) });
  Object.defineProperty(globalThis, "navigator", { value: { gpu: create([]) }, configurable: true });
}

/** As `gpuBench` of browser.mjs, without onnxruntime-web: its build for WebGPU needs a page. */
export async function dawnBench({ effort, isTiny = false }) {
  const folder = inRoot("build", "bench", "webgpu");
  await assembleGpuPage(folder);
  const address = pathToFileURL(`${folder}/main.mjs`);
  address.search = new URLSearchParams({ effort, ...(isTiny && { tiny: "" }) });
  await becomePage(address);
  await import(address.href);
  return globalThis.finished;
}
