import { defineConfig } from "vite";

export default defineConfig({
  // Relative addresses: the app runs in any folder of a static host.
  base: "./",
  // Small configs stay files: a Content-Security-Policy may forbid data: addresses.
  build: { target: "es2022", assetsInlineLimit: 0 },
});
