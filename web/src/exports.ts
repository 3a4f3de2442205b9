// What every entry point of the package exports besides `init`.
export { BiasEncoding } from "./bias.js";
export type { Comparison, Difference, Interchangeable } from "./compare.js";
export type { ConfigOptions } from "./config.js";
export { Encoding } from "./encoding.js";
export { PosencError, type ErrorCode } from "./errors.js";
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
} from "./explain.js";
export type { AxisIds, GridIdOptions, MaskedPositions, MropeIds, MropeOptions, MropeSegment } from "./grid-ids.js";
export type { PermuteOptions, Permuted, WeightsLike } from "./permute.js";
export { Posenc } from "./posenc.js";
export type { PositionIdOptions, Tokens } from "./position-ids.js";
export { RelativeEncoding } from "./relative.js";
export { RotaryEncoding } from "./rotary.js";
export type * from "./specs.gen.js";
export { TableEncoding } from "./table.js";
export { WasmTensor } from "./tensor.js";
export { ParameterTensor } from "./parameters.js";
export type * from "./training-types.js";
export type * from "./types.js";
