// The part `ids`: position ids, as posenc/ids has them without WebAssembly.
export { glmPositionIds } from "../ids/glm-ids.js";
export { gridPositionIds, mropePositionIds, pixelPositions } from "../ids/grid-ids.js";
export { positionIds } from "../ids/position-ids.js";
