/**
 * Position ids of texts, images and videos, without WebAssembly.
 * @module posenc/ids
 */
export { glmPositionIds } from "./ids/glm-ids.js";
export { gridPositionIds, mropePositionIds, pixelPositions } from "./ids/grid-ids.js";
export { positionIds } from "./ids/position-ids.js";
export { PosencError, type ErrorCode } from "./base/errors.js";
export type { GlmIdOptions } from "./ids/glm-ids.js";
export type { AxisIds, GridIdOptions, MaskedPositions, MropeIds, MropeOptions, MropeSegment } from "./ids/grid-ids.js";
export type { PositionIdOptions, Tokens } from "./ids/position-ids.js";
