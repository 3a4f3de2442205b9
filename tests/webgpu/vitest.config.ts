// posenc/webgpu in headless Chromium, on the software adapter that it brings: no GPU is needed.
import { playwright } from "@vitest/browser-playwright";
import { defineConfig } from "vitest/config";
import { chromiumOptions, softwareAdapter } from "../js/chromium.mjs";
import shared from "../js/vitest.config";

const { root, server, optimizeDeps, define } = shared;

export default defineConfig({
  root: root!,
  server: server!,
  optimizeDeps: optimizeDeps!,
  define: define!,
  test: {
    expect: { requireAssertions: true },
    include: ["tests/webgpu/*.test.ts"],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    maxWorkers: 1,
    browser: {
      enabled: true,
      provider: playwright({ launchOptions: chromiumOptions(...softwareAdapter) }),
      headless: true,
      screenshotFailures: false,
      instances: [{ browser: "chromium" }],
    },
  },
});
