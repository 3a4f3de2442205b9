// What every entry point of the package exports besides `init`.
export { BiasEncoding } from "./encodings/bias.js";
export { AlibiBias, BucketBias, WindowBias } from "./encodings/biases.js";
export type { Comparison, Difference, Interchangeable } from "./explain/compare.js";
export type { ConfigOptions } from "./config/config.js";
export type { LayerFacts, LayerOptions, Part } from "./config/layers.js";
export type { Layer } from "./encodings/layers.js";
export { NoEncoding } from "./encodings/none.js";
export { Encoding } from "./encodings/encoding.js";
export { PosencError, type ErrorCode } from "./base/errors.js";
export type {
  BiasExplanation,
  ExplainOptions,
  Explanation,
  ExplanationOf,
  Explanations,
  PairChange,
  PairRun,
  RelativeExplanation,
  RotaryExplanation,
  RotaryRegime,
  TableExplanation,
} from "./explain/explanation.js";
export type { AxisIds, GridIdOptions, MaskedPositions, MropeIds, MropeOptions, MropeSegment } from "./ids/grid-ids.js";
export type { PermuteOptions, Permuted, WeightsLike } from "./tensors/layout.js";
export type { KeyValueCache, CacheSnapshot, CacheType } from "./attention/cache.js";
export { Posenc } from "./posenc.js";
export type { PositionIdOptions, Tokens } from "./ids/position-ids.js";
export type { GatedRelative, GatedRowRelative, RowRelative, StateRelative } from "./encodings/gated.js";
export type { RelativeEncoding, ShiftOptions } from "./encodings/relative.js";
export type { BiasedRelative, BucketRelative, ContextRelative, PolarRelative } from "./encodings/relatives.js";
export type { PhaseOptions } from "./encodings/phases.js";
export type { TransformBackwardOptions } from "./encodings/transforms.js";
export type { TransformRelative } from "./encodings/transforms.js";
export { RotaryEncoding } from "./encodings/rotary.js";
export type { AnyEncoding, CreatedFrom, EncodingOf, EncodingOfFamily } from "./encodings/kinds.js";
export type * from "./base/description.js";
export type * from "./base/specs.gen.js";
export { TableEncoding } from "./encodings/table.js";
export { LearnedTable, SinusoidalTable } from "./encodings/tables.js";
export { WasmTensor, type WasmTensorOf } from "./tensors/tensor.js";
export { ParameterTensor } from "./encodings/parameters.js";
export type * from "./encodings/training.js";
export type * from "./base/call-options.js";
export type * from "./base/types.js";
