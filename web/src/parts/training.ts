// The part `training`. Encodings have the methods; attention's gradients are with attention.
export { readStep } from "../encodings/optimizer.js";
