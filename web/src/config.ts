/**
 * Hugging Face configs as specs, without WebAssembly.
 * @module posenc/config
 */
export { specFromConfig, type ConfigOptions } from "./config/config.js";
export { layerSpecs, type LayerFacts, type LayerOptions, type LayerSpec, type Part } from "./config/layers.js";
export { PosencError, type ErrorCode } from "./base/errors.js";
export type * from "./base/specs.gen.js";
