import { fileURLToPath } from "node:url";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";
import { math } from "./build/math.ts";
import { prerender } from "./build/prerender.ts";
import { pages } from "./src/lib/pages.ts";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  root: here("."),
  // Relative addresses: the built site works from any folder of any static host.
  base: "./",
  plugins: [svelte({ configFile: false }), math(), prerender(here("."))],
  resolve: {
    // The site uses the library as a reader would: built, by its public name.
    alias: { posenc: here("../../dist/index.js") },
  },
  build: {
    outDir: here("../../dist-site"),
    emptyOutDir: true,
    target: "es2022",
    // A strict Content-Security-Policy has no data: addresses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: pages.flatMap((page) => [here(`${page}.html`), here(`zh-CN/${page}.html`)]),
    },
  },
});
