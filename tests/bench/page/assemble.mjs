// Puts the page together: the bench as it is, the built library, the limits and, if wanted, the peers.
import { copyFileSync, cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { withImports } from "../../../web/tasks/distributed.mjs";
import { inRoot } from "../../../web/tasks/prepare.mjs";
import { bundled, peer } from "../peers.mjs";

const variants = ["relaxed", "simd", "scalar"];

function copyInto(folder, files) {
  mkdirSync(folder, { recursive: true });
  for (const file of files) copyFileSync(file, join(folder, basename(file)));
}

async function copyPeers(folder) {
  const wasm = ["", "-simd", "-threaded-simd"].map((build) =>
    peer("@tensorflow", "tfjs-backend-wasm", "dist", `tfjs-backend-wasm${build}.wasm`),
  );
  const ort = ["ort.wasm.bundle.min.mjs", "ort-wasm-simd-threaded.wasm"].map((file) =>
    peer("onnxruntime-web", "dist", file),
  );
  copyInto(folder, [...wasm, ...ort]);
  writeFileSync(join(folder, "tfjs.mjs"), await bundled("contenders/tfjs.mjs"));
}

/** The page in `folder`, which is emptied first; what imports each other lies as it does in the repository. */
export async function assemblePage(folder, { withPeers }) {
  rmSync(folder, { recursive: true, force: true });
  const page = (name) => inRoot("tests", "bench", "page", name);
  copyInto(folder, [page("bench.html"), page("main.mjs"), inRoot("web", "site", "public", "favicon.svg")]);
  for (const part of ["bench.mjs", "measure.mjs", "numbers.mjs", "report.mjs", "targets.mjs", "cases", "contenders"])
    cpSync(inRoot("tests", "bench", part), join(folder, "tests", "bench", part), { recursive: true });
  const writer = ["examples", "transformers", "models"];
  copyInto(join(folder, ...writer), [inRoot(...writer, "onnx.js")]);
  copyInto(join(folder, "posenc"), [
    ...withImports("index.js").map((name) => inRoot("dist", name)),
    ...variants.map((variant) => inRoot("dist", `posenc.${variant}.wasm`)),
  ]);
  const limits = ["relaxed", "simd"].map((variant) => inRoot("build", "wasm", `bench_limits_${variant}.wasm`));
  copyInto(join(folder, "limits"), limits);
  if (withPeers) await copyPeers(join(folder, "peers"));
}
