// The part `cache`.
import { KeyValueCache } from "../attention/cache.js";

export const cachePart = { KeyValueCache };
