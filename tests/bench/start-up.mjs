// From nothing to ready: what is downloaded, and how long import and start take in a fresh engine.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { withImports } from "../../web/tasks/distributed.mjs";
import { inRoot } from "../../web/tasks/prepare.mjs";
import { bundled, peer } from "./peers.mjs";

const starts = 5;

/** What a page downloads: files, and a module that is bundled with the parts of its library. */
const downloads = {
  posenc: {
    contender: "posenc, its simd build",
    files: () => ["posenc.simd.wasm", ...withImports("index.js")].map((name) => inRoot("dist", name)),
  },
  onnx: {
    contender: "onnxruntime-web",
    files: () =>
      ["ort-wasm-simd-threaded.wasm", "ort.wasm.bundle.min.mjs"].map((file) => peer("onnxruntime-web", "dist", file)),
  },
  tfjs: {
    contender: "TensorFlow.js",
    files: () => [peer("@tensorflow", "tfjs-backend-wasm", "dist", "tfjs-backend-wasm-simd.wasm")],
    bundle: "contenders/tfjs.mjs",
  },
};

/** { gzip, brotli } of a file's bytes; kept between runs, as brotli at its best takes half a minute for 14 MB. */
function compressed(bytes) {
  const name = createHash("sha256").update(bytes).digest("hex");
  const file = inRoot("build", "bench", "sizes", `${name}.json`);
  if (existsSync(file)) return JSON.parse(readFileSync(file, "utf8"));
  const sizes = { gzip: gzipSync(bytes, { level: 9 }).length, brotli: brotliCompressSync(bytes).length };
  mkdirSync(inRoot("build", "bench", "sizes"), { recursive: true });
  writeFileSync(file, JSON.stringify(sizes));
  return sizes;
}

async function downloadOf({ files, bundle }) {
  const contents = files().map((file) => readFileSync(file));
  if (bundle) contents.push(await bundled(bundle));
  const sizes = contents.map(compressed);
  const total = (name) => sizes.reduce((sum, size) => sum + size[name], 0);
  return { gzip: total("gzip"), brotli: total("brotli") };
}

const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];

/** One start in a process of its own. */
export function startInNode(name) {
  const program = inRoot("tests", "bench", "start-once.mjs");
  const { stdout, stderr } = spawnSync(process.execPath, [program, name], { encoding: "utf8" });
  const ms = Number(stdout.trim().split("\n").at(-1));
  if (!(ms > 0)) throw new Error(`${name} did not start: ${stderr}`);
  return ms;
}

/** What contenders cost before the first call, [{ contender, gzip, brotli, ms }]; `startOnce` gives one start's ms. */
export async function startUps(contenders, startOnce) {
  const results = [];
  for (const name of contenders.filter((one) => one in downloads)) {
    const times = [];
    for (let i = 0; i < starts; i++) times.push(await startOnce(name));
    results.push({ contender: downloads[name].contender, ...(await downloadOf(downloads[name])), ms: median(times) });
  }
  return results;
}
