// The part `resize`: tables for another length or grid.
import { resizeLearned, resizeWindow } from "../encodings/resizing.js";
import { resizeTable } from "../tensors/resize.js";

export const resizePart = { resizeLearned, resizeTable, resizeWindow };
