// Where things are in Node, for contenders/index.mjs.
import { readFileSync } from "node:fs";
import { inRoot } from "../../web/tasks/prepare.mjs";
import { peer } from "./peers.mjs";

export const environment = {
  init: async (options) => (await import("../../dist/inline.js")).init(options),
  limits: (variant) => WebAssembly.compile(readFileSync(inRoot("build", "wasm", `bench_limits_${variant}.wasm`))),
  ort: () => import("onnxruntime-web"),
  tfjs: async () =>
    (await import("./contenders/tfjs.mjs")).startTfjs(peer("@tensorflow", "tfjs-backend-wasm", "dist/")),
};
