// Puts the page together: the bench as one module, the built library, and where it is there onnxruntime-web.
import { copyFileSync, cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { inRoot } from "../../../web/tasks/prepare.mjs";
import { bundled } from "../peers.mjs";

const peerFiles = ["ort.webgpu.bundle.min.mjs", "ort-wasm-simd-threaded.asyncify.wasm"];

/** The page in `folder`, which is emptied first. `peer`: the folder of onnxruntime-web, or undefined. */
export async function assembleGpuPage(folder, peer) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, "peer"), { recursive: true });
  copyFileSync(inRoot("tests", "bench", "page", "bench.html"), join(folder, "bench.html"));
  copyFileSync(inRoot("web", "site", "public", "favicon.svg"), join(folder, "favicon.svg"));
  writeFileSync(join(folder, "main.mjs"), await bundled("webgpu/page.mjs"));
  cpSync(inRoot("dist"), join(folder, "posenc"), { recursive: true });
  if (peer) for (const file of peerFiles) copyFileSync(join(peer, "dist", file), join(folder, "peer", file));
}
