// Parts that come with the entry.
import * as attention from "./attention.js";
import * as cache from "./cache.js";
import type { CodeOf } from "./code.js";
import * as config from "./config.js";
import * as ids from "./ids.js";
import * as relative from "./relative.js";
import * as training from "./training.js";

export const included: CodeOf = {
  attention: () => attention,
  relative: () => relative,
  training: () => training,
  cache: () => cache,
  config: () => config,
  ids: () => ids,
};
