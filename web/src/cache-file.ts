/**
 * Documents as files: cached keys and values are saved, and put back at any position.
 * @module posenc/cache-file
 */
export { PosencError, type ErrorCode } from "./base/errors.js";
export type { FileSource, RandomAccess } from "./base/source.js";
export type { Progress, WorkOptions } from "./base/work.js";
export type { CacheLibrary } from "./cache-file/elements.js";
export type { CacheFileType, ModelNames } from "./cache-file/format.js";
export { fingerprint, openCache, type CacheFile } from "./cache-file/open.js";
export type { FilePart, Files } from "./cache-file/parts.js";
export { appendCache, restoreCache, type RestoreOptions, type RestoreTensorOptions } from "./cache-file/restore.js";
export { saveCache, type SaveOptions } from "./cache-file/save.js";
export { spliceCache, type ForwardModel, type SpliceOptions } from "./cache-file/splice.js";
export type { LayerCaches } from "./cache-file/sources.js";
export type { LayerEncodings, LayerLike } from "./transformers/layer-encodings.js";
export type { RuntimeTensor, TensorClass, TensorOption } from "./transformers/tensors.js";
