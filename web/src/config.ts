/**
 * Hugging Face configs as specs, without WebAssembly.
 * @module posenc/config
 */
export { specFromConfig, type ConfigOptions } from "./config/config.js";
export { PosencError, type ErrorCode } from "./base/errors.js";
export type * from "./base/specs.gen.js";
