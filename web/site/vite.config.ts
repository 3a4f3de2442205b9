import { fileURLToPath } from "node:url";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";
import { math } from "./build/math.ts";
import { offline } from "./build/offline.ts";
import { pageInputs, pages } from "./build/pages.ts";
import { prerender } from "./build/prerender.ts";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url)).replace(/\/$/, "");
const root = here(".");
const outDir = here("../../dist-site");

export default defineConfig({
  root,
  // Relative addresses: the built site works from any folder of any static host.
  base: "./",
  plugins: [pages(root), svelte({ configFile: false }), math(), prerender(root), offline(root, outDir)],
  resolve: {
    // The site uses the library as a reader would: built, by its public names.
    alias: [
      { find: "posenc/explain", replacement: here("../../dist/explain.js") },
      { find: "posenc/models", replacement: here("../../dist/models.js") },
      { find: "posenc", replacement: here("../../dist/index.js") },
    ],
  },
  worker: { format: "es" },
  server: { fs: { allow: [here("../..")] } },
  build: {
    outDir,
    emptyOutDir: true,
    target: "es2022",
    // A strict Content-Security-Policy has no data: addresses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { input: pageInputs(root) },
  },
});
