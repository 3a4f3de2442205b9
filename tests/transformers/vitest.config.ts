// The real transformers.js and onnxruntime, installed with the examples that use them. Node, and a page in Chromium.
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const installed = (file: string) =>
  fileURLToPath(new URL(`../../examples/transformers/node_modules/${file}`, import.meta.url));

export default defineConfig({
  root: fileURLToPath(new URL("../..", import.meta.url)),
  resolve: {
    alias: {
      "@huggingface/transformers": installed("@huggingface/transformers/dist/transformers.node.mjs"),
      "onnxruntime-node": installed("onnxruntime-node/dist/index.js"),
      "onnxruntime-web": installed("onnxruntime-web/dist/ort.wasm.bundle.min.mjs"),
    },
  },
  test: {
    expect: { requireAssertions: true },
    include: ["tests/transformers/*.test.ts"],
    environment: "node",
    // Native modules do not like worker threads.
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
