/**
 * Functions for transformers.js and onnxruntime, which take and return their tensors and import neither library.
 * @module posenc/transformers
 */
export { PosencError } from "./base/errors.js";
export {
  addPositional,
  attentionBias,
  interpolatePositionEmbeddings,
  positionIds,
  rotaryInputs,
  type AddPositionalOptions,
  type AttentionBiasOptions,
  type RotaryInputOptions,
} from "./transformers/inputs.js";
export { shiftCache, type ShiftOptions } from "./transformers/cache.js";
export type { ModelLike, Undo } from "./transformers/forward.js";
export type { GpuOption } from "./transformers/gpu.js";
export type { LayerEncodings, LayerLike } from "./transformers/layer-encodings.js";
export { withRotaryTables, type RotaryTableOptions } from "./transformers/model.js";
export { withRollingCache, type RollingOptions } from "./transformers/rolling.js";
export { usePositions } from "./transformers/use-positions.js";
export type { EnvLike } from "./transformers/env.js";
export type { FloatType, IdsLike, RuntimeTensor, TensorClass, TensorOption } from "./transformers/tensors.js";
