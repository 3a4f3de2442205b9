import { defineConfig } from "vite";

export default defineConfig({
  // Relative addresses: the app runs in any folder of a static host.
  base: "./",
  build: { target: "es2022", chunkSizeWarningLimit: 1000 },
  worker: { format: "es" },
});
