/**
 * Reads, checks and changes positional encodings inside ONNX models. Reading needs no WebAssembly.
 * @module posenc/onnx
 */
export { openModel } from "./onnx/model.js";
export type { ChangedModel } from "./onnx/rewrite/changed.js";
export type { ChangeOption, UnusedOption } from "./onnx/rewrite/unused.js";
export type { OnnxModel, OpenOptions } from "./onnx/model.js";
export type { BiasChoice, ByLayer, Library, RewriteOptions, RotaryChoice, WindowSize } from "./onnx/options.js";
export type { PositionalComponent } from "./onnx/component.js";
export type { Finding, FindingCode } from "./onnx/audit/finding.js";
export type { Change } from "./onnx/rewrite/changes.js";
export type { FileSource, RandomAccess } from "./base/source.js";
export type { Progress, WorkOptions } from "./base/work.js";
export { PosencError, type ErrorCode } from "./base/errors.js";
