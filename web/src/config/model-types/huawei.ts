// Huawei: openPangu.
import * as axes from "../rules/axes.js";
import * as images from "../rules/images.js";
import * as second from "../rules/second.js";
import type { ModelTypes } from "./row.js";

export const huawei: ModelTypes = () => ({
  openpangu_vl: {
    text: "openpangu_vl_text",
    vision: "openpangu_vl",
    visionRule: images.qwenVision,
    second: second.windowed,
  },
  openpangu_vl_text: { pairing: "half", theta: 64e6, needsSections: true, axes: axes.pangu, windowOff: true },
});
