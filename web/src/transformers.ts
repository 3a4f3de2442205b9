/**
 * For transformers.js and onnxruntime: their tensors in, their tensors out, and neither of them imported.
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
export { withRotaryTables, type ModelLike, type RotaryTableOptions, type Undo } from "./transformers/model.js";
export { usePositions } from "./transformers/use-positions.js";
export type { EnvLike } from "./transformers/env.js";
export type { FloatType, IdsLike, RuntimeTensor, TensorClass, TensorOption } from "./transformers/tensors.js";
