// The part `training`. Encodings have the methods; attention's gradients are with attention.
import { readStep } from "../encodings/optimizer.js";

export const trainingPart = { readStep };
