// The part `ids`: position ids, as posenc/ids has them without WebAssembly.
import { glmPositionIds } from "../ids/glm-ids.js";
import { gridPositionIds, mropePositionIds, pixelPositions } from "../ids/grid-ids.js";
import { positionIds } from "../ids/position-ids.js";

export const idsPart = { glmPositionIds, gridPositionIds, mropePositionIds, pixelPositions, positionIds };
