/**
 * Hugging Face configs and GGUF headers as specs, layer by layer, without WebAssembly.
 * @module posenc/config
 */
export { readConfig, specFromConfig, type ConfigOptions } from "./config/config.js";
export { cacheBytes, type CacheBytes, type CacheBytesOptions, type LayerCache } from "./config/cache-bytes.js";
export { layerSpecs, type LayerFacts, type LayerOptions, type LayerSpec, type Part } from "./config/layers.js";
export { llamaCppOptions, type LlamaCppOptions } from "./config/llama-cpp.js";
export type { ConfigReading } from "./config/reading.js";
export { readGguf, specFromGguf, type GgufOptions } from "./config/gguf.js";
export { PosencError, type ErrorCode } from "./base/errors.js";
export type * from "./base/specs.gen.js";
