// The part `cache`.
export { KeyValueCache } from "../attention/cache.js";
