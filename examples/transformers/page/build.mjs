// Puts the page together with esbuild, in a folder that any server can serve: node page/build.mjs [FOLDER]
import { build } from "esbuild";
import { copyFileSync, mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { argv } from "node:process";
import { fileURLToPath } from "node:url";
import { writeModels } from "../models/files.js";

const here = (name) => fileURLToPath(new URL(name, import.meta.url));

/** onnxruntime-web's files of the copy that transformers.js brings along: their versions must be the same. */
function runtimeFiles() {
  const transformers = createRequire(import.meta.url).resolve("@huggingface/transformers");
  const web = dirname(createRequire(transformers).resolve("onnxruntime-web"));
  return ["mjs", "wasm"].map((type) => join(web, `ort-wasm-simd-threaded.asyncify.${type}`));
}

export async function buildPage(folder) {
  mkdirSync(folder, { recursive: true });
  for (const file of [here("index.html"), ...runtimeFiles()]) copyFileSync(file, join(folder, basename(file)));
  writeModels(join(folder, "models"));
  await build({
    entryPoints: [here("main.js")],
    outfile: join(folder, "main.js"),
    bundle: true,
    format: "esm",
    platform: "browser",
    logLevel: "warning",
  });
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  const folder = argv[2] ?? here("../../../build/transformers/page");
  await buildPage(folder);
  console.log(`built: serve ${folder}`);
}
