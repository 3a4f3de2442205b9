// Parts that are files of their own.
import type { CodeOf } from "./code.js";

export const onDemand: CodeOf = {
  attention: () => import("./attention.js"),
  relative: () => import("./relative.js"),
  training: () => import("./training.js"),
  cache: () => import("./cache.js"),
  config: () => import("./config.js"),
  ids: () => import("./ids.js"),
};
