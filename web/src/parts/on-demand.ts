// Parts that are files of their own.
import type { CodeOf } from "../wasm/parts.js";

export const onDemand: CodeOf = {
  attention: async () => (await import("./attention.js")).attentionPart,
  relative: async () => (await import("./relative.js")).relativePart,
  training: async () => (await import("./training.js")).trainingPart,
  cache: async () => (await import("./cache.js")).cachePart,
  resize: async () => (await import("./resize.js")).resizePart,
  config: async () => (await import("./config.js")).configPart,
  ids: async () => (await import("./ids.js")).idsPart,
};
