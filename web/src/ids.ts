/**
 * Position ids of texts, images and videos, without WebAssembly.
 * @module posenc/ids
 */
export { gridPositionIds, mropePositionIds, pixelPositions } from "./ids/grid-ids.js";
export { positionIds } from "./ids/position-ids.js";
export { PosencError, type ErrorCode } from "./base/errors.js";
export type { AxisIds, GridIdOptions, MaskedPositions, MropeIds, MropeOptions, MropeSegment } from "./ids/grid-ids.js";
export type { PositionIdOptions, Tokens } from "./ids/position-ids.js";
