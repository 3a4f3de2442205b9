import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";
import { entryModules } from "../tasks/distributed.mjs";
import { later } from "./build/later.ts";
import { learnedRows } from "./build/learned-rows.ts";
import { math } from "./build/math.ts";
import { minutes } from "./build/minutes.ts";
import { models } from "./build/models.ts";
import { offline } from "./build/offline.ts";
import { onnxruntime } from "./build/onnxruntime.ts";
import { pageInputs, pages } from "./build/pages.ts";
import { prerender } from "./build/prerender.ts";
import { previewImages } from "./build/preview-images.ts";
import { saidOnce } from "./build/prose.ts";
import { samples } from "./build/samples.ts";
import { smallModel } from "./build/small-model.ts";
import { teach } from "./build/teach.ts";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url)).replace(/\/$/, "");
const root = here(".");
// Where the library lies in dist, and the site comes to: the checkout, or what npm start makes before the rest.
const folder = process.env["POSENC_SITE_FOLDER"] ?? here("../..");
const outDir = join(folder, "dist-site");
// What the build makes once for all times.
const kept = here("../../build/site");
// A small model with an ONNX file, for readers who have none at hand.
const bible = here("../../examples/transformers/models/bible");

export default defineConfig({
  root,
  // Relative addresses: the built site works from any folder of any static host.
  base: "./",
  plugins: [
    pages(root),
    later(root),
    svelte({ configFile: false }),
    math(),
    saidOnce(),
    samples(),
    learnedRows(root),
    onnxruntime(kept),
    smallModel(bible, ["onnx/model_fp16.onnx", "config.json", "tokenizer.json", "tokenizer_config.json"]),
    teach(root, join(folder, "dist")),
    minutes(root),
    models(join(folder, "dist")),
    previewImages(root, join(folder, "dist")),
    prerender(root),
    offline(root, outDir),
  ],
  resolve: {
    // The site uses the library as a reader would: built, by its public names.
    alias: entryModules().map((name) => ({
      find: name === "index" ? /^posenc$/ : `posenc/${name}`,
      replacement: join(folder, "dist", `${name}.js`),
    })),
  },
  worker: { format: "es", plugins: () => [samples(), onnxruntime(kept)] },
  server: { fs: { allow: [here("../..")] } },
  build: {
    outDir,
    emptyOutDir: true,
    target: "es2022",
    // A strict Content-Security-Policy has no data: addresses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: pageInputs(root),
      // What nearly every page has comes in one file: dozens of small ones are a tenth larger, compressed.
      output: { codeSplitting: { groups: [{ name: "parts", test: /\/src\/(components|lib)\//, minShareCount: 24 }] } },
    },
  },
});
